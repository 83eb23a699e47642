import pytest

from commonplace.link.code.passes.lineage import LINEAGE
from eval.lineage.cases import DIALECTS, FOLDERS, Case, load
from eval.lineage.ours import edges
from tests.unit.link.code.sqling import Lineage, program_of

CASES = [case for cases in FOLDERS for dialect in DIALECTS for case in load(dialect, cases)]


@pytest.mark.requirement("SQL-05")
@pytest.mark.parametrize("case", CASES, ids=[f"{one.dialect}: {one.name}" for one in CASES])
def test_published_cases_are_exact(case: Case) -> None:
    drawn, problems = edges(case)
    assert drawn == case.edges
    assert problems == []


@pytest.mark.requirement("SQL-05")
def test_there_are_fifty_cases_a_dialect() -> None:
    assert all(sum(one.dialect == dialect for one in CASES) >= 50 for dialect in DIALECTS)


@pytest.mark.requirement("SQL-06")
def test_a_star_of_an_unknown_table_is_an_edge_of_tables() -> None:
    found = Lineage("INSERT INTO copy SELECT * FROM original")
    edge = found.edge("FLOWS_TO", "original", "copy")
    assert edge.confidence <= 0.5
    assert edge.properties["how"] == "star"
    assert not any(node.kind == "Column" for node in found.nodes.values())


@pytest.mark.requirement("SQL-06")
def test_what_might_be_meant_is_never_certain() -> None:
    found = Lineage("INSERT INTO r (x) SELECT x FROM a JOIN b ON a.id = b.id")
    assert found.edges("FLOWS_TO", 0.5) == set()
    assert found.edges("FLOWS_TO", 0.1) == {("a.x", "r.x"), ("b.x", "r.x")}
    assert all(edge.confidence <= 0.3 for edge in found.drawn("FLOWS_TO"))


@pytest.mark.requirement("SQL-06")
def test_a_table_nobody_defines_is_external() -> None:
    found = Lineage("CREATE TABLE a (x int); INSERT INTO a (x) SELECT y FROM b")
    assert "external" not in found.node("a").properties
    assert found.node("b").properties["external"] is True
    assert found.node("a.x").properties["type"] == "int"


@pytest.mark.requirement("SQL-07")
def test_the_way_through_a_temporary_table_is_told() -> None:
    text = "SELECT a INTO #w FROM dbo.s\nINSERT INTO dbo.t (a) SELECT a FROM #w"
    found = Lineage(text, "tsql")
    edge = found.edge("FLOWS_TO", "dbo.s.a", "dbo.t.a")
    assert edge.properties["via"] == "#w"
    assert edge.properties["at"] == "2:0-38"
    assert not any("#w" in name for name in found.names.values())


@pytest.mark.requirement("SQL-07")
def test_a_variable_has_its_latest_value() -> None:
    text = """CREATE TABLE a (x int); CREATE TABLE b (x int); CREATE TABLE r (p int, q int, c int)
    GO
    CREATE PROCEDURE p AS
    DECLARE @v int
    SELECT @v = x FROM a
    INSERT INTO r (p) VALUES (@v)
    SELECT @v = x FROM b
    INSERT INTO r (q) VALUES (@v)
    IF @v = 1 SELECT @v = x FROM a ELSE SELECT @v = x FROM b
    INSERT INTO r (c) VALUES (@v)"""
    assert Lineage(text, "tsql").edges("FLOWS_TO") == {
        *(("a.x", "r.p"), ("b.x", "r.q"), ("a.x", "r.c"), ("b.x", "r.c")),
    }


@pytest.mark.requirement("SQL-08")
def test_views_on_views_know_their_columns_in_any_order() -> None:
    scripts = {
        "1.sql": "CREATE VIEW c AS SELECT * FROM b",
        "2.sql": "CREATE VIEW b AS SELECT * FROM a",
        "3.sql": "CREATE TABLE a (x int, y int)",
    }
    found = Lineage(scripts)
    assert found.edges("FLOWS_TO") == {
        *(("a.x", "b.x"), ("a.y", "b.y"), ("b.x", "c.x"), ("b.y", "c.y")),
    }
    assert found.node("c.x").properties["file"] == "1.sql"


@pytest.mark.requirement("SQL-08")
def test_views_that_name_each_other_end() -> None:
    scripts = {
        "1.sql": "CREATE VIEW a AS SELECT * FROM b",
        "2.sql": "CREATE VIEW b AS SELECT * FROM a",
    }
    assert Lineage(scripts).edges("FLOWS_TO", 0.1) == {("b", "a"), ("a", "b")}


@pytest.mark.requirement("SQL-08")
def test_a_long_chain_of_views_is_followed() -> None:
    chain = ";".join(f"CREATE VIEW v{n} AS SELECT * FROM v{n - 1}" for n in range(150, 0, -1))
    found = Lineage(f"{chain}; CREATE TABLE v0 (x int)")
    assert len(found.edges("FLOWS_TO")) == 150


