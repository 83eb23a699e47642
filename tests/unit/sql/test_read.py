import pytest

from commonplace.domain.code import At, Facts, Source
from commonplace.languages.sql import extract
from commonplace.sql.read import read_queries, read_script
from commonplace.sql.scan import HOLE

HERE = At(7, 4, 7, 90)


def paths(facts: Facts, kind: str) -> list[str]:
    return [one.path for one in facts.symbols if one.kind == kind]


@pytest.mark.requirement("SQL-03")
def test_tables_and_columns_are_symbols_with_their_place() -> None:
    text = "-- Who buys.\nCREATE TABLE sales.customer (\n  id int NOT NULL,\n  name varchar(20)\n);"
    facts = extract(text, "a.sql")
    table, *columns = facts.symbols[1:]
    assert (table.kind, table.name, table.path, table.doc) == (
        "Table",
        "customer",
        "sales.customer",
        "Who buys.",
    )
    assert table.at == At(2, 0, 5, 1)
    assert [(one.name, one.path, one.type, one.at.line, one.parent) for one in columns] == [
        ("id", "sales.customer.id", ("name", "int"), 3, 1),
        ("name", "sales.customer.name", ("name", "varchar(20)"), 4, 1),
    ]


@pytest.mark.requirement("SQL-03")
@pytest.mark.parametrize(
    ("text", "dialect", "columns"),
    [
        (
            "CREATE TABLE [dbo].[T] ([Id] INT IDENTITY(1,1) NOT NULL, [A B] nvarchar(max), "
            "CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([Id] ASC) WITH (PAD_INDEX = OFF)) ON [PRIMARY]",
            "tsql",
            ["dbo.T.Id", 'dbo.T."A B"'],
        ),
        (
            "CREATE TABLE t (key text, id int, PRIMARY KEY (id), KEY ix (id), UNIQUE (key))",
            "mysql",
            ["t.key", "t.id"],
        ),
        ("CREATE TABLE t (a INTEGER, b NUMERIC(10, 2) CHECK (b > 0)) WITHOUT ROWID", "sqlite",
         ["t.a", "t.b"]),
        ("CREATE VIRTUAL TABLE f USING fts5(title, body, content='t')", "sqlite",
         ["f.title", "f.body"]),
        ("ALTER TABLE t ADD COLUMN IF NOT EXISTS z text, DROP COLUMN q", "postgres", ["t.z"]),
        ("ALTER TABLE dbo.T ADD a int NOT NULL DEFAULT 0, b bit NULL", "tsql",
         ["dbo.T.a", "dbo.T.b"]),
    ],
)  # fmt: skip
def test_columns_are_found_in_every_dialect(text: str, dialect: str, columns: list[str]) -> None:
    assert paths(read_script(text, "a.sql", dialect), "Column") == columns


@pytest.mark.requirement("SQL-03")
def test_routines_views_and_the_rest_are_symbols() -> None:
    text = """CREATE SCHEMA app; CREATE SEQUENCE app.seq; CREATE VIEW app.v AS SELECT 1 AS one;
    CREATE UNIQUE INDEX ix ON app.t (a); CREATE TYPE mood AS ENUM ('a');
    CREATE FUNCTION app.f(IN a int, b text DEFAULT 'x') RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
    CREATE TRIGGER tr BEFORE INSERT ON app.t FOR EACH ROW EXECUTE FUNCTION app.f();"""
    facts = read_script(text, "a.sql", "postgres")
    assert [(one.kind, one.path) for one in facts.symbols[1:]] == [
        *(("Schema", "app"), ("Sequence", "app.seq"), ("View", "app.v"), ("Index", "ix")),
        *(("Type", "mood"), ("Function", "app.f"), ("Trigger", "tr")),
    ]
    function = facts.symbols[6]
    assert [(one.name, one.type) for one in function.parameters] == [
        ("a", ("name", "int")),
        ("b", ("name", "text")),
    ]
    assert function.signature.startswith("CREATE FUNCTION app.f(IN a int")


