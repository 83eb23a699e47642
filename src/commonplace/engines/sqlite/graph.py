"""The graph port: nodes and edges in two tables, walked level by level."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from commonplace.domain.graph import Edge, Neighbour, Node
from commonplace.engines.analysis import clean
from commonplace.engines.check import check_graph
from commonplace.engines.sqlite.connection import Connections
from commonplace.engines.sqlite.rows import as_json, open_project, project_number
from commonplace.engines.walk import walk

_NODE = "n.id, n.kind, n.name, n.document_id, n.properties"
_EDGE = "e.source, e.target, e.relation, e.document_id, e.confidence, e.properties"

# Both directions of the edges that touch the frontier, with the node at the other end.
_STEP = f"""
    SELECT {_EDGE}, {_NODE}, e.source AS here FROM json_each(:frontier) AS f
        CROSS JOIN edges AS e ON e.project = :project AND e.source = f.value
        JOIN nodes AS n ON n.project = :project AND n.id = e.target
    UNION ALL
    SELECT {_EDGE}, {_NODE}, e.target AS here FROM json_each(:frontier) AS f
        CROSS JOIN edges AS e INDEXED BY edges_target
            ON e.project = :project AND e.target = f.value
        JOIN nodes AS n ON n.project = :project AND n.id = e.source
"""  # noqa: S608 - our own column names


def _dump(properties: Mapping[str, Any]) -> str:
    return json.dumps(dict(properties), ensure_ascii=False)


def _node(project: str, row: Sequence[Any]) -> Node:
    return Node(
        id=row[0],
        project=project,
        kind=row[1],
        name=row[2],
        document_id=row[3],
        properties=json.loads(row[4]),
    )


def _edge(project: str, row: Sequence[Any]) -> Edge:
    return Edge(
        source=row[0],
        target=row[1],
        relation=row[2],
        project=project,
        document_id=row[3] or None,
        confidence=row[4],
        properties=json.loads(row[5]),
    )


def put(
    connection: apsw.Connection, project: int, nodes: Sequence[Node], edges: Sequence[Edge]
) -> None:
    """Add or replace nodes and edges of one project."""
    node_rows = [(project, n.id, n.kind, n.name, n.document_id, _dump(n.properties)) for n in nodes]
    edge_rows = [
        (project, e.source, e.relation, e.target, e.document_id or "", e.confidence, extra)
        for e, extra in ((e, _dump(e.properties)) for e in edges)
    ]
    connection.executemany("INSERT OR REPLACE INTO nodes VALUES (?,?,?,?,?,?)", node_rows)
    connection.executemany("INSERT OR REPLACE INTO edges VALUES (?,?,?,?,?,?,?)", edge_rows)


def state(
    connection: apsw.Connection, project: int, document_id: str, nodes: Sequence[Node]
) -> None:
    """Record that a document states the shared ones among these nodes."""
    connection.executemany(
        "INSERT OR IGNORE INTO statements VALUES (?,?,?)",
        [(project, node.id, document_id) for node in nodes if node.document_id is None],
    )


def drop_document(connection: apsw.Connection, project: int, document_id: str) -> None:
    """Remove the nodes and edges a document stated, shared nodes if it was the last to.

    Edges other documents stated stay, even when they lead to a node that is gone: they are not
    walked until it comes back, as when its document is indexed again.
    """
    shared = [
        (project, row[0], project, row[0])
        for row in connection.execute(
            "DELETE FROM statements WHERE project=? AND document_id=? RETURNING node",
            (project, document_id),
        )
    ]
    connection.executemany(
        "DELETE FROM nodes WHERE project=? AND id=? AND NOT EXISTS "
        "(SELECT 1 FROM statements WHERE project=? AND node=?)",
        shared,
    )
    for table in ("nodes", "edges"):
        connection.execute(
            f"DELETE FROM {table} WHERE project=? AND document_id=?",  # noqa: S608 - our own name
            (project, document_id),
        )


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

        await self._connections.write(work)

    async def remove(self, project: str, node_ids: Sequence[str]) -> None:
        """Remove nodes and the edges that touch them."""

        def work(connection: apsw.Connection) -> None:
            number = project_number(connection, project)
            for column in ("nodes WHERE id", "edges WHERE source", "edges WHERE target"):
                connection.execute(
                    f"DELETE FROM {column} IN (SELECT value FROM json_each(?)) AND project=?",  # noqa: S608 - our own names
                    (as_json(node_ids), number),
                )

        await self._connections.write(work)

    async def nodes(self, project: str, node_ids: Sequence[str]) -> list[Node]:
        """These nodes in the order asked; unknown ones are left out."""

        def work(connection: apsw.Connection) -> list[Node]:
            found = _existing(connection, project, node_ids)
            return [found[node_id] for node_id in dict.fromkeys(node_ids) if node_id in found]

        return await self._connections.read(work)

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

        return await self._connections.read(work)


def _existing(
    connection: apsw.Connection, project: str, node_ids: Sequence[str]
) -> dict[str, Node]:
    rows = connection.execute(
        f"SELECT {_NODE} FROM nodes AS n JOIN projects AS p ON p.number = n.project "  # noqa: S608 - our own names
        "WHERE p.name = ? AND n.id IN (SELECT value FROM json_each(?))",
        (clean(project), as_json(node_ids)),
    )
    return {row[0]: _node(project, row) for row in rows}


def _touching(
    connection: apsw.Connection,
    place: tuple[str, int | None],
    frontier: Sequence[str],
    relations: Sequence[str],
) -> Iterable[tuple[str, Edge, Node]]:
    project, number = place
    wanted = frozenset(relations)
    bound = {"frontier": as_json(frontier), "project": number}
    for row in connection.execute(_STEP, bound):
        if not wanted or row[2] in wanted:
            yield row[11], _edge(project, row[:6]), _node(project, row[6:11])
