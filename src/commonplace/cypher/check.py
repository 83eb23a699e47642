"""What can be refused before anything is read: names, types, aggregation, the order of clauses."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from commonplace.cypher import syntax as s
from commonplace.cypher.checking import ExpressionChecker
from commonplace.cypher.faults import CompileFault, compile_fault
from commonplace.cypher.kinds import ANY, Scope, kind_of
from commonplace.cypher.rebuild import Change, rebuilt


class Checker(ExpressionChecker):
    """Walks the clauses and knows which names stand for what."""

    def fault(self, at: int, message: str, kind: str) -> CompileFault:
        """A fault with its place."""
        return compile_fault(self.text, at, message, kind)

    def query(self, query: s.Query, scope: Scope, *, is_inner: bool = False) -> s.Query:
        """The query with ``*`` spelled out; raises CompileFault."""
        parts, columns = [], None
        for part in query.parts:
            checked = self._single(part, scope)
            names = _columns(checked[-1])
            if columns is not None and names != columns and not is_inner:
                raise self.fault(part[0].at, "both sides of UNION must return the same columns",
                                 "DifferentColumnsInUnion")  # fmt: skip
            columns = names
            parts.append(checked)
        return replace(query, parts=tuple(parts))

    def _single(self, clauses: tuple[s.Clause, ...], scope: Scope) -> tuple[s.Clause, ...]:
        known = dict(scope)
        found: list[s.Clause] = []
        for clause in clauses:
            checked, known = self.clause(clause, known)
            found.append(checked)
        return tuple(found)

    def clause(self, clause: s.Clause, known: dict[str, str]) -> tuple[s.Clause, dict[str, str]]:
        """The clause as it will run, and the names after it."""
        if isinstance(clause, s.Match):
            after = self.declare(clause.patterns, known)
            where = self.condition(clause.where, after)
            patterns = tuple(self.checked_pattern(one, after) for one in clause.patterns)
            return replace(clause, where=where, patterns=patterns), after
        if isinstance(clause, s.Unwind):
            source = self.expression(clause.source, known)
            if clause.variable in known:
                raise self.fault(clause.at, f"{clause.variable!r} is taken already",
                                 "VariableAlreadyBound")  # fmt: skip
            kind = kind_of(source, known)
            inner = kind.partition(" of ")[2] or ANY
            return replace(clause, source=source), known | {clause.variable: inner}
        if isinstance(clause, s.Projection):
            return self._projection(clause, known)
        raise TypeError(f"no clause: {type(clause).__name__}")

    def _projection(
        self, clause: s.Projection, known: dict[str, str]
    ) -> tuple[s.Projection, dict[str, str]]:
        items = self._items(clause, known)
        checked = [replace(item, value=self.column(item.value, known)) for item in items]
        after = {item.name: kind_of(item.value, known) for item in checked}
        is_grouped = any(s.has_aggregate(item.value) for item in checked)
        for item in checked:
            if s.has_aggregate(item.value):
                self._grouped(item.value, checked)
        order = tuple((self._sorted(one, checked, known, clause), way) for one, way in clause.order)
        is_closed = is_grouped or clause.is_distinct
        visible = after if is_closed else known | after
        where = self.condition(self._named(clause.where, checked), visible)
        for bound in (clause.skip, clause.limit):
            self._constant(bound, known)
        self._check_names(clause)
        made = replace(
            clause, items=tuple(checked), has_star=False, order=order, where=where,
        )  # fmt: skip
        return made, after

    def _items(self, clause: s.Projection, known: Mapping[str, str]) -> list[s.Item]:
        stars = [s.Item(s.Variable(name, at=clause.at), name, True) for name in sorted(known)]
        if clause.has_star and not known:
            raise self.fault(clause.at, "* stands for nothing here", "NoVariablesInScope")
        items = [*(stars if clause.has_star else ()), *clause.items]
        names = [item.name for item in items]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise self.fault(clause.at, f"two columns are named {twice[:60]!r}; use AS",
                             "ColumnNameConflict")  # fmt: skip
        return items

    def _check_names(self, clause: s.Projection) -> None:
        unnamed = next((item for item in clause.items if not item.is_named), None)
        if unnamed is not None and not clause.is_last:
            raise self.fault(unnamed.value.at, f"{unnamed.name[:60]!r} in WITH needs AS and a name",
                             "NoExpressionAlias")  # fmt: skip

    def _sorted(
        self, expr: s.Expr, items: list[s.Item], known: dict[str, str], clause: s.Projection
    ) -> s.Expr:
        """A sort key, told in the names of the projection where it repeats one of its columns."""
        after = {item.name: kind_of(item.value, known) for item in items}
        is_grouped = any(s.has_aggregate(item.value) for item in items)
        named = self._named(expr, items) or expr
        if s.has_aggregate(named) or (is_grouped and s.has_aggregate(expr)):
            if not is_grouped:
                raise self.fault(expr.at, "an aggregate sorts only what is aggregated",
                                 "InvalidAggregation")  # fmt: skip
            self._sorts_groups(expr, items, known, after)
            for call in _walk(named):
                if isinstance(call, s.Call) and call.is_aggregate:
                    for argument in call.arguments:
                        self.expression(argument, after)
            return named
        is_closed = is_grouped or clause.is_distinct
        return self.expression(named, after if is_closed else known | after)

    def _sorts_groups(
        self, expr: s.Expr, items: list[s.Item], known: dict[str, str], after: dict[str, str]
    ) -> None:
        self.column(rebuilt(expr, _aliased(items)), known | after)
        keys = [item.value for item in items if not s.has_aggregate(item.value)]
        names = [s.Variable(item.name) for item in items]
        self._ambiguous(expr, [*keys, *names], "UndefinedVariable")

    def _named(self, expr: s.Expr | None, items: Iterable[s.Item]) -> s.Expr | None:
        return None if expr is None else rebuilt(expr, _aliased(items))

    def _grouped(self, expr: s.Expr, items: list[s.Item]) -> None:
        """Beside an aggregate stand only constants and what the rows are grouped by."""
        keys = [item.value for item in items if not s.has_aggregate(item.value)]
        self._ambiguous(expr, keys, "AmbiguousAggregationExpression")

    def _ambiguous(self, expr: s.Expr, keys: list[s.Expr], kind: str) -> None:
        if isinstance(expr, s.Call) and expr.is_aggregate:
            return
        simple = isinstance(expr, s.Variable | s.Property) and expr in keys
        if simple or (isinstance(expr, s.Property) and expr.target in keys):
            return
        if isinstance(expr, s.Variable):
            known = {name for key in keys for name in _simple_names(key)}
            told = kind if expr.name not in known else "AmbiguousAggregationExpression"
            raise self.fault(expr.at, f"{expr.name!r} stands beside an aggregate; return it as a "
                             "column of its own, or aggregate it", told)  # fmt: skip
        bound = {expr.variable} if isinstance(expr, s.Comprehension | s.Quantifier) else set()
        bound |= {expr.total, expr.variable} if isinstance(expr, s.Reduce) else set()
        inner = [*keys, *(s.Variable(name) for name in bound)]
        for one in s.children(expr):
            if isinstance(one, s.Expr):
                self._ambiguous(one, inner, kind)

    def _constant(self, expr: s.Expr | None, known: Mapping[str, str]) -> None:
        """SKIP and LIMIT take a whole number that no row decides."""
        if expr is None:
            return
        for one in _walk(expr):
            if isinstance(one, s.Variable | s.PatternExpr):
                raise self.fault(one.at, "SKIP and LIMIT take no variables",
                                 "NonConstantExpression")  # fmt: skip
        self.expression(expr, known)
        if isinstance(expr, s.Literal_):
            if isinstance(expr.value, bool) or not isinstance(expr.value, int):
                raise self.fault(expr.at, "SKIP and LIMIT take a whole number",
                                 "InvalidArgumentType")  # fmt: skip
            if expr.value < 0:
                raise self.fault(expr.at, "SKIP and LIMIT are not negative",
                                 "NegativeIntegerArgument")  # fmt: skip


def _simple_names(key: s.Expr) -> set[str]:
    return {one.name for one in _walk(key) if isinstance(one, s.Variable)}


def _walk(tree: object) -> Iterable[s.Expr]:
    for one in s.children(tree):
        yield from _walk(one)
    if isinstance(tree, s.Expr):
        yield tree


def _aliased(items: Iterable[s.Item]) -> Change:
    known = [(item.value, item.name) for item in items]

    def change(expr: s.Expr) -> s.Expr | None:
        name = next((name for value, name in known if value == expr), None)
        return None if name is None else s.Variable(name, at=expr.at)

    return change


def _columns(clause: s.Clause) -> tuple[str, ...]:
    return tuple(item.name for item in clause.items) if isinstance(clause, s.Projection) else ()


def check(text: str, query: s.Query) -> s.Query:
    """The query ready to run; raises CompileFault with line and column."""
    return Checker(text).query(query, {})
