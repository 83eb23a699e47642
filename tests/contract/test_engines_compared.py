"""Every engine answers random work as the reference engine does."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.query import Hit, Query
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.engines.base import Engine, Entry, Store, Terms
from tests.contract.conftest import ENGINES, address
from tests.contract.engine_making import MOMENT, ask, make_entry, make_node, relate, unit_rows

PROJECTS = ["default", "org/other"]
TAGS = ["red", "green", "blue"]
DOCUMENTS = st.sampled_from(["default:a/1.md", "org/other:b/3.md", "none"])
NODES = ["n0", "n1", "n2", "n3", "n4"]
RELATIONS = ["LINKS_TO", "PARENT_OF"]
WORDS = st.sampled_from(
    ["pool", "Pools", "maxPoolSize", "max_pool", "naïve", "東京都", "京", "run", "running", "ﬁle"]
)
TEXT = st.one_of(
    st.lists(WORDS, min_size=1, max_size=8).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20),
)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    project = draw(st.sampled_from(PROJECTS))
    path = draw(st.sampled_from(["a/1.md", "a/2.md", "b/3.md"]))
    document_id = f"{project}:{path}"
    texts = draw(st.lists(TEXT, max_size=4))
    models = draw(st.sets(st.sampled_from(["fast", "slow"])))
    nodes = draw(st.lists(st.sampled_from(NODES), max_size=3, unique=True))
    pairs = draw(st.lists(st.tuples(*[st.sampled_from(NODES)] * 2), max_size=4))
    return make_entry(
        path,
        texts,
        id=document_id,
        project=project,
        title=draw(TEXT),
        headings=(draw(TEXT),),
        tags=tuple(draw(st.lists(st.sampled_from(TAGS), max_size=2))),
        repository=draw(st.sampled_from([None, "r1"])),
        environment=draw(st.sampled_from([None, "dev"])),
        modified_at=MOMENT + timedelta(days=draw(st.integers(0, 3))),
        vectors={
            model: unit_rows(len(texts), seed=draw(st.integers(0, 99))) for model in sorted(models)
        },
        nodes=[
            make_node(n, project=project, document_id=draw(st.sampled_from([None, document_id])))
            for n in nodes
        ],
        edges=[
            relate(a, b, project=project, document_id=document_id, confidence=0.5) for a, b in pairs
        ],
    )


@st.composite
def selections(draw: st.DrawFn) -> Selection:
    days = st.integers(-1, 3).map(lambda day: MOMENT + timedelta(days=day))
    return Selection(
        project=draw(st.sampled_from(PROJECTS)),
        tags=tuple(draw(st.lists(st.frozensets(st.sampled_from(TAGS)), max_size=2))),
        path_prefix=draw(st.sampled_from([None, "", "a", "a/1", "b/3.md", "%", "file:///a"])),
        updated_after=draw(st.none() | days),
        repositories=draw(st.frozensets(st.sampled_from(["r1", "r2"]), max_size=1)),
        environment=draw(st.sampled_from([None, "dev", "prod"])),
        documents=draw(st.none() | st.frozensets(DOCUMENTS)),
    )


queries = st.builds(
    lambda terms, phrases, code: ask(*terms, phrases=phrases, identifiers=code),
    st.lists(WORDS.map(str.lower) | st.text(max_size=5), max_size=4, unique=True),
    st.lists(st.lists(WORDS | st.text(max_size=4), min_size=1, max_size=2), max_size=1),
    st.lists(WORDS, max_size=1),
)

Step = tuple[str, object]
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.lists(entries(), min_size=1, max_size=3)),
        st.tuples(st.just("remove"), entries()),
        st.tuples(st.just("embed"), entries()),
        st.tuples(st.just("cut"), st.sampled_from(NODES)),
        st.tuples(st.just("link"), st.tuples(*[st.sampled_from(NODES)] * 2)),
    ),
    max_size=6,
)


async def take(store: Store, step: Step) -> None:
    match step:
        case "write", list(batch):
            await store.passages.write(batch)
        case "remove", Entry() as entry:
            await store.passages.remove(entry.card.project, [entry.card.id])
        case "embed", Entry() as entry:
            ids = [passage.id for passage in entry.passages]
            rows = unit_rows(len(ids), seed=3)
            await store.passages.embed(entry.card.project, "slow", ids, rows)
        case "cut", str(node_id):
            await store.graph.remove("default", [node_id])
        case "link", (str(source), str(target)):
            nodes = [make_node(source), make_node(target, name="again")]
            await store.graph.merge(nodes, [relate(source, target, "PARENT_OF")])


def assert_same_hits(mine: Sequence[Hit], theirs: Sequence[Hit]) -> None:
    """The same passages with the same scores; order is free among (nearly) equal scores."""
    assert {hit.passage_id for hit in mine} == {hit.passage_id for hit in theirs}
    scores = {hit.passage_id: hit.score for hit in theirs}
    assert [hit.score for hit in mine] == pytest.approx(
        [scores[hit.passage_id] for hit in mine], rel=1e-4, abs=1e-4
    )
    assert [hit.score for hit in mine] == sorted((hit.score for hit in mine), reverse=True)


async def assert_same(
    mine: Store, theirs: Store, selection: Selection, asked: Sequence[Query]
) -> None:
    project = selection.project
    assert await mine.passages.projects() == await theirs.passages.projects()
    one, other = await mine.passages.stats(project), await theirs.passages.stats(project)
    assert (one.documents, one.passages, one.coverage) == (
        other.documents,
        other.passages,
        other.coverage,
    )
    assert one.updated_at == other.updated_at
    prints = await theirs.passages.fingerprints(project, "s1")
    assert await mine.passages.fingerprints(project, "s1") == prints
    for fingerprint in prints.values():
        for ordinals in (range(9), range(1, 3)):
            assert await mine.passages.read(
                selection, fingerprint.document_id, ordinals
            ) == await theirs.passages.read(selection, fingerprint.document_id, ordinals)
    for model in ("fast", "slow"):
        waiting = await theirs.passages.pending(project, model, 99)
        assert await mine.passages.pending(project, model, 99) == waiting
        some = [p.passage.id for p in waiting[::-2]] + ["p-gone"]
        chosen = await theirs.passages.pending(project, model, 2, some)
        assert await mine.passages.pending(project, model, 2, some) == chosen
        vector = unit_rows(1, seed=42)[0]
        assert_same_hits(
            await mine.passages.dense(model, vector, selection, 99),
            await theirs.passages.dense(model, vector, selection, 99),
        )
    everything = [p.passage.id for p in await theirs.passages.pending(project, "no model", 99)]
    places = await theirs.passages.get(selection, everything)
    assert await mine.passages.get(selection, everything) == places
    for query in asked:
        assert_same_hits(
            await mine.passages.lexical(query, selection, 99),
            await theirs.passages.lexical(query, selection, 99),
        )
    assert await mine.graph.nodes(project, NODES) == await theirs.graph.nodes(project, NODES)
    for relations in ([], RELATIONS[:1]):
        assert await mine.graph.neighbours(
            project, NODES, relations, 2
        ) == await theirs.graph.neighbours(project, NODES, relations, 2)
        await assert_same_walks(
            mine, theirs, selection, Reach(hops=3, relations=frozenset(relations))
        )


async def assert_same_walks(mine: Store, theirs: Store, selection: Selection, reach: Reach) -> None:
    """The same nodes by the same steps; which of two documents states a step is free."""
    descriptions = [await store.graph.describe(selection, NODES) for store in (mine, theirs)]
    assert descriptions[0] == descriptions[1]
    expansions = [await store.graph.expand(selection, NODES[:2], reach) for store in (mine, theirs)]
    told = [
        [replace(one, edge=replace(one.edge, document_id=None)) for one in expansion.reached]
        for expansion in expansions
    ]
    assert told[0] == told[1]
    found = [
        await store.graph.paths(selection, NODES[:2], NODES[2:], reach) for store in (mine, theirs)
    ]
    trails = [[(one.nodes, one.ways, one.score) for one in each.trails] for each in found]
    assert trails[0] == trails[1]


@pytest.mark.requirement("ENG-16")
@pytest.mark.parametrize(
    "engine", [e for e in ENGINES.values() if e.name != "memory"], ids=lambda engine: engine.name
)
@settings(max_examples=40)
@given(work=steps, selection=selections(), asked=st.lists(queries, max_size=3))
async def test_random_work_gives_what_the_reference_gives(
    engine: Engine, work: list[Step], selection: Selection, asked: list[Query]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        mine = engine.open(address(engine, Path(folder)))
        theirs = ENGINES["memory"].open("memory://")
        for step in work:
            await take(mine, step)
            await take(theirs, step)
        await assert_same(mine, theirs, selection, asked)
        await mine.close()


@pytest.mark.requirement("ENG-16")
@settings(max_examples=40)
@given(
    puts=st.lists(
        st.tuples(
            st.sampled_from(["put", "claim", "append", "expire"]),
            st.sampled_from(["a", "ab", "é"]),
            st.binary(max_size=3),
            st.sampled_from([None, 0.0, 3600.0]),
        ),
        max_size=12,
    )
)
async def test_random_pairs_give_what_the_reference_gives(
    puts: list[tuple[str, str, bytes, float | None]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stores = [engine.open(address(engine, Path(folder))) for engine in ENGINES.values()]
        for verb, key, value, ttl_s in puts:
            answers: list[object] = []
            for store in stores:
                pairs = store.keyvalue
                if verb == "put":
                    await pairs.put("space", key, value, ttl_s)
                elif verb == "claim":
                    answers.append(await pairs.claim("space", key, value, ttl_s or 0.0))
                elif verb == "append":
                    terms = Terms(joint=b"-", most_bytes=5, ttl_s=ttl_s or None)
                    grown = await pairs.append("space", key, value, terms)
                    lives = grown.ttl_s is not None
                    answers.append((grown.is_added, grown.size_bytes, lives))
                else:
                    answers.append(await pairs.expire("space", key, ttl_s or 0.0))
                answers.append(
                    [await pairs.get("space", k) for k in await pairs.keys("space", "a")]
                )
            half = len(answers) // len(stores)
            assert all(
                answers[:half] == answers[at : at + half] for at in range(0, len(answers), half)
            )
        for store in stores:
            await store.close()
