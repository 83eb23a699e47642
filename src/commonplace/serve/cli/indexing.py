"""Commands that write: add, sync, embed, remove."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click
from rich.console import Console
from rich.text import Text

from commonplace.answer.render import neutral
from commonplace.domain.errors import CommonplaceError
from commonplace.domain.scope import Source
from commonplace.index.pipeline import leave_source, sync_source
from commonplace.index.plan import Wish
from commonplace.index.references.tell import cite_with
from commonplace.index.sources import (
    SourceOptions,
    add_source,
    get_source,
    synced_sources,
)
from commonplace.index.upgrade import Pace, Upgrade, upgrade
from commonplace.index.writer import Records, Report
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.fetching import add_page, is_address
from commonplace.serve.cli.output import count, remarks, results, short_path, write_json
from commonplace.serve.cli.progress import bar
from commonplace.serve.cli.root import EXIT_FAILED, EXIT_PARTIAL
from commonplace.serve.cli.running import run_with, writer_of
from commonplace.sources.base import Skip
from commonplace.sources.zotero.places import accepts as is_library
from commonplace.sources.zotero.places import describe as describe_library
from commonplace.sources.zotero.places import narrowed
from commonplace.tools.app import App

_LABEL = click.option("--label", metavar="NAME", default="", help="Name the snapshot of its code.")
_MOST_REASONS = 3
_MOST_SHOWN = 10  # failures shown one by one; `--json` has all


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of one source: a report, or why there is none."""

    location: str
    report: Report | None = None
    error: CommonplaceError | None = None

    def facts(self) -> dict[str, Any]:
        """Ready for JSON."""
        if self.report is not None:
            return {"location": self.location, **asdict(self.report)}
        message = self.error.message if self.error else ""
        return {"location": self.location, "error": message}


class _Given(TypedDict):
    """The options of ``add``."""

    tags: tuple[str, ...]
    environment: str | None
    references: str | None
    label: str
    wait: bool


def _wish(location: str, given: _Given) -> tuple[str, SourceOptions]:
    """A source as it is added: the tags of a library are those its items must have."""
    tags = given["tags"]
    if is_library(location):
        tags = (describe_library(location).name, *tags) if tags else ()
        location = narrowed(location, given["tags"])
    return location, SourceOptions(tags=tags, environment=given["environment"])


async def _cited(app: App, source: Source, outcome: _Outcome, named: str | None) -> _Outcome:
    """The outcome with what a bibliography that was named did not tell."""
    if named is None or outcome.report is None:
        return outcome
    try:
        matched = await cite_with(writer_of(app), source, named)
    except CommonplaceError as exc:
        return _Outcome(source.location, error=exc)
    told = [Skip(path=path, reason="no record in the bibliography") for path in matched.unmatched]
    told += [Skip(path=named, reason=reason) for reason in matched.problems]
    warnings = (*outcome.report.warnings, *told)
    report = replace(outcome.report, warnings=warnings, records=matched.records)
    return replace(outcome, report=report)


@click.command("add", cls=Command)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--tag", "tags", multiple=True, help="Tag of its documents; repeatable.")
@click.option("--environment", metavar="NAME", help="Environment its documents are about.")
@click.option(
    "--references", metavar="FILE", help="Bibliography of its papers: .bib, .ris or CSL .json."
)
@_LABEL
@click.option(
    "--wait/--no-wait", default=True, show_default=True, help="Improve vectors for a while."
)
@click.pass_obj
def add(choices: Choices, sources: tuple[str, ...], **given: Unpack[_Given]) -> int:
    """Index folders, files, git working trees, bibliographies, web pages or Zotero.

    They are searchable when the command returns. What could not be read is listed, and the exit
    code is then 3. Running it again, or `commonplace sync`, takes only what changed.

    The records of a bibliography (.bib, .ris, CSL .json) tell of the papers of all sources.

    `zotero:` is the whole library, `zotero:Reading/2024` a collection with those below it; of
    them --tag chooses items that have all these tags.
    """

    async def work(app: App) -> int:
        writer, project = writer_of(app), app.settings.default_project
        outcomes = []
        for location in sources:
            try:
                if is_address(location):
                    outcomes.append(_Outcome(location, await add_page(app, location)))
                    continue
                named, options = _wish(location, given)
                source = await add_source(writer, named, project, options)
            except CommonplaceError as exc:
                outcomes.append(_Outcome(location, error=exc))
                continue
            outcome = await _sync(choices, app, source, given["label"])
            outcomes.append(await _cited(app, source, outcome, given["references"]))
        return await _finish(choices, app, outcomes, wait=given["wait"])

    return run_with(choices, work)


