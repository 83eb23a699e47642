"""Documents are read back as they were written, so that an index can be moved."""

from dataclasses import replace

import pytest

from commonplace.engines.base import Entry, Store
from tests.contract.engine_making import ids, make_entry, make_node, relate, unit_rows


def whole(path: str, texts: list[str]) -> Entry:
    """A document with passages, nodes of its own and shared ones, and edges."""
    entry = make_entry(
        path, texts, tags=("x",), repository="r", vectors={"m": unit_rows(len(texts))}
    )
    own = entry.card.id
    nodes = [
        make_node(own, document_id=own, kind="Document"),
        make_node("shared", properties={"weight": 2, "is_sure": True}),
    ]
    edges = [
        relate(own, "shared", "MENTIONS", document_id=own, confidence=0.5),
        relate(own, "elsewhere", "LINKS_TO", document_id=own, properties={"text": "ä"}),
    ]
    return replace(entry, nodes=nodes, edges=edges)


@pytest.mark.requirement("ENG-18")
async def test_documents_are_read_back_as_written_also_without_passages(store: Store) -> None:
    full, empty, plain = (
        whole("a.md", ["Alpha ", "beta"]),
        whole("b.md", []),
        make_entry("c.md", []),
    )
    await store.passages.write([full, empty, plain])
    await store.passages.write([make_entry("a.md", ["Other"], project="other")])
    asked = [entry.card.id for entry in (plain, full, empty)]
    found = await store.passages.entries("default", [*asked, "unknown", asked[0]])
    assert [one.card for one in found] == [plain.card, full.card, empty.card]
    assert [list(one.passages) for one in found] == [[], list(full.passages), []]
    for one, written in zip(found, (plain, full, empty), strict=True):
        assert list(one.nodes) == sorted(written.nodes, key=lambda node: node.id)
        assert {(e.source, e.relation, e.target): e for e in one.edges} == {
            (e.source, e.relation, e.target): e for e in written.edges
        }
        assert one.vectors == {}
    assert await store.passages.entries("nowhere", asked) == []


@pytest.mark.requirement("ENG-18")
async def test_what_is_pending_can_be_asked_of_some(store: Store) -> None:
    first, second = make_entry("a.md", ["one ", "two "]), make_entry("b.md", ["three "])
    await store.passages.write([first, second])
    one, two = ids(first)
    (three,) = ids(second)
    await store.passages.embed("default", "m", [two], unit_rows(1))

    async def pending(limit: int, among: list[str]) -> list[str]:
        found = await store.passages.pending("default", "m", limit, among)
        return [place.passage.id for place in found]

    assert await pending(9, [one, two, three, "p-gone", one]) == [one, three]
    assert await pending(1, [three, one]) == [three]
    assert await pending(9, []) == []
