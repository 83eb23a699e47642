"""Ids are shown by their beginning, taken in either length, and never mistaken."""

from typing import Any

import pytest

from commonplace.domain.graph import Edge, Node
from commonplace.domain.ids import brief_id, stable_id
from commonplace.tools.code.sharing import spread
from tests.unit.tools.code.shop import ORDERS, TOTAL, P, Shop

BEGIN = "s123456789"
TWINS = (f"{BEGIN}000000001", f"{BEGIN}000000002")
SHOWN = {one: brief_id(one) for one in (ORDERS, TOTAL)}


def node(node_id: str, name: str, document: str | None = None) -> Node:
    told: dict[str, Any] = {"fqn": f"Shop.{name}", "language": "csharp", "file": "src/x.cs"}
    return Node(
        id=node_id, project=P, kind="Class", name=name, document_id=document, properties=told
    )


async def add_twins(shop: Shop) -> None:
    """Two classes whose ids begin alike; both call Save."""
    nodes = [node(own, f"Twin{name}") for own, name in zip(TWINS, "AB", strict=True)]
    calls = [Edge(source=own, relation="CALLS", target="save", project=P) for own in TWINS]
    await shop.library.app.store.graph.merge(nodes, calls)


@pytest.mark.requirement("CODE-T31")
async def test_what_is_shown_is_taken_back_as_a_whole_id_is(shop: Shop) -> None:
    found = spread(await shop.call("search_symbols", query="dbo.Orders"))["results"]
    assert found[0]["id"] == SHOWN[ORDERS]
    assert len(SHOWN[ORDERS]) == 10
    for tool in ("get_symbol_details", "get_dependencies", "analyze_impact", "find_usages"):
        by_shown, by_whole = [
            await shop.call(tool, symbol_id=one) for one in (SHOWN[ORDERS], ORDERS)
        ]
        assert by_shown["symbol"] == by_whole["symbol"]
        assert by_shown["symbol"]["id"] == SHOWN[ORDERS]
        as_name = await shop.call(tool, symbol=SHOWN[ORDERS])
        assert as_name["symbol"] == by_whole["symbol"], "an id where a name may stand"
    steps = (await shop.call("trace_lineage", symbol_id=SHOWN[TOTAL]))["steps"]
    assert steps == (await shop.call("trace_lineage", symbol_id=TOTAL))["steps"]


@pytest.mark.requirement("CODE-T31")
@pytest.mark.parametrize(
    ("tool", "field", "listed"),
    [
        ("graph.describe", "node_ids", True),
        ("graph.expand", "node_ids", True),
        ("graph.parents", "section_ids", True),
        ("graph.children", "parent_id", False),
        ("graph.entities_for_sections", "section_ids", True),
        ("graph.sections_for_entities", "entity_ids", True),
        ("describe_nodes", "node_ids", True),
        ("summarize_neighborhood", "node_ids", True),
        ("compute_context_bundle", "seeds", True),
    ],
)
async def test_tools_of_the_graph_take_what_code_tools_show(
    shop: Shop, tool: str, field: str, listed: bool
) -> None:
    replies = [
        await shop.library.call(tool, **{field: [one] if listed else one})
        for one in (SHOWN[ORDERS], ORDERS)
    ]
    shown = [
        {name: value for name, value in one.items() if name not in ("session_id", "next_cursor")}
        for one in replies
    ]
    assert shown[0] == shown[1]


@pytest.mark.requirement("CODE-T31")
async def test_paths_and_queries_take_what_code_tools_show(shop: Shop) -> None:
    ends = {"a_ids": [SHOWN[ORDERS]], "b_ids": [SHOWN[TOTAL]]}
    assert (await shop.library.call("graph.paths", **ends))["returned_count"]
    begin = SHOWN[ORDERS]
    for query, parameters in (
        (f"MATCH (n) WHERE n.id = '{begin}' RETURN n.name", {}),
        (f'MATCH (n {{id: "{begin}"}}) RETURN n.name', {}),
        ("MATCH (n) WHERE n.id = $id RETURN n.name", {"id": begin}),
        ("MATCH (n) WHERE n.id IN $ids RETURN n.name", {"ids": [begin, 3]}),
    ):
        answer = await shop.library.call("graph.query", query=query, parameters=parameters)
        assert answer["results"] == [{"n.name": "Orders"}], query
    literal = "RETURN 's999999999' AS said"
    answer = await shop.library.call("graph.query", query=literal)
    assert answer["results"] == [{"said": "s999999999"}], "no node's: a text like any other"


