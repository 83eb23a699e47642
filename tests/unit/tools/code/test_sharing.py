"""What rows share is told once, in both forms, and can be given back to each."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.pack import minify
from commonplace.tools.code.sharing import Row, share, spread
from tests.library import open_library
from tests.unit.tools.code.shop import Shop

PARTS = st.lists(st.sampled_from(["shop", "orders", "Order", "save", "x"]), min_size=1, max_size=5)
PLACES = st.builds(
    lambda path, lines: "/".join(path) + lines, PARTS, st.sampled_from(["", ":3", ":3-9", ":4,9"])
)


@st.composite
def rows(draw: st.DrawFn) -> Row:
    """A row as lists have them."""
    row: Row = {"id": draw(st.text("0123", min_size=1, max_size=3))}
    row["kind"] = draw(st.sampled_from(["CLASS", "METHOD"]))
    row["fqn"] = ".".join(draw(PARTS))
    for name, values in (
        ("at", PLACES),
        ("hops", st.integers(2, 3)),
        ("via", st.sampled_from(["s1", "s2"])),
        ("confidence", st.sampled_from([0.3, 0.8])),
    ):
        if draw(st.booleans()):
            row[name] = draw(values)
    return row


@pytest.mark.requirement("CODE-T24")
@given(made=st.lists(rows(), max_size=8))
def test_rows_are_whole_again_when_they_are_given_back_what_they_share(made: list[Row]) -> None:
    told, left = share(made)
    assert spread({"groups": [{"total": 3, **told, "symbols": left}]}) == {
        "groups": [{"total": 3, "symbols": made}]
    }
    told, left = share(made, same=())
    assert spread({**told, "results": left}) == {"results": made}


@pytest.mark.requirement("CODE-T24")
@given(made=st.lists(rows(), max_size=8))
def test_telling_once_takes_hardly_more_than_telling_each_time(made: list[Row]) -> None:
    told, left = share(made)
    assert len(minify({**told, "rows": left})) <= len(minify({"rows": made})) + 10


@pytest.mark.requirement("CODE-T24")
async def test_text_names_what_is_shared_before_the_rows(shop: Shop) -> None:
    text = await shop.text("search_symbols", query="order", verbosity="summary")
    assert text.startswith("Found 5 symbols matching 'order', each CLASS unless told:\n1. ")
    text = await shop.text("get_dependencies", symbol="OrderService", direction="outbound")
    shared = "Calls (2), in src/OrderRepository.cs unless told, each METHOD unless told"
    assert f"{shared}, … is `Shop.Data.OrderRepository.`:\n- …Get · 6 — ID: get" in text


@pytest.mark.requirement("CODE-T28")
async def test_only_a_cut_list_says_that_it_was_cut(shop: Shop) -> None:
    unsaid = {"next_cursor", "limit_reason", "truncated", "has_more", "remaining_count"}
    whole = await shop.call("get_dependencies", symbol="Save")
    assert not unsaid & whole.keys()
    assert whole["returned_count"] == whole["total_count"] > 1
    cut = await shop.call("get_dependencies", symbol="Save", limit=1)
    assert cut.keys() >= unsaid - {"truncated"}
    assert (cut["has_more"], cut["limit_reason"]) == (True, "page_size")
    assert cut["remaining_count"] == cut["total_count"] - 1


@pytest.mark.requirement("CODE-T27")
async def test_the_overview_tells_what_was_not_understood_and_where(tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / "schema.sql").write_text(
        "CREATE TABLE orders (id INT);\n\nCREATE TABEL broken (\n  x INT,,\n);\n"
    )
    (folder / "app.py").write_text("def load():\n    return 1\n\ndef half(:\n    pass\n")
    async with open_library(tmp_path / "home", add=False) as library:
        await library.add(folder)
        gaps = ["1 × missing ) (app.py:4-4)", "1 × unparsed statement (schema.sql:3-5)"]
        overview = await library.outcome("code.list_project_overview")
        assert overview.structured["not_understood"] == gaps
        assert f"Not understood: {'; '.join(gaps)} — `commonplace status`" in overview.text
        scoped: dict[str, Any] = {"scope": {"doc_tags": ["bad"]}}
        narrower = await library.call("code.list_project_overview", **scoped)
        assert "schema.sql: 1 (3-5 unparsed statement" in json.dumps(narrower["not_understood"])
        details = await library.call("code.get_symbol_details", symbol="schema.sql")
        assert details["note"].startswith("not understood, by lines: 3-5 unparsed statement")


@pytest.mark.requirement("CODE-T29")
async def test_the_overview_of_a_narrower_scope_tells_what_lies_in_it(tmp_path: Path) -> None:
    for name, table in (("ours", "orders"), ("theirs", "secrets")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "schema.sql").write_text(f"CREATE TABLE {table} (id INT);\n")
        (folder / f"{name}.cs").write_text(f"namespace Shop.{name} {{ class C{name} {{}} }}\n")
    async with open_library(tmp_path / "home", add=False) as library:
        await library.add(tmp_path / "ours")
        await library.add(tmp_path / "theirs")
        whole = await library.call("code.list_project_overview")
        assert "secrets" in json.dumps(whole)
        scoped: dict[str, Any] = {"scope": {"doc_tags": ["ours"]}}
        told = {}
        for level in ("summary", "standard"):
            overview = await library.call("code.list_project_overview", verbosity=level, **scoped)
            told = {one["fqn"]: one for one in overview["containers"]}
            kinds = ["SOURCE", "SCHEMA"] + ["NAMESPACE"] * (level == "standard")
            assert [one["kind"] for one in overview["containers"]] == kinds
            assert "secrets" not in json.dumps(overview)
            assert "theirs" not in json.dumps(overview)
        assert told["ours"]["summary"].startswith("This source (ours) has ")
        assert told["default"]["summary"] == (
            "The `default` schema contains 1 table centered around orders."
        )
        assert told["Shop.ours"]["summary"] == "Shop.ours contains 1 class (Cours)."


@pytest.mark.requirement("CODE-T15")
async def test_an_offset_behind_the_end_tells_how_long_the_list_is(shop: Shop) -> None:
    outcome = await shop.library.outcome("code.search_symbols", query="order", offset=500)
    assert (outcome.structured["returned_count"], outcome.structured["total_count"]) == (0, 5)
    assert not outcome.structured.get("has_more")
    assert outcome.text == "offset is behind the end of the list\n0 of 5 symbols"


@pytest.mark.requirement("CODE-T24")
def test_a_file_and_the_folder_of_the_others_are_both_told() -> None:
    made = [{"fqn": f"a{n}", "at": f"shop/web/orders.py:{n}"} for n in range(3)]
    made += [{"fqn": f"b{n}", "at": f"shop/data/rows{n}.py:7-9"} for n in range(3)]
    told, left = share(made)
    assert told == {"file": "shop/web/orders.py", "folder": "shop/data/"}
    assert [row["at"] for row in left] == ["0", "1", "2", *(f"rows{n}.py:7-9" for n in range(3))]
    assert spread({**told, "results": left}) == {"results": made}
    like_lines = [{"fqn": f"{n}", "at": f"some/folder/deep/{n}"} for n in range(4)]
    assert share(like_lines) == ({}, like_lines), "a file called 3 is not line 3"


@pytest.mark.requirement("CODE-T24")
def test_how_far_most_rows_are_is_told_once() -> None:
    made: list[Row] = [{"fqn": "near"}, *({"fqn": f"far{n}", "hops": 2} for n in range(3))]
    told, left = share([*made, {"fqn": "further", "hops": 3}])
    assert told == {"hops": 2}
    assert [row.get("hops") for row in left] == [1, None, None, None, 3]
    assert spread({**told, "results": left})["results"] == [*made, {"fqn": "further", "hops": 3}]
    few: list[Row] = [{"fqn": "a"}, {"fqn": "b"}, *({"fqn": f"c{n}", "hops": 2} for n in range(3))]
    assert share(few) == ({}, few), "it would save nothing"
