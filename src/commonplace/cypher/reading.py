"""What a query may ask of an engine: nodes and edges of one project, and nothing else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from commonplace.cypher.guard import Limits
from commonplace.cypher.values import Link, Vertex


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which nodes a scan is after; empty means any. Engines use an index where they have one."""

    label: str | None = None
    name: str | None = None
    held: tuple[str, ...] = ()
    """Properties that must be there; who ignores them is asked about more nodes than needed."""


class Reading(Protocol):
    """One consistent view of one project. Edges to nodes that do not exist are not there."""

    def nodes(self, node_ids: Sequence[str]) -> Iterable[Vertex]:
        """Those of these nodes that exist, in any order."""
        ...

    def scan(self, wanted: Wanted) -> Iterator[Vertex]:
        """All nodes that fit, a few at a time."""
        ...

    def edges(
        self, node_ids: Sequence[str], *, is_out: bool, types: Sequence[str]
    ) -> Iterable[tuple[str, Link, Vertex]]:
        """Edges that leave (or enter) these nodes: the node asked for, the edge, the other end."""
        ...

    def count_nodes(self) -> dict[tuple[str, ...], int]:
        """How many nodes there are with each set of labels."""
        ...

    def count_edges(self, types: Sequence[str]) -> dict[str, int]:
        """How many edges there are of each type."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """One query with all that bounds it."""

    text: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    relations: frozenset[str] = frozenset()
    """Only edges of these types exist for this query; empty means all."""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The rows of a query as plain values: columns in order, one tuple a row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    has_more: bool
    """The row limit, not the query, ended the list."""
    is_shortened: bool = False
    """``max_depth`` ended paths that might go on."""
