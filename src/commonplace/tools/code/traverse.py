"""Traversals of code: along some relations forwards and others backwards, pruned as asked.

Data flows from a column to who reads it, against the edge READS, and from who writes a column to
it, along the edge WRITES. So a traversal has relations for each way.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from commonplace.domain.course import Course, Step
from commonplace.domain.graph import Edge, Node
from commonplace.domain.scope import Selection
from commonplace.engines.base import Graph
from commonplace.tools.code.args import PrunedArgs, kinds
from commonplace.tools.code.kinds import CONTAINS, WHOLES

MOST_REACHED = 5000
_MOST_PARTS = 2000
_DEEPEST_PART = 6
Way = Literal["out", "in"]


@dataclass(frozen=True, slots=True)
class Ways:
    """Relations to follow from source to target, and those to follow back."""

    out: frozenset[str] = frozenset()
    into: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    """As in ``Course``."""

    def flipped(self) -> "Ways":
        """The same, from the other end."""
        return replace(self, out=self.into, into=self.out)


@dataclass(frozen=True, slots=True)
class Reached:
    """A symbol a traversal came to."""

    node: Node
    edge: Edge
    way: Way
    depth: int
    degree: int
    previous: str
    """The id of the symbol before it: the start, or one that was reached."""
    sureness: float
    """The least confidence on the way to it."""
    collapsed: int = 0
    """Symbols between it and the one before that are not shown."""


@dataclass(frozen=True, slots=True)
class Travel:
    """All that was reached, nearest first."""

    reached: tuple[Reached, ...]
    is_capped: bool = False


async def parts(graph: Graph, selection: Selection, nodes: Sequence[Node]) -> list[Node]:
    """Some symbols and all that stands in them."""
    wholes = [node.id for node in nodes if node.kind in WHOLES]
    if not wholes:
        return list(nodes)
    course = Course(relations=frozenset({CONTAINS}), depth=_DEEPEST_PART, limit=_MOST_PARTS)
    found = await graph.follow(selection, wholes, course)
    return [*nodes, *(step.node for step in found.steps)]


async def travel(
    graph: Graph, selection: Selection, begin: Sequence[Node], ways: Ways, course: Course
) -> Travel:
    """Everything the ways lead to; of ``course`` all but relations and direction counts."""
    asked = replace(course, relations=ways.out, backward=ways.into, barred=ways.barred)
    if not ways.out:
        asked = replace(course, relations=ways.into, direction="in")
    found = await graph.follow(selection, [node.id for node in begin], asked)
    return Travel(tuple(_sure(found.steps)), found.is_capped)


def _sure(steps: Iterable[Step]) -> Iterable[Reached]:
    """Steps with what lies before them."""
    sure: dict[str, float] = {}
    for step in steps:
        previous = step.edge.source if step.way == "out" else step.edge.target
        own = min(step.edge.confidence, sure.get(previous, 1.0))
        sure[step.node.id] = own
        yield Reached(step.node, step.edge, step.way, step.depth, step.degree, previous, own)


def course(args: PrunedArgs, depth: int) -> Course:
    """The bounds of a traversal."""
    return Course(
        depth=depth,
        min_confidence=args.min_confidence,
        stop_at_kinds=kinds(args.stop_at_kinds),
        limit=MOST_REACHED,
    )


def pruned(found: Iterable[Reached], args: PrunedArgs, begin: Sequence[Node]) -> list[Reached]:
    """What is left when hidden kinds and, if asked for, same-language symbols are skipped.

    What stays is tied to the nearest symbol before it that stays too.
    """
    hidden = kinds(args.exclude_kinds)
    starts = {node.id for node in begin}
    shown: dict[str, tuple[str, int]] = dict.fromkeys(starts, (begin[0].id, 0))
    spoken: dict[str, object] = {node.id: node.properties.get("language") for node in begin}
    kept: list[Reached] = []
    for one in found:
        before, skipped = shown[one.previous]
        own = one.node.properties.get("language") or spoken[one.previous]
        spoken[one.node.id] = own
        is_crossing = own != spoken[one.previous]
        if one.node.kind in hidden or (args.cross_language_only and not is_crossing):
            shown[one.node.id] = (before, skipped + 1)
            continue
        shown[one.node.id] = (one.node.id, 0)
        # A direct step from a part of what was asked about keeps that part.
        previous = before if skipped or one.previous not in starts else one.previous
        is_same = not skipped and previous == one.previous
        kept.append(one if is_same else replace(one, previous=previous, collapsed=skipped))
    return kept
