"""Passages that name another document lead to it, as if they linked to it.

A title is a label like those of reStructuredText: whoever names it in capitals is drawn to its
label, and the edge is walked as soon as a document of that title is there.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from commonplace.domain.document import Card, Document
from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Passage
from commonplace.link.entities.vocabulary import HOW_TO, IMPERATIVES, NOT_NAMES, PLAIN_HEADINGS
from commonplace.link.references import ANCHOR, link_edge

_ASKING = frozenset({"how", "what", "when", "where", "which", "who", "why"})
_NAMED = 0.4  # two things may have one name
_MOST_IN_PASSAGE = 6
_LEAST_CHARS = 4
_MOST_WORDS = 7
_NAME = re.compile(
    r"\b[A-Z][\w'’&-]*(?:(?: (?:of|the|and|de|von|van|for|in|on|to|a))* [A-Z0-9][\w'’&-]*){0,5}"
)
_INSIDE = re.compile(r"[a-z,;()] ")
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")  # the kind of thing, as in "Mercury (planet)"


def titles(
    document: Document, card: Card, passages: Sequence[Passage]
) -> tuple[list[Node], list[Edge]]:
    """The label of a document's own title, and an edge from each passage to those it names."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    own = _title(card.title)
    if own:
        label = _label(card, own)
        nodes.append(Node(id=label, project=card.project, kind=ANCHOR, name=own))
        edges.append(link_edge(card, (label, card.id), 1.0, {"rule": "title"}))
    starts = [passage.span.start for passage in passages]
    for block in document.blocks if passages else ():
        if block.kind not in {"paragraph", "list_item", "quote"}:
            continue
        passage = passages[max(0, bisect_right(starts, block.span.start) - 1)]
        for name, start in _names(block.span.of(document.text)):
            if name.casefold() != own.casefold():
                at = block.span.start + start
                proof: dict[str, Value] = {"rule": "named", "start": at, "end": at + len(name)}
                edges.append(link_edge(card, (passage.id, _label(card, name)), _NAMED, proof))
    return nodes, _few(edges)


def _few(edges: Sequence[Edge]) -> list[Edge]:
    """Each pair once, and of one passage the longest names only: they are the surest."""
    by_source: dict[str, dict[str, Edge]] = {}
    for edge in edges:
        by_source.setdefault(edge.source, {}).setdefault(edge.target, edge)
    return [
        edge
        for drawn in by_source.values()
        for edge in sorted(drawn.values(), key=_length, reverse=True)[:_MOST_IN_PASSAGE]
    ]


def _length(edge: Edge) -> int:
    start, end = edge.properties.get("start"), edge.properties.get("end")
    return end - start if isinstance(start, int) and isinstance(end, int) else 0


def _title(title: str) -> str:
    """The name a title is, or nothing when it only says what kind of page this is."""
    name = _ASIDE.sub("", title.strip())
    words = name.split()
    if not 0 < len(words) <= _MOST_WORDS or not name[:1].isupper() or len(name) < _LEAST_CHARS:
        return ""
    first, last = words[0].lower(), words[-1].lower()
    is_plain = first in HOW_TO | IMPERATIVES | _ASKING or {first, last} & PLAIN_HEADINGS
    return "" if is_plain or name in NOT_NAMES else name


def _names(text: str) -> Iterator[tuple[str, int]]:
    for found in _NAME.finditer(text):
        name = found[0].rstrip("'’&-")
        # One word with a capital is a name only inside a sentence.
        is_name = " " in name or _INSIDE.match(text, max(0, found.start() - 2), found.start())
        if is_name and len(name) >= _LEAST_CHARS and name not in NOT_NAMES:
            yield name, found.start()


def _label(card: Card, name: str) -> str:
    return stable_id("a", card.project, "title", name.casefold())
