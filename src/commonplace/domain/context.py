"""What agents remember: a context is content with a type, relationships, and who stored it when."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

ContextType = Literal["design", "decision", "trace", "sprint", "log"]
TYPES: tuple[ContextType, ...] = get_args(ContextType)

CONTEXT = "Context"
"""The kind of its node; the node stands where other documents have their Document."""
SIMILAR_TO = "SIMILAR_TO"
"""From a context to an older one that says nearly the same; stated when the newer is stored."""
SUPERSEDES = ("SUPERSEDES", "REPLACES")
"""Relations from the newer to the older."""
SUPERSEDED_BY = ("SUPERSEDED_BY", "REPLACED_BY")
"""Relations from the older to the newer."""


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relation of a context to anything with an id, there or still to come."""

    type: str
    """As the agent wrote it: ``depends_on``; the edge's relation is its capitals."""
    target: str

    @property
    def relation(self) -> str:
        """The name of the edge.

        >>> Relationship("depends-on", "x").relation
        'DEPENDS_ON'
        """
        return "_".join("".join(c if c.isalnum() else " " for c in self.type).split()).upper()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """An exact duplicate that came later: kept as who, with what metadata, how often, when."""

    agent: str
    metadata: Mapping[str, Any]
    times: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """Another context that says nearly the same."""

    id: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One thing remembered. Its id follows from project, type and content."""

    id: str
    project: str
    type: str
    content: Mapping[str, Any]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    relationships: tuple[Relationship, ...] = ()
    agent: str
    """Who stored it, as far as known: an agent's id, else the principal of the call."""
    created_at: datetime
    environment: str | None = None
    similar: tuple[Similar, ...] = ()
    """Older ones it nearly repeats, found when it was stored."""
    repeats: tuple[Repeat, ...] = ()
