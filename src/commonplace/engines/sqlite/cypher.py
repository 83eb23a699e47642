"""Read-only Cypher over SQLite: a connection that can see one project's graph and change nothing.

Each query has a connection of its own. It is opened read-only; temporary views hold the nodes and
edges of the caller's selection; then ``query_only`` is set and an authorizer denies everything but
reading those views. The limits are the guard's, and a progress handler asks it while SQLite works.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import apsw

from commonplace.cypher.guard import Guard
from commonplace.cypher.reading import Answer, Inquiry, Wanted
from commonplace.cypher.run import answer, prepare
from commonplace.cypher.syntax import Query
from commonplace.cypher.values import Link, Vertex, labels_in
from commonplace.domain.scope import Selection
from commonplace.engines.sqlite.connection import Connections, translated
from commonplace.engines.sqlite.rows import as_json, project_number, selected

AT_ONCE = 2  # queries a process runs side by side; each keeps a core busy
_CHECK_STEPS = 5000  # virtual machine steps between two questions to the guard
_CACHE_KIB = 8000
_VIEWS = frozenset({"seen_nodes", "seen_edges", "seen_relations", "unseen_nodes"})
_BELOW = frozenset({"nodes", "edges", "relations", "statements", "seen_documents", "json_each"})

_WHOLE = """
    CREATE TEMP VIEW seen_relations AS
        SELECT number, name FROM main.relations WHERE project = {project:d};
    CREATE TEMP VIEW seen_nodes AS
        SELECT n.number, n.id, n.kind, n.name, n.properties,
            (SELECT d.id FROM main.nodes AS d WHERE d.number = n.document) AS document_id
        FROM main.nodes AS n WHERE n.project = {project:d} AND n.kind IS NOT NULL {node};
    CREATE TEMP VIEW unseen_nodes AS
        SELECT n.number FROM main.nodes AS n
        WHERE n.project = {project:d} AND NOT (n.kind IS NOT NULL {node});
    CREATE TEMP VIEW seen_edges AS
        SELECT e.source, e.target, e.relation, r.name AS type, e.confidence, e.properties,
            (SELECT d.id FROM main.nodes AS d WHERE d.number = e.document) AS document_id
        FROM main.edges AS e CROSS JOIN main.relations AS r
            ON r.number = e.relation AND r.project = {project:d} {edge};
"""
_DOCUMENTS = """
    CREATE TEMP TABLE seen_documents AS
        SELECT x.number AS number FROM main.documents AS d CROSS JOIN main.nodes AS x
            ON x.project = d.project AND x.id = d.id WHERE {terms};
    CREATE UNIQUE INDEX temp.seen_documents_number ON seen_documents (number);
"""
_SEEN_EDGE = " AND e.document IN (SELECT number FROM temp.seen_documents)"
# A node of no document is seen where a selected document states it or connects it.
_SEEN_NODE = """ AND (n.document IN (SELECT number FROM temp.seen_documents)
    OR n.document IS NULL AND (
        EXISTS (SELECT 1 FROM main.statements AS s WHERE s.node = n.number
            AND s.document IN (SELECT number FROM temp.seen_documents))
        OR EXISTS (SELECT 1 FROM main.edges AS e WHERE e.source = n.number
            AND e.document IN (SELECT number FROM temp.seen_documents))
        OR EXISTS (SELECT 1 FROM main.edges AS e WHERE e.target = n.number
            AND e.document IN (SELECT number FROM temp.seen_documents))))"""

_NODE = "{0}.id, {0}.kind, {0}.name, {0}.document_id, {0}.properties"
_STEP = """
    SELECT near.id, far.id, e.type, e.document_id, e.confidence, e.properties, {node}
    FROM json_each(:asked) AS a
        CROSS JOIN seen_nodes AS near ON near.id = a.value
        CROSS JOIN seen_edges AS e ON e.{here} = near.number {types}
        CROSS JOIN seen_nodes AS far ON far.number = e.{there}
