"""The command ``cite``: references in a citation style."""

import difflib
from pathlib import Path

import click

from commonplace.answer.bibliography import (
    DEFAULT,
    Formatted,
    find_style,
    write_references,
)
from commonplace.domain.errors import NotFound
from commonplace.domain.reference import Reference
from commonplace.index.references.keep import all_records
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.output import write_json
from commonplace.serve.cli.running import run_with
from commonplace.sources.files import to_path
from commonplace.tools.app import App

_MOST_NEAR = 5


@click.command("cite", cls=Command)
@click.argument("citekeys", nargs=-1, required=True, metavar="CITEKEY...")
@click.option(
    "--style",
    default=DEFAULT,
    show_default=True,
    help="A .csl file, a style of ours, one in HOME/styles, or one installed in Zotero.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default="text",
    show_default=True,
    help="How titles are set off.",
)
@click.option("--locale", metavar="TAG", help="Language of its words, such as de-DE.")
@click.pass_obj
def cite(
    choices: Choices, citekeys: tuple[str, ...], style: str, form: str, locale: str | None
) -> None:
    """Write references in a citation style.

    CITEKEY is a key of the bibliographies and Zotero libraries of the project. The order is that
    of the style.
    """

    async def work(app: App) -> list[Formatted]:
        known = await all_records(app.store.keyvalue, app.settings.default_project)
        found = [_find(key, known) for key in dict.fromkeys(citekeys)]
        folders = [app.settings.home / "styles", to_path(app.settings.zotero_folder) / "styles"]
        chosen = find_style(style, folders)
        return write_references(found, chosen, form, locale)  # type: ignore[arg-type]

    written = run_with(choices, work)
    if choices.as_json:
        rows = [{"citekey": one.citekey, "text": one.text} for one in written]
        write_json({"style": Path(style).stem, "format": form, "references": rows})
        return
    for one in written:
        click.echo(f"<p>{one.text}</p>" if form == "html" else one.text)


def _find(citekey: str, known: dict[str, Reference]) -> Reference:
    """The record of a key, as written or in other letters; raises NotFound naming near ones."""
    plain = {key.casefold(): key for key in reversed(list(known))}
    wanted = citekey.removeprefix("@")
    found = known.get(wanted) or known.get(plain.get(wanted.casefold(), ""))
    if found is not None:
        return found
    near = difflib.get_close_matches(wanted.casefold(), plain, _MOST_NEAR, 0.5)
    told = f"near: {', '.join(plain[one] for one in near)}" if near else f"known: {len(known)}"
    raise NotFound(
        f"no record {wanted!r} in this project; {told}. `commonplace add LIBRARY.bib` reads a "
        "bibliography"
    )
