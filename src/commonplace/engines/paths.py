"""Paths between two sets of nodes, searched from both ends.

Direct edges and common neighbours are found exactly, also between hubs; longer paths by growing,
level by level, whichever end is cheaper, within the bounds of the reach.
"""

from collections.abc import Iterable, Iterator
from heapq import nlargest, nsmallest
from itertools import pairwise, product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from commonplace.domain.walk import Direction, Way
from commonplace.engines.terrain import (
    FLIPPED,
    HOP_DECAY,
    MOST_DEGREE,
    Asked,
    Key,
    Pair,
    Starts,
    Step,
    Survey,
    damped,
    surest,
)

KEPT = 4
"""Ways to one node remembered on each level."""
MEETINGS = 50
"""Nodes of two levels where ways are joined, best first."""
EVALUATED = 8
"""Likely paths looked up for each one asked for."""
PROBED = 400
"""Neighbours of one end looked up one by one at the other, when that is a hub."""
COMPARED = 10_000
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


class _Side:
    """One end of a search: its levels, and the nodes of the last to go on from."""

    def __init__(self, survey: Survey, starts: Starts, direction: Direction) -> None:
        self._survey = survey
        self.direction = direction
        self.own = {key for key, _ in starts}
        self.levels: list[_Level] = [{key: [_Part(1.0, (key,))] for key in self.own}]
        self.ids: dict[Key, str] = dict(starts)
        self.steps: dict[Pair, Step] = {}
        """The surest step between two nodes, as walked from this end."""
        self._frontier: dict[Key, float] | None = None

    @property
    def frontier(self) -> dict[Key, float]:
        """The best nodes of the last level."""
        if self._frontier is None:
            level = self.levels[-1]
            ranked = self._survey.ranked(
                (parts[0].worth, self.ids[key], key) for key, parts in level.items()
            )
            self._frontier = self._survey.beam(ranked)
        return self._frontier

    @property
    def cost(self) -> int:
        """How many edges the next level would look at."""
        return sum(map(self._survey.degree, self.frontier))

    def grow(self, ends: set[Key]) -> None:
        """Add a level; a path ends at the first of the other end's nodes."""
        survey, level = self._survey, self.levels[-1]
        is_first = len(self.levels) == 1
        most = survey.reach.limit if is_first else survey.reach.fan_out
        nears = [near for near in self.frontier if is_first or near not in ends]
        found = survey.steps(nears, Asked(self.direction, most))
        following: _Level = {}
        for near in nears:
            for far, step in _surest(found[near]).items():
                if far not in self.own:
                    self.steps[near, far] = step
                    self.ids[far] = step.far_id
                    _extend(following.setdefault(far, []), level[near], far, step.confidence)
        survey.is_capped |= any(len(parts) > KEPT for parts in following.values())
        kept = {far: sorted(parts, reverse=True)[:KEPT] for far, parts in following.items()}
        self.levels.append({far: parts for far, parts in kept.items() if parts})
        self._frontier = None


