"""What stands behind FROM: tables, named queries, functions, pivots, and what joining looks at."""

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from commonplace.sql.columns import ColumnShaper
from commonplace.sql.parse import Tree
from commonplace.sql.shapes import NOWHERE, Output, Ref, Relation
from commonplace.sql.trees import QUERIES, alias_of, function_name, identifier, table_name


class RelationShaper(ColumnShaper):
    """Makes relations of a statement."""

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
            self.nested(one, number, ctes, (relations, reads, using))
        self._joins(tree, number, ctes, (relations, reads, using))
        for lateral in tree.args.get("laterals") or []:
            relations += self.relations(lateral, number, ctes)
        return relations, reads, using

    def nested(
        self, node: Tree, number: int, ctes: Mapping[str, int], into: tuple[Any, ...]
    ) -> None:
        """Joins that hang on a table or stand in brackets."""
        self._joins(node, number, ctes, into)
        if isinstance(node, exp.Subquery) and isinstance(node.this, (exp.Table, exp.Subquery)):
            self.nested(node.this, number, ctes, into)

    def _joins(
        self, tree: Tree, number: int, ctes: Mapping[str, int], into: tuple[Any, ...]
    ) -> None:
        relations, reads, using = into
        for join in tree.args.get("joins") or []:
            relations += self.relations(join.this, number, ctes)
            self.nested(join.this, number, ctes, into)
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
        given = (
            tuple(tuple(self.refs(one, number, ctes)) for one in _arguments(node)) if name else ()
        )
        return (alias or short, "f", (name, tuple(refs), given), columns)

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


def _arguments(node: Tree) -> list[Tree]:
    """What a function that is not built in is given, in order."""
    called = node.expression if isinstance(node, exp.Dot) else node
    return list(called.expressions) if isinstance(called, exp.Anonymous) else []