@click.command("sync", cls=Command)
@click.argument("source", required=False)
@click.option(
    "--wait/--no-wait", default=True, show_default=True, help="Improve vectors for a while."
)
@_LABEL
@click.pass_obj
def sync(choices: Choices, source: str | None, wait: bool, label: str) -> int:
    """Bring sources up to date with what is on disk.

    Without SOURCE, all of the project. Unchanged files are not read. Every sync that changed code
    is a snapshot, one with a label in any case.
    """

    async def work(app: App) -> int:
        keyvalue, project = app.store.keyvalue, app.settings.default_project
        if source is None:
            chosen = await synced_sources(keyvalue, project)
        else:
            chosen = [await get_source(keyvalue, project, source)]
        outcomes = [await _sync(choices, app, one, label) for one in chosen]
        return await _finish(choices, app, outcomes, wait=wait)

    return run_with(choices, work)


async def _sync(choices: Choices, app: App, source: Source, label: str = "") -> _Outcome:
    with bar(remarks(choices), Path(source.location).name) as progress:
        try:
            report = await sync_source(writer_of(app), source, progress, Wish(label=label))
        except CommonplaceError as exc:
            return _Outcome(source.location, error=exc)
    return _Outcome(source.location, report)


async def _finish(choices: Choices, app: App, outcomes: Sequence[_Outcome], *, wait: bool) -> int:
    """Tell what was done, improve vectors as long as asked, and choose the exit code."""
    failed = [outcome for outcome in outcomes if outcome.error is not None]
    if len(failed) == len(outcomes) == 1 and failed[0].error is not None:
        raise failed[0].error
    if not choices.as_json:
        _show_outcomes(choices, outcomes)
    seconds = app.settings.upgrade_wait_s if wait else 0.0
    upgraded = [] if len(failed) == len(outcomes) else await _improve(choices, app, seconds)
    if choices.as_json:
        sources = [outcome.facts() for outcome in outcomes]
        vectors = [asdict(one) for one in upgraded]
        project = app.settings.default_project
        write_json({"project": project, "sources": sources, "vectors": vectors})
    if outcomes and len(failed) == len(outcomes):
        return EXIT_FAILED
    is_partial = failed or any(one.report and one.report.failures for one in outcomes)
    return EXIT_PARTIAL if is_partial else 0


def _show_outcomes(choices: Choices, outcomes: Sequence[_Outcome]) -> None:
    console = results()
    for outcome in outcomes:
        name = outcome.location
        if not is_address(name):
            name = short_path(Path(name), Path.cwd(), Path.home())
        if outcome.report is None:
            message = outcome.error.message if outcome.error else ""
            console.print(Text.assemble((f"{name} ", "bold"), (message, "red")))
        elif not choices.is_quiet:
            console.print(Text.assemble((f"{name}  ", "bold"), told(outcome.report)))
        if outcome.report is not None:
            show_failures(console, outcome.report)
    if not outcomes and not choices.is_quiet:
        console.print("No sources yet; `commonplace add FOLDER` adds one.")


def told(report: Report) -> str:
    """One line of what a sync did."""
    amounts = ("added", "changed", "removed")
    changes = [f"{getattr(report, name):,} {name}" for name in amounts if getattr(report, name)]
    total = count(report.documents, "document")
    if not report.documents and not changes and report.records:
        return told_records(report.records)
    if not report.documents and not changes:
        reasons = Counter(skip.reason for skip in report.skips).most_common(_MOST_REASONS)
        told_reasons = ", ".join(f"{neutral(reason)} ({number:,})" for reason, number in reasons)
        return f"nothing to index{': ' if reasons else ''}{told_reasons}"
    line = f"{total}, nothing changed"
    if changes:
        made = [count(report.passages, "passage")]
        if report.symbols:
            made.insert(0, count(report.symbols, "symbol"))
        line = f"{total}: {', '.join(changes)}; {', '.join(made)} in {report.elapsed_s:.1f} s"
    return f"{line}; {told_records(report.records)}" if report.records else line


