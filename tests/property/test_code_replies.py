"""For any arguments: replies of code tools keep budgets and schemas, pages cover lists once."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace import tools
from commonplace.answer.pack import MAX_RESPONSE_BYTES, minify
from commonplace.catalog import collect
from commonplace.domain.graph import Edge, Node
from commonplace.domain.ids import brief_id
from commonplace.serve.dispatch import Caller
from commonplace.serve.schemas import input_schema, output_schema
from commonplace.tools.base import Tool
from tests.property.arguments import arguments
from tests.unit.tools.code.shop import FILES, ORDERS, TOTAL, P, Shop, open_shop

FAMILY = {name: tool for name, tool in collect(tools, Tool).items() if tool.family == "code"}
CALLERS = 30
POOLS = {
    "symbol": [
        *("Save", "OrderService", "dbo.Orders.Total", "dbo.orders", "Shop", "nope", "Caller1"),
        *(brief_id(ORDERS), "GET /orders/{id}"),
    ],
    "symbol_id": ["save", "svc", ORDERS, TOTAL, brief_id(TOTAL), "x000000000", "nope"],
    "path": [*FILES, "client.ts", "../x", "nope.cs"],
    "query": ["order", "Save", "caller", "where are orders", "ORDER_", "~!"],
    "cursor": ["000000000000000", "x"],
    "session_id": ["someone-else"],
    "change_type": ["signature", "delete", "rename", "type", "behaviour", "add", "add_column"],
    "before": ["1", "nope"],
    "after": ["1", "2"],
}
KINDS = st.lists(st.sampled_from(["TABLE", "METHOD", "class", "enum"]), max_size=2)
RELATIONS = st.lists(st.sampled_from(["CALLS", "reads", "WRITES", "FLOWS_TO", "TESTS"]), max_size=3)
LISTS = {
    "kinds": KINDS,
    "stop_at_kinds": KINDS,
    "exclude_kinds": KINDS,
    "relationship_types": RELATIONS,
    "relationship_filter": RELATIONS,
    "usage_types": st.lists(st.sampled_from(["call", "reads", "WRITES", "import"]), max_size=2),
    "change_types": st.lists(st.sampled_from(["added", "removed", "signature"]), max_size=2),
}


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    async with open_shop(tmp_path) as opened:
        await add_callers(opened)
        yield opened


async def add_callers(shop: Shop) -> None:
    """A method that many call, so that lists have pages."""
    nodes = [
        Node(
            id=f"caller{number}",
            project=P,
            kind="Method",
            name=f"Caller{number}",
            properties={
                "fqn": f"Shop.Callers.Caller{number}",
                "language": "csharp",
                "signature": f"void Caller{number}(int a)",
                "doc": "Calls \u202e`Save`.\n# not a heading",
            },
        )
        for number in range(CALLERS)
    ]
    edges = [
        Edge(source=node.id, relation="CALLS", target="save", project=P, properties={"at": "1:2-3"})
        for node in nodes
    ]
    await shop.library.app.store.graph.merge(nodes, edges)


@pytest.mark.requirement("CODE-T15")
@pytest.mark.parametrize("name", FAMILY)
@given(data=st.data())
@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_any_reply_keeps_its_budget_and_schema(
    shop: Shop, name: str, data: st.DataObject
) -> None:
    tool = FAMILY[name]
    asked = data.draw(arguments(input_schema(tool.args), POOLS))
    for field, values in LISTS.items():
        if field in asked:
            asked[field] = data.draw(values)
    outcome = await shop.library.outcome(name, **asked)
    structured = outcome.structured
    for form in (outcome.text, minify(structured)):
        assert len(form) <= shop.library.app.settings.response_chars
        assert len(form.encode("utf-8")) <= MAX_RESPONSE_BYTES
    if outcome.is_error:
        assert structured["error"]["code"] != "INTERNAL_ERROR", (asked, structured)
        return
    jsonschema.validate(json.loads(minify(structured)), output_schema(tool.output))
    tokens = asked.get("max_response_tokens", tool.args.model_fields["max_response_tokens"].default)
    assert shop.library.app.tokens(outcome.text) <= tokens
    assert shop.library.app.tokens(minify(structured)) <= tokens
    assert "\u202e" not in outcome.text


ASKED: dict[str, dict[str, Any]] = {
    "code.search_symbols": {"query": "caller"},
    "code.get_dependencies": {"symbol_id": "save", "direction": "inbound"},
    "code.analyze_impact": {"symbol_id": "save"},
    "code.find_usages": {"symbol_id": "save"},
    "code.get_symbol_details": {"symbol_id": "save", "verbosity": "full"},
    "code.trace_lineage": {"symbol_id": "save", "relationship_filter": ["CALLS"]},
}


def ids(structured: Any) -> list[str]:  # noqa: ANN401 - JSON
    """What a page lists, in order."""
    rows = structured.get("results") or structured.get("steps") or structured.get("parts") or []
    for group in structured.get("groups") or structured.get("tiers") or []:
        rows += group.get("symbols") or group.get("usages") or []
    return [row["id"] for row in rows]


@pytest.mark.requirement("CODE-T15")
@pytest.mark.parametrize("name", ASKED)
@given(data=st.data())
@settings(
    max_examples=6,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
async def test_pages_cover_the_list_exactly_once(
    shop: Shop, name: str, data: st.DataObject
) -> None:
    whole = await shop.library.call(name, **ASKED[name], limit=200, max_response_tokens=10_000)
    assert not whole.get("has_more")
    assert whole["total_count"] == len(ids(whole)) > CALLERS - 1
    seen: list[str] = []
    cursor = None
    while True:
        paging = {
            "limit": data.draw(st.integers(5, 40)),
            "max_response_tokens": data.draw(st.integers(600, 3000)),
        }
        page = await shop.library.call(name, **ASKED[name], **paging, cursor=cursor)
        assert page["returned_count"] == len(ids(page))
        seen += ids(page)
        assert page.get("remaining_count", 0) == whole["total_count"] - len(seen)
        cursor = page.get("next_cursor")
        if cursor is None:
            break
        # Looking at something else meanwhile must not change the order of this list.
        await shop.library.call("code.get_symbol_details", symbol="OrderRepository")
    assert seen == ids(whole)


@pytest.mark.requirement("CODE-T15")
@pytest.mark.parametrize("name", ASKED)
async def test_pages_follow_each_other_without_a_session_too(shop: Shop, name: str) -> None:
    seen: list[str] = []
    cursor = None
    while True:
        asked = {**ASKED[name], "limit": 12, "cursor": cursor}
        page = await shop.library.dispatcher.call(name, asked, Caller(connection=None))
        assert not page.is_error, page.text
        seen += ids(page.structured)
        cursor = page.structured.get("next_cursor")
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == page.structured["total_count"]
