"""Checking expressions and patterns: every name known, every type possible."""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace

from commonplace.cypher import syntax as s
from commonplace.cypher.evaluate import FUNCTIONS
from commonplace.cypher.faults import CompileFault
from commonplace.cypher.kinds import ANY, NUMBERS, TAKES, Scope, kind_of, member, outer
from commonplace.cypher.rebuild import rebuilt

_ARITHMETIC = ("-", "*", "/", "%", "^")
_TYPE_FAULT = "InvalidArgumentType"


class ExpressionChecker:
    """The part of the checker below clauses."""

    def __init__(self, text: str) -> None:
        self.text = text

    @abstractmethod
    def fault(self, at: int, message: str, kind: str) -> CompileFault:
        """A fault with its place."""

    @abstractmethod
    def query(self, query: s.Query, scope: Scope, *, is_inner: bool = False) -> s.Query:
        """Check a subquery."""

    def expression(self, expr: s.Expr, scope: Scope, *, in_where: bool = False) -> s.Expr:
        """Check an expression that must not aggregate."""
        if s.has_aggregate(expr):
            raise self.fault(
                expr.at, "an aggregate stands only in WITH and RETURN", "InvalidAggregation"
            )
        return self._checked(expr, scope, in_where)

    def condition(self, expr: s.Expr | None, scope: Scope) -> s.Expr | None:
        """Check a WHERE, if there is one."""
        if expr is None:
            return None
        found = self.expression(expr, scope, in_where=True)
        kind = outer(kind_of(found, scope))
        if kind not in ("boolean", ANY):
            raise self.fault(expr.at, f"WHERE takes a condition, not a {kind}", _TYPE_FAULT)
        return found

    def column(self, expr: s.Expr, scope: Scope) -> s.Expr:
        """Check an expression of WITH or RETURN."""
        self._nested(expr, is_inside=False, is_bound=False)
        return self._checked(expr, scope, False)

    def _nested(self, expr: object, *, is_inside: bool, is_bound: bool) -> None:
        if isinstance(expr, s.Call) and expr.is_aggregate:
            if is_inside:
                raise self.fault(expr.at, "aggregates cannot be nested", "NestedAggregation")
            if is_bound:
                raise self.fault(expr.at, "an aggregate cannot stand inside a list's loop",
                                 "InvalidAggregation")  # fmt: skip
            is_inside = True
        if isinstance(expr, s.Call) and expr.name == "rand" and is_inside:
            raise self.fault(expr.at, "rand() cannot be aggregated", "NonConstantExpression")
        loops = s.Comprehension | s.Quantifier | s.Reduce
        free = {id(expr.source)} if isinstance(expr, loops) else set()
        is_loop = isinstance(expr, loops | s.PatternComprehension)
        for one in s.children(expr):
            if not isinstance(one, s.Query):
                is_inner = is_bound or (is_loop and id(one) not in free)
                self._nested(one, is_inside=is_inside, is_bound=is_inner)

    def _checked(self, expr: s.Expr, scope: Scope, in_where: bool) -> s.Expr:
        """Check one expression and all in it."""
        if isinstance(expr, s.Variable):
            if expr.name not in scope:
                raise self._undefined(expr.name, expr.at, scope)
            return expr
        if isinstance(expr, s.Subquery):
            return replace(expr, query=self.query(expr.query, scope, is_inner=True))
        if isinstance(expr, s.PatternExpr):
            return self._pattern_predicate(expr, scope, in_where)
        if isinstance(expr, s.PatternComprehension):
            return self._pattern_comprehension(expr, scope)
        if isinstance(expr, s.Comprehension | s.Quantifier):
            return self._loop(expr, scope)
        if isinstance(expr, s.Reduce):
            return self._reduce(expr, scope)
        if isinstance(expr, s.Call):
            return self._call(expr, scope)
        # Each part once: twice would be a billion times thirty levels down.
        found = rebuilt(
            expr, lambda one: None if one is expr else self._checked(one, scope, in_where)
        )
        self._types(found, scope)
        return found

    def _undefined(self, name: str, at: int, scope: Scope) -> CompileFault:
        known = ", ".join(sorted(scope)[:10])
        hint = f"known here: {known}" if known else "nothing is known here yet"
        return self.fault(at, f"{name[:60]!r} is not defined; {hint}", "UndefinedVariable")

    def _types(self, expr: s.Expr, scope: Scope) -> None:
        operands: tuple[s.Expr, ...] = ()
        allowed: tuple[str, ...] = ("boolean", ANY)
        if isinstance(expr, s.Logic):
            operands = expr.operands
        elif isinstance(expr, s.Unary) and expr.operator == "NOT":
            operands = (expr.operand,)
        elif isinstance(expr, s.Unary) and expr.operator in ("-", "+"):
            operands, allowed = (expr.operand,), (*NUMBERS, ANY)
        elif isinstance(expr, s.Binary) and expr.operator in _ARITHMETIC:
            operands, allowed = (expr.left, expr.right), (*NUMBERS, ANY)
        elif isinstance(expr, s.Binary) and expr.operator == "IN":
            operands, allowed = (expr.right,), ("list", "edges", ANY)
        elif isinstance(expr, s.HasLabels):
            operands, allowed = (expr.target,), ("node", "edge", ANY)
        elif isinstance(expr, s.Property):
            operands, allowed = (expr.target,), ("node", "edge", "map", ANY)
        for operand in operands:
            kind = kind_of(operand, scope)
            if outer(kind) not in allowed:
                what = getattr(expr, "operator", "this")
                raise self.fault(operand.at, f"{what} does not take a {outer(kind)}",
                                 _TYPE_FAULT)  # fmt: skip

    def _call(self, expr: s.Call, scope: Scope) -> s.Expr:
        if not expr.is_aggregate:
            self._known_function(expr)
        takes = TAKES.get(expr.name)
        arguments = []
        for one in expr.arguments:
            arguments.append(self._checked(one, scope, expr.name == "exists"))
            kind = outer(kind_of(arguments[-1], scope))
            if takes is not None and kind not in takes | {ANY}:
                raise self.fault(one.at, f"{expr.name}() does not take a {kind}", _TYPE_FAULT)
        self._counted(expr)
        return replace(expr, arguments=tuple(arguments))

    def _known_function(self, expr: s.Call) -> None:
        function = FUNCTIONS.get(expr.name)
        if function is None:
            raise self.fault(expr.at, f"there is no function {expr.name[:60]}()", "UnknownFunction")
        if expr.is_distinct:
            raise self.fault(expr.at, "DISTINCT goes with aggregates only", "UnexpectedSyntax")
        if not function.low <= len(expr.arguments) <= function.high:
            raise self.fault(expr.at, f"{expr.name}() takes {function.low} to {function.high} "
                             f"arguments, not {len(expr.arguments)}",
                             "InvalidNumberOfArguments")  # fmt: skip

    def _counted(self, expr: s.Call) -> None:
        if not expr.is_aggregate or expr.is_star:
            return
        wanted = 2 if expr.name.startswith("percentile") else 1
        if len(expr.arguments) != wanted:
            raise self.fault(expr.at, f"{expr.name}() takes {wanted} arguments",
                             "InvalidNumberOfArguments")  # fmt: skip

    def _loop(self, expr: s.Comprehension | s.Quantifier, scope: Scope) -> s.Expr:
        source = self._checked(expr.source, scope, False)
        inner = {**scope, expr.variable: member(kind_of(expr.source, scope))}
        where = self._checked(expr.where, inner, True) if expr.where is not None else None
        if where is not None and outer(kind_of(where, inner)) not in ("boolean", ANY):
            raise self.fault(where.at, "WHERE takes a condition", _TYPE_FAULT)
        if isinstance(expr, s.Quantifier):
            return replace(expr, source=source, where=where)
        value = self._checked(expr.value, inner, False) if expr.value is not None else None
        return replace(expr, source=source, where=where, value=value)

    def _reduce(self, expr: s.Reduce, scope: Scope) -> s.Expr:
        inner = {**scope, expr.total: ANY, expr.variable: member(kind_of(expr.source, scope))}
        return replace(
            expr,
            start=self._checked(expr.start, scope, False),
            source=self._checked(expr.source, scope, False),
            value=self._checked(expr.value, inner, False),
        )

    def _pattern_predicate(self, expr: s.PatternExpr, scope: Scope, in_where: bool) -> s.Expr:
        if not in_where and not expr.pattern.shortest:
            raise self.fault(expr.at, "a pattern is a condition: it stands in WHERE, or in "
                             "EXISTS { … }", "UnexpectedSyntax")  # fmt: skip
        named = [(one.variable, one.at) for one in expr.pattern.nodes]
        named += [(one.variable, one.at) for one in expr.pattern.edges]
        for name, at in named:
            if name is not None and name not in scope:
                raise self._undefined(name, at, scope)
        self.declare((expr.pattern,), scope)
        return replace(expr, pattern=self.checked_pattern(expr.pattern, scope))

    def _pattern_comprehension(self, expr: s.PatternComprehension, scope: Scope) -> s.Expr:
        inner = self.declare((expr.pattern,), scope)
        where = self._checked(expr.where, inner, True) if expr.where is not None else None
        value = self._checked(expr.value, inner, False)
        pattern = self.checked_pattern(expr.pattern, inner)
        return replace(expr, pattern=pattern, where=where, value=value)

    def checked_pattern(self, path: s.PathPattern, scope: Scope) -> s.PathPattern:
        """The pattern with its property maps checked."""

        def own(expr: s.Expr | None, at: int) -> s.Expr | None:
            if isinstance(expr, s.Parameter):
                raise self.fault(at, "a pattern takes {key: $value}, not a whole map as parameter",
                                 "InvalidParameterUse")  # fmt: skip
            return None if expr is None else self.expression(expr, scope)

        nodes = tuple(replace(one, properties=own(one.properties, one.at)) for one in path.nodes)
        edges = tuple(replace(one, properties=own(one.properties, one.at)) for one in path.edges)
        return replace(path, nodes=nodes, edges=edges)

    def declare(self, patterns: Iterable[s.PathPattern], scope: Scope) -> dict[str, str]:
        """The names after these patterns."""
        known, edges = dict(scope), set[str]()
        for path in patterns:
            if path.variable is not None and path.variable in known:
                raise self.fault(path.at, f"{path.variable!r} is taken already",
                                 "VariableAlreadyBound")  # fmt: skip
            for node in path.nodes:
                self._declare(known, node.variable, "node", node.at)
            for edge in path.edges:
                if edge.variable is not None and edge.variable in edges:
                    raise self.fault(edge.at, f"{edge.variable!r} cannot be two relationships",
                                     "RelationshipUniquenessViolation")  # fmt: skip
                edges.add(edge.variable or "")
                self._declare(known, edge.variable, "edges" if edge.is_long else "edge", edge.at)
            if path.variable is not None:
                if path.variable in known:
                    raise self.fault(path.at, f"{path.variable!r} is taken already",
                                     "VariableAlreadyBound")  # fmt: skip
                known[path.variable] = "path"
        return known

    def _declare(self, known: dict[str, str], name: str | None, kind: str, at: int) -> None:
        if name is None:
            return
        before = known.get(name, kind)
        fits = {kind, ANY} | ({"list"} if kind == "edges" else set())
        if outer(before) not in fits:
            raise self.fault(at, f"{name!r} is a {outer(before)}, not a {kind}",
                             "VariableTypeConflict")  # fmt: skip
        known[name] = kind
