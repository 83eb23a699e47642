"""Commands over code: symbols, deps, lineage, impact, diff."""

from collections.abc import Callable, Mapping
from typing import Any

import click
from rich.text import Text

from commonplace.domain.errors import NotFound
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.drawing import Picture, drawn
from commonplace.serve.cli.output import remarks, results, write_json
from commonplace.serve.cli.pages import call_pages
from commonplace.serve.cli.running import fail_on_error, run_with
from commonplace.serve.dispatch import Outcome
from commonplace.tools.app import App

_MOST_TOKENS = 10_000
_PAGE = 200
FORMATS = ("text", "dot", "mermaid", "json")

_FORMAT = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True
)
_LIMIT = click.option("-k", "--limit", default=200, show_default=True, help="Most symbols.")
_PRUNING = [
    click.option(
        "--stop-at", "stop_at_kinds", multiple=True, metavar="KIND", help="Go no further."
    ),
    click.option("--hide", "exclude_kinds", multiple=True, metavar="KIND", help="Do not show."),
    click.option("--cross-language", "cross_language_only", is_flag=True, help="Only borders."),
    click.option("--sure", "min_confidence", type=click.FloatRange(0, 1), help="Least confidence."),
    click.option("--relation", "relationship_filter", multiple=True, help="Follow only this."),
]


def _pruned(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed([*_PRUNING, _LIMIT, _FORMAT]):
        command = option(command)
    return command


def _gather(choices: Choices, tool: str, given: Mapping[str, Any], limit: int) -> Outcome:
    """One list over all its pages, up to a limit; what was not given keeps the tool's default."""
    arguments = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in given.items()
        if value not in (None, (), False, "")
    }

    async def work(app: App) -> Outcome:
        asked = {
            **arguments,
            "scope": {"project_id": app.settings.default_project},
            "limit": min(limit, _PAGE),
            "max_response_tokens": _MOST_TOKENS,
        }
        return await call_pages(app, tool, asked, limit)

    outcome = run_with(choices, work, structured_output_enabled=True)
    fail_on_error(outcome)
    return outcome


def _show(choices: Choices, outcome: Outcome, form: str, picture: Callable[[Any], Picture]) -> None:
    """The reply in the form asked for; a name of several symbols is an error here."""
    reply = outcome.structured
    if choices.as_json or form == "json":
        write_json(dict(reply))
        return
    if reply.get("candidates"):
        named = ", ".join(f"{one['fqn']} ({one['id']})" for one in reply["candidates"])
        raise NotFound(f"several symbols have this name; name one: {named}")
    console = results()
    made = drawn(picture(reply), form)
    if isinstance(made, str):
        click.echo(made)
    else:
        console.print(made)
    if reply.get("has_more") or reply.get("capped"):
        shown, total = reply["returned_count"], reply["total_count"]
        remarks(choices).print(Text(f"{shown} of {total:,}; raise --limit", style="dim"))


@click.command("symbols", cls=Command)
@click.argument("query", nargs=-1, required=True)
@click.option("--kind", "kinds", multiple=True, help="CLASS, METHOD, TABLE, …; repeatable.")
@click.option(
    "--mode",
    "search_mode",
    type=click.Choice(["auto", "name", "fqn", "text", "semantic"]),
    default="auto",
    show_default=True,
    help="What QUERY is.",
)
@click.option("-k", "--limit", default=20, show_default=True, help="Most symbols.")
@click.pass_obj
def symbols(choices: Choices, /, query: tuple[str, ...], limit: int, **given: Any) -> int:  # noqa: ANN401 - click's values
    """Find definitions in code and SQL by name, words or meaning.

    Ends with exit code 1 when nothing is found.
    """
    asked = {"query": " ".join(query), "verbosity": "summary", **given}
    outcome = _gather(choices, "code.search_symbols", asked, limit)
    reply = outcome.structured
    if choices.as_json:
        write_json(dict(reply))
        return 0 if reply["results"] else 1
    console = results()
    for row in reply["results"]:
        console.print(
            Text.assemble(
                (f"{row['kind'].lower():11} ", "dim"),
                (row["fqn"], "bold"),
                "  ",
                (row.get("at", ""), "cyan"),
                "  ",
                (row["id"], "dim"),
            ),
            soft_wrap=True,
        )
    for note in reply.get("degraded", ()):
        remarks(choices).print(Text(f"degraded: {note}", style="yellow"))
    remarks(choices).print(
        Text(f"{reply['returned_count']} of {reply['total_count']:,} symbols", style="dim")
    )
    return 0 if reply["results"] else 1


@click.command("deps", cls=Command)
@click.argument("symbol")
@click.option("--direction", type=click.Choice(["inbound", "outbound", "both"]), default="both")
@click.option("--depth", default=1, show_default=True, help="Most edges from SYMBOL.")
@_pruned
@click.pass_obj
def deps(choices: Choices, /, form: str, limit: int, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Show what a symbol uses and what uses it.

    SYMBOL is a full name, its end, a name or an id.
    """
    asked = {**given, "verbosity": "summary"}
    _show(choices, _gather(choices, "code.get_dependencies", asked, limit), form, Picture.of_groups)


@click.command("lineage", cls=Command)
@click.argument("symbol")
@click.option("--direction", type=click.Choice(["inbound", "outbound", "both"]), default="both")
@click.option("--depth", "max_depth", default=10, show_default=True, help="Most steps.")
@_pruned
@click.pass_obj
def lineage(choices: Choices, /, form: str, limit: int, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Show where a column's or field's data comes from and goes to."""
    asked = {**given, "verbosity": "summary"}
    _show(choices, _gather(choices, "code.trace_lineage", asked, limit), form, Picture.of_steps)


@click.command("impact", cls=Command)
@click.argument("symbol")
@click.option(
    "--change",
    "change_type",
    type=click.Choice(["signature", "delete", "rename", "type", "behaviour", "add"]),
    default="signature",
    show_default=True,
    help="What is to be done.",
)
@click.option(
    "--severity",
    "severity_threshold",
    type=click.Choice(["low", "medium", "high"]),
    default="low",
    show_default=True,
    help="Leave out what is less bad.",
)
@click.option("--depth", "max_depth", default=3, show_default=True, help="Most edges from SYMBOL.")
@_pruned
@click.pass_obj
def impact(choices: Choices, /, form: str, limit: int, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Show what a change of a symbol would break."""
    asked = {**given, "verbosity": "summary"}
    _show(choices, _gather(choices, "code.analyze_impact", asked, limit), form, Picture.of_tiers)


@click.command("diff", cls=Command)
@click.argument("before", required=False)
@click.argument("after", required=False)
@click.option("--type", "change_types", multiple=True, help="added, removed, changed, moved, ….")
@click.option("--impact", "include_impact", is_flag=True, help="Also who depends on it.")
@_LIMIT
@click.pass_obj
def diff(choices: Choices, /, limit: int, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Show what changed in the code between two index runs.

    A run is named by its number, its label or the beginning of its commit. Without names, the last
    two are compared.
    """
    outcome = _gather(choices, "code.compare_snapshots", given, limit)
    if choices.as_json:
        write_json(dict(outcome.structured))
    else:
        click.echo(outcome.text)
