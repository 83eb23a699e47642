"""The property graph: one shape of node and edge for every kind of source."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = str | int | float | bool | None

PASSAGE = "Passage"
"""The kind of a passage's node: text that can be replaced apart from the rest of a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A thing of a project; documents, sections and passages keep their own ids."""

    id: str
    project: str
    kind: str
    """Capitalised: Document, Section, Passage, and later Command, Function, Column, …"""
    name: str
    document_id: str | None = None
    """The document that states it; the node goes when the document goes. None is a node of its
    own or, in an ``Entry``, one that documents share: it goes with the last that states it."""
    properties: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A directed relation, with how sure we are and the document that proves it."""

    source: str
    target: str
    relation: str
    """In capitals: HAS_SECTION, PARENT_OF, HAS_PASSAGE, NEXT, LINKS_TO, …"""
    project: str
    document_id: str | None = None
    confidence: float = 1.0
    properties: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A node reached from another one, and how."""

    node: Node
    edge: Edge
    hops: int
    origin: str
    """The id of the node the walk started from."""
