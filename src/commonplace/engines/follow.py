"""Following: everything along a course, level by level, no edge left out before the limit."""

from typing import NamedTuple

from commonplace.domain.course import Course
from commonplace.domain.walk import Way
from commonplace.engines.terrain import WAYS, Key, Starts, Step, Terrain


class Taken(NamedTuple):
    """A step first taken to a node, and where from."""

    near: Key
    near_id: str
    step: Step
    depth: int


def follow(terrain: Terrain, starts: Starts, course: Course) -> tuple[list[Taken], bool]:
    """Every node reached once, nearest first, then surest, then by id; and whether more are left.

    Of several edges to one node on the same level the surest counts, then the first by relation,
    direction and the node it comes from.
    """
    reached = {key for key, _ in starts}
    level, actors = dict(starts), set[Key]()
    taken: list[Taken] = []
    for depth in range(1, course.depth + 1):
        best = _nearest(terrain, level, (reached, actors), course)
        arrived = [Taken(near, level[near], step, depth) for near, step in best.values()]
        arrived.sort(key=lambda one: (-one.step.confidence, one.step.far_id))
        room = course.limit - len(taken)
        if len(arrived) > room:
            return taken + arrived[: max(0, room)], True
        taken += arrived
        reached |= best.keys()
        level = {one.step.far: one.step.far_id for one in arrived if _is_left(one.step, course)}
        actors = {one.step.far for one in arrived if _acts(one.step, course)}
        if not level:
            break
    return taken, False


def _is_left(step: Step, course: Course) -> bool:
    return step.far_kind not in course.stop_at_kinds and step.far_id not in course.stop_at


def _acts(step: Step, course: Course) -> bool:
    return step.way == "in" and step.relation in course.barred


def _nearest(
    terrain: Terrain, level: dict[Key, str], known: tuple[set[Key], set[Key]], course: Course
) -> dict[Key, tuple[Key, Step]]:
    reached, actors = known
    best: dict[Key, tuple[Key, Step]] = {}
    for way, wanted in _ways(course):
        # Whoever may not be left by any of these need not be looked at.
        stuck = actors if wanted and wanted <= course.barred else frozenset()
        heres = [key for key in level if key not in stuck]
        for near, step in terrain.every(heres, way, wanted, course.min_confidence):
            if step.far in reached:
                continue
            if near in actors and step.relation in course.barred:
                continue
            rival = best.get(step.far)
            if rival is None or _rank(level, near, step) < _rank(level, *rival):
                best[step.far] = (near, step)
    return best


def _ways(course: Course) -> list[tuple[Way, frozenset[str]]]:
    """Each way a course goes, with the relations it follows so; none means any."""
    if course.backward:
        both: list[tuple[Way, frozenset[str]]] = [
            ("out", course.relations),
            ("in", course.backward),
        ]
        return [(way, wanted) for way, wanted in both if wanted]
    return [(way, course.relations) for way in WAYS[course.direction]]


def _rank(level: dict[Key, str], near: Key, step: Step) -> tuple[float, str, str, str]:
    return (-step.confidence, step.relation, step.way, level[near])
