"""Structural summaries say what containers hold, from names and connections alone."""

import random
from dataclasses import replace

import pytest

from commonplace.domain.graph import Node
from commonplace.link.code.shared import column_id, sql_node, table_id
from commonplace.link.code.summaries import Summaries, Tie, summarise

P = "p"


def own(node_id: str, kind: str, fqn: str, language: str = "csharp", file: str = "a.cs") -> Node:
    told = {"fqn": fqn, "language": language, "file": file, "lines": "1-9"}
    name = fqn.rpartition(".")[2]
    return Node(
        id=node_id, project=P, kind=kind, name=name, document_id="d1", properties=dict(told)
    )


NODES = [
    own("d1", "File", "a.cs"),
    own("svc", "Class", "Shop.Services.OrderService"),
    own("svc.place", "Method", "Shop.Services.OrderService.Place"),
    own("mail", "Class", "Shop.Services.MailService"),
    own("mail.send", "Method", "Shop.Services.MailService.Send"),
    own("repo", "Class", "Shop.Data.OrderRepository"),
    own("repo.save", "Method", "Shop.Data.OrderRepository.Save"),
    own("repo2", "Class", "Shop.Data.CustomerRepository"),
    own("repo2.get", "Method", "Shop.Data.CustomerRepository.Get"),
    *(
        sql_node(P, "Table", name)
        for name in ("dbo.Orders", "dbo.OrderItems", "dbo.Customers", "dbo.Audit")
    ),
    sql_node(P, "Column", "dbo.Customers.Email"),
    sql_node(P, "Procedure", "dbo.usp_Close"),
]
TIES = [
    *(Tie("d1", "CONTAINS", one) for one in ("svc", "mail", "repo", "repo2")),
    Tie("svc", "CONTAINS", "svc.place"),
    Tie("mail", "CONTAINS", "mail.send"),
    Tie("repo", "CONTAINS", "repo.save"),
    Tie("repo2", "CONTAINS", "repo2.get"),
    Tie(table_id(P, "dbo.Customers"), "CONTAINS", column_id(P, "dbo.Customers", "Email")),
    Tie("svc.place", "CALLS", "repo.save"),
    Tie("svc.place", "CALLS", "repo2.get"),
    Tie("svc.place", "CALLS", "mail.send"),
    Tie("repo.save", "WRITES", table_id(P, "dbo.Orders")),
    Tie("repo.save", "WRITES", table_id(P, "dbo.OrderItems")),
    Tie("repo2.get", "READS", column_id(P, "dbo.Customers", "Email")),
    Tie("mail.send", "WRITES", table_id(P, "dbo.Audit")),
]


def made() -> Summaries:
    return summarise(P, NODES, TIES, {"d1": "main-api"})


def text(kind: str, name: str) -> str:
    (found,) = [node for node in made().nodes if (node.kind, node.name) == (kind, name)]
    return str(found.properties["summary"])


@pytest.mark.requirement("CODE-T20")
def test_a_service_tells_what_it_reads_writes_and_calls_up_to_the_next_service() -> None:
    assert made().properties["svc"]["summary"] == (
        "OrderService reads from dbo.Customers, writes to dbo.OrderItems and dbo.Orders, "
        "and calls MailService."
    )
    assert "repo" not in made().properties


@pytest.mark.requirement("CODE-T20")
def test_a_schema_is_told_by_the_tables_that_belong_together() -> None:
    assert text("Schema", "dbo") == (
        "The `dbo` schema contains 4 tables and 1 procedure centered around "
        "order (OrderItems, Orders), Audit and Customers."
    )


@pytest.mark.requirement("CODE-T20")
def test_a_namespace_is_told_by_the_part_its_classes_play() -> None:
    assert text("Namespace", "Shop.Data") == (
        "Shop.Data contains 2 repositories (CustomerRepository, OrderRepository). It reads from "
        "dbo.Customers, and writes to dbo.OrderItems and dbo.Orders."
    )


@pytest.mark.requirement("CODE-T20")
def test_a_source_is_told_by_its_languages_roles_and_tables() -> None:
    assert text("Source", "main-api") == (
        "This source (main-api) has 1 C# file with 2 repositories and 2 services among 4 classes. "
        "It reads from 1 table and writes to 3."
    )


@pytest.mark.requirement("CODE-T20")
def test_a_package_of_python_keeps_its_summary_on_its_own_module() -> None:
    nodes = [
        own("pkg", "Module", "shop", "python", "shop/__init__.py"),
        own("mod", "Module", "shop.orders", "python", "shop/orders.py"),
    ]
    told = summarise(P, nodes, [], {})
    assert told.properties["pkg"]["summary"] == "shop contains 1 module (orders)."
    assert told.nodes == []


@pytest.mark.requirement("CODE-T35")
def test_a_package_is_told_by_the_classes_of_its_modules() -> None:
    nodes = [
        own("pkg", "Module", "shop", "python", "shop/__init__.py"),
        own("mod", "Module", "shop.orders", "python", "shop/orders.py"),
        own("order", "Class", "shop.orders.Order", "python", "shop/orders.py"),
        own("inner", "Class", "shop.orders.Order.Meta", "python", "shop/orders.py"),
        own("line", "Class", "shop.orders.Line", "python", "shop/orders.py"),
        own("total", "Function", "shop.orders.total", "python", "shop/orders.py"),
        own("add", "Method", "shop.orders.Order.add", "python", "shop/orders.py"),
    ]
    ties = [Tie("mod", "CONTAINS", "order"), Tie("order", "CONTAINS", "add")]
    ties += [Tie("mod", "CONTAINS", "line"), Tie("line", "CALLS", "add")]
    told = summarise(P, nodes, ties, {}).properties["pkg"]
    assert told["summary"] == "shop contains 1 module with 2 classes (Order, Line) and 1 function."
    assert told["used"] == 1


