"""Dependencies, lineage and impact go as far as asked, and no further."""

from typing import Any

import pytest

from commonplace.domain.graph import Edge, Node
from commonplace.domain.ids import brief_id
from commonplace.serve.dispatch import Caller
from commonplace.tools.code.sharing import spread
from tests.unit.tools.code import shop as made
from tests.unit.tools.code.shop import P, Shop

ID, ORDERS, ROUTE, SUM, TOTAL = (
    brief_id(one) for one in (made.ID, made.ORDERS, made.ROUTE, made.SUM, made.TOTAL)
)


async def related(shop: Shop, symbol: str, **asked: Any) -> dict[str, set[str]]:  # noqa: ANN401
    reply = await shop.call("get_dependencies", symbol=symbol, **asked)
    return {
        f"{group['relation']} {group['direction']}": {one["id"] for one in group["symbols"]}
        for group in reply["groups"]
    }


@pytest.mark.requirement("CODE-T05")
async def test_dependencies_are_grouped_by_relation_and_direction(shop: Shop) -> None:
    assert await related(shop, "OrderRepository.Save") == {
        "CALLS in": {"place", "test"},
        "WRITES out": {ORDERS, TOTAL},
    }
    assert await related(shop, "Save", direction="outbound") == {"WRITES out": {ORDERS, TOTAL}}
    assert await related(shop, "Save", direction="inbound") == {"CALLS in": {"place", "test"}}
    assert await related(shop, "Save", relationship_types=["calls"]) == {
        "CALLS in": {"place", "test"}
    }
    assert await related(shop, "Save", min_confidence=0.9, direction="in") == {
        "CALLS in": {"place"}
    }


@pytest.mark.requirement("CODE-T05")
async def test_a_class_counts_with_its_parts_and_not_with_itself(shop: Shop) -> None:
    assert await related(shop, "OrderService", direction="out") == {"CALLS out": {"save", "get"}}
    reply = await shop.call("get_dependencies", symbol="OrderRepository", direction="in")
    via = {one["id"]: one.get("via") for group in reply["groups"] for one in group["symbols"]}
    assert via == {"place": "save", "find": "get", "test": "save"}


@pytest.mark.requirement("CODE-T05")
async def test_what_a_file_contains_is_a_relation_like_others(shop: Shop) -> None:
    wanted = {"relationship_types": ["CONTAINS"], "direction": "outbound", "depth": 3}
    reply = await shop.call("get_dependencies", symbol="src/OrderService.cs", **wanted)
    (group,) = reply["groups"]
    assert [one["id"] for one in group["symbols"]] == ["svc", "find", "place", "limit"]


@pytest.mark.requirement("CODE-T05")
async def test_depth_goes_on_and_kinds_stop_or_hide(shop: Shop) -> None:
    deep = await related(shop, "Place", direction="out", depth=3)
    assert deep == {
        "CALLS out": {"save"},
        "REFERENCES out": {"limit"},
        "WRITES out": {ORDERS, TOTAL},
    }
    stopped = await related(shop, "Place", direction="out", depth=3, stop_at_kinds=["METHOD"])
    assert stopped == {"CALLS out": {"save"}, "REFERENCES out": {"limit"}}
    hidden = await related(shop, "Place", direction="out", depth=3, exclude_kinds=["method"])
    assert hidden == {"REFERENCES out": {"limit"}, "WRITES out": {ORDERS, TOTAL}}


@pytest.mark.requirement("CODE-T05")
@pytest.mark.parametrize("tool", ["get_dependencies", "trace_lineage", "analyze_impact"])
@pytest.mark.parametrize(
    ("field", "fix"),
    [("stop_at_kinds", "METHOD"), ("exclude_kinds", "TABLE"), ("relationship_filter", "CALLS")],
)
async def test_a_kind_or_relation_nothing_has_is_refused_with_those_there_are(
    shop: Shop, tool: str, field: str, fix: str
) -> None:
    asked = {"symbol": "Save", field: ["CALL"]}
    outcome = await shop.library.outcome(f"code.{tool}", **asked)
    assert outcome.is_error
    assert "'CALL'; known: " in outcome.text
    assert fix in outcome.text


