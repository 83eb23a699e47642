"""Walks through the graph: how far one may go, and what it comes back with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from commonplace.domain.graph import Edge, Node

Direction = Literal["both", "out", "in"]
Way = Literal["out", "in"]
"""Along an edge from its source, or against it from its target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far and how wide a walk may go. Engines keep every bound inside their own query."""

    hops: int = 1
    relations: frozenset[str] = frozenset()
    """Empty means any."""
    kinds: frozenset[str] = frozenset()
    """Of the nodes given back, empty means any; the walk itself passes through every kind."""
    direction: Direction = "both"
    fan_out: int = 64
    """Most edges of one relation followed from a node on the way, the surest; every start may
    have ``limit``."""
    limit: int = 200
    """Most nodes or paths given back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A node a walk came to, by which edge, and how near it is."""

    node: Node
    edge: Edge
    """The last step to it, of the way that counts most."""
    way: Way
    """How that edge was walked."""
    hops: int
    origins: tuple[str, ...]
    """The starts it was reached from."""
    score: float
    """The starts' shares added up: confidence of each step, less with each hop and through nodes
    that are connected to everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What a walk came to, best first, ties by id."""

    starts: tuple[Node, ...] = ()
    """Of the nodes asked for, those that are seen."""
    reached: tuple[Reached, ...] = ()
    is_capped: bool = False
    """Whether a bound left edges out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """One path: a node more than edges, no node twice."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    ways: tuple[Way, ...]
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trails:
    """Paths between two sets of nodes, best first, ties by their ids."""

    starts: tuple[Node, ...] = ()
    goals: tuple[Node, ...] = ()
    trails: tuple[Trail, ...] = ()
    is_capped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A node and how many edges of each relation touch it."""

    node: Node
    edges_out: Mapping[str, int] = field(default_factory=dict)
    edges_in: Mapping[str, int] = field(default_factory=dict)
    """By relation; counting ends at ``MOST_COUNTED``."""


MOST_COUNTED = 1000
MOST_COMPLETED = 10
"""Ids told of one beginning."""
