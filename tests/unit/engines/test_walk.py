"""Walking a graph gives each node once, by its surest shortest edge."""

from collections.abc import Iterable, Sequence

import pytest

from commonplace.domain.graph import Edge, Node
from commonplace.engines.walk import walk

EDGES = [
    Edge(source="a", target="b", relation="X", project="p", confidence=0.2),
    Edge(source="b", target="a", relation="Y", project="p", confidence=0.9),
    Edge(source="b", target="c", relation="X", project="p"),
    Edge(source="a", target="c", relation="X", project="p", confidence=0.1),
    Edge(source="c", target="c", relation="X", project="p"),
]


def touching(frontier: Sequence[str]) -> Iterable[tuple[str, Edge, Node]]:
    for edge in EDGES:
        for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
            if near in frontier:
                yield near, edge, Node(id=far, project="p", kind="Thing", name=far)


@pytest.mark.requirement("ENG-13")
def test_a_node_is_reached_by_the_surest_of_the_shortest_edges() -> None:
    found = walk(touching, ["a"], 5)
    assert [(n.node.id, n.hops, n.edge.confidence) for n in found] == [("b", 1, 0.9), ("c", 1, 0.1)]


@pytest.mark.requirement("ENG-13")
@pytest.mark.parametrize("hops", [0, -1])
def test_no_hops_reach_nothing(hops: int) -> None:
    assert walk(touching, ["a"], hops) == []
