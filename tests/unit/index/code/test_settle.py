"""Changes of code come to the graph: what depends on them is bound anew, in both directions."""

import pytest

from commonplace.index.code import settle as under_test
from commonplace.index.code.shelf import Shelf
from commonplace.index.code.snapshots import compare, list_snapshots
from commonplace.index.writer import Writer
from tests.unit.index.code.making import change, graph_of, id_of, named_edges

A = "from b import g\n\n\ndef f():\n    return g()\n"
B = "def g():\n    return 1\n"


@pytest.mark.requirement("CIX-02")
async def test_symbols_carry_what_tools_show(writer: Writer) -> None:
    doc = '"""An order. Of goods. Once."""'
    text = f"class Order:\n    {doc}\n\n    def _pay(self, sum):\n        pass\n"
    await change(writer, {"shop/__init__.py": "", "shop/order.py": text})
    nodes, edges = await graph_of(writer)
    by_name = {row[1]: (row[0], dict(row[2])) for row in nodes.values()}
    kind, told = by_name["Order"]
    assert (kind, told["fqn"], told["file"], told["lines"]) == (
        "Class",
        "shop.order.Order",
        "shop/order.py",
        "1-5",
    )
    assert told["doc"] == "An order. Of goods."
    assert told["language"] == "python"
    assert by_name["_pay"][1]["visibility"] != "public"
    assert by_name["_pay"][1]["signature"] == "def _pay(self, sum)"
    module = id_of("shop/order.py")
    assert nodes[module][0] == "Module"
    assert any(key[:2] == (module, "CONTAINS") for key in edges)


@pytest.mark.requirement("CIX-03")
async def test_callers_of_a_function_that_moves_away_and_back_are_bound_anew(
    writer: Writer,
) -> None:
    await change(writer, {"a.py": A, "b.py": B})
    assert "a.f CALLS b.g" in await named_edges(writer, "CALLS")
    await change(writer, {"b.py": "def other():\n    return 1\n"})
    assert "a.f CALLS b.g" not in await named_edges(writer, "CALLS")
    settled = await change(writer, {"b.py": B})
    assert "a.f CALLS b.g" in await named_edges(writer, "CALLS")
    assert settled.bound == 2


@pytest.mark.requirement("CIX-03")
async def test_a_file_that_goes_takes_its_symbols_and_what_led_to_them(writer: Writer) -> None:
    await change(writer, {"a.py": A, "b.py": B})
    await change(writer, {"b.py": None})
    nodes, _ = await graph_of(writer)
    assert "g" not in {row[1] for row in nodes.values() if row[0] == "Function"}
    assert "a.f CALLS b.g" not in await named_edges(writer, "CALLS")
    await change(writer, {"b.py": B})
    assert "a.f CALLS b.g" in await named_edges(writer, "CALLS")


@pytest.mark.requirement("CIX-03")
async def test_a_package_that_comes_renames_the_modules_in_it(writer: Writer) -> None:
    await change(writer, {"lib/src/shop/order.py": "class Order:\n    pass\n"})
    before, _ = await graph_of(writer)
    await change(writer, {"lib/src/shop/__init__.py": "", "lib/src/__init__.py": ""})
    after, _ = await graph_of(writer)
    names = [
        {dict(row[2])["fqn"] for row in nodes.values() if row[1] == "Order"}
        for nodes in (before, after)
    ]
    assert names == [{"shop.order.Order"}, {"src.shop.order.Order"}]


