"""What every engine promises of walks: bounds, order, and what a selection may see."""

import pytest

from commonplace.domain.scope import Selection
from commonplace.domain.walk import Expansion, Reach, Trails
from commonplace.engines.base import Store
from tests.contract.engine_making import WHOLE, make_entry, make_node, relate

RED = Selection(project="default", tags=(frozenset({"red"}),))


def ids(expansion: Expansion) -> list[str]:
    return [one.node.id for one in expansion.reached]


def ways(trails: Trails) -> list[str]:
    return ["-".join(node.id for node in trail.nodes) for trail in trails.trails]


async def chain(store: Store) -> None:
    """a → b → c → d, a ⇒ d by another relation, and a node of its own."""
    nodes = [make_node(name, kind="Even" if name in "bd" else "Odd") for name in "abcde"]
    edges = [relate("a", "b"), relate("b", "c"), relate("c", "d")]
    await store.graph.merge(nodes, [*edges, relate("a", "d", "SAME_AS", confidence=0.3)])


@pytest.mark.requirement("GRAPH-T21")
async def test_a_walk_keeps_direction_relations_kinds_and_hops(store: Store) -> None:
    await chain(store)

    async def reached(start: str, **reach: object) -> list[str]:
        return ids(await store.graph.expand(WHOLE, [start], Reach(**reach)))  # type: ignore[arg-type]

    assert await reached("b") == ["a", "c"]
    assert await reached("b", direction="out") == ["c"]
    assert await reached("b", direction="in") == ["a"]
    assert await reached("a", direction="out") == ["b", "d"]
    assert await reached("a", relations=frozenset({"LINKS_TO"})) == ["b"]
    assert await reached("a", relations=frozenset({"NEVER"})) == []
    assert await reached("a", hops=2, relations=frozenset({"LINKS_TO"})) == ["b", "c"]
    assert await reached("a", hops=3, kinds=frozenset({"Odd"})) == ["c"]
    assert await reached("a", hops=9) == ["b", "c", "d"]
    assert await reached("e", hops=3) == []
    assert await reached("missing", hops=3) == []


@pytest.mark.requirement("GRAPH-T22")
async def test_what_is_reached_from_several_starts_comes_first(store: Store) -> None:
    nodes = [make_node(name) for name in "abxy"]
    edges = [relate("a", "x", confidence=0.6), relate("b", "x", confidence=0.6), relate("a", "y")]
    await store.graph.merge(nodes, edges)
    found = await store.graph.expand(WHOLE, ["a", "b"], Reach())
    assert ids(found) == ["y", "x"]
    assert found.reached[1].origins == ("a", "b")
    await store.graph.merge([], [relate("b", "x", confidence=0.9)])
    found = await store.graph.expand(WHOLE, ["a", "b"], Reach())
    assert ids(found) == ["x", "y"]
    assert [(one.edge.source, one.way, one.hops) for one in found.reached] == [
        ("b", "out", 1),
        ("a", "out", 1),
    ]


@pytest.mark.requirement("GRAPH-T22")
async def test_hubs_and_far_nodes_count_less(store: Store) -> None:
    leaves = [f"leaf{number}" for number in range(30)]
    nodes = [make_node(name) for name in ["a", "hub", "rare", *leaves]]
    edges = [relate("a", "hub"), relate("a", "rare"), *(relate("hub", leaf) for leaf in leaves)]
    await store.graph.merge(nodes, edges)
    found = await store.graph.expand(WHOLE, ["a"], Reach(hops=2))
    assert ids(found) == ["rare", "hub", *sorted(leaves)]
    assert [one.score for one in found.reached] == sorted(
        (one.score for one in found.reached), reverse=True
    )


@pytest.mark.requirement("GRAPH-T23")
async def test_a_bound_keeps_the_surest_and_is_told(store: Store) -> None:
    leaves = [f"leaf{number:02}" for number in range(40)]
    nodes = [make_node(name) for name in ["a", "hub", *leaves]]
    edges = [relate("hub", leaf, confidence=number / 40) for number, leaf in enumerate(leaves, 1)]
    await store.graph.merge(nodes, [relate("a", "hub"), *edges])
    narrow = await store.graph.expand(WHOLE, ["a"], Reach(hops=2, fan_out=3))
    assert ids(narrow) == ["hub", "leaf39", "leaf38", "leaf37"]
    assert narrow.is_capped
    few = await store.graph.expand(WHOLE, ["hub"], Reach(limit=2, direction="out"))
    assert ids(few) == ["leaf39", "leaf38"]
    assert few.is_capped
    whole = await store.graph.expand(WHOLE, ["hub"], Reach())
    assert len(whole.reached) == 41
    assert not whole.is_capped


@pytest.mark.requirement("GRAPH-T24")
async def test_paths_are_simple_ranked_and_within_reach(store: Store) -> None:
    await chain(store)

    async def paths(starts: str, goals: str, **reach: object) -> list[str]:
        return ways(await store.graph.paths(WHOLE, starts, goals, Reach(**reach)))  # type: ignore[arg-type]

    assert await paths("a", "d", hops=1) == ["a-d"]
    assert await paths("a", "d", hops=3) == ["a-d", "a-b-c-d"]
    assert await paths("d", "a", hops=3) == ["d-a", "d-c-b-a"]
    assert await paths("a", "d", hops=3, relations=frozenset({"LINKS_TO"})) == ["a-b-c-d"]
    assert await paths("d", "a", hops=3, direction="out") == []
    assert await paths("d", "a", hops=3, direction="in") == ["d-a", "d-c-b-a"]
    assert await paths("a", "d", hops=3, limit=1) == ["a-d"]
    assert await paths("ab", "cd", hops=2) == ["b-c", "a-d"]
    assert await paths("a", "e", hops=6) == []
    assert await paths("a", "a", hops=6) == []


