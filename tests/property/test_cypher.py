"""Any text is a query or a typed error; engines agree; order and equality keep their laws."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.cypher.guard import Guard, Limits
from commonplace.cypher.parse import parse
from commonplace.cypher.reading import Inquiry
from commonplace.cypher.run import answer, prepare
from commonplace.cypher.values import Ordered, equals, group_key
from commonplace.domain.errors import CommonplaceError, ForbiddenOperation, InvalidArgument
from commonplace.domain.graph import Edge, Node
from commonplace.domain.scope import Selection
from commonplace.engines.memory.cypher import MemoryReading
from commonplace.engines.memory.held import Held, Project, edge_key
from commonplace.engines.memory.store import MemoryStore
from tests.contract.cypher_asking import orchard

WORDS = """
MATCH OPTIONAL WHERE WITH RETURN UNWIND UNION ALL AS ORDER BY SKIP LIMIT DISTINCT CREATE SET
DELETE CALL NOT AND OR XOR IN IS NULL STARTS ENDS CONTAINS CASE WHEN THEN ELSE END EXISTS
count collect size reduce any none range date duration labels type nodes shortestPath
n m r p x name id Section NEXT true null 1 0 -1 2.5 'a' $x 9223372036854775807
( ) [ ] { } - -> <- : | , . .. = <> < > * + / % ^ =~ ; //
"""
PIECES = st.lists(st.sampled_from(WORDS.split()), max_size=25).map(" ".join)
FRAGMENTS = [
    "MATCH (n) RETURN n",
    "MATCH (n:Section)-[r:NEXT*0..2]->(m) WHERE n.order < 3 AND m.name STARTS WITH 'F' RETURN n, r",
    "WITH [1, 'a', null, {x: 1.5}] AS list UNWIND list AS x RETURN x, count(*) ORDER BY x",
    "RETURN CASE WHEN true THEN date('2024-02-29') ELSE duration({days: 1.5}) END",
    "MATCH p = (a)--(b) RETURN [x IN nodes(p) WHERE x.id =~ '.*1' | x {.id, y: size(labels(x))}]",
    "MATCH (d) WHERE EXISTS { (d)-->(:Section) } RETURN reduce(t = 0, x IN range(1, 5) | t + x)",
]


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A query with pieces of others put in and taken out."""
    text = draw(st.sampled_from(FRAGMENTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(len(text), start + 8)))
        other = draw(st.sampled_from(FRAGMENTS))
        at = draw(st.integers(0, len(other)))
        text = text[:start] + other[at : at + draw(st.integers(0, 12))] + text[stop:]
    return text


def _board() -> MemoryReading:
    held = Held()
    store = MemoryStore()
    store._graph._held = held
    asyncio.run(orchard(store))
    return MemoryReading(held.project("default"), Selection(project="default"), frozenset())


READING = _board()


def ask(text: str, parameters: dict[str, Any]) -> None:
    inquiry = Inquiry(
        text=text, parameters=parameters, limits=Limits(timeout_s=2, steps=50_000, held=20_000)
    )
    code = ""
    try:
        found = answer(prepare(text), inquiry, READING, Guard(inquiry.limits))
        assert all(len(row) == len(found.columns) for row in found.rows)
    except CommonplaceError as exc:
        code = exc.code
    assert code in ("", "INVALID_ARGUMENT", "FORBIDDEN_OPERATION", "BUDGET_EXCEEDED", "TIMEOUT")


@pytest.mark.requirement("CYP-08")
@settings(max_examples=300, deadline=None)
@given(text=st.one_of(st.text(max_size=80), PIECES, broken()))
def test_any_text_gives_rows_or_a_typed_error(text: str) -> None:
    ask(text, {"x": 1})


@pytest.mark.requirement("CYP-08")
@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_is_parsed_or_refused_with_its_place(text: str) -> None:
    place = {"line": 1, "column": 1}
    try:
        parse(text)
    except (InvalidArgument, ForbiddenOperation) as exc:
        place = dict(exc.details)
    assert place["line"] >= 1
    assert place["column"] >= 1


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=6,
)


@pytest.mark.requirement("CYP-08")
@settings(max_examples=200, deadline=None)
@given(value=VALUES, other=VALUES, operator=st.sampled_from(["+", "-", "*", "/", "%", "^", "=", "<",
       "<=", "<>", "IN", "STARTS WITH", "CONTAINS", "=~", "AND", "OR", "XOR"]))  # fmt: skip
def test_operators_take_any_values_or_say_why_not(value: Any, other: Any, operator: str) -> None:  # noqa: ANN401
    ask(f"RETURN $a {operator} $b, $a[$b], size($a), toString($b), $a.x", {"a": value, "b": other})


@pytest.mark.requirement("CYP-01")
@given(values=st.lists(VALUES, max_size=8))
def test_every_list_of_values_has_one_order(values: list[Any]) -> None:
    ordered = sorted(values, key=Ordered)
    for one, two in pairwise(ordered):
        assert not Ordered(two) < Ordered(one)
    turned = list(reversed(values))
    again = sorted(turned, key=Ordered)
    assert all(Ordered(a) == Ordered(b) for a, b in zip(ordered, again, strict=True))


@pytest.mark.requirement("CYP-01")
@given(value=VALUES, other=VALUES)
def test_equal_values_are_one_group_and_equality_goes_both_ways(value: Any, other: Any) -> None:  # noqa: ANN401
    assert equals(value, other) == equals(other, value)
    if equals(value, other):
        assert group_key(value) == group_key(other)


EDGES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14)


@pytest.mark.requirement("CYP-01")
@settings(max_examples=60, deadline=None)
@given(pairs=EDGES, arrow=st.sampled_from(["->", "-"]))
def test_a_shortest_path_is_as_long_as_the_shortest_of_all_paths(
    pairs: list[tuple[int, int]], arrow: str
) -> None:
    held = Project()
    for place in range(6):
        held.nodes[f"n{place}"] = Node(
            id=f"n{place}", project="default", kind="N", name=f"n{place}"
        )
    for one, two in pairs:
        edge = Edge(source=f"n{one}", target=f"n{two}", relation="T", project="default")
        held.edges[edge_key(edge)] = edge
    reading = MemoryReading(held, Selection(project="default"), frozenset())

    def lengths(text: str) -> dict[str, int]:
        inquiry = Inquiry(text=text)
        found = answer(prepare(text), inquiry, reading, Guard(inquiry.limits))
        return {row[0]: row[1] for row in found.rows}

    every = f"MATCH (a {{id: 'n0'}})-[r*..4]{arrow}(b) WHERE b.id <> 'n0' "
    brute = lengths(every + "RETURN b.id, min(size(r))")
    ends = "MATCH (b) WHERE b.id <> 'n0' MATCH (a {id: 'n0'}) "
    both = lengths(f"{ends}MATCH p = shortestPath((a)-[*..4]{arrow}(b)) RETURN b.id, length(p)")
    whole = lengths(
        f"MATCH p = allShortestPaths((a {{id: 'n0'}})-[*..4]{arrow}(b)) WHERE b.id <> 'n0' "
        "RETURN b.id, max(length(p))"
    )
    assert brute == both == whole
