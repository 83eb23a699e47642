"""Asking papers: what an item tells, how much comes back, and from which project."""

from pathlib import Path
from typing import Any

import pytest

from commonplace.index.projects import create_project
from tests.library import Library, open_library
from tests.unit.parsers.paper import Sheet, make_pdf
from tests.unit.tools.papers.asking import PROJECT, ask, put_in, with_settings


@pytest.mark.requirement("PAP-09")
@pytest.mark.parametrize("tool", ["papers.query", "papers.query_hybrid"])
async def test_an_item_has_what_a_citation_needs(lab: Library, papers: Path, tool: str) -> None:
    await put_in(lab, papers)
    told = await ask(lab, tool, text="entities keep their identity")
    item = told["items"][0]
    assert item["render_text"].find("identity") >= 0
    assert item["citekey"] == "evans2003"
    assert item["section"] == "Entities"
    assert item["section_path"] == ["Part I", "Entities"]
    assert item["page_span"] is None
    assert (item["doi"], item["authors"], item["year"]) == ("10.1000/ddd.1", ["Eric Evans"], 2003)
    assert told["count"] == len(told["items"])
    scores = [one["score"] for one in told["items"]]
    assert scores == sorted(scores, reverse=True)
    text = (await lab.outcome(tool, project=PROJECT, text="entities keep their identity")).text
    assert "[@evans2003] Eric Evans (2003): Domain Models in Practice › Part I › Entities" in text


@pytest.mark.requirement("PAP-09")
async def test_a_passage_of_a_pdf_tells_its_page(lab: Library, papers: Path) -> None:
    first = Sheet().line(72, 700, "Soil and Sound", 20, "bold")
    first.lines(72, 660, ["Worms are louder than expected.", "doi:10.1000/soil.9"])
    second = Sheet().line(72, 700, "Results", 14, "bold")
    second.lines(72, 660, ["The zither recording shows a hum of forty hertz under clover."])
    (papers / "soil.pdf").write_bytes(make_pdf([first, second]))
    record = "TY  - JOUR\nID  - soil9\nTI  - X\nDO  - 10.1000/soil.9\nER  - \n"
    (papers / "more.ris").write_text(record)
    await put_in(lab, papers)
    item = (await ask(lab, "query_hybrid", text="zither recording hum hertz clover"))["items"][0]
    assert item["citekey"] == "soil9"
    assert item["page_span"][1] == 2
    assert "#page=" in item["source_uri"]
    assert item["page_span"][0] in (1, 2)


@pytest.mark.requirement("PAP-10")
async def test_top_k_is_six_and_capped(lab: Library, papers: Path) -> None:
    for number in range(8):
        (papers / f"p{number}.md").write_text(f"# Paper {number}\n\nEntities have identity.\n")
    await put_in(lab, papers)
    assert (await ask(lab))["count"] == 6
    told = await ask(with_settings(lab, papers_top_k_max=3), top_k=9)
    assert told["count"] == 3
    assert told["degraded"] == ["top_k is at most papers_top_k_max = 3"]


@pytest.mark.requirement("PAP-10")
@pytest.mark.parametrize("tool", ["query", "query_hybrid"])
async def test_what_a_small_budget_leaves_out_comes_with_the_cursor(
    lab: Library, papers: Path, tool: str
) -> None:
    await put_in(lab, papers)
    whole = [one["section_id"] for one in (await ask(lab, tool))["items"]]
    told = await ask(lab, tool, max_response_tokens=500)
    seen = [one["section_id"] for one in told["items"]]
    assert told["truncated"]
    while told["next_cursor"]:
        told = await ask(lab, tool, max_response_tokens=500, cursor=told["next_cursor"])
        seen += [one["section_id"] for one in told["items"]]
    assert seen == whole


