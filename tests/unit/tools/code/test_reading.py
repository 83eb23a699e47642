"""Details, source, usages, overview and comparisons show what is there, verbatim."""

from datetime import UTC, datetime
from typing import Any

import pytest

from commonplace.domain.graph import Node
from commonplace.index.code.snapshots import Delta, Link, Snapshot, Version, record
from tests.unit.tools.code.repository import Repository
from tests.unit.tools.code.shop import CLIENT, SERVICE, P, Shop


@pytest.mark.requirement("CODE-T04")
async def test_details_show_parts_in_order_and_connections_in_brief(shop: Shop) -> None:
    reply = await shop.call("get_symbol_details", symbol="OrderService")
    assert [(one["name"], one["at"]) for one in reply["parts"]] == [
        ("Limit", "7"),
        ("Place", "9-13"),
        ("Find", "15"),
    ]
    assert {"relation": "CALLS", "direction": "out", "total": 2, "names": ["Get", "Save"]} in (
        reply["relations"]
    )
    assert "source" not in reply
    brief = await shop.call("get_symbol_details", symbol="OrderService", include_children=False)
    assert "parts" not in brief
    small = await shop.call("get_symbol_details", symbol="OrderService", verbosity="summary")
    assert small["symbol"]["counts"] == {"methods": 2, "members": 1}


@pytest.mark.requirement("CODE-T04")
async def test_a_file_and_a_table_show_what_they_hold(shop: Shop) -> None:
    file = await shop.call("get_symbol_details", symbol="src/OrderService.cs")
    assert [one["id"] for one in file["parts"]] == ["svc"]
    table = await shop.call("get_symbol_details", symbol="dbo.orders")
    assert {one["name"] for one in table["parts"]} == {"Id", "Total"}


@pytest.mark.requirement("CODE-T04")
async def test_the_source_is_whole_or_left_out_and_told(shop: Shop) -> None:
    reply = await shop.call("get_symbol_details", symbol="Place", include_source=True)
    assert reply["source"] == "\n".join(SERVICE.splitlines()[8:13])
    small = await shop.call(
        "get_symbol_details", symbol="OrderService", include_source=True, max_response_tokens=260
    )
    assert "source" not in small
    assert "code_get_file_contents src/OrderService.cs 3-16" in small["note"]
    full = await shop.call("get_symbol_details", symbol="Place", verbosity="full")
    assert {one["relation"] for one in full["parts"]} == {"CALLS", "REFERENCES"}
    assert full["source"]


@pytest.mark.requirement("CODE-T10")
async def test_lines_are_exact_and_go_on_with_a_cursor(shop: Shop) -> None:
    reply = await shop.call(
        "get_file_contents", path="src/OrderService.cs", start_line=9, end_line=13
    )
    assert reply["content"].splitlines() == SERVICE.splitlines()[8:13]
    assert (reply["start_line"], reply["end_line"], reply["total_count"]) == (9, 13, 5)
    whole = await shop.call("get_file_contents", path="OrderService.cs")
    assert whole["content"] + "\n" == SERVICE
    by_symbol = await shop.call("get_file_contents", symbol="Find")
    assert by_symbol["content"] == SERVICE.splitlines()[14]
    lines, cursor = [], None
    while True:
        page = await shop.call(
            "get_file_contents", path="OrderService.cs", max_response_tokens=170, cursor=cursor
        )
        lines += page["content"].split("\n")
        cursor = page.get("next_cursor")
        if cursor is None:
            break
        assert page["truncated"]
    assert lines == SERVICE.splitlines()


@pytest.mark.requirement("CODE-T10")
async def test_a_changed_file_is_told_and_a_lost_one_is_not_invented(shop: Shop) -> None:
    file = shop.root / "web/client.ts"
    file.write_text("// new\n" + CLIENT, "utf-8")
    changed = await shop.call("get_file_contents", path="web/client.ts")
    assert "changed since it was indexed" in changed["note"]
    assert changed["content"].startswith("// new")
    file.unlink()
    gone = await shop.library.outcome("code.get_file_contents", path="web/client.ts")
    if gone.is_error:
        assert gone.structured["error"]["code"] == "NOT_FOUND"
    else:
        assert "as indexed" in gone.structured["note"]


@pytest.mark.requirement("CODE-T10")
@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "src/../../secret.txt", "secret.txt", "file:///etc/passwd"],
)
async def test_no_path_leads_out_of_what_is_indexed(shop: Shop, path: str) -> None:
    (shop.root.parent / "secret.txt").write_text("secret", "utf-8")
    assert await shop.library.error("code.get_file_contents", path=path) == "NOT_FOUND"


