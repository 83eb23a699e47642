"""A query as nested scopes with the names it uses, before any table is known.

A shape is three tuples: blocks, sets, calls. It is made of tuples, strings and numbers only, so it
is kept with the facts of a file; ``resolve`` decides its names once tables are known.

- A block ``("s", parent, relations, outputs, reads, using)`` is a SELECT: where it looks for names
  next, what it selects from, the columns it gives, what else it looks at, columns joined by name.
- A block ``("u", branches)`` is a UNION and the like.
- A relation ``(alias, kind, what, columns)`` is a table ``t`` by name, a block ``b`` by number, a
  function ``f`` ``(name, refs)``, inserted rows ``i`` ``(table, block)``, a pivot ``p``
  ``(relation, overrides, consumed)``.
- An output ``(name, refs, how)``; a star is named ``*``.
- A ref ``(qualifier, column)``, ``(block,)`` for a nested query, or ``("", table, column)`` where
  no scope decides: variables are columns of the table ``@``.
- A set ``("rows", target, columns, block)`` fills a table, ``("make", target, columns, block)``
  makes it, ``("touch", target, (), block)`` deletes from it inside another statement,
  ``("give", "", (), block)`` is what a plain SELECT gives, and
  ``("set", target, column, refs, how, block)`` sets one column.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sqlglot import exp

from commonplace.sql.names import spell
from commonplace.sql.parse import Tree, Unparsed
from commonplace.sql.scan import HOLE
from commonplace.sql.trees import (
    QUERIES,
    VARIABLES,
    alias_of,
    bottom,
    function_name,
    how_made,
    identifier,
    inside,
    members,
    table_name,
)

Ref: TypeAlias = tuple[Any, ...]
Output: TypeAlias = tuple[str, tuple[Ref, ...], str]
Relation: TypeAlias = tuple[str, str, Any, tuple[str, ...]]
Block: TypeAlias = tuple[Any, ...]
Shape: TypeAlias = tuple[Any, ...]
NOWHERE = -1
MAYBE_VARIABLE = "?"
"""The qualifier of a bare name that a routine declares, unless a table has it."""
_CLAUSES = ("where", "group", "having", "order", "qualify", "windows", "distinct", "limit")
_MOST_ROWS = 50
_WRAPPERS = (exp.Subquery, exp.Paren, exp.CTE)
_CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)


class Shaper:
    """Makes the shape of one statement."""

    def __init__(self, variables: frozenset[str] = frozenset()) -> None:
        self.blocks: list[Block | None] = []
        self.sets: list[tuple[Any, ...]] = []
        self.calls: list[str] = []
        self.parents: dict[int, int] = {}
        self.variables = variables
        """Names in lower case that mean a variable or parameter where no table says otherwise."""

    def shape(self) -> Shape:
        """All of it, as tuples."""
        return (tuple(self.blocks), tuple(self.sets), tuple(dict.fromkeys(self.calls)))

    def reserve(self) -> int:
        """A number for a block that is filled later: it may name itself."""
        self.blocks.append(None)
        return len(self.blocks) - 1

    def query(self, tree: Tree, parent: int, ctes: Mapping[str, int]) -> int:
        """The block of a query expression."""
        ctes = self.with_ctes(tree, parent, ctes)
        while isinstance(tree, _WRAPPERS) and not isinstance(tree.this, exp.Table):
            tree = tree.this
            ctes = self.with_ctes(tree, parent, ctes)
        number = self.reserve()
        self.fill(number, tree, parent, ctes)
        return number

    def fill(self, number: int, tree: Tree, parent: int, ctes: Mapping[str, int]) -> None:
        """Make the block of this number."""
        self.parents[number] = parent
        while isinstance(tree, (exp.Subquery, exp.Paren)) and not isinstance(tree.this, exp.Table):
            tree = tree.this
        if isinstance(tree, exp.SetOperation):
            self._union(number, tree, parent, ctes)
        elif isinstance(tree, exp.Values):
            self._values(number, tree, parent, ctes)
        elif isinstance(tree, exp.Select):
            self._select(number, tree, parent, ctes)
        elif isinstance(tree, _CHANGES):
            self.change(number, tree, ctes)
        elif isinstance(tree, (exp.Table, exp.Subquery)):
            inner = tree.this if isinstance(tree, exp.Subquery) else tree
            relations = list(self.relations(inner, number, ctes))
            self._nested(inner, number, ctes, (relations, [], []))
            self.blocks[number] = ("s", parent, tuple(relations), (STAR_OUTPUT,), (), ())
        else:
            raise Unparsed(f"a query of the kind {type(tree).__name__}")

    def change(self, number: int, tree: Tree, ctes: Mapping[str, int]) -> None:
        """A statement that writes, inside a query: see ``change.py``."""
        raise Unparsed(f"{type(tree).__name__} inside a query, block {number} of {len(ctes)}")

    def with_ctes(self, tree: Tree, parent: int, ctes: Mapping[str, int]) -> Mapping[str, int]:
        """The named queries in force below a WITH; their columns are in a block of their own."""
        clause = tree.args.get("with_")
        if clause is None:
            return ctes
        known = dict(ctes)
        for cte in clause.expressions:
            name, columns = alias_of(cte)
            number = self.reserve()
            known_inside = known | {name.lower(): number} if _is_recursive(clause, cte) else known
            if columns:
                inner = self.reserve()
                every: Relation = ("", "b", inner, columns)
                self.blocks[number] = ("s", parent, (every,), (STAR_OUTPUT,), (), ())
                self._cte(inner, cte.this, parent, known_inside)
            else:
                self._cte(number, cte.this, parent, known_inside)
            known[name.lower()] = number
        return known

    def _cte(self, number: int, tree: Tree, parent: int, ctes: Mapping[str, int]) -> None:
        self.fill(number, tree, parent, self.with_ctes(tree, parent, ctes))

    def _union(self, number: int, tree: Tree, parent: int, ctes: Mapping[str, int]) -> None:
        branches: list[Tree] = []
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            while isinstance(node, (exp.Subquery, exp.Paren)) and "with_" not in node.args:
                node = node.this
            if isinstance(node, exp.SetOperation):
                ctes = self.with_ctes(node, parent, ctes) if node is not tree else ctes
                waiting += [node.expression, node.this]
            else:
                branches.append(node)
        self.blocks[number] = ("u", ())
        numbers = tuple(self.query(branch, parent, ctes) for branch in branches)
        self.blocks[number] = ("u", numbers)

    def _values(self, number: int, tree: Tree, parent: int, ctes: Mapping[str, int]) -> None:
        columns: list[list[Ref]] = []
        for row in tree.expressions[:_MOST_ROWS]:
            cells = row.expressions if isinstance(row, exp.Tuple) else [row]
            columns += [[] for _ in range(len(cells) - len(columns))]
            for place, cell in enumerate(cells):
                columns[place] += self.refs(cell, number, ctes)
        first = tree.expressions[0] if tree.expressions else None
        cells = first.expressions if isinstance(first, exp.Tuple) else [first] if first else []
        outputs = tuple(
            (
                f"column{place + 1}",
                tuple(dict.fromkeys(refs)),
                how_made(cells[place]) if place < len(cells) else "copy",
            )
            for place, refs in enumerate(columns)
        )
        self.blocks[number] = ("s", parent, (), outputs, (), ())

    def _select(self, number: int, tree: Tree, parent: int, ctes: Mapping[str, int]) -> None:
        relations, reads, using = self.sources(tree, number, ctes)
        outputs = [self.output(one, number, ctes) for one in tree.expressions]
        for clause in _CLAUSES:
            part = tree.args.get(clause)
            for one in part if isinstance(part, list) else [part]:
                if isinstance(one, exp.Expr):
                    reads += self.refs(one, number, ctes)
        looked = tuple(dict.fromkeys(reads))
        self.blocks[number] = (
            *("s", parent, tuple(relations)),
            *(tuple(outputs), looked, tuple(using)),
        )

    def sources(
        self, tree: Tree, number: int, ctes: Mapping[str, int]
    ) -> tuple[list[Relation], list[Ref], list[str]]:
        """What FROM and its joins bring in, what joining looks at, columns joined by name."""
        relations: list[Relation] = []
        reads: list[Ref] = []
        using: list[str] = []
        start = tree.args.get("from_")
        nodes = [start.this] if start is not None else []
        if isinstance(tree, exp.Subquery):
            nodes.append(tree.this)
        for one in nodes:
            relations += self.relations(one, number, ctes)
            self._nested(one, number, ctes, (relations, reads, using))
        self._joins(tree, number, ctes, (relations, reads, using))
        for lateral in tree.args.get("laterals") or []:
            relations += self.relations(lateral, number, ctes)
        return relations, reads, using

    def _nested(
        self, node: Tree, number: int, ctes: Mapping[str, int], into: tuple[Any, ...]
    ) -> None:
        """Joins that hang on a table or stand in brackets."""
        self._joins(node, number, ctes, into)
        if isinstance(node, exp.Subquery) and isinstance(node.this, (exp.Table, exp.Subquery)):
            self._nested(node.this, number, ctes, into)

    def _joins(
        self, tree: Tree, number: int, ctes: Mapping[str, int], into: tuple[Any, ...]
    ) -> None:
        relations, reads, using = into
        for join in tree.args.get("joins") or []:
            relations += self.relations(join.this, number, ctes)
            self._nested(join.this, number, ctes, into)
            names = [identifier(one) for one in join.args.get("using") or []]
            using += names
            reads += [("", name) for name in names]
            if join.args.get("method") == "NATURAL":
                using.append("*")
            condition = join.args.get("on")
            if condition is not None:
                reads += self.refs(condition, number, ctes)

    def relations(self, node: Tree, number: int, ctes: Mapping[str, int]) -> tuple[Relation, ...]:
        """What one item of FROM is; brackets around joins give nothing of their own."""
        alias, columns = alias_of(node)
        if (
            isinstance(node, exp.Subquery)
            and isinstance(node.this, (exp.Table, exp.Subquery))
            and not alias
        ):
            return self.relations(node.this, number, ctes)
        relation = self._relation(node, number, ctes, (alias, columns))
        for pivot in node.args.get("pivots") or []:
            relation = self._pivot(relation, pivot, number, ctes)
        return (relation,)

    def _relation(
        self, node: Tree, number: int, ctes: Mapping[str, int], named: tuple[str, tuple[str, ...]]
    ) -> Relation:
        alias, columns = named
        if isinstance(node, exp.Table):
            name = table_name(node)
            cte = ctes.get(name.lower().strip('"'))
            if cte is not None:
                return (alias or name, "b", cte, columns)
            if name or not isinstance(node.this, exp.Func):
                return (alias or name, "t", name, columns)
            return self._function(node.this, number, ctes, named)
        if isinstance(node, exp.Lateral):
            if isinstance(node.this, (exp.Subquery, *QUERIES)):
                return (alias, "b", self.query(node.this, number, ctes), columns)
            return self._function(node.this, number, ctes, named)
        if isinstance(node, (exp.Subquery, *QUERIES)):
            around = self.parents.get(number, NOWHERE)  # it does not see what stands beside it
            return (alias, "b", self.query(node, around, ctes), columns)
        return self._function(node, number, ctes, named)

    def _function(
        self, node: Tree, number: int, ctes: Mapping[str, int], named: tuple[str, tuple[str, ...]]
    ) -> Relation:
        """A function in FROM: every column of it comes from its arguments."""
        alias, columns = named
        name = function_name(node)
        schema = node.args.get("expressions") if isinstance(node, exp.OpenJSON) else None
        if schema and not columns:
            columns = tuple(identifier(one.this) for one in schema if one.this is not None)
        offset = node.args.get("offset")
        if isinstance(offset, exp.Expr):
            columns = (*columns, identifier(offset))
        refs = self.refs(node, number, ctes)
        short = name.rsplit(".", 1)[-1] if name else type(node).__name__.lower()
        return (alias or short, "f", (name, tuple(refs)), columns)

    def _pivot(
        self, relation: Relation, pivot: Tree, number: int, ctes: Mapping[str, int]
    ) -> Relation:
        alias, columns = alias_of(pivot)
        consumed: list[Ref] = []
        overrides: list[Output] = []
        if pivot.args.get("unpivot"):
            for part in pivot.args.get("fields") or []:
                taken = [ref for one in part.expressions for ref in self.refs(one, number, ctes)]
                consumed += taken
                overrides.append((identifier(part.this), (), "expression"))
                overrides += [(identifier(one), tuple(taken), "copy") for one in pivot.expressions]
        else:
            measures = [ref for one in pivot.expressions for ref in self.refs(one, number, ctes)]
            consumed += measures
            for part in pivot.args.get("fields") or []:
                consumed += self.refs(part.this, number, ctes)
            names = [identifier(one) for one in pivot.args.get("columns") or []]
            overrides += [(name, tuple(measures), "aggregate") for name in names]
        what = (relation, tuple(overrides), tuple(ref[-1] for ref in consumed))
        return (alias or relation[0], "p", what, columns)

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
        return (_output_name(tree), tuple(self.refs(tree, number, ctes)), how_made(tree))

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
            elif isinstance(node, (exp.Anonymous, exp.Dot)):
                self._called(node, found)
        return list(found)

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

    def _column(self, node: Tree) -> Ref | None:
        if isinstance(node.this, exp.Star):
            return None
        name, qualifier = identifier(node.this), _qualifier(node)
        if HOLE in name or HOLE in qualifier or name.startswith(("$", "@@", "sqlc.")):
            return None
        if not qualifier and name.lower() in self.variables:
            return (MAYBE_VARIABLE, name)
        return (qualifier, name)


STAR_OUTPUT: Output = ("*", (("", "*"),), "copy")
"""SELECT * of everything in FROM."""


def _is_recursive(clause: Tree, cte: Tree) -> bool:
    """Whether a CTE may name itself: said so, or (T-SQL, SQLite) a union that does."""
    if clause.args.get("recursive"):
        return isinstance(cte.this, exp.SetOperation)
    if not isinstance(cte.this, exp.SetOperation):
        return False
    name = alias_of(cte)[0].lower()
    return any(
        isinstance(node, exp.Table) and table_name(node).lower() == name
        for node in deep(cte.this.expression)
    )


def deep(tree: Tree) -> list[Tree]:
    """Every node, nested queries too."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(members(node))
    return found


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
