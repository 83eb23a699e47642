"""Walking a graph level by level: the same rule for every engine that can list edges."""

from collections.abc import Callable, Iterable, Sequence

from commonplace.domain.graph import Edge, Neighbour, Node

Touching = Callable[[Sequence[str]], Iterable[tuple[str, Edge, Node]]]
"""Every edge that touches these nodes: the one of them it touches, the edge, the other end."""


def _rank(edge: Edge) -> tuple[float, str, str, str, str]:
    return (-edge.confidence, edge.relation, edge.source, edge.target, edge.document_id or "")


def walk(touching: Touching, origins: Sequence[str], hops: int) -> list[Neighbour]:
    """Every node within ``hops`` of each origin, once an origin, by its surest shortest edge.

    Nearest first, then by id. Each level asks ``touching`` once for all origins together.
    """
    reached = {origin: {origin} for origin in origins}
    frontier = {origin: {origin} for origin in origins}
    found: list[Neighbour] = []
    for hop in range(1, hops + 1):
        here = sorted(set().union(*frontier.values()))
        if not here:
            break
        steps: dict[str, list[tuple[Edge, Node]]] = {}
        for near, edge, node in touching(here):
            steps.setdefault(near, []).append((edge, node))
        for origin, nodes in frontier.items():
            level = _nearest(steps, nodes, reached[origin])
            found += [Neighbour(node=n, edge=e, hops=hop, origin=origin) for e, n in level]
            frontier[origin] = {node.id for _, node in level}
            reached[origin] |= frontier[origin]
    return sorted(found, key=lambda n: (n.hops, n.node.id, n.origin))


def _nearest(
    steps: dict[str, list[tuple[Edge, Node]]], nodes: set[str], reached: set[str]
) -> list[tuple[Edge, Node]]:
    best: dict[str, tuple[Edge, Node]] = {}
    for near in nodes:
        for edge, node in steps.get(near, ()):
            if node.id in reached:
                continue
            known = best.get(node.id)
            if known is None or _rank(edge) < _rank(known[0]):
                best[node.id] = (edge, node)
    return list(best.values())
