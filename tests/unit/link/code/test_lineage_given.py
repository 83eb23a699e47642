"""Lineage through what routines give, other names of tables, and tables nobody defines."""

import pytest

from tests.unit.link.code.sqling import Lineage


@pytest.mark.requirement("SQL-24")
def test_rows_for_a_table_nobody_defines_go_to_columns_called_as_theirs() -> None:
    found = Lineage("INSERT INTO r SELECT a.x, a.y + 1 AS z, max(a.w) FROM a GROUP BY 1, 2")
    assert found.edges("FLOWS_TO", 0.6) == set()
    assert found.edges("FLOWS_TO", 0.5) == {("a.x", "r.x"), ("a.y", "r.z")}
    assert found.edges("WRITES", 0.6) == {("a.sql", "r")}
    assert ("a.sql", "r.x") in found.edges("WRITES", 0.5)


@pytest.mark.requirement("SQL-24")
def test_a_table_that_is_defined_is_filled_by_place() -> None:
    text = "CREATE TABLE r (p int, q int); INSERT INTO r SELECT x, y FROM a"
    assert Lineage(text).edges("FLOWS_TO") == {("a.x", "r.p"), ("a.y", "r.q")}


@pytest.mark.requirement("SQL-25")
def test_what_a_function_looks_at_flows_to_where_it_is_called_and_is_read_there_by_nobody() -> None:
    text = """
CREATE TABLE rates (code text, factor int); CREATE TABLE t (v int); CREATE TABLE r (v int);
CREATE FUNCTION rate(c text) RETURNS int AS 'SELECT factor FROM rates WHERE code = c' LANGUAGE sql;
INSERT INTO r (v) SELECT v * rate(''EUR'') FROM t;
""".replace("''EUR''", "'EUR'")
    found = Lineage(text)
    assert found.edges("FLOWS_TO") == {("t.v", "r.v"), ("rates.factor", "r.v")}
    assert found.edge("FLOWS_TO", "rates.factor", "r.v").properties["how"] == "called"
    assert ("a.sql", "rates.factor") not in found.edges("READS")
    assert ("rate", "rates.factor") in found.edges("READS")


@pytest.mark.requirement("SQL-25")
@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        (
            "tsql",
            "CREATE PROCEDURE p @k int, @o int OUTPUT AS SELECT @o = x FROM a\nGO\n"
            "DECLARE @v int; EXEC p @k = 1, @o = @v OUTPUT; INSERT INTO r (x) VALUES (@v)",
        ),
        (
            "mysql",
            "DELIMITER //\nCREATE PROCEDURE p(IN k INT, INOUT o INT) "
            "BEGIN SELECT x INTO o FROM a; END//\n"
            "DELIMITER ;\nCALL p(1, @v); INSERT INTO r (x) VALUES (@v);",
        ),
        (
            "postgres",
            "CREATE PROCEDURE p(k int, INOUT o int) AS $$ BEGIN SELECT x INTO o FROM a; END $$ "
            "LANGUAGE plpgsql; DO $$ DECLARE v int; BEGIN CALL p(1, v); "
            "INSERT INTO r (x) VALUES (v); END $$",
        ),
        (
            "postgres",
            "CREATE FUNCTION f(OUT o int) AS $$ BEGIN SELECT x INTO o FROM a; END $$ "
            "LANGUAGE plpgsql; INSERT INTO r (x) SELECT o FROM f();",
        ),
    ],
)
def test_a_parameter_that_comes_back_holds_what_the_routine_put_there(
    dialect: str, text: str
) -> None:
    assert Lineage(text, dialect).edges("FLOWS_TO") == {("a.x", "r.x")}


@pytest.mark.requirement("SQL-25")
def test_a_parameter_that_is_only_given_keeps_what_it_had() -> None:
    text = """CREATE PROCEDURE p @k int AS SET @k = (SELECT MAX(x) FROM a)
GO
DECLARE @v int; EXEC p @v; INSERT INTO r (x) VALUES (@v)"""
    assert Lineage(text, "tsql").edges("FLOWS_TO", 0.1) == set()


