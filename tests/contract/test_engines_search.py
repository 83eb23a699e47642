"""What every engine finds: words, vectors, selections, ties."""

from datetime import timedelta

import numpy as np
import pytest

from commonplace.domain.errors import EmbeddingMismatch, InvalidArgument
from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry, Store
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


@pytest.mark.requirement("ENG-07")
@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (ask("pool"), {0, 1, 2}),
        (ask("pools"), {0, 1, 2}),
        (ask("size"), {1, 2}),
        (ask("maxpoolsize"), {1, 2}),
        (ask(identifiers=["max_pool_size"]), {1, 2}),
        (ask(identifiers=["maxPoolSize"]), {1, 2}),
        (ask("naive"), {3}),
        (ask("東京"), {4}),
        (ask("東京都"), {4}),
        (ask("京"), {4}),
        (ask("天気"), {4}),
        (ask("京天"), set()),
        (ask("pool", "naive"), {0, 1, 2, 3}),
        (ask("naive", phrases=[["connection", "pool"]]), {0}),
        (ask(phrases=[["pool", "connection"]]), set()),
        (ask(phrases=[["東京都"]]), {4}),
        (ask("guide"), {0, 1, 2, 3, 4}),
        (ask(), set()),
    ],
)
async def test_words_find_passages(store: Store, query: Query, wanted: set[int]) -> None:
    texts = ["The connection pool. ", "Set maxPoolSize. ", "Or max_pool_size! ", "A naïve guess. "]
    entry = make_entry("a.md", [*texts, "東京都の天気"])
    await store.passages.write([entry])
    assert set(await found(store, query)) == {ids(entry)[at] for at in wanted}


@pytest.mark.requirement("ENG-07")
async def test_title_outweighs_headings_and_headings_the_body(store: Store) -> None:
    filler = "nothing to see here "
    body = make_entry("body.md", [f"{filler} walnut"], title="t", headings=("h",))
    heading = make_entry("heading.md", [f"{filler} x"], title="t", headings=("walnut",))
    title = make_entry("title.md", [f"{filler} x"], title="walnut", headings=("h",))
    others = [make_entry(f"{at}.md", [filler], title="t") for at in range(9)]
    await store.passages.write([body, heading, title, *others])
    assert await found(store, ask("walnut")) == ids(title) + ids(heading) + ids(body)


@pytest.mark.requirement("ENG-08")
@pytest.mark.parametrize(
    "word",
    ['"', "a AND", "NEAR(", "body:x", "*", "^a", "a* OR b", "\x00", "\ud800", "'; DROP TABLE", "-"],
)
async def test_hostile_words_are_words(store: Store, word: str) -> None:
    await store.passages.write([make_entry("a.md", ["some text "])])
    query = ask(word, phrases=[[word, "x"]], identifiers=[word])
    assert await found(store, query) == []
    assert await found(store, ask(word * 500, "text")) != []


@pytest.mark.requirement("ENG-08")
@pytest.mark.parametrize("text", ["nul \x00 here", "lone \ud800 here"])
async def test_text_no_store_can_hold_is_refused_by_name(store: Store, text: str) -> None:
    with pytest.raises(InvalidArgument, match="culprit"):
        await store.passages.write([make_entry("culprit.md", [text])])
    with pytest.raises(InvalidArgument, match="lone surrogate"):
        await store.keyvalue.put("space", text, b"")
    with pytest.raises(InvalidArgument, match="lone surrogate"):
        await store.graph.merge([make_node(text)], [])
    assert await store.passages.get(WHOLE, [text]) == []
    assert await store.passages.projects() == []
    await store.passages.write([make_entry("fine.md", ["fine "])])


def _selections() -> list[tuple[Selection, set[str]]]:
    def narrow(**parts: object) -> Selection:
        return Selection(project="default", **parts)  # type: ignore[arg-type]

    return [
        (narrow(), {"a%_b/one.md", "a%_c/two.md", "axyb/three.md"}),
        (narrow(tags=(frozenset({"red", "none"}),)), {"a%_b/one.md", "a%_c/two.md"}),
        (narrow(tags=(frozenset({"red"}), frozenset({"blue"}))), {"a%_b/one.md"}),
        (narrow(tags=(frozenset(),)), set()),
        (narrow(path_prefix="a%_b"), {"a%_b/one.md"}),
        (narrow(path_prefix="a%"), {"a%_b/one.md", "a%_c/two.md"}),
        (narrow(path_prefix="A"), set()),
        (narrow(path_prefix="file"), set()),
        (narrow(path_prefix="file:///a%_b/"), {"a%_b/one.md"}),
        (narrow(updated_after=MOMENT), {"axyb/three.md"}),
        (
            narrow(updated_after=MOMENT - timedelta(microseconds=1)),
            {"a%_b/one.md", "axyb/three.md"},
        ),
        (narrow(repositories=frozenset({"r1"})), {"a%_b/one.md"}),
        (narrow(environment="dev"), {"a%_b/one.md", "axyb/three.md"}),
        (narrow(environment="prod"), {"a%_c/two.md", "axyb/three.md"}),
        (narrow(path_prefix="\ud800"), set()),
        (Selection(project="other"), {"a%_b/one.md"}),
        (Selection(project="no/such"), set()),
    ]


