"""Writes the reference pages from the catalogs: tools, settings, command line.

``python -m commonplace.serve.reference DOCS_DIR`` writes them; with ``--check`` it names the
pages that are not what the code says and fails.
"""

import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path

import click
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from commonplace import tools
from commonplace.catalog import collect
from commonplace.domain import errors
from commonplace.serve.cli.choices import shared_options
from commonplace.serve.cli.root import COMMANDS, cli
from commonplace.serve.describe import Schema, fields, limits, type_name
from commonplace.serve.glossary import GLOSSARY
from commonplace.serve.listing import FILE, write_offers
from commonplace.settings import ENVIRONMENT_ALIASES, PREFIX, Settings
from commonplace.tools.base import Tool

_NOTE = "<!-- Made by `make docs` from the code; edit the code, not this page. -->\n"
_WIDTH = 80  # columns of the help texts: what a default terminal shows


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    r"""A Markdown table; cells stay on one line and keep their bars.

    >>> table(["a"], [["x|y"]])
    '| a |\n|---|\n| x\\|y |'
    """
    names = list(header)
    lines = [names, ["---"] * len(names), *(list(row) for row in rows)]
    escaped = [[" ".join(c.replace("|", "\\|").split()) for c in line] for line in lines]
    rendered = ["| " + " | ".join(line) + " |" for line in escaped]
    rendered[1] = "|" + "|".join(escaped[1]) + "|"
    return "\n".join(rendered)


def _default(schema: Schema, must: bool) -> str:
    if must:
        return "required"
    default = schema.get("default")
    if default is None or isinstance(default, dict):
        return "–"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _tool_section(tool: Tool) -> str:
    taken = tool.args.model_json_schema()
    given = tool.output.model_json_schema(mode="serialization")
    parameters = [
        (
            f"`{name}`",
            type_name(s, taken),
            _default(s, must),
            limits(s, taken),
            _words(name, s, tool.family),
        )
        for name, s, must in fields(taken, taken)
    ]
    replies = [
        (f"`{n}`", type_name(s, given), _words(n, s, tool.family))
        for n, s, _ in fields(given, given)
    ]
    names = [tool.listed_name, *filter(None, [tool.bare]), *tool.aliases]
    others = ", ".join(f"`{name}`" for name in dict.fromkeys(names) if name != tool.name)
    hints = "Writes." if tool.writes else "Read-only, idempotent."
    if tool.open_world:
        hints += " Reaches outside the machine."
    parts = [
        f"## {tool.name}",
        "\n".join(f"- {line}" for line in tool.description.splitlines()),
        f"{hints} {_called(others, tool)}".strip(),
        "### Parameters\n\n" + table(["name", "type", "default", "limits", "meaning"], parameters),
        "### Reply\n\n" + table(["field", "type", "meaning"], replies),
    ]
    return "\n\n".join(parts)


def _called(others: str, tool: Tool) -> str:
    listed = "Not listed, kept for older clients." if tool.is_legacy else ""
    return " ".join(filter(None, [f"Also answers to {others}." if others else "", listed]))


def _words(name: str, schema: Schema, family: str) -> str:
    """A field's own description, or what the word means in its family, or everywhere."""
    own = name.rpartition(".")[2].removesuffix("[]")
    told = GLOSSARY.get(f"{family}.{own}") or GLOSSARY.get(name) or GLOSSARY.get(own, "")
    return str(schema.get("description") or told)


def _error_rows() -> list[tuple[str, str]]:
    found = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.CommonplaceError)
    ]
    meanings: dict[str, list[str]] = {}
    for kind in found:
        meanings.setdefault(kind.code, []).append((kind.__doc__ or "").strip().split("\n")[0])
    return [(f"`{code}`", " ".join(texts)) for code, texts in meanings.items()]


def tools_page() -> str:
    """docs/reference/tools.md."""
    catalog = collect(tools, Tool)
    ordered = sorted(catalog.values(), key=lambda tool: (tool.is_legacy, tool.name))
    links = [
        (f"[`{tool.name}`](#{tool.name.replace('.', '')})", tool.description.splitlines()[0])
        for tool in ordered
    ]
    intro = (
        "# Tools\n\nNames are written with a dot here and listed with an underscore "
        "(`kb_search`), because some clients accept no dots; calls accept both. Every reply comes "
        "as text and as data, and each alone fits `max_response_tokens`."
    )
    failures = (
        "## Errors\n\nA failed call sets `isError` and carries "
        '`{"error": {"code", "message", "details"}}`; the message says what to do next.\n\n'
        + table(["code", "meaning"], _error_rows())
    )
    sections = [_tool_section(tool) for tool in ordered]
    return "\n\n".join([_NOTE + intro, table(["tool", "use"], links), *sections, failures]) + "\n"


