"""What every engine promises of symbols: found by name, followed along edges, bound anew."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.course import Course, Followed, Naming
from commonplace.domain.graph import Edge, Node
from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry, Stated, Store
from tests.contract.conftest import ENGINES, address
from tests.contract.engine_making import WHOLE, make_entry, make_node, reached, relate

RED = Selection(project="default", tags=(frozenset({"red"}),))


def symbol(fqn: str, kind: str = "Function", **properties: str) -> Node:
    name = fqn.rpartition(".")[2]
    return make_node(fqn, name=name, kind=kind, properties={"fqn": fqn, **properties})


async def found(store: Store, text: str, selection: Selection = WHOLE, **naming: Any) -> list[str]:  # noqa: ANN401 - fields of several types
    findings = await store.graph.find(selection, Naming(text=text, **naming), 20)
    assert findings.total >= len(findings.found)
    return [one.node.id for one in findings.found]


async def shop(store: Store) -> None:
    await store.graph.merge(
        [
            symbol("shop.orders.save", doc="Keeps an order for later."),
            symbol("shop.carts.save"),
            symbol("shop.orders.Order", kind="Class"),
            symbol("shop.orders.saveAll", language="python"),
            symbol("shop.mail.send_order_mail"),
            symbol("src/web/user.UserService", kind="Class"),
            make_node("save"),
        ],
        [],
    )


@pytest.mark.requirement("ENG-42")
async def test_the_whole_name_comes_before_its_parts(store: Store) -> None:
    await shop(store)
    assert (await found(store, "shop.orders.save"))[0] == "shop.orders.save"
    assert await found(store, "orders.SAVE", mode="fqn") == ["shop.orders.save"]
    assert await found(store, "save") == [
        "shop.carts.save",
        "shop.orders.save",
        "shop.orders.saveAll",
    ]
    assert await found(store, "sav", mode="name") == [
        "shop.carts.save",
        "shop.orders.save",
        "shop.orders.saveAll",
    ]
    assert await found(store, "order mails") == ["shop.mail.send_order_mail"]
    some = await found(store, "mails of carts")
    assert {"shop.carts.save", "shop.mail.send_order_mail"} <= set(some), "nothing has them all"
    assert (await found(store, "kept later"))[0] == "shop.orders.save"
    assert (await found(store, "web::user#UserService()"))[0] == "src/web/user.UserService"
    assert await found(store, "") == []
    assert await found(store, "nothing-of-the-kind") == []


@pytest.mark.requirement("ENG-43")
async def test_finding_keeps_to_kinds_languages_and_project(store: Store) -> None:
    await shop(store)
    assert await found(store, "order", kinds=frozenset({"Class"})) == ["shop.orders.Order"]
    languages = frozenset({"python"})
    assert await found(store, "save", languages=languages) == ["shop.orders.saveAll"]
    assert await found(store, "save", Selection(project="org/other")) == []
    few = await store.graph.find(WHOLE, Naming(text="save"), 1)
    assert (len(few.found), few.total, few.is_capped) == (1, 3, False)


@pytest.mark.requirement("ENG-43")
async def test_a_selection_finds_only_symbols_its_documents_state(store: Store) -> None:
    await store.passages.write([paint("a", "red"), paint("b", "blue")])
    assert await found(store, "paint", RED) == ["paint_a"]
    assert await found(store, "shared", RED) == ["shared_a"]
    assert await found(store, "paint") == ["paint_a", "paint_b"]


def paint(name: str, tag: str) -> Entry:
    own = symbol(f"paint_{name}")
    nodes = [
        make_node(own.id, document_id=name, properties=own.properties, name=own.name),
        symbol(f"shared_{name}"),
    ]
    return make_entry(f"{name}.py", [], id=name, tags=(tag,), nodes=nodes)


@pytest.mark.requirement("ENG-42")
async def test_a_renamed_or_removed_symbol_is_found_no_more(store: Store) -> None:
    await store.passages.write([paint("a", "red")])
    await store.passages.remove("default", ["a"])
    assert await found(store, "paint shared") == []
    await shop(store)
    await store.graph.merge([symbol("shop.orders.save", doc="Now something else.")], [])
    assert await found(store, "later") == []
    await store.graph.remove("default", ["shop.carts.save"])
    assert await found(store, "save", mode="name") == ["shop.orders.save", "shop.orders.saveAll"]


def walked(followed: Followed) -> list[str]:
    return [f"{step.node.id}{step.depth}{step.way[0]}" for step in followed.steps]


async def calls(store: Store) -> None:
    """a → b → c → d and a → d by a guess; b → t, a table, → u."""
    kinds = {"t": "Table", "u": "Column"}
    await store.graph.merge(
        [make_node(name, kind=kinds.get(name, "Function")) for name in "abcdtu"],
        [
            relate("a", "b", "CALLS", confidence=0.9),
            relate("b", "c", "CALLS"),
            relate("c", "d", "CALLS"),
            relate("a", "d", "CALLS", confidence=0.2),
            relate("b", "t", "READS"),
            relate("t", "u", "CONTAINS"),
        ],
    )


@pytest.mark.requirement("ENG-44")
async def test_a_course_keeps_to_direction_depth_relations_and_confidence(store: Store) -> None:
    await calls(store)

    async def follow(start: str, **course: Any) -> list[str]:  # noqa: ANN401 - fields of several types
        return walked(await store.graph.follow(WHOLE, [start], Course(**course)))

    assert await follow("a") == ["b1o", "d1o"]
    assert await follow("a", depth=9) == ["b1o", "d1o", "c2o", "t2o", "u3o"]
    assert await follow("a", depth=9, min_confidence=0.5) == ["b1o", "c2o", "t2o", "d3o", "u3o"]
    assert await follow("a", depth=9, stop_at_kinds=frozenset({"Table"})) == [
        "b1o",
        "d1o",
        "c2o",
        "t2o",
    ]
    assert await follow("a", depth=9, stop_at=frozenset({"b"})) == ["b1o", "d1o"]
    assert await follow("a", depth=9, relations=frozenset({"READS"})) == []
    assert await follow("d", depth=2, direction="in") == ["c1i", "a1i", "b2i"]
    assert await follow("b", direction="both") == ["c1o", "t1o", "a1i"]
    assert await follow("missing") == []


@pytest.mark.requirement("ENG-44")
async def test_a_limit_is_told_and_starts_are_never_reached(store: Store) -> None:
    await calls(store)
    few = await store.graph.follow(WHOLE, ["a"], Course(depth=9, limit=3))
    assert (walked(few), few.is_capped) == (["b1o", "d1o", "c2o"], True)
    all_ = await store.graph.follow(WHOLE, ["a", "b", "gone"], Course(depth=9))
    assert [node.id for node in all_.starts] == ["a", "b"]
    assert (walked(all_), all_.is_capped) == (["c1o", "t1o", "d1o", "u2o"], False)
    assert {step.node.id: step.degree for step in all_.steps}["t"] == 2


@pytest.mark.requirement("ENG-40")
async def test_edges_between_documents_are_replaced_without_writing_the_documents(
    store: Store,
) -> None:
    own = [make_node("f", document_id="x"), make_node("g", document_id="y")]
    await store.passages.write(
        [
            make_entry("x.py", ["text"], id="x", nodes=own[:1], edges=[_by("x", "x", "f")]),
            make_entry("y.py", ["text"], id="y", nodes=own[1:]),
        ]
    )
    call, other = _by("x", "f", "g", "CALLS"), _by("x", "f", "g", "READS")
    await store.graph.relate(
        "default", ["CALLS", "READS"], [Stated(document_id="x", edges=[call, other])]
    )
    assert await reached(store, "f", "CALLS") == ["g"]
    await store.graph.relate("default", ["CALLS"], [Stated(document_id="x", edges=[])])
    assert await reached(store, "f", "CALLS") == []
    assert await reached(store, "f", "READS") == ["g"]
    assert (await store.passages.stats("default")).passages == 2
    await store.passages.write([make_entry("x.py", ["text"], id="x", nodes=own[:1])])
    assert await reached(store, "f") == []


def _by(document: str, source: str, target: str, relation: str = "CONTAINS") -> Edge:
    return relate(source, target, relation, document_id=document)


@pytest.mark.requirement("ENG-41")
async def test_a_shared_node_goes_with_the_last_statement_of_it(store: Store) -> None:
    await store.passages.write([make_entry("x.py", [], id="x"), make_entry("y.py", [], id="y")])
    table = symbol("dbo.Orders", kind="Table")

    async def state(document: str, nodes: Sequence[Node] | None) -> list[str]:
        stated = Stated(document_id=document, edges=[], nodes=nodes)
        await store.graph.relate("default", ["READS"], [stated])
        return [node.id for node in await store.graph.nodes("default", [table.id])]

    assert await state("x", [table]) == [table.id]
    assert await state("y", [table]) == [table.id]
    assert await state("x", []) == [table.id]
    assert await state("y", None) == [table.id]
    assert await state("y", []) == []
    assert await found(store, "Orders") == []


@pytest.mark.requirement("ENG-46")
async def test_many_values_are_read_at_once(store: Store) -> None:
    pairs = store.keyvalue
    await pairs.put_many("facts", {"a": b"0", "b": b"2"})
    await pairs.put_many("facts", {"a": b"1"})
    await pairs.put("other", "c", b"3")
    assert await pairs.many("facts", ["b", "c", "a", "missing"]) == {"a": b"1", "b": b"2"}
    await pairs.expire("facts", "a")
    assert await pairs.many("facts", ["a"]) == {}


NAMES = st.sampled_from(
    ["save", "saveAll", "Order", "order_mail", "getOrders", "naïve", "東京", "x1"]
)
FQNS = st.lists(NAMES, min_size=1, max_size=3).map(".".join)
SYMBOLS = st.builds(
    lambda fqn, kind, doc: symbol(fqn, kind=kind, doc=doc),
    FQNS,
    st.sampled_from(["Function", "Class"]),
    st.lists(NAMES, max_size=2).map(" ".join),
)
NAMINGS = st.builds(
    lambda text, mode, kinds: Naming(text=text, mode=mode, kinds=kinds),
    FQNS | st.lists(NAMES, max_size=3).map(" ".join) | st.text(max_size=6),
    st.sampled_from(["any", "name", "fqn", "words"]),
    st.frozensets(st.sampled_from(["Function", "Class"]), max_size=1),
)
COURSES = st.builds(
    Course,
    relations=st.frozensets(st.sampled_from(["CALLS", "READS"])),
    direction=st.sampled_from(["out", "in", "both"]),
    depth=st.integers(1, 5),
    min_confidence=st.sampled_from([0.0, 0.5, 1.0]),
    stop_at_kinds=st.frozensets(st.sampled_from(["Class"])),
    limit=st.integers(0, 8),
)


@pytest.mark.requirement("ENG-45")
@pytest.mark.parametrize("name", [name for name in ENGINES if name != "memory"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
async def test_finding_and_following_answer_as_the_reference_does(
    name: str, data: st.DataObject
) -> None:
    nodes = data.draw(st.lists(SYMBOLS, max_size=8))
    ends = st.sampled_from([node.id for node in nodes] or ["none"])
    edges = data.draw(
        st.lists(
            st.builds(
                lambda a, b, relation, sure: relate(a, b, relation, confidence=sure),
                ends,
                ends,
                st.sampled_from(["CALLS", "READS"]),
                st.sampled_from([0.2, 0.5, 1.0]),
            ),
            max_size=12,
        )
    )
    naming, course, start = data.draw(NAMINGS), data.draw(COURSES), data.draw(ends)
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        for engine in (ENGINES["memory"], ENGINES[name]):
            store = engine.open(address(engine, Path(folder)))
            await store.graph.merge(nodes, edges)
            found = await store.graph.find(WHOLE, naming, 5)
            answers.append((found, await store.graph.follow(WHOLE, [start], course)))
            await store.close()
    assert answers[0] == answers[1]
