"""How likely each of many options is: what a call may mean where several definitions flow to it."""

from collections.abc import Collection

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.modules import PYTHON
from commonplace.link.code.names.scopes import Binder
from commonplace.link.code.values.solver import Solver
from commonplace.link.code.values.values import Value, place_of

_LIKELY = 0.35
_UNLIKELY = 0.1
_MOST_MADE = 4


def least(solver: Solver, document_id: str, call: Call, options: set[Value]) -> float:
    """Many options are still likely as methods of one name, or as what a function was given.

    Or where a loop goes through them all, or a table is asked for one of them. Not as what was
    once put into the same list: there most of them are meant for others.
    """
    callee = call.callee
    is_method = callee[0] == "attr" and all(_is_named(solver, one, callee[2]) for one in options)
    if len(options) < 3 or is_method:
        return _LIKELY
    if callee[0] == "name":
        scopes = solver.scopes(document_id)
        home = scopes.home(solver.facts(document_id), call.scope, callee[1])
        if home >= 0 and _is_any(solver, document_id, scopes.bound[home][callee[1]][0]):
            return _LIKELY
    return _LIKELY if _is_asked(solver, document_id, callee) else _UNLIKELY


def _is_named(solver: Solver, value: Value, name: str) -> bool:
    place = place_of(value)
    return place is not None and solver.facts(place[0]).symbols[place[1]].name == name


def _is_any(solver: Solver, document_id: str, binder: Binder) -> bool:
    """Whether a name stands for one after the other: of what is given, of a loop, of a table."""
    if binder.how != "flow":
        return binder.how == "parameter"
    value = solver.facts(document_id).flows[binder.number].value
    return value[0] == "each" or _is_asked(solver, document_id, value)


def _is_asked(solver: Solver, document_id: str, expr: Expr) -> bool:
    """Whether it is what a table has under a key: ``TABLE[kind]``, ``TABLE.get(kind)``."""
    facts = solver.facts(document_id)
    if facts.language != PYTHON:
        return False
    if expr[0] == "call":
        callee = facts.calls[expr[1]].callee
        return bool(callee[0] == "attr" and callee[2] == "get")
    return bool(expr[0] == "item")


def is_idle(family: Collection[Value], made: frozenset[Value]) -> bool:
    """Whether most classes of a family are made by nobody here: they are there for others.

    As the fields of a library for schemas are: it makes two or three of them itself.
    """
    idle = len(family) - len(made.intersection(family))
    return idle > _MOST_MADE and idle * 2 > len(family)