@pytest.mark.requirement("CODE-T31")
async def test_of_two_that_begin_alike_whole_ids_are_shown(shop: Shop) -> None:
    await add_twins(shop)
    found = spread(await shop.call("search_symbols", query="Twin", verbosity="summary"))
    assert {row["id"] for row in found["results"]} == set(TWINS)
    callers = spread(await shop.call("get_dependencies", symbol="Save", direction="inbound"))
    shown = {row["id"] for group in callers["groups"] for row in group["symbols"]}
    assert shown >= set(TWINS)
    text = await shop.text("search_symbols", query="Twin")
    assert all(f"ID: `{one}`" in text for one in TWINS)
    for own, name in zip(TWINS, "AB", strict=True):
        details = await shop.call("get_symbol_details", symbol_id=own)
        assert details["symbol"]["fqn"] == f"Shop.Twin{name}"


@pytest.mark.requirement("CODE-T31")
async def test_a_beginning_of_two_is_answered_with_both(shop: Shop) -> None:
    await shop.library.app.store.graph.merge([node(TWINS[0], "TwinA")], [])
    one = await shop.call("get_symbol_details", symbol_id=BEGIN)
    assert one["symbol"]["fqn"] == "Shop.TwinA", "as long as it is the only one"
    await add_twins(shop)
    both = await shop.call("get_symbol_details", symbol_id=BEGIN)
    assert [row["id"] for row in both["candidates"]] == list(TWINS)
    assert "symbol" not in both
    text = await shop.text("get_symbol_details", symbol_id=BEGIN)
    assert all(f"ID: {one}" in text for one in TWINS)
    for tool, arguments in (
        ("graph.describe", {"node_ids": [BEGIN]}),
        ("graph.query", {"query": f"MATCH (n {{id: '{BEGIN}'}}) RETURN n"}),
    ):
        error = (await shop.library.call(tool, **arguments))["error"]
        assert error["code"] == "INVALID_ARGUMENT"
        assert f"send one: {', '.join(TWINS)}" in error["message"]


@pytest.mark.requirement("CODE-T31")
async def test_a_beginning_tells_nothing_of_what_a_scope_hides(shop: Shop) -> None:
    path = "src/OrderService.cs"
    seen, hidden = node(TWINS[0], "Seen", shop.document(path)), node(TWINS[1], "Hidden")
    store = shop.library.app.store
    await store.graph.merge([seen, hidden], [])
    await store.passages.label(P, {shop.document(path): ["ours"]})
    scope = {"doc_tags": ["ours"]}
    reply = await shop.call("get_symbol_details", symbol_id=BEGIN, scope=scope)
    assert reply["symbol"]["fqn"] == "Shop.Seen"
    described = await shop.library.call("graph.describe", node_ids=[BEGIN], scope=scope)
    assert [one["id"] for one in described["nodes"]] == [TWINS[0]]
    scope = {"doc_tags": ["nobody"]}
    error = (await shop.call("get_symbol_details", symbol_id=BEGIN, scope=scope))["error"]
    assert error["code"] == "NOT_FOUND"
    assert not any(one in error["message"] for one in TWINS)


@pytest.mark.requirement("CODE-T31")
async def test_what_was_shown_by_its_beginning_counts_as_examined(shop: Shop) -> None:
    first = await shop.call("search_symbols", query="dbo.Orders")
    assert first["results"][0]["id"] == SHOWN[ORDERS]
    reply = await shop.call("get_dependencies", symbol="Save")
    rows = [row for group in reply["groups"] for row in group["symbols"]]
    assert [row["seen"] for row in rows if row["id"] == SHOWN[ORDERS]] == [True]


def test_only_ids_of_ours_are_cut() -> None:
    whole = stable_id("s", "p", "a")
    assert whole.startswith(brief_id(whole))
    assert brief_id(brief_id(whole)) == brief_id(whole)
    assert all(brief_id(one) == one for one in ("", "svc", f"{whole}0", whole[:-1], "S" + whole))
