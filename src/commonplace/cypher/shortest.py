"""Shortest paths: breadth first from one node, to another or to all."""

from collections.abc import Callable, Iterator

from commonplace.cypher.guard import Guard
from commonplace.cypher.nearby import Nearby
from commonplace.cypher.syntax import Direction, EdgePattern, turned
from commonplace.cypher.values import Link, Path, Vertex
from commonplace.cypher.walking import most_edges

Search = tuple[EdgePattern, Direction, bool, Vertex | None]
"""The pattern, its direction from the start, whether all shortest paths count, the goal."""
_Parents = dict[str, list[tuple[Link, Vertex]]]


def shortest_paths(
    nearby: Nearby,
    guard: Guard,
    search: Search,
    start: Vertex,
    is_wanted: Callable[[Link], bool],
) -> Iterator[Path]:
    """One or all shortest paths from the start to the goal, or to every node without one."""
    edge, direction, wants_all, goal = search
    high = most_edges(edge, guard)
    if goal is not None and not wants_all and goal.id != start.id:
        found = _from_both_ends(nearby, guard, search, (start, goal), is_wanted)
        if found is not None:
            yield found
        return
    if edge.low == 0 and (goal is None or goal.id == start.id):
        yield Path([start], [])
    parents: _Parents = {start.id: []}
    level, hops = [start], 0
    while level and (high is None or hops < high):
        hops += 1
        nearby.load((node.id for node in level), direction, edge.types)
        level = _next_level(nearby, guard, search, (level, parents), is_wanted)
        for vertex in level:
            if goal is None or goal.id == vertex.id:
                yield from _paths(parents, guard, vertex, wants_all)
        if goal is not None and goal.id in parents and goal.id != start.id:
            return
    if level:
        guard.reach(hops, edge.high)


def _from_both_ends(
    nearby: Nearby,
    guard: Guard,
    search: Search,
    ends: tuple[Vertex, Vertex],
    is_wanted: Callable[[Link], bool],
) -> Path | None:
    """A shortest path between two nodes: the smaller of two frontiers grows until they meet."""
    edge, direction, _, goal = search
    high = most_edges(edge, guard)
    ways = (search, (edge, turned(direction), False, goal))
    parents: tuple[_Parents, _Parents] = ({ends[0].id: []}, {ends[1].id: []})
    levels, hops = [[ends[0]], [ends[1]]], 0
    while levels[0] and levels[1] and (high is None or hops < high):
        hops += 1
        side = 0 if len(levels[0]) <= len(levels[1]) else 1
        nearby.load((node.id for node in levels[side]), ways[side][1], edge.types)
        place = (levels[side], parents[side])
        levels[side] = _next_level(nearby, guard, ways[side], place, is_wanted)
        for vertex in levels[side]:
            if vertex.id in parents[1 - side]:
                there = next(_paths(parents[0], guard, vertex, False))
                back = next(_paths(parents[1], guard, vertex, False))
                return Path(
                    [*there.nodes, *reversed(back.nodes[:-1])],
                    [*there.links, *reversed(back.links)],
                )
    if levels[0] and levels[1]:
        guard.reach(hops, edge.high)
    return None


def _next_level(
    nearby: Nearby,
    guard: Guard,
    search: Search,
    known: tuple[list[Vertex], _Parents],
    is_wanted: Callable[[Link], bool],
) -> list[Vertex]:
    """The nodes one edge further that were not reached before; ``parents`` learns of them."""
    edge, direction, wants_all, _ = search
    level, parents = known
    reached: dict[str, Vertex] = {}
    for node in level:
        for link, vertex in nearby.steps(node.id, direction, edge.types):
            guard.tick()
            is_known = vertex.id in parents and vertex.id not in reached
            if is_known or not is_wanted(link):
                continue
            if vertex.id not in reached:
                guard.hold()
                reached[vertex.id] = vertex
                parents[vertex.id] = [(link, node)]
            elif wants_all:
                parents[vertex.id].append((link, node))
    return list(reached.values())


def _paths(parents: _Parents, guard: Guard, end: Vertex, wants_all: bool) -> Iterator[Path]:
    """The paths that lead back from the end."""
    stack: list[tuple[list[Vertex], list[Link]]] = [([end], [])]
    while stack:
        nodes, links = stack.pop()
        guard.tick()
        before = parents[nodes[-1].id]
        if not before:
            yield Path(nodes[::-1], links[::-1])
            continue
        for link, node in before if wants_all else before[:1]:
            stack.append(([*nodes, node], [*links, link]))
