"""Symbols at the other end of an edge, as replies show them: what a group shares stands once."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from commonplace.domain.graph import Edge, Node
from commonplace.domain.ids import brief_id
from commonplace.tools.app import Call
from commonplace.tools.code.args import Level
from commonplace.tools.code.cards import Told, line, more_lines, row, short
from commonplace.tools.code.kinds import CERTAIN, CONTAINS
from commonplace.tools.code.listing import Entry
from commonplace.tools.code.sharing import Row, Shared, heading, said, share
from commonplace.tools.code.traverse import Reached

Grouped = tuple[tuple[Any, ...], int, list[Entry]]
"""A group, how many it has in all, and those of the page."""
_WORDS = {
    "hops": "{} hops",
    "via": "via {}",
    "through": "{} between",
    "confidence": "confidence {}",
    "how": "{}",
    "where": "line {}",
}


class Dependency(Told):
    """A symbol on the other end."""

    hops: int | None = Field(default=None, description="As told before, else 1, when absent.")
    via: str | None = Field(default=None, description="Id of the symbol before it.")
    through: int | None = Field(default=None, description="Symbols between that are not shown.")
    confidence: float | None = Field(default=None, description="Least on the way, if below 0.9.")
    how: str | None = Field(default=None, description="How the edge was found.")
    where: str | None = Field(default=None, description="Lines that prove it.")


class Together(Shared):
    """Symbols of one group; what they share is told here and not again."""

    total: int
    hops: int | None = Field(default=None, description="Of all that tell none.")
    via: str | None = Field(default=None, description="Of all of them.")
    confidence: float | None = Field(default=None, description="Of all of them.")
    symbols: list[Dependency]


def related(one: Reached, call: Call, verbosity: Level, starts: Sequence[str]) -> Row:
    """A symbol reached, as data."""
    is_seen = call.session.has_seen(one.node.id)
    shown = short(one.node) if is_seen else row(one.node, verbosity)
    if verbosity == "standard":  # sentences about each would outweigh what connects them
        shown = {name: value for name, value in shown.items() if name not in ("doc", "summary")}
    if one.depth > 1:
        shown["hops"] = one.depth
    if one.previous not in starts and one.edge.relation != CONTAINS:  # full names tell wholes
        shown["via"] = brief_id(one.previous)
    if one.collapsed:
        shown["through"] = one.collapsed
    if one.sureness < CERTAIN:
        shown["confidence"] = round(one.sureness, 2)
    where, how = proven(one.edge, verbosity == "full"), one.edge.properties.get("how")
    if where and verbosity != "summary":
        shown["where"] = where
    if how and verbosity == "full":
        shown["how"] = str(how)
    return shown


def proven(edge: Edge, is_full: bool = False) -> str:
    """The lines that prove an edge; the file too where it is neither end's."""
    where, file = (str(edge.properties.get(name) or "") for name in ("at", "file"))
    lines = where if is_full or not where else lines_of(where)
    return f"{lines} of {file}" if lines and file else lines


def lines_of(where: str) -> str:
    """The lines of some places, each once; of one that goes over several, the first and last.

    >>> lines_of("12:4-9,12:20-25,40:0-43:3")
    '12,40-43'
    """
    return ",".join(dict.fromkeys(_lines_of(one) for one in where.split(",")))


def _lines_of(place: str) -> str:
    begin, _, end = place.partition("-")
    first, last = begin.partition(":")[0], end.partition(":")[0]
    return f"{first}-{last}" if ":" in end and last != first else first


def together(one: Grouped, hops: int | None = None) -> Row:
    """A group as data: rows, and before them what all rows share; ``hops`` are known already."""
    _, total, entries = one
    rows = [dict(entry.row) for entry in entries]
    if hops:
        rows = [_without(shown, "hops", hops) for shown in rows]
    shared, left = share(rows)
    return {"total": total, **shared, "symbols": left}


def _without(shown: Row, name: str, value: object) -> Row:
    return {key: one for key, one in shown.items() if key != name or one != value}


def called_by_id(begin: Sequence[Node], found: Sequence[Reached]) -> dict[str, str]:
    """Own names by id as shown, for the steps of a way."""
    return {brief_id(node.id): node.name for node in (*begin, *(one.node for one in found))}


def group_lines(groups: Sequence[tuple[str, Row]], called: Mapping[str, str]) -> list[str]:
    """Groups made by ``together``, each below its heading."""
    lines = []
    for head, group in groups:
        notes = "".join(f", {note}" for note in _notes(group, called))
        lines.append(f"{head} ({group['total']}){notes}{heading(group)}:")
        lines += [text for shown in group["symbols"] for text in related_lines(shown, called)]
    return lines


def related_lines(shown: Row, called: Mapping[str, str]) -> list[str]:
    """A symbol reached, as text."""
    notes = _notes(shown, called)
    tail = f" ({', '.join(notes)})" if notes else ""
    return [f"- {line(shown)}{tail}", *more_lines(shown)]


def _notes(shown: Mapping[str, Any], called: Mapping[str, str]) -> list[str]:
    """How a symbol, or a group of them, was come to."""
    if shown.get("via"):
        shown = {**shown, "via": called.get(shown["via"], shown["via"])}
    return ["direct" if one == "1 hops" else one for one in said(shown, _WORDS)]
