"""Types of Go that are functions: what is converted to one, and what is set from elsewhere."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.imports import definitions
from commonplace.link.code.values.values import NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

CALLED = "()"
"""The member under which a type keeps the functions that were converted to it."""


def converted(solver: "Solver", document_id: str, call: Call) -> Values:
    """What ``State(start)`` gives where the type is another name for one: what it is given."""
    if call.is_new or len(call.arguments) != 1 or not _is_type(solver, document_id, call):
        return NONE
    evaluate = solver.equations["="]
    given: Values = evaluate(solver, document_id, call.scope, call.arguments[0])
    wanted: Values = evaluate(solver, document_id, call.scope, ("typed", call.callee))
    return given | wanted


def _is_type(solver: "Solver", document_id: str, call: Call) -> bool:
    expr: Expr = call.callee
    if expr[0] == "name":
        facts = solver.facts(document_id)
        scopes = solver.scopes(document_id)
        home = scopes.home(facts, call.scope, expr[1])
        if home >= 0:
            return any(
                one.how == "type"
                or (one.how == "symbol" and facts.symbols[one.number].kind == "Type")
                for one in scopes.bound[home][expr[1]]
            )
        space: str | None = solver.modules.space(solver.unit(document_id))
        return _names_type(solver, space, expr[1])
    if expr[0] != "attr":
        return False
    packages = solver.equations["="](solver, document_id, call.scope, expr[1])
    spaces = [
        solver.modules.go.meant(solver.unit(one[2]), one[1]) for one in packages if one[0] == "q"
    ]
    return any(_names_type(solver, space, expr[2]) for space in spaces)


def _names_type(solver: "Solver", space: str | None, name: str) -> bool:
    solver.note(f"name:{name}")
    places = definitions(solver.program).get(space or "", {}).get(name, ())
    return any(is_type for _, is_type in places)


def set_elsewhere(solver: "Solver", document_id: str, name: str, values: Values) -> None:
    """A variable of the package that stands in another file is set."""
    solver.note(f"name:{name}")
    space = solver.modules.space(solver.unit(document_id))
    for place, _ in definitions(solver.program).get(space, {}).get(name, ()):
        solver.add(("V", place.document_id, 0, name), values)


def embedded(solver: "Solver", cls: Value, members: Values) -> Values:
    """What was put into the fields whose interfaces name these methods: there they are written."""
    found: Values = NONE
    for one in members:
        if one[0] == "f":
            symbols = solver.facts(one[1]).symbols
            owner = symbols[one[2]].parent
            if symbols[owner].kind == "Interface" and (one[1], owner) != cls[1:3]:
                found |= solver.get(("B", cls[1], cls[2], symbols[owner].name))
    return found
