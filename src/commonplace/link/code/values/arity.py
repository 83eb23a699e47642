"""Whether a function of Python takes what a call gives: how much, and by which names."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call, Symbol
from commonplace.link.code.values.values import Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver


def taking(solver: "Solver", call: Call, values: Values) -> Values:
    """Of what a value may be, without functions that cannot take what the call gives.

    Only of functions that go by another name here: several may have been put in the same place,
    for calls of different kinds. A call by the function's own name means it, right or wrong.
    """
    callee = call.callee
    if callee[0] not in ("name", "item", "call"):
        return values
    own = callee[1] if callee[0] == "name" else None
    others: list[Value] = []
    for one in values:
        function = one[1] if one[0] == "m" else one
        if function[0] == "f" and solver.facts(function[1]).symbols[function[2]].name != own:
            others.append(one)
    if not others or _is_spread(call):
        return values
    return values.difference(one for one in others if not _takes(solver, call, one))


def _is_spread(call: Call) -> bool:
    """Whether it is not known how much a call gives."""
    for one in call.arguments:
        if one[0] == "star":
            return True
    return bool(call.keywords) and any(name == "**" for name, _ in call.keywords)


def _takes(solver: "Solver", call: Call, value: Value) -> bool:
    function = value[1] if value[0] == "m" else value
    symbol = solver.facts(function[1]).symbols[function[2]]
    # A decorator may take otherwise.
    return bool(symbol.decorators) or accepts(symbol, call, is_bound=value[0] == "m")


def accepts(symbol: Symbol, call: Call, *, is_bound: bool) -> bool:
    """Whether a function takes these arguments."""
    flavours = {one.flavour for one in symbol.parameters}
    places = [one for one in symbol.parameters if one.flavour in ("plain", "receiver")]
    places = places[1:] if is_bound else places
    given = {name for name, _ in call.keywords}
    number = len(call.arguments)
    if number > len(places) and "rest" not in flavours:
        return False
    named = {one.name for one in symbol.parameters if one.flavour in ("plain", "keyword")}
    if "named_rest" not in flavours and not given <= named:
        return False
    wanted = places[number:] + [one for one in symbol.parameters if one.flavour == "keyword"]
    return all(one.default is not None or one.name in given for one in wanted)
