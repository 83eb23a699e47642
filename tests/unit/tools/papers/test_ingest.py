"""Ingesting papers: what is written, cited, warned of, and what goes on after the reply."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from commonplace.index import pipeline
from commonplace.index.references.keep import all_cited, kept_records
from commonplace.index.sources import get_source, remove_source
from commonplace.serve.dispatch import Caller
from commonplace.tools.papers import ingest
from tests.library import Library
from tests.unit.tools.papers.asking import BIB, PROJECT, Renamed, ask, put_in, with_settings


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
    missing = await lab.outcome(
        "papers.ingest_from_source",
        project=PROJECT,
        source=str(papers),
        options={"references_path": str(papers / "none.bib")},
    )
    assert missing.structured is not None
    assert missing.structured["error"]["code"] == "INVALID_ARGUMENT"
    assert "none.bib' on this machine; check the spelling" in str(missing.structured["error"])


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


class Gate:
    """Holds syncs of ingesting back until it is opened; who is in a hurry is given a job."""

    def __init__(self, lab: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        self._lab = lab
        self._real = pipeline.sync_source
        self._open = asyncio.Event()
        self._begun = asyncio.Semaphore(0)
        self.runs = 0
        monkeypatch.setattr(ingest, "sync_source", self._sync)

    async def _sync(self, *given: Any) -> Any:  # noqa: ANN401 - as it takes them
        self.runs += 1
        self._begun.release()
        await self._open.wait()
        return await self._real(*given)

    async def begin(self, papers: Path, **options: Any) -> Any:  # noqa: ANN401 - JSON
        """What is told of work that does not end, once it has begun."""
        told = await self.join(papers, **options)
        await self._begun.acquire()
        return told

    async def join(self, papers: Path, **options: Any) -> Any:  # noqa: ANN401 - JSON
        """What is told of work that is under way."""
        return await put_in(with_settings(self._lab, papers_ingest_s=0.05), papers, **options)

    async def end(self, papers: Path, **options: Any) -> Any:  # noqa: ANN401 - JSON
        """Let all go on; what is told at the end."""
        self._open.set()
        return await put_in(with_settings(self._lab, papers_ingest_s=60.0), papers, **options)


@pytest.fixture
def gate(lab: Library, monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(lab, monkeypatch)


@pytest.mark.requirement("PAP-16")
async def test_long_work_becomes_a_job_that_goes_on(gate: Gate, papers: Path) -> None:
    told = await gate.begin(papers)
    assert told["job"]["state"] == "running"
    assert told["chunks_written"] == 0
    assert (await gate.join(papers))["job"]["id"] == told["job"]["id"]
    done = await gate.end(papers)
    assert gate.runs == 1
    assert done.get("job") is None
    assert done["documents_processed"] == 2


@pytest.mark.requirement("PAP-16")
async def test_whoever_joins_a_job_hears_how_far_it_is(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    goes_on = asyncio.Event()

    async def slow(_writer: Any, _source: Any, tell: Any) -> Any:  # noqa: ANN401
        while True:
            await tell(0, 1, "book.pdf, page 7 of 2000")
            goes_on.set()
            await asyncio.sleep(0.005)

    async def hear(_done: float, _total: float | None, message: str) -> None:
        heard.append(message)

    monkeypatch.setattr(ingest, "sync_source", slow)
    hurried = with_settings(lab, papers_ingest_s=0.05)
    await put_in(hurried, papers)
    await goes_on.wait()
    told = await put_in(hurried, papers)
    assert told["job"]["message"].startswith("book.pdf, page 7 of 2000; the work goes on")
    assert heard == []
    given = {"project": PROJECT, "source": str(papers)}
    caller = Caller(connection="test", progress=hear)
    while not heard:
        await hurried.dispatcher.call("papers.ingest_from_source", given, caller)
    assert heard[0] == "book.pdf, page 7 of 2000"


@pytest.mark.requirement("PAP-14")
async def test_a_rebuild_does_not_join_a_run_that_keeps_the_model(gate: Gate, papers: Path) -> None:
    assert (await gate.begin(papers))["job"]
    assert (await gate.begin(papers, force_rebuild=True))["job"]
    assert gate.runs == 2
    assert (await gate.end(papers, force_rebuild=True))["documents_processed"] == 2


@pytest.mark.requirement("PAP-16")
async def test_a_rebuild_that_goes_on_tells_how_many_vectors_there_are(
    lab: Library, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await put_in(lab, papers)
    old = lab.app.embedders["static"]
    new = Renamed(old)
    moved = replace(lab, app=replace(lab.app, embedders={"static": new}))
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def waits(_self: Any, texts: Any, **_named: Any) -> Any:  # noqa: ANN401
        begun.set()
        await goes_on.wait()
        return await old.embed(texts)

    monkeypatch.setattr(Renamed, "embed", waits, raising=False)
    hurried = with_settings(moved, papers_ingest_s=0.05)
    await put_in(hurried, papers, force_rebuild=True)
    await begun.wait()
    size = (await lab.app.store.passages.stats(PROJECT)).passages
    job = (await put_in(hurried, papers, force_rebuild=True))["job"]
    assert job["message"].startswith(f"0 of {size} passages have vectors of {new.model}; ")
    assert job["state"] == "running"
    for tool in ("inspect_collection", "list_projects"):
        told = await lab.call(tool, **({"project": PROJECT} if tool[0] == "i" else {}))
        shown = told if tool[0] == "i" else told["projects"][-1]
        assert shown["dense_model"] == old.model, "it answers meanwhile"
    goes_on.set()
    patient = with_settings(moved, papers_ingest_s=60.0)
    assert (await put_in(patient, papers, force_rebuild=True)).get("job") is None


@pytest.mark.requirement("PAP-19")
async def test_no_call_reads_what_the_user_did_not_offer(
    lab: Library, papers: Path, tmp_path: Path
) -> None:
    async def code(library: Library, source: str) -> str:
        return await library.error("ingest_from_source", project=PROJECT, source=source)

    assert await code(lab, "/") == "INVALID_ARGUMENT"
    assert await code(lab, "~") == "INVALID_ARGUMENT"
    assert await code(lab, str(tmp_path / "missing")) == "INVALID_ARGUMENT"
    assert await code(lab, "https://example.org/a.pdf") == "INVALID_ARGUMENT"
    remote = with_settings(lab, transport="http")
    assert await code(remote, str(papers)) == "FORBIDDEN_OPERATION"
    offered = with_settings(lab, transport="http", papers_folders=(str(tmp_path),))
    assert (await put_in(offered, papers))["documents_processed"] == 2
    added = with_settings(lab, transport="http", papers_folders=())
    assert (await put_in(added, papers))["documents_processed"] == 2