def _setting_row(name: str, field: FieldInfo, schema: Schema, root: Schema) -> tuple[str, ...]:
    aliases = [alias for alias, target in ENVIRONMENT_ALIASES.items() if target == name]
    variables = ", ".join(f"`{variable}`" for variable in [f"{PREFIX}{name.upper()}", *aliases])
    bounds = limits(schema, root)
    kind = type_name(schema, root) + (f", {bounds}" if bounds else "")
    return f"`{name}`", _setting_default(name, field), kind, field.description or "", variables


def _setting_default(name: str, field: FieldInfo) -> str:
    if name == "home":
        return "`~/.commonplace`"
    default = field.default
    if default is PydanticUndefined or default in ("", ()):
        return "empty"
    if isinstance(default, tuple):
        default = ",".join(default)
    if isinstance(default, Enum | bool):
        default = str(default).lower()
    return f"`{default}`"


def settings_page() -> str:
    """docs/reference/settings.md."""
    schema = Settings.model_json_schema()
    rows = [
        _setting_row(name, field, schema["properties"][name], schema)
        for name, field in Settings.model_fields.items()
    ]
    intro = (
        "# Settings\n\nLater ones win: defaults, `settings.toml` in the data folder, "
        "`commonplace.toml` in the current folder, environment variables, command-line flags. "
        'Lists are written `a,b` in the environment and `["a", "b"]` in TOML. '
        "`commonplace doctor` says when one is wrong."
    )
    header = ["setting", "default", "type", "meaning", "environment"]
    return f"{_NOTE}{intro}\n\n{table(header, rows)}\n"


def _context(command: click.Command, name: str) -> click.Context:
    # With the flags of a real run: click keeps the help option it made first.
    flags = cli.context_settings["help_option_names"]
    return click.Context(
        command,
        info_name=name,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=flags,
    )


def _help(command: click.Command, path: list[str]) -> Iterator[tuple[str, str]]:
    shared = {flag for option in shared_options() for flag in option.opts}
    own = [p for p in command.params if not shared & set(p.opts)]
    shown = click.Command(command.name, params=own, help=command.help, epilog=command.epilog)
    if isinstance(command, click.Group):
        shown = click.Group(command.name, params=own, help=command.help, commands=command.commands)
    context = _context(shown, " ".join(path))
    yield " ".join(path), shown.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _help(inner, [*path, name])


def cli_page() -> str:
    """docs/reference/cli.md."""
    context = _context(cli, "commonplace")
    sections = [f"## commonplace\n\n```text\n{cli.get_help(context)}\n```"]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        if command is None:
            continue
        for title, text in _help(command, ["commonplace", name]):
            sections.append(f"## {title}\n\n```text\n{text}\n```")
    intro = (
        "# Command line\n\nEvery command also takes the options of `commonplace` itself, before "
        "or after its name. Results go to standard output, progress and errors to standard "
        "error.\n\n"
        + table(
            ["exit code", "meaning"],
            [
                ("0", "done"),
                ("1", "failed; one line says why and what to do"),
                ("2", "the command line is wrong"),
                ("3", "done in part: some documents could not be read"),
                ("130", "interrupted; what was done is kept"),
            ],
        )
    )
    return "\n\n".join([_NOTE + intro, *sections]) + "\n"


PAGES = {"tools.md": tools_page, "settings.md": settings_page, "cli.md": cli_page}


def stale(docs: Path) -> dict[Path, str]:
    """What differs from what the code says, as it should be: pages, and the list of tools."""
    folder = docs / "reference"
    made = {folder / name: page() for name, page in PAGES.items()}
    made[FILE] = write_offers(collect(tools, Tool))
    return {
        path: text
        for path, text in made.items()
        if not path.is_file() or path.read_text("utf-8") != text
    }


@click.command()
@click.argument("docs", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; fail when a page is stale.")
def write(docs: Path, check: bool) -> None:
    """Write the generated reference pages under DOCS."""
    pages = stale(docs)
    if check and pages:
        for page in pages:
            click.echo(f"{page} is stale; run `make docs`", err=True)
        sys.exit(1)
    for page, text in pages.items():
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, "utf-8")
        click.echo(f"wrote {page}", err=True)


if __name__ == "__main__":
    write()
