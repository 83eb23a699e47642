"""Which of several methods of one name a call means: by how many arguments, then by their types."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call, Parameter, Symbol
from commonplace.link.code.declared import declared
from commonplace.link.code.hierarchy import mro
from commonplace.link.code.values import Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.solver import Solver


def fitting(solver: "Solver", document_id: str, call: Call, values: Values) -> Values:
    """Those of the functions that take these arguments; all when none seems to."""
    functions = {one: _function(one) for one in values}
    if sum(one is not None for one in functions.values()) < 2:
        return values
    kept: list[tuple[int, Value]] = []
    others: set[Value] = set()
    for value, function in functions.items():
        if function is None:
            others.add(value)
            continue
        symbol = solver.facts(function[1]).symbols[function[2]]
        if "anonymous" in symbol.modifiers:
            others.add(value)
        elif takes(symbol, len(call.arguments)):
            kept.append((_score(solver, document_id, call, function, symbol), value))
    if not kept:
        return values
    best = max(score for score, _ in kept)
    return frozenset(others | {value for score, value in kept if score == best})


def _function(value: Value) -> Value | None:
    if value[0] in "mG":
        return _function(value[1])
    return value if value[0] == "f" else None


def takes(symbol: Symbol, count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    plain = [one for one in symbol.parameters if one.flavour in ("plain", "keyword")]
    if "extension" in symbol.modifiers and count < len(plain):
        count += 1
    needed = sum(one.default is None for one in plain)
    has_rest = any(one.flavour == "rest" for one in symbol.parameters)
    return needed <= count and (has_rest or count <= len(plain))


def _score(solver: "Solver", document_id: str, call: Call, function: Value, symbol: Symbol) -> int:
    parameters = [one for one in symbol.parameters if one.flavour in ("plain", "rest", "keyword")]
    total = 0 if any(one.flavour == "rest" for one in parameters) else 1
    for argument, parameter in zip(call.arguments, parameters, strict=False):
        evaluate = solver.equations["="]
        given: Values = evaluate(solver, document_id, call.scope, argument)
        total += _fit(solver, given, function, parameter)
    return total


def _fit(solver: "Solver", given: Values, function: Value, parameter: Parameter) -> int:
    """How well an argument fits a parameter: exactly, as a subclass, not at all, not known."""
    if parameter.type is None or not given:
        return 0
    wanted = declared(solver, function[1], function[2], parameter.type)
    if given & wanted:
        return 8
    best = 0
    for one in given:
        inner = one[1] if one[0] == "G" else one
        for other in wanted:
            best = max(best, _compatible(solver, inner, other[1] if other[0] == "G" else other))
    return best or (-8 if _is_known(given) and _is_known(wanted) else 0)


def _compatible(solver: "Solver", given: Value, wanted: Value) -> int:
    if given == wanted:
        return 8
    if given[0] in "is" and wanted[0] in "is":
        line = mro(solver, ("c", *given[1:]))
        own = ("c", *wanted[1:])
        return 7 - min(line.index(own), 6) if own in line else 0
    if given[0] == "o" and wanted[0] == "o":
        narrow, wide = _plain(given[1]), _plain(wanted[1])
        if narrow == wide:
            return 6
        return max(1, 5 - _WIDER[narrow].index(wide)) if wide in _WIDER.get(narrow, ()) else 0
    if given[0] == "f":
        return 2
    return 0


_WIDER = {
    "char": ("int", "long", "float", "double"),
    "int": ("long", "float", "double", "decimal"),
    "long": ("float", "double", "decimal"),
    "float": ("double",),
}
"""What a number is taken for where nothing takes it as it is, the nearest first."""


def _plain(name: str) -> str:
    last = name.rpartition(".")[2].lower()
    return {"integer": "int", "string": "str", "boolean": "bool", "character": "char"}.get(
        last, last
    )


def _is_known(values: Values) -> bool:
    known = ("int", "str", "bool", "char", "float", "double", "long", "string", "integer")
    return any(one[0] in "is" or (one[0] == "o" and _plain(one[1]) in known) for one in values)
