"""The commands ``memory audit``, ``export``, ``import`` and ``forget``."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from commonplace.answer.render import neutral
from commonplace.domain.context import TYPES, Context
from commonplace.domain.errors import UserError
from commonplace.memory import files, keep
from commonplace.memory.render import title_of
from commonplace.memory.write import store_all
from commonplace.serve.cli.choices import Choices, Group
from commonplace.serve.cli.moving import opened_file
from commonplace.serve.cli.output import count, plain_table, remarks, results, write_json
from commonplace.serve.cli.running import run_with
from commonplace.serve.cli.state import ago
from commonplace.tools.app import App

_SHOWN = 20  # rows of each list on a terminal; --json has all
_FILE = click.Path(path_type=Path, allow_dash=True, dir_okay=False)


@click.group("memory", cls=Group)
def memory() -> None:
    """Audit, export, import or forget what agents stored."""


@memory.command("audit")
@click.option("--sweep", is_flag=True, help="First forget what retention says is due.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Write the audit as Markdown.")
@click.pass_obj
def audit_command(choices: Choices, sweep: bool, as_markdown: bool) -> None:
    """Show what is stored, repeated, superseded, dangling, due and swept."""

    async def work(app: App) -> dict[str, Any]:
        project = app.settings.default_project
        if sweep:
            await keep.sweep(app.writer, project)
        return await keep.audit(app.writer, project)

    facts = run_with(choices, work)
    if choices.as_json:
        write_json(facts)
    elif as_markdown:
        click.echo("\n".join(_markdown(facts)))
    else:
        _show(results(), facts)


def _show(console: Console, facts: dict[str, Any]) -> None:
    console.print(Text.assemble((facts["project"], "bold"), f"  {_contexts(facts['contexts'])}"))
    if facts["types"]:
        table = plain_table("type", "contexts:", "oldest:", "newest:", "kept days:", "due:")
        now = datetime.now(UTC)
        for name, row in facts["types"].items():
            days = str(row["retention_days"] or "all")
            moments = [ago(row[end], now) for end in ("oldest", "newest")]
            table.add_row(name, f"{row['contexts']:,}", *moments, days, f"{row['due']:,}")
        console.print(table)
    for title, lines in _lists(facts):
        if lines:
            console.print(Text(f"\n{title}: {len(lines):,}", style="bold"))
            for line in lines[:_SHOWN]:
                console.print(Text(f"  {neutral(line)}"))
            if len(lines) > _SHOWN:
                console.print(Text(f"  … {len(lines) - _SHOWN:,} more with --json", style="dim"))


def _markdown(facts: dict[str, Any]) -> list[str]:
    lines = [f"# Memory of {facts['project']}", "", f"{_contexts(facts['contexts'])}."]
    if facts["types"]:
        lines += [
            "",
            "| type | contexts | oldest | newest | kept days | due |",
            "|---|--:|---|---|--:|--:|",
        ]
    for name, row in facts["types"].items():
        ends = f"{row['oldest']:%Y-%m-%d %H:%M} | {row['newest']:%Y-%m-%d %H:%M}"
        days = row["retention_days"] or "all"
        lines.append(f"| {name} | {row['contexts']} | {ends} | {days} | {row['due']} |")
    for title, rows in _lists(facts):
        if rows:
            lines += ["", f"## {title}", "", *(f"- {neutral(row)}" for row in rows)]
    return lines


def _lists(facts: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [
        ("Agents", [f"{name}: {_contexts(number)}" for name, number in facts["agents"].items()]),
        (
            "Stored more than once",
            [f"{one['id']} {one['times']} times: {one['title']}" for one in facts["repeated"]],
        ),
        (
            "Nearly the same",
            [
                f"{one['id']} as {one['of']} ({one['similarity']:.0%}): {one['title']}"
                for one in facts["near_duplicates"]
            ],
        ),
        (
            "Superseded",
            [f"{one['id']} by {one['by']}: {one['title']}" for one in facts["superseded"]],
        ),
        (
            "Relationships to what is not there",
            [f"{one['id']} {one['type']} {one['target']}" for one in facts["dangling"]],
        ),
        ("Due by retention, not yet swept", list(facts["due"])),
        (
            "Swept by retention",
            [
                f"{one['at'][:16]} {one['type']}: {_contexts(one['count'])} older than "
                f"{count(one['days'], 'day')}"
                for one in facts["sweeps"]
            ],
        ),
    ]


def _contexts(number: int) -> str:
    return count(number, "context")


@memory.command("export")
@click.argument("file", type=_FILE)
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "markdown"]), help="Else as the name says."
)
@click.pass_obj
def export_command(choices: Choices, file: Path, form: files.Format | None) -> None:
    """Write all contexts to a file, or to standard output with -.

    JSONL and Markdown both hold everything and can be imported again.
    """

    async def work(app: App) -> int:
        project = app.settings.default_project
        contexts = [one async for one in keep.list_contexts(app.store, project)]
        with opened_file(file, "w") as stream:
            chosen = form or files.format_of(file.name)
            stream.writelines(files.write_lines(project, contexts, chosen))
        return len(contexts)

    written = run_with(choices, work)
    if choices.as_json and str(file) != "-":
        write_json({"file": str(file), "contexts": written})
    else:
        remarks(choices).print(f"Wrote {_contexts(written)} to {file}.")


@memory.command("import")
@click.argument("file", type=_FILE)
@click.pass_obj
def import_command(choices: Choices, file: Path) -> None:
    """Read contexts from an export, or from standard input with -.

    What is there already stays: relationships and repeats of both are kept.
    """

    async def work(app: App) -> tuple[str, int, int]:
        with opened_file(file, "r") as stream:
            project, contexts = files.read_lines(stream, choices.project)
        return project, len(contexts), await store_all(app.writer, project, contexts)

    project, read, new = run_with(choices, work)
    if choices.as_json:
        write_json({"project": project, "contexts": read, "new": new})
    else:
        click.echo(f"Read {_contexts(read)} into {project}, {new:,} of them new.")


@memory.command("forget")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--type", "kind", type=click.Choice(TYPES), help="Only of this type.")
@click.option("--agent", help="Only of this agent.")
@click.option("--before", type=click.DateTime(), help="Only older than this moment, UTC.")
@click.option("--superseded", is_flag=True, help="Only what a newer context replaces.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def forget_command(  # noqa: PLR0913 - click hands each option over as a parameter
    choices: Choices,
    ids: tuple[str, ...],
    kind: str | None,
    agent: str | None,
    before: datetime | None,
    superseded: bool,
    yes: bool,
) -> None:
    """Forget contexts: those named, or those every option given fits."""
    moment = before.replace(tzinfo=UTC) if before and before.tzinfo is None else before
    wanted = keep.Filter(ids=ids, type=kind, agent=agent, before=moment, superseded=superseded)
    if wanted.is_empty:
        raise UserError("say what to forget: ids, --type, --agent, --before or --superseded")

    async def work(app: App) -> list[Context]:
        project = app.settings.default_project
        chosen = await keep.choose(app.store, project, wanted)
        if chosen and not yes:
            _confirm(chosen)
        await keep.forget(app.writer, project, [one.id for one in chosen])
        return chosen

    gone = run_with(choices, work)
    if choices.as_json:
        write_json({"forgotten": [one.id for one in gone]})
    else:
        click.echo(f"Forgot {_contexts(len(gone))}.")


def _confirm(chosen: list[Context]) -> None:
    for one in chosen[:_SHOWN]:
        click.echo(neutral(f"  {one.id} {one.type} {title_of(one)}"), err=True)
    if not sys.stdin.isatty() or not click.confirm(f"Forget {_contexts(len(chosen))}?", err=True):
        raise UserError("nothing was forgotten; answer y, or say --yes")
