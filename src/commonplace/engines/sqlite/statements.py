"""What is stated in the graph: nodes and edges written and withdrawn, by number.

An edge may name a node before anyone has stated it: the node then has a number and no kind, and
is not walked to until it is stated. Such numbers go when nothing names them any more.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

import apsw
from pydantic_core import to_json

from commonplace.domain.graph import PASSAGE, Edge, Node
from commonplace.engines.base import Part, Stated
from commonplace.engines.sqlite import symbols
from commonplace.engines.sqlite.rows import as_json

_NEW_NODE = """
    INSERT INTO nodes (kind, name, document, properties, number, project, id)
        VALUES (?,?,?,?,?,?,?)
"""
_SET_NODE = "UPDATE nodes SET kind=?, name=?, document=?, properties=? WHERE number=?"
_UNSTATED = (None, "", None, None)
# Numbers nobody states and nothing names: no edge from, to or by them, no node of theirs.
_SWEEP = """
    DELETE FROM nodes WHERE number IN (SELECT value FROM json_each(?)) AND kind IS NULL
        AND NOT EXISTS (SELECT 1 FROM statements WHERE node = nodes.number)
        AND NOT EXISTS (SELECT 1 FROM statements WHERE document = nodes.number)
        AND NOT EXISTS (SELECT 1 FROM edges WHERE source = nodes.number)
        AND NOT EXISTS (SELECT 1 FROM edges WHERE target = nodes.number)
        AND NOT EXISTS (SELECT 1 FROM edges WHERE document = nodes.number)
        AND NOT EXISTS (SELECT 1 FROM nodes AS own WHERE own.document = nodes.number)
"""
# The number of a document that states something; others may name one that is not written yet.
_STATING = """
    SELECT number FROM nodes AS n WHERE project = ? AND id = ? AND (kind IS NOT NULL
        OR EXISTS (SELECT 1 FROM nodes WHERE document = n.number)
        OR EXISTS (SELECT 1 FROM edges WHERE document = n.number)
        OR EXISTS (SELECT 1 FROM statements WHERE document = n.number))
"""
# By part of a document: its nodes, and its edges.
_TEXT = "(SELECT number FROM nodes WHERE document = :document AND kind = :passage)"
_PARTS: Mapping[Part, tuple[str, str]] = {
    "whole": ("document = :document", "document = :document"),
    "graph": (
        "document = :document AND kind <> :passage",
        f"document = :document AND source NOT IN {_TEXT} AND target NOT IN {_TEXT}",
    ),
    "text": (
        "document = :document AND kind = :passage",
        f"document = :document AND (source IN {_TEXT} OR target IN {_TEXT})",
    ),
}
_UNSTATE = "UPDATE nodes SET kind = NULL, name = '', document = NULL, properties = NULL WHERE "


def _dump(properties: Mapping[str, Any]) -> str | None:
    """Properties as JSON; Python's own encoder takes three times as long."""
    if not properties:
        return None
    return to_json(properties if type(properties) is dict else dict(properties)).decode()


def numbers_of(connection: apsw.Connection, project: int, ids: Iterable[str]) -> dict[str, int]:
    """The numbers of these ids, as far as they have one."""
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        "SELECT n.id, n.number FROM json_each(?) AS asked "
        "CROSS JOIN nodes AS n ON n.project = ? AND n.id = asked.value",
        (as_json(dict.fromkeys(ids)), project),
    )
    return {row[0]: row[1] for row in rows}


def relations_of(connection: apsw.Connection, project: int) -> dict[str, int]:
    """The relations of a project by name."""
    sql = "SELECT name, number FROM relations WHERE project=?"
    rows: Iterable[tuple[Any, ...]] = connection.execute(sql, (project,))
    return {row[0]: row[1] for row in rows}


def put(
    connection: apsw.Connection, project: int, nodes: Sequence[Node], edges: Sequence[Edge]
) -> None:
    """Add or replace nodes and edges of one project."""
    if not nodes and not edges:
        return
    stated = {node.id: node for node in nodes}  # a shared one may be told by many documents
    ends = {edge.source for edge in edges} | {edge.target for edge in edges}
    owners = {node.document_id for node in nodes} | {edge.document_id for edge in edges}
    ends.update(owner for owner in owners if owner)
    numbers = _put_nodes(connection, project, stated, ends)
    symbols.put(connection, numbers, list(stated.values()))
    if not edges:
        return
    relations = _relate(connection, project, {edge.relation for edge in edges})
    connection.executemany(
        "INSERT OR REPLACE INTO edges VALUES (?,?,?,?,?,?)",
        [
            (
                numbers[e.source],
                relations[e.relation],
                numbers[e.target],
                numbers[e.document_id] if e.document_id else 0,
                e.confidence,
                _dump(e.properties),
            )
            for e in edges
        ],
    )


def _put_nodes(
    connection: apsw.Connection, project: int, stated: Mapping[str, Node], others: Iterable[str]
) -> dict[str, int]:
    """Add or replace these nodes; the numbers of them and of others, new ones where there are none.

    New numbers are counted here as SQLite would count them: asking for them costs more.
    """
    wanted = dict.fromkeys((*stated, *others))
    known = numbers_of(connection, project, wanted)
    new = [node_id for node_id in wanted if node_id not in known]
    first = connection.execute("SELECT coalesce(max(number), 0) + 1 FROM nodes").get
    numbers = known | dict(zip(new, count(first)))

    def row(node: Node | None) -> tuple[Any, ...]:
        if node is None:
            return _UNSTATED
        document = numbers.get(node.document_id or "")
        return (node.kind, node.name, document, _dump(node.properties))

    added = [(*row(stated.get(one)), numbers[one], project, one) for one in new]
    connection.executemany(_NEW_NODE, added)
    replaced = [(*row(node), known[one]) for one, node in stated.items() if one in known]
    connection.executemany(_SET_NODE, replaced)
    return numbers


