"""Attacks on read-only Cypher: nothing changes, nothing leaks, everything ends in time."""

import os
import tracemalloc
from pathlib import Path

import apsw
import pytest

from commonplace.cypher.guard import Guard, Limits
from commonplace.cypher.reading import Inquiry
from commonplace.domain.errors import (
    BudgetExceeded,
    CommonplaceError,
    DeadlineExceeded,
    ForbiddenOperation,
    InvalidArgument,
)
from commonplace.engines.base import Store
from commonplace.engines.sqlite.connection import Connections
from commonplace.engines.sqlite.cypher import open_guarded
from commonplace.engines.sqlite.store import SqliteStore
from tests.contract.cypher_asking import WHOLE, ask, dense, orchard, rows

WRITES = [
    ("CREATE (n)", "CREATE"),
    ("create (n:X {a: 1}) RETURN n", "CREATE"),
    ("MATCH (n) DELETE n", "DELETE"),
    ("MATCH (n) DETACH DELETE n", "DETACH"),
    ("MATCH (n) SET n.name = 'x' RETURN n", "SET"),
    ("MATCH (n) SET n += {a: 1}", "SET"),
    ("MATCH (n) REMOVE n.name", "REMOVE"),
    ("MERGE (n {id: 'd1'}) ON MATCH SET n.x = 1", "MERGE"),
    ("MATCH (n) WITH n CREATE (m) RETURN m", "CREATE"),
    ("MATCH (n) FOREACH (x IN [1] | SET n.x = x)", "FOREACH"),
    ("UNWIND [1] AS x CREATE (:N {x: x})", "CREATE"),
    ("RETURN 1 UNION CREATE (n) RETURN 1", "CREATE"),
    ("RETURN 1; CREATE (n)", ""),
    ("RETURN 1 CREATE (n)", "CREATE"),
    ("MATCH (n) WHERE EXISTS { CREATE (m) RETURN m } RETURN n", "CREATE"),
    ("MATCH (n) WHERE EXISTS { MATCH (n) SET n.x = 1 RETURN n } RETURN n", "SET"),
    ("/* MATCH */ CREATE (n)", "CREATE"),
    ("// RETURN 1\nCREATE (n)", "CREATE"),
    ("CR/**/EATE (n)", ""),
    ("MATCH (n) /* x */ SET /* y */ n.x = 1", "SET"),
    ("CALL db.labels()", "CALL"),
    ("CALL { MATCH (n) RETURN n } RETURN n", "CALL"),
    ("CALL apoc.cypher.run('CREATE (n)', {})", "CALL"),
    ("LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row", "LOAD"),
    ("DROP INDEX x", "DROP"),
    ("SHOW DATABASES", "SHOW"),
    ("USE other MATCH (n) RETURN n", "USE"),
    ("EXPLAIN MATCH (n) RETURN n", "EXPLAIN"),
    ("PRAGMA query_only=0", "PRAGMA"),
    ("ATTACH DATABASE '/tmp/x.db' AS x", "ATTACH"),
    ("SELECT * FROM nodes", "SELECT"),
    ("BEGIN IMMEDIATE", "BEGIN"),
    ("MATCH (n) RETURN n; DROP TABLE nodes", ""),
]

DISGUISES = [
    "СREATE (n)",  # Cyrillic С
    "ＣＲＥＡＴＥ (n)",  # full width
    "MATCH (n) ſET n.x = 1",  # long s, whose capital is S
    "MATCH (n) SET\u200b n.x = 1",
    "CRE\u200dATE (n)",
    "\ufeffCREATE (n)",
    "`CREATE` (n)",
    "\\u0043REATE (n)",
    "MATCH (n) RETURN n\u0000; CREATE (m)",
    "MATCH (n)\u2028CREATE (m)",
]


