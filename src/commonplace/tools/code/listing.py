"""Lists of symbols: ranked, collapsed where seen before, paged, packed into the budget."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.tools.app import App, Call
from commonplace.tools.code.args import ListArgs
from commonplace.tools.code.cards import lean
from commonplace.tools.code.kinds import priority
from commonplace.tools.code.sharing import Row
from commonplace.tools.ids import alike
from commonplace.tools.paging import Continuation, budget, response_tokens


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of a list; its row is made when it is shown."""

    node: Node
    """What is remembered as shown."""
    make: Callable[[], Row]
    group: tuple[Any, ...] = ()
    """Entries of one group stand together, under one heading."""

    @cached_property
    def row(self) -> Row:
        """What is shown of it."""
        return self.make()


Body = Callable[[Sequence[Entry]], tuple[Mapping[str, Any], Sequence[str]]]
"""The fields and the lines of some entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A ranked list to be put into a reply."""

    entries: Sequence[Entry]
    body: Body
    noun: str
    head: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the reply beside the list."""
    lines: Sequence[str] = ()
    """Lines before the list."""
    total: int = 0
    """How many there are, where more fit than were listed."""
    remarks: Sequence[str] = ()
    degraded: tuple[str, ...] = ()


class Pages:
    """Where a list goes on: its cursor, and the focus its order was made with.

    Made before the symbol is looked up: a caller without a session has none to come back to, and
    its next page must find the focus of its first, which is none.
    """

    def __init__(self, call: Call, tool: str, args: ListArgs) -> None:
        self._args = args
        facts = {"tool": tool, **args.facts()}
        goes_on = args.cursor is not None
        self.focus = call.session.focus(json.dumps(facts, sort_keys=True), goes_on=goes_on)
        self._facts = {**facts, "focus": self.focus}
        self._known: tuple[Continuation, Page] | None = None

    async def continuation(self, app: App, selection: Selection) -> tuple[Continuation, Page]:
        """How offsets become cursors, and which page is asked for; looked up once."""
        if self._known is None:
            stats = await app.store.passages.stats(selection.project)
            going = Continuation(app.cursors, stats.generation, self._facts)
            start = going.offset(self._args.cursor) if self._args.cursor else self._args.offset
            self._known = going, Page(start, self._args.limit)
        return self._known

    def rank(self, node: Node, degree: int = 0) -> tuple[int, int, int, str]:
        """Nearer to what the conversation is about, of a kind that matters, well connected."""
        is_near = node.document_id in self.focus
        return (not is_near, priority(node), -degree, node.id)


async def reply(
    app: App, call: Call, args: ListArgs, place: tuple[Selection, Pages], listing: Listing
) -> Reply:
    """The page of a list that fits the budget; what it shows counts as seen."""
    selection, pages = place
    going, page = await pages.continuation(app, selection)
    behind = page.offset > len(listing.entries)
    page = Page(min(page.offset, len(listing.entries)), page.size)
    entries = await _told_apart(app, selection, listing.entries, page)

    def shape(entries: Sequence[Entry], tail: Tail) -> Form:
        fields, lines = listing.body(entries)
        structured = {**listing.head, **fields, **lean(going.fields(tail))}
        if listing.total > tail.total_count:
            beyond = listing.total - tail.total_count
            remaining = structured.get("remaining_count", 0) + beyond
            structured |= {"total_count": listing.total, "capped": True}
            structured |= {"remaining_count": remaining}
        structured |= app.marks(call, listing.degraded)
        told = [*listing.lines, *lines, *listing.remarks]
        told += [f"degraded: {note}" for note in listing.degraded]
        told += ["offset is behind the end of the list"] if behind else []
        return Form("\n".join([*told, closing(structured, listing.noun)]), structured)

    made = pack(entries, page, budget(app, response_tokens(app, args)), shape)
    count = made.structured["returned_count"]
    shown = entries[page.offset : page.offset + count]
    call.session.see(entry.node.id for entry in shown)
    return replace(made, degraded=listing.degraded)


async def _told_apart(
    app: App, selection: Selection, entries: Sequence[Entry], page: Page
) -> Sequence[Entry]:
    """Entries, those of a page by their whole ids where others begin alike."""
    here = range(page.offset, min(page.offset + page.size, len(entries)))
    twins = await alike(app, selection, [entries[place].node.id for place in here])
    if not twins:
        return entries
    return [
        replace(one, make=partial(_whole, one)) if one.node.id in twins and place in here else one
        for place, one in enumerate(entries)
    ]


def _whole(entry: Entry) -> Row:
    """Its row with the whole id, where it tells one: an edge has none of its own."""
    shown = entry.make()
    return shown | {"id": entry.node.id} if "id" in shown else shown


def grouped(
    entries: Sequence[Entry], totals: Mapping[tuple[Any, ...], int]
) -> list[tuple[tuple[Any, ...], int, list[Entry]]]:
    """Neighbouring entries of one group together, with how many the group has in all."""
    groups: list[tuple[tuple[Any, ...], int, list[Entry]]] = []
    for entry in entries:
        if not groups or groups[-1][0] != entry.group:
            groups.append((entry.group, totals.get(entry.group, 0), []))
        groups[-1][2].append(entry)
    return groups


def totals(entries: Collection[Entry]) -> dict[tuple[Any, ...], int]:
    """How many entries each group has."""
    counts: dict[tuple[Any, ...], int] = {}
    for entry in entries:
        counts[entry.group] = counts.get(entry.group, 0) + 1
    return counts
