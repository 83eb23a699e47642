"""The graph port over dicts."""

from collections.abc import Iterable, Sequence

from commonplace.domain.graph import Edge, Neighbour, Node
from commonplace.engines.check import check_graph
from commonplace.engines.memory.held import Held, Project, edge_key
from commonplace.engines.walk import walk


class MemoryGraph:
    """Nodes and edges; see the port for the promises."""

    def __init__(self, held: Held) -> None:
        self._held = held

    async def merge(self, nodes: Sequence[Node], edges: Sequence[Edge]) -> None:
        """Add or replace nodes by id and edges by (source, relation, target, document)."""
        check_graph(nodes, edges)
        async with self._held.transaction():
            for node in nodes:
                self._held.projects.setdefault(node.project, Project()).nodes[node.id] = node
            for edge in edges:
                self._held.projects.setdefault(edge.project, Project()).edges[edge_key(edge)] = edge
            for name in {one.project for one in (*nodes, *edges)}:
                self._held.projects[name].generation += 1

    async def remove(self, project: str, node_ids: Sequence[str]) -> None:
        """Remove nodes and the edges that touch them."""
        async with self._held.transaction():
            held = self._held.project(project)
            gone = set(node_ids)
            held.nodes = {key: node for key, node in held.nodes.items() if key not in gone}
            held.edges = {
                key: edge
                for key, edge in held.edges.items()
                if not {edge.source, edge.target} & gone
            }
            held.generation += 1

    async def nodes(self, project: str, node_ids: Sequence[str]) -> list[Node]:
        """These nodes in the order asked; unknown ones are left out."""
        held = self._held.project(project).nodes
        return [held[key] for key in dict.fromkeys(node_ids) if key in held]

    async def neighbours(
        self, project: str, node_ids: Sequence[str], relations: Sequence[str], hops: int
    ) -> list[Neighbour]:
        """What can be reached within ``hops`` along either direction; no relation means any."""
        held = self._held.project(project)

        def touching(frontier: Sequence[str]) -> Iterable[tuple[str, Edge, Node]]:
            for edge in held.edges.values():
                if relations and edge.relation not in relations:
                    continue
                for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
                    if near in frontier and far in held.nodes:
                        yield near, edge, held.nodes[far]

        return walk(touching, [key for key in dict.fromkeys(node_ids) if key in held.nodes], hops)