class _Search:
    """One search: its two ends, and the steps between the nodes they have come by."""

    def __init__(self, survey: Survey, starts: Starts, goals: Starts) -> None:
        self._survey = survey
        direction = survey.reach.direction
        self._ahead = _Side(survey, starts, direction)
        self._back = _Side(survey, goals, FLIPPED[direction])
        self._known: dict[Pair, Step] = {}
        self._asked: set[Pair] = set()

    def candidates(self) -> Iterator[tuple[Key, ...]]:
        """Node sequences that may be paths; the same one more than once."""
        reach = self._survey.reach
        pairs = [
            (start, goal)
            for start, goal in product(sorted(self._ahead.own), sorted(self._back.own))
            if start != goal
        ]
        yield from self._best([[_Part(1.0, pair) for pair in pairs]])
        if reach.hops > 1:
            yield from self._best(self._common(start, goal) for start, goal in pairs)
        if reach.hops > 2:
            yield from self._best(self._grown(reach.hops))

    def _best(self, found: Iterable[Iterable[_Part]]) -> Iterator[tuple[Key, ...]]:
        """The likeliest of some sequences: looking every one up would have no end."""
        most = max(EVALUATED * self._survey.reach.limit, len(self._ahead.own) * len(self._back.own))
        parts = [part for some in found for part in some]
        self._survey.is_capped |= len(parts) > most
        parts = nsmallest(most, parts, key=lambda part: (-part.worth, part.keys))
        self._survey.count(key for part in parts for key in part.keys[1:-1])
        self._look_up(parts)
        for part in parts:
            yield part.keys

    def path(self, keys: tuple[Key, ...]) -> Found | None:
        """The path through these nodes by the surest steps, if there is one."""
        steps = [self._step(here, there) for here, there in pairwise(keys)]
        walked = tuple(step for step in steps if step is not None)
        if len(walked) < len(steps):
            return None
        between = prod(damped(self._survey.degree(key)) for key in keys[1:-1])
        score = prod(step.confidence for step in walked) * HOP_DECAY ** (len(walked) - 1) * between
        ids = (self._ahead.ids[keys[0]], *(step.far_id for step in walked))
        return Found(round(score, 9), keys, ids, walked)

    def _step(self, here: Key, there: Key) -> Step | None:
        known = self._ahead.steps.get((here, there))
        if known is not None:
            return known
        back = self._back.steps.get((there, here))
        if back is not None:
            way: Way = "in" if back.way == "out" else "out"
            return back._replace(far=there, far_id=self._back.ids[there], way=way)
        return self._known.get((here, there))

    def _look_up(self, parts: Iterable[_Part]) -> None:
        """Find the steps of these sequences that growing did not come by."""
        pairs = {pair for part in parts for pair in pairwise(part.keys)}
        new = [pair for pair in sorted(pairs - self._asked) if self._step(*pair) is None]
        self._asked |= pairs
        if new:
            reach = self._survey.reach
            found = self._survey.terrain.between(new, reach.direction)
            self._known |= {pair: surest(steps) for pair, steps in found.items()}

    def _common(self, start: Key, goal: Key) -> list[_Part]:
        """Paths of two steps: the nodes both ends are connected to."""
        shared = _shared(self._survey, start, goal)
        ends = self._ahead.own | self._back.own
        most = EVALUATED * self._survey.reach.limit + len(ends)
        self._survey.is_capped |= len(shared) > most
        likely = nlargest(most, shared.items(), key=itemgetter(1))
        return [_Part(worth, (start, key, goal)) for key, worth in likely if key not in ends]

    def _grown(self, hops: int) -> Iterator[Iterable[_Part]]:
        """Paths of three steps and more."""
        ahead, back = self._ahead, self._back
        while len(ahead.levels) + len(back.levels) - 2 < hops:
            side, other = (ahead, back) if ahead.cost <= back.cost else (back, ahead)
            side.grow(other.own)
        for (here, one), (there, two) in product(enumerate(ahead.levels), enumerate(back.levels)):
            if 2 < here + there <= hops:
                yield _joined(self._survey, one, two)


def _surest(steps: Iterable[Step]) -> dict[Key, Step]:
    best: dict[Key, Step] = {}
    for step in steps:
        known = best.get(step.far)
        if known is None or step.confidence > known.confidence:
            best[step.far] = step
        elif step.confidence == known.confidence:
            best[step.far] = surest((known, step))
    return best


def _extend(into: list[_Part], parts: list[_Part], far: Key, confidence: float) -> None:
    into += [
        _Part(part.worth * confidence, (*part.keys, far)) for part in parts if far not in part.keys
    ]


def _joined(survey: Survey, ahead: _Level, back: _Level) -> Iterator[_Part]:
    """Node sequences where a way from the start and one from the goal meet."""
    meetings = sorted(
        (-ahead[key][0].worth * back[key][0].worth, key) for key in ahead.keys() & back.keys()
    )
    survey.is_capped |= len(meetings) > MEETINGS
    for _, key in meetings[:MEETINGS]:
        for here, there in product(ahead[key], back[key]):
            if set(here.keys).isdisjoint(there.keys[:-1]):
                keys = (*here.keys, *reversed(there.keys[:-1]))
                worth = here.worth * there.worth * HOP_DECAY ** (len(keys) - 2)
                yield _Part(worth, keys)


def _shared(survey: Survey, start: Key, goal: Key) -> dict[Key, float]:
    """Nodes one step from both ends, with the product of the two confidences."""
    direction = survey.reach.direction
    sides = [(start, direction), (goal, FLIPPED[direction])]
    sides.sort(key=lambda side: survey.degree(side[0]))
    (small, outwards), (large, inwards) = sides
    few = survey.fan(small, outwards, PROBED + 1)
    if len(few) <= PROBED and survey.degree(large) >= MOST_DEGREE:
        met = survey.terrain.between([(key, large) for key in few], FLIPPED[inwards])
        return {
            key: few[key] * max(step.confidence for step in steps)
            for (key, _), steps in sorted(met.items())
        }
    if len(few) > PROBED:
        few = survey.fan(small, outwards, COMPARED + 1)
    many = survey.fan(large, inwards, COMPARED + 1)
    survey.is_capped |= max(len(few), len(many)) > COMPARED
    return {key: few[key] * many[key] for key in sorted(few.keys() & many.keys())}
