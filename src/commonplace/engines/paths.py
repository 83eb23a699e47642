"""Paths between two sets of nodes, searched from both ends.

Direct edges and common neighbours are found exactly, also between hubs; longer paths by growing,
level by level, whichever end is cheaper, within the bounds of the reach.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from math import prod
from typing import NamedTuple

from commonplace.domain.walk import Direction
from commonplace.engines.terrain import (
    FLIPPED,
    HOP_DECAY,
    MOST_DEGREE,
    Asked,
    Key,
    Starts,
    Step,
    Survey,
    damped,
    surest,
)

KEPT = 4
"""Ways to one node remembered on each level."""
MEETINGS = 200
"""Nodes of two levels where ways are joined, best first."""
PROBED = 400
"""Neighbours of one end looked up one by one at the other, when that is a hub."""
COMPARED = 20_000
"""Neighbours of both ends compared as sets."""


class Found(NamedTuple):
    """A path: keys from start to goal, and the steps between them as walked from the start."""

    score: float
    keys: tuple[Key, ...]
    ids: tuple[str, ...]
    steps: tuple[Step, ...]


class _Part(NamedTuple):
    worth: float
    keys: tuple[Key, ...]
    """From the end it grew from."""


_Level = dict[Key, list[_Part]]


def find_paths(survey: Survey, starts: Starts, goals: Starts) -> list[Found]:
    """The best paths, ties by their ids; no node twice, starts and goals only at the ends."""
    search = _Search(survey, starts, goals)
    found: dict[tuple[Key, ...], Found] = {}
    for keys in search.candidates():
        if keys not in found:
            path = search.path(keys)
            if path is not None:
                found[keys] = path
    ranked = sorted(found.values(), key=lambda one: (-one.score, len(one.keys), one.ids))
    survey.is_capped |= len(ranked) > survey.reach.limit
    return ranked[: survey.reach.limit]


class _Search:
    """One search: its ends, and the steps between the nodes it has come by."""

    def __init__(self, survey: Survey, starts: Starts, goals: Starts) -> None:
        self._survey = survey
        self._ids = dict(starts) | dict(goals)
        self._starts = [key for key, _ in starts]
        self._goals = [key for key, _ in goals]
        self._known: dict[tuple[Key, Key], Step | None] = {}

    def candidates(self) -> Iterator[tuple[Key, ...]]:
        """Node sequences that may be paths; the same one more than once."""
        hops = self._survey.reach.hops
        for start, goal in product(self._starts, self._goals):
            if start != goal:
                yield (start, goal)
                if hops > 1:
                    yield from self._common(start, goal)
        if hops > 2:
            yield from self._grown(hops)

    def path(self, keys: tuple[Key, ...]) -> Found | None:
        """The path through these nodes by the surest steps, if there is one."""
        steps = [self._step(here, there) for here, there in pairwise(keys)]
        walked = tuple(step for step in steps if step is not None)
        if len(walked) < len(steps):
            return None
        between = prod(damped(self._survey.degree(key)) for key in keys[1:-1])
        score = prod(step.confidence for step in walked) * HOP_DECAY ** (len(walked) - 1) * between
        ids = (self._ids[keys[0]], *(step.far_id for step in walked))
        return Found(round(score, 9), keys, ids, walked)

    def _step(self, here: Key, there: Key) -> Step | None:
        if (here, there) not in self._known:
            terrain, direction = self._survey.terrain, self._survey.reach.direction
            steps = terrain.between(here, there, direction)
            self._known[here, there] = surest(steps) if steps else None
        return self._known[here, there]

    def _common(self, start: Key, goal: Key) -> Iterator[tuple[Key, ...]]:
        """Paths of two steps: the nodes both ends are connected to, surest first."""
        shared = _shared(self._survey, start, goal)
        ends = {*self._starts, *self._goals}
        likely = sorted((-worth, key) for key, worth in shared.items() if key not in ends)
        most = 2 * self._survey.reach.limit
        self._survey.is_capped |= len(likely) > most
        for _, key in likely[:most]:
            yield (start, key, goal)

    def _grown(self, hops: int) -> Iterator[tuple[Key, ...]]:
        """Paths of three steps and more."""
        direction = self._survey.reach.direction
        ahead: list[_Level] = [{key: [_Part(1.0, (key,))] for key in self._starts}]
        back: list[_Level] = [{key: [_Part(1.0, (key,))] for key in self._goals}]
        while len(ahead) + len(back) - 2 < hops:
            if self._cost(ahead[-1]) <= self._cost(back[-1]):
                ahead.append(self._grow(ahead, direction, self._goals))
            else:
                back.append(self._grow(back, FLIPPED[direction], self._starts))
        for there, back_level in enumerate(back):
            for here, ahead_level in enumerate(ahead):
                if 2 < here + there <= hops:
                    yield from _joined(ahead_level, back_level)

    def _cost(self, level: _Level) -> int:
        return sum(map(self._survey.degree, level))

    def _grow(self, levels: list[_Level], direction: Direction, ends: list[Key]) -> _Level:
        """The level after the last: one step further from the best of its nodes."""
        survey, level = self._survey, levels[-1]
        own, others = set(levels[0]), set(ends)
        ranked = survey.ranked((parts[0].worth, str(key), key) for key, parts in level.items())
        most = survey.reach.limit if len(levels) == 1 else survey.reach.fan_out
        following: _Level = {}
        for near in survey.beam(ranked):
            if near in others and len(levels) > 1:
                continue  # a path ends at the first of the other end's nodes
            for far, confidence in _surest(survey.steps(near, Asked(direction, most))).items():
                if far not in own:
                    _extend(following.setdefault(far, []), level[near], far, confidence)
        survey.is_capped |= any(len(parts) > KEPT for parts in following.values())
        return {
            far: sorted(parts, reverse=True)[:KEPT] for far, parts in following.items() if parts
        }


def _surest(steps: Iterable[Step]) -> dict[Key, float]:
    best: dict[Key, float] = {}
    for step in steps:
        best[step.far] = max(step.confidence, best.get(step.far, 0.0))
    return best


def _extend(into: list[_Part], parts: list[_Part], far: Key, confidence: float) -> None:
    into += [
        _Part(part.worth * confidence, (*part.keys, far)) for part in parts if far not in part.keys
    ]


def _joined(ahead: _Level, back: _Level) -> Iterator[tuple[Key, ...]]:
    """Node sequences where a way from the start and one from the goal meet."""
    meetings = sorted(
        (-ahead[key][0].worth * back[key][0].worth, key) for key in ahead.keys() & back.keys()
    )
    for _, key in meetings[:MEETINGS]:
        for here, there in product(ahead[key], back[key]):
            if set(here.keys).isdisjoint(there.keys[:-1]):
                yield (*here.keys, *reversed(there.keys[:-1]))


def _shared(survey: Survey, start: Key, goal: Key) -> dict[Key, float]:
    """Nodes one step from both ends, with the product of the two confidences."""
    terrain, direction = survey.terrain, survey.reach.direction
    sides = [(start, direction), (goal, FLIPPED[direction])]
    sides.sort(key=lambda side: survey.degree(side[0]))
    (small, outwards), (large, inwards) = sides
    few = terrain.fan(small, outwards, PROBED + 1)
    if len(few) <= PROBED and survey.degree(large) >= MOST_DEGREE:
        return {
            key: worth * max(step.confidence for step in steps)
            for key, worth in few.items()
            if (steps := terrain.between(key, large, FLIPPED[inwards]))
        }
    if len(few) > PROBED:
        few = terrain.fan(small, outwards, COMPARED + 1)
    many = terrain.fan(large, inwards, COMPARED + 1)
    survey.is_capped |= max(len(few), len(many)) > COMPARED
    return {key: worth * many[key] for key, worth in few.items() if key in many}
