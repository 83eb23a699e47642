"""Looking up what other files declare: the definition a name means, the type a value has.

For passes that cross languages. They ask about declarations: a mapped class, a constant, a field's
type with its type arguments. What is not declared is not guessed here; following values is the
business of ``resolve``.
"""

from collections.abc import Iterator
from typing import NamedTuple

from commonplace.domain.code import Call, Flow
from commonplace.domain.expr import Expr
from commonplace.link.code.names.definitions import CLASSES, DEEPEST, Definitions
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.queries.chains import noted, peeled

_WRAPPERS = frozenset(
    {"Optional", "Task", "ValueTask", "Promise", "Awaitable", "Nullable", "Final"}
)


_ASKED = frozenset({"GetService", "GetRequiredService"})
_MADE = frozenset({"CreateDbContext", "CreateDbContextAsync"})


class Type(NamedTuple):
    """A type as declared somewhere: its expression and where that stands."""

    unit: Unit
    scope: int
    expr: Expr

    @property
    def arguments(self) -> tuple[Expr, ...]:
        """Its type arguments."""
        found: tuple[Expr, ...] = self.expr[2] if self.expr[0] == "generic" else ()
        return found

    @property
    def base(self) -> Expr:
        """Itself without them."""
        found: Expr = self.expr[1] if self.expr[0] == "generic" else self.expr
        return found


def _options(value: Expr) -> list[Expr]:
    """What a value may be: ``a ?? b`` is either."""
    value = peeled(value)
    return [peeled(one) for one in value[1]] if value[0] == "one" else [value]


def flows_in(unit: Unit, scope: int) -> list[Flow]:
    """The flows of one scope, in order."""
    return noted(unit, "flows", _flows_by_scope).get(scope, [])


def _flows_by_scope(unit: Unit) -> dict[int, list[Flow]]:
    table: dict[int, list[Flow]] = {}
    for flow in unit.facts.flows:
        own = table.setdefault(flow.scope, [])
        own.append(flow)
        if flow.target[0] == flow.value[0] == "seq" and len(flow.target[2]) == len(flow.value[2]):
            pairs = zip(flow.target[2], flow.value[2], strict=True)  # a, b = 1, 2
            own += (flow._replace(target=one, value=value) for one, value in pairs)
    return table


def _flows_by_member(unit: Unit) -> dict[str, list[Flow]]:
    table: dict[str, list[Flow]] = {}
    for flow in unit.facts.flows:
        if flow.target[0] == "attr":
            table.setdefault(flow.target[2], []).append(flow)
    return table


def look(program: Program) -> "Look":
    """The one of this state of the program."""
    found = program.memo.get("look")
    if found is None:
        found = program.memo["look"] = Look(program)
    known: Look = found
    return known


