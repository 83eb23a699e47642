"""Expressions to functions of a row: compiled once a query, called once a row."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from commonplace.cypher import syntax as s
from commonplace.cypher.faults import RunFault
from commonplace.cypher.functions import GENERAL, Context, Function
from commonplace.cypher.operators import (
    BINARY,
    COMPARISONS,
    indexed,
    kind_of,
    property_of,
    sliced,
    truth,
    type_fault,
    whole,
)
from commonplace.cypher.texts import TEXTS
from commonplace.cypher.times import TIMES
from commonplace.cypher.values import Link, Value, Vertex, equals, is_integer, is_number

Row: TypeAlias = Mapping[str, Value]
Eval: TypeAlias = Callable[[Row], Value]
Matcher = Callable[[tuple[s.PathPattern, ...], s.Expr | None], Callable[[Row], Iterator[Row]]]
Runner = Callable[[s.Query], Callable[[Row], Iterable[Row]]]

FUNCTIONS: Mapping[str, Function] = {**GENERAL, **TEXTS, **TIMES}


class Evaluator:
    """Compiles expressions. Patterns inside them are matched by ``matcher``, subqueries by ``run``.

    Both come from outside, because matching itself evaluates expressions.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.matcher: Matcher
        self.run: Runner

    def compile(self, expr: s.Expr) -> Eval:
        """The function that gives the expression's value for a row."""
        make: Callable[[Any], Eval] = getattr(self, f"_{type(expr).__name__.lower()}")
        return make(expr)

    def maybe(self, expr: s.Expr | None) -> Eval | None:
        """The same for an expression that may be missing."""
        return None if expr is None else self.compile(expr)

    def test(self, expr: s.Expr | None) -> Callable[[Row], bool]:
        """Whether a condition holds: null does not."""
        if expr is None:
            return lambda _row: True
        value = self.compile(expr)
        return lambda row: truth(value(row), "WHERE") is True

    def _literal_(self, expr: s.Literal_) -> Eval:
        value = expr.value
        return lambda _row: value

    def _parameter(self, expr: s.Parameter) -> Eval:
        if expr.name not in self.context.parameters:
            raise RunFault(f"${expr.name[:60]} has no value; give it in parameters",
                           "MissingParameter")  # fmt: skip
        value = self.context.parameters[expr.name]
        return lambda _row: value

    def _variable(self, expr: s.Variable) -> Eval:
        name = expr.name
        return lambda row: row[name]

    def _property(self, expr: s.Property) -> Eval:
        target, key = self.compile(expr.target), expr.key
        return lambda row: property_of(target(row), key)

    def _haslabels(self, expr: s.HasLabels) -> Eval:
        target, labels = self.compile(expr.target), expr.labels

        def value(row: Row) -> Value:
            found = target(row)
            if found is None:
                return None
            if isinstance(found, Vertex):
                return all(label in found.labels for label in labels)
            if isinstance(found, Link):
                return all(label == found.type for label in labels)
            raise type_fault(":Label", found)

        return value

    def _listof(self, expr: s.ListOf) -> Eval:
        members, hold = [self.compile(one) for one in expr.members], self.context.guard.hold

        def value(row: Row) -> Value:
            hold(len(members))
            return [member(row) for member in members]

        return value

    def _mapof(self, expr: s.MapOf) -> Eval:
        members = [(key, self.compile(one)) for key, one in expr.members]
        hold = self.context.guard.hold

        def value(row: Row) -> Value:
            hold(len(members))
            return {key: member(row) for key, member in members}

        return value

    def _mapprojection(self, expr: s.MapProjection) -> Eval:
        target = self.compile(expr.target)
        members = [(key, self.maybe(one)) for key, one in expr.members]

        def value(row: Row) -> Value:
            source = target(row)
            if source is None:
                return None
            found: dict[str, Value] = {}
            for key, member in members:
                if member is not None:
                    found[key] = member(row)
                elif key == "*":
                    found |= source if isinstance(source, dict) else dict(source.properties)
                else:
                    found[key] = property_of(source, key)
            self.context.guard.hold(len(found))
            return found

        return value

    def _unary(self, expr: s.Unary) -> Eval:
        operand, operator = self.compile(expr.operand), expr.operator
        if operator == "IS NULL":
            return lambda row: operand(row) is None
        if operator == "IS NOT NULL":
            return lambda row: operand(row) is not None
        if operator == "NOT":

            def negation(row: Row) -> Value:
                value = truth(operand(row), "NOT")
                return None if value is None else not value

            return negation

        def signed(row: Row) -> Value:
            value = operand(row)
            if value is None:
                return None
            if not is_number(value):
                raise type_fault(operator, value)
            if operator == "+":
                return value
            return whole(-value) if is_integer(value) else -value

        return signed

    def _binary(self, expr: s.Binary) -> Eval:
        left, right = self.compile(expr.left), self.compile(expr.right)
        work, guard = BINARY[expr.operator], self.context.guard
        return lambda row: work(guard, left(row), right(row))

    def _logic(self, expr: s.Logic) -> Eval:
        operands = [self.compile(one) for one in expr.operands]
        operator = expr.operator
        if operator == "XOR":
            return lambda row: _xor(truth(one(row), "XOR") for one in operands)
        decisive = operator == "OR"

        def value(row: Row) -> Value:
            is_unknown = False
            for one in operands:
                found = truth(one(row), operator)
                if found is decisive:
                    return decisive
                is_unknown = is_unknown or found is None
            return None if is_unknown else not decisive

        return value

    def _comparison(self, expr: s.Comparison) -> Eval:
        first = self.compile(expr.first)
        rest = [(COMPARISONS[operator], self.compile(one)) for operator, one in expr.rest]
        if len(rest) == 1:
            compare, second = rest[0]
            return lambda row: compare(first(row), second(row))

        def value(row: Row) -> Value:
            left, is_unknown = first(row), False
            for work, operand in rest:
                right = operand(row)
                verdict = work(left, right)
                if verdict is False:
                    return False
                is_unknown, left = is_unknown or verdict is None, right
            return None if is_unknown else True

        return value

    def _index(self, expr: s.Index) -> Eval:
        target, index = self.compile(expr.target), self.compile(expr.index)
        return lambda row: indexed(target(row), index(row))

    def _slice(self, expr: s.Slice) -> Eval:
        target, guard = self.compile(expr.target), self.context.guard
        low = self.compile(expr.low or s.Literal_(0))
        high = self.compile(expr.high or s.Literal_(2**63 - 1))
        return lambda row: sliced(guard, target(row), (low(row), high(row)))

    def _call(self, expr: s.Call) -> Eval:
        if expr.name == "exists" and isinstance(expr.arguments[0], s.PatternExpr):
            return self.compile(expr.arguments[0])
        function, context = FUNCTIONS[expr.name], self.context
        arguments = [self.compile(one) for one in expr.arguments]
        body, takes_null = function.body, function.takes_null

        def value(row: Row) -> Value:
            context.guard.tick()
            given = [argument(row) for argument in arguments]
            if not takes_null and None in given:
                return None
            return body(context, given)

        return value

    def _case(self, expr: s.Case) -> Eval:
        subject = self.maybe(expr.subject)
        branches = [(self.compile(when), self.compile(then)) for when, then in expr.branches]
        otherwise = self.compile(expr.otherwise or s.Literal_(None))

        def value(row: Row) -> Value:
            given = subject(row) if subject is not None else None
            for when, then in branches:
                found = when(row)
                holds = truth(found, "CASE") if subject is None else equals(given, found)
                if holds:
                    return then(row)
            return otherwise(row)

        return value

    def _members(self, source: Eval, row: Row, what: str) -> list[Value] | None:
        members = source(row)
        if members is None or isinstance(members, list):
            return members
        raise RunFault(f"{what} takes a list, not {kind_of(members)}", "InvalidArgumentType")

    def _comprehension(self, expr: s.Comprehension) -> Eval:
        source, name = self.compile(expr.source), expr.variable
        holds, result = self.test(expr.where), self.maybe(expr.value)
        hold = self.context.guard.hold

        def value(row: Row) -> Value:
            members = self._members(source, row, "a list comprehension")
            if members is None:
                return None
            inner, found = dict(row), []
            for member in members:
                hold()
                inner[name] = member
                if holds(inner):
                    found.append(result(inner) if result is not None else member)
            return found

        return value

    def _quantifier(self, expr: s.Quantifier) -> Eval:
        source, name, kind = self.compile(expr.source), expr.variable, expr.kind
        where = self.compile(expr.where or s.Literal_(True))
        tick = self.context.guard.tick

        def value(row: Row) -> Value:
            members = self._members(source, row, f"{kind}()")
            if members is None:
                return None
            inner, counts = dict(row), {True: 0, False: 0, None: 0}
            for member in members:
                tick()
                inner[name] = member
                counts[truth(where(inner), kind)] += 1
            return _verdict(kind, counts)

        return value

    def _reduce(self, expr: s.Reduce) -> Eval:
        source, start, result = (self.compile(one) for one in (expr.source, expr.start, expr.value))
        total, name, tick = expr.total, expr.variable, self.context.guard.tick

        def value(row: Row) -> Value:
            members = self._members(source, row, "reduce()")
            if members is None:
                return None
            inner = {**row, total: start(row)}
            for member in members:
                tick()
                inner[name] = member
                inner[total] = result(inner)
            return inner[total]

        return value

    def _patternexpr(self, expr: s.PatternExpr) -> Eval:
        rows = self.matcher((expr.pattern,), None)
        if expr.pattern.shortest:
            named = s.PathPattern(
                variable=" path",
                nodes=expr.pattern.nodes,
                edges=expr.pattern.edges,
                shortest=expr.pattern.shortest,
            )
            paths = self.matcher((named,), None)
            return lambda row: next((found[" path"] for found in paths(row)), None)
        return lambda row: next(rows(row), None) is not None

    def _patterncomprehension(self, expr: s.PatternComprehension) -> Eval:
        rows = self.matcher((expr.pattern,), expr.where)
        result, hold = self.compile(expr.value), self.context.guard.hold

        def value(row: Row) -> Value:
            found = []
            for inner in rows(row):
                hold()
                found.append(result(inner))
            return found

        return value

    def _subquery(self, expr: s.Subquery) -> Eval:
        rows = self.run(expr.query)
        if expr.kind == "exists":
            return lambda row: next(iter(rows(row)), None) is not None
        return lambda row: sum(1 for _ in rows(row))


def _xor(values: Iterable[bool | None]) -> bool | None:
    found = False
    is_unknown = False
    for value in values:
        if value is None:
            is_unknown = True
        else:
            found = found != value
    return None if is_unknown else found


def _verdict(kind: str, counts: Mapping[bool | None, int]) -> bool | None:
    """What a quantifier says, given how often its condition was true, false and null."""
    yes, no, unknown = counts[True], counts[False], counts[None]
    if kind == "all":
        return False if no else None if unknown else True
    if kind == "any":
        return True if yes else None if unknown else False
    if kind == "none":
        return False if yes else None if unknown else True
    if yes > 1:
        return False
    return None if unknown else yes == 1
