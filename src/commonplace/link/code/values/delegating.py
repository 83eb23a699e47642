"""Objects of Python that answer for members of another: ``__getattr__`` that asks ``getattr``."""

from typing import TYPE_CHECKING

from commonplace.link.code.values.values import NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_GETATTR = ("name", "getattr")


def delegated(solver: "Solver", getters: Values, name: str) -> Values:
    """``def __getattr__(self, name): return getattr(self.inner, name)``: a member of another."""
    found: Values = NONE
    for one in getters:
        asking = (*one[1:3], name)
        # A getter that needs a member nobody defines asks itself for it, or another that asks it.
        if one[0] != "f" or asking in solver.delegating:
            continue
        solver.delegating.add(asking)
        try:
            found |= _of_getter(solver, one, name)
        finally:
            solver.delegating.discard(asking)
    return found


def _of_getter(solver: "Solver", getter: Value, name: str) -> Values:
    """What one such function gives under a name."""
    found: Values = NONE
    solver.note(getter[1])
    facts = solver.facts(getter[1])
    asked = ("name", facts.symbols[getter[2]].parameters[-1].name)
    for flow in solver.scopes(getter[1]).results.get(getter[2], ()):
        given = facts.flows[flow].value
        call = facts.calls[given[1]] if given[0] == "call" else None
        if call is not None and call.callee == _GETATTR and call.arguments[1:2] == (asked,):
            owners = solver.equations["="](solver, getter[1], getter[2], call.arguments[0])
            found |= solver.equations["attribute"](solver, owners, name)
    return found