async def lineage(shop: Shop, symbol: str, **asked: Any) -> list[tuple[str, str, str]]:  # noqa: ANN401
    reply = await shop.call("trace_lineage", symbol=symbol, **asked)
    return [(one["flow"], one["relation"], one["id"]) for one in reply["steps"]]


@pytest.mark.requirement("CODE-T06")
async def test_a_column_leads_to_who_reads_and_writes_it_and_back(shop: Shop) -> None:
    assert set(await lineage(shop, "dbo.Orders.Total")) == {
        ("from", "WRITES", "save"),
        ("to", "READS", "get"),
        ("to", "FLOWS_TO", SUM),
    }
    assert await lineage(shop, "dbo.Report.Sum", direction="upstream") == [
        ("from", "FLOWS_TO", TOTAL),
        ("from", "WRITES", "save"),
    ]
    assert set(await lineage(shop, "OrderRepository.Get", direction="backward")) == {
        ("from", "READS", ORDERS),
        ("from", "READS", TOTAL),
        ("from", "READS", ID),
        ("from", "WRITES", "save"),
    }


@pytest.mark.requirement("CODE-T06")
async def test_that_a_function_reads_one_and_writes_another_is_no_flow(shop: Shop) -> None:
    both = Edge(source="save", relation="READS", target=made.ID, project=P)
    await shop.library.app.store.graph.merge([], [both])
    steps = await lineage(shop, "dbo.Orders.Id", direction="downstream")
    assert ("to", "READS", "save") in steps
    assert not any(relation == "WRITES" for _, relation, _ in steps)


@pytest.mark.requirement("CODE-T06")
async def test_calls_routes_and_clients_can_be_followed_too(shop: Shop) -> None:
    wanted = ["READS", "CALLS", "HANDLES", "REQUESTS"]
    steps = await lineage(
        shop, "dbo.Orders.Total", direction="outbound", relationship_filter=wanted
    )
    assert [one for _, _, one in steps] == ["get", "find", ROUTE, "load"]
    text = await shop.text(
        "trace_lineage", symbol="dbo.Orders.Total", direction="out", relationship_filter=wanted
    )
    indents = [len(line) - len(line.lstrip()) for line in text.splitlines() if "- " in line]
    assert indents == [0, 2, 4, 6]


@pytest.mark.requirement("CODE-T07")
async def test_only_changes_of_language_are_shown_and_what_is_between_is_counted(
    shop: Shop,
) -> None:
    reply = await shop.call("trace_lineage", symbol="dbo.Report.Sum", cross_language_only=True)
    (step,) = reply["steps"]
    assert (step["id"], step["through"], step["hops"]) == ("save", 1, 1)
    found = await related(shop, "Place", direction="out", depth=3, cross_language_only=True)
    assert found == {"WRITES out": {ORDERS, TOTAL}}


async def impact(shop: Shop, symbol: str, **asked: Any) -> dict[str, tuple[int, str]]:  # noqa: ANN401
    reply = await shop.call("analyze_impact", symbol=symbol, **asked)
    return {
        one["id"]: (tier["tier"], tier["severity"])
        for tier in reply["tiers"]
        for one in tier["symbols"]
    }


@pytest.mark.requirement("CODE-T08")
async def test_impact_fades_with_distance_and_doubt(shop: Shop) -> None:
    hit = await impact(shop, "dbo.Orders.Total", change_type="type", max_depth=4)
    assert hit == {
        "save": (1, "high"),
        "get": (1, "high"),
        SUM: (1, "high"),
        "place": (2, "low"),
        "find": (2, "low"),
        "test": (2, "low"),
        ROUTE: (3, "low"),
        "load": (3, "low"),
    }
    near = await impact(shop, "dbo.Orders.Total", change_type="type", severity_threshold="high")
    assert set(near) == {"save", "get", SUM}


