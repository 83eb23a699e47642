"""Every engine keeps the promises of the three ports."""

import asyncio
from datetime import timedelta, timezone

import numpy as np
import pytest

from commonplace.domain.errors import EmbeddingMismatch, StoreError
from commonplace.domain.query import Query
from commonplace.engines.base import Store
from tests.contract.engine_making import (
    MOMENT,
    WHOLE,
    ask,
    found,
    ids,
    make_entry,
    make_node,
    reached,
    relate,
    unit_rows,
)


@pytest.mark.requirement("ENG-01")
async def test_what_was_written_is_read_back_whole(store: Store) -> None:
    entry = make_entry(
        "a.md",
        ["Alpha beta. ", "Gämma 東京都 – de\u0301lta \U0001f600\r\n"],
        tags=("x", "y"),
        repository="r",
        environment="dev",
        modified_at=MOMENT.astimezone(timezone(timedelta(hours=5))),
    )
    await store.passages.write([entry])
    places = await store.passages.get(WHOLE, [*ids(entry)[::-1], "p-unknown"])
    assert [place.passage for place in places] == list(entry.passages)[::-1]
    assert places[0].card == entry.card
    assert "".join(
        place.passage.text for place in await store.passages.read(WHOLE, entry.card.id, range(99))
    ) == "".join(passage.text for passage in entry.passages)
    assert await store.passages.projects() == ["default"]


@pytest.mark.requirement("ENG-01")
async def test_passages_are_read_by_ordinal(store: Store) -> None:
    entry = make_entry("a.md", ["zero ", "one ", "two ", "three "])
    await store.passages.write([entry])

    async def read(ordinals: range) -> list[int]:
        places = await store.passages.read(WHOLE, entry.card.id, ordinals)
        return [place.passage.ordinal for place in places]

    assert await read(range(1, 3)) == [1, 2]
    assert await read(range(0, 10**30, 2)) == [0, 2]
    assert await read(range(-5, 1)) == [0]
    assert await read(range(0)) == []


@pytest.mark.requirement("ENG-02")
async def test_rewriting_a_document_drops_its_old_passages(store: Store) -> None:
    old = make_entry("a.md", ["apple pie ", "banana split "])
    new = make_entry("a.md", ["cherry cake ", "banana split "])
    await store.passages.write([old])
    await store.passages.write([new])
    assert await found(store, ask("apple")) == []
    assert await found(store, ask("banana")) == ids(new)[1:]
    assert (await store.passages.stats("default")).passages == 2
    assert await store.passages.get(WHOLE, ids(old)[:1]) == []


@pytest.mark.requirement("ENG-02")
async def test_a_new_title_or_heading_is_searchable_though_the_text_stayed(store: Store) -> None:
    await store.passages.write([make_entry("a.md", ["text "], title="Walnut", headings=("Hazel",))])
    entry = make_entry("a.md", ["text "], title="Pecan", headings=("Maple",))
    await store.passages.write([entry])
    for gone in ("walnut", "hazel"):
        assert await found(store, ask(gone)) == []
    for there in ("pecan", "maple"):
        assert await found(store, ask(there)) == ids(entry)


@pytest.mark.requirement("ENG-03")
async def test_a_removed_document_leaves_nothing(store: Store) -> None:
    rows = unit_rows(2)
    nodes = [make_node("n1", document_id="d1"), make_node("n2", document_id="d1")]
    entry = make_entry(
        "a.md",
        ["apple ", "pear "],
        id="d1",
        vectors={"m": rows},
        nodes=nodes,
        edges=[relate("n1", "n2", document_id="d1")],
    )
    await store.passages.write([entry])
    await store.passages.remove("default", ["d1", "d-unknown"])
    assert await found(store, ask("apple")) == []
    assert await store.passages.dense("m", rows[0], WHOLE, 5) == []
    assert await store.graph.nodes("default", ["n1", "n2"]) == []
    stats = await store.passages.stats("default")
    assert (stats.documents, stats.passages, stats.coverage) == (0, 0, ())
    assert await store.passages.projects() == []
    assert await store.passages.fingerprints("default", "s1") == {}


@pytest.mark.requirement("ENG-04")
async def test_a_write_is_all_or_nothing(store: Store) -> None:
    good = make_entry("good.md", ["fine "], vectors={"m": unit_rows(1)})
    bad = make_entry("bad.md", ["fine "], vectors={"m": unit_rows(1, dimension=4)})
    with pytest.raises(EmbeddingMismatch, match="dimensions"):
        await store.passages.write([good, bad])
    assert await store.passages.projects() == []
    assert await found(store, ask("fine")) == []


@pytest.mark.requirement("ENG-04")
async def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    first, second = make_entry("a.md", ["apple "]), make_entry("b.md", ["pear "])

    async def write_and_fail() -> None:
        async with store.transaction():
            await store.passages.write([first])
            await store.keyvalue.put("space", "key", b"value")
            async with store.transaction():
                await store.passages.write([second])
            assert await found(store, ask("pear")) == ids(second), "own writes are seen"
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        await write_and_fail()
    assert await store.passages.projects() == []
    assert await store.keyvalue.get("space", "key") is None
    async with store.transaction():
        await store.passages.write([first])
        await store.passages.write([second])
    assert (await store.passages.stats("default")).documents == 2


@pytest.mark.requirement("ENG-04")
async def test_a_failed_write_inside_a_transaction_leaves_the_others(store: Store) -> None:
    good = make_entry("good.md", ["fine "], vectors={"m": unit_rows(1)})
    bad = make_entry("bad.md", ["broken "], vectors={"m": unit_rows(1, dimension=4)})
    async with store.transaction():
        await store.passages.write([good])
        with pytest.raises(EmbeddingMismatch):
            await store.passages.write([bad])
    assert (await store.passages.stats("default")).documents == 1
    assert await found(store, ask("broken")) == []


