"""What a query computes with: nodes, edges, paths; equality, order and keys of all values.

Null is None, and a comparison with it is None: neither true nor false.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from commonplace.cypher.durations import duration_from_text
from commonplace.cypher.moments import KINDS, from_text
from commonplace.cypher.temporal import Duration, Temporal

Value: TypeAlias = Any
"""Null, boolean, 64-bit integer, float, text, list, map, Vertex, Link, Path, Temporal, Duration."""


def typed(value: Value) -> Value:
    """A stored value; ``{"@date": "2024-01-15"}`` is how JSON keeps a temporal one.

    >>> str(typed({"@duration": "P1D"})), typed({"@other": 1})
    ('P1D', {'@other': 1})
    """
    if isinstance(value, list):
        return [typed(one) for one in value]
    if isinstance(value, dict) and len(value) == 1:
        (key, text), *_ = value.items()
        kind = KINDS.get(key[1:]) if key.startswith("@") and isinstance(text, str) else None
        if kind is not None:
            return from_text(kind, text)
        if key == "@duration" and isinstance(text, str):
            return duration_from_text(text)
    return value


class Entity(ABC):
    """A node or an edge: the writer's properties, and over them the store's facts about it."""

    __slots__ = ("_extra", "_properties", "document_id")

    _extra: str | Mapping[str, Value]
    """The writer's properties, perhaps still as JSON."""
    _properties: Mapping[str, Value] | None
    document_id: str | None

    @property
    @abstractmethod
    def default(self) -> tuple[str, Value]:
        """A fact the writer's properties may replace."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Value]:
        """Facts nothing replaces, null where there are none."""

    @property
    def properties(self) -> Mapping[str, Value]:
        """All that are not null; read when first asked for."""
        if self._properties is None:
            own = json.loads(self._extra or "{}") if isinstance(self._extra, str) else self._extra
            name, value = self.default
            found = {name: value} | {key: typed(one) for key, one in own.items() if one is not None}
            found.update((key, one) for key, one in self.facts.items() if one is not None)
            self._properties = found
        return self._properties


class Vertex(Entity):
    """A node of the graph as queries see it."""

    __slots__ = ("id", "labels", "name")

    def __init__(
        self,
        node_id: str,
        labels: tuple[str, ...],
        name: str = "",
        document_id: str | None = None,
        extra: str | Mapping[str, Value] = "",
    ) -> None:
        self._extra, self._properties, self.document_id = extra, None, document_id
        self.id, self.labels, self.name = node_id, labels, name

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return self.id

    @property
    def default(self) -> tuple[str, Value]:
        """Its kind, as a property."""
        return "kind", ":".join(self.labels)

    @property
    def facts(self) -> dict[str, Value]:
        """Its id, its name if it has one, the document that states it."""
        return {"id": self.id, "name": self.name or None, "document_id": self.document_id}


class Link(Entity):
    """An edge of the graph as queries see it."""

    __slots__ = ("confidence", "key", "source", "target", "type")

    def __init__(
        self,
        key: tuple[str, str, str, str],
        confidence: float | None = None,
        extra: str | Mapping[str, Value] = "",
    ) -> None:
        self._extra, self._properties, self.document_id = extra, None, key[3] or None
        self.key = key
        """Source, type, target, document."""
        self.source, self.type, self.target = key[0], key[1], key[2]
        self.confidence = confidence

    @property
    def default(self) -> tuple[str, Value]:
        """Its type, as a property."""
        return "type", self.type

    @property
    def facts(self) -> dict[str, Value]:
        """How sure it is, the document that states it."""
        return {"confidence": self.confidence, "document_id": self.document_id}


@lru_cache(maxsize=1024)
def labels_in(kind: str) -> tuple[str, ...]:
    """The labels of a node: its kind, or the words of a kind that has several.

    >>> labels_in("Command"), labels_in("A:B"), labels_in("")
    (('Command',), ('A', 'B'), ())
    """
    return tuple(kind.split(":")) if kind else ()


class Path:
    """Nodes with the edges between them, in order."""

    __slots__ = ("links", "nodes")

    def __init__(self, nodes: Sequence[Vertex], links: Sequence[Link]) -> None:
        self.nodes = tuple(nodes)
        self.links = tuple(links)


def is_number(value: Value) -> bool:
    """Integer or float; booleans are neither."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_integer(value: Value) -> bool:
    """A whole number; booleans are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def equals(left: Value, right: Value) -> bool | None:
    """Cypher's ``=``: None when null decides.

    >>> equals([1, None], [1, 2]), equals(1, 1.0), equals(1, "1"), equals([1, None], [2, None])
    (None, True, False, False)
    """
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        return bool(left == right)
    if isinstance(left, list) and isinstance(right, list):
        return _equal_lists(left, right)
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() != right.keys():
            return False
        return _all(equals(left[key], right[key]) for key in left)
    if type(left) is not type(right):
        return False
    if isinstance(left, Vertex | Link):
        return bool(left.key == right.key)
    if isinstance(left, Path):
        return path_key(left) == path_key(right)
    return bool(left == right)


def _equal_lists(left: list[Value], right: list[Value]) -> bool | None:
    if len(left) != len(right):
        return False
    return _all(equals(a, b) for a, b in zip(left, right, strict=True))


def _all(verdicts: Iterable[bool | None]) -> bool | None:
    is_known = True
    for verdict in verdicts:
        if verdict is False:
            return False
        is_known = is_known and verdict is not None
    return True if is_known else None


def less(left: Value, right: Value) -> bool | None:
    """Cypher's ``<``: None unless both are of one comparable kind."""
    if left is None or right is None:
        return None
    if is_number(left) and is_number(right):
        return bool(left < right)
    if isinstance(left, str) and isinstance(right, str):
        return left < right
    if isinstance(left, bool) and isinstance(right, bool):
        return left < right
    if isinstance(left, list) and isinstance(right, list):
        return _less_lists(left, right)
    if isinstance(left, Temporal) and type(left) is type(right):
        return bool(left.order_key() < right.order_key())
    return None


