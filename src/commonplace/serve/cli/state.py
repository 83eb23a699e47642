"""Commands that tell how things stand: status, doctor."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from commonplace.answer.render import neutral
from commonplace.domain.errors import CommonplaceError
from commonplace.index.code.status import code_status
from commonplace.index.jobs import list_jobs
from commonplace.index.projects import list_projects
from commonplace.index.sources import list_sources
from commonplace.serve.accounts import totals
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.fetching import web_facts
from commonplace.serve.cli.output import count, plain_table, results, short_path, size, write_json
from commonplace.serve.cli.running import run_with
from commonplace.serve.doctor import Finding, examine, ok
from commonplace.tools.app import App

_STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}
_JOB_STYLES = {"running": "cyan", "done": "dim", "failed": "red", "interrupted": "yellow"}


@click.command("status", cls=Command)
@click.pass_obj
def status(choices: Choices) -> None:
    """Show what is indexed and how complete it is."""
    facts = run_with(choices, lambda app: gather_status(app, choices.project))
    if choices.as_json:
        write_json(facts)
    else:
        _show_status(results(), facts, choices)


async def gather_status(app: App, project: str | None = None) -> dict[str, Any]:
    """Everything ``status`` tells, of one project or of all."""
    known = await list_projects(app.store)
    chosen = [name for name in known if project in (None, name)]
    projects = [await _project_facts(app, name) for name in chosen]
    return {
        "home": str(app.settings.home),
        "size_bytes": await app.store.size_bytes(),
        "default_project": app.settings.default_project,
        "projects": projects,
        "ledger": await totals(app.store.keyvalue),
    }


async def _project_facts(app: App, project: str) -> dict[str, Any]:
    stats = await app.store.passages.stats(project)
    tiers = {embedder.model: tier for tier, embedder in app.embedders.items()}
    coverage = {row.model: row for row in stats.coverage}
    sources = []
    for source in await list_sources(app.store.keyvalue, project):
        known = await app.store.passages.fingerprints(project, source.id)
        sources.append({**asdict(source), "documents": len(known)})
    return {
        "project": project,
        "documents": stats.documents,
        "passages": stats.passages,
        "updated_at": stats.updated_at,
        "vectors": [
            {
                "model": model,
                "tier": tiers.get(model),
                "embedded": coverage[model].embedded if model in coverage else 0,
                "passages": stats.passages,
            }
            for model in dict.fromkeys([*tiers, *coverage])
        ],
        "code": await code_status(app.store.keyvalue, project),
        "web": await web_facts(app, project),
        "sources": sources,
        "jobs": [asdict(job) for job in await list_jobs(app.store.keyvalue, project)],
    }


def _show_status(console: Console, facts: Mapping[str, Any], choices: Choices) -> None:
    home = short_path(Path(facts["home"]), Path.cwd(), Path.home())
    console.print(Text.assemble(("data folder ", "dim"), home, f"  {size(facts['size_bytes'])}"))
    if not facts["projects"]:
        console.print(Text("Nothing indexed yet; run `commonplace add FOLDER`.", style="yellow"))
    for project in facts["projects"]:
        console.print()
        _show_project(console, project, choices.embed_command(project["project"]))
    if facts["ledger"]["calls"]:
        console.print()
        _show_ledger(console, facts["ledger"])


def _show_ledger(console: Console, ledger: Mapping[str, Any]) -> None:
    """What was given to models, in two lines."""
    given = f"{count(ledger['calls'], 'call')}, {count(ledger['tokens'], 'token')} given to models"
    console.print(Text.assemble((f"last {ledger['days']} days  ", "bold"), given))
    details = [
        f"largest reply {count(ledger['most_tokens'], 'token')}",
        f"{ledger['truncated'] / ledger['calls']:.0%} ended by budget",
        f"{ledger['cursors']:,} continued",
        f"{ledger['duplicates']:,} duplicates left out",
        count(sum(ledger["errors"].values()), "error"),
    ]
    console.print(Text(f"  {' · '.join(details)}", style="dim"))


def _show_project(console: Console, project: Mapping[str, Any], embed: str) -> None:
    amount = f"{count(project['documents'], 'document')}, {count(project['passages'], 'passage')}"
    console.print(Text.assemble((project["project"], "bold"), "  ", amount))
    for row in project["vectors"]:
        console.print(Text.assemble("  ", _vectors_line(row, embed)))
    if project["sources"]:
        table = plain_table("source", "documents:", "synced:", "tags")
        for source in project["sources"]:
            where = short_path(Path(source["location"]), Path.cwd(), Path.home())
            synced = ago(source["synced_at"], datetime.now(UTC))
            table.add_row(
                where, f"{source['documents']:,}", synced, neutral(", ".join(source["tags"]))
            )
        console.print(table)
    for line in (*_web_lines(project["web"], datetime.now(UTC)), *_code_lines(project)):
        console.print(Text(neutral(line), style="dim"))
    for job in project["jobs"]:
        # Vectors that are not finished are told above; they go on by themselves.
        is_told = job["state"] == "interrupted" and job["id"].startswith("upgrade/")
        if job["state"] != "done" and not is_told:
            line = f"{job['title']}: {job['state']} {job['done']:,} of {job['total']:,}"
            told = neutral(f"{line} {job['message']}".rstrip())
            console.print(Text(told, style=_JOB_STYLES[job["state"]]))


def _web_lines(web: Mapping[str, Any], now: datetime) -> list[str]:
    """How many pages there are, and how old."""
    if not web:
        return []
    oldest, newest = (ago(web[f"{which}_fetched_at"], now) for which in ("first", "last"))
    when = newest if oldest == newest else f"{oldest} to {newest}"
    stale = f"; {web['stale']:,} stale, `commonplace add URL` fetches again" if web["stale"] else ""
    hosts = ", ".join(f"{host} {number:,}" for host, number in web["hosts"].items())
    return [f"  web: {count(web['pages'], 'page')}, fetched {when}{stale}", f"    {hosts}"]


def _code_lines(project: Mapping[str, Any]) -> list[str]:
    """What is known of code, and what was not understood of it."""
    lines, code = [], project["code"]
    named = {one["id"]: one["location"] for one in project["sources"]}
    for key, source in code.get("sources", {}).items():
        if len(code["sources"]) > 1:
            where = short_path(Path(named.get(key, key)), Path.cwd(), Path.home())
            lines.append(f"code of {where}")
        for language, row in source.get("languages", {}).items():
            amount = f"{count(row['files'], 'file')}, {count(row['symbols'], 'symbol')}"
            faults = (
                f"; {count(row['problems'], 'place')} not understood" if row["problems"] else ""
            )
            lines.append(f"  {language}: {amount}{faults}")
        places = source.get("places", {})
        for told in (source.get("problems", {}), source.get("left_out", {})):
            for what, number in told.items():
                where = f" ({', '.join(places[what])})" if what in places else ""
                lines.append(f"    {number:,} × {what}{where}")
        if source.get("generated_files"):
            lines.append(
                f"    {count(source['generated_files'], 'file')} of generated code, marked"
            )
        if source["files_without_text"]:
            lines.append(f"    text of {source['files_without_text']:,} waits for the next sync")
    if code and code["files_behind"]:
        told = count(code["files_behind"], "file")
        lines.append(f"  values of {told} are followed when a sync finds nothing else to do")
    if code and not code["is_bound"]:
        lines.append(
            "  names are being bound; an interrupted run is finished by `commonplace sync`"
        )
    return lines


def _vectors_line(row: Mapping[str, Any], embed: str) -> Text:
    total, embedded = row["passages"], row["embedded"]
    share = int(100 * embedded / total) if total else 100
    style = "green" if embedded >= total else "yellow"
    name = row["tier"] or "no longer used"
    line = Text.assemble((f"{name:12}", "dim"), (f"{share:3} %", style), ("  ", ""), row["model"])
    if embedded < total and row["tier"]:
        line.append(f"\n  {embedded:,} of {total:,}; `{embed}` finishes", style="dim")
    return line


def ago(moment: datetime | None, now: datetime) -> str:
    """How long ago something was, in one word or two.

    >>> ago(datetime(2026, 1, 1, 12), datetime(2026, 1, 1, 14, 5))
    '2 h ago'
    """
    if moment is None:
        return "never"
    seconds = (now - moment).total_seconds()
    for length, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit} ago"
    return "just now"


@click.command("doctor", cls=Command)
@click.pass_obj
def doctor(choices: Choices) -> int:
    """Check the installation and name the fix.

    Ends with exit code 1 when something is broken; warnings do not fail.
    """
    try:
        settings = choices.settings()
        findings = [ok("settings", "valid")]
        findings += asyncio.run(examine(settings))
    except CommonplaceError as exc:
        findings = [Finding("settings", "fail", exc.message, "see the message")]
    is_well = all(finding.state != "fail" for finding in findings)
    if choices.as_json:
        write_json({"ok": is_well, "findings": [asdict(finding) for finding in findings]})
    else:
        _show_findings(results(), findings)
    return 0 if is_well else 1


def _show_findings(console: Console, findings: list[Finding]) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in ("state", "about"):
        table.add_column(name, no_wrap=True)
    table.add_column("detail", overflow="fold")
    for finding in findings:
        detail = Text(neutral(finding.detail))
        if finding.fix:
            detail.append(neutral(f"\n→ {finding.fix}"), style="cyan")
        state = Text(f"{finding.state:4}", style=_STYLES[finding.state])
        table.add_row(state, Text(finding.about, style="bold"), detail)
    console.print(table)
