"""The command ``get``: text as it is indexed."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click

from commonplace.domain.errors import NotFound
from commonplace.domain.passage import Located
from commonplace.domain.scope import Selection
from commonplace.index.sources import list_sources
from commonplace.serve.cli.choices import Choices, Command
from commonplace.serve.cli.output import local_path, remarks, results, write_json
from commonplace.serve.cli.running import run_with
from commonplace.serve.cli.showing import show_texts
from commonplace.tools.app import App

_MOST_NAMED = 5
_MOST_TOKENS = 4000  # shown at once, unless --tokens or the settings say otherwise


@click.command("get", cls=Command)
@click.argument("name", metavar="SECTION_ID|PATH")
@click.option("--tokens", type=click.IntRange(min=1), help="Stop after about this many.")
@click.option("--from", "first", default=0, help="Start at this passage of the document.")
@click.pass_obj
def get(choices: Choices, name: str, tokens: int | None, first: int) -> None:
    """Show the text of a passage or document.

    A passage is named by its section_id, a document by its path or the end of it. A long document
    stops at a whole passage within the token limit and says how to go on.
    """

    async def work(app: App) -> tuple[list[Located], int | None]:
        located = await find_passages(app, name, first)
        most = tokens or app.settings.response_tokens or _MOST_TOKENS
        shown = whole_prefix([app.tokens(one.passage.text) for one in located], most)
        follows = located[shown].passage.ordinal if shown < len(located) else None
        return located[:shown], follows

    located, follows = run_with(choices, work)
    if choices.as_json:
        write_json({"passages": [_passage_facts(one) for one in located], "next": follows})
        return
    show_texts(results(), [one.passage.text for one in located])
    if follows is not None:
        remarks(choices).print(f"… more: commonplace get {name} --from {follows}", style="dim")


async def find_passages(app: App, name: str, first: int = 0) -> list[Located]:
    """The passage of an id, or all of a document by its path or address; raises NotFound."""
    project, paths = app.settings.default_project, _paths(name)
    selection = Selection(project=project)
    found = await app.store.passages.get(selection, [name])
    if found:
        return found
    documents = await _documents(app, project)
    exact = [uri for uri in documents if name == uri or local_path(uri) in paths]
    # The end of a path is enough where it names one document.
    matching = exact or [uri for uri in documents if unquote(uri).endswith(f"/{name}")]
    if len(matching) == 1:
        stats = await app.store.passages.stats(project)
        ordinals = range(first, stats.passages)
        return await app.store.passages.read(selection, documents[matching[0]], ordinals)
    if matching:
        some = ", ".join(sorted(map(unquote, matching))[:_MOST_NAMED])
        raise NotFound(f"{name!r} is the end of {len(matching)} paths; name one: {some}")
    raise NotFound(
        f"no passage or document {name!r} in project {project!r}; `commonplace search` shows ids, "
        "`commonplace status` the sources"
    )


def _paths(name: str) -> set[Path]:
    """The file a user may mean, as typed and behind links."""
    try:
        return {Path(name).absolute(), Path(name).resolve()}
    except (OSError, ValueError):  # too long, or with a NUL: no file
        return set()


async def _documents(app: App, project: str) -> dict[str, str]:
    documents: dict[str, str] = {}
    for source in await list_sources(app.store.keyvalue, project):
        known = await app.store.passages.fingerprints(project, source.id)
        documents |= {uri: fingerprint.document_id for uri, fingerprint in known.items()}
    return documents


def whole_prefix(sizes: Sequence[int], most: int) -> int:
    """How many of these fit, in order; never none while there is one.

    >>> whole_prefix([50, 60, 10], 100), whole_prefix([500], 100), whole_prefix([], 100)
    (1, 1, 0)
    """
    totals = accumulate(sizes)
    return max(sum(total <= most for total in totals), min(1, len(sizes)))


def _passage_facts(located: Located) -> dict[str, Any]:
    passage = located.passage
    return {
        "section_id": passage.id,
        "title": located.card.title,
        "source_uri": located.address,
        "heading_path": located.heading_path,
        "start_char": passage.span.start,
        "end_char": passage.span.end,
        "text": passage.text,
    }