@pytest.mark.requirement("CODE-T08")
async def test_what_is_felt_depends_on_the_kind_of_change(shop: Shop) -> None:
    assert await impact(shop, "Limit", change_type="delete") == {"place": (1, "high")}
    assert await impact(shop, "Limit", change_type="signature", max_depth=1) == {
        "place": (1, "medium")
    }
    assert await impact(shop, "Limit", change_type="body") == {}
    assert (await impact(shop, "Save", change_type="behaviour"))["place"] == (1, "medium")
    assert (await impact(shop, "Save", change_type="remove"))["place"] == (1, "high")
    orders = await impact(shop, "dbo.Orders", change_type="add_column", max_depth=1)
    assert orders == {"save": (1, "medium"), "get": (1, "low")}
    assert await shop.library.error("code.analyze_impact", symbol="Save", change_type="x") == (
        "INVALID_ARGUMENT"
    )


@pytest.mark.requirement("CODE-T09")
async def test_risk_is_the_worst_or_incomplete_where_not_all_is_known(shop: Shop) -> None:
    reply = await shop.call("analyze_impact", symbol="Save")
    assert (reply["risk"], reply["severities"]) == ("high", {"high": 1, "medium": 1})
    assert reply["doubts"] == ["1 of these rests on the name alone"]
    calm = await shop.call("analyze_impact", symbol_id="load", change_type="behaviour")
    assert (calm["risk"], calm.get("doubts")) == ("medium", None)
    path = "web/client.ts"
    document = shop.document(path)
    (node,) = await shop.library.app.store.graph.nodes(P, [document])
    told = {**node.properties, "problems": 2}
    broken = Node(
        id=node.id,
        project=P,
        kind=node.kind,
        name=node.name,
        document_id=document,
        properties=told,
    )
    await shop.library.app.store.graph.merge([broken], [])
    low = await shop.call("analyze_impact", symbol="testLoad", change_type="behaviour")
    assert low["risk"] == "incomplete"
    assert path in low["doubts"][0]
    properties = {"fqn": "lonely", "language": "sql", "file": path, "lines": "1-1"}
    table = Node(id="lonely", project=P, kind="Table", name="lonely", properties=properties)
    await shop.library.app.store.graph.merge([table], [])
    lonely = await shop.call("analyze_impact", symbol_id="lonely", change_type="delete")
    assert lonely["risk"] == "incomplete", "of a script, too"


@pytest.mark.requirement("CODE-T09")
async def test_calls_nobody_could_bind_make_a_quiet_impact_incomplete(shop: Shop) -> None:
    quiet = await shop.call("analyze_impact", symbol="Place", change_type="delete")
    assert (quiet["risk"], quiet.get("doubts")) == ("none", None)
    told = {"fqn": "Shop.Main.Run", "language": "csharp", "open": "Place:2 Other:1"}
    caller = Node(id="run", project=P, kind="Method", name="Run", properties=told)
    await shop.library.app.store.graph.merge([caller], [])
    doubtful = await shop.call("analyze_impact", symbol="Place", change_type="delete")
    assert doubtful["risk"] == "incomplete"
    doubt = "1 symbol calls something named Place that could not be bound (Shop.Main.Run)"
    assert doubtful["doubts"] == [doubt]


@pytest.mark.requirement("CODE-T14")
async def test_what_was_shown_is_one_line_and_says_so(shop: Shop) -> None:
    await shop.call("get_symbol_details", symbol="Place")
    outcome = await shop.library.outcome("code.get_dependencies", symbol="Save", direction="in")
    assert (
        "- Shop.Services.OrderService.Place (METHOD) (already examined) — ID: place" in outcome.text
    )
    (group,) = outcome.structured["groups"]
    assert group["symbols"][0] == {
        "id": "place",
        "kind": "METHOD",
        "fqn": "Shop.Services.OrderService.Place",
        "seen": True,
        "where": "12",
    }


@pytest.mark.requirement("CODE-T08")
async def test_scripts_count_among_the_files_a_change_touches(shop: Shop) -> None:
    link = Edge(source=made.ORDERS, relation="REFERENCES", target="limit", project=P)
    await shop.library.app.store.graph.merge([], [link])
    reply = await shop.call("analyze_impact", symbol="Limit", max_depth=1)
    assert {one["id"] for tier in reply["tiers"] for one in tier["symbols"]} == {"place", ORDERS}
    assert reply["files"] == 2, "src/OrderService.cs and db/orders.sql"