"""
# Edges with an end nobody has stated, or nobody the selection sees.
_LOOSE = """(
    SELECT * FROM seen_edges WHERE source IN (SELECT number FROM unseen_nodes)
    UNION SELECT * FROM seen_edges WHERE target IN (SELECT number FROM unseen_nodes))"""
_TYPES = """AND e.relation IN (SELECT number FROM seen_relations
    WHERE name IN (SELECT value FROM json_each(:types)))"""


def _authorize(*asked: Any) -> int:  # noqa: ANN401 - what SQLite tells its authorizer
    """Reading, and only what the views show: a table below one is read through it or not at all."""
    action, first, _second, database, view = asked
    if action in (apsw.SQLITE_SELECT, apsw.SQLITE_FUNCTION):
        return apsw.SQLITE_OK
    if action == apsw.SQLITE_READ:
        is_view = database == "temp" and first in _VIEWS
        is_below = view in _VIEWS and first in _BELOW
        if is_view or is_below or (first == "json_each" and database == "main"):
            return apsw.SQLITE_OK
    return apsw.SQLITE_DENY


def open_guarded(connections: Connections, selection: Selection, guard: Guard) -> apsw.Connection:
    """A connection that reads what the selection may see and nothing else."""
    connection = apsw.Connection(str(connections.path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(int(connections.wait_s * 1000))
        connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}; PRAGMA temp_store=MEMORY; BEGIN")
        project = project_number(connection, selection.project)
        node = edge = ""
        number = -1 if project is None else project
        if not selection.is_whole_project:
            terms, bound = selected(selection, number)
            connection.execute(_DOCUMENTS.format(terms=terms), bound)
            node, edge = _SEEN_NODE, _SEEN_EDGE
        connection.execute(_WHOLE.format(project=number, node=node, edge=edge))
        connection.execute("PRAGMA query_only=1; PRAGMA trusted_schema=0")
        connection.enable_load_extension(False)
        connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
        connection.set_progress_handler(guard.is_over, _CHECK_STEPS)
        connection.set_authorizer(_authorize)
    except BaseException:
        connection.close()
        raise
    return connection


class SqliteReading:
    """Nodes and edges through the guarded connection."""

    def __init__(self, connection: apsw.Connection, relations: frozenset[str]) -> None:
        self._connection = connection
        self._relations = relations
        self._known_kinds: list[str] | None = None

    def nodes(self, node_ids: Sequence[str]) -> Iterable[Vertex]:
        """Those of these nodes that exist."""
        rows = self._connection.execute(
            f"SELECT {_NODE.format('n')} FROM json_each(?) AS a "  # noqa: S608 - our own names
            "CROSS JOIN seen_nodes AS n ON n.id = a.value",
            (as_json(node_ids),),
        )
        return [_vertex(row) for row in rows]

    def scan(self, wanted: Wanted) -> Iterator[Vertex]:
        """All nodes that fit, by kind and name."""
        named = "" if wanted.name is None else "AND n.name = :name"
        keys = {f"held{place}": f'$."{key}"' for place, key in enumerate(wanted.held)}
        held = "".join(f" AND n.properties ->> :{key} IS NOT NULL" for key in keys)
        for kind in self._kinds(wanted.label):
            rows = self._connection.execute(
                f"SELECT {_NODE.format('n')} FROM seen_nodes AS n "  # noqa: S608 - our own names
                f"WHERE n.kind = :kind {named} {held}",
                {"kind": kind, "name": wanted.name, **keys},
            )
            for row in rows:
                yield _vertex(row)

    def _kinds(self, label: str | None) -> list[str]:
        """Kinds whose words include the label, found by jumping through the index."""
        if self._known_kinds is None:
            self._known_kinds = []
            last = ""
            first = self._one("SELECT min(kind) FROM seen_nodes")
            while first is not None:
                self._known_kinds.append(first)
                last = first
                first = self._one("SELECT min(kind) FROM seen_nodes WHERE kind > ?", last)
        return [one for one in self._known_kinds if label is None or label in one.split(":")]

    def _one(self, sql: str, *bound: object) -> Any:  # noqa: ANN401 - a column's value
        return self._connection.execute(sql, bound).fetchall()[0][0]

    def edges(
        self, node_ids: Sequence[str], *, is_out: bool, types: Sequence[str]
    ) -> Iterable[tuple[str, Link, Vertex]]:
        """Edges that leave or enter these nodes, with the node at the other end."""
        here, there = ("source", "target") if is_out else ("target", "source")
        named, bound = self._types(types)
        sql = _STEP.format(node=_NODE.format("far"), here=here, there=there, types=named)
        for row in self._connection.execute(sql, {"asked": as_json(node_ids), **bound}):
            near, far, kind, document, confidence, extra, *node = row
            source, target = (near, far) if is_out else (far, near)
            link = Link((source, kind, target, document or ""), confidence, extra or "")
            yield near, link, _vertex(node)

    def _types(self, types: Sequence[str]) -> tuple[str, dict[str, Any]]:
        allowed = self._relations.intersection(types) if types else self._relations
        if self._relations or types:
            chosen = sorted(allowed if self._relations else set(types))
            return _TYPES, {"types": as_json(chosen)}
        return "", {}

    def count_nodes(self) -> dict[tuple[str, ...], int]:
        """How many nodes there are with each set of labels."""
        sql = "SELECT count(*) FROM seen_nodes WHERE kind = ?"
        return {labels_in(kind): self._one(sql, kind) for kind in self._kinds(None)}

    def count_edges(self, types: Sequence[str]) -> dict[str, int]:
        """How many edges there are of each type between nodes that exist."""
        named, bound = self._types(types)
        sql = "SELECT e.type, count(*) FROM {} AS e WHERE 1 {} GROUP BY e.type"
        every = dict(self._connection.execute(sql.format("seen_edges", named), bound))
        loose = dict(self._connection.execute(sql.format(_LOOSE, named), bound))
        counts = {one: count - loose.get(one, 0) for one, count in every.items()}
        return {one: count for one, count in counts.items() if count}


def _vertex(row: Sequence[Any]) -> Vertex:
    return Vertex(row[0], labels_in(row[1]), row[2], row[3], row[4] or "")


def _run(
    connections: Connections,
    selection: Selection,
    asked: tuple[Query, Inquiry],
    is_over: Callable[[], bool],
) -> Answer:
    query, inquiry = asked
    guard = Guard(inquiry.limits, is_over)
    with translated(connections.path, connections.wait_s):
        connection = open_guarded(connections, selection, guard)
        try:
            return answer(query, inquiry, SqliteReading(connection, inquiry.relations), guard)
        except apsw.InterruptError:
            guard.check()
            raise
        finally:
            connection.close(True)


class SqliteQueries:
    """Runs queries, a few at once, each in a thread that ends when nobody waits for it."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._places = asyncio.Semaphore(AT_ONCE)

    async def run(self, selection: Selection, inquiry: Inquiry) -> Answer:
        """The rows of a read-only query; see the port."""
        query = prepare(inquiry.text)
        self._connections.check_open()
        cancelled = asyncio.Event()
        async with self._places:
            work = partial(_run, self._connections, selection, (query, inquiry), cancelled.is_set)
            future = asyncio.get_running_loop().run_in_executor(None, work)
            try:
                return await asyncio.shield(future)
            except asyncio.CancelledError:
                cancelled.set()
                await asyncio.wait([future])
                if not future.cancelled():
                    future.exception()
                raise
