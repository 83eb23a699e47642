"""Statements that write, as shapes: which column of which table is set from what."""

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from commonplace.sql.parse import Tree, Unparsed
from commonplace.sql.shape import Shaper
from commonplace.sql.shapes import NOWHERE, Ref, Relation
from commonplace.sql.trees import alias_of, how_made, identifier, table_name

_EXCLUDED = "excluded"


class ChangeShaper(Shaper):
    """Also reads INSERT, UPDATE, DELETE and MERGE, on their own or inside a WITH."""

    target = ""
    own = -1
    """The block of the statement itself."""
    is_temporary = False
    """Whether what it selects INTO ends with the session."""

    def statement(self, tree: Tree) -> str:
        """Read any statement; the table it writes, empty for a query."""
        try:
            return self._statement(tree)
        except (AttributeError, TypeError, LookupError, RecursionError) as error:
            # the parser accepts text that is no SQL, and its trees are then of any shape
            raise Unparsed(f"a tree of unknown shape ({type(error).__name__})") from None

    def _statement(self, tree: Tree) -> str:
        ctes = self.with_ctes(tree, NOWHERE, {})
        self.target = ""  # a change inside the WITH is not what the statement is about
        number = self.own = self.reserve()
        if isinstance(tree, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
            self.change(number, tree, ctes)
            return self.target
        self.fill(number, tree, NOWHERE, ctes)
        into = tree.args.get("into")
        if into is not None and into.this is not None:
            self.target = table_name(into.this)
            self.is_temporary = bool(into.args.get("temporary"))
            self.sets.append(("make", self.target, (), number))
        return self.target

    def set_first(self, target: str, column: str) -> None:
        """The statement's first column is what a column or variable is set to."""
        block = self.blocks[self.own]
        if block is not None and block[0] == "s" and block[3]:
            _name, refs, how = block[3][0]
            self.sets.append(("set", target, column, refs, how, self.own))

    def change(self, number: int, tree: Tree, ctes: Mapping[str, int]) -> None:
        """The sets of a statement that writes; its block is what it returns."""
        if isinstance(tree, exp.Insert):
            self._insert(number, tree, ctes)
        elif isinstance(tree, exp.Update):
            self._update(number, tree, ctes)
        elif isinstance(tree, exp.Delete):
            self._delete(number, tree, ctes)
        elif isinstance(tree, exp.Merge):
            self._merge(number, tree, ctes)
        else:
            raise Unparsed(f"a statement of the kind {type(tree).__name__}")

    def _returned(
        self, number: int, tree: Tree, scope: tuple[Any, ...], ctes: Mapping[str, int]
    ) -> None:
        """Fill the statement's own block: the scope it works in, and what it returns."""
        relations, reads, using = scope
        self.blocks[number] = ("s", NOWHERE, tuple(relations), (), (), ())
        returning = tree.args.get("returning")
        outputs = (
            tuple(self.output(one, number, ctes) for one in returning.expressions)
            if returning
            else ()
        )
        reads = tuple(dict.fromkeys(reads))
        self.blocks[number] = ("s", NOWHERE, tuple(relations), outputs, reads, tuple(using))

    def _insert(self, number: int, tree: Tree, ctes: Mapping[str, int]) -> None:
        written = tree.this
        columns = (
            tuple(identifier(one) for one in written.expressions)
            if isinstance(written, exp.Schema)
            else ()
        )
        target = table_name(written)
        self.target = self.target or target
        table = written.this if isinstance(written, exp.Schema) else written
        relation: Relation = (alias_of(table)[0] or target, "t", target, ())
        self._returned(number, tree, ([relation], (), ()), ctes)
        source = tree.expression
        if source is None or target == "":
            return
        block = self.query(source, NOWHERE, self.with_ctes(source, NOWHERE, ctes))
        self.sets.append(("rows", target, columns, block))
        conflict = tree.args.get("conflict")
        if conflict is not None:
            self._conflict(conflict, (relation, columns, block, alias_of(source)[0]), ctes)

    def _conflict(self, conflict: Tree, told: tuple[Any, ...], ctes: Mapping[str, int]) -> None:
        """ON CONFLICT, ON DUPLICATE KEY: sets that may look at the row that was refused."""
        relation, columns, block, alias = told
        target = relation[2]
        excluded: Relation = (
            (_EXCLUDED, "b", block, columns) if columns else (_EXCLUDED, "i", (target, block), ())
        )
        relations = [relation, excluded]
        if alias:
            relations.append((alias, *excluded[1:]))
        scope = self.reserve()
        rows = self.blocks[block]  # MySQL sees what the rows were selected from
        around = block if conflict.args.get("duplicate") and rows and rows[0] == "s" else NOWHERE
        self.blocks[scope] = ("s", around, tuple(relations), (), (), ())
        self.assign(conflict.expressions, target, scope, ctes)
        where = conflict.args.get("where")
        reads = self.refs(where, scope, ctes) if isinstance(where, exp.Expr) else []
        self.blocks[scope] = ("s", around, tuple(relations), (), tuple(reads), ())

    def assign(self, pairs: list[Tree], target: str, scope: int, ctes: Mapping[str, int]) -> None:
        """``a = b, (c, d) = (e, f)`` as sets."""
        for pair in pairs:
            if not isinstance(pair, (exp.EQ, exp.PropertyEQ)):
                continue
            left, right = pair.this, pair.expression
            if isinstance(left, exp.Tuple):
                self._assign_several(left, right, (target, scope), ctes)
            elif isinstance(left, exp.Parameter):
                self._set("@", identifier(left), right, (scope, ctes))
            elif isinstance(right, exp.EQ) and isinstance(left, exp.Column):  # @x = column = value
                self._set(target, identifier(left.this), right, (scope, ctes))
            elif isinstance(left, (exp.Column, exp.Identifier, exp.Dot)):
                place = left.expression if isinstance(left, exp.Dot) else left
                name = identifier(place.this if isinstance(place, exp.Column) else place)
                self._set(self._aimed(left, target, scope), name, right, (scope, ctes))

    def _aimed(self, left: Tree, target: str, scope: int) -> str:
        """MySQL may set columns of any joined table: its alias tells which."""
        if not isinstance(left, exp.Column) or not left.table:
            return target
        block = self.blocks[scope]
        for alias, kind, what, _columns in block[2] if block else ():
            if kind == "t" and alias.lower() == left.table.lower():
                return str(what)
        return target

    def _set(
        self, target: str, column: str, value: Tree, at: tuple[int, Mapping[str, int]]
    ) -> None:
        refs = tuple(self.refs(value, *at))
        self.sets.append(("set", target, column, refs, how_made(value), at[0]))

    def _assign_several(
        self, left: Tree, right: Tree, at: tuple[str, int], ctes: Mapping[str, int]
    ) -> None:
        names = tuple(
            identifier(one.this if isinstance(one, exp.Column) else one) for one in left.expressions
        )
        if isinstance(right, exp.Tuple):
            for name, value in zip(names, right.expressions, strict=False):
                self._set(at[0], name, value, (at[1], ctes))
        elif isinstance(right, exp.Subquery):
            self.sets.append(("rows", at[0], names, self.query(right, at[1], ctes)))

    def _scope(
        self, number: int, tree: Tree, ctes: Mapping[str, int]
    ) -> tuple[str, list[Relation], list[Ref], list[str]]:
        """The real target of UPDATE or DELETE, and all relations in reach."""
        relations, reads, using = self.sources(tree, number, ctes)
        start = tree.args.get("from_")
        if start is not None:
            self._joins(tree.this, number, ctes, (relations, reads, using))
        written = tree.this
        if isinstance(tree.args.get("using"), list):
            for one in tree.args["using"]:
                relations += self.relations(one, number, ctes)
                self.nested(one, number, ctes, (relations, reads, using))
        named = tree.args.get("tables") or [written]
        if not any(_matches(one, named[0]) for one in relations):
            relations = [*self.relations(written, number, ctes), *relations]
            self._joins(written, number, ctes, (relations, reads, using))
        return self._table_of(named[0], relations), relations, reads, using

    def _table_of(self, named: Tree, relations: list[Relation]) -> str:
        """The table behind a name that may be an alias, or a query with one table in it."""
        found = next((one for one in relations if _matches(one, named)), None)
        while found is not None and found[1] == "b":
            block = self.blocks[found[2]]
            inner = block[2] if block is not None and block[0] == "s" else ()
            found = next(iter(inner), None) if len(inner) == 1 else None
        return str(found[2]) if found is not None and found[1] == "t" else ""

    def _update(self, number: int, tree: Tree, ctes: Mapping[str, int]) -> None:
        target, relations, reads, using = self._scope(number, tree, ctes)
        self.target = self.target or target
        self.blocks[number] = ("s", NOWHERE, tuple(relations), (), (), ())
        self.assign(tree.expressions, target, number, ctes)
        reads += self._filters(tree, number, ctes)
        self._returned(number, tree, (relations, reads, using), ctes)

    def _delete(self, number: int, tree: Tree, ctes: Mapping[str, int]) -> None:
        target, relations, reads, using = self._scope(number, tree, ctes)
        self.target = self.target or target
        if number != self.own and target:
            self.sets.append(("touch", target, (), number))
        reads += self._filters(tree, number, ctes)
        self._returned(number, tree, (relations, reads, using), ctes)

    def _filters(self, tree: Tree, number: int, ctes: Mapping[str, int]) -> list[Ref]:
        parts = (tree.args.get(one) for one in ("where", "order", "limit"))
        return [
            ref
            for one in parts
            if isinstance(one, exp.Expr)
            for ref in self.refs(one, number, ctes)
        ]

    def _merge(self, number: int, tree: Tree, ctes: Mapping[str, int]) -> None:
        relations = list(self.relations(tree.this, number, ctes))
        relations += self.relations(tree.args["using"], number, ctes)
        target = self._table_of(tree.this, relations)
        self.target = self.target or target
        self.blocks[number] = ("s", NOWHERE, tuple(relations), (), (), ())
        condition = tree.args.get("on")
        reads = self.refs(condition, number, ctes) if isinstance(condition, exp.Expr) else []
        whens = tree.args.get("whens")
        for when in whens.expressions if whens is not None else []:
            more = when.args.get("condition")
            if isinstance(more, exp.Expr):
                reads += self.refs(more, number, ctes)
            self._branch(when.args.get("then"), target, number, ctes)
        self._returned(number, tree, (relations, reads, ()), ctes)

    def _branch(self, then: Tree | None, target: str, number: int, ctes: Mapping[str, int]) -> None:
        if isinstance(then, exp.Update):
            self.assign(then.expressions, target, number, ctes)
        elif isinstance(then, exp.Insert) and isinstance(then.expression, exp.Tuple):
            values = then.expression.expressions
            columns = then.this.expressions if isinstance(then.this, exp.Tuple) else []
            names = [
                identifier(one.this if isinstance(one, exp.Column) else one) for one in columns
            ]
            block = self.reserve()
            outputs = tuple(
                ("", tuple(self.refs(one, number, ctes)), how_made(one)) for one in values
            )
            self.blocks[block] = ("s", number, (), outputs, (), ())
            self.sets.append(("rows", target, tuple(names), block))


def _matches(relation: Relation, named: Tree) -> bool:
    """Whether a relation is the one a statement names, by alias or by table."""
    alias, name = alias_of(named)[0].lower(), table_name(named).lower()
    if alias:
        return relation[0].lower() == alias
    return name in (relation[0].lower(), str(relation[2]).lower() if relation[1] == "t" else "")
