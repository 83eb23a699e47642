"""SQL inside code: which functions read and write which tables and columns."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.link.code.queries.statements import looks_like_sql
from commonplace.link.code.queries.values_in import readable, valued
from commonplace.sql.scan import HOLE
from tests.unit.link.code.embedding import embedded, manners, read_by


@pytest.mark.requirement("XL-S01")
@pytest.mark.parametrize(
    "body",
    [
        'cursor.execute("SELECT id FROM orders WHERE state = %s", (x,))',
        'cursor.execute("SELECT id "\n        "FROM orders "\n        "WHERE state = ?", [x])',
        "sql = 'SELECT id FROM orders'\n    sql += ' WHERE state = :x'\n    cursor.execute(sql)",
        "cursor.execute(f\"SELECT {COLUMNS} FROM orders WHERE state = '{x}'\")",
        'cursor.execute("SELECT {} FROM orders WHERE state = {}".format(COLUMNS, x))',
        'cursor.execute("SELECT %s FROM orders WHERE state = %%s" % COLUMNS, (x,))',
        'cursor.execute(" ".join(["SELECT id", "FROM orders", "WHERE state = 1"]))',
        'query = text("SELECT id FROM orders WHERE state = :x")\n    cursor.scalars(query)',
        "cursor.execute(Q.BY_STATE, x)",
        "cursor.execute(statements.BY_STATE, x)",
    ],
)
def test_strings_of_python_are_put_together_where_they_are_run(body: str) -> None:
    code = """
from sqlalchemy import text
import statements
COLUMNS = "id"

class Q:
    BY_STATE = "SELECT " + COLUMNS + " FROM orders WHERE state = ?"

def run(cursor, x):
    """
    code += f"{body}\n"
    kept = 'BY_STATE = "SELECT id FROM orders WHERE state = ?"\n'
    assert embedded({"code.py": code, "statements.py": kept}) == read_by("run")


@pytest.mark.requirement("XL-S02")
@pytest.mark.parametrize(
    "body",
    [
        'jdbc.queryForList("SELECT id FROM orders WHERE state = ?", x);',
        'jdbc.query("SELECT " + COLUMNS + " FROM orders WHERE state = ?", x);',
        'StringBuilder b = new StringBuilder("SELECT id");\n'
        'b.append(" FROM orders").append(" WHERE state = ?");\njdbc.query(b.toString());',
        'String s = String.format("SELECT %s FROM orders WHERE state = ?", COLUMNS);\n'
        "connection.prepareStatement(s);",
        'jdbc.query("""\n    SELECT id\n    FROM orders\n    WHERE state = ?\n    """, x);',
    ],
)
def test_strings_of_java_are_put_together_where_they_are_run(body: str) -> None:
    code = f"""
class Dao {{
    static final String COLUMNS = "id";
    void run(JdbcTemplate jdbc, java.sql.Connection connection, String x) {{
        {body}
    }}
}}
"""
    assert embedded({"Dao.java": code}) == read_by("Dao.run")


@pytest.mark.requirement("XL-S03")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        (
            "Dao.cs",
            'class Dao { void run(IDbConnection c, int x) { c.Query<int>(@"SELECT id\n'
            'FROM orders WHERE state = @x", new { x }); } }',
        ),
        (
            "Dao.cs",
            "class Dao { void run(SqlConnection c, int x) { var k = c.CreateCommand();\n"
            'k.CommandText = $"SELECT id FROM orders WHERE state = {x}"; k.ExecuteReader(); } }',
        ),
        (
            "Dao.cs",
            "class Dao { void run(SqlConnection c) {\n"
            'var k = new SqlCommand("SELECT id FROM orders WHERE state = 1", c); } }',
        ),
        (
            "dao.ts",
            "class Dao { async run(pool: Pool, x: string) {\n"
            "  await pool.query(`SELECT id FROM orders WHERE state = $1`, [x]); } }",
        ),
        (
            "dao.ts",
            "class Dao { async run(prisma: PrismaClient, x: string) {\n"
            "  await prisma.$queryRaw`SELECT id FROM orders WHERE state = ${x}`; } }",
        ),
    ],
)
def test_statements_of_other_languages_reach_the_tables(path: str, code: str) -> None:
    assert embedded({path: code}) == read_by("Dao.run")


@pytest.mark.requirement("XL-S03")
def test_statements_of_go_reach_the_tables() -> None:
    code = """
package shop

import "database/sql"

const byState = "SELECT id FROM orders WHERE state = $1"

func run(db *sql.DB, x string) {
    db.Query(byState, x)
}
"""
    assert embedded({"shop.go": code}) == read_by("run")


@pytest.mark.requirement("XL-S04")
def test_an_edge_says_how_its_statement_is_known() -> None:
    code = """
def literal(cursor):
    cursor.execute("SELECT id FROM orders")

def folded(cursor):
    sql = "SELECT id " + "FROM orders"
    cursor.execute(sql)

def partial(cursor, order):
    cursor.execute("SELECT id FROM orders ORDER BY " + order)

def unknown(cursor, table):
    cursor.execute("SELECT id FROM " + table)
"""
    found = manners({"code.py": code})
    assert found["literal READS orders.id"] == ("literal", 0.95)
    assert found["folded READS orders.id"] == ("folded", 0.95)
    assert found["partial READS orders.id"] == ("partial", 0.5)
    assert not [one for one in found if one.startswith("unknown")]


@pytest.mark.requirement("XL-S05")
def test_what_is_only_told_is_not_run() -> None:
    code = """
import logging

def tell(cursor):
    logging.info("SELECT id FROM orders")
    print("Select an item from orders")
    raise ValueError("UPDATE orders SET state = 1 failed")