@pytest.mark.requirement("CIX-04")
async def test_a_run_that_ended_early_is_finished_by_the_next(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await change(writer, {"a.py": A, "b.py": B})
    with monkeypatch.context() as patch:
        patch.setattr(under_test, "_finish", _die)
        with pytest.raises(KeyboardInterrupt):
            await change(writer, {"b.py": "def other():\n    return 1\n"})
    assert await under_test.is_due(writer, "default")
    writer.shelf.held = None
    settled = await change(writer, {})
    assert settled.bound == 2
    assert not await under_test.is_due(writer, "default")
    assert "a.f CALLS b.g" not in await named_edges(writer, "CALLS")


async def _die(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.requirement("CIX-04")
async def test_what_another_process_wrote_is_loaded_before_binding(writer: Writer) -> None:
    writer.shelf.keeps = True
    await change(writer, {"a.py": A, "b.py": B})
    other = Writer(
        store=writer.store, settings=writer.settings, embedder=writer.embedder, shelf=Shelf()
    )
    await change(other, {"b.py": "def other():\n    return 1\n"})
    await change(writer, {"c.py": "def g():\n    return 2\n"})
    assert "a.f CALLS b.g" not in await named_edges(writer, "CALLS")


@pytest.mark.requirement("CIX-05")
async def test_every_change_of_code_is_a_snapshot_and_two_are_compared(writer: Writer) -> None:
    await change(writer, {"a.py": A, "b.py": B}, label="first")
    assert (await change(writer, {"a.py": A})).snapshot is None
    settled = await change(
        writer, {"b.py": "# moved\n\n\ndef g(x):\n    return x\n"}, commit="c" * 40
    )
    assert settled.snapshot is not None
    assert [one.number for one in await list_snapshots(writer.store.keyvalue, "default")] == [1, 2]
    found = await compare(writer.store.keyvalue, "default")
    assert (found.before.label, found.after.commit) == ("first", "c" * 40)
    (changed,) = found.symbols
    assert changed.change == "changed"
    assert changed.is_signature_changed
    assert changed.old is not None
    assert changed.new is not None
    assert (changed.old.signature, changed.new.signature) == ("def g()", "def g(x)")
    assert (changed.old.lines, changed.new.lines) == ("1-2", "4-5")


@pytest.mark.requirement("CIX-05")
async def test_a_function_moved_to_another_file_is_told_as_moved(writer: Writer) -> None:
    body = "def total(lines):\n    return sum(line.price * line.count for line in lines)\n"
    await change(writer, {"a.py": body, "b.py": "def g():\n    return 1\n"})
    await change(writer, {"a.py": "", "b.py": f"def g():\n    return 1\n\n\n{body}"})
    found = await compare(writer.store.keyvalue, "default")
    (moved,) = found.symbols
    assert moved.change == "moved"
    assert moved.old is not None
    assert moved.new is not None
    assert (moved.old.fqn, moved.new.fqn) == ("a.total", "b.total")


@pytest.mark.requirement("CIX-23")
async def test_edges_of_what_only_moved_did_not_change(writer: Writer) -> None:
    shop = "package p;\npublic class Shop {\n  public int total(int n) { return n * 7 + n; }\n}\n"
    use = "package p;\nclass Use {\n  int go() { return new Shop().total(%s); }\n%s}\n"
    await change(writer, {"p/Shop.java": shop, "p/Use.java": use % (1, "")})
    more = use % (1, "  void more() { go(); }\n")
    await change(writer, {"p/Shop.java": None, "q/Shop.java": shop, "p/Use.java": more})
    found = await compare(writer.store.keyvalue, "default")
    assert {one.change for one in found.symbols} == {"moved", "added"}
    told = [(one.change, one.link.source_fqn, one.link.target_fqn) for one in found.edges]
    assert told == [("added", "p.Use.more", "p.Use.go")]


@pytest.mark.requirement("CIX-05")
async def test_snapshots_compose_and_what_was_undone_is_no_change(writer: Writer) -> None:
    await change(writer, {"a.py": A, "b.py": B}, label="start")
    await change(writer, {"b.py": "def other():\n    return 1\n"})
    await change(writer, {"b.py": B})
    keyvalue = writer.store.keyvalue
    whole = await compare(keyvalue, "default", "start", 3)
    assert (whole.symbols, whole.edges) == ((), ())
    half = await compare(keyvalue, "default", 1, 2)
    assert {one.change for one in half.symbols} == {"added", "removed"}
    assert [one.link.target_fqn for one in half.edges if one.link.relation == "CALLS"] == ["b.g"]
