"""Walks in SQLite: ids to numbers, the walk itself over numbers, and numbers back to nodes."""

from collections.abc import Iterable, Sequence
from typing import Any

import apsw

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
from commonplace.engines.paths import find_paths
from commonplace.engines.sqlite.noderows import EDGE, NODE, edge_of, node_of
from commonplace.engines.sqlite.rows import as_json, project_number
from commonplace.engines.sqlite.terrain import SqliteTerrain, seen
from commonplace.engines.terrain import Key, Starts, Step, Survey


class _View:
    """One project as a selection sees it, for one call."""

    def __init__(self, connection: apsw.Connection, selection: Selection, reach: Reach) -> None:
        self._connection = connection
        self._selection = selection
        self._project = project_number(connection, selection.project) or 0
        self.terrain = SqliteTerrain(connection, (selection, self._project), reach)

    def starts(self, node_ids: Sequence[str]) -> Starts:
        """The numbers of these nodes, in the order asked; what is not seen is left out."""
        _edge, node, bound = seen(self._selection, self._project)
        rows: Iterable[tuple[Any, ...]] = self._connection.execute(
            "SELECT n.number, n.id, n.document FROM json_each(:ids) AS asked "  # noqa: S608 - our own text
            "CROSS JOIN nodes AS n ON n.project = :project AND n.id = asked.value "
            f"WHERE n.kind IS NOT NULL {node} ORDER BY asked.key",
            bound | {"ids": as_json(dict.fromkeys(node_ids)), "project": self._project},
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

    def edge(self, near: Key, step: Step) -> Edge:
        """The edge a step was taken on."""
        source, target = (near, step.far) if step.way == "out" else (step.far, near)
        relation = self.terrain.relations[step.relation]
        rows = self._connection.execute(
            f"SELECT {EDGE} FROM edges AS e "  # noqa: S608 - our own names
            "CROSS JOIN nodes AS s ON s.number = e.source "
            "CROSS JOIN nodes AS t ON t.number = e.target "
            "CROSS JOIN relations AS r ON r.number = e.relation "
            "WHERE e.source = ? AND e.relation = ? AND e.target = ? AND e.document = ?",
            (source, relation, target, step.document),
        )
        return edge_of(self._selection.project, rows.fetchall()[0])


def describe(
    connection: apsw.Connection, selection: Selection, node_ids: Sequence[str]
) -> list[Described]:
    """These nodes with their edges counted, in the order asked; what is not seen is left out."""
    view = _View(connection, selection, Reach())
    starts = view.starts(node_ids)
    nodes = view.nodes(number for number, _ in starts)
    return [
        Described(
            node=nodes[number],
            edges_out=view.terrain.counts(number, "out", MOST_COUNTED),
            edges_in=view.terrain.counts(number, "in", MOST_COUNTED),
        )
        for number, _ in starts
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
    reached = tuple(
        Reached(
            node=nodes[arrival.step.far],
            edge=view.edge(arrival.near, arrival.step),
            way=arrival.step.way,
            hops=arrival.hops,
            origins=arrival.origins,
            score=arrival.score,
        )
        for arrival in arrivals
    )
    begun = tuple(nodes[key] for key, _ in starts)
    return Expansion(starts=begun, reached=reached, is_capped=survey.is_capped)


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
    trails = tuple(
        Trail(
            nodes=tuple(nodes[key] for key in path.keys),
            edges=tuple(
                view.edge(near, step) for near, step in zip(path.keys, path.steps, strict=False)
            ),
            ways=tuple(step.way for step in path.steps),
            score=path.score,
        )
        for path in found
    )
    return Trails(
        starts=tuple(nodes[key] for key, _ in starts),
        goals=tuple(nodes[key] for key, _ in goals),
        trails=trails,
        is_capped=survey.is_capped,
    )
