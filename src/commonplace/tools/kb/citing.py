"""What the kb tools share: looking up passages, and saying where something stands."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from commonplace.domain.document import Span
from commonplace.domain.passage import Located
from commonplace.index.code.owed import files_without_text
from commonplace.retrieve.search import Found, Mode, Request, search
from commonplace.tools.app import App, Call
from commonplace.tools.scope import Filters, Scope, select


class Looking(Protocol):
    """The arguments of every tool that searches."""

    @property
    def scope(self) -> Scope | None:
        """Which project, and what of it."""

    @property
    def filters(self) -> Filters | None:
        """Which documents."""


async def look_up(
    app: App, call: Call, args: Looking, text: str, reach: tuple[int, int, Mode]
) -> Found:
    """The best passages; ``reach`` is how many in all, how many of a document, and the mode."""
    limit, max_per_doc, mode = reach
    selection = await select(app, args.scope, args.filters)
    request = Request(
        text=text, selection=selection, limit=limit, max_per_doc=max_per_doc, mode=mode
    )
    found = await search(app.reader, request)
    owed = await files_without_text(app.store.keyvalue, selection.project)
    if owed:
        told = f"text of {owed} code files is not cut yet; their symbols are known"
        found = replace(found, degraded=(*found.degraded, told))
    call.session.ask(text)
    return found


def citation(located: Located, span: Span) -> dict[str, Any]:
    """Where a stretch of a document stands, so that a reader can check it."""
    return {
        "section_id": located.passage.id,
        "title": located.card.title,
        "source_uri": located.address,
        "heading_path": located.heading_path,
        "start_char": span.start,
        "end_char": span.end,
    }


def address(row: Mapping[str, Any]) -> str:
    """Source and offsets of a row on one line.

    >>> address({"source_uri": "file:///a.md", "start_char": 3, "end_char": 9})
    'file:///a.md 3–9'
    """
    return f"{row['source_uri']} {row['start_char']}–{row['end_char']}"