@pytest.mark.requirement("CODE-T10")
async def test_a_link_that_now_leads_out_is_not_followed(shop: Shop) -> None:
    secret = shop.root.parent / "secret.txt"
    secret.write_text("secret", "utf-8")
    file = shop.root / "web/client.ts"
    file.unlink()
    file.symlink_to(secret)
    outcome = await shop.library.outcome("code.get_file_contents", path="web/client.ts")
    assert "secret" not in outcome.structured.get("content", "")


@pytest.mark.requirement("CODE-T10")
async def test_lines_that_are_not_there_are_an_error(shop: Shop) -> None:
    for wrong in ({"start_line": 500}, {"start_line": 5, "end_line": 2}):
        error = await shop.library.error("code.get_file_contents", path="client.ts", **wrong)
        assert error == "INVALID_ARGUMENT"
    assert await shop.library.error("code.get_file_contents") == "INVALID_ARGUMENT"


@pytest.mark.requirement("CODE-T04")
async def test_of_several_definitions_of_a_name_the_others_are_told(shop: Shop) -> None:
    graph = shop.library.app.store.graph
    (save,) = await graph.nodes(P, ["save"])
    told = {**save.properties, "lines": "7-7"}
    home = save.document_id
    twin = Node(id="zwin", project=P, kind="Method", name="Save", document_id=home, properties=told)
    await graph.merge([twin], [])
    reply = await shop.call("get_symbol_details", symbol="Save", include_source=True)
    assert reply["overloads"] == 2
    other = {"save": "7 (zwin)", "zwin": "5 (save)"}[reply["symbol"]["id"]]
    said = f"2 definitions have this name; also line {other}"
    assert reply["note"] == said
    assert f"Note: {said}" in await shop.text("get_symbol_details", symbol="Save")


@pytest.mark.requirement("CODE-T21")
async def test_source_cannot_leave_its_block(shop: Shop) -> None:
    text = await shop.text("get_file_contents", path="client.ts")
    assert "\n````typescript\n" in text
    assert text.count("````") == 2


@pytest.mark.requirement("CODE-T11")
async def test_usages_are_grouped_by_type_with_their_lines(shop: Shop) -> None:
    reply = await shop.call("find_usages", symbol="dbo.Orders.Total")
    assert [(one["type"], one["total"]) for one in reply["groups"]] == [("read", 1), ("write", 1)]
    assert reply["groups"][0]["usages"][0]["at"] == "src/OrderRepository.cs:6"
    written = await shop.call("find_usages", symbol="dbo.Orders.Total", usage_types=["write"])
    assert [one["type"] for one in written["groups"]] == ["write"]
    error = await shop.call("find_usages", symbol="Save", usage_types=["sale"])
    assert "known: call" in error["error"]["message"]


@pytest.mark.requirement("CODE-T11")
@pytest.mark.parametrize(("around", "numbers"), [(0, [11]), (2, [9, 10, 11, 12, 13])])
async def test_the_lines_around_a_usage_are_verbatim(
    shop: Shop, around: int, numbers: list[int]
) -> None:
    reply = await shop.call(
        "find_usages", symbol="Limit", include_context=True, context_lines=around
    )
    context = reply["groups"][0]["usages"][0]["context"]
    lines = SERVICE.splitlines()
    assert context.split("\n") == [f"{number}: {lines[number - 1]}" for number in numbers]


@pytest.mark.requirement("CODE-T12")
async def test_the_overview_counts_tells_summaries_and_the_trail(shop: Shop) -> None:
    first = await shop.call("list_project_overview", verbosity="full")
    assert first["counts"]["CLASS"] == 2
    assert first["counts"]["TABLE"] == 1
    assert "trail" not in first
    told = {one["fqn"]: one["summary"] for one in first["containers"]}
    assert told["Shop.Services.OrderService"].startswith("OrderService writes to dbo.Orders")
    await shop.call("get_symbol_details", symbol="dbo.Orders")
    await shop.call("get_symbol_details", symbol="OrderRepository")
    text = await shop.text("list_project_overview")
    assert "You have been investigating: dbo.Orders → OrderRepository" in text


@pytest.mark.requirement("CODE-T36")
async def test_the_overview_begins_with_some_of_every_level(shop: Shop) -> None:
    names = [f"n{number}" for number in range(12)]
    spaces = [
        Node(id=one, project=P, kind="Namespace", name=one, properties={"fqn": one, "summary": "."})
        for one in names
    ]
    await shop.library.app.store.graph.merge(spaces, [])
    reply = await shop.call("list_project_overview", verbosity="full")
    kinds = [one["kind"] for one in reply["containers"]]
    assert kinds.index("CLASS") < 10
    assert kinds.count("NAMESPACE") >= 3


