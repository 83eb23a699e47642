"""Commands that read: ask, search, call."""

import json
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import click

from commonplace.domain.errors import InvalidArgument
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.fetching import ask_pages
from commonplace.serve.cli.output import remarks, results, write_json
from commonplace.serve.cli.running import call_tool, fail_on_error, require_documents, run_with
from commonplace.serve.cli.showing import show_hits, show_quotes, show_tail
from commonplace.serve.dispatch import Outcome
from commonplace.tools.app import App
from commonplace.tools.scope import read_moment


class Moment(click.ParamType[datetime]):
    """A date or time, written as in calls of tools."""

    name = "date"

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """The moment; a wrong command line where it is none."""
        try:
            return read_moment(value)
        except ValueError as exc:
            self.fail(f"{value!r} is {exc}", param, ctx)


def here(given: str | None) -> str | None:
    """What is a path from the current folder as a whole one; else as documents have it.

    >>> here("no/such/folder/")
    'no/such/folder/'
    """
    if not given or not os.path.exists(given):
        return given
    return os.path.abspath(given) + ("/" if given.endswith("/") else "")


_FILTERS = [
    click.option("--tag", "tags", multiple=True, help="Only documents with one of these tags."),
    click.option(
        "--path-prefix",
        metavar="PATH",
        callback=lambda _context, _option, given: here(given),
        help="Only documents under this path, here or inside their source.",
    ),
    click.option("--updated-after", type=Moment(), help="Only documents changed since, in UTC."),
    click.option("--environment", metavar="NAME", help="Only of this environment, or of none."),
]


def _filtered(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def narrowed(project: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The scope and filters of a call, from the options of a command.

    >>> narrowed("default", {"tags": ("ops",), "path_prefix": None})["filters"]
    {'doc_tag': ['ops']}
    """
    after: datetime | None = given.get("updated_after")
    filters = {
        "doc_tag": list(given.get("tags", ())),
        "path_prefix": given.get("path_prefix"),
        "updated_after": after.isoformat() if after else None,
    }
    scope = {"project_id": project, "environment": given.get("environment")}
    return {
        "scope": {name: value for name, value in scope.items() if value},
        "filters": {name: value for name, value in filters.items() if value},
    }


def _ask_tool(choices: Choices, tool: str, arguments: dict[str, Any], given: Any) -> Outcome:  # noqa: ANN401 - click's values
    async def work(app: App) -> Outcome:
        await require_documents(app)
        named = narrowed(app.settings.default_project, given)
        return await call_tool(app, tool, {**arguments, **named})

    outcome = run_with(choices, work, structured_output_enabled=True)
    fail_on_error(outcome)
    return outcome


def _write(outcome: Outcome) -> None:
    write_json({**(outcome.structured or {}), "_meta": dict(outcome.meta)})


@click.command("ask", cls=Command)
@click.argument("question", nargs=-1, required=True)
@click.option("--quotes", default=3, show_default=True, help="Most quotes.")
@click.option("--tokens", type=int, help="Budget of the whole reply.  [default: 800, pages 4000]")
@click.option("--url", "urls", multiple=True, help="Ask this page and its links; repeatable.")
@_filtered
@click.pass_obj
def ask(
    choices: Choices,
    /,
    question: tuple[str, ...],
    quotes: int,
    tokens: int | None,
    urls: tuple[str, ...],
    **given: object,
) -> None:
    """Answer a question with quotes you can check.

    Each quote is verbatim and followed by the place it stands: headings, file and line. With
    --url, pages are fetched and their links followed, and a brief of the evidence is printed.
    """
    asked = " ".join(question)
    if urls:
        ask_pages(choices, urls, asked, tokens or 4000)
        return
    tokens = tokens or 800
    arguments = {"question": asked, "max_quotes": quotes, "max_response_tokens": tokens}
    outcome = _ask_tool(choices, "kb.retrieve_evidence", arguments, given)
    if choices.as_json:
        _write(outcome)
        return
    structured = outcome.structured or {}
    show_quotes(results(), asked, structured)
    show_tail(remarks(choices), structured, outcome.meta)


@click.command("search", cls=Command)
@click.argument("query", nargs=-1, required=True)
@click.option("-k", "--limit", default=5, show_default=True, help="Most results.")
@click.option("--per-document", default=1, show_default=True, help="Most results a document.")
@click.option(
    "--mode",
    type=click.Choice(["auto", "vector_only", "hybrid_local"]),
    default="auto",
    show_default=True,
    help="How to search.",
)
@_filtered
@click.pass_obj
def search(
    choices: Choices,
    /,
    query: tuple[str, ...],
    limit: int,
    per_document: int,
    mode: str,
    **given: object,
) -> None:
    """List the passages that fit a query, with previews."""
    asked = " ".join(query)
    arguments = {
        "query": asked,
        "top_k": limit,
        "page_size": min(limit, 50),
        "max_response_tokens": 10_000,
        "options": {"max_per_doc": per_document, "mode": mode, "include_scores": True},
    }
    outcome = _ask_tool(choices, "kb.search", arguments, given)
    if choices.as_json:
        _write(outcome)
        return
    structured = outcome.structured or {}
    show_hits(results(), asked, structured)
    show_tail(remarks(choices), structured, outcome.meta)


@click.command("call", cls=Command)
@click.argument("tool")
@click.argument("arguments", default="{}")
@click.pass_obj
def call(choices: Choices, tool: str, arguments: str) -> None:
    """Call any tool with JSON arguments.

    The call goes the way a client's goes; what is printed is what a model would read. With
    --json it is the structured reply.
    """
    try:
        given = json.loads(arguments)
    except json.JSONDecodeError as exc:
        raise InvalidArgument(f"ARGUMENTS is not JSON ({exc}); put it in single quotes") from exc
    if not isinstance(given, dict):
        raise InvalidArgument('ARGUMENTS must be a JSON object such as \'{"query": "backup"}\'')
    outcome = run_with(choices, lambda app: call_tool(app, tool, given))
    fail_on_error(outcome)
    if choices.as_json:
        _write(outcome)
    else:
        click.echo(outcome.text)