@pytest.mark.requirement("SQL-11")
def test_what_cannot_be_parsed_is_a_problem_with_its_range() -> None:
    text = "SELECT 1;\nSELECT FROM WHERE JOIN orders ON ORDER;\nSELECT 2;"
    facts = read_script(text, "a.sql", "postgres")
    (problem,) = facts.problems
    assert problem.what.startswith("unparsed statement")
    assert problem.at == At(2, 0, 2, 38)
    assert len(facts.queries) == 3
    assert facts.queries[1].tables == ("orders",)
    assert facts.queries[1].shape == ()


@pytest.mark.requirement("SQL-14")
def test_sql_in_code_is_read_with_placeholders() -> None:
    for value in ("?", "%s", "%(name)s", ":name", "@name", "$1"):
        text = f"UPDATE orders SET total = {value} WHERE id = {value} AND note <> '%s'"
        queries, problems = read_queries(text, "", 3, HERE)
        assert problems == []
        (query,) = queries
        assert (query.scope, query.verb, query.target, query.at) == (3, "UPDATE", "orders", HERE)
        assert query.writes == ("total",)
        assert set(query.reads) == {Source("orders", "id"), Source("orders", "note")}
        assert not query.is_partial


@pytest.mark.requirement("SQL-14")
@pytest.mark.parametrize(
    ("text", "tables"),
    [
        (f"SELECT a FROM orders WHERE b = {HOLE}", ("orders",)),
        (f"SELECT a FROM orders {HOLE}", ("orders",)),
        (f"SELECT a FROM orders WHERE a = 1 {HOLE} ORDER BY a", ("orders",)),
        (f"SELECT {HOLE} FROM orders", ("orders",)),
        (f"SELECT a FROM {HOLE} JOIN orders o ON o.id = 1", ("orders",)),
        (f"SELECT a FROM logs_{HOLE}", ()),
        (f"SELECT a FROM orders WHERE id IN ({HOLE})", ("orders",)),
    ],
)
def test_holes_are_names_or_nothing(text: str, tables: tuple[str, ...]) -> None:
    queries, problems = read_queries(text, "postgres", 0, HERE)
    assert problems == []
    assert [query.tables for query in queries] == [tables]
    assert queries[0].is_partial
    assert not any(HOLE in source.column for query in queries for source in query.reads)


@pytest.mark.requirement("SQL-14")
def test_definitions_in_code_are_told_too() -> None:
    text = "CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, state TEXT); DROP TABLE old"
    queries, _problems = read_queries(text, "sqlite", 0, HERE)
    assert [(one.verb, one.target, one.writes) for one in queries] == [
        ("CREATE", "jobs", ("id", "state")),
        ("DROP", "old", ()),
    ]


@pytest.mark.requirement("SQL-10")
@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("EXEC ('UPDATE t SET a = 1')", "tsql"),
        ("EXEC sp_executesql N'UPDATE t SET a = @p', N'@p int', 3", "tsql"),
        ("DECLARE @s nvarchar(99) = N'UPDATE t '\nSET @s += N'SET a = 1'\nEXEC (@s)", "tsql"),
        ("DO $$ BEGIN EXECUTE format('UPDATE t SET a = %L', 5); END $$", "postgres"),
        ("DO $$ BEGIN EXECUTE 'UPDATE t SET ' || quote_ident('a') || ' = 1'; END $$", "postgres"),
    ],
)
def test_text_that_is_run_is_read_and_partial(text: str, dialect: str) -> None:
    facts = read_script(text, "a.sql", dialect)
    (query,) = [one for one in facts.queries if one.verb == "UPDATE"]
    assert query.target == "t"
    assert query.is_partial


@pytest.mark.requirement("SQL-10")
def test_text_that_is_not_known_is_a_problem() -> None:
    facts = read_script("CREATE PROC p @sql nvarchar(99) AS EXEC (@sql)", "a.sql", "tsql")
    assert [one.what for one in facts.problems] == ["dynamic SQL whose text is not known"]


