"""What expressions of one file mean: an onlooker works each out once, as most are the same few."""

from commonplace.domain.expr import Expr
from commonplace.link.code.equations import given_by
from commonplace.link.code.evaluate import evaluate
from commonplace.link.code.members import attribute
from commonplace.link.code.solver import ONLOOKER, Solver
from commonplace.link.code.values import Values

_KEPT = frozenset({"name", "attr", "call"})


class Meaning:
    """Asks a solver; what an onlooker answered is final and is answered again."""

    def __init__(self, solver: Solver, document_id: str) -> None:
        self._solver = solver
        self._document_id = document_id
        self._is_final = solver.home == ONLOOKER
        self._known: dict[tuple[int, Expr], Values] = {}

    def of(self, scope: int, expr: Expr) -> Values:
        """The values an expression may have, seen from a scope."""
        kind = expr[0]
        if not self._is_final or kind not in _KEPT:
            return evaluate(self._solver, self._document_id, scope, expr)
        key = (scope, expr)
        found = self._known.get(key)
        if found is None:
            if kind == "attr":
                found = attribute(self._solver, self.of(scope, expr[1]), expr[2])
            elif kind == "call":
                found = self._given(expr[1])
            else:
                found = evaluate(self._solver, self._document_id, scope, expr)
            self._known[key] = found
        return found

    def _given(self, number: int) -> Values:
        """What a call gives back."""
        call = self._solver.facts(self._document_id).calls[number]
        callees = self.of(call.scope, call.callee)
        return given_by(self._solver, self._document_id, number, callees)