@pytest.mark.requirement("ENG-04")
async def test_writes_of_other_tasks_wait_for_a_transaction(store: Store) -> None:
    async with store.transaction():
        other = asyncio.create_task(store.passages.write([make_entry("b.md", ["pear "])]))
        await store.passages.write([make_entry("a.md", ["apple "])])
    await other
    assert (await store.passages.stats("default")).documents == 2


@pytest.mark.requirement("ENG-05")
async def test_vectors_of_unchanged_passages_survive_an_edit(store: Store) -> None:
    rows = unit_rows(2)
    await store.passages.write(
        [make_entry("a.md", ["same ", "old "], vectors={"fast": rows, "slow": rows})]
    )
    new = make_entry("a.md", ["new ", "same "], vectors={"fast": unit_rows(2, seed=5)})
    await store.passages.write([new])
    hits = await store.passages.dense("slow", rows[0], WHOLE, 5)
    assert [hit.passage_id for hit in hits] == ids(new)[1:]
    assert [p.passage.id for p in await store.passages.pending("default", "slow", 9)] == ids(new)[
        :1
    ]
    coverage = (await store.passages.stats("default")).coverage
    assert {(c.model, c.embedded, c.total) for c in coverage} == {("fast", 2, 2), ("slow", 1, 2)}


@pytest.mark.requirement("ENG-06")
async def test_embedding_later_makes_passages_found_and_keeps_the_generation(store: Store) -> None:
    entry = make_entry("a.md", ["one ", "two ", "three "])
    newer = make_entry("b.md", ["four "])
    await store.passages.write([entry, newer])
    before = await store.passages.stats("default")
    pending = [place.passage.id for place in await store.passages.pending("default", "m", 2)]
    assert pending == [*ids(newer), ids(entry)[0]]
    rows = unit_rows(3)
    await store.passages.embed("default", "m", [*pending, "p-gone"], rows)
    hits = await store.passages.dense("m", rows[1], WHOLE, 9)
    assert hits[0].passage_id == pending[1]
    assert len(hits) == 2
    after = await store.passages.stats("default")
    assert after.generation == before.generation
    assert [(c.embedded, c.total) for c in after.coverage] == [(2, 4)]


@pytest.mark.requirement("ENG-31")
async def test_vectors_of_a_model_are_forgotten_and_no_others(store: Store) -> None:
    rows, other = unit_rows(2), unit_rows(2, seed=3)
    entry = make_entry("a.md", ["one ", "two "], vectors={"old": rows, "new": other})
    there = make_entry("a.md", ["one "], project="org/b", vectors={"old": unit_rows(1)})
    await store.passages.write([entry, there])
    await store.passages.prepare("default")
    for _ in range(2):  # what is forgotten can be forgotten again
        await store.passages.forget("default", "old")
        await store.passages.forget("default", "never")
        await store.passages.forget("no/such", "old")
    assert await store.passages.dense("old", rows[0], WHOLE, 5) == []
    assert len(await store.passages.dense("new", other[0], WHOLE, 5)) == 2
    coverage = (await store.passages.stats("default")).coverage
    assert [(one.model, one.embedded) for one in coverage] == [("new", 2)]
    assert [one.model for one in (await store.passages.stats("org/b")).coverage] == ["old"]
    word = await store.passages.lexical(Query(text="two", terms=("two",)), WHOLE, 5)
    assert [hit.passage_id for hit in word] == ids(entry)[1:]
    shorter = np.ascontiguousarray(rows[:, :8])
    await store.passages.embed("default", "old", ids(entry), shorter)
    assert len(await store.passages.dense("old", shorter[0], WHOLE, 5)) == 2


@pytest.mark.requirement("ENG-06")
async def test_the_generation_grows_with_every_write_and_removal(store: Store) -> None:
    seen = [(await store.passages.stats("default")).generation]
    entry = make_entry("a.md", ["one "])
    for _ in range(2):
        await store.passages.write([entry])
        seen.append((await store.passages.stats("default")).generation)
    await store.passages.remove("default", [entry.card.id])
    seen.append((await store.passages.stats("default")).generation)
    assert seen == sorted(set(seen))


@pytest.mark.requirement("ENG-12")
async def test_fingerprints_tell_what_is_indexed_of_a_source(store: Store) -> None:
    mine, other = make_entry("a.md", ["x"]), make_entry("b.md", ["x"], source_id="s2")
    await store.passages.write([mine, other])
    prints = await store.passages.fingerprints("default", "s1")
    assert list(prints) == [mine.card.uri]
    assert prints[mine.card.uri].content_hash == mine.card.content_hash
    assert prints[mine.card.uri].modified_at == mine.card.modified_at


@pytest.mark.requirement("ENG-15")
async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="open it again"):
        await store.passages.projects()
    with pytest.raises(StoreError, match="open it again"):
        await store.keyvalue.put("space", "key", b"")


@pytest.mark.requirement("ENG-15")
async def test_an_empty_store_answers_everything_with_nothing(store: Store) -> None:
    assert await store.passages.projects() == []
    assert (await store.passages.stats("default")).generation == 0
    assert await found(store, ask("word")) == []
    assert await store.passages.dense("m", unit_rows(1)[0], WHOLE, 5) == []
    assert await store.passages.pending("default", "m", 5) == []
    await store.passages.write([])
    await store.passages.remove("default", ["d"])
    await store.passages.embed("default", "m", ["p"], unit_rows(1))
    await store.graph.remove("default", ["n"])
    assert await reached(store, "n") == []
    await store.passages.write([make_entry("empty.md", [])])
    assert (await store.passages.stats("default")).documents == 1
