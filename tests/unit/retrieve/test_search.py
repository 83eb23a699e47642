"""The read path as a whole, on the reference engine with the real static model."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import EmbeddingMismatch, EmbedError, StoreError
from commonplace.domain.graph import Edge, Node
from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.embedders.base import Embedder, Vectors
from commonplace.embedders.static import StaticEmbedder
from commonplace.engines.memory.store import MemoryStore
from commonplace.retrieve.search import Found, Mode, Reader, Request, search
from tests.unit.retrieve.shelf import PROJECT, shelve

STATIC = StaticEmbedder()
LIBRARY = {
    "Trees": ["Apple trees are pruned in February.", "Pear trees are pruned in March."],
    "Pumps": ["The pump freezes at minus four degrees.", "Set max_pool_size to bound the pump."],
    "Bread": ["Bread rises for an hour in a warm kitchen.", "The oven is heated to 220 degrees."],
    "Tokyo": ["東京都は日本の首都です。", "大阪は西日本の都市です。"],
    "Bienen": ["Die Bienenstöcke stehen im Garten.", "Der Imker sammelt den Honig im Sommer."],
}


class OtherEmbedder(StaticEmbedder):
    """The same vectors under another name, as slow as a transformer says it is."""

    model = "other@1"
    texts_per_s = 20.0


class BrokenEmbedder(StaticEmbedder):
    """A model whose service is gone."""

    model = "broken@1"

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:  # noqa: ARG002 - as the protocol has it
        raise EmbedError("the endpoint does not answer; check embed_url")


async def _reader(*embedders: Embedder) -> Reader:
    store = MemoryStore()
    await shelve(store, LIBRARY, embedders)
    return Reader(passages=store.passages, graph=store.graph, embedders=embedders)


def _request(text: str, limit: int = 5, mode: Mode = "auto", max_per_doc: int = 1) -> Request:
    return Request(
        text=text,
        selection=Selection(project=PROJECT),
        limit=limit,
        max_per_doc=max_per_doc,
        mode=mode,
    )


def _texts(found: Found) -> list[str]:
    return [located.passage.text for located in found.located]


async def test_the_passage_that_answers_comes_first() -> None:
    found = await search(await _reader(STATIC), _request("When are apple trees pruned?"))
    assert _texts(found)[0] == LIBRARY["Trees"][0]
    assert [hit.passage_id for hit in found.hits] == [one.passage.id for one in found.located]
    assert found.degraded == ()
    assert found.generation > 0


@pytest.mark.requirement("RET-03")
async def test_an_identifier_is_found_by_its_parts() -> None:
    found = await search(await _reader(), _request("pool size"))
    assert _texts(found)[0] == LIBRARY["Pumps"][1]


@pytest.mark.requirement("RET-04")
async def test_each_part_of_a_compound_question_finds_its_passage() -> None:
    found = await search(
        await _reader(STATIC), _request("When are pears pruned? How hot is the oven?", limit=2)
    )
    assert {located.card.title for located in found.located} == {"Trees", "Bread"}


@pytest.mark.requirement("RET-05")
async def test_a_japanese_question_finds_its_passage() -> None:
    found = await search(await _reader(), _request("日本の首都は東京ですか"))
    assert _texts(found)[0] == LIBRARY["Tokyo"][0]


@pytest.mark.requirement("RET-07")
async def test_a_failing_model_is_told_and_words_answer() -> None:
    store = MemoryStore()
    await shelve(store, LIBRARY, [STATIC])
    ids = [one.passage.id for one in await store.passages.pending(PROJECT, "broken@1", 99)]
    await store.passages.embed(PROJECT, "broken@1", ids, await STATIC.embed(["x"] * len(ids)))
    reader = Reader(passages=store.passages, graph=store.graph, embedders=(BrokenEmbedder(),))
    found = await search(reader, _request("apple trees"))
    assert _texts(found)[0] == LIBRARY["Trees"][0]
    assert any("embed_url" in told for told in found.degraded)


@pytest.mark.requirement("RET-07")
async def test_the_second_model_answers_for_a_failing_first_one_which_is_told() -> None:
    store = MemoryStore()
    await shelve(store, LIBRARY, [STATIC])
    some = (await store.passages.pending(PROJECT, "broken@1", 99))[:1]
    await store.passages.embed(
        PROJECT, "broken@1", [one.passage.id for one in some], await STATIC.embed(["x"])
    )
    reader = Reader(
        passages=store.passages, graph=store.graph, embedders=(BrokenEmbedder(), STATIC)
    )
    found = await search(reader, _request("apple trees", mode="vector_only"))
    assert {hit.channel for hit in found.hits} == {"vector"}
    assert any("embed_url" in told for told in found.degraded)


@pytest.mark.requirement("RET-07")
async def test_a_failing_graph_is_told_and_the_rest_answers() -> None:
    reader = await _reader(STATIC)
    elsewhere = MemoryStore()
    await elsewhere.close()
    found = await search(replace(reader, graph=elsewhere.graph), _request("apple trees"))
    assert _texts(found)[0] == LIBRARY["Trees"][0]
    assert [told.partition(":")[0] for told in found.degraded] == ["graph"]
    assert found.mode != "hybrid_local"


@pytest.mark.requirement("RET-08")
async def test_a_closed_store_is_an_error_not_an_empty_answer() -> None:
    store = MemoryStore()
    await shelve(store, LIBRARY, [STATIC])
    await store.close()
    reader = Reader(passages=store.passages, graph=store.graph, embedders=(STATIC,))
    with pytest.raises(StoreError):
        await search(reader, _request("apple trees"))


@pytest.mark.requirement("RET-09")
async def test_vectors_of_another_model_only_are_a_mismatch_with_the_fix() -> None:
    reader = await _reader(OtherEmbedder())
    with pytest.raises(EmbeddingMismatch, match="commonplace embed"):
        await search(replace(reader, embedders=(STATIC,)), _request("apple"))


@pytest.mark.requirement("RET-10")
async def test_partial_coverage_is_told_and_the_static_model_helps_out() -> None:
    store = MemoryStore()
    other = OtherEmbedder()
    await shelve(store, LIBRARY, [STATIC])
    await shelve(store, {"Bread": LIBRARY["Bread"]}, [STATIC, other])
    reader = Reader(passages=store.passages, graph=store.graph, embedders=(other, STATIC))
    found = await search(reader, _request("pruning", mode="vector_only"))
    assert found.degraded == ("other@1: 20% of passages embedded",)
    assert found.located[0].card.title == "Trees"


@pytest.mark.requirement("RET-13")
@pytest.mark.parametrize("text", ["trees degrees", "pump", "the", "honig", "東京"])
async def test_a_larger_limit_extends_the_ranking(text: str) -> None:
    reader = await _reader(STATIC)
    whole = await search(reader, _request(text, limit=200, max_per_doc=9))
    for limit in range(1, len(whole.hits) + 1):
        part = await search(reader, _request(text, limit=limit, max_per_doc=9))
        assert part.hits == whole.hits[:limit]


@pytest.mark.requirement("RET-14")
async def test_vector_only_uses_vectors_alone() -> None:
    found = await search(await _reader(STATIC), _request("apple trees", mode="vector_only"))
    assert {hit.channel for hit in found.hits} == {"vector"}
    assert found.mode == "vector_only"


@pytest.mark.requirement("RET-14")
async def test_vector_only_without_vectors_matches_words_and_says_so() -> None:
    found = await search(await _reader(), _request("apple trees", mode="vector_only"))
    assert _texts(found)[0] == LIBRARY["Trees"][0]
    assert any(told.startswith("vector_only") for told in found.degraded)


@pytest.mark.requirement("RET-15")
async def test_a_quoted_phrase_ranks_first() -> None:
    store = MemoryStore()
    texts = ["planner query planner planner query", "The query planner chooses.", "query"]
    await shelve(store, {str(place): [text] for place, text in enumerate(texts)})
    reader = Reader(passages=store.passages, graph=store.graph)
    found = await search(reader, _request('"query planner chooses"'))
    assert _texts(found)[0] == texts[1]


@pytest.mark.requirement("RET-16")
async def test_another_project_is_never_seen() -> None:
    store = MemoryStore()
    await shelve(store, LIBRARY, [STATIC])
    await shelve(store, {"Secret": ["Apple trees hide a secret."]}, [STATIC], project="elsewhere")
    reader = Reader(passages=store.passages, graph=store.graph, embedders=(STATIC,))
    found = await search(reader, _request("apple trees secret", limit=50))
    assert {located.card.project for located in found.located} == {PROJECT}


@pytest.mark.requirement("RET-17")
async def test_a_neighbour_of_a_hit_is_found_although_it_has_no_word_of_the_question() -> None:
    reader = await _reader()
    found = await search(reader, _request("freezes", max_per_doc=2, mode="hybrid_local"))
    assert _texts(found) == LIBRARY["Pumps"]
    assert found.hits[1].channel == "graph_expanded"
    assert found.mode == "hybrid_local"


SELECTION = Selection(project=PROJECT)


def _edge(source: str, relation: str, target: str) -> Edge:
    return Edge(source=source, relation=relation, target=target, project=PROJECT)


@pytest.mark.requirement("RET-30")
async def test_what_speaks_of_the_same_thing_and_what_is_linked_is_near() -> None:
    store = MemoryStore()
    texts = {
        "Sluice": ["The sluice is opened by the Lindqvist valve."],
        "Valve": ["It was built in 1912 of bronze."],
        "Manual": ["Turn it slowly."],
        "Other": ["Nothing of interest."],
    }
    await shelve(store, texts)
    every = await store.passages.lexical(
        Query(text="", terms=("sluice", "bronze", "slowly", "interest")), SELECTION, 9
    )
    located = await store.passages.get(SELECTION, [hit.passage_id for hit in every])
    ids = {one.card.title: one.passage.id for one in located}
    documents = {one.card.title: one.card.id for one in located}
    thing = Node(id="e1", project=PROJECT, kind="Concept", name="Lindqvist valve")
    manual = Node(id=documents["Manual"], project=PROJECT, kind="Document", name="Manual")
    edges = [
        _edge(ids["Sluice"], "MENTIONS", "e1"),
        _edge(ids["Valve"], "DEFINES", "e1"),
        _edge(ids["Sluice"], "LINKS_TO", manual.id),
        _edge(manual.id, "HAS_PASSAGE", ids["Manual"]),
    ]
    passages = [
        Node(id=passage_id, project=PROJECT, kind="Passage", name=title)
        for title, passage_id in ids.items()
    ]
    await store.graph.merge([thing, manual, *passages], edges)
    reader = Reader(passages=store.passages, graph=store.graph)
    near = await search(reader, _request("sluice", mode="hybrid_local"))
    assert near.located[0].card.title == "Sluice"
    assert {one.card.title for one in near.located} == {"Sluice", "Valve", "Manual"}
    plain = await search(reader, _request("sluice"))
    assert [one.card.title for one in plain.located] == ["Sluice"]
    assert (near.mode, plain.mode) == ("hybrid_local", "hybrid")


@pytest.mark.requirement("RET-18")
async def test_an_empty_project_says_that_it_is_empty() -> None:
    store = MemoryStore()
    reader = Reader(passages=store.passages, graph=store.graph, embedders=(STATIC,))
    found = await search(reader, _request("anything"))
    assert found.hits == ()
    assert "commonplace add" in found.degraded[0]


@pytest.mark.requirement("RET-12")
async def test_no_document_gives_more_than_its_share() -> None:
    found = await search(await _reader(STATIC), _request("trees pruned pump oven", limit=50))
    titles = [located.card.title for located in found.located]
    assert len(titles) == len(set(titles))


@pytest.mark.requirement("RET-01")
@given(text=st.text(max_size=200))
async def test_any_text_is_answered_the_same_way_twice(text: str) -> None:
    reader = await _reader(STATIC)
    assert await search(reader, _request(text)) == await search(reader, _request(text))


@pytest.mark.requirement("RET-19")
@pytest.mark.parametrize(
    ("text", "place"),
    [("Wo steht der Bienenstock?", 0), ("Welche Imker sammeln etwas im Sommer?", 1)],
)
async def test_a_german_question_finds_other_forms_of_its_words(text: str, place: int) -> None:
    found = await search(await _reader(STATIC), _request(text))
    assert _texts(found)[0] == LIBRARY["Bienen"][place]
