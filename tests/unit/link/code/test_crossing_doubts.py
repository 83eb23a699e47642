"""What crosses from code to data only seems so, or is not all known: nothing is invented."""

import pytest

from tests.unit.link.code.crossing import found_by, lines, names_of, program_of, ties
from tests.unit.link.code.embedding import embedded, manners


def confidences(files: dict[str, str], *names: str) -> dict[str, float]:
    program = program_of(files)
    found = found_by(program, *names)
    called = names_of(program, found)
    return {
        f"{called[edge.source]} {edge.relation} {called[edge.target]}": edge.confidence
        for one in found
        for edge in one.edges
    }


@pytest.mark.requirement("XL-S17")
def test_columns_that_are_filled_in_are_not_taken_by_their_place() -> None:
    text = """
def put(cursor, fields):
    names = ", ".join(fields)
    marks = ", ".join("?" for _ in fields)
    cursor.execute("INSERT INTO orders (" + names + ") VALUES (" + marks + ")", list(fields))
def rows(cursor, given):
    execute_values(cursor, "INSERT INTO orders (id, state) VALUES %s", given)
"""
    assert embedded({"a.py": text}) == {
        "put WRITES orders",
        *("rows WRITES orders", "rows WRITES orders.id", "rows WRITES orders.state"),
    }


@pytest.mark.requirement("XL-S17")
def test_of_a_few_named_queries_any_may_be_meant_and_of_many_none() -> None:
    few = """
QUERIES = {"a": "SELECT id FROM orders", "b": "SELECT name FROM buyers"}
def find(cursor, key):
    cursor.execute(QUERIES[key])
"""
    assert {sure for _how, sure in manners({"a.py": few}).values()} == {0.6}
    listed = ", ".join(f'"{n}": "SELECT id FROM orders WHERE total = {n}"' for n in range(9))
    many = f"QUERIES = {{{listed}}}\ndef find(cursor, key):\n    cursor.execute(QUERIES[key])\n"
    assert embedded({"a.py": many}) == set()


@pytest.mark.requirement("XL-S17")
def test_an_object_that_stands_for_a_row_names_its_columns() -> None:
    text = """
const mysql = require("mysql2");
const pool = mysql.createPool({});
function put(row) { pool.query("INSERT INTO orders SET ?", { id: 1, state: row.state }); }
function edit(id, total) { pool.query("UPDATE orders SET ? WHERE id = ?", [{ total }, id]); }
"""
    assert embedded({"a.js": text}) == {
        *("put WRITES orders", "put WRITES orders.id", "put WRITES orders.state"),
        *("edit WRITES orders", "edit WRITES orders.total"),
        *("edit READS orders", "edit READS orders.id"),
    }


@pytest.mark.requirement("XL-S16")
def test_a_statement_prepared_by_a_module_is_of_the_functions_that_run_it() -> None:
    text = """
const db = require("better-sqlite3")("x.db");
const late = db.prepare("SELECT id FROM orders WHERE state = 'late'");
const unused = db.prepare("SELECT name FROM buyers");
function show() { return late.all(); }
function other(late) { return late.all(); }
const all = db.transaction(() => late.all());
"""
    found = embedded({"a.js": text})
    assert {"show READS orders", "all READS orders", "a.js READS buyers"} <= found
    assert not any(one.startswith(("other", "a.js READS orders")) for one in found)


@pytest.mark.requirement("XL-S16")
def test_what_a_function_is_given_to_run_is_of_those_who_give_it() -> None:
    helper = """
class Database:
    def all(self, sql, *args):
        return self.conn.execute(sql, args).fetchall()
    def show(self, title, text):
        self.screen.write(title)
"""
    desk = """
from helper import Database
LATE = "select id from orders where state = 'late'"
def late(db: Database):
    return db.all(LATE)
def tell(db: Database):
    db.show(LATE, "select one from the list")
"""
    assert embedded({"helper.py": helper, "desk.py": desk}) == {
        *("late READS orders", "late READS orders.id", "late READS orders.state"),
    }


@pytest.mark.requirement("XL-S15")
def test_statements_of_a_mapper_file_are_of_its_interface() -> None:
    mapper = """<mapper namespace="shop.OrderMapper">
  <sql id="own">o.id, o.state</sql>
  <select id="find">SELECT <include refid="own"/> FROM orders o
    <where>
      <if test="a">AND o.total &lt; #{a}</if>
      <foreach collection="ids" open="AND o.id IN (" separator="," close=")" item="i">#{i}</foreach>
    </where>
    <choose>
      <when test="b">ORDER BY o.state</when><otherwise>ORDER BY o.buyer_id</otherwise>
    </choose>
  </select>
  <delete id="lost">DELETE FROM ${table} WHERE id = #{id}</delete>
  <select id="nobody">SELECT name FROM buyers</select>
</mapper>"""
    java = """package shop;
public interface OrderMapper {
    java.util.List<Order> find(int a);
    void lost(String table, long id);
}"""
    files = {"OrderMapper.xml": mapper, "OrderMapper.java": java}
    assert embedded(files) == {
        *("OrderMapper.find READS orders", "OrderMapper.find READS orders.id"),
        *("OrderMapper.find READS orders.state", "OrderMapper.find READS orders.total"),
        "OrderMapper.find READS orders.buyer_id",
        *("OrderMapper.xml READS buyers", "OrderMapper.xml READS buyers.name"),
    }
    assert embedded(
        {**files, "OrderMapper.java": java.replace("package shop", "package other")}
    ) >= {
        "OrderMapper.xml READS orders",
    }


