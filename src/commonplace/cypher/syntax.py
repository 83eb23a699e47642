"""The tree a query is parsed into."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

AGGREGATES = frozenset(
    {"count", "sum", "avg", "min", "max", "collect", "stdev", "stdevp",
     "percentilecont", "percentiledisc"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Expr:
    """Anything with a value; two are equal wherever they stand."""

    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Literal_(Expr):  # noqa: N801 - typing has the name
    """A constant."""

    value: Any


@dataclass(frozen=True, slots=True)
class Parameter(Expr):
    """``$name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Expr):
    """A name of the row."""

    name: str


@dataclass(frozen=True, slots=True)
class Property(Expr):
    """``target.key``."""

    target: Expr
    key: str


@dataclass(frozen=True, slots=True)
class HasLabels(Expr):
    """``target:A:B``."""

    target: Expr
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    """``[a, b]``."""

    members: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MapOf(Expr):
    """``{key: value}``."""

    members: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class MapProjection(Expr):
    """``target {.key, .*, other: value}``; a key of "*" takes all properties."""

    target: Expr
    members: tuple[tuple[str, Expr | None], ...]


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    """``-x``, ``+x``, ``NOT x``, ``IS NULL x``, ``IS NOT NULL x``."""

    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    """Arithmetic, string and list operators."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """AND, OR, XOR over any number of operands."""

    operator: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Comparison(Expr):
    """``a < b <= c``: every pair must hold."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Index(Expr):
    """``target[index]``."""

    target: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Slice(Expr):
    """``target[low..high]``."""

    target: Expr
    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A function; its name in small letters."""

    name: str
    arguments: tuple[Expr, ...]
    is_distinct: bool = False
    is_star: bool = False

    @property
    def is_aggregate(self) -> bool:
        """Whether it makes one value of many rows."""
        return self.name in AGGREGATES


@dataclass(frozen=True, slots=True)
class Case(Expr):
    """CASE with or without a subject."""

    subject: Expr | None
    branches: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class Comprehension(Expr):
    """``[variable IN source WHERE where | value]``."""

    variable: str
    source: Expr
    where: Expr | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Quantifier(Expr):
    """``all | any | none | single (variable IN source WHERE where)``."""

    kind: str
    variable: str
    source: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Reduce(Expr):
    """``reduce(total = start, variable IN source | value)``."""

    total: str
    start: Expr
    variable: str
    source: Expr
    value: Expr


Direction = Literal["out", "in", "both"]


def turned(direction: Direction) -> Direction:
    """The direction as the other end sees it."""
    ways: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}
    return ways[direction]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePattern:
    """``(variable:Label {key: value})``."""

    variable: str | None = None
    labels: tuple[str, ...] = ()
    properties: Expr | None = None
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgePattern:
    """``-[variable:A|B*low..high {key: value}]->``."""

    variable: str | None = None
    types: tuple[str, ...] = ()
    properties: Expr | None = None
    direction: Direction = "both"
    is_long: bool = False
    low: int = 1
    high: int | None = 1
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPattern:
    """Nodes with the edges between them; ``shortest`` is "one", "all" or empty."""

    variable: str | None = None
    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...] = ()
    shortest: str = ""
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class PatternExpr(Expr):
    """A pattern as a predicate: whether it matches."""

    pattern: PathPattern


@dataclass(frozen=True, slots=True)
class PatternComprehension(Expr):
    """``[p = (a)-->(b) WHERE where | value]``."""

    pattern: PathPattern
    where: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Subquery(Expr):
    """``EXISTS { … }`` or ``COUNT { … }``."""

    kind: str
    query: "Query"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One step of a query."""

    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Match(Clause):
    """MATCH or OPTIONAL MATCH, with its WHERE."""

    patterns: tuple[PathPattern, ...]
    where: Expr | None = None
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Unwind(Clause):
    """``UNWIND source AS variable``."""

    source: Expr
    variable: str


@dataclass(frozen=True, slots=True)
class Item:
    """One column of a projection; ``is_named`` when AS gave the name."""

    value: Expr
    name: str
    is_named: bool


@dataclass(frozen=True, slots=True)
class Projection(Clause):
    """WITH or RETURN: columns, then DISTINCT, ORDER BY, SKIP, LIMIT, WHERE."""

    items: tuple[Item, ...]
    has_star: bool = False
    is_distinct: bool = False
    order: tuple[tuple[Expr, bool], ...] = ()
    """Each with whether it descends."""
    skip: Expr | None = None
    limit: Expr | None = None
    where: Expr | None = None
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Single queries joined by UNION; ``keeps_all`` for UNION ALL."""

    parts: tuple[tuple[Clause, ...], ...]
    keeps_all: bool = False


def children(tree: object) -> Iterator[Any]:
    """The parts of a tree node that are tree nodes themselves, in order."""
    for one in fields(tree):  # type: ignore[arg-type]
        yield from _nodes(getattr(tree, one.name))


def _nodes(value: object) -> Iterator[Any]:
    if isinstance(value, tuple):
        for inner in value:
            yield from _nodes(inner)
    elif isinstance(value, _TREE):
        yield value


_TREE = (Expr, NodePattern, EdgePattern, PathPattern, Clause, Item, Query)


def has_aggregate(tree: object) -> bool:
    """Whether an aggregate stands anywhere in it, subqueries not counted."""
    if isinstance(tree, Call) and tree.is_aggregate:
        return True
    return any(has_aggregate(one) for one in children(tree) if not isinstance(one, Query))


def depth(tree: object) -> int:
    """How deep the tree is, found without recursion."""
    deepest, stack = 0, [(tree, 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((one, level + 1) for one in children(node))
    return deepest
