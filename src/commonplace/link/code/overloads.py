"""Which of several methods of one name a call means: by how many arguments, then by their types."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from commonplace.domain.code import Call, Parameter
from commonplace.link.code.declared import declared
from commonplace.link.code.hierarchy import mro
from commonplace.link.code.invoke import initializers
from commonplace.link.code.scopes import CLASSES, FUNCTIONS
from commonplace.link.code.values import Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.solver import Solver


_NEAR = 10
"""A call of a name within a function of that name mostly means another of its overloads: those stay
too that an argument does not contradict, which would be 16 less."""


def fitting(solver: "Solver", document_id: str, number: int, values: Values) -> Values:
    """Of functions a call may mean those its arguments choose among the overloads of each.

    Each is judged for itself, by what is declared: what is found later changes nothing of it.
    """
    return frozenset(one for one in values if _is_meant(solver, document_id, number, one))


def _is_meant(solver: "Solver", document_id: str, number: int, value: Value) -> bool:
    function = _function(value)
    if function is None:
        return True
    others = overloads(solver, value, function)
    if len(others) < 2:
        return True
    call = solver.facts(document_id).calls[number]
    is_bound = value[0] == "m" or value[1][0] == "m"
    taking = _taking(solver, call, others, is_bound)
    if function not in taking or len(taking) < 2 or solver.is_plain:
        return function in taking
    key = ("fitting", document_id, is_bound, number, taking)
    best: tuple[Value, ...] = solver.fixed(key, lambda: _best(solver, key, call), taking)
    return function in best


def overloads(solver: "Solver", value: Value, function: Value) -> tuple[Value, ...]:
    """A function and those of its name in the classes it is looked up in."""
    symbols = solver.facts(function[1]).symbols
    symbol = symbols[function[2]]
    if "anonymous" in symbol.modifiers or symbols[symbol.parent].kind not in CLASSES:
        return (function,)
    own = ("c", function[1], symbol.parent)
    if symbol.kind == "Constructor":
        return tuple(sorted(initializers(solver, own)))
    receiver = value[2] if value[0] == "m" else own
    if receiver[0] == "G":
        receiver = receiver[1]
    cls = ("c", *receiver[1:3]) if receiver[0] in "iskc" else own
    found = _named(solver, cls, symbol.name)
    return found if function in found else _named(solver, own, symbol.name)  # an extension


def _named(solver: "Solver", cls: Value, name: str) -> tuple[Value, ...]:
    """Functions of a name in a class and above it; of one number of parameters the nearest."""
    key = ("overloads", cls[1], cls[2], name)
    found: tuple[Value, ...] = solver.fixed(key, lambda: tuple(_listed(solver, cls, name)), ())
    return found


def _listed(solver: "Solver", cls: Value, name: str) -> Iterator[Value]:
    arities: set[int] = set()
    for one in mro(solver, cls):
        if one[0] == "c":
            symbols = solver.facts(one[1]).symbols
            binders = solver.scopes(one[1]).bound[one[2]].get(name, ())
            numbers = [one.number for one in binders if one.how == "symbol"]
            here = [each for each in numbers if symbols[each].kind in FUNCTIONS]
            new = [each for each in here if len(symbols[each].parameters) not in arities]
            yield from (("f", one[1], each) for each in new)
            arities |= {len(symbols[each].parameters) for each in here}


def _taking(
    solver: "Solver", call: Call, functions: tuple[Value, ...], is_bound: bool
) -> tuple[Value, ...]:
    """Those that take so many arguments; all when none seems to."""
    count = len(call.arguments)
    taking = (one for one in functions if takes(_parameters(solver, one, is_bound), count))
    return tuple(taking) or functions


def _parameters(solver: "Solver", function: Value, is_bound: bool) -> list[Parameter]:
    """What arguments go to: of an extension called as a function, what it extends too (C#)."""
    symbol = solver.facts(function[1]).symbols[function[2]]
    is_first = "extension" in symbol.modifiers and not is_bound
    flavours = (
        ("plain", "rest", "keyword", "receiver") if is_first else ("plain", "rest", "keyword")
    )
    return [one for one in symbol.parameters if one.flavour in flavours]


def _best(solver: "Solver", key: tuple[Any, ...], call: Call) -> tuple[Value, ...]:
    """Those whose types fit best what the arguments are as far as no overload decides it."""
    _, document_id, is_bound, _, functions = key
    scores = _scores(solver, (document_id, call), functions, is_bound)
    best = max(scores)
    own = ("f", document_id, call.scope)
    if own in functions and scores[functions.index(own)] == best:
        best -= _NEAR
    return tuple(one for one, score in zip(functions, scores, strict=True) if score >= best)


def _scores(
    solver: "Solver", place: tuple[str, Call], functions: tuple[Value, ...], is_bound: bool
) -> list[int]:
    listed = [(one, _parameters(solver, one, is_bound)) for one in functions]
    found: list[int] = solver.plainly(lambda plain: [_score(plain, *place, *one) for one in listed])
    return found


def made_by(solver: "Solver", document_id: str, call: Call, constructors: Values) -> Values:
    """Those of the constructors of a class that take these arguments; all when none seems to."""
    listed = _taking(solver, call, tuple(sorted(constructors)), True)
    scores = _scores(solver, (document_id, call), listed, True) if len(listed) > 1 else [0]
    best = max(scores)
    return frozenset(one for one, score in zip(listed, scores, strict=True) if score == best)


def _function(value: Value) -> Value | None:
    if value[0] in "mG":
        return _function(value[1])
    return value if value[0] == "f" else None


def takes(parameters: list[Parameter], count: int) -> bool:
    """Whether a function with these parameters can be called with so many arguments."""
    plain = [one for one in parameters if one.flavour != "rest"]
    needed = sum(one.default is None for one in plain)
    return needed <= count and (len(plain) < len(parameters) or count <= len(plain))


def _score(
    solver: "Solver", document_id: str, call: Call, function: Value, parameters: list[Parameter]
) -> int:
    total = 0 if any(one.flavour == "rest" for one in parameters) else 1
    for argument, parameter in zip(call.arguments, parameters, strict=False):
        evaluate = solver.equations["="]
        given: Values = evaluate(solver, document_id, call.scope, argument)
        fit = _fit(solver, given, function, parameter)
        # That something extends what nobody knows is no better than that it takes any number.
        total += fit if fit or parameter.flavour != "receiver" else -1
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
