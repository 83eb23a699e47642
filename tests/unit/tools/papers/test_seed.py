"""Seed 002 by name: every parameter, field, default, cap and error code of its five tools."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonplace import tools
from commonplace.catalog import collect
from commonplace.domain.errors import StoreError
from commonplace.embedders.static import StaticEmbedder
from commonplace.index.projects import bind_model, bound_model, create_project
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.settings import Settings
from commonplace.tools.base import Tool
from tests.library import Library, open_library
from tests.unit.parsers.paper import Sheet, make_pdf
from tests.unit.tools.papers.asking import Renamed

PROJECT = "citeloom/clean-arch"
BIB = """@book{cleanArchitecture2023, title = {Clean things}, author = {Martin, R.}, year = 2023,
  doi = {10.1000/xyz123}, keywords = {architecture}}"""
FIELDS = {
    "ingest_from_source": {
        *("chunks_written", "documents_processed", "project", "dense_model", "sparse_model"),
        *("duration_seconds", "warnings"),
    },
    "query": {"items", "count", "model"},
    "query_hybrid": {
        *("items", "count", "hybrid_enabled", "dense_model", "sparse_model", "fusion"),
    },
    "inspect_collection": {
        *("project", "collection", "size", "dense_model", "sparse_model", "named_vectors"),
        *("payload_keys", "indexes", "storage", "sample_payloads"),
    },
    "list_projects": {"projects", "count"},
}
ITEM = {
    *("render_text", "score", "citekey", "section", "page_span", "section_path", "doi"),
    "full_text",
}
PAYLOAD = {
    *("project_id", "doc_id", "section_path", "page_start", "page_end", "citekey", "doi", "year"),
    *("authors", "title", "tags", "source_path", "chunk_text", "heading_chain", "embed_model"),
    "version",
}


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_library(tmp_path) as opened:
        await create_project(opened.app.writer, PROJECT)
        yield opened


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    first = Sheet().line(72, 720, "Clean things", 20, "bold").line(72, 680, "Part I", 16, "bold")
    first.line(72, 650, "Entities", 12, "bold").lines(72, 630, ["Entities differ from values."])
    (folder / "clean.pdf").write_bytes(make_pdf([first], info={"Title": "Clean things"}))
    (folder / "library.bib").write_text(BIB)
    return folder


def arguments(tool: str, papers: Path) -> dict[str, Any]:
    given: dict[str, dict[str, Any]] = {
        "ingest_from_source": {"source": str(papers)},
        "query": {"text": "entities and values"},
        "query_hybrid": {"text": "entities and values"},
        "list_projects": {},
    }
    named = {} if tool == "list_projects" else {"project": PROJECT}
    return {**given.get(tool, {}), **named}


@pytest.mark.requirement("PAP-24")
@pytest.mark.parametrize("tool", FIELDS)
async def test_a_reply_has_every_field_and_a_correlation_id(
    lab: Library, papers: Path, tool: str
) -> None:
    await lab.call("ingest_from_source", **arguments("ingest_from_source", papers))
    outcome = await lab.outcome(tool, **arguments(tool, papers))
    assert not outcome.is_error, outcome.text
    assert FIELDS[tool] <= outcome.structured.keys()
    assert outcome.meta["correlation_id"]
    if "query" in tool:
        item = outcome.structured["items"][0]
        assert item.keys() >= ITEM
        assert (item["citekey"], item["doi"]) == ("cleanArchitecture2023", "10.1000/xyz123")
        assert item["page_span"] == [1, 1]
        assert item["full_text"] is None
        assert item["section_path"][-1] == item["section"]


@pytest.mark.requirement("PAP-24")
async def test_inspecting_and_listing_tell_what_the_seed_shows(lab: Library, papers: Path) -> None:
    await lab.call("ingest_from_source", **arguments("ingest_from_source", papers))
    told = await lab.call("inspect_collection", project=PROJECT, sample=1)
    assert told["collection"] == "proj-citeloom-clean-arch"
    assert set(told["payload_keys"]) >= PAYLOAD
    payload = told["sample_payloads"][0]
    assert payload["embed_model"] == told["dense_model"]
    assert payload["citekey"] == "cleanArchitecture2023"
    assert set(told["indexes"]) == {"keyword", "fulltext"}
    assert {"on_disk_vectors", "on_disk_hnsw"} <= told["storage"].keys()
    row = (await lab.call("list_projects"))["projects"][0]
    assert row.keys() >= {"id", "collection", "dense_model", "sparse_model", "hybrid_enabled"}


@pytest.mark.requirement("PAP-24")
def test_defaults_caps_and_timeouts_are_those_of_the_seed() -> None:
    known = {one.bare: one for one in collect(tools, Tool).values() if one.bare in FIELDS}
    limits = {"query": 8.0, "query_hybrid": 15.0, "inspect_collection": 5.0}
    assert {name: known[name].timeout_s for name in limits} == limits
    assert known["list_projects"].timeout_s is None
    assert Settings().papers_ingest_s == 15.0
    for name in ("query", "query_hybrid"):
        fields = known[name].args.model_fields
        assert fields["top_k"].default == 6
        assert {"project", "text", "top_k", "filters"} <= fields.keys()
    options = known["ingest_from_source"].args.model_fields["options"].default
    assert (options.ocr_languages, options.references_path, options.force_rebuild) == (
        [],
        None,
        False,
    )
    assert known["inspect_collection"].args.model_fields["sample"].default == 0


@pytest.mark.requirement("PAP-25")
@pytest.mark.parametrize("tool", ["query", "query_hybrid", "inspect_collection"])
async def test_a_call_that_takes_too_long_is_a_timeout(
    lab: Library, papers: Path, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lab.call("ingest_from_source", **arguments("ingest_from_source", papers))

    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(type(lab.app.store.passages), "stats", never)
    known = [one for one in collect(tools, Tool).values() if one.bare == tool]
    hurried = Dispatcher(lab.app, [replace(known[0], timeout_s=0.05)])
    given = arguments(tool, papers)
    outcome = await hurried.call(known[0].name, given, Caller(connection="test"))
    error = outcome.structured["error"]
    assert (error["code"], set(error)) == ("TIMEOUT", {"code", "message", "details"})


@pytest.mark.requirement("PAP-25")
async def test_a_store_that_cannot_be_read_is_index_unavailable(
    lab: Library, papers: Path, tmp_path: Path
) -> None:
    await lab.call("ingest_from_source", **arguments("ingest_from_source", papers))
    connection = apsw.Connection(str(tmp_path / "home" / "index.db"))
    connection.execute("ALTER TABLE passages RENAME TO gone")
    connection.close()
    for tool in ("query_hybrid", "inspect_collection", "query"):
        assert await lab.error(tool, **arguments(tool, papers)) == "INDEX_UNAVAILABLE"


@pytest.mark.requirement("PAP-18")
async def test_listing_projects_never_fails(lab: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(type(lab.app.store.passages), "stats", fail)
    told = await lab.call("list_projects")
    assert (told["projects"], told["count"]) == ([], 0)
    assert told["degraded"] == ["the disk is gone"]


@pytest.mark.requirement("PAP-14")
async def test_the_old_model_answers_until_the_new_one_is_complete(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        (papers / f"p{number}.md").write_text(f"# Paper {number}\n\nEntities of kind {number}.\n")
    await lab.call("ingest_from_source", **arguments("ingest_from_source", papers))
    old = lab.app.embedders["static"].model
    new = Renamed(lab.app.embedders["static"])
    app = replace(lab.app, embedders={"static": new})
    lab.dispatcher.app = app
    told = (await lab.call("query", **arguments("query", papers)))["error"]
    assert told["code"] == "EMBEDDING_MISMATCH"
    assert "options.force_rebuild" in told["message"]
    assert (told["details"]["indexed"], told["details"]["configured"]) == ([old], [new.model])
    real, calls = StaticEmbedder.embed, []

    async def fails_later(self: Any, texts: Any, **named: Any) -> Any:  # noqa: ANN401
        calls.append(texts)
        if len(calls) == 2:
            raise OSError("out of power")
        return await real(self, texts, **named)

    given = arguments("ingest_from_source", papers) | {"options": {"force_rebuild": True}}
    with monkeypatch.context() as patch:
        patch.setattr(StaticEmbedder, "embed", fails_later)
        assert await lab.error("ingest_from_source", **given) == "INTERNAL_ERROR"
    halfway = await lab.call("query", **arguments("query", papers))
    assert halfway["model"] == old
    assert f"{old} answers meanwhile" in halfway["degraded"][0]
    assert halfway["items"]
    assert (await lab.call("ingest_from_source", **given))["dense_model"] == new.model
    whole = await lab.call("query", **arguments("query", papers))
    assert (whole["model"], whole.get("degraded")) == (new.model, None)
    looked = await lab.call("inspect_collection", project=PROJECT)
    assert [one["model"] for one in looked["coverage"]] == [new.model], "the old vectors are gone"


@pytest.mark.requirement("PAP-26")
async def test_a_project_is_bound_to_its_own_model(lab: Library, papers: Path) -> None:
    other = Renamed(lab.app.embedders["static"])
    await bind_model(lab.app.writer, PROJECT, other.model)
    for tool in ("query", "query_hybrid", "ingest_from_source"):
        outcome = await lab.outcome(tool, **arguments(tool, papers))
        assert outcome.structured["error"]["code"] == "EMBEDDING_MISMATCH"
        assert outcome.structured["error"]["details"]["indexed"] == [other.model]
    both = replace(lab.app, embedders={**lab.app.embedders, "other": other})
    lab.dispatcher.app = both
    told = await lab.call("ingest_from_source", **arguments("ingest_from_source", papers))
    assert told["dense_model"] == other.model
    asked = await lab.call("query", **arguments("query", papers))
    assert (asked["model"], asked["count"]) == (other.model, 1)
    assert (await lab.call("inspect_collection", project=PROJECT))["dense_model"] == other.model
    lab.dispatcher.app = lab.app
    given = arguments("ingest_from_source", papers) | {"options": {"force_rebuild": True}}
    ours = lab.app.writer.embedder.model
    assert (await lab.call("ingest_from_source", **given))["dense_model"] == ours
    assert await bound_model(lab.app.store, PROJECT) == ours
    stats = await lab.app.store.passages.stats(PROJECT)
    assert [one.model for one in stats.coverage] == [ours]
    assert (await lab.call("query", **arguments("query", papers)))["model"] == ours


@pytest.mark.requirement("PAP-24")
async def test_the_error_envelope_is_the_seeds(lab: Library) -> None:
    outcome = await lab.outcome("query", project="invalid-project", text="x")
    told = json.loads(outcome.text)
    assert told.keys() == {"error"}
    assert told["error"].keys() == {"code", "message", "details"}
    assert told["error"]["message"].startswith(
        "Project 'invalid-project' not found. Available projects: "
    )
