"""Walks in SQLite: ids to numbers, the walk itself over numbers, and numbers back to nodes."""

from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from commonplace.domain.course import Course, Followed
from commonplace.domain.course import Step as FollowedStep
from commonplace.domain.graph import Edge, Node
from commonplace.domain.scope import Selection
from commonplace.domain.walk import (
    MOST_COUNTED,
    Described,
    Expansion,
    Reach,
    Reached,
    Trail,
    Trails,
)
from commonplace.engines.expand import expand
from commonplace.engines.follow import follow
from commonplace.engines.paths import find_paths
from commonplace.engines.sqlite.noderows import NODE, edge_of, ids_of, node_of
from commonplace.engines.sqlite.rows import as_json, project_number
from commonplace.engines.sqlite.terrain import SqliteTerrain
from commonplace.engines.terrain import WAYS, Key, Starts, Step, Survey

Taken = tuple[Key, str, Step]
"""A step with the number and id of the node it was taken from."""


class _View:
    """One project as a selection sees it, for one call."""

    def __init__(self, connection: apsw.Connection, selection: Selection, reach: Reach) -> None:
        self._connection = connection
        self._selection = selection
        self._project = project_number(connection, selection.project) or 0
        self.terrain = SqliteTerrain(connection, (selection, self._project), reach)

    def starts(self, node_ids: Sequence[str]) -> Starts:
        """The numbers of these nodes, in the order asked; what is not seen is left out."""
        rows: Iterable[tuple[Any, ...]] = self._connection.execute(
            "SELECT n.number, n.id, n.document FROM json_each(:ids) AS asked "  # noqa: S608 - our own text
            "CROSS JOIN nodes AS n ON n.project = :home AND n.id = asked.value "
            f"WHERE n.kind IS NOT NULL {self.terrain.node} ORDER BY asked.key",
            self.terrain.bound | {"ids": as_json(dict.fromkeys(node_ids)), "home": self._project},
        ).fetchall()
        return [
            (number, node_id)
            for number, node_id, document in rows
            if document is not None or self.terrain.is_seen(number)
        ]

    def nodes(self, numbers: Iterable[Key]) -> dict[Key, Node]:
        """Nodes by number."""
        rows = self._connection.execute(
            f"SELECT n.number, {NODE} FROM json_each(?) AS asked "  # noqa: S608 - our own names
            "CROSS JOIN nodes AS n ON n.number = asked.value",
            (str(list(set(numbers))),),
        )
        return {row[0]: node_of(self._selection.project, row[1:]) for row in rows}

    def edges(self, steps: Sequence[Taken]) -> list[Edge]:
        """The edges steps were taken on, in their order."""
        stated = ids_of(self._connection, {step.document for _, _, step in steps})
        rows: Iterable[tuple[Any, ...]] = self._connection.executemany(
            "SELECT properties FROM edges "
            "WHERE source = ? AND relation = ? AND target = ? AND document = ?",
            [self._named(near, step) for near, _, step in steps],
        )
        return [
            self._edge(taken, stated.get(taken[2].document), properties)
            for taken, (properties,) in zip(steps, rows, strict=True)
        ]

    def _named(self, near: Key, step: Step) -> tuple[Key, Key, Key, Key]:
        source, target = (near, step.far) if step.way == "out" else (step.far, near)
        return (source, self.terrain.relations[step.relation], target, step.document)

    def _edge(self, taken: Taken, document_id: str | None, properties: str | None) -> Edge:
        _, near_id, step = taken
        ends = (near_id, step.far_id) if step.way == "out" else (step.far_id, near_id)
        row = (*ends, step.relation, document_id, step.confidence, properties)
        return edge_of(self._selection.project, row)


def describe(
    connection: apsw.Connection, selection: Selection, node_ids: Sequence[str]
) -> list[Described]:
    """These nodes with their edges counted, in the order asked; what is not seen is left out."""
    view = _View(connection, selection, Reach())
    starts = view.starts(node_ids)
    numbers = [number for number, _ in starts]
    nodes = view.nodes(numbers)
    outward, inward = (view.terrain.counts(numbers, way, MOST_COUNTED) for way in WAYS["both"])
    return [
        Described(node=nodes[number], edges_out=outward[number], edges_in=inward[number])
        for number in numbers
    ]


def expand_from(
    connection: apsw.Connection, selection: Selection, node_ids: Sequence[str], reach: Reach
) -> Expansion:
    """What can be reached from these nodes, best first."""
    view = _View(connection, selection, reach)
    survey = Survey(view.terrain, reach)
    starts = view.starts(node_ids)
    arrivals = expand(survey, starts)
    nodes = view.nodes([key for key, _ in starts] + [arrival.step.far for arrival in arrivals])
    edges = view.edges([(one.near, one.near_id, one.step) for one in arrivals])
    reached = tuple(
        Reached(
            node=nodes[arrival.step.far],
            edge=edge,
            way=arrival.step.way,
            hops=arrival.hops,
            origins=arrival.origins,
            score=arrival.score,
        )
        for arrival, edge in zip(arrivals, edges, strict=True)
    )
    begun = tuple(nodes[key] for key, _ in starts)
    return Expansion(starts=begun, reached=reached, is_capped=survey.is_capped)


def follow_from(
    connection: apsw.Connection, selection: Selection, node_ids: Sequence[str], course: Course
) -> Followed:
    """Every node reached along a course, nearest first."""
    view = _View(connection, selection, Reach(relations=course.all_relations))
    starts = view.starts(node_ids)
    taken, is_capped = follow(view.terrain, starts, course)
    keys = [one.step.far for one in taken]
    nodes = view.nodes([key for key, _ in starts] + keys)
    edges = view.edges([(one.near, one.near_id, one.step) for one in taken])
    degrees = view.terrain.degrees(keys)
    steps = tuple(
        FollowedStep(
            node=nodes[one.step.far],
            edge=edge,
            depth=one.depth,
            way=one.step.way,
            degree=degrees[one.step.far],
        )
        for one, edge in zip(taken, edges, strict=True)
    )
    return Followed(tuple(nodes[key] for key, _ in starts), steps, is_capped)


def paths_between(
    connection: apsw.Connection,
    selection: Selection,
    ends: tuple[Sequence[str], Sequence[str]],
    reach: Reach,
) -> Trails:
    """Paths from one of the starts to one of the goals, best first."""
    view = _View(connection, selection, reach)
    survey = Survey(view.terrain, reach)
    starts, goals = (view.starts(node_ids) for node_ids in ends)
    found = find_paths(survey, starts, goals)
    known = [key for key, _ in (*starts, *goals)]
    nodes = view.nodes(known + [key for path in found for key in path.keys])
    taken = [list(zip(path.keys, path.ids, path.steps, strict=False)) for path in found]
    steps = list(dict.fromkeys(step for own in taken for step in own))
    edges = dict(zip(steps, view.edges(steps), strict=True))
    trails = tuple(
        Trail(
            nodes=tuple(nodes[key] for key in path.keys),
            edges=tuple(edges[step] for step in own),
            ways=tuple(step.way for step in path.steps),
            score=path.score,
        )
        for path, own in zip(found, taken, strict=True)
    )
    return Trails(
        starts=tuple(nodes[key] for key, _ in starts),
        goals=tuple(nodes[key] for key, _ in goals),
        trails=trails,
        is_capped=survey.is_capped,
    )