def _number(connection: apsw.Connection, project: int, ids: Iterable[str]) -> dict[str, int]:
    """The numbers of all these ids, new ones for those that have none yet."""
    wanted = dict.fromkeys(ids)
    found = numbers_of(connection, project, wanted)
    new = [node_id for node_id in wanted if node_id not in found]
    if new:
        rows = [(project, node_id) for node_id in new]
        connection.executemany("INSERT INTO nodes (project, id) VALUES (?, ?)", rows)
        found |= numbers_of(connection, project, new)
    return found


def _relate(connection: apsw.Connection, project: int, names: Iterable[str]) -> dict[str, int]:
    known = relations_of(connection, project)
    for name in sorted(set(names) - known.keys()):
        connection.execute("INSERT INTO relations (project, name) VALUES (?, ?)", (project, name))
        known[name] = connection.last_insert_rowid()
    return known


def state(connection: apsw.Connection, project: int, stated: Mapping[str, Sequence[Node]]) -> None:
    """Record which documents state which of these nodes that are shared."""
    pairs = [
        (node.id, document_id)
        for document_id, nodes in stated.items()
        for node in nodes
        if node.document_id is None
    ]
    if pairs:
        numbers = _number(connection, project, {one for pair in pairs for one in pair})
        connection.executemany(
            "INSERT OR IGNORE INTO statements VALUES (?,?)",
            [(numbers[node_id], numbers[document_id]) for node_id, document_id in pairs],
        )


def relate(
    connection: apsw.Connection, project: int, relations: Iterable[str], stated: Stated
) -> None:
    """Replace what a document states of these relations and, where given, its shared nodes."""
    document = _number(connection, project, [stated.document_id])[stated.document_id]
    known = relations_of(connection, project)
    numbers = str([known[name] for name in relations if name in known])
    old = "document = ? AND relation IN (SELECT value FROM json_each(?))"
    left: set[int] = {document}
    for row in connection.execute(
        f"SELECT source, target FROM edges WHERE {old}",  # noqa: S608 - our own text
        (document, numbers),
    ):
        left.update(row)
    connection.execute(f"DELETE FROM edges WHERE {old}", (document, numbers))  # noqa: S608 - our own text
    if stated.nodes is not None:
        # Those it states again are stated before the others are withdrawn, and so keep their rows.
        kept = {node.id for node in stated.nodes}
        left |= _withdraw(connection, document, kept)
        state(connection, project, {stated.document_id: stated.nodes})
    put(connection, project, stated.nodes or (), stated.edges)
    connection.execute(_SWEEP, (str(list(left)),))


def drop_document(
    connection: apsw.Connection, project: int, document_id: str, part: Part = "whole"
) -> None:
    """Remove the nodes and edges of a part of a document, shared nodes if it was the last to.

    Edges other documents stated stay, even when they lead to a node that is gone: they are not
    walked until it comes back, as when its document is indexed again.
    """
    document = connection.execute(_STATING, (project, document_id)).get
    if document is None:
        return
    nodes, edges = _PARTS[part]
    bound = {"document": document, "passage": PASSAGE}
    own: Iterable[tuple[Any, ...]] = connection.execute(
        f"SELECT number FROM nodes WHERE {nodes}",  # noqa: S608 - our own text
        bound,
    )
    left = {document, *(row[0] for row in own)}
    if part != "text":
        symbols.drop(connection, left)
        left |= _withdraw(connection, document)
    for row in connection.execute(f"SELECT source, target FROM edges WHERE {edges}", bound):  # noqa: S608 - our own text
        left.update(row)
    connection.execute(f"DELETE FROM edges WHERE {edges}", bound)  # noqa: S608 - our own text
    connection.execute(f"{_UNSTATE} {nodes}", bound)
    connection.execute(_SWEEP, (str(list(left)),))


def _withdraw(connection: apsw.Connection, document: int, kept: Collection[str] = ()) -> set[int]:
    """End the document's statements but of those kept; nodes it was the last to state go."""
    rows: list[tuple[Any, ...]] = connection.execute(
        "SELECT s.node, n.id FROM statements AS s JOIN nodes AS n ON n.number = s.node "
        "WHERE s.document=?",
        (document,),
    ).fetchall()
    shared = {number for number, node_id in rows if node_id not in kept}
    connection.executemany(
        "DELETE FROM statements WHERE node=? AND document=?",
        [(number, document) for number in shared],
    )
    last = [
        number
        for number in shared
        if not connection.execute("SELECT 1 FROM statements WHERE node=?", (number,)).fetchone()
    ]
    connection.executemany(f"{_UNSTATE} number=?", [(number,) for number in last])
    symbols.drop(connection, last)
    return shared


def drop_nodes(connection: apsw.Connection, project: int, node_ids: Iterable[str]) -> None:
    """Remove nodes and the edges that touch them."""
    gone = list(numbers_of(connection, project, node_ids).values())
    left = set(gone)
    for here, there in (("source", "target"), ("target", "source")):
        for number in gone:
            for row in connection.execute(
                f"SELECT {there}, document FROM edges WHERE {here}=?",  # noqa: S608 - our own names
                (number,),
            ):
                left.update(row)
            connection.execute(f"DELETE FROM edges WHERE {here}=?", (number,))  # noqa: S608 - our own name
    connection.executemany(f"{_UNSTATE} number=?", [(number,) for number in gone])
    symbols.drop(connection, gone)
    connection.execute(_SWEEP, (str(list(left)),))
