"""What a call is given: values of its arguments, and strings that are written out."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.values import NONE, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver


def arguments(solver: "Solver", document_id: str, call: Call, place: int) -> Values:
    """What a call gives at a place."""
    if place >= len(call.arguments):
        return NONE
    return evaluate(solver, document_id, call.scope, call.arguments[place])


def literal(expr: Expr) -> str | None:
    """A string that is written out."""
    is_literal = expr[0] == "text" and len(expr[1]) == 1 and isinstance(expr[1][0], str)
    return str(expr[1][0]) if is_literal else None


def key_of(call: Call) -> "int | str | None":
    """The key a method is asked for, where it is written out."""
    return literal(call.arguments[0]) if call.arguments else None
