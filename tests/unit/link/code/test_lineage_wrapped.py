"""Statements that hold other statements, and what only looks like a table."""

import pytest

from tests.unit.link.code.sqling import Lineage

TABLES = """
CREATE TABLE a (id int, x text, y text);
CREATE TABLE b (id int, x text, y text);
"""
MOVED = "INSERT INTO b (id, x) SELECT id, y FROM a"
FLOWS = {("a.id", "b.id"), ("a.y", "b.x")}


def body(statements: str, declared: str = "") -> str:
    """A function of PL/pgSQL."""
    head = f"DECLARE {declared}" if declared else ""
    return (
        f"CREATE FUNCTION f() RETURNS SETOF b AS $$ {head} BEGIN {statements} END $$ "
        "LANGUAGE plpgsql;"
    )


LOOP = "LOOP INSERT INTO b (id, x) VALUES (r.id, r.y); END LOOP;"
USED = "INSERT INTO b (id, x) VALUES (r.id, r.y);"
POSTGRES = {
    "return query insert": body(f"RETURN QUERY {MOVED} RETURNING b.*;"),
    "return query merge": body(
        "RETURN QUERY MERGE INTO b USING a ON a.id = b.id WHEN NOT MATCHED THEN "
        "INSERT (id, x) VALUES (a.id, a.y) RETURNING b.*;"
    ),
    "change in a with": body(
        "WITH gone AS (DELETE FROM a RETURNING id, y) INSERT INTO b (id, x) SELECT id, y FROM gone;"
    ),
    "loop over a change": body(f"FOR r IN UPDATE a SET x = 1 RETURNING id, y {LOOP}", "r record;"),
    "loop over text": body(f"FOR r IN EXECUTE 'SELECT id, y FROM a' {LOOP}", "r record;"),
    "record": body(f"SELECT id, y INTO r FROM a; {USED}", "r record;"),
    "record of a table's type": body(f"SELECT * INTO STRICT r FROM a; {USED}", "r a;"),
    "returned record": body(f"DELETE FROM a RETURNING * INTO r; {USED}", "r a%ROWTYPE;"),
    "text into a record": body(
        f"EXECUTE 'SELECT id, y FROM a' INTO r USING 1; {USED}", "r record;"
    ),
    "text into variables": body(
        "EXECUTE 'SELECT id, y FROM a' INTO i, v; INSERT INTO b (id, x) VALUES (i, v);",
        "i int; v text;",
    ),
    "cursor over text": body(
        f"OPEN c FOR EXECUTE 'SELECT id, y FROM a'; FETCH c INTO r; {USED}",
        "c refcursor; r record;",
    ),
    "value of a query": body(
        "i := id FROM a WHERE x = '1'; v := y FROM a; INSERT INTO b (id, x) VALUES (i, v);",
        "i int; v text;",
    ),
    "prepared": f"PREPARE p (int) AS {MOVED} WHERE id = $1;",
}
OTHERS = {
    "prepared text": (
        "mysql",
        f"CREATE PROCEDURE f() BEGIN PREPARE s FROM '{MOVED}'; EXECUTE s; END",
    ),
    "handler of a block": (
        "mysql",
        f"CREATE PROCEDURE f() BEGIN DECLARE EXIT HANDLER FOR SQLSTATE '23000', 1062 "
        f"BEGIN {MOVED}; END; DELETE FROM a; END",
    ),
    "handler of a statement": (
        "mysql",
        f"CREATE PROCEDURE f() BEGIN DECLARE CONTINUE HANDLER FOR NOT FOUND {MOVED}; END",
    ),
    "cursor variable": (
        "tsql",
        "CREATE PROCEDURE f AS BEGIN DECLARE @c CURSOR, @i int, @v nvarchar(9);\n"
        "SET @c = CURSOR FAST_FORWARD FOR SELECT id, y FROM a; OPEN @c;\n"
        "FETCH NEXT FROM @c INTO @i, @v; INSERT INTO b (id, x) VALUES (@i, @v); END",
    ),
}


@pytest.mark.requirement("SQL-21")
@pytest.mark.requirement("SQL-22")
@pytest.mark.parametrize(
    ("dialect", "script"),
    [*(("postgres", one) for one in POSTGRES.values()), *OTHERS.values()],
    ids=[*POSTGRES, *OTHERS],
)
def test_what_a_statement_holds_is_read_as_a_statement(dialect: str, script: str) -> None:
    found = Lineage(TABLES + script, dialect)
    assert found.edges("FLOWS_TO", 0) == FLOWS
    assert not any(unit.facts.problems for unit in found.program.units.values())
    tables = {one.name for one in found.nodes.values() if one.kind == "Table"}
    assert tables == {"a", "b"}


@pytest.mark.requirement("SQL-21")
@pytest.mark.parametrize(
    "script",
    [
        "COPY (SELECT x FROM a) TO STDOUT;",
        body("RAISE NOTICE 'longest %', (SELECT max(x) FROM a);"),
        body("ASSERT (SELECT x FROM a) <> '', 'empty';"),
        body("RETURN QUERY TABLE a;"),
        body("RETURN QUERY VALUES ((SELECT x FROM a));"),
    ],
)
def test_what_a_statement_only_asks_is_read(script: str) -> None:
    assert "a.x" in {target for _, target in Lineage(TABLES + script).edges("READS")}


@pytest.mark.requirement("SQL-22")
def test_a_cursor_opened_elsewhere_is_no_table() -> None:
    found = Lineage(
        TABLES + "CREATE FUNCTION f(c refcursor) RETURNS void AS $$ DECLARE v text; BEGIN "
        "FETCH c INTO v; UPDATE b SET x = v; END $$ LANGUAGE plpgsql;"
    )
    assert found.edges("FLOWS_TO", 0) == set()
    assert {one.name for one in found.nodes.values() if one.kind == "Table"} == {"a", "b"}


@pytest.mark.requirement("SQL-23")
@pytest.mark.parametrize(
    ("dialect", "script", "written"),
    [
        ("postgres", "TRUNCATE TABLE a, b;", {"a", "b"}),
        ("postgres", "COPY a (id, x) FROM STDIN;", {"a", "a.id", "a.x"}),
        (
            "mysql",
            "LOAD DATA INFILE 'f' INTO TABLE a PARTITION (p) FIELDS TERMINATED BY ',' (id, @n, x);",
            {"a", "a.id", "a.x"},
        ),
        ("tsql", "BULK INSERT a FROM 'f.csv' WITH (FIELDTERMINATOR = ',');", {"a"}),
    ],
)
def test_what_fills_or_empties_a_table_writes_it(
    dialect: str, script: str, written: set[str]
) -> None:
    found = Lineage({"tables.sql": TABLES, "a.sql": script}, dialect)
    assert {target for source, target in found.edges("WRITES") if source == "a.sql"} == written
