"""Paths of variable length from a node: depth first, no edge twice."""

from collections.abc import Callable, Iterator

from commonplace.cypher.guard import Guard
from commonplace.cypher.nearby import Nearby, Step
from commonplace.cypher.syntax import Direction, EdgePattern
from commonplace.cypher.values import Link, Vertex

Walk = tuple[list[Link], list[Vertex]]


def most_edges(edge: EdgePattern, guard: Guard) -> int | None:
    """The longest path the pattern and the caller's limit allow; None for any length."""
    bounds = [one for one in (edge.high, guard.limits.max_depth) if one is not None]
    return min(bounds) if bounds else None


def walks(
    nearby: Nearby,
    guard: Guard,
    pattern: tuple[EdgePattern, Direction],
    start: Vertex,
    is_wanted: Callable[[Link], bool],
) -> Iterator[Walk]:
    """Every path the pattern allows, with its edges and nodes in the order walked."""
    edge, direction = pattern
    high = most_edges(edge, guard)
    if edge.low == 0:
        yield [], [start]
    if high == 0 or (high is not None and edge.low > high):
        guard.reach(high, edge.high)
        return
    links: list[Link] = []
    nodes = [start]
    used: set[object] = set()
    nearby.load([start.id], direction, edge.types)
    stack: list[Iterator[Step]] = [nearby.steps(start.id, direction, edge.types)]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            nodes.pop()
            if links:
                used.discard(links.pop().key)
            continue
        guard.tick()
        link, vertex = step
        if link.key in used or not is_wanted(link):
            continue
        links.append(link)
        nodes.append(vertex)
        if len(links) >= edge.low:
            guard.tick(len(links) // 16)
            yield list(links), list(nodes)
        if high is not None and len(links) >= high:
            guard.reach(len(links), edge.high)
            links.pop()
            nodes.pop()
            continue
        used.add(link.key)
        stack.append(nearby.steps(vertex.id, direction, edge.types))
