"""Statements that are prepared in one place and run in others: edges are of those who run them."""

from collections.abc import Iterator

from commonplace.domain.code import Call, Facts
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Sight
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import owner, peeled

PREPARING = frozenset(
    {"prepare", "prepareStatement", "Prepare", "PrepareContext", "Preparex", "withTableName"}
    | {"withProcedureName", "withFunctionName"}
)
_ONCE = frozenset({"Constructor", "Module", "File", "Class"})
_CONSTRUCTORS = frozenset({"__init__", "constructor"})


def runs(sight: Sight, number: int, call: Call) -> list[Call]:
    """The calls that run what a module or a constructor prepared; empty when there are none."""
    facts = sight.unit.facts
    around = facts.symbols[owner(facts, call.scope)]
    is_made_once = around.kind in _ONCE or around.name in _CONSTRUCTORS
    return list(_runs(sight, ("call", number))) if is_made_once else []


def _begins(facts: Facts, expr: Expr, made: Expr) -> bool:
    """Whether a chain of calls begins with one, or is it."""
    expr = peeled(expr)
    while expr[0] == "call" and expr != made:
        callee = peeled(facts.calls[expr[1]].callee)
        expr = peeled(callee[1]) if callee[0] == "attr" else callee
    return expr == made


def _runs(sight: Sight, made: Expr) -> Iterator[Call]:
    facts = sight.unit.facts
    kept = {
        Place(sight.unit.document_id, number)
        for number, symbol in enumerate(facts.symbols)
        if symbol.value is not None and _begins(facts, symbol.value, made)
    }
    fields = {
        (sight.look.enclosing(sight.unit, flow.scope), flow.target[2])
        for flow in facts.flows
        if _begins(facts, flow.value, made)
        and flow.target[0] == "attr"
        and sight.look.is_self(sight.unit, flow.scope, flow.target[1])
    }
    names = {facts.symbols[one.number].name for one in kept}
    for call in facts.calls if kept or fields else ():
        base: Expr = peeled(call.callee)[1] if peeled(call.callee)[0] == "attr" else ("",)
        if base[0] == "name" and base[1] in names:
            meant = set(sight.look.places(sight.unit, call.scope, base))
            if kept & meant and not _is_given(facts, call.scope, base[1]):
                yield call
        elif base[0] in ("attr", "name"):
            own = sight.look.enclosing(sight.unit, call.scope)
            is_own = base[0] == "name" or sight.look.is_self(sight.unit, call.scope, base[1])
            if is_own and (own, base[-1]) in fields:
                yield call


def _is_given(facts: Facts, scope: int, name: str) -> bool:
    """Whether a name is a parameter there."""
    while scope:
        if any(one.name == name for one in facts.symbols[scope].parameters):
            return True
        scope = facts.symbols[scope].parent
    return False
