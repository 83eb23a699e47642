"""How symbols are looked up by name and followed along their edges."""

from dataclasses import dataclass
from typing import Literal

from commonplace.domain.graph import Edge, Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """A symbol as someone names it."""

    text: str
    """A name, a full name or its end (``Repository.save``), or words of it or of its doc text."""
    kinds: frozenset[str] = frozenset()
    """None means any."""
    mode: Literal["any", "name", "fqn", "words"] = "any"
    """name: all of its own name, or its beginning; fqn: all of its full name, or its end."""
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Finding:
    """A symbol found, and how well its name fits: 1 is the whole name."""

    node: Node
    score: float


@dataclass(frozen=True, slots=True)
class Findings:
    """The best of what fits."""

    found: tuple[Finding, ...]
    total: int
    """How many fit altogether; ``is_capped`` when there are more than were counted."""
    is_capped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Which edges are followed, and how far."""

    relations: frozenset[str] = frozenset()
    """None means any."""
    direction: Literal["out", "in", "both"] = "out"
    backward: frozenset[str] = frozenset()
    """If any, these are followed from target to source and ``relations`` from source to target,
    whatever the direction: data flows along WRITES and against READS."""
    barred: frozenset[str] = frozenset()
    """Who was reached as the source of one of these is not left by one: that a function reads one
    column and writes another does not say that data goes from the one to the other."""
    depth: int = 1
    min_confidence: float = 0.0
    stop_at_kinds: frozenset[str] = frozenset()
    """Nodes of these kinds are reached and not left again."""
    stop_at: frozenset[str] = frozenset()
    """Nor are nodes of these ids."""
    limit: int = 5000
    """Nodes reached altogether."""

    @property
    def all_relations(self) -> frozenset[str]:
        """Those followed either way."""
        return self.relations | self.backward


@dataclass(frozen=True, slots=True)
class Step:
    """A node reached, by the edge it was first reached by."""

    node: Node
    edge: Edge
    depth: int
    way: Literal["out", "in"]
    """Of the edge, seen from the node before."""
    degree: int
    """How many edges touch it, counted no further than 128 each way."""


@dataclass(frozen=True, slots=True)
class Followed:
    """All that was reached."""

    starts: tuple[Node, ...]
    """Those of the nodes asked for that are there."""
    steps: tuple[Step, ...]
    is_capped: bool = False
