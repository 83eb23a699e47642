"""What every engine promises of its graph and its small values."""

import pytest

from commonplace.engines.base import Store
from tests.contract.engine_making import (
    make_entry,
    make_node,
    reached,
    relate,
)


@pytest.mark.requirement("ENG-13")
async def test_the_graph_is_walked_in_both_directions(store: Store) -> None:
    nodes = [make_node(name) for name in "abcde"]
    edges = [relate("a", "b"), relate("c", "b"), relate("c", "d", "OTHER"), relate("d", "missing")]
    await store.graph.merge(nodes, edges)
    assert await reached(store, "a") == ["b"]
    assert await reached(store, "a", hops=2) == ["b", "c"]
    assert await reached(store, "a", hops=9) == ["b", "c", "d"]
    assert await reached(store, "a", "LINKS_TO", hops=9) == ["b", "c"]
    assert await reached(store, "e", hops=3) == []
    assert await reached(store, "missing", hops=3) == []
    near = await store.graph.neighbours("default", ["a", "d"], [], 2)
    assert [(n.origin, n.node.id, n.hops) for n in near] == [
        ("a", "b", 1),
        ("d", "c", 1),
        ("d", "b", 2),
        ("a", "c", 2),
    ]


@pytest.mark.requirement("ENG-13")
async def test_merging_replaces_and_removing_takes_the_edges(store: Store) -> None:
    await store.graph.merge([make_node("a"), make_node("b")], [relate("a", "b", confidence=0.5)])
    better = make_node("a", name="A new name", properties={"n": 1, "f": 1.5, "t": True, "x": None})
    await store.graph.merge([better], [relate("a", "b", confidence=0.9)])
    assert await store.graph.nodes("default", ["b", "a", "z"]) == [make_node("b"), better]
    near = await store.graph.neighbours("default", ["a"], [], 1)
    assert [n.edge.confidence for n in near] == [0.9]
    await store.graph.remove("default", ["b"])
    await store.graph.merge([make_node("b")], [])
    assert await reached(store, "a") == []


@pytest.mark.requirement("ENG-13")
async def test_links_of_others_to_a_document_survive_its_rewriting(store: Store) -> None:
    target = make_entry("a.md", ["x"], id="d1", nodes=[make_node("n1", document_id="d1")])
    source = make_entry(
        "b.md",
        ["y"],
        id="d2",
        nodes=[make_node("n2", document_id="d2")],
        edges=[relate("n2", "n1", document_id="d2")],
    )
    await store.passages.write([target, source])
    await store.passages.write([target])
    assert await reached(store, "n2") == ["n1"]
    await store.passages.remove("default", ["d1"])
    assert await reached(store, "n2") == []


@pytest.mark.requirement("GRAPH-E01")
async def test_a_shared_node_goes_with_the_last_document_that_states_it(store: Store) -> None:
    both = [
        make_entry(
            f"{name}.md",
            [name],
            id=name,
            nodes=[make_node("own" + name, document_id=name), make_node("shared")],
            edges=[relate("own" + name, "shared", "MENTIONS", document_id=name)],
        )
        for name in ("d1", "d2")
    ]
    alone = make_node("alone")
    await store.graph.merge([alone], [])
    await store.passages.write(both)
    await store.passages.write(both[:1])
    assert await reached(store, "shared") == ["ownd1", "ownd2"]
    await store.passages.remove("default", ["d1"])
    assert await reached(store, "shared") == ["ownd2"]
    await store.passages.write([make_entry("d2.md", ["d2"], id="d2")])
    assert await store.graph.nodes("default", ["shared", "ownd2", "alone"]) == [alone]


@pytest.mark.requirement("GRAPH-E01")
async def test_an_edge_waits_for_the_node_it_leads_to(store: Store) -> None:
    early = make_entry(
        "a.md",
        ["x"],
        id="d1",
        nodes=[make_node("n1", document_id="d1")],
        edges=[relate("n1", "n2", document_id="d1")],
    )
    await store.passages.write([early])
    assert await reached(store, "n1") == []
    late = make_entry("b.md", ["y"], id="d2", nodes=[make_node("n2", document_id="d2")])
    await store.passages.write([late])
    assert await reached(store, "n1") == ["n2"]


@pytest.mark.requirement("ENG-14")
async def test_values_live_until_they_expire(store: Store) -> None:
    keyvalue = store.keyvalue
    await keyvalue.put("space", "b", b"\x00\xff", ttl_s=3600)
    await keyvalue.put("space", "a", b"")
    await keyvalue.put("space", "gone", b"x", ttl_s=0)
    await keyvalue.put("other", "c", b"x")
    assert await keyvalue.get("space", "b") == b"\x00\xff"
    assert await keyvalue.get("space", "a") == b""
    assert await keyvalue.get("space", "gone") is None
    assert await keyvalue.keys("space") == ["a", "b"]
    assert await keyvalue.keys("space", "b") == ["b"]
    assert (await keyvalue.append("space", "b", b"\x01\x00")).size_bytes == 4
    assert (await keyvalue.append("space", "new", b"\x00")).size_bytes == 1
    assert await keyvalue.get("space", "b") == b"\x00\xff\x01\x00"
    assert await keyvalue.expire("space", "b", 60) is True
    assert await keyvalue.expire("space", "b") is True
    assert await keyvalue.expire("space", "b") is False
    assert await keyvalue.keys("space") == ["a", "new"]


@pytest.mark.requirement("ENG-14")
async def test_one_lease_has_one_holder(store: Store) -> None:
    claim = store.keyvalue.claim
    assert await claim("jobs", "lease", b"me", 60)
    assert not await claim("jobs", "lease", b"you", 60)
    assert await claim("jobs", "lease", b"me", 0), "the holder renews it, here to end at once"
    assert await claim("jobs", "lease", b"you", 60)


@pytest.mark.requirement("ENG-47")
async def test_ids_are_found_by_their_beginnings(store: Store) -> None:
    many = [f"s12{number:02}" for number in range(12)]
    mine = [make_node(one) for one in ("s1", "s2", "s20", "s\u00e9", "S2", *many)]
    other = make_node("s29", project="other")
    await store.graph.merge([*mine, other], [relate("s1", "s2missing")])
    found = await store.graph.complete("default", ["s2", "s20", "s12", "s\u00e9", "x", "s2%"])
    assert found == {"s2": ["s2", "s20"], "s20": ["s20"], "s12": many[:10], "s\u00e9": ["s\u00e9"]}
    assert await store.graph.complete("nobody", ["s"]) == {}
    assert await store.graph.complete("default", []) == {}
