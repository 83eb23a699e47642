"""The words of symbols, written and withdrawn with their nodes."""

from collections.abc import Iterable, Mapping, Sequence

import apsw

from commonplace.domain.graph import Node
from commonplace.engines.naming import is_symbol, said


def put(connection: apsw.Connection, numbers: Mapping[str, int], nodes: Sequence[Node]) -> None:
    """Index the words of the symbols among these nodes, which are already stored."""
    connection.executemany(
        "INSERT OR REPLACE INTO symbol_words (rowid, name, path, doc) VALUES (?,?,?,?)",
        [(numbers[node.id], *said(node)) for node in nodes if is_symbol(node)],
    )


def drop(connection: apsw.Connection, numbers: Iterable[int]) -> None:
    """Forget the words of these nodes; of those that are no symbols there are none."""
    connection.executemany(
        "DELETE FROM symbol_words WHERE rowid=?", [(number,) for number in numbers]
    )
