"""Functions that ``operator`` makes of a name: ``methodcaller``, ``attrgetter``, ``itemgetter``."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.link.code.values.containers import element
from commonplace.link.code.values.invoke import returned
from commonplace.link.code.values.members import attribute, is_read
from commonplace.link.code.values.values import NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

GETTERS = {
    "operator.methodcaller": "method",
    "operator.attrgetter": "member",
    "operator.itemgetter": "element",
}
"""What each asks an object for."""


def run_by(solver: "Solver", getter: Value, objects: Values) -> Iterator[Value]:
    """The methods and properties that asking these objects runs."""
    _, kind, name = getter
    if kind == "method":
        yield from (one for one in attribute(solver, objects, name) if one[0] in "fm")
    elif kind == "member":
        for owner in objects:
            for one in solver.get(("A", owner[1], owner[2], name)) if owner[0] in "is" else ():
                if one[0] == "f":
                    symbol = solver.facts(one[1]).symbols[one[2]]
                    if is_read(symbol.kind, symbol.modifiers):
                        yield ("m", one, owner)


def got(solver: "Solver", getter: Value, objects: Values) -> Values:
    """What asking these objects gives."""
    _, kind, name = getter
    if kind == "element":
        return element(solver, objects, name)
    found = attribute(solver, objects, name)
    if kind == "member":
        return found
    return NONE.union(*(returned(solver, one[1], one[2]) for one in found if one[0] == "m"))
