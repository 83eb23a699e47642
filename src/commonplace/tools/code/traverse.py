"""Traversals of code: along some relations forwards and others backwards, pruned as asked.

Data flows from a column to who reads it, against the edge READS, and from who writes a column to
it, along the edge WRITES. So a traversal has relations for each way.
"""

import asyncio
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
    """Who was reached as the source of one of these is not left by one: that a function reads one
    column and writes another does not say that data goes from the one to the other."""

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
    starts = [node.id for node in begin]
    if ways.out and ways.into:
        found, is_capped = await _by_level(graph, selection, starts, (ways, course))
    else:
        direction: Way = "out" if ways.out else "in"
        asked = replace(course, relations=ways.out or ways.into, direction=direction)
        followed = await graph.follow(selection, starts, asked)
        found, is_capped = list(followed.steps), followed.is_capped
    return Travel(tuple(_sure(found)), is_capped)


async def _by_level(
    graph: Graph, selection: Selection, starts: Sequence[str], how: tuple[Ways, Course]
) -> tuple[list[Step], bool]:
    ways, course = how
    known = set(starts)
    level, actors = list(starts), list[str]()
    taken: list[Step] = []
    for depth in range(1, course.depth + 1):
        asked = _courses(ways, replace(course, depth=1), level, actors)
        found = await asyncio.gather(*(graph.follow(selection, *one) for one in asked))
        best: dict[str, Step] = {}
        for step in (step for one in found for step in one.steps):
            rival = best.get(step.node.id)
            if step.node.id not in known and (not rival or _surer(step, rival)):
                best[step.node.id] = replace(step, depth=depth)
        taken += sorted(best.values(), key=lambda step: (-step.edge.confidence, step.node.id))
        if len(taken) > course.limit or any(one.is_capped for one in found):
            return taken[: course.limit], True
        known |= best.keys()
        going = [step for step in best.values() if step.node.kind not in course.stop_at_kinds]
        acts = {s.node.id for s in going if s.way == "in" and s.edge.relation in ways.barred}
        actors = sorted(acts)
        level = [step.node.id for step in going if step.node.id not in acts]
        if not going:
            break
    return taken, False


def _courses(
    ways: Ways, course: Course, level: list[str], actors: list[str]
) -> list[tuple[list[str], Course]]:
    """What to follow from one level: each way, and from actors less."""
    asked = []
    out = replace(course, direction="out")
    into = replace(course, direction="in")
    for nodes, barred in ((level, frozenset[str]()), (actors, ways.barred)):
        for relations, one in ((ways.out - barred, out), (ways.into - barred, into)):
            if nodes and relations:
                asked.append((nodes, replace(one, relations=relations)))
    return asked


def _surer(step: Step, rival: Step) -> bool:
    return (-step.edge.confidence, step.edge.relation) < (
        -rival.edge.confidence,
        rival.edge.relation,
    )


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
        kept.append(replace(one, previous=previous, collapsed=skipped))
    return kept
