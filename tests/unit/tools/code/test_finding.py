"""Symbols are found by what people call them, and named without doubt."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from commonplace.domain.graph import Node
from commonplace.domain.ids import brief_id
from tests.unit.tools.code.shop import ORDERS, P, Shop


def found(reply: Any) -> list[str]:  # noqa: ANN401 - JSON
    return [row["id"] for row in reply["results"]]


@pytest.mark.requirement("CODE-T01")
@pytest.mark.parametrize(
    ("query", "mode", "first"),
    [
        ("OrderService", "auto", "svc"),
        ("orderservice", "name", "svc"),
        ("OrderRepository.Save", "fqn", "save"),
        ("Shop.Services.OrderService.Place", "auto", "place"),
        ("Repository::Get()", "auto", None),
        ("OrderRepository::Get()", "auto", "get"),
        ("dbo.[Orders]", "auto", brief_id(ORDERS)),
        ("takes orders", "text", "svc"),
        ("Order", "auto", brief_id(ORDERS)),
    ],
)
async def test_the_best_name_comes_first(
    shop: Shop, query: str, mode: str, first: str | None
) -> None:
    reply = await shop.call("search_symbols", query=query, search_mode=mode)
    if first is not None:
        assert found(reply)[0] == first


@pytest.mark.requirement("CODE-T01")
async def test_a_name_as_it_is_written_hides_those_in_other_letters(shop: Shop) -> None:
    told = {"fqn": "Shop.orderservice", "language": "csharp"}
    other = Node(id="other", project=P, kind="Field", name="orderservice", properties=told)
    await shop.library.app.store.graph.merge([other], [])
    assert found(await shop.call("search_symbols", query="OrderService")) == ["svc"]
    assert found(await shop.call("search_symbols", query="ORDERSERVICE")) == ["svc", "other"]
    details = await shop.call("get_symbol_details", symbol="OrderService")
    assert details["symbol"]["id"] == "svc"


@pytest.mark.requirement("CODE-T03")
async def test_a_class_is_not_the_package_that_has_its_name_in_small_letters(shop: Shop) -> None:
    told = {"fqn": "orderservice", "language": "python", "file": "orderservice/__init__.py"}
    package = Node(id="pkg", project=P, kind="Module", name="orderservice", properties=told)
    table = Node(
        id="t", project=P, kind="Table", name="SAVE", properties={"fqn": "SAVE", "language": "sql"}
    )
    await shop.library.app.store.graph.merge([package, table], [])
    for name, meant in {"OrderService": "svc", "orderservice": "pkg", "Save": "t"}.items():
        reply = await shop.call("get_symbol_details", symbol=name)
        assert reply["symbol"]["id"] == meant, name


@pytest.mark.requirement("CODE-T01")
async def test_of_a_symbol_indexed_twice_the_fresher_one_comes_first(shop: Shop) -> None:
    store = shop.library.app.store
    paths = ("src/OrderService.cs", "web/client.ts")
    old, new = await store.passages.entries(P, [shop.document(path) for path in paths])
    later = replace(new.card, indexed_at=old.card.indexed_at + timedelta(days=1))
    told = {"fqn": "Shop.Twin", "language": "csharp"}
    twins = [
        Node(id=one, project=P, kind="Class", name="Twin", document_id=card.id, properties=told)
        for one, card in (("a-old", old.card), ("b-new", later))
    ]
    await store.passages.write([replace(new, card=later)])
    await store.graph.merge(twins, [])
    assert found(await shop.call("search_symbols", query="Twin")) == ["b-new", "a-old"]


@pytest.mark.requirement("CODE-T01")
async def test_kinds_and_limits_narrow_and_the_rest_is_counted(shop: Shop) -> None:
    reply = await shop.call("search_symbols", query="order", kinds=["class"], limit=1)
    assert (reply["returned_count"], reply["total_count"], reply["has_more"]) == (1, 2, True)
    assert reply["results"][0]["kind"] == "CLASS"
    assert reply["next_cursor"]
    second = await shop.call("search_symbols", query="order", kinds=["class"], limit=1, offset=1)
    assert found(second) != found(reply)
    assert (await shop.call("search_symbols", query="order", kinds=["enum"]))["results"] == []


@pytest.mark.requirement("CODE-T01")
async def test_a_search_by_meaning_tells_when_it_cannot_look(shop: Shop) -> None:
    outcome = await shop.library.outcome(
        "code.search_symbols", query="where are purchases stored", search_mode="semantic"
    )
    assert not outcome.is_error
    reply = outcome.structured
    assert reply["results"] or reply.get("degraded") or "No symbol" in outcome.text


@pytest.mark.requirement("CODE-T01")
async def test_text_is_as_the_seed_shows_it(shop: Shop) -> None:
    text = await shop.text("search_symbols", query="OrderRepository")
    assert text.splitlines()[:6] == [
        "Found 1 symbol matching 'OrderRepository':",
        "1. **OrderRepository** (CLASS)",
        "   FQN: `Shop.Data.OrderRepository`",
        "   File: `src/OrderRepository.cs:3-7`",
        "   Methods: Get, Save",
        "   Reads: dbo.Orders",
    ]
    assert "ID: `repo`" in text


@pytest.mark.requirement("CODE-T02")
@pytest.mark.parametrize("tool", ["search_symbols", "get_dependencies", "analyze_impact"])
async def test_verbosity_changes_how_much_and_not_what(shop: Shop, tool: str) -> None:
    asked = {"query": "order"} if tool == "search_symbols" else {"symbol": "Save"}
    replies = [
        await shop.library.outcome(f"code.{tool}", **asked, verbosity=level)
        for level in ("summary", "standard", "full")
    ]
    counts = [reply.structured["total_count"] for reply in replies]
    assert len(set(counts)) == 1
    fresh = [reply.meta["tokens"] for reply in replies]
    if tool == "search_symbols":
        assert fresh[0] <= fresh[1] < fresh[2]


@pytest.mark.requirement("CODE-T03")
@pytest.mark.parametrize(
    "name",
    [
        {"symbol_id": "save"},
        {"symbol": "Shop.Data.OrderRepository.Save"},
        {"symbol": "OrderRepository.Save"},
        {"symbol": "save"},
        {"symbol_id": "OrderRepository.Save"},
    ],
)
async def test_a_symbol_has_many_names(shop: Shop, name: dict[str, str]) -> None:
    reply = await shop.call("get_symbol_details", **name)
    assert reply["symbol"]["id"] == "save"


@pytest.mark.requirement("CODE-T03")
@pytest.mark.parametrize(
    ("tool", "empty"),
    [
        ("get_symbol_details", None),
        ("get_dependencies", "groups"),
        ("trace_lineage", "steps"),
        ("analyze_impact", "tiers"),
        ("find_usages", "groups"),
        ("get_file_contents", "content"),
    ],
)
async def test_a_name_of_several_answers_with_candidates(
    shop: Shop, tool: str, empty: str | None
) -> None:
    told = {"fqn": "Other.Save", "language": "csharp", "file": "o.cs", "lines": "1-2"}
    twin = Node(id="twin", project=P, kind="Class", name="Save", properties=told)
    await shop.library.app.store.graph.merge([twin], [])
    outcome = await shop.library.outcome(f"code.{tool}", symbol="Save")
    assert not outcome.is_error, outcome.text
    reply = outcome.structured
    assert [one["id"] for one in reply["candidates"]] == ["twin", "save"], "classes first"
    assert reply["total_count"] == 2
    assert "ask again with one ID" in outcome.text
    if empty:
        assert not reply[empty]


@pytest.mark.requirement("CODE-T03")
async def test_an_unknown_name_is_not_found_with_the_nearest(shop: Shop) -> None:
    for asked, near in (("OrderServices", "OrderService"), ("Plaec", "OrderService.Place")):
        reply = await shop.call("get_dependencies", symbol=asked)
        assert reply["error"]["code"] == "NOT_FOUND"
        assert near in reply["error"]["message"]
    nothing = await shop.call("get_dependencies", symbol="zzz")
    assert "code_search_symbols" in nothing["error"]["message"]
    assert await shop.library.error("code.get_dependencies") == "INVALID_ARGUMENT"


@pytest.mark.requirement("CODE-T03")
async def test_a_class_and_its_constructor_are_one_name(shop: Shop) -> None:
    told = {"fqn": "Shop.Data.OrderRepository.OrderRepository", "language": "csharp"}
    own = Node(id="ctor", project=P, kind="Constructor", name="OrderRepository", properties=told)
    await shop.library.app.store.graph.merge([own], [])
    reply = await shop.call("get_symbol_details", symbol="OrderRepository")
    assert reply["symbol"]["id"] == "repo"


@pytest.mark.requirement("CODE-T16")
async def test_a_scope_hides_what_is_outside(shop: Shop) -> None:
    scope = {"doc_tags": ["nobody"]}
    assert (await shop.call("search_symbols", query="order", scope=scope))["results"] == []
    for tool in ("get_symbol_details", "get_dependencies", "analyze_impact", "find_usages"):
        assert await shop.library.error(f"code.{tool}", symbol_id="save", scope=scope) == (
            "NOT_FOUND"
        )
    for tool, asked in (("search_symbols", {"query": "a"}), ("list_project_overview", {})):
        error = await shop.library.error(f"code.{tool}", project="someone/else", **asked)
        assert error == "SCOPE_VIOLATION"
    inside = await shop.call("search_symbols", query="OrderService", scope={"doc_tags": ["shop"]})
    assert inside["total_count"] in (0, 1)


@pytest.mark.requirement("CODE-T01")
async def test_a_name_that_is_there_is_not_sought_in_pieces_elsewhere(shop: Shop) -> None:
    named = {"RowSet": "Shop.RowSet", "RawRowSet": "Shop.RawRowSet", "SetAll": "Shop.Row.SetAll"}
    nodes = [
        Node(id=name, project=P, kind="Class", name=name, properties={"fqn": fqn})
        for name, fqn in named.items()
    ]
    await shop.library.app.store.graph.merge(nodes, [])
    assert found(await shop.call("search_symbols", query="RowSet")) == ["RowSet", "RawRowSet"]
    words = await shop.call("search_symbols", query="RowSet", search_mode="text")
    assert set(found(words)) == named.keys(), "words are found wherever they stand"
    nowhere = await shop.call("search_symbols", query="SetRowAll")
    assert found(nowhere) == ["SetAll"], "no name: its words lead on"


@pytest.mark.requirement("CODE-T03")
@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("OrderServise", ["Shop.Services.OrderService"]),
        ("OrderRepo", ["Shop.Data.OrderRepository"]),
        ("Shop.Data.OrderRepository.Saves", ["Shop.Data.OrderRepository.Save"]),
        ("OrderRepository.Svae", ["Shop.Data.OrderRepository.Save"]),
        ("Nowhere.Svae", []),
        ("src/OrderServic.cs", ["Shop.Services.OrderService"]),
        ("Zebra", []),
        ("OrderZebraCrossing", []),
        ("x", []),
    ],
)
async def test_the_nearest_are_like_what_was_asked_or_none(
    shop: Shop, asked: str, nearest: list[str]
) -> None:
    error = (await shop.call("get_symbol_details", symbol=asked))["error"]
    assert error["code"] == "NOT_FOUND"
    assert error["details"]["nearest"] == nearest
    assert ("nearest:" in error["message"]) == bool(nearest)
    assert "code_search_symbols" in error["message"]


@pytest.mark.requirement("CODE-T42")
@pytest.mark.parametrize("query", ["OrderServce", "OrdrService", "ordersvice"])
async def test_a_misspelled_name_finds_what_is_called_nearly_so(shop: Shop, query: str) -> None:
    outcome = await shop.library.outcome("code.search_symbols", query=query)
    assert found(outcome.structured)[0] == "svc"
    assert f"nearly called '{query}'" in outcome.text


@pytest.mark.requirement("CODE-T42")
async def test_signs_for_anything_are_understood(shop: Shop) -> None:
    some = await shop.call("search_symbols", query="OrderServ*")
    assert found(some)[0] == "svc"
    every = await shop.call("search_symbols", query="*", kinds=["CLASS"], verbosity="summary")
    assert set(found(every)) == {"svc", "repo"}
    assert every["total_count"] == 2
    outcome = await shop.library.outcome("code.search_symbols", query="*")
    assert outcome.is_error
    assert "needs kinds" in outcome.text