def told_records(records: Records) -> str:
    """How far bibliographies tell of documents.

    >>> told_records(Records(known=4, matched=1, documents=11))
    '4 records match 1 of 11 documents'
    """
    match = "matches" if records.known == 1 else "match"
    matched = f"{records.matched:,} of {count(records.documents, 'document')}"
    return f"{count(records.known, 'record')} {match} {matched}"


def show_failures(console: Console, report: Report) -> None:
    """What could not be read, and what was read with something missing."""
    for failure in report.failures[:_MOST_SHOWN]:
        path, reason = neutral(failure.path), neutral(failure.reason)
        console.print(Text.assemble(("  not read  ", "red"), (path, "bold"), f"  {reason}"))
    more = len(report.failures) - _MOST_SHOWN
    if more > 0:
        console.print(Text(f"  and {more:,} more; --json lists all", style="red"))
    for warning in report.warnings[:_MOST_SHOWN]:
        console.print(Text(neutral(f"  {warning.path}: {warning.reason}"), style="yellow"))


async def _improve(choices: Choices, app: App, seconds: float | None) -> list[Upgrade]:
    """Work on vectors that are still missing, the fast tier's first."""
    project, console = app.settings.default_project, remarks(choices)
    if seconds and await _is_incomplete(app):
        text = f"Searchable now. Improving vectors for up to {seconds:g} s; Ctrl-C is safe."
        console.print(Text(text, style="dim"))
    made = []
    for tier in dict.fromkeys((app.settings.embedder, app.settings.upgrade_embedder)):
        if not tier:
            continue
        embedder = app.embedders[tier]
        with bar(console, f"better vectors ({tier})") as progress:
            pace = Pace(seconds=seconds)
            made.append(await upgrade(writer_of(app), project, embedder, pace, progress))
    _show_vectors(console, made, choices.embed_command(project))
    return made


async def _is_incomplete(app: App) -> bool:
    stats = await app.store.passages.stats(app.settings.default_project)
    embedded = {row.model: row.embedded for row in stats.coverage}
    return any(embedded.get(one.model, 0) < stats.passages for one in app.embedders.values())


def _show_vectors(console: Console, made: Sequence[Upgrade], embed: str) -> None:
    for one in made:
        if one.is_elsewhere:
            console.print(Text(f"Another process works on {one.model}.", style="dim"))
        elif one.remaining:
            left = count(one.remaining, "passage")
            text = f"Searchable now; {left} wait for better vectors: `{embed}`."
            console.print(Text(text, style="dim"))


@click.command("embed", cls=Command)
@click.pass_obj
def embed(choices: Choices) -> None:
    """Finish the better vectors of a project now.

    Also after a change of model. Interrupting loses nothing; search works meanwhile.
    """

    async def work(app: App) -> list[Upgrade]:
        return await _improve(choices, app, None)

    made = run_with(choices, work)
    if choices.as_json:
        write_json({"vectors": [asdict(one) for one in made]})
        return
    for one in made:
        results().print(
            f"{one.model}: {count(one.embedded, 'passage')} embedded, {one.remaining:,} left"
        )


@click.command("remove", cls=Command)
@click.argument("source")
@click.pass_obj
def remove(choices: Choices, source: str) -> None:
    """Forget a source and all indexed from it; your files stay.

    Documents that another source of the project holds too stay indexed.
    """

    async def work(app: App) -> tuple[Source, int, int]:
        found = await get_source(app.store.keyvalue, app.settings.default_project, source)
        return found, *await leave_source(writer_of(app), found)

    found, removed, kept = run_with(choices, work)
    if choices.as_json:
        amounts = {"documents_removed": removed, "documents_kept": kept}
        write_json({"location": found.location, **amounts})
    else:
        name = short_path(Path(found.location), Path.cwd(), Path.home())
        stays = f"; {count(kept, 'document')} stay with other sources" if kept else ""
        results().print(f"Removed {name} with {count(removed, 'document')}{stays}.")
