"""Every argument of seed 003's ten tools: its default, its other names, its bounds, its errors."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from commonplace.domain.graph import Edge, Node
from commonplace.serve.dispatch import Caller
from tests.unit.tools.code.shop import SERVICE, P, Shop, open_shop
from tests.unit.tools.code.test_reading import two_runs

LIST: dict[str, Any] = {
    "limit": 20,
    "offset": 0,
    "max_response_tokens": 2000,
    "scope": None,
    "cursor": None,
}
PRUNED: dict[str, Any] = {
    **LIST,
    "stop_at_kinds": [],
    "exclude_kinds": [],
    "cross_language_only": False,
    "min_confidence": 0.0,
}
TOOLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "code.search_symbols": (
        {"query": "order"},
        {**LIST, "limit": 10, "kinds": [], "search_mode": "auto", "verbosity": "standard"},
    ),
    "code.get_symbol_details": (
        {"symbol": "OrderService"},
        {
            **LIST,
            "limit": 50,
            "include_source": False,
            "include_children": True,
            "verbosity": "standard",
        },
    ),
    "code.get_dependencies": (
        {"symbol": "OrderRepository"},
        {
            **PRUNED,
            "direction": "both",
            "depth": 1,
            "relationship_types": [],
            "verbosity": "summary",
        },
    ),
    "code.trace_lineage": (
        {"symbol": "dbo.Orders.Total"},
        {
            **PRUNED,
            "direction": "both",
            "max_depth": 10,
            "relationship_filter": [],
            "verbosity": "standard",
        },
    ),
    "code.analyze_impact": (
        {"symbol": "dbo.Orders.Total"},
        {
            **PRUNED,
            "change_type": "signature",
            "max_depth": 3,
            "severity_threshold": "low",
            "relationship_filter": [],
            "verbosity": "summary",
        },
    ),
    "code.get_file_contents": (
        {"path": "web/client.ts"},
        {"start_line": 1, "end_line": 4, "max_response_tokens": 2000},
    ),
    "code.query_graph": (
        {"query": "MATCH (n:Method) RETURN n.name ORDER BY n.name"},
        {
            "limit": 100,
            "parameters": {},
            "max_depth": None,
            "relationship_filter": [],
            "max_response_tokens": 2000,
        },
    ),
    "code.list_project_overview": ({}, {**LIST, "limit": 10, "verbosity": "standard"}),
    "code.find_usages": (
        {"symbol": "dbo.Orders.Total"},
        {**LIST, "usage_types": [], "include_context": False, "min_confidence": 0.0},
    ),
    "code.compare_snapshots": (
        {},
        {**LIST, "before": None, "after": None, "change_types": [], "include_impact": False},
    ),
}
BOUNDS: dict[str, dict[str, tuple[Any, Any, Any, Any]]] = {
    "code.search_symbols": {"limit": (0, 1, 200, 201), "offset": (-1, 0, 10_000, 10_001)},
    "code.get_symbol_details": {"limit": (0, 1, 200, 201)},
    "code.get_dependencies": {
        "depth": (0, 1, 20, 21),
        "min_confidence": (-0.1, 0.0, 1.0, 1.1),
        "limit": (0, 1, 200, 201),
    },
    "code.trace_lineage": {"max_depth": (0, 1, 20, 21), "limit": (0, 1, 200, 201)},
    "code.analyze_impact": {"max_depth": (0, 1, 20, 21), "limit": (0, 1, 200, 201)},
    "code.get_file_contents": {"start_line": (0, 1, 4, 10_000_001)},
    "code.query_graph": {"limit": (0, 1, 1000, 1001), "max_depth": (0, 1, 100, 101)},
    "code.list_project_overview": {"limit": (0, 1, 200, 201)},
    "code.find_usages": {"context_lines": (-1, 0, 10, 11), "limit": (0, 1, 200, 201)},
    "code.compare_snapshots": {"limit": (0, 1, 200, 201)},
}
WORDS = {
    "verbosity": ("summary", "standard", "full"),
    "search_mode": ("auto", "name", "fqn", "text", "semantic"),
    "direction": ("outbound", "inbound", "both"),
    "change_type": ("signature", "delete", "rename", "type", "behaviour", "add"),
    "severity_threshold": ("low", "medium", "high"),
}
OTHER_NAMES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("code.get_dependencies", {"depth": 2}, {"max_depth": 2}),
    (
        "code.get_dependencies",
        {"relationship_types": ["CALLS"]},
        {"relationship_filter": "calls"},
    ),
    ("code.get_dependencies", {"direction": "inbound"}, {"direction": "upstream"}),
    ("code.trace_lineage", {"max_depth": 2}, {"depth": 2}),
    (
        "code.trace_lineage",
        {"relationship_filter": ["WRITES"]},
        {"relationship_types": ["writes"]},
    ),
    ("code.trace_lineage", {"direction": "outbound"}, {"direction": "forward"}),
    ("code.analyze_impact", {"change_type": "behaviour"}, {"change_type": "body"}),
    ("code.analyze_impact", {"change_type": "add"}, {"change_type": "add_column"}),
    ("code.analyze_impact", {"change_type": "delete"}, {"change_type": "drop"}),
    ("code.analyze_impact", {"max_depth": 2}, {"depth": 2}),
    ("code.get_file_contents", {"path": "client.ts"}, {"file": "client.ts", "path": None}),
    ("code.get_file_contents", {"path": "client.ts"}, {"file_path": "client.ts", "path": None}),
    ("code.compare_snapshots", {"before": "1", "after": "2"}, {"from": 1, "to": 2}),
    (
        "code.compare_snapshots",
        {"before": "before", "after": "after"},
        {"base": "before", "head": "abcdef1"},
    ),
]


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    async with open_shop(tmp_path) as opened:
        await two_runs(opened)
        yield opened


async def ask(shop: Shop, tool: str, **arguments: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
    """A reply to a caller of its own, without what differs from call to call."""
    given = {name: value for name, value in arguments.items() if value is not None}
    outcome = await shop.library.dispatcher.call(tool, given, Caller(connection=None))
    return {
        name: value
        for name, value in (outcome.structured or {}).items()
        if name not in ("session_id", "next_cursor")
    }


@pytest.mark.requirement("CODE-T22")
@pytest.mark.parametrize("tool", TOOLS)
async def test_leaving_an_argument_out_means_its_default(shop: Shop, tool: str) -> None:
    needed, defaults = TOOLS[tool]
    plain = await ask(shop, tool, **needed)
    assert "error" not in plain
    for name, value in defaults.items():
        assert await ask(shop, tool, **needed, **{name: value}) == plain, name


@pytest.mark.requirement("CODE-T22")
@pytest.mark.parametrize("tool", BOUNDS)
async def test_bounds_are_kept_and_named(shop: Shop, tool: str) -> None:
    needed, defaults = TOOLS[tool]
    tokens = (99, 100, 10_000, 10_001)
    for name, (below, least, most, above) in {
        **BOUNDS[tool],
        "max_response_tokens": tokens,
    }.items():
        for value in (below, above):
            refused = await ask(shop, tool, **needed, **{name: value})
            assert refused["error"]["code"] == "INVALID_ARGUMENT", (name, value)
            assert name in refused["error"]["message"], (name, value)
        for value in (least, most):
            found = await ask(shop, tool, **needed, **{name: value})
            code = found.get("error", {}).get("code")
            assert code in (None, "BUDGET_EXCEEDED"), (name, value, found)
    for name in set(WORDS).intersection(defaults):
        for value in WORDS[name]:
            assert "error" not in await ask(shop, tool, **needed, **{name: value}), value
        refused = await ask(shop, tool, **needed, **{name: "some"})
        assert refused["error"]["code"] == "INVALID_ARGUMENT", name


@pytest.mark.requirement("CODE-T22")
async def test_an_argument_by_another_name_means_the_same(shop: Shop) -> None:
    for tool, own, other in OTHER_NAMES:
        needed, _ = TOOLS[tool]
        first = await ask(shop, tool, **{**needed, **own})
        assert "error" not in first, (tool, own, first)
        assert await ask(shop, tool, **{**needed, **other}) == first, (tool, other)


@pytest.mark.requirement("CODE-T22")
@pytest.mark.parametrize("tool", TOOLS)
async def test_bad_arguments_end_in_an_error_that_names_the_fix(shop: Shop, tool: str) -> None:
    needed, defaults = TOOLS[tool]
    unknown = await ask(shop, tool, **needed, odd=1)
    assert (unknown["error"]["code"], "odd" in unknown["error"]["message"]) == (
        "INVALID_ARGUMENT",
        True,
    )
    outside = await ask(shop, tool, **needed, scope={"project_id": "other/one"})
    assert outside["error"]["code"] in ("NOT_FOUND", "INVALID_PROJECT", "SCOPE_VIOLATION")
    if "symbol" in needed:
        lost = await ask(shop, tool, symbol="OrderServise")
        assert lost["error"]["code"] == "NOT_FOUND"
        assert "Shop.Services.OrderService" in lost["error"]["details"]["nearest"]
        nothing = await ask(shop, tool)
        assert "symbol" in nothing["error"]["message"]
    for name in {"stop_at_kinds", "exclude_kinds", "kinds"}.intersection(defaults):
        odd = await ask(shop, tool, **needed, **{name: ["GADGET"]})
        assert "known: " in odd["error"]["message"], name
        many = await ask(shop, tool, **needed, **{name: ["TABLE"] * 31})
        assert many["error"]["code"] == "INVALID_ARGUMENT", name


@pytest.mark.requirement("CODE-T22")
async def test_writing_is_forbidden_and_too_much_is_told(shop: Shop) -> None:
    write = await ask(shop, "code.query_graph", query="CREATE (n) RETURN n")
    assert write["error"]["code"] == "FORBIDDEN_OPERATION"
    broken = await ask(shop, "code.query_graph", query="MATCH (n RETURN n")
    assert broken["error"]["code"] == "INVALID_ARGUMENT"
    small = await ask(shop, "code.get_symbol_details", symbol="svc", max_response_tokens=100)
    assert small["error"]["code"] == "NOT_FOUND", "an id is no symbol of that name"
    small = await ask(shop, "code.get_symbol_details", symbol_id="svc", max_response_tokens=100)
    assert small["error"]["code"] == "BUDGET_EXCEEDED"
    stale = await ask(shop, "code.find_usages", symbol="Save", cursor="000000000000000")
    assert stale["error"]["code"] == "INVALID_ARGUMENT"


@pytest.mark.requirement("CODE-T23")
async def test_a_label_in_other_letters_is_told_where_nothing_fits(shop: Shop) -> None:
    none = await ask(shop, "code.query_graph", query="MATCH (n:METHOD) RETURN n")
    assert (none["results"], none["hint"]) == ([], "no label METHOD here, but Method")
    text = (await shop.library.outcome("query_graph", query="MATCH ()-[:calls]->(n) RETURN n")).text
    assert "No row.\nHint: no relationship type calls here, but CALLS." in text
    odd = await ask(shop, "code.query_graph", query="MATCH (n) WHERE n:Gadget RETURN n")
    assert odd["hint"].startswith("no label Gadget here; there are Class, ")
    known = "MATCH (n:Method {name: 'nobody'}) RETURN n"
    assert "hint" not in await ask(shop, "code.query_graph", query=known)


@pytest.mark.requirement("CODE-T23")
async def test_properties_that_must_be_there_are_asked_of_the_engine(shop: Shop) -> None:
    for where, names in (
        ("n.summary IS NOT NULL", ["OrderService"]),
        ("n.summary IS NOT NULL AND n.doc IS NULL", []),
        ("n.name IS NOT NULL AND n.kind IS NOT NULL", ["OrderRepository", "OrderService"]),
        ('n.`od"d` IS NOT NULL', []),
    ):
        query = f"MATCH (n:Class) WHERE {where} RETURN n.name AS name ORDER BY name"
        found = await ask(shop, "code.query_graph", query=query)
        assert [row["name"] for row in found["results"]] == names, where


@pytest.mark.requirement("CODE-T11")
async def test_lines_asked_for_are_lines_shown(shop: Shop) -> None:
    lines = SERVICE.splitlines()
    shown = await ask(shop, "code.find_usages", symbol="Limit", context_lines=0)
    assert shown["groups"][0]["usages"][0]["context"] == f"11: {lines[10]}"
    denied = {"symbol": "Limit", "context_lines": 2, "include_context": False}
    refused = await ask(shop, "code.find_usages", **denied)
    assert "include_context" in refused["error"]["message"]


@pytest.mark.requirement("CODE-T11")
async def test_an_overload_that_calls_another_and_itself_is_a_usage(shop: Shop) -> None:
    path = "src/OrderService.cs"
    nodes = [
        Node(
            id=f"sum{number}",
            project=P,
            kind="Method",
            name="Sum",
            document_id=shop.document(path),
            properties={"fqn": "Shop.Sum", "file": path, "lines": f"{number}-{number}"},
        )
        for number in (1, 2)
    ]
    edges = [
        Edge(
            source="sum1",
            relation="CALLS",
            target=target,
            project=P,
            document_id=shop.document(path),
            properties={"at": f"{line}:4-7"},
        )
        for target, line in (("sum2", 3), ("sum1", 4))
    ]
    await shop.library.app.store.graph.merge(nodes, edges)
    found = await ask(shop, "code.find_usages", symbol="Shop.Sum")
    (group,) = found["groups"]
    assert group["file"] == path
    assert sorted(one["at"] for one in group["usages"]) == ["3", "4"]


@pytest.mark.requirement("CODE-T13")
async def test_impact_is_of_the_changes_asked_for(shop: Shop) -> None:
    of_all = await ask(shop, "code.compare_snapshots", include_impact=True)
    of_new = await ask(shop, "code.compare_snapshots", include_impact=True, change_types=["added"])
    assert (of_all["impact"]["direct"], of_new["impact"]["direct"]) == (2, 0)


@pytest.mark.requirement("CODE-T03")
async def test_more_candidates_than_are_counted_are_said_to_be_more(shop: Shop) -> None:
    path = "src/OrderService.cs"
    nodes = [
        Node(
            id=f"run{number:03}",
            project=P,
            kind="Method",
            name="run",
            document_id=shop.document(path),
            properties={"fqn": f"Shop.Job{number}.run", "file": path, "lines": "1-1"},
        )
        for number in range(230)
    ]
    own = {"fqn": "Shop.runAll", "file": path, "lines": "1-1"}
    whole = Node(
        id="all",
        project=P,
        kind="Class",
        name="runAll",
        document_id=shop.document(path),
        properties=own,
    )
    await shop.library.app.store.graph.merge([*nodes, whole], [])
    several = await ask(shop, "code.get_dependencies", symbol="run")
    assert (len(several["candidates"]), several["capped"]) == (10, True)
    outcome = await shop.library.outcome("code.get_dependencies", symbol="run")
    assert f"fits {several['total_count']} or more symbols" in outcome.text
    one = await ask(shop, "code.get_dependencies", symbol="Job229.run")
    assert one["symbol"]["id"] == "run229", "however many share the last part of its name"
    classed = await ask(shop, "code.search_symbols", query="run", kinds=["CLASS"])
    assert [row["id"] for row in classed["results"]] == ["all"], "behind 230 of another kind"


@pytest.mark.requirement("CODE-T24")
async def test_what_all_of_a_group_share_is_told_once(shop: Shop) -> None:
    found = await ask(shop, "code.analyze_impact", symbol="dbo.Orders.Total", change_type="type")
    for tier in found["tiers"]:
        rows = tier["symbols"]
        for name in ("via", "hops", "confidence"):
            told = {row.get(name) for row in rows}
            assert len(rows) < 2 or told == {None} or len(told) > 1, (name, tier)
    both = await ask(shop, "code.get_dependencies", symbol="OrderService", direction="outbound")
    (calls,) = [one for one in both["groups"] if one["relation"] == "CALLS"]
    assert calls["file"] == "src/OrderRepository.cs"
    assert sorted(row["at"] for row in calls["symbols"]) == ["5", "6"]