@pytest.mark.requirement("CYP-03")
@pytest.mark.parametrize(("text", "clause"), WRITES, ids=[text[:40] for text, _ in WRITES])
async def test_what_does_not_read_is_refused_by_name(store: Store, text: str, clause: str) -> None:
    await orchard(store)
    before = await rows(store, "MATCH (n) RETURN n.id, properties(n)")
    with pytest.raises((ForbiddenOperation, InvalidArgument)) as caught:
        await ask(store, text)
    if clause:
        assert isinstance(caught.value, ForbiddenOperation)
        assert caught.value.details["clause"] == clause
    assert await rows(store, "MATCH (n) RETURN n.id, properties(n)") == before


@pytest.mark.requirement("CYP-03")
@pytest.mark.parametrize("text", DISGUISES, ids=list(map(ascii, DISGUISES)))
async def test_letters_that_look_alike_are_no_keywords(store: Store, text: str) -> None:
    await orchard(store)
    with pytest.raises((ForbiddenOperation, InvalidArgument)):
        await ask(store, text)
    assert await rows(store, "MATCH (n) RETURN count(*)") == [7]


@pytest.mark.requirement("CYP-03")
async def test_keywords_inside_names_and_texts_are_only_words(store: Store) -> None:
    await orchard(store)
    text = "MATCH (`CREATE` {name: 'SET'}) RETURN `CREATE`.`DELETE` AS `MERGE`"
    assert await rows(store, text) == []
    assert await rows(store, "RETURN 'MATCH (n) DELETE n' AS x // SET n.x = 1") == [
        "MATCH (n) DELETE n"
    ]


@pytest.mark.requirement("CYP-04")
@pytest.mark.parametrize(
    "value",
    ["d1'}) RETURN n //", "x' OR 1=1 --", "*", "%", "{id: 'd1'}", "d1\x00", ["d1", "d2"], {"a": 1}],
    ids=str,
)
async def test_a_parameter_is_a_value_and_never_text_of_the_query(
    store: Store, value: object
) -> None:
    await orchard(store)
    assert await rows(store, "MATCH (n {id: $id}) RETURN n.id", id=value) == []
    assert await rows(store, "MATCH (n {name: $id}) RETURN n.id", id=value) == []
    assert await rows(store, "RETURN $id", id=value) == [value]


@pytest.mark.requirement("CYP-07")
@pytest.mark.parametrize(
    "value",
    [2**63, -(2**63) - 1, object(), {1: 2}, {"a": {1, 2}}, b"x"],
    ids=lambda value: type(value).__name__,
)
async def test_a_parameter_that_is_no_value_is_refused(store: Store, value: object) -> None:
    with pytest.raises(InvalidArgument):
        await ask(store, "RETURN $x", x=value)
    with pytest.raises(InvalidArgument, match="no value"):
        await ask(store, "RETURN $missing")


COSTLY = [
    "MATCH (a)-[*]->(b) RETURN count(*)",
    "MATCH (a)-[*]-(b)-[*]-(c) RETURN count(*)",
    "MATCH (a),(b),(c),(d),(e),(f) RETURN count(*)",
    "MATCH (a) MATCH (b) MATCH (c) MATCH (d) MATCH (e) RETURN count(*)",
    "UNWIND range(0, 1000000000) AS x RETURN count(x)",
    "RETURN size(range(0, 9223372036854775807))",
    "RETURN range(-9223372036854775807, 9223372036854775807)",
    "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*)",
    "RETURN reduce(s = 'x', i IN range(1, 60) | s + s)",
    "RETURN reduce(s = [1], i IN range(1, 60) | s + s)",
    "RETURN reduce(s = 'ab', i IN range(1, 60) | replace(s, 'a', 'aaaaaaaaaaaaaaaaaaaaaaaa'))",
    "RETURN [x IN range(1, 5000) | [y IN range(1, 5000) | x * y]]",
    "RETURN any(x IN range(1, 999999) WHERE any(y IN range(1, 999999) WHERE x + y < 0))",
    "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ '(a+)+b'",
    "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ '(a|aa)+$'",
    "UNWIND range(1, 1000000) AS x RETURN collect(x) AS c, collect(x) AS d, collect(x) AS e",
    "UNWIND range(1, 2000000) AS x RETURN DISTINCT x ORDER BY x",
    "MATCH p = (a)-[*]->(b) RETURN collect(p)",
    "MATCH (a) WHERE EXISTS { MATCH (a)-[*]->(b)-[*]->(c) WHERE false } RETURN a",
    "MATCH (a) RETURN [(a)-[*]->(b) | b]",
    "MATCH (a), (b), p = allShortestPaths((a)-[*]-(b)) UNWIND range(1, 99999) AS x RETURN count(p)",
    "RETURN 'x' =~ '" + "(" * 12 + "x" + "{1,99})" * 12 + "'",
]


