"""The words of symbols, written and withdrawn with their nodes."""

from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from commonplace.domain.graph import Node
from commonplace.engines.naming import is_symbol, said
from commonplace.engines.sqlite.rows import as_json


def put(connection: apsw.Connection, project: int, nodes: Sequence[Node]) -> None:
    """Index the words of the symbols among these nodes, which are already stored."""
    symbols = {node.id: said(node) for node in nodes if is_symbol(node)}
    if not symbols:
        return
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        "SELECT n.id, n.number FROM json_each(?) AS asked "
        "CROSS JOIN nodes AS n ON n.project = ? AND n.id = asked.value",
        (as_json(symbols), project),
    ).fetchall()
    connection.executemany(
        "INSERT OR REPLACE INTO symbol_words (rowid, name, path, doc) VALUES (?,?,?,?)",
        [(number, *symbols[node_id]) for node_id, number in rows],
    )


def drop(connection: apsw.Connection, numbers: Iterable[int]) -> None:
    """Forget the words of these nodes; of those that are no symbols there are none."""
    connection.executemany(
        "DELETE FROM symbol_words WHERE rowid=?", [(number,) for number in numbers]
    )
