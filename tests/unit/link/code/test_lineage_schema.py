import pytest

from commonplace.link.code.lineage.schema import Schema, schema_of
from commonplace.link.code.lineage.trace import columns_of
from tests.unit.link.code.sqling import Lineage, program_of


def schema(scripts: dict[str, str], dialect: str = "postgres") -> Schema:
    return schema_of(program_of(scripts, dialect))


@pytest.mark.requirement("SQL-04")
def test_migrations_run_in_the_order_of_their_versions() -> None:
    scripts = {
        "db/V10__drop.sql": "ALTER TABLE t DROP COLUMN b;",
        "db/V2__add.sql": "ALTER TABLE t ADD COLUMN b int, ADD c text;",
        "db/V1__init.sql": "CREATE TABLE t (a int);",
        "db/V11__rename.sql": "ALTER TABLE t RENAME COLUMN c TO d;",
        "db/R__view.sql": "CREATE VIEW v AS SELECT * FROM t;",
        "db/U2__undo.sql": "ALTER TABLE t DROP COLUMN c;",
        "db/V12__later.down.sql": "DROP TABLE t;",
    }
    program = program_of(scripts, "postgres")
    found = schema_of(program)
    assert columns_of(program, found, "t") == ("a", "d")
    assert columns_of(program, found, "v") == ("a", "d")
    assert found.tables["t"].columns["b"].dropped_in == "db/V10__drop.sql"
    assert found.tables["t"].dropped_in == ""


@pytest.mark.requirement("SQL-04")
@pytest.mark.parametrize(
    ("dialect", "change", "columns"),
    [
        ("tsql", "EXEC sp_rename 'dbo.t.a', 'z', 'COLUMN'", ("z", "b")),
        ("tsql", "ALTER TABLE dbo.t DROP COLUMN a", ("b",)),
        ("tsql", "ALTER TABLE [dbo].[t] ADD [c] int, [d] bit", ("a", "b", "c", "d")),
        ("mysql", "ALTER TABLE `t` CHANGE COLUMN a z INT, ADD c INT AFTER z", ("z", "c", "b")),
        ("mysql", "ALTER TABLE t MODIFY b TEXT, DROP a", ("b",)),
        ("sqlite", "ALTER TABLE t RENAME a TO z", ("z", "b")),
        ("postgres", "ALTER TABLE IF EXISTS t DROP COLUMN IF EXISTS a CASCADE", ("b",)),
        ("postgres", "ALTER TABLE t ALTER COLUMN a TYPE bigint", ("a", "b")),
    ],
)
def test_changes_of_columns_in_every_dialect(
    dialect: str, change: str, columns: tuple[str, ...]
) -> None:
    program = program_of({"1.sql": "CREATE TABLE t (a int, b int)", "2.sql": change}, dialect)
    assert columns_of(program, schema_of(program), "t") == columns


@pytest.mark.requirement("SQL-04")
def test_a_renamed_table_takes_its_columns_along() -> None:
    scripts = {"1.sql": "CREATE TABLE app.t (a int);", "2.sql": "ALTER TABLE app.t RENAME TO u;"}
    found = schema(scripts)
    assert list(found.tables["app.u"].columns) == ["a"]
    assert found.tables["app.t"].dropped_in == "2.sql"


@pytest.mark.requirement("SQL-04")
def test_a_table_made_again_has_its_new_columns() -> None:
    text = "CREATE TABLE t (a int); DROP TABLE IF EXISTS t; CREATE TABLE t (b int);"
    program = program_of({"1.sql": text}, "postgres")
    assert columns_of(program, schema_of(program), "t") == ("b",)


@pytest.mark.requirement("SQL-04")
def test_a_dropped_column_says_who_dropped_it() -> None:
    found = Lineage(
        {"1.sql": "CREATE TABLE t (a int, b int);", "2.sql": "ALTER TABLE t DROP COLUMN b;"}
    )
    assert found.node("t.b").properties["dropped_in"] == "2.sql"


@pytest.mark.requirement("SQL-01")
def test_a_name_means_the_only_table_it_can_mean() -> None:
    text = "CREATE TABLE sales.orders (id int); CREATE TABLE a.x (i int); CREATE TABLE b.x (i int)"
    scripts = {"1.sql": text}
    found = schema(scripts)
    assert found.canonical("Orders") == "sales.orders"
    assert found.canonical("shop.sales.orders") == "sales.orders"
    assert found.canonical("x") == "x"
    assert found.canonical("other.orders") == "other.orders"


@pytest.mark.requirement("SQL-04")
@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgres", "CREATE TABLE u (LIKE t INCLUDING ALL, c int);"),
        ("postgres", "CREATE TABLE u (c int) INHERITS (t);"),
        ("postgres", "CREATE TABLE u PARTITION OF t FOR VALUES IN (1);"),
        ("mysql", "CREATE TABLE u LIKE t;"),
    ],
)
def test_a_table_like_another_has_its_columns(dialect: str, text: str) -> None:
    found = schema({"1.sql": "CREATE TABLE t (a int, b int);", "2.sql": text}, dialect)
    assert set(found.tables["u"].columns) - {"c"} == {"a", "b"}


@pytest.mark.requirement("SQL-04")
@pytest.mark.parametrize("mark", ["-- +goose Down", "-- +migrate Down", "-- migrate:down"])
def test_what_takes_a_migration_back_is_not_run(mark: str) -> None:
    text = f"CREATE TABLE t (a int);\n{mark}\nDROP TABLE t;"
    assert schema({"1.sql": text}).tables["t"].dropped_in == ""


@pytest.mark.requirement("SQL-29")
def test_a_table_of_several_releases_has_the_order_of_the_file_that_fills_it() -> None:
    scripts = {
        "x--1.0.sql": "CREATE TABLE t (id int, v text);\nINSERT INTO t SELECT a, b FROM s;\n",
        "x--2.0.sql": (
            "CREATE TABLE t (srv int, id int, v text);\nINSERT INTO t SELECT c, a, b FROM s;\n"
        ),
        "s.sql": "CREATE TABLE s (a int, b text, c int);\n",
        "use.sql": "INSERT INTO t SELECT c, a, b FROM s;\n",
    }
    assert Lineage(scripts).edges("FLOWS_TO") == {("s.a", "t.id"), ("s.b", "t.v"), ("s.c", "t.srv")}


@pytest.mark.requirement("SQL-06")
@pytest.mark.parametrize(
    ("function", "least"),
    [
        ("pg_stat_kcache() k", 0.3),
        ("pg_stat_kcache() k(reads, writes)", 0.9),
        ("generate_series(1, 3) k", 0.9),
    ],
)
@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO t (a) SELECT name FROM users, {};",
        "WITH c AS (SELECT * FROM users, {}) INSERT INTO t (a) SELECT name FROM c;",
    ],
)
def test_a_function_of_unknown_columns_may_have_any(
    query: str, function: str, least: float
) -> None:
    found = Lineage(query.format(function))
    (edge,) = found.drawn("FLOWS_TO")
    assert (found.names[edge.source], edge.confidence) == ("users.name", least)
