"""Courses that follow some relations along their edges and others against them."""

import pytest

from commonplace.domain.course import Course
from commonplace.domain.graph import Edge
from commonplace.engines.base import Store
from tests.contract.engine_making import WHOLE, make_node

FLOW = Course(relations=frozenset({"WRITES", "FLOWS_TO"}), backward=frozenset({"READS"}), depth=9)


async def tables(store: Store) -> None:
    """One function reads a and writes b, another writes a; a flows to c, which a third reads."""
    names = ("a", "b", "c", "reader", "writer", "last")
    edges = [
        ("reader", "READS", "a"),
        ("reader", "WRITES", "b"),
        ("writer", "WRITES", "a"),
        ("a", "FLOWS_TO", "c"),
        ("last", "READS", "c"),
    ]
    await store.graph.merge(
        [make_node(name) for name in names],
        [Edge(source=s, relation=r, target=t, project="default") for s, r, t in edges],
    )


async def reached(store: Store, start: str, course: Course) -> list[tuple[str, int, str]]:
    found = await store.graph.follow(WHOLE, [start], course)
    return [(step.node.id, step.depth, step.way) for step in found.steps]


@pytest.mark.requirement("ENG-44")
async def test_each_relation_is_followed_its_own_way(store: Store) -> None:
    await tables(store)
    assert await reached(store, "writer", FLOW) == [
        ("a", 1, "out"),
        ("c", 2, "out"),
        ("reader", 2, "in"),
        ("b", 3, "out"),
        ("last", 3, "in"),
    ]
    back = Course(relations=FLOW.backward, backward=FLOW.relations, depth=9)
    assert await reached(store, "c", back) == [("a", 1, "in"), ("writer", 2, "in")]


@pytest.mark.requirement("ENG-44")
async def test_who_was_reached_as_a_reader_is_not_left_as_a_writer(store: Store) -> None:
    await tables(store)
    barred = Course(
        relations=FLOW.relations,
        backward=FLOW.backward,
        depth=9,
        barred=frozenset({"READS", "WRITES"}),
    )
    assert [one for one, _, _ in await reached(store, "a", barred)] == ["c", "reader", "last"]
    assert "b" in [one for one, _, _ in await reached(store, "reader", barred)], "a start may be"