@pytest.mark.requirement("PAP-11")
@pytest.mark.parametrize(
    ("filters", "keys"),
    [
        ({"tags": ["architecture", "design"]}, {"evans2003"}),
        ({"tags": ["architecture", "papers"]}, {"evans2003"}),
        ({"tags": ["papers"]}, {"evans2003", None}),
        ({"tags": ["architecture", "nothing"]}, set()),
        ({"section_prefix": "part ii > rep"}, {"evans2003"}),
        ({"section_prefix": "Methods", "tags": ["architecture"]}, set()),
    ],
)
@pytest.mark.parametrize("tool", ["query", "query_hybrid"])
async def test_filters_narrow(
    lab: Library, papers: Path, tool: str, filters: dict[str, Any], keys: set[str | None]
) -> None:
    await put_in(lab, papers)
    told = await ask(lab, tool, filters=filters)
    assert {one["citekey"] for one in told["items"]} == keys
    if filters.get("section_prefix", "").startswith("part"):
        assert {one["section"] for one in told["items"]} == {"Repositories"}


@pytest.mark.requirement("PAP-12")
async def test_long_text_is_trimmed_at_a_sentence_and_whole_on_request(
    tmp_path: Path, papers: Path
) -> None:
    sentences = " ".join(f"Sentence number {n} tells of entities again." for n in range(90))
    (papers / "long.md").write_text(f"# Long paper\n\n{sentences}\n")
    async with open_library(tmp_path / "b", passage_tokens=2000) as lab:
        await create_project(lab.app.writer, PROJECT)
        await put_in(lab, papers)
        given: dict[str, Any] = {"text": "sentence number tells of entities", "top_k": 1}
        item = (await ask(lab, **given))["items"][0]
        assert 1700 < len(item["render_text"]) <= 1800
        assert item["render_text"].endswith("again.")
        assert item.get("full_text") is None
        whole = await ask(lab, **given, include_full_text=True, max_response_tokens=8000)
        assert len(whole["items"][0]["full_text"]) > 3000


@pytest.mark.requirement("PAP-13")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("papers.query", {"text": "x"}),
        ("papers.query_hybrid", {"text": "x"}),
        ("papers.inspect_collection", {}),
        ("papers.ingest_from_source", {"source": "nowhere"}),
    ],
)
async def test_an_unknown_project_is_told_with_the_known(
    lab: Library, tool: str, arguments: dict[str, Any]
) -> None:
    outcome = await lab.outcome(tool, project="no/such", **arguments)
    assert outcome.structured is not None
    error = outcome.structured["error"]
    assert error["code"] == "INVALID_PROJECT"
    expected = f"Project 'no/such' not found. Available projects: default, {PROJECT}"
    assert error["message"] == expected


@pytest.mark.requirement("PAP-13")
async def test_a_project_in_the_filters_means_nothing(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    told = await ask(lab, text="apple trees", filters={"project": "default"})
    assert not any("orchard.md" in one["source_uri"] for one in told["items"])


@pytest.mark.requirement("PAP-15")
async def test_hybrid_joins_ranks(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    told = await ask(lab, "query_hybrid", text="repository hides how aggregates are stored")
    assert (told["fusion"], told["hybrid_enabled"], told["sparse_model"]) == ("RRF", True, "bm25")
    assert told["items"][0]["section"] == "Repositories"
    assert told["items"][0]["score"] == 1.0


@pytest.mark.requirement("PAP-15")
async def test_hybrid_needs_vectors(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from commonplace.domain.errors import EmbedError  # noqa: PLC0415

    async def fail(*_: object, **__: object) -> None:
        raise EmbedError("no model here")

    embedder = lab.app.embedders["static"]
    with monkeypatch.context() as patch:
        patch.setattr(type(embedder), "embed", fail)
        told = await put_in(lab, papers)
    assert any("no vectors" in one for one in told["warnings"])
    assert await lab.error("query_hybrid", project=PROJECT, text="x") == "HYBRID_NOT_SUPPORTED"
    assert await lab.error("query", project=PROJECT, text="x") == "INDEX_UNAVAILABLE"
    row = (await lab.call("papers.list_projects"))["projects"][1]
    assert (row["hybrid_enabled"], row["dense_model"]) == (False, None)