@pytest.mark.requirement("SQL-25")
def test_what_a_procedure_is_given_flows_to_where_it_puts_it_through_any_number_of_calls() -> None:
    text = """
CREATE TABLE a (x int, y int); CREATE TABLE l (x int, y int);
CREATE PROCEDURE inner_put(p int, q int) LANGUAGE sql AS $$ INSERT INTO l (x, y) VALUES (p, q) $$;
CREATE PROCEDURE put(k int) LANGUAGE plpgsql AS $$ BEGIN CALL inner_put(k + 1, 3); END $$;
DO $$ DECLARE v int; BEGIN SELECT max(x) INTO v FROM a; CALL put(v); END $$;
"""
    found = Lineage(text)
    assert found.edges("FLOWS_TO") == {("a.x", "l.x")}
    assert found.edge("FLOWS_TO", "a.x", "l.x").properties["via"] == "inner_put, put"
    assert ("a.sql", "l") not in found.edges("WRITES")


@pytest.mark.requirement("SQL-25")
def test_routines_that_all_call_each_other_are_followed_to_an_end() -> None:
    names = [f"p{number}" for number in range(12)]
    made = [
        f"CREATE PROCEDURE {name}(k int) LANGUAGE plpgsql AS $$ BEGIN INSERT INTO l (c{name}) "
        f"VALUES (k); {' '.join(f'CALL {other}(k + 1);' for other in names)} END $$;"
        for name in names
    ]
    text = (
        "\n".join(made) + "\nDO $$ DECLARE v int; BEGIN SELECT x INTO v FROM a; CALL p0(v); END $$"
    )
    found = Lineage(text).edges("FLOWS_TO")
    assert found == {("a.x", f"l.c{name}") for name in names}


@pytest.mark.requirement("SQL-25")
def test_only_the_argument_a_column_of_a_function_is_made_of_flows_on() -> None:
    text = """
CREATE TABLE a (x int, y int); CREATE TABLE r (p int, q int);
CREATE FUNCTION f(i int, j int) RETURNS TABLE (m int, n int) LANGUAGE sql AS $$ SELECT i, j + 1 $$;
INSERT INTO r (p, q) SELECT f.n, f.m FROM a, f(a.x, a.y);
"""
    assert Lineage(text).edges("FLOWS_TO") == {("a.y", "r.p"), ("a.x", "r.q")}


@pytest.mark.requirement("SQL-25")
def test_records_that_are_returned_one_by_one_are_the_rows_of_a_function() -> None:
    text = """
CREATE TABLE o (id int, v int); CREATE TABLE r (a int, b int);
CREATE FUNCTION f() RETURNS SETOF o LANGUAGE plpgsql AS $$
DECLARE one o%ROWTYPE;
BEGIN FOR one IN SELECT * FROM o LOOP RETURN NEXT one; END LOOP; END $$;
INSERT INTO r SELECT id, v FROM f();
"""
    assert Lineage(text).edges("FLOWS_TO") == {("o.id", "r.a"), ("o.v", "r.b")}


@pytest.mark.requirement("SQL-26")
def test_a_policy_reads_what_it_decides_by() -> None:
    text = "CREATE TABLE t (id int, owner text);\nCREATE POLICY p ON t USING (owner = current_user)"
    found = Lineage(text)
    assert ("a.sql", "t.owner") in found.edges("READS")
    assert found.edges("FLOWS_TO", 0.1) == set()


@pytest.mark.requirement("SQL-26")
def test_a_rule_belongs_to_its_table_as_a_trigger_does() -> None:
    text = """CREATE TABLE t (id int); CREATE TABLE l (id int);
CREATE RULE kept AS ON DELETE TO t DO INSTEAD NOTHING;
CREATE RULE told AS ON UPDATE TO t DO ALSO INSERT INTO l VALUES (OLD.id);"""
    found = Lineage(text)
    assert {("kept", "t"), ("told", "t")} <= found.edges("REFERENCES")
    assert ("told", "l.id") in found.edges("WRITES")


@pytest.mark.requirement("SQL-26")
def test_the_name_of_a_relation_is_no_column_of_it() -> None:
    found = Lineage("INSERT INTO r (j) SELECT to_jsonb(t) FROM t")
    assert not any("t.t" in edge for edge in found.edges("FLOWS_TO", 0.1))


@pytest.mark.requirement("SQL-27")
def test_a_view_on_a_temporary_table_shows_what_that_was_made_from() -> None:
    text = """CREATE TABLE o (id int, c int);
CREATE TEMP TABLE x AS SELECT id, c FROM o;
CREATE TABLE y AS SELECT * FROM x;
CREATE VIEW v AS SELECT id FROM y;"""
    assert Lineage(text).edges("FLOWS_TO") == {
        *(("o.id", "y.id"), ("o.c", "y.c"), ("y.id", "v.id")),
    }