@pytest.mark.requirement("XL-S15")
def test_an_edge_that_another_file_proves_tells_which() -> None:
    mapper = "<mapper namespace='OrderMapper'><select id='all'>SELECT id FROM t</select></mapper>"
    java = "interface OrderMapper { java.util.List<Order> all(); }"
    program = program_of({"a/OrderMapper.xml": mapper, "OrderMapper.java": java})
    told = {
        edge.properties.get("file")
        for one in found_by(program, "embedded")
        for edge in one.edges
        if edge.relation == "READS"
    }
    assert told == {"a/OrderMapper.xml"}


@pytest.mark.requirement("XL-S15")
def test_files_of_other_kinds_that_are_called_as_mappers_say_nothing() -> None:
    assert embedded({"mapper.xml": "<beans><select id='a'>SELECT id FROM orders</select>"}) == set()
    assert embedded({"BeanMapper.xml": "<mapper namespace='x'><select id='a'>"}) == set()


@pytest.mark.requirement("XL-R10")
def test_a_request_whose_options_are_not_known_is_not_sure() -> None:
    text = """
export function send(options) { return fetch("/orders", options); }
export function post() { const how = { method: "POST" }; return fetch("/orders", how); }
export function plain() { return fetch("/orders"); }
"""
    assert confidences({"a.ts": text}, "routes") == {
        "send REQUESTS GET /orders": 0.4,
        "post REQUESTS POST /orders": 0.5,
        "plain REQUESTS GET /orders": 0.5,
    }


@pytest.mark.requirement("XL-R10")
def test_plugins_of_fastify_stand_below_every_prefix_they_are_registered_with() -> None:
    plugin = """
async function one(request, reply) {}
async function two(request, reply) {}
module.exports = async function (fastify, opts) {
  fastify.get("/x", one);
  fastify.route({ method: ["PUT", "PATCH"], url: "/y", handler: two });
};
"""
    server = """
const fastify = require("fastify")();
const plugin = require("./plugin");
fastify.register(plugin, { prefix: "/v1" });
fastify.register(plugin, { prefix: "/v2" });
"""
    found = ties({"plugin.js": plugin, "server.js": server}, "routes")
    assert lines(found, "HANDLES") == {
        *("GET /v1/x HANDLES one", "GET /v2/x HANDLES one"),
        *("PUT /v1/y HANDLES two", "PATCH /v1/y HANDLES two"),
        *("PUT /v2/y HANDLES two", "PATCH /v2/y HANDLES two"),
    }


@pytest.mark.requirement("XL-R11")
def test_a_request_that_a_function_makes_for_others_is_of_those_who_ask_it() -> None:
    text = """
const BASE = "https://shop.example/api";
async function call(path, options) { return fetch(`${BASE}${path}`, options); }
function log(path) { console.log(path); }
export const all = () => call("/orders");
export const put = (id) => call(`/orders/${id}`, { method: "PUT" });
export const told = () => log("/orders/told");
"""
    go = """package client

import (
	"context"
	"net/http"
)

func Gone(ctx context.Context, base string) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, "DELETE", base+"/orders/1", nil)
}
"""
    assert lines(ties({"a.ts": text, "client.go": go}, "routes"), "REQUESTS") == {
        "all REQUESTS GET /api/orders",
        "put REQUESTS PUT /api/orders/{}",
        "Gone REQUESTS DELETE /orders/1",
    }


@pytest.mark.requirement("XL-R11")
def test_folders_of_next_are_routes() -> None:
    text = """
import { NextResponse } from "next/server";
export async function GET() { return NextResponse.json([]); }
export const POST = async () => NextResponse.json({});
export function helper() {}
"""
    found = ties({"src/app/(shop)/api/orders/[id]/route.ts": text, "lib/route.ts": text}, "routes")
    assert lines(found, "HANDLES") == {
        "GET /api/orders/{} HANDLES GET",
        "POST /api/orders/{} HANDLES POST",
    }


@pytest.mark.requirement("XL-S16")
def test_text_that_is_put_together_is_only_read_where_it_is_run() -> None:
    text = """
class Dao {
    String find(java.sql.Connection con) throws Exception {
        StringBuilder sql = new StringBuilder("SELECT id FROM orders o");
        sql.append(" WHERE o.state = 'x'");
        return sql.toString();
    }
    void run(java.sql.Connection con) throws Exception { con.prepareStatement(find(con)); }
}
"""
    assert embedded({"Dao.java": text}) == {
        *("Dao.run READS orders", "Dao.run READS orders.id", "Dao.run READS orders.state"),
    }


@pytest.mark.requirement("XL-A04")
def test_keys_called_as_kinds_of_expressions_are_no_expressions() -> None:
    text = """
def load(read, cursor):
    cursor.execute(read({"text": 1, "call": 2}, "text"))
    cursor.execute(read("text").joined("call", ["map"]))
"""
    assert embedded({"a.py": text}) == set()