def choose(menu):
    menu.show("select one from the list")
"""
    assert embedded({"code.py": code}) == set()


@pytest.mark.requirement("XL-S06")
def test_routines_are_called_by_name_and_by_statement() -> None:
    routines = "CREATE PROCEDURE close_day(d int) LANGUAGE sql AS $$ DELETE FROM orders $$;"
    python = """
def one(cursor):
    cursor.callproc("close_day", [1])

def two(cursor):
    cursor.execute("CALL close_day(%s)", (1,))
"""
    java = """
class Dao {
    void three(java.sql.Connection c) { c.prepareCall("{call close_day(?)}"); }
}
"""
    csharp = """
class Gate {
    void Four(SqlConnection c) {
        var k = new SqlCommand("close_day", c);
        k.CommandType = CommandType.StoredProcedure;
    }
    void Five(SqlConnection c) {
        var k = new SqlCommand();
        k.CommandType = CommandType.StoredProcedure;
        k.CommandText = "close_day";
    }
    void Six(IDbConnection c) {
        c.Execute("close_day", commandType: CommandType.StoredProcedure);
    }
}
"""
    files = {"r.sql": routines, "a.py": python, "Dao.java": java, "Gate.cs": csharp}
    callers = ("one", "two", "Dao.three", "Gate.Four", "Gate.Five", "Gate.Six")
    assert embedded(files) == {f"{one} CALLS close_day" for one in callers}


@pytest.mark.requirement("XL-S07")
def test_a_statement_in_a_file_of_its_own_is_read_by_who_loads_it() -> None:
    code = """
from pathlib import Path
BY_STATE = (Path(__file__).parent / "queries" / "by_state.sql").read_text()

def run(cursor):
    cursor.execute(BY_STATE)

def open_it(cursor):
    with open("queries/by_state.sql") as file:
        cursor.execute(file.read())
"""
    files = {"code.py": code, "queries/by_state.sql": "SELECT id FROM orders WHERE state = 1;"}
    assert embedded(files) == read_by("run") | read_by("open_it")


@pytest.mark.requirement("XL-S08")
def test_statements_about_entities_are_about_their_tables() -> None:
    entities = """
package shop;
import jakarta.persistence.*;
@Entity @Table(name = "buyers") class Buyer { @Id Long id; @Column(name = "name") String label; }
"""
    order = """
package shop;
import jakarta.persistence.*;
@Entity @Table(name = "orders") class Order {
    @Id Long id;
    String state;
    @JoinColumn(name = "buyer_id") @ManyToOne Buyer buyer;
}
"""
    repository = """
package shop;
import org.springframework.data.jpa.repository.*;
interface Orders extends JpaRepository<Order, Long> {
    @Query("SELECT o.id FROM Order o JOIN o.buyer b WHERE b.label = ?1 AND o.state = :s")
    Object labelled(String label, String s);
    @Query(value = "SELECT id FROM orders WHERE state = 'x'", nativeQuery = true)
    Object plain();
}
class Desk {
    void close(EntityManager manager) {
        manager.createQuery("UPDATE Order o SET o.state = 'closed' WHERE o.buyer.label = :l");
    }
}
"""
    files = {"shop/Buyer.java": entities, "shop/Order.java": order, "shop/Orders.java": repository}
    assert embedded(files) == {
        "Orders.labelled READS orders",
        "Orders.labelled READS orders.id",
        "Orders.labelled READS orders.state",
        "Orders.labelled READS orders.buyer_id",
        "Orders.labelled READS buyers",
        "Orders.labelled READS buyers.name",
        *read_by("Orders.plain"),
        "Desk.close WRITES orders",
        "Desk.close WRITES orders.state",
        "Desk.close READS orders",
        "Desk.close READS orders.buyer_id",
        "Desk.close READS buyers",
        "Desk.close READS buyers.name",
    }


@pytest.mark.requirement("XL-S09")
def test_rows_read_into_a_class_map_its_fields_to_the_columns_selected() -> None:
    code = """
class Line {
    public int Id { get; set; }
    public string Buyer { get; set; }
    public int N { get; set; }
}
class Dao {
    void Run(IDbConnection c) {
        c.Query<Line>("SELECT o.id, b.name AS buyer, count(*) AS n "
            + "FROM orders o JOIN buyers b ON b.id = o.buyer_id");
    }
}
"""
    assert embedded({"Dao.cs": code}, "MAPS_TO") == {
        "Line.Id MAPS_TO orders.id",
        "Line.Buyer MAPS_TO buyers.name",
    }


@pytest.mark.requirement("XL-S10")
def test_columns_a_statement_moves_flow_on() -> None:
    code = """
def move(cursor):
    cursor.execute("INSERT INTO buyers (id, name) SELECT buyer_id, upper(state) FROM orders")
"""
    assert embedded({"code.py": code}, "FLOWS_TO") == {
        "orders.buyer_id FLOWS_TO buyers.id",
        "orders.state FLOWS_TO buyers.name",
    }


@given(st.text(alphabet=f"SELECT from'\"()[]{{}}{HOLE}=,;%?\n abc", max_size=80))
def test_any_text_may_be_looked_at_as_sql(text: str) -> None:
    assert looks_like_sql(text) in (True, False)
    assert len(readable(valued(text))) <= len(text) + 10


def test_a_program_without_sql_loads_no_parser_of_it() -> None:
    program = (
        "import sys; from tests.unit.link.code.crossing import found_by, program_of; "
        "from commonplace.link.code.passes import passes; "
        "found_by(program_of({'a.py': 'def f():\\n    g(\"hello\")\\n'}), *passes()); "
        "print('sqlglot' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "False\n"