@pytest.mark.requirement("SQL-09")
def test_routines_call_read_and_write() -> None:
    text = """CREATE TABLE dbo.T (A int, B int)
    GO
    CREATE FUNCTION dbo.Twice (@n int) RETURNS int AS BEGIN RETURN @n * 2 END
    GO
    CREATE PROCEDURE dbo.Inner1 @n int AS UPDATE dbo.T SET A = dbo.Twice(B) WHERE B = @n
    GO
    CREATE PROCEDURE dbo.Outer1 AS EXEC dbo.Inner1 @n = 5"""
    found = Lineage(text, "tsql")
    assert found.edges("CALLS") == {("dbo.Outer1", "dbo.Inner1"), ("dbo.Inner1", "dbo.Twice")}
    assert found.edges("WRITES") == {("dbo.Inner1", "dbo.T"), ("dbo.Inner1", "dbo.T.A")}
    assert found.edges("READS") == {("dbo.Inner1", "dbo.T"), ("dbo.Inner1", "dbo.T.B")}
    assert found.edge("CALLS", "dbo.Outer1", "dbo.Inner1").properties["at"] == "7:35-57"
    assert found.node("dbo.Outer1").properties["lines"] == "7-7"


@pytest.mark.requirement("SQL-09")
def test_a_statement_inside_a_with_writes_too() -> None:
    text = """WITH d AS (DELETE FROM a RETURNING x)
    INSERT INTO b (x) OVERRIDING USER VALUE SELECT x FROM d"""
    found = Lineage(text)
    assert found.edges("WRITES") == {("a.sql", "a"), ("a.sql", "b"), ("a.sql", "b.x")}
    (query,) = found.program.units["d a.sql"].facts.queries
    assert query.target == "b"


@pytest.mark.requirement("SQL-09")
def test_triggers_belong_to_their_table_and_run_their_function() -> None:
    text = """CREATE TABLE t (a int);
    CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql;
    CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();"""
    found = Lineage(text)
    assert found.edges("REFERENCES") == {("tr", "t")}
    assert found.edges("CALLS") == {("tr", "f")}


@pytest.mark.requirement("SQL-09")
def test_foreign_keys_are_references() -> None:
    scripts = {
        "1.sql": "CREATE TABLE a (id int); CREATE TABLE b (a_id int REFERENCES a (id), c int);",
        "2.sql": "ALTER TABLE ONLY b ADD CONSTRAINT k FOREIGN KEY (c) REFERENCES a (id);",
    }
    found = Lineage(scripts)
    assert found.edges("REFERENCES") == {("b", "a"), ("b.a_id", "a.id"), ("b.c", "a.id")}
    assert found.edge("REFERENCES", "b.c", "a.id").document_id == "d 2.sql"


@pytest.mark.requirement("SQL-09")
def test_schemas_contain_tables_and_tables_columns() -> None:
    found = Lineage("CREATE TABLE sales.t (a int); SELECT b FROM other.u")
    assert found.edges("CONTAINS") == {
        *(("a.sql", "sales.t"), ("sales", "sales.t"), ("sales.t", "sales.t.a")),
        *(("other", "other.u"), ("other.u", "other.u.b")),
    }


@pytest.mark.requirement("SQL-10")
def test_edges_of_text_that_is_run_are_not_certain() -> None:
    text = "DO $$ BEGIN EXECUTE 'INSERT INTO t (a) SELECT a FROM s'; END $$"
    found = Lineage(text)
    assert found.edges("FLOWS_TO", 0.9) == set()
    assert found.edges("FLOWS_TO", 0.5) == {("s.a", "t.a")}


@pytest.mark.requirement("SQL-11")
def test_tables_of_what_was_not_parsed_are_mentions() -> None:
    found = Lineage("SELECT FROM WHERE JOIN orders ON ORDER;")
    (edge,) = found.drawn("READS")
    assert edge.confidence <= 0.3
    assert edge.properties["how"] == "mention"


@pytest.mark.requirement("SQL-16")
def test_what_is_asked_for_together_does_not_matter() -> None:
    scripts = {
        "1.sql": "CREATE TABLE a (x int); CREATE VIEW v AS SELECT * FROM a;",
        "2.sql": "INSERT INTO b (y) SELECT x FROM v;",
        "3.sql": "CREATE TABLE b (y int);",
    }
    together = LINEAGE.run(program_of(scripts, "postgres"), [f"d {path}" for path in scripts])
    for path in reversed(scripts):
        alone = LINEAGE.run(program_of(scripts, "postgres"), [f"d {path}"])
        assert alone[f"d {path}"] == together[f"d {path}"]
