"""``papers.ingest_from_source``: documents and their bibliography, into a project."""

import asyncio
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from pydantic import Field

from commonplace.answer.render import one_line, session_note
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Source
from commonplace.engines.base import Stats
from commonplace.index.jobs import Job, list_jobs
from commonplace.index.pipeline import sync_source
from commonplace.index.projects import bind_model, bound_model
from commonplace.index.references.tell import Matched, cite_with, unname
from commonplace.index.sources import SourceOptions, add_source, list_sources
from commonplace.index.writer import Report, Writer
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.paging import SessionId
from commonplace.tools.papers.binding import SPARSE_MODEL, check_project, dense_embedder
from commonplace.tools.papers.places import (
    check_library,
    check_place,
    check_source,
    is_zotero,
    zotero_location,
)
from commonplace.tools.scope import Name

_MOST_WARNINGS = 50
_MOST_WARNING_CHARS = 300
_ELSEWHERE = "indexed already"


class IngestOptions(ToolArgs):
    """How to ingest."""

    ocr_languages: list[Name] = Field(
        default=[], max_length=20, description="Of scans Zotero tells none of: en, de."
    )
    references_path: str | None = Field(
        default=None, max_length=4000, description="Bibliography: .json (CSL), .bib or .ris."
    )
    force_rebuild: bool = Field(default=False, description="Move to the model that is set.")
    collection: str | None = Field(
        default=None, max_length=500, description="Of Zotero, with those below: Reading/2024."
    )
    tags: list[Name] = Field(
        default=[], max_length=50, description="Of Zotero: items with all of them."
    )


class IngestFromSourceArgs(ToolArgs):
    """Arguments of papers.ingest_from_source."""

    project: Name
    source: str = Field(
        min_length=1, max_length=4000, description="Folder, file, bibliography, or zotero."
    )
    options: IngestOptions = Field(default=IngestOptions())
    session_id: SessionId | None = None


class JobOut(ToolOutput):
    """Work that goes on after the reply."""

    id: str
    state: str
    done: int = Field(description="Documents that need no more work.")
    total: int
    message: str


class RecordsOut(ToolOutput):
    """How far bibliographies tell of the documents."""

    known: int = Field(description="Records.")
    matched: int = Field(description="Documents a record tells of.")
    documents: int = Field(
        description="Of so many: of the source; of a bibliography, of all others of the project."
    )


class IngestFromSourceReply(ToolOutput):
    """Reply of papers.ingest_from_source."""

    chunks_written: int = Field(description="In this run; of a job that goes on, during this call.")
    documents_processed: int = Field(description="Documents of the source that are up to date.")
    project: str
    dense_model: str
    sparse_model: str
    duration_seconds: float
    warnings: list[str]
    records: RecordsOut | None = Field(default=None, description="When there is a bibliography.")
    job: JobOut | None = Field(default=None, description="When it takes longer than the call.")
    session_id: str


DESCRIPTION = """\
Use when papers or books of a folder, file or Zotero are to be found by papers_query.
Do not use when it is a web page: web_ingest.
Returns what was written, and warnings: a document without metadata, a file not read.
If you need more, call again while job is given: the work goes on meanwhile.
Defaults: the bibliography beside the files. Answers in 15 s at most."""


@dataclass(frozen=True, slots=True)
class _Ingested:
    report: Report
    matched: Matched


async def run_ingest_from_source(app: App, call: Call, args: IngestFromSourceArgs) -> Reply:
    """Begin, wait as long as a call may take, and tell how far it is."""
    started = time.monotonic()
    await check_project(app, args.project)
    before = await app.store.passages.stats(args.project)
    writer = await _writer(app, args, before)
    await _check_paths(app, args)
    wish = SourceOptions(ocr_languages=tuple(args.options.ocr_languages))
    source = await add_source(writer, _location(args), args.project, wish)
    # Who rebuilds does not join a run that does not: it would end with the old model.
    name = f"ingest/{source.id}/{args.options.model_dump_json()}"

    async def work() -> _Ingested:
        if args.options.references_path is None:
            await unname(writer, source)
        report = await sync_source(writer, source, partial(app.chores.tell, name))
        matched = await cite_with(writer, source, args.options.references_path)
        if args.options.force_rebuild:
            await _settle(app, writer, args.project)
        return _Ingested(report, matched)

    task = app.chores.start(name, work)
    with app.chores.hearing(name, call.progress):
        done, _ = await asyncio.wait([task], timeout=app.settings.papers_ingest_s)
    if done:
        told = _finished(task.result())
    else:
        said = app.chores.said(name)
        told = await _running(app, source, before.passages, (writer.embedder.model, said))
    structured = {
        **told,
        "project": args.project,
        "dense_model": writer.embedder.model,
        "sparse_model": SPARSE_MODEL,
        "duration_seconds": round(time.monotonic() - started, 2),
        **app.marks(call, ()),
    }
    return Reply(text=_text(structured), structured=structured)


