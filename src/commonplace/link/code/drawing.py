"""Collects what one document proves: each edge once, with every place that shows it."""

from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from commonplace.domain.bulk import filled
from commonplace.domain.code import At
from commonplace.domain.graph import Edge, Node, Value
from commonplace.link.code.base import Found
from commonplace.link.code.program import Unit

_MOST_PLACES = 20


class Proof(NamedTuple):
    """How an edge is known, how surely, and where it is written."""

    how: str
    confidence: float = 0.9
    at: At | None = None
    via: str = ""
    """What data went through on the way, where that is no node: a temporary table, a cursor."""


def shown(at: At) -> str:
    """A place as edges tell it; the line of its end only where that is another one.

    >>> shown(At(3, 4, 3, 9)), shown(At(3, 4, 5, 1))
    ('3:4-9', '3:4-5:1')
    """
    line, column, end_line, end_column = at
    end = end_column if line == end_line else f"{end_line}:{end_column}"
    return f"{line}:{column}-{end}"


class Drawing:
    """Nodes and edges of one document; the surest proof of an edge tells how it is known."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._nodes: dict[str, Node] = {}
        self.proofs: dict[tuple[str, str, str], list[Proof]] = {}
        """By source, relation and target."""
        self.is_apart = False
        """Whether what it proves is of symbols of other files: then edges tell which file does."""

    def node(self, node: Node) -> str:
        """State a shared node; its id."""
        self._nodes.setdefault(node.id, node)
        return node.id

    def edge(self, source: str, relation: str, target: str, proof: Proof) -> None:
        """State an edge; stated again, it has one place more."""
        key = (source, relation, target)
        known = self.proofs.get(key)
        if known is None:
            self.proofs[key] = [proof]
        else:
            known.append(proof)

    def found(self) -> Found:
        """All of it, in a fixed order."""
        if not self.proofs:  # as of most files for most passes
            return Found(sorted(self._nodes.values(), key=lambda one: one.id), [])
        keys = sorted(self.proofs)
        sources, relations, targets = zip(*keys, strict=True)
        confidences, properties = zip(*map(_told, map(self.proofs.__getitem__, keys)), strict=True)
        for told in properties if self.is_apart else ():
            told["file"] = self.unit.path
        columns = {
            "source": sources,
            "relation": relations,
            "target": targets,
            "project": repeat(self.unit.project),
            "document_id": repeat(self.unit.document_id),
            "confidence": confidences,
            "properties": properties,
        }
        edges = filled(Edge, len(keys), columns)
        return Found(sorted(self._nodes.values(), key=lambda one: one.id), edges)


def _told(proofs: list[Proof]) -> tuple[float, dict[str, Value]]:
    """How sure an edge is, and what it tells: that of its best proof, and all places."""
    if len(proofs) > 1:
        best = max(proofs, key=_sureness)
        return best[1], _told_often(best, proofs)
    how, confidence, at, via = proofs[0]  # nearly all have one
    if at is None:
        return confidence, {"how": how, "via": via} if via else {"how": how}
    if via:
        return confidence, {"how": how, "at": shown(at), "via": via}
    return confidence, {"how": how, "at": shown(at)}


_sureness = itemgetter(1, 0)


def _told_often(best: Proof, proofs: list[Proof]) -> dict[str, Value]:
    """What an edge tells that was found more than once."""
    places = sorted({one.at for one in proofs if one.at is not None})
    properties: dict[str, Value] = {"how": best.how}
    if places:
        properties["at"] = ",".join(shown(one) for one in places[:_MOST_PLACES])
    if best.via:
        properties["via"] = best.via
    if len(places) > _MOST_PLACES:
        properties["count"] = len(places)
    return properties
