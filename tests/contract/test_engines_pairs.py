"""What every engine promises of appending to a value under terms."""

import asyncio

import pytest

from commonplace.domain.graph import Node
from commonplace.engines.base import Appended, Store, Terms


@pytest.mark.requirement("MEM-25")
async def test_an_append_joins_what_is_there_and_what_is_added(store: Store) -> None:
    pairs, terms = store.keyvalue, Terms(joint=b"\n", most_bytes=7)
    assert await pairs.append("space", "key", b"one", terms) == Appended(
        is_added=True, size_bytes=3
    )
    assert (await pairs.append("space", "key", b"two", terms)).size_bytes == 7
    assert await pairs.get("space", "key") == b"one\ntwo"


@pytest.mark.requirement("MEM-25")
async def test_an_append_beyond_the_limit_changes_nothing(store: Store) -> None:
    pairs, terms = store.keyvalue, Terms(joint=b"\n", most_bytes=6, ttl_s=3600)
    await pairs.append("space", "key", b"one", terms)
    refused = await pairs.append("space", "key", b"two", terms)
    assert (refused.is_added, refused.size_bytes) == (False, 3)
    assert await pairs.get("space", "key") == b"one"
    assert (await pairs.append("space", "long", b"1234567", terms)).is_added is False
    assert await pairs.get("space", "long") is None


@pytest.mark.requirement("MEM-25")
async def test_an_append_lengthens_a_life_and_never_shortens_it(store: Store) -> None:
    pairs = store.keyvalue
    await pairs.put("space", "key", b"x", 600)
    longer = await pairs.append("space", "key", b"y", Terms(ttl_s=3600))
    assert longer.ttl_s == pytest.approx(3600, abs=5)
    shorter = await pairs.append("space", "key", b"z", Terms(ttl_s=60))
    assert shorter.ttl_s == pytest.approx(3600, abs=5)
    as_it_is = await pairs.append("space", "key", b"z")
    assert as_it_is.ttl_s == pytest.approx(3600, abs=5)
    await pairs.put("space", "stays", b"x")
    assert (await pairs.append("space", "stays", b"y", Terms(ttl_s=60))).ttl_s is None


@pytest.mark.requirement("MEM-25")
async def test_an_expired_value_is_not_appended_to(store: Store) -> None:
    pairs = store.keyvalue
    await pairs.put("space", "key", b"old", ttl_s=0)
    grown = await pairs.append("space", "key", b"new", Terms(joint=b"-", ttl_s=60))
    assert grown.size_bytes == 3
    assert await pairs.get("space", "key") == b"new"


@pytest.mark.requirement("MEM-25")
async def test_of_many_appends_at_once_as_many_are_kept_as_fit(store: Store) -> None:
    pairs, terms = store.keyvalue, Terms(joint=b",", most_bytes=39)
    grown = await asyncio.gather(
        *(pairs.append("space", "key", f"{number:03}".encode(), terms) for number in range(30))
    )
    kept = (await pairs.get("space", "key") or b"").split(b",")
    assert sum(one.is_added for one in grown) == len(kept) == len(set(kept)) == 10


@pytest.mark.requirement("MEM-15")
async def test_nodes_of_a_kind_are_found_by_their_words(store: Store) -> None:
    def context(node_id: str, name: str, kind: str = "Context") -> Node:
        held = {"content": f"{name} with Äpfel"}
        return Node(id=node_id, project="default", kind=kind, name=name, properties=held)

    both, one = context("b", "Drip Line"), context("a", "drip")
    others = [context("c", "hose"), context("d", "drip line", kind="Section")]
    await store.graph.merge([one, both, *others], [])
    match = store.graph.matching
    assert await match("default", "Context", ["drip", "line"], 9) == [both, one]
    assert await match("default", "Context", ["drip", "line"], 1) == [both]
    assert await match("default", "Context", ["pfel"], 2) == [one, both]
    assert await match("other", "Context", ["drip"], 9) == []
