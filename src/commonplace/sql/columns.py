"""Columns and expressions of a statement: the names they look at."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from commonplace.sql.names import spell
from commonplace.sql.parse import Tree
from commonplace.sql.scan import HOLE
from commonplace.sql.shapes import (
    CALLED,
    MAYBE_VARIABLE,
    STAR_OUTPUT,
    VARIABLES,
    Block,
    Output,
    Ref,
    Shape,
)
from commonplace.sql.trees import (
    QUERIES,
    bottom,
    function_name,
    how_made,
    identifier,
    inside,
)


class ColumnShaper(ABC):
    """What a shape is made of, and the columns in it."""

    def __init__(self, variables: frozenset[str] = frozenset()) -> None:
        self.blocks: list[Block | None] = []
        self.sets: list[tuple[Any, ...]] = []
        self.calls: list[str] = []
        self.parents: dict[int, int] = {}
        self.unnamed: set[str] = {""}
        """Names in lower case that columns have because nobody gave them one."""
        self.windows: Mapping[str, Tree] = {}
        """Windows by name in lower case, of the SELECT that is read."""
        self.variables = variables
        """Names in lower case that mean a variable or parameter where no table says otherwise."""

    def shape(self) -> Shape:
        """All of it, as tuples."""
        made = (tuple(self.blocks), tuple(self.sets), tuple(dict.fromkeys(self.calls)))
        if self.unnamed and any(one[0] == "rows" and not one[2] for one in self.sets):
            return (*made, (("unnamed", tuple(sorted(self.unnamed))),))
        return made

    def reserve(self) -> int:
        """A number for a block that is filled later: it may name itself."""
        self.blocks.append(None)
        return len(self.blocks) - 1

    @abstractmethod
    def query(self, tree: Tree, parent: int, ctes: Mapping[str, int]) -> int:
        """The block of a query expression."""

    def output(self, tree: Tree, number: int, ctes: Mapping[str, int]) -> Output:
        """One column of a SELECT list."""
        inner = bottom(tree)
        if isinstance(inner, exp.Star):
            return STAR_OUTPUT
        if isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star):
            return ("*", ((_qualifier(inner), "*"),), "copy")
        is_set = isinstance(inner, (exp.EQ, exp.PropertyEQ)) and isinstance(
            inner.this, exp.Parameter
        )
        if is_set and not isinstance(tree, exp.Alias):
            value = inner.expression
            refs = tuple(self.refs(value, number, ctes))
            name = identifier(inner.this)
            self.sets.append(("set", VARIABLES, name, refs, how_made(value), number))
            return (name, refs, how_made(value))
        name = _output_name(tree)
        if not isinstance(tree, (exp.Alias, exp.Column)):
            self.unnamed.add(name.lower())
        return (name, tuple(self.refs(tree, number, ctes)), how_made(tree))

    def refs(self, tree: Tree, number: int, ctes: Mapping[str, int]) -> list[Ref]:
        """Every name an expression looks at, each once; nested queries become blocks below."""
        found: dict[Ref, None] = {}
        for node in inside(tree):
            if isinstance(node, exp.Column):
                ref = self._column(node)
                if ref is not None:
                    found[ref] = None
            elif isinstance(node, (exp.Subquery, *QUERIES)):
                found[(self.query(node, number, ctes),)] = None
            elif isinstance(node, exp.Parameter):
                if not isinstance(node.parent, exp.Parameter):
                    found[("", VARIABLES, identifier(node))] = None
            elif isinstance(node, exp.Window):
                found.update(dict.fromkeys(self._window(node, number, ctes)))
            elif isinstance(node, (exp.Anonymous, exp.Dot)):
                self._called(node, found)
        return list(found)

    def _window(self, node: Tree, number: int, ctes: Mapping[str, int]) -> list[Ref]:
        """What the named window of ``rank() OVER w`` looks at."""
        named = self.windows.get(identifier(node.args.get("alias")).lower())
        return [] if named is None or named is node else self.refs(named, number, ctes)

    def _called(self, node: Tree, found: dict[Ref, None]) -> None:
        """A function that is not built in; MySQL's VALUES(column) means the row to be inserted."""
        if isinstance(node, exp.Dot):
            path = dotted(node)
            if path and len(path) > 1:  # t.xml_column.value(…): a method of a column
                found[(spell(*path[:-1]), path[-1])] = None
        name = function_name(node)
        if not name or (isinstance(node, exp.Anonymous) and isinstance(node.parent, exp.Dot)):
            return
        if name.upper() == "VALUES" and node.expressions:
            found[("excluded", identifier(node.expressions[0]))] = None
        else:
            self.calls.append(name)
            found[(name, CALLED)] = None

    def _column(self, node: Tree) -> Ref | None:
        if isinstance(node.this, exp.Star):
            return None
        name, qualifier = identifier(node.this), _qualifier(node)
        outer = node.parent.parent if isinstance(node.parent, exp.Paren) else None
        if isinstance(outer, exp.Dot) and isinstance(outer.expression, exp.Identifier):
            qualifier, name = spell(qualifier, name), identifier(outer.expression)  # (t).a
        if HOLE in name or HOLE in qualifier or name.startswith(("$", "@@", "sqlc.")):
            return None
        if not qualifier and name.lower() in self.variables:
            return (MAYBE_VARIABLE, name)
        return (qualifier, name)


def _qualifier(node: Tree) -> str:
    names: Sequence[str] = [identifier(node.args.get(one)) for one in ("catalog", "db", "table")]
    return spell(*names)


def dotted(node: Tree) -> list[str]:
    """The names before a method call: ``t.doc`` of ``t.doc.value('…')``."""
    if not isinstance(node.expression, exp.Anonymous) or not isinstance(node.this, exp.Dot):
        return []
    return [identifier(one) for one in inside(node.this) if isinstance(one, exp.Identifier)]


def _output_name(tree: Tree) -> str:
    if isinstance(tree, exp.Alias):
        return identifier(tree.args.get("alias"))
    inner = bottom(tree)
    if isinstance(inner, exp.Column):
        return identifier(inner.this)
    if isinstance(inner, exp.Dot):
        return identifier(inner.expression) if isinstance(inner.expression, exp.Identifier) else ""
    if isinstance(inner, (exp.Cast, exp.TryCast)):  # PostgreSQL names it after what is cast
        return _output_name(inner.this)
    return str(inner.this).lower() if isinstance(inner, exp.Anonymous) else inner.key
