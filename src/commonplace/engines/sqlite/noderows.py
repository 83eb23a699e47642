"""Rows to nodes and edges."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import apsw
from pydantic_core import from_json

from commonplace.domain.graph import Edge, Node, Value

NODE = "n.id, n.kind, n.name, (SELECT id FROM nodes WHERE number = n.document), n.properties"
"""The columns ``node_of`` reads, of ``nodes AS n``."""
EDGE = """s.id, t.id, r.name, (SELECT id FROM nodes WHERE number = e.document), e.confidence,
    e.properties"""
"""The columns ``edge_of`` reads, of ``edges AS e``, nodes ``s`` and ``t``, ``relations AS r``."""


class Stored(Mapping[str, Value]):
    """Properties as they are stored, read when first asked for.

    A walk passes thousands of nodes and edges and shows twenty.

    >>> Stored('{"at": "1:2-3"}') == {"at": "1:2-3"}, Stored(None).get("at", "nowhere")
    (True, 'nowhere')
    """

    __slots__ = ("_known", "_text")

    def __init__(self, text: str | None) -> None:
        self._text = text
        self._known: dict[str, Value] | None = None if text else {}

    @property
    def _all(self) -> dict[str, Value]:
        if self._known is None:
            self._known = cast("dict[str, Value]", from_json(self._text or "{}"))
        return self._known

    def __getitem__(self, key: str) -> Value:
        return self._all[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, key: object) -> bool:
        return key in self._all

    def __repr__(self) -> str:
        return repr(self._all)


def ids_of(connection: apsw.Connection, numbers: Collection[int]) -> dict[int, str]:
    """Ids of nodes by number."""
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        "SELECT n.number, n.id FROM json_each(?) AS asked "
        "CROSS JOIN nodes AS n ON n.number = asked.value",
        (str(list(numbers)),),
    )
    return {row[0]: row[1] for row in rows}


def node_of(project: str, row: Sequence[Any]) -> Node:
    """A node from the columns ``NODE``."""
    return Node(
        id=row[0],
        project=project,
        kind=row[1],
        name=row[2],
        document_id=row[3],
        properties=Stored(row[4]),
    )


def edge_of(project: str, row: Sequence[Any]) -> Edge:
    """An edge from the columns ``EDGE``."""
    return Edge(
        source=row[0],
        target=row[1],
        relation=row[2],
        project=project,
        document_id=row[3],
        confidence=row[4],
        properties=Stored(row[5]),
    )
