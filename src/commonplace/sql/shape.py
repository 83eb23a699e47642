"""A query as nested scopes with the names it uses, before any table is known.

What a shape consists of is told in ``shapes``.
"""

from collections.abc import Mapping

from sqlglot import exp

from commonplace.sql.parse import Tree, Unparsed
from commonplace.sql.relations import RelationShaper
from commonplace.sql.shapes import STAR_OUTPUT, Ref, Relation
from commonplace.sql.trees import alias_of, how_made, identifier, members, table_name

_CLAUSES = ("where", "group", "having", "order", "qualify", "windows", "distinct", "limit")
_MOST_ROWS = 50
_WRAPPERS = (exp.Subquery, exp.Paren, exp.CTE)
_CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)


class Shaper(RelationShaper):
    """Makes the shape of one statement."""

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
            self.nested(inner, number, ctes, (relations, [], []))
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
        self.unnamed |= {f"column{place + 1}" for place in range(len(columns))}
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
        around = self.windows
        self.windows = {identifier(one.this).lower(): one for one in tree.args.get("windows") or []}
        outputs = [self.output(one, number, ctes) for one in tree.expressions]
        for clause in _CLAUSES:
            part = tree.args.get(clause)
            for one in part if isinstance(part, list) else [part]:
                if isinstance(one, exp.Expr):
                    reads += self.refs(one, number, ctes)
        self.windows = around
        looked = tuple(dict.fromkeys(reads))
        self.blocks[number] = (
            *("s", parent, tuple(relations)),
            *(tuple(outputs), looked, tuple(using)),
        )


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
