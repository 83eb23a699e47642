"""The graph port over numbered nodes and edges."""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import apsw
from pydantic_core import from_json

from commonplace.domain.course import Course, Findings, Followed, Naming
from commonplace.domain.graph import Edge, Neighbour, Node
from commonplace.domain.scope import Selection
from commonplace.domain.walk import MOST_COMPLETED, Described, Expansion, Reach, Trails
from commonplace.engines.base import Stated
from commonplace.engines.check import check_graph
from commonplace.engines.sqlite import walking
from commonplace.engines.sqlite.connection import Connections
from commonplace.engines.sqlite.matching import matching
from commonplace.engines.sqlite.naming import find
from commonplace.engines.sqlite.noderows import EDGE, NODE, edge_of, node_of
from commonplace.engines.sqlite.rows import as_json, open_project, project_number
from commonplace.engines.sqlite.statements import drop_document, drop_nodes, put, relate, state
from commonplace.engines.walk import walk

if TYPE_CHECKING:
    from commonplace.cypher.reading import Answer, Inquiry
    from commonplace.engines.sqlite.cypher import SqliteQueries

__all__ = ["SqliteGraph", "drop_document", "put", "state"]

# Both directions of the edges that touch the frontier, with the node at the other end.
_STEP = f"""
    SELECT {EDGE}, {NODE}, s.id AS here FROM json_each(:frontier) AS f
        CROSS JOIN nodes AS s ON s.project = :project AND s.id = f.value
        CROSS JOIN edges AS e ON e.source = s.number WANTED
        CROSS JOIN nodes AS n ON n.number = e.target AND n.kind IS NOT NULL
        CROSS JOIN nodes AS t ON t.number = e.target
        CROSS JOIN relations AS r ON r.number = e.relation
    UNION ALL
    SELECT {EDGE}, {NODE}, t.id AS here FROM json_each(:frontier) AS f
        CROSS JOIN nodes AS t ON t.project = :project AND t.id = f.value
        CROSS JOIN edges AS e INDEXED BY edges_in ON e.target = t.number WANTED
        CROSS JOIN nodes AS n ON n.number = e.source AND n.kind IS NOT NULL
        CROSS JOIN nodes AS s ON s.number = e.source
        CROSS JOIN relations AS r ON r.number = e.relation
"""  # noqa: S608 - our own column names
_BEGIN_SO = f"""SELECT asked.value, (SELECT json_group_array(id) FROM (
        SELECT id FROM nodes WHERE project = :project AND id >= asked.value
            AND id < asked.value || :last AND kind IS NOT NULL ORDER BY id LIMIT {MOST_COMPLETED}
    )) AS ids FROM json_each(:asked) AS asked WHERE ids <> '[]'"""  # noqa: S608 - a number of ours
_LAST = "\U0010ffff"
"""Behind all that may follow a beginning."""
_FEW = 20
"""Nodes that are described on the event loop: a hop to a thread takes longer."""
_WANTED = """AND e.relation IN (SELECT number FROM relations WHERE project = :project
    AND name IN (SELECT value FROM json_each(:relations)))"""