async def _write_three(store: Store) -> list[Entry]:
    second = timedelta(seconds=1)
    entries = [
        make_entry("a%_b/one.md", ["text "], tags=("red", "blue"), repository="r1"),
        make_entry("a%_c/two.md", ["text "], tags=("red",), modified_at=MOMENT - second),
        make_entry("axyb/three.md", ["text "], tags=("green",), modified_at=MOMENT + second),
        make_entry("a%_b/one.md", ["text "], project="other"),
    ]
    environments = ["dev", "prod", None, None]
    made = [
        make_entry(
            e.card.path,
            ["text "],
            project=e.card.project,
            tags=e.card.tags,
            repository=e.card.repository,
            modified_at=e.card.modified_at,
            environment=environment,
            vectors={"m": unit_rows(1)},
        )
        for e, environment in zip(entries, environments, strict=True)
    ]
    await store.passages.write(made)
    return made


@pytest.mark.requirement("ENG-09")
@pytest.mark.parametrize(("selection", "paths"), _selections())
async def test_a_selection_binds_every_read(
    store: Store, selection: Selection, paths: set[str]
) -> None:
    made = await _write_three(store)
    everything = [passage_id for entry in made for passage_id in ids(entry)]
    places = await store.passages.get(selection, everything)
    assert {place.card.path for place in places} == paths
    assert {place.card.project for place in places} <= {selection.project}
    allowed = {place.passage.id for place in places}
    assert set(await found(store, ask("text"), selection)) == allowed
    hits = await store.passages.dense("m", unit_rows(1)[0], selection, 9)
    assert {hit.passage_id for hit in hits} == allowed
    for entry in made:
        read = await store.passages.read(selection, entry.card.id, range(9))
        assert {place.passage.id for place in read} == allowed & set(ids(entry))


@pytest.mark.requirement("ENG-09")
async def test_projects_know_nothing_of_each_other(store: Store) -> None:
    await _write_three(store)
    node = make_node("n1", project="other")
    await store.graph.merge([node, make_node("n2", project="other")], [])
    await store.graph.merge([], [relate("n1", "n2", project="other")])
    assert await store.graph.nodes("default", ["n1"]) == []
    assert await reached(store, "n1") == []
    await store.graph.remove("default", ["n1"])
    await store.passages.remove("default", [make_entry("a%_b/one.md", [], project="other").card.id])
    assert await store.graph.nodes("other", ["n1"]) == [node]
    assert (await store.passages.stats("other")).documents == 1
    assert [p.card.project for p in await store.passages.pending("other", "x", 9)] == ["other"]
    assert await store.passages.projects() == ["default", "other"]


@pytest.mark.requirement("ENG-10")
async def test_vectors_find_passages(store: Store) -> None:
    rows = unit_rows(3)
    entry = make_entry("a.md", ["one", "two", "three"], vectors={"m": rows})
    await store.passages.write([entry])
    hits = await store.passages.dense("m", rows[1] * 3, WHOLE, 2)
    assert hits[0].passage_id == ids(entry)[1]
    assert hits[0].score == pytest.approx(1, abs=1e-3)
    assert hits[0].channel == "vector"
    assert len(hits) == 2
    assert await store.passages.dense("m", rows[1], WHOLE, 0) == []
    assert await store.passages.dense("unknown", rows[1], WHOLE, 5) == []
    with pytest.raises(EmbeddingMismatch, match="commonplace"):
        await store.passages.dense("m", np.ones(3, np.float32), WHOLE, 5)


@pytest.mark.requirement("ENG-10")
async def test_a_model_may_change_its_length_once_no_vector_is_left(store: Store) -> None:
    old = make_entry("a.md", ["one"], vectors={"m": unit_rows(1)})
    new = make_entry("b.md", ["two"], vectors={"m": unit_rows(1, dimension=4)})
    await store.passages.write([old])
    assert len(await store.passages.dense("m", unit_rows(1)[0], WHOLE, 5)) == 1
    with pytest.raises(EmbeddingMismatch, match="add them again"):
        await store.passages.write([new])
    await store.passages.remove("default", [old.card.id])
    await store.passages.write([new])
    hits = await store.passages.dense("m", unit_rows(1, dimension=4)[0], WHOLE, 5)
    assert [hit.passage_id for hit in hits] == ids(new)


@pytest.mark.requirement("ENG-10")
async def test_vectors_that_are_no_numbers_are_refused(store: Store) -> None:
    rows = unit_rows(1)
    rows[0, 0] = np.nan
    with pytest.raises(InvalidArgument, match="NaN"):
        await store.passages.write([make_entry("a.md", ["one"], vectors={"m": rows})])
    with pytest.raises(InvalidArgument, match="NaN"):
        await store.passages.dense("m", rows[0], WHOLE, 5)
    with pytest.raises(InvalidArgument, match="vector each"):
        await store.passages.write([make_entry("a.md", ["one"], vectors={"m": unit_rows(2)})])


@pytest.mark.requirement("ENG-11")
async def test_ties_are_broken_by_passage_id(store: Store) -> None:
    row = unit_rows(1)
    made = [make_entry(f"{at}.md", ["same "], title="t", vectors={"m": row}) for at in range(60)]
    await store.passages.write(made)
    smallest = sorted(passage_id for entry in made for passage_id in ids(entry))[:5]
    hits = await store.passages.lexical(ask("same"), WHOLE, 5)
    assert [hit.passage_id for hit in hits] == smallest
    hits = await store.passages.dense("m", row[0], WHOLE, 5)
    assert [hit.passage_id for hit in hits] == smallest
