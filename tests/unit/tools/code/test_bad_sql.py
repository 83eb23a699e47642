"""SQL as it is found: capitals, statements and strings that cannot be parsed."""

import pytest

from tests.unit.tools.code.repository import Repository


@pytest.mark.requirement("BAD-09")
async def test_names_of_sql_mean_the_same_however_capitalised(repository: Repository) -> None:
    await repository.index(
        {
            "a.sql": "CREATE TABLE dbo.Orders (Id int, [Total] money);\nGO\n",
            "b.sql": "CREATE VIEW DBO.V_Big AS SELECT TOTAL FROM [DBO].ORDERS;\nGO\n",
            "c.py": "def load(cursor):\n    cursor.execute('select total from dbo.ORDERS')\n",
        }
    )
    edges = await repository.edges("FLOWS_TO", "READS")
    assert "dbo.Orders.Total FLOWS_TO DBO.V_Big.TOTAL" in edges
    assert {"c.load READS dbo.Orders", "c.load READS dbo.Orders.Total"} <= edges
    for spelt in ("dbo.orders", "DBO.ORDERS", "orders"):
        details = await repository.library.call("code.get_symbol_details", symbol=spelt)
        assert details["symbol"]["fqn"] == "dbo.Orders"


@pytest.mark.requirement("BAD-10")
async def test_sql_that_cannot_be_parsed_is_recorded_with_its_range(
    repository: Repository,
) -> None:
    await repository.index(
        {
            "bad.sql": "CREATE TABLE t (id int);\n\nSELEKT id\nFORM t;\n\n"
            "CREATE TABEL u (id int);\n"
            "CREATE VIEW v AS SELECT id FROM t;\nALTER TABLE t AD name text;\n"
        }
    )
    told = await repository.status()
    assert told["languages"]["sql"]["problems"] == 3
    assert told["problems"] == {"unparsed statement": 3}
    assert told["places"] == {"unparsed statement": ["bad.sql:3-4", "bad.sql:6-6", "bad.sql:8-8"]}
    reply = await repository.library.call(
        "graph.query", query="MATCH (f:File) RETURN f.name AS name, f.unread AS unread"
    )
    ((row),) = reply["results"]
    assert row["unread"].startswith("3-4 unparsed statement: ")
    details = await repository.library.call("code.get_symbol_details", symbol="bad.sql")
    assert details["note"].startswith("not understood, by lines: 3-4 unparsed statement: ")
    assert "t.id FLOWS_TO v.id" in await repository.edges("FLOWS_TO")


@pytest.mark.requirement("BAD-15")
async def test_sql_in_a_string_that_cannot_be_parsed_is_recorded_with_its_range(
    repository: Repository,
) -> None:
    await repository.index(
        {
            "store.py": 'def load(cursor):\n    cursor.execute("""\n'
            '        SELECT id FROM t WHERE WHERE id =\n    """)\n\n\n'
            'def fine(cursor):\n    cursor.execute("SELECT id FROM t")\n',
            "Repo.java": "class Repo {\n  void save(java.sql.Statement s) {\n"
            '    s.executeUpdate("INSERT INTO t (id VALUES (1)");\n  }\n}\n',
            "Repo.cs": "class Store {\n  void Load(SqlConnection c) {\n"
            '    var command = new SqlCommand("UPDATE t SET a = = 1", c);\n  }\n}\n',
            "repo.go": "package repo\n\nfunc Load(db *sql.DB) {\n"
            '\tdb.Query("SELECT FROM FROM t GROUP WHERE")\n}\n',
            "repo.ts": "export function load(db: Pool) {\n"
            '  return db.query("DELETE FROM t WHERE (id = 1")\n}\n',
        }
    )
    told = await repository.status()
    assert told["problems"] == {"unparsed SQL in a string": 5}
    assert {name: row["problems"] for name, row in told["languages"].items()} == dict.fromkeys(
        ("csharp", "go", "java", "python", "typescript"), 1
    )
    details = await repository.library.call("code.get_symbol_details", symbol="store.py")
    assert details["note"].startswith("not understood, by lines: 2-4 unparsed SQL in a string: ")
    overview = await repository.library.call("code.list_project_overview")
    assert "5 × unparsed SQL in a string (" in str(overview)
    assert "store.fine READS t.id" in await repository.edges("READS")


@pytest.mark.requirement("BAD-15")
@pytest.mark.parametrize(
    "text",
    [
        "select one from the list",
        "Select an item from the list below, or press Escape.",
        "Update it and set your name",
        "delete what you do not need",
        "with this as (what we call) a hint",
        "{ 'name' : ?0 }",
        "MATCH (n) RETURN n",
    ],
)
async def test_a_sentence_that_begins_like_sql_is_not_counted_as_unparsed(
    text: str, repository: Repository
) -> None:
    await repository.index(
        {
            "page.py": f'def show(page):\n    page.text("{text}")\n    page.query("{text}")\n',
            "page.ts": f'export function show(page: Page) {{\n  page.run("{text}")\n}}\n',
            "Page.java": f'interface Page {{\n  @Query("{text}")\n  String show();\n}}\n',
        }
    )
    told = await repository.status()
    assert told["problems"] == {}
    assert await repository.edges("READS") == set()


@pytest.mark.requirement("BAD-15")
async def test_the_beginning_of_a_statement_put_together_elsewhere_is_not_counted(
    repository: Repository,
) -> None:
    await repository.index(
        {
            "Store.java": "class Store {\n  boolean deletes(String text, String table) {\n"
            '    String said = new StringBuilder("DELETE FROM ").append(table).toString();\n'
            '    note(new StringBuilder("SELECT a FROM t WHERE b=\'").append(said).toString());\n'
            '    return text.equals("DELETE FROM") && starts(text, "INSERT INTO");\n  }\n}\n'
        }
    )
    assert (await repository.status())["problems"] == {}


@pytest.mark.requirement("BAD-15")
async def test_what_was_unparsed_in_a_string_follows_the_file_that_holds_the_string(
    repository: Repository,
) -> None:
    files = {
        "texts.py": 'QUERY = "SELECT id FROM t WHERE WHERE id ="\n',
        "store.py": "import texts\n\n\ndef load(cursor):\n    cursor.execute(texts.QUERY)\n",
    }
    await repository.index(files)
    assert (await repository.status())["places"] == {"unparsed SQL in a string": ["store.py:5-5"]}
    await repository.index({**files, "texts.py": 'QUERY = "SELECT id FROM t"\n'})
    assert (await repository.status())["problems"] == {}
    details = await repository.library.call("code.get_symbol_details", symbol="store.py")
    assert "not understood" not in str(details)
    await repository.index(files)
    assert (await repository.status())["problems"] == {"unparsed SQL in a string": 1}
