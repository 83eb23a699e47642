"""Strings of SQL in code: where they stand, and that they are read to their end."""

import pytest

from tests.unit.link.code.crossing import found_by, program_of
from tests.unit.link.code.embedding import SCHEMA, embedded, manners, read_by

PLACED = {
    "inline.py": """
def run(c):
    c.execute(
        <<'''
        SELECT id
        FROM orders'''>>,
        (1,),
    )
""",
    "pieces.py": """
def run(c):
    c.execute(<<"SELECT id "
              "FROM orders">>)
""",
    "sum.py": """
def run(c, x):
    sql = <<"SELECT id FROM orders " + x>>
    c.execute(sql + " WHERE id = 1")
""",
    "percent.py": """
def run(c):
    c.execute(<<"SELECT %s FROM orders">> % "id")
""",
    "constant.py": """
ONE = "SELECT id FROM orders WHERE id"
ALL = <<'''SELECT id
         FROM orders'''>>

def run(c):
    c.execute(ALL)
""",
    "class.py": """
class Q:
    ALL = <<"SELECT id FROM orders">>
    ONE = "SELECT id FROM orders WHERE id"

def run(c):
    c.execute(Q.ALL)
""",
    "umlauts.py": """
def run(c):
    "äö"; c.execute("ü", <<"SELECT id FROM orders">>)
""",
    "elsewhere.py": """
from statements import ALL

def run(c):
    c.<<execute>>(ALL)
""",
    "Dao.java": """
class Dao {
  void run(JdbcTemplate j) {
    j.query(<<"SELECT id " +
      "FROM orders">>);
  }
}
""",
    "Block.java": """
interface Block {
  @Query(nativeQuery = true, value = <<\"\"\"
    SELECT id
    FROM orders
    \"\"\">>)
  List<Long> run();
}
""",
    "Dao.cs": """
class Dao { void run(SqlConnection c) {
  var k = new SqlCommand(<<@"SELECT id
    FROM orders">>, c);
} }
""",
    "Filled.cs": """
class Filled { void run(IDbConnection c) {
  c.Query<int>(<<$"SELECT id FROM orders WHERE id = {1}">>);
} }
""",
    "dao.ts": """
export function run(pool: Pool, x: string) {
  return pool.query(<<`
    SELECT id
    FROM orders`>>, [x])
}
""",
    "dao.js": """
export function run(pool) {
  // 'SELECT id FROM orders'
  return pool.query(<<'SELECT id ' +
    'FROM orders'>>)
}
""",
    "dao.go": """
package dao

func run(db *sql.DB) {
	db.Query(<<`SELECT id
		FROM orders`>>)
}
""",
}


@pytest.mark.requirement("XL-S11")
@pytest.mark.parametrize("path", PLACED)
def test_what_sql_in_code_proves_is_placed_where_its_string_is_written(path: str) -> None:
    before, rest = PLACED[path].split("<<")
    inside, after = rest.split(">>")
    code = f"{before}{inside}{after}"
    kept = 'ALL = "SELECT id FROM orders"\n'
    program = program_of({"schema.sql": SCHEMA, "statements.py": kept, path: code})
    found = found_by(program, "embedded")
    places = {
        edge.properties["at"]
        for one in found
        for edge in one.edges
        if edge.relation == "READS" and edge.document_id == f"d:{path}"
    }
    assert [_cut(code, str(one)) for one in places] == [inside]


def _cut(text: str, place: str) -> str:
    """What stands at a place as edges tell it."""
    start, _, end = place.partition("-")
    line, column = map(int, start.split(":"))
    last, _, column_after = end.rpartition(":")
    lines = text.split("\n")[line - 1 : int(last or line)]
    lines[-1] = lines[-1][: int(column_after)]
    return "\n".join(lines)[column:]


LONG = " AND ".join(f"state <> 'not this one {n}'" for n in range(20))


@pytest.mark.requirement("XL-S12")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", 'def run(c, t):\n    c.execute(f"""{}""")\n'),
        ("a.js", "export function run(c, t) {{\n  c.query(`{}`)\n}}\n"),
        ("A.cs", 'class A {{ void run(IDbConnection c, string t) {{ c.Execute($@"{}"); }} }}\n'),
    ],
)
def test_a_query_with_holes_is_read_to_its_end(path: str, code: str) -> None:
    hole = "${t}" if path.endswith("js") else "{t}"
    query = f"WITH gone AS (DELETE FROM {hole}.log WHERE {LONG}) UPDATE orders SET state = 'late'"
    found = {one.removeprefix("A.") for one in embedded({path: code.format(query)}, "WRITES")}
    assert found == {"run WRITES orders", "run WRITES orders.state"}


@pytest.mark.requirement("XL-S12")
def test_what_stands_between_two_literals_is_part_of_none() -> None:
    code = (
        "def run(c, t, x):\n"
        "    c.execute(f\"SELECT id FROM orders WHERE state = 'a' -- don't ask\\n\"\n"
        "              f\"AND id IN (SELECT id FROM {t}) AND total = 1 AND state <> 'b{x}'\")\n"
    )
    assert embedded({"a.py": code}) >= read_by("run") | {"run READS orders.total"}


@pytest.mark.requirement("XL-S12")
def test_a_hole_with_a_type_is_a_value() -> None:
    code = (
        'def run(c, days, many):\n    c.execute(f"""\n        SELECT id, UNNEST({many}::text[])\n'
        '        FROM orders WHERE state < NOW() - {days}::interval""")\n'
    )
    assert manners({"a.py": code})["run READS orders.state"] == ("folded", 0.95)


@pytest.mark.requirement("XL-S12")
@pytest.mark.parametrize("value", ["%s", "%(x)s", "?", "$1", ":x", "{x}"])
def test_a_value_that_is_cast_is_read(value: str) -> None:
    sql = f"SELECT id FROM orders WHERE state = {value}::text AND total = ANY({value}::int[])"
    code = f'import psycopg\n\ndef run(c, x):\n    c.execute(f"{sql}", x)\n'
    if value != "{x}":
        code = code.replace('f"SELECT', '"SELECT')
    assert embedded({"a.py": code}) == read_by("run") | {"run READS orders.total"}