@pytest.mark.requirement("CYP-07")
@pytest.mark.parametrize("text", COSTLY, ids=[text[:60] for text in COSTLY])
async def test_a_costly_query_ends_in_bounded_memory(store: Store, text: str) -> None:
    await dense(store, 14)
    inquiry = Inquiry(text=text, limits=Limits(timeout_s=1.5, steps=2_000_000, held=300_000))
    tracemalloc.start()
    try:
        message = repr((await store.graph.query(WHOLE, inquiry)).columns) + ";"
    except (BudgetExceeded, DeadlineExceeded) as exc:
        message = exc.message
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert ";" in message  # it says what to do
    assert peak < 150e6


NESTED = [
    "RETURN " + "(" * 5000 + "1" + ")" * 5000,
    "RETURN " + "[" * 5000 + "1" + "]" * 5000,
    "RETURN " + "{a: " * 3000 + "1" + "}" * 3000,
    "RETURN " + "NOT " * 5000 + "true",
    "RETURN " + "-" * 5001 + "1",
    "RETURN 1" + " + 1" * 5000,
    "RETURN true" + " AND true" * 5000,
    "RETURN [1]" + "[0]" * 3000,
    "RETURN " + "CASE WHEN true THEN " * 500 + "1" + " END" * 500,
    "RETURN " + "size(" * 500 + "[]" + ")" * 500,
    "MATCH " + "(a {x: " * 300 + "1" + "})" * 300 + " RETURN 1",
    "MATCH (a)" + "-->()" * 2000 + " RETURN count(*)",
    "WITH 1 AS a " * 3000 + "RETURN a",
    "RETURN 1 AS a" + " UNION RETURN 1 AS a" * 2000,
    "MATCH (n) WHERE " + "EXISTS { MATCH (n) WHERE " * 100 + "true" + "}" * 100 + " RETURN n",
    "RETURN " + "((a)-->" * 2000,
    *(
        f"RETURN {open_ * 50}1{close * 50} AS x"
        for open_, close in (
            ("(", ")"),
            ("[", "]"),
            ("{a: ", "}"),
            ("size([", "])"),
            ("[x IN [", "]]"),
            ("[p = (a {x: ", "}) | 1]"),
            ("[(a {x: ", "})-->() | 1]"),
            ("(a {x: ", "})"),
            ("[a = (b {x: ", "})]"),
            ("NOT (", ")"),
            ("-(", ")"),
            ("CASE WHEN (", ") THEN 1 END"),
            ("any(x IN [", "] WHERE x)"),
            ("reduce(t = ", ", x IN [] | t)"),
            ("x {a: ", "}"),
            ("EXISTS { MATCH (n) WHERE ", " }"),
            ("coalesce(", ", 1)"),
            ("[1][", "]"),
            ("1 + (", ")"),
        )
    ),
    "RETURN reduce(x = [], i IN range(1, 3000) | [x])",
    "RETURN reduce(x = [], i IN range(1, 3000) | [x]) = reduce(x = [], i IN range(1, 3000) | [x])",
    "UNWIND [reduce(x = [], i IN range(1, 3000) | [x])] AS y RETURN DISTINCT y ORDER BY y",
]


