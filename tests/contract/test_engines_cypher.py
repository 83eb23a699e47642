"""What every engine promises of read-only Cypher: rows, isolation, one consistent state."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from commonplace.cypher.guard import Limits
from commonplace.cypher.reading import Inquiry
from commonplace.domain.errors import StoreError
from commonplace.domain.scope import Selection
from commonplace.engines.base import Store
from tests.contract.cypher_asking import WHOLE, ask, dense, orchard, rows
from tests.contract.engine_making import make_entry, make_node, relate

ANSWERS: list[tuple[str, list[Any]]] = [
    ("MATCH (n) RETURN count(*)", [7]),
    ("MATCH (n) RETURN labels(n) AS l, count(*) AS c ORDER BY c DESC, l[0] LIMIT 2",
     [(["Section"], 3), (["Document"], 2)]),
    ("MATCH ()-[r]->() RETURN type(r) AS t, count(*) AS c ORDER BY c DESC, t",
     [("HAS_SECTION", 3), ("MENTIONS", 2), ("NEXT", 2), ("LINKS_TO", 1)]),
    ("MATCH ()-[r:MENTIONS]->() RETURN count(r)", [2]),
    ("MATCH (n:Tool) RETURN n.name", ["pump"]),
    ("MATCH (n:Concept) RETURN count(n)", [1]),
    ("MATCH (n {id: 'd1'}) RETURN n.name, n.year, n.kind", [("Guide", 2024, "Document")]),
    ("MATCH (n) WHERE n.id IN ['s1', 's9', 's3'] RETURN n.id ORDER BY n.id", ["s1", "s3"]),
    ("MATCH (n) WHERE n.name = 'Frost' RETURN n.id", ["s2"]),
    ("MATCH (d:Document)-[:HAS_SECTION]->(s)-[m:MENTIONS]->(e) RETURN s.name, e.name, m.confidence "
     "ORDER BY m.confidence", [("Frost", "pump", 0.5), ("Pruning", "prune", 0.9)]),
    ("MATCH (d:Document) OPTIONAL MATCH (d)-[:HAS_SECTION]->(s) "
     "RETURN d.id, count(s) ORDER BY d.id", [("d1", 3), ("d2", 0)]),
    ("MATCH (a {id: 's1'})-[:NEXT*]->(b) RETURN b.id", ["s2", "s3"]),
    ("MATCH (a {id: 's1'})-[:NEXT*0..1]->(b) RETURN b.id", ["s1", "s2"]),
    ("MATCH p = shortestPath((a {id: 'd2'})-[*]->(b {id: 'c1'})) RETURN [x IN nodes(p) | x.id]",
     [["d2", "d1", "s3", "c1"]]),
    ("MATCH p = allShortestPaths((a {id: 'd1'})-[*]-(b {id: 's3'})) RETURN length(p)", [1]),
    ("MATCH (s:Section) WHERE NOT (s)-[:NEXT]->() RETURN s.name", ["Pruning"]),
    ("MATCH (s:Section) WHERE EXISTS { (s)-[:MENTIONS]->(:Tool) } RETURN s.name", ["Frost"]),
    ("MATCH (d {id: 'd1'}) RETURN [(d)-[:HAS_SECTION]->(s) WHERE s.order > 1 | s.order]", [[2, 3]]),
    ("MATCH (c:Command) RETURN c.flags, size(c.flags)", [(["--kind", "--depth"], 2)]),
    ("MATCH ()-[r {rule: 'bold'}]->(k) RETURN r.type, k.id", [("MENTIONS", "k1")]),
    ("MATCH (s:Section) WITH s ORDER BY s.order DESC SKIP 1 LIMIT 1 RETURN s.id", ["s2"]),
    ("UNWIND $names AS name MATCH (n {name: name}) RETURN n.id", ["s2", "d1"]),
    ("MATCH (n:Section) RETURN n.id AS id UNION MATCH (n:Command) RETURN n.id AS id",
     ["s1", "s2", "s3", "c1"]),
    ("MATCH (n) WHERE n.name =~ '(?i)p.*' RETURN n.name ORDER BY n.name",
     ["Pruning", "prune", "pump"]),
    ("MATCH (a)-->(b)<--(a) RETURN count(*)", [0]),
    ("MATCH (d:Document)-->(x) RETURN d.name, collect(x.id) AS ids ORDER BY d.name DESC",
     [("Recipes", ["d1"]), ("Guide", ["s1", "s2", "s3"])]),
    ("MATCH (n {name: 'nobody'}) RETURN n", []),
    ("MATCH (s {id: 's1'})-[:MENTIONS]->(x) RETURN x", []),
    ("MATCH (a {name: b.name}), (b:Command) RETURN a.id", ["c1"]),
]  # fmt: skip


@pytest.mark.requirement("CYP-01")
@pytest.mark.parametrize(("text", "expected"), ANSWERS, ids=[text[:60] for text, _ in ANSWERS])
async def test_a_query_gives_these_rows(store: Store, text: str, expected: list[Any]) -> None:
    await orchard(store)
    found = await rows(store, text, names=["Frost", "Guide"])
    is_ordered = "ORDER" in text or len(expected) < 2
    assert (
        found == expected if is_ordered else sorted(map(repr, found)) == sorted(map(repr, expected))
    )


@pytest.mark.requirement("CYP-04")
@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "MATCH (n {id: 'secret'}) RETURN n",
        "MATCH (n) WHERE id(n) = 'secret' RETURN n",
        "MATCH (n {id: $id}) RETURN n",
        "MATCH (n {name: 'Secret'}) RETURN n",
        "MATCH (n:Vault) RETURN n",
        "MATCH (a)-[r]-(b) RETURN a, r, b",
        "MATCH (a)-[*]-(b) RETURN b",
        "MATCH (n) WHERE n.project = 'other' RETURN n",
        "MATCH (a {id: 'own'})-[:OPENS]->(b) RETURN b",
        "MATCH p = shortestPath((a {id: 'own'})-[*]-(b {id: 'secret'})) RETURN p",
        "MATCH ()-[r]->() RETURN startNode(r), endNode(r)",
    ],
)
async def test_nothing_of_another_project_can_be_named(store: Store, text: str) -> None:
    other = {"project": "other"}
    await store.graph.merge(
        [
            make_node("secret", kind="Vault", name="Secret", **other),
            make_node("own", name="theirs", **other),
            make_node("own", name="mine"),
        ],
        [relate("own", "secret", "OPENS", **other), relate("own", "own", "SELF")],
    )
    found = await ask(store, text, id="secret")
    told = repr([[getattr(v, "properties", v) for v in row] for row in found.rows])
    assert "secret" not in told.lower()
    assert "theirs" not in told
    counts = await rows(store, "MATCH (n) RETURN count(*)", Selection(project="no/such"))
    assert counts == [0]


@pytest.mark.requirement("CYP-04")
async def test_a_narrow_scope_sees_what_its_documents_state(store: Store) -> None:
    entries = [
        make_entry(
            f"{name}.md",
            [name],
            id=name,
            tags=(name,),
            nodes=[make_node("n" + name, document_id=name), make_node("shared")],
            edges=[
                relate("n" + name, "shared", "MENTIONS", document_id=name),
                relate("nd1", "nd2", "LINKS_TO", document_id=name),
            ],
        )
        for name in ("d1", "d2")
    ]
    await store.passages.write(entries)
    await store.graph.merge([make_node("alone")], [])
    narrow = Selection(project="default", tags=(frozenset({"d1"}),))
    assert sorted(await rows(store, "MATCH (n) RETURN n.id", narrow)) == ["nd1", "shared"]
    found = await rows(store, "MATCH (a)-[r]->(b) RETURN a.id, type(r), b.id", narrow)
    assert found == [("nd1", "MENTIONS", "shared")]
    counted = await rows(store, "MATCH ()-[r]->() RETURN type(r), count(*)", narrow)
    assert counted == [("MENTIONS", 1)]
    assert await rows(store, "MATCH (n) RETURN count(*)") == [4]


@pytest.mark.requirement("CYP-14")
async def test_depth_and_relations_bound_a_walk(store: Store) -> None:
    await orchard(store)

    async def reached(**bounds: Any) -> list[str]:  # noqa: ANN401
        depth, relations = bounds.get("max_depth"), bounds.get("relations", ())
        inquiry = Inquiry(
            text="MATCH (a {id: 'd2'})-[*]->(b) RETURN DISTINCT b.id AS id ORDER BY id",
            relations=frozenset(relations),
            limits=Limits(max_depth=depth),
        )
        return [row[0] for row in (await store.graph.query(WHOLE, inquiry)).rows]

    assert await reached() == ["c1", "d1", "k1", "s1", "s2", "s3"]
    assert await reached(max_depth=1) == ["d1"]
    assert await reached(max_depth=2) == ["d1", "s1", "s2", "s3"]
    assert await reached(relations=["LINKS_TO"]) == ["d1"]
    assert await reached(relations=["NEXT"]) == []


@pytest.mark.requirement("CYP-14")
@pytest.mark.parametrize(
    ("pattern", "depth", "is_told"),
    [
        ("(a)-[*]->(b)", 1, True),
        ("(a)-[*]->(b)", 9, False),
        ("(a)-[*..1]->(b)", 1, False),
        ("(a)-[*3..]->(b)", 2, True),
        ("(a)-[]->(b)", 1, False),
        ("p = shortestPath((a)-[*]->(b {id: 'k1'}))", 1, True),
        ("p = shortestPath((a)-[*]->(b {id: 'k1'}))", 9, False),
    ],
)
async def test_a_walk_the_depth_ended_is_told(
    store: Store, pattern: str, depth: int, is_told: bool
) -> None:
    await orchard(store)
    text = f"MATCH {pattern} WHERE a.id = 'd2' RETURN b.id"
    if pattern.startswith("p"):
        text = f"MATCH (a {{id: 'd2'}}), {pattern} RETURN b.id"
    inquiry = Inquiry(text=text, limits=Limits(max_depth=depth))
    assert (await store.graph.query(WHOLE, inquiry)).is_shortened is is_told


@pytest.mark.requirement("CYP-07")
async def test_the_row_limit_is_told(store: Store) -> None:
    await orchard(store)
    limited = Inquiry(text="MATCH (n) RETURN n.id", limits=Limits(rows=3))
    found = await store.graph.query(WHOLE, limited)
    assert (len(found.rows), found.has_more) == (3, True)
    whole = Inquiry(text="MATCH (n) RETURN n.id", limits=Limits(rows=7))
    assert (await store.graph.query(WHOLE, whole)).has_more is False


@pytest.mark.requirement("CYP-10")
async def test_a_cancelled_query_ends_at_once(store: Store) -> None:
    await dense(store, 12)
    text = "MATCH (a)-[*]->(b) RETURN count(*)"
    task = asyncio.create_task(ask(store, text))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await rows(store, "MATCH (n) RETURN count(*)") == [12]


@pytest.mark.requirement("CYP-10")
async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await ask(store, "RETURN 1")


@pytest.mark.requirement("CYP-09")
async def test_a_query_sees_one_state_while_another_writes(store: Store, tmp_path: Path) -> None:
    """Pairs of nodes are written together: no query may count an odd number."""
    _ = tmp_path

    async def write() -> None:
        for place in range(40):
            await store.graph.merge(
                [make_node(f"a{place}", kind="A"), make_node(f"b{place}", kind="B")], []
            )

    text = "MATCH (a:A) WITH count(*) AS x MATCH (b:B) WITH x, count(*) AS y RETURN x - y"
    task = asyncio.create_task(write())
    await asyncio.sleep(0)
    while not task.done():
        assert await rows(store, "MATCH (n) RETURN count(*) % 2") == [0]
        assert set(await rows(store, text)) <= {0}
    await task
