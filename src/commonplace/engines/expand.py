"""Expanding: what stands around some nodes, nearest and surest first."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from commonplace.engines.terrain import HOP_DECAY, Asked, Key, Starts, Step, Survey


class Arrival(NamedTuple):
    """A node reached, with the way to it that counts most."""

    score: float
    hops: int
    near: Key
    near_id: str
    """The node before it."""
    step: Step
    origins: tuple[str, ...]


def expand(survey: Survey, starts: Starts) -> list[Arrival]:
    """Every node within reach once, best first, ties by id; the starts' shares are added up."""
    found: dict[Key, list[Arrival]] = {}
    for start, start_id in starts:
        for arrival in _walk(survey, start, start_id):
            found.setdefault(arrival.step.far, []).append(arrival)
    merged = [_merged(arrivals) for arrivals in found.values()]
    merged.sort(key=lambda one: (-one.score, one.hops, one.step.far_id))
    survey.is_capped |= len(merged) > survey.reach.limit
    return merged[: survey.reach.limit]


def _merged(arrivals: list[Arrival]) -> Arrival:
    if len(arrivals) == 1:
        return arrivals[0]
    best = max(arrivals, key=lambda one: (one.score, -one.hops))
    score = round(sum(one.score for one in arrivals), 9)
    return best._replace(score=score, origins=tuple(one.origins[0] for one in arrivals))


def _walk(survey: Survey, start: Key, start_id: str) -> Iterator[Arrival]:
    reach = survey.reach
    ids, level, seen = {start: start_id}, {start: 1.0}, {start}
    for hop in range(1, reach.hops + 1):
        best: dict[Key, tuple[float, Key, Step]] = {}
        decay = HOP_DECAY if hop > 1 else 1.0
        for near, step in _steps(survey, level, hop):
            if step.far in seen:
                continue
            worth = level[near] * step.confidence * decay
            known = best.get(step.far)
            if known is None or worth > known[0]:
                best[step.far] = (worth, near, step)
            elif worth == known[0]:
                rank, other = _rank(ids[near], step), _rank(ids[known[1]], known[2])
                best[step.far] = (worth, near, step) if rank < other else known
        ranked = survey.ranked((worth, step.far_id, far) for far, (worth, _, step) in best.items())
        for score, far in ranked:
            _, near, step = best[far]
            if not reach.kinds or step.far_kind in reach.kinds:
                yield Arrival(score, hop, near, ids[near], step, (start_id,))
        seen |= best.keys()
        ids |= {far: step.far_id for far, (_, _, step) in best.items()}
        if hop < reach.hops:
            level = survey.beam(ranked)


def _rank(near_id: str, step: Step) -> tuple[str, str, str]:
    return (step.relation, step.way, near_id)


def _steps(survey: Survey, level: Iterable[Key], hop: int) -> Iterator[tuple[Key, Step]]:
    """Steps from a level; on the last hop, and beside all others, those to the kinds asked for."""
    reach = survey.reach
    most = reach.limit if hop == 1 else reach.fan_out
    kinds = [reach.kinds] if reach.kinds else []
    if not reach.kinds or hop < reach.hops:
        kinds.append(frozenset())
    for wanted in kinds:
        found = survey.steps(level, Asked(reach.direction, most, wanted))
        for near in level:
            for step in found[near]:
                yield near, step
