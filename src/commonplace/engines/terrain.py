"""Where walks take place: what every engine must tell of its graph, and what a step is worth.

Keys are whatever an engine knows its nodes by (numbers, ids); rules about scores and bounds stand
here once, so that all engines walk alike.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from commonplace.domain.walk import Direction, Reach, Way

Key = Any
"""A number or an id: hashable and sortable, of one type an engine."""
Pair = tuple[Key, Key]
Starts = Sequence[tuple[Key, str]]
"""Nodes a walk begins at: key and id."""

HOP_DECAY = 0.5
MOST_DEGREE = 128  # counting further would change a score by little
BEAM = 64
"""Nodes of one level a walk goes on from, best first."""
POOL = 200
"""Nodes of one level whose degree is looked up, likeliest first."""

FLIPPED: Mapping[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}
"""The same edges, seen from their other end."""
WAYS: Mapping[Direction, tuple[Way, ...]] = {"out": ("out",), "in": ("in",), "both": ("out", "in")}


class Step(NamedTuple):
    """One edge as it is walked from a known node."""

    far: Key
    far_id: str
    far_kind: str
    relation: str
    way: Way
    confidence: float
    document: Key
    """What states it: with both ends and the relation, the edge's identity."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which steps from a node are wanted."""

    direction: Direction
    most: int
    """Of one relation and way, the surest."""
    kinds: frozenset[str] = frozenset()


class Terrain(Protocol):
    """What a walk may see of a graph: one project, one selection, the relations of one reach.

    Nodes are asked about many at a time: a store answers a level of a walk in a few queries.
    """

    def steps(
        self, heres: Sequence[Key], asked: Asked
    ) -> tuple[Mapping[Key, Sequence[Step]], bool]:
        """Steps from each of these nodes, and whether there are more than asked for."""
        ...

    def every(
        self, heres: Sequence[Key], way: Way, relations: frozenset[str], least: float
    ) -> Iterable[tuple[Key, Step]]:
        """All steps one way from these nodes, of at least this confidence; none is left out.

        Of the reach's relations those given, or all.
        """
        ...

    def fan(self, here: Key, direction: Direction, most: int) -> Mapping[Key, float]:
        """Nodes one step away with the confidence of the surest edge to each; at most so many.

        They may include some that were never stated, which ``between`` does not step to.
        """
        ...

    def between(self, pairs: Sequence[Pair], direction: Direction) -> Mapping[Pair, Sequence[Step]]:
        """Every step from the first to the second node of each pair that has one."""
        ...

    def degrees(self, heres: Sequence[Key]) -> Mapping[Key, int]:
        """How many edges touch each node, counted no further than ``MOST_DEGREE`` each way."""
        ...


def damped(degree: int) -> float:
    """What is left of a score at a node with this many edges: hubs lead everywhere.

    >>> damped(1), round(damped(10), 2), round(damped(100), 2)
    (1.0, 0.5, 0.33)
    """
    return 1 / (1 + math.log10(max(1, degree)))


def surest(steps: Iterable[Step]) -> Step:
    """The step that counts among several to one node."""
    return min(steps, key=lambda step: (-step.confidence, step.relation, step.way))


class Survey:
    """A terrain that remembers what it was asked, and whether a bound ever left anything out."""

    def __init__(self, terrain: Terrain, reach: Reach) -> None:
        self.terrain = terrain
        self.reach = reach
        self.is_capped = False
        self._steps: dict[Asked, dict[Key, Sequence[Step]]] = {}
        self._fans: dict[tuple[Key, Direction, int], Mapping[Key, float]] = {}
        self._degrees: dict[Key, int] = {}

    def steps(self, heres: Iterable[Key], asked: Asked) -> Mapping[Key, Sequence[Step]]:
        """Steps from each of these nodes; each node is asked once."""
        known = self._steps.setdefault(asked, {})
        new = [here for here in heres if here not in known]
        if new:
            found, is_capped = self.terrain.steps(new, asked)
            known |= {here: found.get(here, ()) for here in new}
            self.is_capped |= is_capped
        return known

    def fan(self, here: Key, direction: Direction, most: int) -> Mapping[Key, float]:
        """Nodes one step away, surest first; each node is asked once."""
        asked = (here, direction, most)
        if asked not in self._fans:
            self._fans[asked] = self.terrain.fan(*asked)
        return self._fans[asked]

    def degree(self, here: Key) -> int:
        """The degree of a node, counted once."""
        self.count([here])
        return self._degrees[here]

    def count(self, heres: Iterable[Key]) -> None:
        """Count the degrees of many nodes at once."""
        new = [here for here in heres if here not in self._degrees]
        if new:
            self._degrees |= self.terrain.degrees(new)

    def ranked(self, level: Iterable[tuple[float, str, Key]]) -> list[tuple[float, Key]]:
        """The best of a level (score, id, key) by damped score, ties by id."""
        likely = sorted(level, key=lambda one: (-one[0], one[1]))
        most = max(POOL, self.reach.limit)
        self.is_capped |= len(likely) > most
        likely = likely[:most]
        self.count(key for _, _, key in likely)
        judged = [
            (round(score * damped(self._degrees[key]), 9), node_id, key)
            for score, node_id, key in likely
        ]
        judged.sort(key=lambda one: (-one[0], one[1]))
        return [(score, key) for score, _, key in judged]

    def beam(self, ranked: Sequence[tuple[float, Key]]) -> dict[Key, float]:
        """The nodes of a level to go on from, best first."""
        self.is_capped |= len(ranked) > BEAM
        return {key: score for score, key in ranked[:BEAM]}