@pytest.mark.requirement("CODE-T05")
async def test_the_near_comes_before_the_far_and_the_sure_before_a_guess(shop: Shop) -> None:
    async def order(symbol: str, depth: int) -> list[str]:
        asked = {"symbol_id": symbol, "direction": "in", "depth": depth}
        reply = await shop.call("get_dependencies", **asked)
        return [one["id"] for group in reply["groups"] for one in group["symbols"]]

    links = [
        Edge(source="load", relation="CALLS", target="save", project=P, confidence=0.2),
        Edge(source="test", relation="CALLS", target="place", project=P),
    ]
    await shop.library.app.store.graph.merge([], links)
    assert await order("save", 1) == ["place", "load", "test"], "a method surely, functions maybe"
    assert await order("limit", 2) == ["place", "test"], "who refers, then who calls them"
    (calls,) = (await shop.call("find_usages", symbol_id="save"))["groups"]
    assert [one["id"] for one in calls["usages"]] == ["place", "load", "test"]


@pytest.mark.requirement("CODE-T14")
async def test_what_is_near_the_focus_comes_first(shop: Shop) -> None:
    async def order() -> list[str]:
        reply = await shop.call("get_dependencies", symbol_id="limit2", direction="in")
        return [one["id"] for group in reply["groups"] for one in group["symbols"]]

    told = {"fqn": "Shared.Limit2", "language": "csharp"}
    shared = Node(id="limit2", project=P, kind="Constant", name="Limit2", properties=told)
    links = [
        Edge(source=one, relation="REFERENCES", target="limit2", project=P)
        for one in ("find", "get", "load")
    ]
    await shop.library.app.store.graph.merge([shared], links)
    plain = await order()
    assert plain[0] == "load", "a function before methods"
    await shop.call("get_symbol_details", symbol="OrderRepository")
    assert (await order())[0] == "get"


BRANCHES = {
    "code.get_dependencies": {"Find", "Get", "Place", "Save", "loadOrder", "testLoad", "route"},
    "code.trace_lineage": {"Get", "Save", "Sum"},
    "code.analyze_impact": {
        "Find",
        "Get",
        "Place",
        "Save",
        "Sum",
        "loadOrder",
        "testLoad",
        "route",
    },
}
METHODS = {"Find", "Get", "Place", "Save"}


@pytest.mark.requirement("CODE-T22")
@pytest.mark.parametrize("tool", BRANCHES)
async def test_every_way_to_prune_prunes_every_traversal(tool: str, shop: Shop) -> None:
    async def reached(**more: Any) -> set[str]:  # noqa: ANN401 - JSON
        asked = {"symbol": "dbo.Orders.Total", "depth": 10, "max_response_tokens": 10_000}
        outcome = await shop.library.dispatcher.call(
            tool, {**asked, **more}, Caller(connection=None)
        )
        found = spread(outcome.structured or {})
        groups = found.get("groups") or found.get("tiers") or [found]
        return {
            "route" if one["kind"] == "ROUTE" else one["fqn"].rpartition(".")[2]
            for group in groups
            for one in group.get("symbols", group.get("steps", ()))
        }

    whole = BRANCHES[tool]
    assert await reached() == whole
    assert await reached(exclude_kinds=["METHOD"]) == whole - METHODS, "but goes on through them"
    assert await reached(stop_at_kinds=["METHOD"]) == whole & {"Get", "Save", "Sum"}
    assert await reached(relationship_filter=["WRITES"]) == {"Save"}
    crossing = {"Get", "Save", "loadOrder", "testLoad"}
    assert await reached(cross_language_only=True) == whole & crossing
    for verbosity in ("summary", "standard", "full"):
        assert await reached(verbosity=verbosity) == whole
    path = "src/OrderService.cs"
    maybe = Node(
        id="maybe",
        project=P,
        kind="Method",
        name="Maybe",
        document_id=shop.document(path),
        properties={"fqn": "Shop.Maybe", "file": path, "lines": "1-1"},
    )
    guess = Edge(
        source="maybe",
        relation="WRITES",
        target=made.TOTAL,
        project=P,
        document_id=shop.document(path),
        confidence=0.5,
    )
    await shop.library.app.store.graph.merge([maybe], [guess])
    assert "Maybe" in await reached(min_confidence=0.5)
    assert "Maybe" not in await reached(min_confidence=0.6)