@pytest.mark.requirement("CYP-07")
@pytest.mark.parametrize("text", NESTED, ids=[text[:40] for text in NESTED])
async def test_deep_nesting_gives_a_typed_error_or_an_answer(store: Store, text: str) -> None:
    code = ""
    try:
        await ask(store, text)
    except CommonplaceError as exc:
        code = exc.code
    assert code in ("", "BUDGET_EXCEEDED", "INVALID_ARGUMENT")


@pytest.mark.requirement("CYP-07")
@pytest.mark.parametrize("filler", [" ", "(", "a", "'", "/*", "1+", "\n", "`", "[", "é"])
async def test_a_query_of_a_megabyte_is_refused(store: Store, filler: str) -> None:
    with pytest.raises(BudgetExceeded, match="too long"):
        await ask(store, "RETURN " + filler * (1_000_000 // len(filler)))


@pytest.mark.requirement("CYP-05")
async def test_no_attack_changes_a_byte(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    store = SqliteStore.open(f"sqlite://{file}")
    await orchard(store)
    await store.close()
    watcher = apsw.Connection(str(file))
    store = SqliteStore.open(f"sqlite://{file}")
    version, content = watcher.pragma("data_version"), watcher.serialize("main")
    for text in [*(text for text, _ in WRITES), *DISGUISES, "MATCH (n) RETURN n"]:
        try:
            await ask(store, text)
        except CommonplaceError:
            continue
    assert watcher.pragma("data_version") == version
    assert watcher.serialize("main") == content
    assert set(os.listdir(tmp_path)) <= {"index.db", "index.db-wal", "index.db-shm"}
    watcher.close()
    await store.close()


STATEMENTS = [
    "INSERT INTO nodes (project, id) VALUES (1, 'x')",
    "UPDATE main.nodes SET name = 'x'",
    "DELETE FROM main.edges",
    "CREATE TABLE x (y)",
    "CREATE TEMP TABLE x (y)",
    "DROP VIEW seen_nodes",
    "CREATE TEMP VIEW seen_more AS SELECT * FROM main.nodes",
    "SELECT * FROM main.nodes",
    "SELECT * FROM nodes",
    "SELECT * FROM main.edges",
    "SELECT * FROM main.relations",
    "SELECT * FROM main.passages",
    "SELECT * FROM main.projects",
    "SELECT * FROM main.pairs",
    "SELECT * FROM main.sqlite_schema",
    "SELECT * FROM sqlite_temp_schema",
    "SELECT * FROM seen_nodes JOIN main.nodes USING (number)",
    "SELECT * FROM pragma_table_info('nodes')",
    "PRAGMA query_only=0",
    "PRAGMA table_info(nodes)",
    "ATTACH DATABASE ':memory:' AS x",
    "VACUUM INTO '/tmp/stolen.db'",
    "SAVEPOINT x",
    "COMMIT",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c LIMIT 3",
    "REINDEX",
    "ANALYZE",
]


@pytest.mark.requirement("CYP-06")
@pytest.mark.parametrize("statement", STATEMENTS)
async def test_the_connection_itself_reads_its_views_only(tmp_path: Path, statement: str) -> None:
    """Even if a query could become SQL, the engine would refuse it."""
    store = SqliteStore.open(f"sqlite://{tmp_path}/index.db")
    await orchard(store)
    connections = Connections(tmp_path / "index.db", 5.0)
    connection = open_guarded(connections, WHOLE, Guard(Limits()))
    assert connection.execute("SELECT count(*) FROM seen_nodes").fetchall() == [(7,)]
    assert connection.readonly("main")
    with pytest.raises((apsw.AuthError, apsw.ReadOnlyError, apsw.SQLError)):
        connection.execute(statement).fetchall()
    connection.close(True)
    await connections.close()
    await store.close()
