"""What the reference engine holds: dicts, copied when a transaction begins."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.domain.errors import StoreError
from commonplace.domain.graph import PASSAGE, Edge, Node
from commonplace.domain.passage import Located
from commonplace.engines.base import Entry, Part, Stated

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

EdgeKey = tuple[str, str, str, str]


@dataclass
class Project:
    """All that is held of one project; documents in the order they were last written."""

    documents: dict[str, Entry] = field(default_factory=dict)
    vectors: "dict[str, dict[str, npt.NDArray[np.float32]]]" = field(default_factory=dict)
    dimensions: dict[str, int] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[EdgeKey, Edge] = field(default_factory=dict)
    stated: dict[str, frozenset[str]] = field(default_factory=dict)
    """By document, the shared nodes its entry holds."""
    labels: dict[str, frozenset[str]] = field(default_factory=dict)
    """By document, tags it is selected by that are not its card's."""
    generation: int = 0
    updated_at: datetime | None = None

    def copy(self) -> "Project":
        """Another of the same content: values are immutable, so dicts suffice."""
        return replace(
            self,
            documents=dict(self.documents),
            vectors={model: dict(rows) for model, rows in self.vectors.items()},
            dimensions=dict(self.dimensions),
            nodes=dict(self.nodes),
            edges=dict(self.edges),
            stated=dict(self.stated),
            labels=dict(self.labels),
        )

    def located(self) -> dict[str, Located]:
        """Every passage by id."""
        return {
            passage.id: Located(entry.card, passage)
            for entry in self.documents.values()
            for passage in entry.passages
        }

    def drop(self, document_id: str, part: Part = "whole") -> None:
        """Remove a part of a document with its nodes and edges; edges of others stay."""
        own = {key for key, node in self.nodes.items() if node.document_id == document_id}
        text = {key for key in own if self.nodes[key].kind == PASSAGE}
        gone = {"whole": own, "graph": own - text, "text": text}[part]
        self.documents.pop(document_id, None)
        self.labels.pop(document_id, None)
        if part != "text":
            gone |= self.stated.pop(document_id, frozenset()).difference(*self.stated.values())
        self.edges = {
            key: edge
            for key, edge in self.edges.items()
            if edge.document_id != document_id
            or (part != "whole" and (part == "text") != bool({edge.source, edge.target} & text))
        }
        self.nodes = {key: node for key, node in self.nodes.items() if key not in gone}

    def relate(self, relations: Collection[str], stated: Stated) -> None:
        """Replace what a document states of these relations and, where given, its shared nodes."""
        document_id = stated.document_id
        self.edges = {
            key: edge
            for key, edge in self.edges.items()
            if edge.document_id != document_id or edge.relation not in relations
        }
        if stated.nodes is not None:
            old = self.stated.pop(document_id, frozenset())
            new = frozenset(node.id for node in stated.nodes if node.document_id is None)
            if new:
                self.stated[document_id] = new
            for key in old.difference(*self.stated.values()):
                self.nodes.pop(key, None)
            self.nodes |= {node.id: node for node in stated.nodes}
        self.edges |= {edge_key(edge): edge for edge in stated.edges}

    def forget(self) -> None:
        """Vectors go with their passages."""
        known = self.located().keys()
        for model, rows in self.vectors.items():
            self.vectors[model] = {key: row for key, row in rows.items() if key in known}


def edge_key(edge: Edge) -> EdgeKey:
    """What an edge is replaced by."""
    return (edge.source, edge.relation, edge.target, edge.document_id or "")


class Held:
    """Everything a store holds, and the one lock its writers share."""

    def __init__(self) -> None:
        self.projects: dict[str, Project] = {}
        self.pairs: dict[tuple[str, str], tuple[bytes, float | None]] = {}
        self._lock = asyncio.Lock()
        self._current: ContextVar[bool] = ContextVar("memory_transaction", default=False)
        self._is_closed = False

    def project(self, name: str) -> Project:
        """What is held of a project, nothing when it was never written to."""
        self.check_open()
        return self.projects.get(name) or Project()

    def check_open(self) -> None:
        """Raise StoreError after ``close``."""
        if self._is_closed:
            raise StoreError("the store is closed; open it again")

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Group writes of this task: all or none; joins a transaction already open."""
        self.check_open()
        is_outer = not self._current.get()
        if is_outer:
            await self._lock.acquire()
        token = self._current.set(True)
        projects, pairs = {name: p.copy() for name, p in self.projects.items()}, dict(self.pairs)
        try:
            yield
        except BaseException:
            self.projects, self.pairs = projects, pairs
            raise
        finally:
            self._current.reset(token)
            if is_outer:
                self._lock.release()

    def close(self) -> None:
        """Further calls raise StoreError."""
        self._is_closed = True
