"""Whether a declared type stands behind a value, or only the places where objects are made.

An object that was made is of its class; one that is declared may be of any class below.
"""

from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr
from commonplace.link.code.names.hierarchy import mro
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.values import Value

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_DEEPEST = 6  # names behind names; what is further away may be declared
_INNER = frozenset({"each", "item", "tail", "wait", "enter", "star"})


def is_declared(
    solver: "Solver", document_id: str, scope: int, expr: Expr, depth: int = _DEEPEST
) -> bool:
    """Whether a type that is written says of an expression what it is."""
    solver.note(document_id)
    kind = expr[0]
    if not depth or kind in ("typed", "narrow"):
        return True
    if kind in _INNER:
        return is_declared(solver, document_id, scope, expr[1], depth)
    if kind == "one" or kind == "seq":
        options = expr[1] if kind == "one" else expr[2]
        return any(is_declared(solver, document_id, scope, one, depth - 1) for one in options)
    if kind == "name":
        return _name(solver, document_id, scope, expr[1], depth)
    if kind == "attr":
        owners = evaluate(solver, document_id, scope, expr[1])
        return any(_member(solver, one, expr[2], depth) for one in owners)
    return kind == "call" and _result(solver, document_id, expr[1], depth)


def _name(solver: "Solver", document_id: str, scope: int, name: str, depth: int) -> bool:
    facts = solver.facts(document_id)
    scopes = solver.scopes(document_id)
    home = scopes.home(facts, scope, name)
    for how, number, _path in scopes.bound[home][name] if home >= 0 else ():
        if how == "flow":
            flow = facts.flows[number]
            if is_declared(solver, document_id, flow.scope, flow.value, depth - 1):
                return True
        elif how == "parameter":
            if facts.symbols[home].parameters[number].type is not None:
                return True
        elif how == "symbol" and _symbol(solver, document_id, number, depth):
            return True
    return False


def _symbol(solver: "Solver", document_id: str, number: int, depth: int) -> bool:
    solver.note(document_id)
    symbol = solver.facts(document_id).symbols[number]
    if symbol.type is not None:
        return True
    if symbol.value is None:
        return False
    return is_declared(solver, document_id, symbol.parent, symbol.value, depth - 1)


def _member(solver: "Solver", owner: Value, name: str, depth: int) -> bool:
    """A field with a type, or one that is set to what has one; also what a property gives."""
    owner = owner[1] if owner[0] == "G" else owner
    if owner[0] not in "isck":
        return owner[0] not in "ulf"
    for cls in mro(solver, ("c", owner[1], owner[2])):
        if cls[0] != "c":
            continue
        facts, scopes = solver.facts(cls[1]), solver.scopes(cls[1])
        for binder in scopes.bound[cls[2]].get(name, ()):
            if binder.how == "symbol" and _symbol(solver, cls[1], binder.number, depth):
                return True
        for write in scopes.own.get(cls[2], {}).get(name, ()):
            flow = facts.flows[write.flow]
            if is_declared(solver, cls[1], flow.scope, flow.value, depth - 1):
                return True
    return False


def _result(solver: "Solver", document_id: str, number: int, depth: int) -> bool:
    for callee in solver.get(("C", document_id, number)):
        function = callee[1] if callee[0] in "mG" else callee
        if function[0] != "f":
            if function[0] not in "ck":
                return True
            continue
        solver.note(function[1])
        facts, scopes = solver.facts(function[1]), solver.scopes(function[1])
        if facts.symbols[function[2]].type is not None:
            return True
        for flow in scopes.results.get(function[2], ()):
            value = facts.flows[flow].value
            if is_declared(solver, function[1], function[2], value, depth - 1):
                return True
    return False
