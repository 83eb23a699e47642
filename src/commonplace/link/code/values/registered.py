"""Functions of Python that are several, chosen by the type of what they are given first."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.declared import declared
from commonplace.link.code.names.hierarchy import mro, static
from commonplace.link.code.values.values import Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

DISPATCHING = frozenset({"singledispatch", "singledispatchmethod"})
DISPATCHED = "<registered>"
"""Under which functions for other types are kept with the one they are registered with."""


def is_dispatched(solver: "Solver", function: Value) -> bool:
    """Whether others may be registered with a function."""
    decorators = solver.facts(function[1]).symbols[function[2]].decorators
    return any(one[0] in ("name", "attr") and one[-1] in DISPATCHING for one in decorators)


def chosen(solver: "Solver", document_id: str, call: Call, values: Values) -> Values:
    """Of the functions a call may mean, without those registered for other types than given."""
    functions = [one[1] if one[0] == "m" else one for one in values]
    if not call.arguments or not any(
        one[0] == "f" and is_dispatched(solver, one) for one in functions
    ):
        return values
    given: Values = solver.equations["="](solver, document_id, call.scope, call.arguments[0])
    kinds = {kind for one in given for kind in _kinds(solver, one)}
    if not kinds or any(one[0] not in "oisl" for one in given):
        return values
    return frozenset(one for one in values if _takes(solver, one, kinds))


def _kinds(solver: "Solver", value: Value) -> list[object]:
    """What a value is: its class and those above, or the name of a built-in type."""
    if value[0] == "o":
        return [value[1].rpartition(".")[2]]
    if value[0] == "l" and isinstance(value[2], int):
        expr = solver.sites[value[2]][2]
        return ["dict" if expr[0] == "map" else expr[1]]
    if value[0] in "is":
        return list(mro(solver, ("c", value[1], value[2])))
    return []


def _takes(solver: "Solver", value: Value, kinds: set[object]) -> bool:
    function = value[1] if value[0] == "m" else value
    if function[0] != "f" or is_dispatched(solver, function):
        return True
    wanted: set[object] = set()
    symbol = solver.facts(function[1]).symbols[function[2]]
    for expr in symbol.decorators:
        if expr[0] == "call":
            call = solver.facts(function[1]).calls[expr[1]]
            wanted |= _named(solver, function[1], symbol.parent, call.arguments)
    place = 1 if symbol.parameters and symbol.parameters[0].flavour == "receiver" else 0
    type_ = symbol.parameters[place].type if place < len(symbol.parameters) else None
    if not wanted and type_ is not None:
        found = declared(solver, function[1], function[2], type_)
        wanted = {
            ("c", *one[1:3]) if one[0] == "i" else one[1].rpartition(".")[2]
            for one in (one[1] if one[0] == "G" else one for one in found)
            if one[0] in "io"
        }
    return not wanted or bool(wanted & kinds)


def _named(solver: "Solver", document_id: str, scope: int, exprs: tuple[Expr, ...]) -> set[object]:
    """Types that are given to ``register``: classes of ours, or names of built-in ones."""
    found: set[object] = set()
    for expr in exprs:
        classes = [one for one in static(solver, document_id, scope, expr) if one[0] == "c"]
        found.update(classes or ([expr[-1]] if expr[0] in ("name", "attr") else []))
    return found
