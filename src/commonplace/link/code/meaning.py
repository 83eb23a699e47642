"""What expressions of one file mean: an onlooker works each out once, as most are the same few.

Its variables need no cells: each is worked out from what is assigned to it, once. Only those that
are assigned from themselves (``query = query.filter()``) are left to the cells of the solver.
"""

from commonplace.domain.expr import Expr
from commonplace.link.code.resolve import manner
from commonplace.link.code.values.equations import given_by, variable
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.members import attribute
from commonplace.link.code.values.solver import ONLOOKER, Solver
from commonplace.link.code.values.values import MOST, NONE, TOP, UNKNOWN, Values

_BEGUN: Values = frozenset({("begun",)})
_DEEPEST = 20  # variables worked out within one another; each takes about six frames


class _Circular(Exception):
    """A variable was asked for while it is worked out."""

    def __init__(self, key: tuple[int, str]) -> None:
        super().__init__(key)
        self.key = key


class Meaning:
    """Asks a solver; what an onlooker answered is final and is answered again."""

    def __init__(self, solver: Solver, document_id: str) -> None:
        self._solver = solver
        self._document_id = document_id
        self._facts = solver.facts(document_id)
        self._scopes = solver.scopes(document_id)
        self._is_final = solver.home == ONLOOKER
        self._depth = 0
        self._names: dict[tuple[int, str], Values] = {}
        self._members: dict[tuple[Values, str], Values] = {}
        self._results: dict[int, Values] = {}
        self._manners: dict[tuple[int, str], str] = {}

    def of(self, scope: int, expr: Expr) -> Values:
        """The values an expression may have, seen from a scope."""
        kind = expr[0]
        if self._is_final:
            if kind == "name":
                return self._name(scope, expr)
            if kind == "attr":
                return self._member(self.of(scope, expr[1]), expr[2])
            if kind == "call":
                return self._given(expr[1])
            if kind == "one":
                return NONE.union(*[self.of(scope, one) for one in expr[1]])
        return evaluate(self._solver, self._document_id, scope, expr)

    def manner(self, scope: int, expr: Expr) -> str:
        """How an expression gets its meaning, in a word: as its first name does."""
        while expr[0] == "attr" or expr[0] == "generic":
            expr = expr[1]
        if expr[0] != "name":
            return manner(self._solver, self._document_id, scope, expr)
        home = self._scopes.home(self._facts, scope, expr[1])
        if home < 0:
            return "import"
        key = (home, expr[1])
        found = self._manners.get(key)
        if found is None:
            found = manner(self._solver, self._document_id, scope, expr)
            self._manners[key] = found
        return found

    def _name(self, scope: int, expr: Expr) -> Values:
        """The same in every scope that sees the same binding; onlookers have no other languages."""
        home = self._scopes.home(self._facts, scope, expr[1])
        key = (home, expr[1])
        found = self._names.get(key)
        if found is None:
            if home < 0 or self._depth >= _DEEPEST:
                found = evaluate(self._solver, self._document_id, scope, expr)
            else:
                found = self._variable(key)
            self._names[key] = found
        elif found is _BEGUN:
            raise _Circular(key)
        return found

    def _variable(self, key: tuple[int, str]) -> Values:
        self._names[key] = _BEGUN
        self._solver.note(self._document_id)
        self._depth += 1
        try:
            found = variable(self._solver, self._document_id, *key, self.of)
        except _Circular as circular:
            del self._names[key]
            if circular.key != key:
                raise
            return self._solver.get(("V", self._document_id, *key))
        finally:
            self._depth -= 1
        return UNKNOWN if len(found) > MOST or TOP in found else found

    def _member(self, values: Values, name: str) -> Values:
        key = (values, name)
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = attribute(self._solver, values, name)
        return found

    def _given(self, number: int) -> Values:
        """What a call gives back."""
        found = self._results.get(number)
        if found is None:
            call = self._facts.calls[number]
            callees = self.of(call.scope, call.callee)
            found = given_by(self._solver, self._document_id, number, callees)
            self._results[number] = found
        return found