@pytest.mark.requirement("CODE-T35")
def test_modules_with_few_classes_are_told_by_their_own_names() -> None:
    files = [
        own(one, "Module", f"shop/{one}.ts", "typescript", f"shop/{one}.ts") for one in "abcde"
    ]
    lost = own("lost", "Class", "shop/a.ts.LostError", "typescript", "shop/a.ts")
    (space,) = summarise(P, [*files, lost], [], {}).nodes
    assert str(space.properties["summary"]).startswith("shop contains 5 modules (")
    assert "with 1 class." in str(space.properties["summary"])


@pytest.mark.requirement("CODE-T35")
def test_what_stands_in_a_class_or_a_function_makes_no_namespace() -> None:
    nodes = [
        own("a", "Class", "Shop.Outer"),
        own("b", "Class", "Shop.Outer.Inner"),
        own("c", "Struct", "example.org/shop.Cart", "go", "cart.go"),
        own("d", "Struct", "example.org/shop.TestCart.row", "go", "cart_test.go"),
        own("e", "Struct", "gopkg.in/yaml.v3.Node", "go", "yaml.go"),
    ]
    named = {node.name for node in summarise(P, nodes, [], {}).nodes}
    assert named == {"Shop", "example.org/shop", "gopkg.in/yaml.v3"}


@pytest.mark.requirement("CODE-T35")
def test_schemas_are_one_whatever_the_case_of_their_letters() -> None:
    nodes = [sql_node(P, "Table", name) for name in ("Dbo.Orders", "dbo.Items")]
    nodes.append(sql_node(P, "View", "dbo.Totals"))
    (schema,) = summarise(P, nodes, [], {}).nodes
    assert schema.name == "dbo"
    assert "2 tables and 1 view" in str(schema.properties["summary"])


@pytest.mark.requirement("CODE-T20")
def test_a_folder_of_two_languages_is_told_as_one() -> None:
    nodes = [
        own("p", "Module", "shop.web", "python", "shop/web/__init__.py"),
        own("a", "Module", "shop.web.orders", "python", "shop/web/orders.py"),
        own("b", "Module", "shop/web/cart.ts", "typescript", "shop/web/cart.ts"),
    ]
    found = summarise(P, nodes, [], {"d1": "s"})
    told = found.properties["p"]
    assert told["symbols"] == 3
    assert "2 modules" in str(told["summary"])
    assert found.nodes == [], "no second container of the same folder"


@pytest.mark.requirement("CODE-T20")
def test_the_order_in_which_things_are_told_changes_nothing() -> None:
    chance = random.Random(1)
    # As many of each, and more roles than are told.
    roles = ("Client", "Factory", "Dao", "Gateway", "Handler", "Controller", "Provider")
    equal = [own(f"r.{one}", "Class", f"Shop.{one}s.Any{one}") for one in roles]
    equal += [sql_node(P, kind, f"dbo.one_{kind}") for kind in ("View", "Trigger")]
    first = summarise(P, [*NODES, *equal], TIES, {"d1": "main-api"})
    for _ in range(20):
        nodes, ties = [*NODES, *equal], TIES[:]
        chance.shuffle(nodes)
        chance.shuffle(ties)
        again = summarise(P, nodes, ties, {"d1": "main-api"})
        assert again.properties == first.properties
        assert {n.id: n for n in again.nodes} == {n.id: n for n in first.nodes}


@pytest.mark.requirement("CODE-T30")
def test_a_class_in_parts_is_summed_up_as_one_by_all_of_them() -> None:
    first, second = (
        replace(
            own(key, "Class", "Shop.OrderService", file=file),
            properties={**own(key, "Class", "Shop.OrderService", file=file).properties}
            | {"modifiers": "partial public"},
        )
        for key, file in (("part1", "a.cs"), ("part2", "b.cs"))
    )
    nodes = [
        own("d1", "File", "a.cs"),
        *(second, own("part2.save", "Method", "Shop.OrderService.Save")),
        *(first, own("part1.load", "Method", "Shop.OrderService.Load")),
        *(sql_node(P, "Table", name) for name in ("Orders", "Audit")),
    ]
    ties = [
        Tie("part1", "CONTAINS", "part1.load"),
        Tie("part2", "CONTAINS", "part2.save"),
        Tie("part1.load", "READS", table_id(P, "Orders")),
        Tie("part2.save", "WRITES", table_id(P, "Audit")),
    ]
    told = summarise(P, nodes, ties, {"d1": "shop"})
    assert told.properties["part1"]["summary"] == (
        "OrderService reads from Orders, and writes to Audit."
    )
    assert "part2" not in told.properties
    texts = {node.name: str(node.properties["summary"]) for node in told.nodes}
    assert texts["Shop"] == (
        "Shop contains 1 class (OrderService). It reads from Orders, and writes to Audit."
    )
    assert "with 1 service among 1 class." in texts["shop"]
