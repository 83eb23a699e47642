"""A document of code is written twice: its symbols first, its text later."""

from dataclasses import replace

import pytest

from commonplace.domain.graph import Edge, Node
from commonplace.engines.base import Entry, Part, Store
from tests.contract.engine_making import ids, make_entry, make_node, relate, unit_rows


def symbols(entry: Entry, *names: str) -> Entry:
    """The part that is the graph: a module with these functions, and a library they share."""
    own = entry.card.id
    nodes = [make_node(own, document_id=own, kind="Module"), make_node("library")]
    nodes += [make_node(name, document_id=own, kind="Function") for name in names]
    edges = [relate(own, name, "CONTAINS", document_id=own) for name in names]
    return part(entry, "graph", nodes, edges)


def text(entry: Entry, home: str) -> Entry:
    """The part that is the text: passages under one symbol."""
    own = entry.card.id
    nodes = [make_node(one, document_id=own, kind="Passage") for one in ids(entry)]
    edges = [relate(home, one, "HAS_PASSAGE", document_id=own) for one in ids(entry)]
    return part(entry, "text", nodes, edges)


def part(entry: Entry, name: Part, nodes: list[Node], edges: list[Edge]) -> Entry:
    return replace(entry, part=name, nodes=nodes, edges=edges)


async def state(store: Store, entry: Entry) -> tuple[list[str], list[str], set[str]]:
    """Passages, nodes and edges there are of a document."""
    (found,) = await store.passages.entries("default", [entry.card.id])
    edges = {f"{one.source}-{one.relation}-{one.target}" for one in found.edges}
    return ids(found), sorted(node.id for node in found.nodes), edges


@pytest.mark.requirement("CIX-01")
async def test_symbols_are_written_first_and_text_is_added_to_them(store: Store) -> None:
    entry = make_entry("a.py", ["def f(): ...\n"], vectors={"m": unit_rows(1)})
    own, (passage,) = entry.card.id, ids(entry)
    await store.passages.write([symbols(replace(entry, passages=(), vectors={}), "f")])
    assert await state(store, entry) == ([], sorted([own, "f", "library"]), {f"{own}-CONTAINS-f"})
    await store.passages.write([text(entry, "f")])
    passages, nodes, edges = await state(store, entry)
    assert passages == [passage]
    assert nodes == sorted([own, "f", "library", passage])
    assert edges == {f"{own}-CONTAINS-f", f"f-HAS_PASSAGE-{passage}"}
    stats = await store.passages.stats("default")
    assert (stats.documents, stats.passages, stats.coverage[0].embedded) == (1, 1, 1)


@pytest.mark.requirement("CIX-01")
async def test_new_symbols_leave_text_and_its_vectors_until_new_text_comes(store: Store) -> None:
    entry = make_entry("a.py", ["def f(): ...\n"], vectors={"m": unit_rows(1)})
    own, (passage,) = entry.card.id, ids(entry)
    await store.passages.write([symbols(replace(entry, passages=(), vectors={}), "f")])
    await store.passages.write([text(entry, own)])
    await store.passages.write([symbols(replace(entry, passages=(), vectors={}), "g")])
    passages, nodes, edges = await state(store, entry)
    assert (passages, nodes) == ([passage], sorted([own, "g", "library", passage]))
    assert edges == {f"{own}-CONTAINS-g", f"{own}-HAS_PASSAGE-{passage}"}
    assert (await store.passages.stats("default")).coverage[0].embedded == 1
    longer = make_entry("a.py", ["def f(): ...\n", "def g(): ...\n"])
    await store.passages.write([text(longer, "g")])
    passages, nodes, edges = await state(store, entry)
    assert passages == ids(longer)
    assert nodes == sorted([own, "g", "library", *ids(longer)])
    assert edges == {f"{own}-CONTAINS-g", *(f"g-HAS_PASSAGE-{one}" for one in ids(longer))}
    assert (await store.passages.stats("default")).coverage[0].embedded == 1


@pytest.mark.requirement("CIX-01")
async def test_a_shared_node_outlives_new_text_and_goes_with_the_document(store: Store) -> None:
    entry = make_entry("a.py", ["def f(): ...\n"])
    await store.passages.write([symbols(replace(entry, passages=()), "f"), text(entry, "f")])
    assert [one.id for one in await store.graph.nodes("default", ["library"])] == ["library"]
    await store.passages.remove("default", [entry.card.id])
    assert await store.graph.nodes("default", ["library", "f", *ids(entry)]) == []