async def _writer(app: App, args: IngestFromSourceArgs, stats: Stats) -> Writer:
    """Who writes: with the model the project is bound to; rebuilding, with the one that is set.

    Raises EmbeddingMismatch when that is neither.
    """
    if args.options.force_rebuild:
        return app.writer
    embedder, _ = await dense_embedder(app, args.project, stats)
    bound = await bound_model(app.store, args.project)
    if bound is None:
        return app.writer
    if embedder is None:
        embedder, _ = await dense_embedder(app, args.project, replace(stats, passages=0))
    return replace(app.writer, embedder=embedder or app.writer.embedder)


async def _settle(app: App, writer: Writer, project: str) -> None:
    """Once the new model has seen all of a project: bind it, and forget models nobody asks."""
    new = writer.embedder.model
    bound = await bound_model(writer.store, project)
    stats = await writer.store.passages.stats(project)
    embedded = {one.model: one.embedded for one in stats.coverage}
    if embedded.get(new, 0) < stats.passages:
        return
    if bound:
        await bind_model(writer, project, new)
    kept = {new} if bound else {new, *(one.model for one in app.embedders.values())}
    for model in embedded.keys() - kept:
        await writer.store.passages.forget(project, model)


def _location(args: IngestFromSourceArgs) -> str:
    """The source as it is added; of Zotero with the filters of the options."""
    if is_zotero(args.source):
        return zotero_location(args.source, args.options.collection or "", args.options.tags)
    return args.source


async def _check_paths(app: App, args: IngestFromSourceArgs) -> None:
    check_source(args.source, bool(args.options.collection or args.options.tags))
    known = [one.location for one in await list_sources(app.store.keyvalue, args.project)]
    if is_zotero(args.source):
        check_library(app.settings, _location(args), known)
    else:
        check_place(app.settings, args.source, known)
    if args.options.references_path:
        check_place(app.settings, args.options.references_path, known)


def _finished(done: _Ingested) -> dict[str, Any]:
    report = done.report
    warnings = [f"Metadata not found for document '{path}'" for path in done.matched.unmatched]
    warnings += [f"{one.path}: not read: {one.reason}" for one in report.failures]
    warnings += [f"{one.path}: {one.reason}" for one in (*report.warnings, *_left(report))]
    warnings += done.matched.problems
    shown = [one_line(one)[:_MOST_WARNING_CHARS] for one in warnings[:_MOST_WARNINGS]]
    if len(warnings) > len(shown):
        shown.append(f"and {len(warnings) - len(shown)} more")
    return {
        "chunks_written": report.passages,
        "documents_processed": report.documents,
        "warnings": shown,
        "records": asdict(done.matched.records) if done.matched.records else None,
    }


def _left(report: Report) -> list[Any]:
    """Documents another source of the project holds: they are cited with that."""
    return [one for one in report.skips if one.reason.startswith(_ELSEWHERE)]


async def _running(app: App, source: Source, before: int, at: tuple[str, str]) -> dict[str, Any]:
    """How far it is; ``at`` are the model whose vectors are made, and what was told last."""
    stats = await app.store.passages.stats(source.project)
    jobs = await list_jobs(app.store.keyvalue, source.project)
    job = next((one for one in jobs if one.id == f"sync/{source.id}"), None)
    model, said = at
    embedded = next((one.embedded for one in stats.coverage if one.model == model), 0)
    if embedded < stats.passages:
        said = f"{embedded:,} of {stats.passages:,} passages have vectors of {model}; {said}"
    return {
        "chunks_written": max(0, stats.passages - before),
        "documents_processed": job.done if job else 0,
        "warnings": [],
        "job": _job(job, source, said),
    }


def _job(job: Job | None, source: Source, said: str) -> dict[str, Any]:
    message = "the work goes on; call again with the same arguments, or papers_inspect_collection"
    message = f"{one_line(said)[:_MOST_WARNING_CHARS]}; {message}" if said else message
    return {
        "id": f"sync/{source.id}",
        "state": job.state if job and job.state != "done" else "running",
        "done": job.done if job else 0,
        "total": job.total if job else 0,
        "message": message,
    }


def _text(told: dict[str, Any]) -> str:
    lines = [
        f"{told['project']}: {told['documents_processed']} documents, {told['chunks_written']} "
        f"passages written in {told['duration_seconds']:g} s ({told['dense_model']} and "
        f"{told['sparse_model']})"
    ]
    if records := told.get("records"):
        lines.append(
            f"{records['known']} records; {records['matched']} of {records['documents']} documents "
            "have one"
        )
    if job := told.get("job"):
        lines.append(
            f"{job['id']} {job['state']}: {job['done']} of {job['total']}; {job['message']}"
        )
    lines += [f"warning: {one}" for one in told["warnings"]]
    return "\n".join(lines) + session_note(told["session_id"])


INGEST_FROM_SOURCE = Tool(
    name="papers.ingest_from_source",
    description=DESCRIPTION,
    args=IngestFromSourceArgs,
    output=IngestFromSourceReply,
    run=run_ingest_from_source,
    bare="ingest_from_source",
    writes=True,
    timeout_s=90.0,
)
