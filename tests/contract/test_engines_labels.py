"""Documents are found by labels beside their tags, and passages take over vectors of others."""

import pytest

from commonplace.domain.errors import InvalidArgument
from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.engines.base import Store
from tests.contract.engine_making import ids, make_entry, make_node, unit_rows


async def tagged(store: Store, *tags: str) -> list[str]:
    """Paths of documents that carry all these tags."""
    selection = Selection(project="default", tags=tuple(frozenset({tag}) for tag in tags))
    found = await store.passages.lexical(Query(text="word", terms=("word",)), selection, 10)
    places = await store.passages.get(selection, [hit.passage_id for hit in found])
    return sorted(place.card.path for place in places)


@pytest.mark.requirement("ENG-32")
async def test_a_label_selects_a_document_beside_its_own_tags(store: Store) -> None:
    first, second = (make_entry(name, [f"word {name}"], tags=("own",)) for name in ("a", "b"))
    await store.passages.write([first, second])
    await store.passages.label("default", {first.card.id: ["given", "own"], "gone": ["given"]})
    assert await tagged(store, "given") == ["a"]
    assert await tagged(store, "given", "own") == ["a"]
    assert await tagged(store, "own") == ["a", "b"]
    (entry,) = await store.passages.entries("default", [first.card.id])
    assert entry.card.tags == ("own",)


@pytest.mark.requirement("ENG-32")
async def test_labels_take_the_place_of_those_before_and_never_of_tags(store: Store) -> None:
    entry = make_entry("a", ["word"], tags=("own",))
    await store.passages.write([entry])
    await store.passages.label("default", {entry.card.id: ["one"]})
    await store.passages.label("default", {entry.card.id: ["two"]})
    assert await tagged(store, "one") == []
    assert await tagged(store, "two") == await tagged(store, "own") == ["a"]
    await store.passages.label("default", {entry.card.id: []})
    assert await tagged(store, "two") == []
    assert await tagged(store, "own") == ["a"]


@pytest.mark.requirement("ENG-32")
async def test_a_document_that_is_written_again_has_no_labels(store: Store) -> None:
    entry = make_entry("a", ["word"])
    await store.passages.write([entry])
    await store.passages.label("default", {entry.card.id: ["given"]})
    await store.passages.write([entry])
    assert await tagged(store, "given") == []
    await store.passages.label("default", {entry.card.id: ["given"]})
    await store.passages.remove("default", [entry.card.id])
    await store.passages.write([entry])
    assert await tagged(store, "given") == []


@pytest.mark.requirement("ENG-32")
async def test_the_generation_grows_with_labels_that_changed_alone(store: Store) -> None:
    entry = make_entry("a", ["word"], tags=("own",))
    await store.passages.write([entry])

    async def generation() -> int:
        return (await store.passages.stats("default")).generation

    before = await generation()
    await store.passages.label("default", {entry.card.id: ["own"]})
    await store.passages.label("default", {})
    assert await generation() == before
    await store.passages.label("default", {entry.card.id: ["given"]})
    after = await generation()
    assert after > before
    await store.passages.label("default", {entry.card.id: ["given"]})
    assert await generation() == after
    await store.passages.label("elsewhere", {entry.card.id: ["other"]})
    assert await tagged(store, "other") == []
    with pytest.raises(InvalidArgument):
        await store.passages.label("default", {entry.card.id: ["\ud800"]})


@pytest.mark.requirement("ENG-32")
async def test_walks_see_labelled_documents(store: Store) -> None:
    entry = make_entry("a", ["word"])
    node = make_node("n", document_id=entry.card.id)
    await store.passages.write([make_entry("a", ["word"], nodes=[node])])
    await store.passages.label("default", {entry.card.id: ["given"]})
    for tag, seen in (("given", ["n"]), ("other", [])):
        selection = Selection(project="default", tags=(frozenset({tag}),))
        assert [one.node.id for one in await store.graph.describe(selection, ["n"])] == seen


@pytest.mark.requirement("ENG-33")
async def test_passages_take_over_the_vectors_of_others_of_every_model(store: Store) -> None:
    old, new = make_entry("old", ["word ", "again"]), make_entry("new", ["word ", "again"])
    rows, wide = unit_rows(2), unit_rows(2, 16, seed=1)
    await store.passages.write([old, new])
    await store.passages.embed("default", "m", ids(old), rows)
    await store.passages.embed("default", "wide", ids(old), wide)
    other = unit_rows(1, seed=2)
    await store.passages.embed("default", "m", ids(new)[:1], other)
    heirs = dict(zip(ids(new), ids(old), strict=True)) | {"gone": ids(old)[0], ids(old)[0]: "no"}
    await store.passages.inherit("default", heirs)
    await store.passages.remove("default", [old.card.id])
    whole = Selection(project="default")
    for model, asked in (("m", rows[1]), ("wide", wide[1])):
        (best, *_) = await store.passages.dense(model, asked, whole, 2)
        assert best.passage_id == ids(new)[1]
        assert best.score == pytest.approx(1.0, abs=1e-2)
    (kept, *_) = await store.passages.dense("m", other[0], whole, 1)
    assert (kept.passage_id, round(kept.score, 2)) == (ids(new)[0], 1.0)
    stats = await store.passages.stats("default")
    assert {one.model: one.embedded for one in stats.coverage} == {"m": 2, "wide": 2}
    assert await store.passages.pending("default", "wide", 9) == []


@pytest.mark.requirement("ENG-33")
async def test_no_vector_is_taken_from_another_project(store: Store) -> None:
    old = make_entry("old", ["word"], project="other", vectors={"m": unit_rows(1)})
    new = make_entry("new", ["word"], vectors={})
    await store.passages.write([old, new])
    await store.passages.inherit("default", {ids(new)[0]: ids(old)[0]})
    await store.passages.inherit("default", {})
    assert (await store.passages.stats("default")).coverage == ()
