"""The papers family over a real index: ingest, query, cite, inspect."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from commonplace.index import pipeline
from commonplace.index.projects import create_project
from commonplace.index.references.keep import all_cited, kept_records
from commonplace.index.sources import get_source, remove_source
from commonplace.tools.papers import ingest
from tests.library import Library, open_library
from tests.unit.parsers.paper import Sheet, make_pdf

PROJECT = "lab/papers"
EVANS = """\
# Domain models in practice

doi:10.1000/ddd.1

## Part I

### Entities

Entities keep their identity while their attributes change. A customer stays the same customer.

### Value objects

Value objects are equal when their attributes are equal. Money is a value object.

## Part II

### Repositories

A repository hides how aggregates are stored and found again.
"""
LEE = """\
# Watering orchards

## Methods

Drip irrigation delivers water at the root. We measured soil moisture every hour for a season.
"""
BIB = """\
@article{evans2003,
  title = {Domain Models in Practice}, author = {Evans, Eric}, year = {2003},
  doi = {10.1000/ddd.1}, keywords = {architecture, design}
}
"""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "evans.md").write_text(EVANS, "utf-8")
    (folder / "lee.md").write_text(LEE, "utf-8")
    (folder / "library.bib").write_text(BIB, "utf-8")
    return folder


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path) as opened:
        await create_project(opened.app.writer, PROJECT)
        yield opened


async def put_in(lab: Library, folder: Path, **options: Any) -> Any:  # noqa: ANN401 - JSON
    told = await lab.call(
        "ingest_from_source", project=PROJECT, source=str(folder), options=options
    )
    assert "error" not in told, told
    return told


async def ask(lab: Library, tool: str = "papers.query", **arguments: Any) -> Any:  # noqa: ANN401
    given = {"project": PROJECT, "text": "identity of entities", **arguments}
    told = await lab.call(tool, **given)
    assert "error" not in told, told
    return told


def with_settings(lab: Library, **chosen: Any) -> Library:  # noqa: ANN401
    app = replace(lab.app, settings=lab.app.settings.model_copy(update=chosen))
    lab.dispatcher.app = app
    return replace(lab, app=app)


@pytest.mark.requirement("PAP-05")
async def test_ingesting_counts_names_models_and_warns(lab: Library, papers: Path) -> None:
    told = await put_in(lab, papers)
    assert told["documents_processed"] == 2
    assert told["chunks_written"] >= 4
    assert told["project"] == PROJECT
    assert told["dense_model"] == lab.app.writer.embedder.model
    assert told["sparse_model"] == "bm25"
    assert told["warnings"] == ["Metadata not found for document 'lee.md'"]
    assert told.get("job") is None


@pytest.mark.requirement("PAP-06")
async def test_ingesting_twice_writes_nothing_and_a_new_name_keeps_the_citation(
    lab: Library, papers: Path
) -> None:
    await put_in(lab, papers)
    first = await ask(lab)
    again = await put_in(lab, papers)
    assert (again["chunks_written"], again["documents_processed"]) == (0, 2)
    assert (await ask(lab))["items"] == first["items"]
    (papers / "evans.md").rename(papers / "renamed.md")
    await put_in(lab, papers)
    item = (await ask(lab))["items"][0]
    assert item["citekey"] == "evans2003"
    assert item["source_uri"].endswith("renamed.md")


@pytest.mark.requirement("PAP-06")
async def test_a_sync_keeps_citations_and_a_removal_takes_them(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    keyvalue = lab.app.store.keyvalue
    (papers / "evans.md").rename(papers / "renamed.md")
    await lab.add(papers, PROJECT)
    assert (await ask(lab))["items"][0]["citekey"] == "evans2003"
    source = await get_source(keyvalue, PROJECT, str(papers))
    await remove_source(lab.app.writer, source)
    assert await all_cited(keyvalue, PROJECT) == {}
    assert await kept_records(keyvalue, source) is None


@pytest.mark.requirement("PAP-07")
async def test_an_edited_bibliography_changes_citations_only(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    (papers / "library.bib").write_text(BIB.replace("evans2003", "evans2004"), "utf-8")
    told = await put_in(lab, papers)
    assert told["chunks_written"] == 0
    assert (await ask(lab))["items"][0]["citekey"] == "evans2004"


@pytest.mark.requirement("PAP-08")
async def test_a_named_bibliography_decides(lab: Library, papers: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ris"
    other.write_text("TY  - JOUR\nID  - lee1\nTI  - Watering orchards\nPY  - 2021\nER  - \n")
    told = await put_in(lab, papers, references_path=str(other))
    assert told["warnings"] == ["Metadata not found for document 'evans.md'"]
    item = (await ask(lab, text="drip irrigation soil moisture"))["items"][0]
    assert (item["citekey"], item["year"]) == ("lee1", 2021)
    failing = await lab.error(
        "papers.ingest_from_source",
        project=PROJECT,
        source=str(papers),
        options={"references_path": str(papers / "lee.md")},
    )
    assert failing == "INVALID_ARGUMENT"


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


class Renamed:
    """The real embedder under a name the index does not know."""

    def __init__(self, inner: Any) -> None:  # noqa: ANN401
        self._inner = inner
        self.model = "another/model"

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._inner, name)


@pytest.mark.requirement("PAP-14")
async def test_another_model_is_a_mismatch_until_rebuilt(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    app = replace(lab.app, embedders={"static": Renamed(lab.app.embedders["static"])})
    lab.dispatcher.app = app
    for tool in ("query", "query_hybrid"):
        assert await lab.error(tool, project=PROJECT, text="x") == "EMBEDDING_MISMATCH"
    given = {"project": PROJECT, "source": str(papers)}
    assert await lab.error("ingest_from_source", **given) == "EMBEDDING_MISMATCH"
    told = await put_in(lab, papers, force_rebuild=True)
    assert told["dense_model"] == "another/model"
    assert (await ask(lab))["model"] == "another/model"
    looked = await lab.call("papers.inspect_collection", project=PROJECT)
    covered = {one["model"]: one["embedded"] for one in looked["coverage"]}
    assert covered["another/model"] == looked["size"]


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


@pytest.mark.requirement("PAP-16")
async def test_long_work_becomes_a_job_that_goes_on(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, runs = asyncio.Event(), []
    real = pipeline.sync_source

    async def slow(*given: Any) -> Any:  # noqa: ANN401
        runs.append(given)
        await gate.wait()
        return await real(*given)

    monkeypatch.setattr(ingest, "sync_source", slow)
    hurried = with_settings(lab, papers_ingest_s=0.05)
    told = await put_in(hurried, papers)
    assert told["job"]["state"] == "running"
    assert told["chunks_written"] == 0
    assert (await put_in(hurried, papers))["job"]["id"] == told["job"]["id"]
    gate.set()
    patient = with_settings(lab, papers_ingest_s=15.0)
    done = await put_in(patient, papers)
    assert len(runs) == 1
    assert done.get("job") is None
    assert done["documents_processed"] == 2


@pytest.mark.requirement("PAP-17")
async def test_inspecting_tells_what_is_there(lab: Library, papers: Path) -> None:
    await put_in(lab, papers)
    told = await lab.call("papers.inspect_collection", project=PROJECT, sample=5)
    stats = await lab.app.store.passages.stats(PROJECT)
    assert told["collection"] == "proj-lab-papers"
    assert (told["size"], told["documents"], told["cited_documents"]) == (stats.passages, 2, 1)
    assert told["dense_model"] == lab.app.writer.embedder.model
    assert told["named_vectors"] == ["dense", "sparse"]
    assert told["coverage"][0]["embedded"] == stats.passages
    assert told["storage"]["on_disk_vectors"] is True
    assert len(told["sample_payloads"]) == 2
    for payload in told["sample_payloads"]:
        assert list(payload) == told["payload_keys"]
    plain = await lab.call("inspect_collection", project=PROJECT)
    assert plain["sample_payloads"] == []
    assert await lab.error("inspect_collection", project=PROJECT, sample=6) == "INVALID_ARGUMENT"


@pytest.mark.requirement("PAP-18")
async def test_projects_are_listed_with_their_models(lab: Library) -> None:
    told = await lab.call("list_projects")
    assert [one["id"] for one in told["projects"]] == ["default", PROJECT]
    assert told["count"] == 2
    assert all(one["hybrid_enabled"] for one in told["projects"])
    assert told["projects"][1]["collection"] == "proj-lab-papers"


@pytest.mark.requirement("PAP-19")
async def test_no_call_reads_what_the_user_did_not_offer(
    lab: Library, papers: Path, tmp_path: Path
) -> None:
    async def code(library: Library, source: str) -> str:
        return await library.error("ingest_from_source", project=PROJECT, source=source)

    assert await code(lab, "/") == "INVALID_ARGUMENT"
    assert await code(lab, "~") == "INVALID_ARGUMENT"
    assert await code(lab, "https://example.org/a.pdf") == "INVALID_ARGUMENT"
    remote = with_settings(lab, transport="http")
    assert await code(remote, str(papers)) == "FORBIDDEN_OPERATION"
    offered = with_settings(lab, transport="http", papers_folders=(str(tmp_path),))
    assert (await put_in(offered, papers))["documents_processed"] == 2
    added = with_settings(lab, transport="http", papers_folders=())
    assert (await put_in(added, papers))["documents_processed"] == 2