class Look(Definitions):
    """Definitions, and the types of values."""

    def types(self, unit: Unit, scope: int, expr: Expr, depth: int = 0) -> list[Type]:
        """What a value is declared to be, or is made as."""
        if depth > DEEPEST:
            return []
        expr = peeled(expr)
        if expr[0] == "typed":
            return self._opened(Type(unit, scope, expr[1]))
        if expr[0] == "one":
            return [each for one in expr[1] for each in self.types(unit, scope, one, depth + 1)]
        if expr[0] == "call":
            return self._made_by(unit, scope, expr[1], depth)
        if expr[0] == "name":
            return self._types_of_name(unit, scope, expr, depth)
        if expr[0] == "attr":
            return self._types_of_member(unit, scope, expr, depth)
        return []

    def type_names(self, unit: Unit, scope: int, expr: Expr) -> set[str]:
        """Full names of the types of a value, outside ones as imports tell them."""
        return {
            self.external(one.unit, one.scope, one.base) for one in self.types(unit, scope, expr)
        }

    def makers(self, unit: Unit, scope: int, expr: Expr) -> list[Type]:
        """The calls a value comes from, each as the ``call`` it is and where that stands."""
        expr = peeled(expr)
        if expr[0] == "call":
            return [Type(unit, scope, expr)]
        number: int | None = scope
        while number is not None and expr[0] == "name":
            found = [
                each
                for flow in flows_in(unit, number)
                if flow.target == expr
                for option in _options(flow.value)
                if option[0] == "call"
                for each in self.makers(unit, number, option)
            ]
            if found:
                return found
            number = unit.facts.symbols[number].parent if number else None
        places = self.places(unit, scope, expr)
        return [one for place in places for one in self._valued(place) if one.expr[0] == "call"]

    def _valued(self, place: Place) -> Iterator[Type]:
        symbol = self.program.symbol(place)
        if symbol.value is not None:
            unit = self.program.units[place.document_id]
            yield Type(unit, symbol.parent, peeled(symbol.value))
        elif symbol.parent:
            yield from self._set_in(place)

    def _set_in(self, place: Place) -> Iterator[Type]:
        """What the methods of a class put into a field of theirs."""
        unit = self.program.units[place.document_id]
        symbol = unit.facts.symbols[place.number]
        own = Place(place.document_id, symbol.parent)
        for flow in noted(unit, "fields", _flows_by_member).get(symbol.name, ()):
            if self.is_self(unit, flow.scope, flow.target[1]) and (
                self.enclosing(unit, flow.scope) == own
            ):
                yield Type(unit, flow.scope, peeled(flow.value))

    def _owners(self, unit: Unit, scope: int, expr: Expr, depth: int) -> Iterator[Place]:
        """What has the members of a value; of an instance, its class."""
        containers = list(super()._owners(unit, scope, expr, depth))
        yield from containers
        if not containers:
            for one in self.types(unit, scope, expr, depth + 1):
                found = self.class_of(one.unit, one.scope, one.base)
                if found is not None:
                    yield found

    def _opened(self, declared: Type) -> list[Type]:
        """A type without what only says that it may be absent or comes later."""
        while declared.arguments and declared.base[-1] in _WRAPPERS:
            declared = declared._replace(expr=declared.arguments[0])
        if declared.expr[0] == "one":
            options = [one for one in declared.expr[1] if one[0] != "value"]
            return [each for one in options for each in self._opened(declared._replace(expr=one))]
        return [declared]

    def _made_by(self, unit: Unit, scope: int, number: int, depth: int) -> list[Type]:
        call = unit.facts.calls[number]
        given = list(self._given(unit, call, depth))
        if given:
            return given
        places = self.places(unit, call.scope, call.callee, depth + 1)
        found = []
        for place in places:
            symbol = self.program.symbol(place)
            there = self.program.units[place.document_id]
            if symbol.kind in CLASSES:
                found.append(Type(unit, scope, call.callee))
            elif symbol.type is not None:
                found += self._opened(Type(there, place.number, symbol.type))
        if found or places:
            return found
        return [Type(unit, scope, call.callee)]

    def _given(self, unit: Unit, call: Call, depth: int) -> Iterator[Type]:
        """What a factory or container is asked for: ``IDbContextFactory<T>``, ``GetService<T>``."""
        callee = peeled(call.callee)
        if callee[0] == "generic" and callee[1][-1] in _ASKED:
            yield Type(unit, call.scope, callee[2][0])
        elif callee[0] == "attr" and callee[2] in _MADE:
            for one in self.types(unit, call.scope, callee[1], depth + 1):
                if one.base[-1] == "IDbContextFactory" and one.arguments:
                    yield one._replace(expr=one.arguments[0])

    def _types_of_name(self, unit: Unit, scope: int, expr: Expr, depth: int) -> list[Type]:
        if self.is_self(unit, scope, expr):
            own = self.enclosing(unit, scope)
            return [Type(unit, 0, ("name", self.symbol(own).name))] if own else []
        number: int | None = scope
        while number is not None:
            symbol = unit.facts.symbols[number]
            found = [
                each
                for flow in flows_in(unit, number)
                if flow.target == expr
                for each in self.types(unit, number, flow.value, depth + 1)
            ]
            for one in symbol.parameters:
                if one.name == expr[1] and one.type is not None:
                    found += self._opened(Type(unit, number, one.type))
            if found:
                return found
            number = symbol.parent if number else None
        return [
            each
            for place in self.places(unit, scope, expr, depth + 1)
            for each in self._declared(place, depth)
        ]

    def _types_of_member(self, unit: Unit, scope: int, expr: Expr, depth: int) -> list[Type]:
        return [
            each
            for place in self.places(unit, scope, expr, depth + 1)
            for each in self._declared(place, depth)
        ]

    def _declared(self, place: Place, depth: int) -> list[Type]:
        symbol = self.program.symbol(place)
        unit = self.program.units[place.document_id]
        if symbol.kind in CLASSES or place.number == 0:
            return []
        if symbol.type is not None:
            return self._opened(Type(unit, symbol.parent, symbol.type))
        return [
            each
            for one in self._valued(place)
            for each in self.types(one.unit, one.scope, one.expr, depth + 1)
        ]