class SqliteGraph:
    """Nodes and edges of all projects in one file; see the port for the promises."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def merge(self, nodes: Sequence[Node], edges: Sequence[Edge]) -> None:
        """Add or replace nodes by id and edges by (source, relation, target, document)."""
        check_graph(nodes, edges)

        def work(connection: apsw.Connection) -> None:
            names = {node.project for node in nodes} | {edge.project for edge in edges}
            for name in sorted(names):
                project = open_project(connection, name)
                own_nodes = [node for node in nodes if node.project == name]
                put(connection, project, own_nodes, [e for e in edges if e.project == name])
                _grow(connection, project)

        await self._connections.write(work)

    async def relate(
        self, project: str, relations: Collection[str], stated: Sequence[Stated]
    ) -> None:
        """Replace the edges of these relations that each of these documents states."""
        for one in stated:
            check_graph(one.nodes or (), one.edges)

        def work(connection: apsw.Connection) -> None:
            number = open_project(connection, project)
            for one in stated:
                relate(connection, number, relations, one)
            _grow(connection, number)

        await self._connections.write(work)

    async def remove(self, project: str, node_ids: Sequence[str]) -> None:
        """Remove nodes and the edges that touch them."""

        def work(connection: apsw.Connection) -> None:
            number = project_number(connection, project)
            if number is not None:
                drop_nodes(connection, number, node_ids)
                _grow(connection, number)

        await self._connections.write(work)

    async def nodes(self, project: str, node_ids: Sequence[str]) -> list[Node]:
        """These nodes in the order asked; unknown ones are left out."""

        def work(connection: apsw.Connection) -> list[Node]:
            found = _existing(connection, project, node_ids)
            return [found[node_id] for node_id in dict.fromkeys(node_ids) if node_id in found]

        return await self._connections.read(work)

    async def complete(self, project: str, beginnings: Sequence[str]) -> dict[str, list[str]]:
        """Ids of nodes that begin so, sorted; a beginning no node has is left out."""

        def work(connection: apsw.Connection) -> dict[str, list[str]]:
            number = project_number(connection, project)
            bound = {"project": number, "last": _LAST, "asked": as_json(beginnings)}
            rows: Iterable[tuple[Any, ...]] = connection.execute(_BEGIN_SO, bound)
            return {begin: from_json(ids) for begin, ids in rows}

        return await self._connections.glance(work)

    async def neighbours(
        self, project: str, node_ids: Sequence[str], relations: Sequence[str], hops: int
    ) -> list[Neighbour]:
        """What can be reached within ``hops`` along either direction; no relation means any."""

        def work(connection: apsw.Connection) -> list[Neighbour]:
            number = project_number(connection, project)
            origins = _existing(connection, project, node_ids)
            return walk(
                lambda frontier: _touching(connection, (project, number), frontier, relations),
                list(origins),
                hops,
            )

        return await self._connections.glance(work)

    async def matching(
        self, project: str, kind: str, words: Sequence[str], limit: int
    ) -> list[Node]:
        """Nodes of a kind that hold any of these words, those with most first."""
        return await self._connections.read(
            lambda connection: matching(connection, (project, kind), words, limit)
        )

    async def describe(self, selection: Selection, node_ids: Sequence[str]) -> list[Described]:
        """These nodes with their edges counted, in the order asked; unseen ones are left out."""

        def work(connection: apsw.Connection) -> list[Described]:
            return walking.describe(connection, selection, node_ids)

        is_short = len(node_ids) <= _FEW and selection.is_whole_project
        return await (self._connections.glance if is_short else self._connections.read)(work)

    async def expand(
        self, selection: Selection, node_ids: Sequence[str], reach: Reach
    ) -> Expansion:
        """What can be reached from these nodes, best first."""
        return await self._connections.read(
            lambda connection: walking.expand_from(connection, selection, node_ids, reach)
        )

    async def find(self, selection: Selection, naming: Naming, limit: int) -> Findings:
        """Symbols by name, best first."""

        def work(connection: apsw.Connection) -> Findings:
            return find(connection, selection, naming, limit)

        is_short = selection.is_whole_project
        return await (self._connections.glance if is_short else self._connections.read)(work)

    async def follow(
        self, selection: Selection, node_ids: Sequence[str], course: Course
    ) -> Followed:
        """Every node reached along a course, nearest first."""
        return await self._connections.read(
            lambda connection: walking.follow_from(connection, selection, node_ids, course)
        )

    async def paths(
        self, selection: Selection, starts: Sequence[str], goals: Sequence[str], reach: Reach
    ) -> Trails:
        """Paths from one of the starts to one of the goals, best first."""
        return await self._connections.read(
            lambda connection: walking.paths_between(connection, selection, (starts, goals), reach)
        )

    async def query(self, selection: Selection, inquiry: "Inquiry") -> "Answer":
        """The rows of a read-only Cypher query."""
        return await self._queries.run(selection, inquiry)

    @cached_property
    def _queries(self) -> "SqliteQueries":
        from commonplace.engines.sqlite.cypher import (  # noqa: PLC0415 - tools are listed before
            SqliteQueries,
        )

        return SqliteQueries(self._connections)


def _grow(connection: apsw.Connection, project: int) -> None:
    """A cursor over a list of before the write must not continue it."""
    connection.execute(
        "UPDATE projects SET generation = generation + 1 WHERE number = ?", (project,)
    )


def _existing(
    connection: apsw.Connection, project: str, node_ids: Sequence[str]
) -> dict[str, Node]:
    rows = connection.execute(
        f"SELECT {NODE} FROM json_each(?) AS asked "  # noqa: S608 - our own names
        "CROSS JOIN nodes AS n ON n.project = ? AND n.id = asked.value WHERE n.kind IS NOT NULL",
        (as_json(dict.fromkeys(node_ids)), project_number(connection, project)),
    )
    return {row[0]: node_of(project, row) for row in rows}


def _touching(
    connection: apsw.Connection,
    place: tuple[str, int | None],
    frontier: Sequence[str],
    relations: Sequence[str],
) -> Iterable[tuple[str, Edge, Node]]:
    project, number = place
    bound = {"frontier": as_json(frontier), "project": number}
    if relations:
        bound["relations"] = as_json(relations)
    for row in connection.execute(_STEP.replace("WANTED", _WANTED if relations else ""), bound):
        yield row[11], edge_of(project, row[:6]), node_of(project, row[6:11])