@pytest.mark.requirement("SQL-18")
def test_reading_writes_nothing_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    text = "UPDATE STATISTICS t\nGO\nCREATE VIEW v WITH SCHEMABINDING AS SELECT 1 AS a\nGO\nSELECT"
    read_script(text, "a.sql", "tsql")
    read_script("RENAME TABLE a TO b; SELECT ~", "a.sql", "mysql")
    assert capfd.readouterr().err == ""


@pytest.mark.requirement("SQL-20")
def test_a_schema_that_is_a_variable_of_psql_is_called_as_that() -> None:
    text = (
        "create table :APP.jobs (id bigserial primary key, payload json);\n"
        'create view :"APP".waiting as select id from :APP.jobs where run_at::date < now();\n'
        "select array[]:::APP.kind[], payload::text from :APP.jobs where id = :id;\n"
    )
    facts = extract(text, "a.sql")
    assert facts.problems == ()
    assert paths(facts, "Table") == ["APP.jobs"]
    assert paths(facts, "View") == ["APP.waiting"]
    assert facts.symbols[1].at == At(1, 0, 1, 63)


@pytest.mark.requirement("SQL-28")
def test_scripts_of_extensions_are_read_in_the_schema_they_are_put_into() -> None:
    text = (
        "CREATE TABLE @extschema@.part_config (parent text);\n"
        "ALTER TABLE @extschema@.part_config ADD premake int;\n"
        "CREATE FUNCTION @extschema@.check_part(p text) RETURNS boolean LANGUAGE plpgsql AS $$\n"
        "#variable_conflict use_variable\n"
        "DECLARE\n    found boolean;\n"
        "BEGIN\n    DELETE FROM @extschema@.part_config WHERE parent = p;\nEND $$;\n"
    )
    facts = extract(text, "part--1.0.sql")
    assert facts.problems == ()
    assert paths(facts, "Table") == ["extschema.part_config"]
    assert "extschema.part_config.premake" in paths(facts, "Column")
    assert paths(facts, "Function") == ["extschema.check_part"]
    assert ("DELETE", "extschema.part_config", 8) in [
        (one.verb, one.target, one.at.line) for one in facts.queries
    ]


@pytest.mark.requirement("SQL-28")
def test_lines_that_begin_with_a_hash_are_notes_where_nothing_else_can() -> None:
    notes = "#\n# If you're using DB2, set the delegate.\n#\n"
    facts = extract(f"{notes}create table jobs (name varchar(80));\n", "tables_db2.sql")
    assert (facts.problems, paths(facts, "Table")) == ((), ["jobs"])
    kept = extract("SELECT data\n  #>> '{a}' AS a FROM t WHERE data::jsonb IS NOT NULL;\n", "a.sql")
    assert (kept.problems, kept.queries[0].reads[0].column) == ((), "data")
    temporary = extract("SELECT a INTO\n#t FROM dbo.b\nGO\n", "b.sql")
    assert temporary.problems == ()


@pytest.mark.requirement("SQL-10")
def test_what_is_made_under_a_name_nobody_knows_is_no_table() -> None:
    text = (
        "CREATE FUNCTION f(n text, m text) RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n"
        "  EXECUTE format('CREATE VIEW %I.%I AS SELECT a FROM t', n, m);\n"
        "  EXECUTE format('SELECT log(%s, %L)', n, 'failed: ' || m);\nEND $$;\n"
    )
    facts = extract(text, "a.sql")
    assert facts.problems == ()
    assert not any(HOLE in one.target for one in facts.queries)


@pytest.mark.requirement("SQL-20")
@pytest.mark.parametrize("dialect", ["", "postgres", "mysql"])
def test_a_temporary_table_of_t_sql_is_known_whatever_the_project_speaks(dialect: str) -> None:
    queries, problems = read_queries("create table #abc (fld int)", dialect, 0, HERE)
    assert problems == []
    assert [one.target for one in queries] == ["#abc"]
