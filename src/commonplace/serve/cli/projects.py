"""The commands ``projects list``, ``create``, ``inspect`` and ``remove``."""

import sys

import click

from commonplace import embedders
from commonplace.catalog import collect
from commonplace.domain.errors import UserError
from commonplace.embedders.base import EmbedderKind
from commonplace.index.leaving import leave_project
from commonplace.index.projects import bind_model, bound_model, create_project, list_projects
from commonplace.serve.cli.choices import Choices, Group
from commonplace.serve.cli.output import count, plain_table, results, write_json
from commonplace.serve.cli.running import call_tool, fail_on_error, run_with, writer_of
from commonplace.serve.cli.state import gather_status
from commonplace.tools.app import App


@click.group("projects", cls=Group, invoke_without_command=True)
@click.pass_context
def projects(context: click.Context) -> None:
    """List, create, inspect or remove projects."""
    if context.invoked_subcommand is None:
        context.invoke(list_command)


@projects.command("list")
@click.pass_obj
def list_command(choices: Choices) -> None:
    """List the projects and how much they hold."""
    facts = run_with(choices, gather_status)
    rows = [
        {key: row[key] for key in ("project", "documents", "passages")} for row in facts["projects"]
    ]
    if choices.as_json:
        write_json({"projects": rows, "default_project": facts["default_project"]})
        return
    table = plain_table("project", "documents:", "passages:")
    for row in rows:
        table.add_row(row["project"], f"{row['documents']:,}", f"{row['passages']:,}")
    results().print(table if rows else "No projects yet; `commonplace add FOLDER` makes one.")


@projects.command("create")
@click.argument("name", metavar="PROJECT")
@click.option(
    "--model", metavar="TIER", help="Bind its papers to a model: static, transformer, remote."
)
@click.pass_obj
def create_command(choices: Choices, name: str, model: str | None) -> None:
    """Create a project; one that exists stays as it is.

    With --model its papers are embedded and found by that model, whatever is set.
    """

    async def work(app: App) -> str | None:
        await create_project(writer_of(app), name)
        if model is not None:
            await bind_model(writer_of(app), name, _model_of(app, model))
        return await bound_model(app.store, name)

    bound = run_with(choices, work)
    if choices.as_json:
        write_json({"project": name, "dense_model": bound})
    else:
        click.echo(f"Project {name} is there" + (f", bound to {bound}." if bound else "."))


def _model_of(app: App, tier: str) -> str:
    """The model of a tier; raises UserError naming those there are."""
    kinds = collect(embedders, EmbedderKind)
    if tier not in kinds:
        raise UserError(f"no model tier {tier!r}; known: {', '.join(kinds)}")
    return kinds[tier].make(app.settings).model


@projects.command("inspect")
@click.argument("name", metavar="PROJECT")
@click.option("--sample", default=0, show_default=True, help="Passages to show, at most 5.")
@click.pass_obj
def inspect_command(choices: Choices, name: str, sample: int) -> None:
    """Show what a project's papers index holds: models, coverage, jobs."""
    arguments = {"project": name, "sample": sample}
    told = run_with(choices, lambda app: call_tool(app, "papers.inspect_collection", arguments))
    fail_on_error(told)
    if choices.as_json:
        write_json(told.structured)
    else:
        click.echo(told.text)


@projects.command("remove")
@click.argument("name", metavar="PROJECT")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def remove_command(choices: Choices, name: str, yes: bool) -> None:
    """Remove a project and all indexed in it; your files stay."""

    async def work(app: App) -> int:
        known = await list_projects(app.store)
        if name in known and not yes:
            _confirm(name)
        return await leave_project(writer_of(app), name)

    removed = run_with(choices, work)
    if choices.as_json:
        write_json({"project": name, "documents_removed": removed})
    else:
        click.echo(f"Removed {name} with {count(removed, 'document')}.")


def _confirm(name: str) -> None:
    question = f"Remove project {name} and its index?"
    if not sys.stdin.isatty() or not click.confirm(question, err=True):
        raise UserError("nothing was removed; answer y, or say --yes")