@pytest.mark.requirement("CODE-T37")
@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("list_project_overview", {"verbosity": "full"}),
        ("get_symbol_details", {"symbol": "OrderService", "include_source": True}),
    ],
)
async def test_a_later_page_does_not_repeat_the_head(
    shop: Shop, tool: str, asked: dict[str, Any]
) -> None:
    first = await shop.call(tool, **asked, limit=1)
    second = await shop.call(tool, **asked, limit=1, cursor=first["next_cursor"])
    head = {"counts", "relations", "source", "within", "snapshot"}
    assert head & first.keys()
    assert not head & second.keys()
    assert second.get("symbol", {}).get("id") == first.get("symbol", {}).get("id")


@pytest.mark.requirement("CODE-T04")
async def test_columns_tell_their_lines_and_not_the_file_of_their_table(
    repository: Repository,
) -> None:
    await repository.index({"db/a.sql": "CREATE TABLE t (\n  a int,\n  b int\n);\n"})
    reply = await repository.library.call("code.get_symbol_details", symbol="t")
    assert [one["at"] for one in reply["parts"]] == ["2", "3"]


VERSION = Version("v1", "Method", "Save", "Shop.Save", "a.cs", "1-5", "Save(x)", 3)


async def two_runs(shop: Shop) -> None:
    keyvalue = shop.library.app.store.keyvalue
    moment = datetime(2026, 2, 1, tzinfo=UTC)
    first = Snapshot(number=0, source_id="s", made_at=moment, label="before")
    second = Snapshot(number=0, source_id="s", made_at=moment, label="after", commit="abcdef1")
    await record(keyvalue, P, first, Delta())
    new = VERSION._replace(id="save", signature="Save(x, y)")
    old = VERSION._replace(id="save")
    gone = VERSION._replace(id="gone", fqn="Shop.Gone", name="Gone", mark=7)
    table = VERSION._replace(id="came", name="Came", mark=9, kind="Table", file="db/a.sql")
    came = table._replace(fqn="db/a.sql.dbo.Came")
    symbols = [(old, new), (gone, None), (None, came)]
    lost = Link("CALLS", "place", "gone", "Shop.Place", "Shop.Gone")
    await record(keyvalue, P, second, Delta(symbols, [], [lost]))


@pytest.mark.requirement("CODE-T13")
async def test_two_runs_are_compared(shop: Shop) -> None:
    await two_runs(shop)
    reply = await shop.call("compare_snapshots", include_impact=True)
    assert reply["totals"] == {"removed": 1, "changed": 1, "added": 1, "edge_removed": 1}
    assert [group["change"] for group in reply["groups"]] == list(reply["totals"])
    (changed,) = reply["groups"][1]["changes"]
    assert (changed["old_signature"], changed["signature"]) == ("Save(x)", "Save(x, y)")
    (came,) = reply["groups"][2]["changes"]
    assert came["fqn"] == "dbo.Came", "as every other tool names it"
    assert reply["impact"]["direct"] == 2
    assert "before" in reply["before"]
    text = await shop.text("compare_snapshots", change_types=["signature"])
    assert "`Save(x)` → `Save(x, y)`" in text
    assert "Came" not in text
    none = await shop.call("compare_snapshots", before="nowhere")
    assert none["error"]["code"] == "NOT_FOUND"
    error = await shop.library.error("code.compare_snapshots", change_types=["odd"])
    assert error == "INVALID_ARGUMENT"


@pytest.mark.requirement("CODE-T38")
@pytest.mark.parametrize("name", ["call", "calls", "CALLS", "Call"])
async def test_a_usage_type_may_be_called_as_its_relation(shop: Shop, name: str) -> None:
    reply = await shop.call("find_usages", symbol="OrderRepository.Save", usage_types=[name])
    assert {group["type"] for group in reply["groups"]} == {"call"}


@pytest.mark.requirement("CODE-T02")
@pytest.mark.parametrize("tool", ["find_usages", "compare_snapshots"])
async def test_every_list_of_symbols_has_three_levels(shop: Shop, tool: str) -> None:
    await two_runs(shop)
    asked = {"symbol": "OrderRepository.Save"} if tool == "find_usages" else {}
    sizes, ids = [], set()
    for level in ("summary", "standard", "full"):
        outcome = await shop.library.outcome(f"code.{tool}", **asked, verbosity=level)
        sizes.append(len(outcome.text))
        ids.add(outcome.structured["total_count"])
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]
    assert len(ids) == 1


@pytest.mark.requirement("CODE-T03")
async def test_an_id_nothing_has_any_more_says_how_to_find_the_symbol(shop: Shop) -> None:
    outcome = await shop.library.outcome("code.get_symbol_details", symbol_id="s123456789")
    assert outcome.is_error
    assert "no symbol has the id 's123456789' now" in outcome.text
    assert "code_search_symbols finds it by name" in outcome.text
