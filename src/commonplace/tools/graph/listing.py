"""Lists of graph rows: paged, packed into the budget, in both forms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.graph.nodes import Gallery, PagedArgs, Sight, remarks
from commonplace.tools.paging import Continuation, budget, fingerprint, response_tokens

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a list: what it shows, and the fields beside."""

    sight: Sight
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A ranked list to be put into a reply."""

    tool: str
    field: str
    """The reply's field for the rows."""
    noun: str
    entries: Sequence[Entry]
    line: Callable[[Row], Sequence[str]]
    """The lines of a row as text."""
    head: Mapping[str, Any]
    """Further fields of the reply."""
    empty: str
    """What to say when there are none."""
    shows_text: bool = False


async def reply(
    app: App, call: Call, args: PagedArgs, selection: Selection, listing: Listing
) -> Reply:
    """The page of a list that fits the budget."""
    stats = await app.store.passages.stats(selection.project)
    facts = {"tool": listing.tool, **fingerprint(args)}
    continuation = Continuation(app.cursors, stats.generation, facts)
    page = Page(continuation.offset(args.cursor), args.page_size)
    shown = listing.entries[page.offset : page.offset + page.size]
    gallery = Gallery(app, call)
    sights = [entry.sight for entry in shown]
    await gallery.prepare(selection, sights, shows_text=listing.shows_text)
    made: dict[int, Row] = {}

    def row(entry: Entry) -> Row:
        if id(entry) not in made:
            made[id(entry)] = {**gallery.row(entry.sight), **entry.fields}
        return made[id(entry)]

    def shape(entries: Sequence[Entry], tail: Tail) -> Form:
        rows = [row(entry) for entry in entries]
        structured: Row = {listing.field: rows, **listing.head, **continuation.fields(tail)}
        structured |= app.marks(call, ())
        lines = [line for one in rows for line in listing.line(one)] or [listing.empty]
        lines += [*remarks(structured), closing(structured, listing.noun)]
        return Form("\n".join(lines), structured)

    return pack(listing.entries, page, budget(app, response_tokens(app, args)), shape)
