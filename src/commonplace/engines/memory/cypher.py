"""Read-only Cypher over dicts: the reference other engines are compared with."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from commonplace.cypher.reading import Answer, Inquiry, Wanted
from commonplace.cypher.run import ask
from commonplace.cypher.values import Link, Vertex, labels_in
from commonplace.domain.graph import Edge, Node
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.engines.memory.held import Project
from commonplace.engines.memory.terrain import MemoryTerrain


class MemoryReading:
    """What a selection sees of one project, as it was when the query began."""

    def __init__(self, held: Project, selection: Selection, relations: frozenset[str]) -> None:
        terrain = MemoryTerrain(held, selection, Reach())
        self._vertices = {key: _vertex(held.nodes[key]) for key in held.nodes if terrain.sees(key)}
        self._out: dict[str, list[Link]] = {}
        self._in: dict[str, list[Link]] = {}
        for edge in terrain.edges():
            is_known = edge.source in self._vertices and edge.target in self._vertices
            if is_known and (not relations or edge.relation in relations):
                link = _link(edge)
                self._out.setdefault(edge.source, []).append(link)
                self._in.setdefault(edge.target, []).append(link)

    def nodes(self, node_ids: Sequence[str]) -> Iterable[Vertex]:
        """Those of these nodes that exist."""
        return [self._vertices[one] for one in node_ids if one in self._vertices]

    def scan(self, wanted: Wanted) -> Iterator[Vertex]:
        """All nodes that fit."""
        for vertex in self._vertices.values():
            is_labelled = wanted.label is None or wanted.label in vertex.labels
            is_held = all(key in vertex.properties for key in wanted.held)
            if is_labelled and is_held and wanted.name in (None, vertex.properties.get("name")):
                yield vertex

    def edges(
        self, node_ids: Sequence[str], *, is_out: bool, types: Sequence[str]
    ) -> Iterable[tuple[str, Link, Vertex]]:
        """Edges that leave or enter these nodes, with the node at the other end."""
        for one in node_ids:
            for link in (self._out if is_out else self._in).get(one, ()):
                if not types or link.type in types:
                    yield one, link, self._vertices[link.target if is_out else link.source]

    def count_nodes(self) -> dict[tuple[str, ...], int]:
        """How many nodes there are with each set of labels."""
        return dict(Counter(vertex.labels for vertex in self._vertices.values()))

    def count_edges(self, types: Sequence[str]) -> dict[str, int]:
        """How many edges there are of each type."""
        counts: dict[str, int] = {}
        for links in self._out.values():
            for link in links:
                if not types or link.type in types:
                    counts[link.type] = counts.get(link.type, 0) + 1
        return counts


def _vertex(node: Node) -> Vertex:
    return Vertex(node.id, labels_in(node.kind), node.name, node.document_id, node.properties)


def _link(edge: Edge) -> Link:
    key = (edge.source, edge.relation, edge.target, edge.document_id or "")
    return Link(key, edge.confidence, edge.properties)


async def run_query(held: Project, selection: Selection, inquiry: Inquiry) -> Answer:
    """The rows of a read-only query; see the port."""
    reading = MemoryReading(held, selection, inquiry.relations)
    cancelled = asyncio.Event()
    task = asyncio.create_task(asyncio.to_thread(ask, inquiry, reading, cancelled.is_set))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        cancelled.set()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
        raise