def _less_lists(left: list[Value], right: list[Value]) -> bool | None:
    for a, b in zip(left, right, strict=False):
        verdict = equals(a, b)
        if verdict is None:
            return None
        if not verdict:
            return less(a, b)
    return len(left) < len(right)


def path_key(path: Path) -> tuple[Hashable, ...]:
    """What tells a path from all others."""
    return (path.nodes[0].id, *(link.key for link in path.links), path.nodes[-1].id)


def group_key(value: Value) -> Hashable:
    """Two values with one key are the same to DISTINCT and to grouping.

    >>> group_key(1) == group_key(1.0), group_key(1) == group_key(True)
    (True, False)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, int | float):
        return ("number", "nan" if value != value else value)
    if isinstance(value, list):
        return ("list", *map(group_key, value))
    if isinstance(value, dict):
        return ("map", *sorted((key, group_key(inner)) for key, inner in value.items()))
    if isinstance(value, Vertex):
        return ("node", value.id)
    if isinstance(value, Link):
        return ("edge", value.key)
    if isinstance(value, Path):
        return ("path", *path_key(value))
    return (type(value).__name__, value)


_RANKS: tuple[tuple[type, int], ...] = (
    (dict, 0), (Vertex, 1), (Link, 2), (list, 3), (Path, 4), (Temporal, 5),
    (Duration, 11), (str, 12), (bool, 13), (int, 14), (float, 14),
)  # fmt: skip


class Ordered:
    """A value among all values, for ORDER BY, min and max: every two can be compared."""

    __slots__ = ("rank", "value")

    def __init__(self, value: Value) -> None:
        self.value = value
        self.rank = _rank(value)

    def __lt__(self, other: "Ordered") -> bool:
        if self.rank != other.rank:
            return self.rank < other.rank
        return _before(self.value, other.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ordered) and not self < other and not other < self

    def __hash__(self) -> int:
        return hash(group_key(self.value))


def _rank(value: Value) -> int:
    if value is None:
        return 20
    if isinstance(value, bool):
        return 13
    for kind, rank in _RANKS:
        if isinstance(value, kind):
            return rank + (value.order_rank if isinstance(value, Temporal) else 0)
    return 19


def _before(left: Value, right: Value) -> bool:
    if left is None:
        return False
    if isinstance(left, list):
        return [Ordered(one) for one in left] < [Ordered(one) for one in right]
    if isinstance(left, dict):
        pairs = [[Ordered(x) for pair in sorted(m.items()) for x in pair] for m in (left, right)]
        return pairs[0] < pairs[1]
    if isinstance(left, Vertex | Link):
        return bool(left.key < right.key)
    if isinstance(left, Path):
        return [link.key for link in left.links] < [link.key for link in right.links]
    if isinstance(left, Temporal | Duration):
        return bool(left.order_key() < right.order_key())
    if left != left:  # NaN is the largest number
        return False
    return bool(right != right or left < right)
