import pytest

from commonplace.link.code.program import Unit
from commonplace.link.code.shared import (
    column_id,
    external_node,
    is_shared,
    namespace_node,
    route_node,
    routine_id,
    schema_id,
    sql_id,
    sql_node,
    table_id,
)
from commonplace.sql.read import read_script


@pytest.mark.requirement("SQL-01")
@pytest.mark.parametrize(
    "name",
    ["dbo.Customers", "[dbo].[Customers]", '"customers"', "public.customers", "`CUSTOMERS`"],
)
def test_a_table_has_one_id_however_it_is_written(name: str) -> None:
    assert table_id("p", name) == table_id("p", "customers")
    assert column_id("p", name, "[Full Name]") == column_id("p", "customers", "full name")


@pytest.mark.requirement("SQL-01")
def test_other_schemas_projects_and_kinds_are_others() -> None:
    assert table_id("p", "sales.customers") != table_id("p", "customers")
    assert table_id("p", "customers") != table_id("q", "customers")
    assert table_id("p", "other.dbo.customers") != table_id("p", "customers")
    assert table_id("p", '"a.b"') != table_id("p", "a.b")
    assert len({table_id("p", "x"), routine_id("p", "x"), schema_id("p", "x")}) == 3


@pytest.mark.requirement("SQL-01")
def test_symbols_of_scripts_are_the_shared_nodes() -> None:
    text = "CREATE TABLE [dbo].[T] ([A B] int)\nGO\nCREATE VIEW v AS SELECT 1 AS x"
    facts = read_script(text, "a.sql", "tsql")
    unit = Unit(document_id="d", source_id="s", path="a.sql", facts=facts, project="p")
    assert unit.ids == (
        "d",
        table_id("p", "t"),
        column_id("p", "t", "a b"),
        table_id("p", "dbo.v"),
    )
    assert not is_shared(facts, 0)
    assert is_shared(facts, 1)


@pytest.mark.requirement("SQL-01")
def test_shared_nodes_keep_their_names_and_no_document() -> None:
    node = sql_node("p", "Column", 'dbo.Orders."Order Date"', {"type": "date"})
    assert node.id == sql_id("p", "Column", "orders.[ORDER DATE]")
    assert (node.name, node.document_id) == ("Order Date", None)
    assert dict(node.properties) == {
        "fqn": 'dbo.Orders."Order Date"',
        "language": "sql",
        "type": "date",
    }
    assert external_node("p", "requests.get").name == "get"
    assert namespace_node("p", "App.Data", "csharp").kind == "Namespace"
    assert route_node("p", "get", "/orders/{}").name == "GET /orders/{}"