@pytest.mark.requirement("GRAPH-T24")
async def test_paths_take_the_surest_of_parallel_edges(store: Store) -> None:
    edges = [relate("a", "b", confidence=0.2), relate("b", "a", "SAME_AS", confidence=0.9)]
    await store.graph.merge([make_node("a"), make_node("b")], edges)
    (trail,) = (await store.graph.paths(WHOLE, ["a"], ["b"], Reach(hops=2))).trails
    assert (trail.edges[0].relation, trail.ways, trail.score) == ("SAME_AS", ("in",), 0.9)


@pytest.mark.requirement("GRAPH-T25")
async def test_two_hubs_are_joined_where_they_meet(store: Store) -> None:
    """Of a thousand neighbours each, one is common, and it is the least sure of both."""
    left, right = ([f"{side}{n}" for n in range(1000)] for side in "lr")
    nodes = [make_node(name) for name in ["A", "B", "meet", *left, *right]]
    edges = [relate(one, "A") for one in left] + [relate(one, "B") for one in right]
    edges += [relate("meet", "A", confidence=0.1), relate("meet", "B", confidence=0.1)]
    await store.graph.merge(nodes, edges)
    assert ways(await store.graph.paths(WHOLE, ["A"], ["B"], Reach(hops=2))) == ["A-meet-B"]
    assert ways(await store.graph.paths(WHOLE, ["meet"], ["B"], Reach(hops=1))) == ["meet-B"]


@pytest.mark.requirement("GRAPH-T26")
async def test_a_node_is_described_with_its_edges_counted(store: Store) -> None:
    await chain(store)
    await store.graph.merge([], [relate("c", "nobody")])
    d, c = await store.graph.describe(WHOLE, ["d", "missing", "c", "d"])
    assert (d.node.id, d.edges_out, d.edges_in) == ("d", {}, {"LINKS_TO": 1, "SAME_AS": 1})
    assert (c.node.id, c.edges_out, c.edges_in) == ("c", {"LINKS_TO": 1}, {"LINKS_TO": 1})


async def two_documents(store: Store) -> None:
    """A red and a blue document that link to each other and share one node."""
    entries = []
    for name, other in (("red", "blue"), ("blue", "red")):
        entries.append(
            make_entry(
                f"{name}.md",
                [name],
                id=name,
                tags=(name,),
                nodes=[
                    make_node(name, kind="Document", document_id=name),
                    make_node(f"{name} part", document_id=name),
                    make_node("shared"),
                    make_node(f"only {name}"),
                ],
                edges=[
                    relate(name, f"{name} part", document_id=name),
                    relate(f"{name} part", "shared", "MENTIONS", document_id=name),
                    relate(f"{name} part", f"only {name}", "MENTIONS", document_id=name),
                    relate(name, other, "LINKS_TO", document_id=name),
                ],
            )
        )
    await store.passages.write(entries)
    await store.graph.merge([make_node("alone")], [relate("shared", "alone")])


@pytest.mark.requirement("GRAPH-T27")
async def test_a_narrow_selection_sees_nothing_of_other_documents(store: Store) -> None:
    await two_documents(store)
    everything = ["red", "blue", "red part", "blue part", "shared", "only blue", "alone"]
    seen = await store.graph.describe(RED, everything)
    assert [one.node.id for one in seen] == ["red", "red part", "shared"]
    assert seen[0].edges_out == {"LINKS_TO": 1}
    assert seen[2].edges_in == {"MENTIONS": 1}
    found = await store.graph.expand(RED, ["red", "shared"], Reach(hops=3))
    assert {*ids(found)} == {"red", "red part", "shared", "only red"}
    assert ids(await store.graph.expand(RED, ["blue", "alone"], Reach(hops=3))) == []
    assert ways(await store.graph.paths(RED, ["red"], ["blue part"], Reach(hops=4))) == []
    assert ways(await store.graph.paths(WHOLE, ["red part"], ["blue part"], Reach(hops=2))) == [
        "red part-shared-blue part"
    ]
    assert len((await store.graph.expand(WHOLE, ["shared"], Reach())).reached) == 3


@pytest.mark.requirement("GRAPH-T27")
async def test_another_projects_graph_is_not_there(store: Store) -> None:
    await store.graph.merge(
        [make_node(name, project="org/b") for name in "ab"], [relate("a", "b", project="org/b")]
    )
    await store.graph.merge([make_node("a")], [])
    assert ids(await store.graph.expand(WHOLE, ["a", "b"], Reach(hops=3))) == []
    assert [one.node.id for one in await store.graph.describe(WHOLE, ["a", "b"])] == ["a"]
    nowhere = Selection(project="org/none")
    assert await store.graph.describe(nowhere, ["a"]) == []
    assert await store.graph.paths(nowhere, ["a"], ["b"], Reach(hops=3)) == Trails()


@pytest.mark.requirement("GRAPH-T28")
async def test_a_write_to_the_graph_is_a_new_generation(store: Store) -> None:
    async def generation() -> int:
        return (await store.passages.stats("default")).generation

    await store.graph.merge([make_node("a")], [])
    first = await generation()
    await store.graph.merge([], [relate("a", "b")])
    second = await generation()
    await store.graph.remove("default", ["a"])
    assert first < second < await generation()
