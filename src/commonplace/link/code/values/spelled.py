"""Names that are put together while a program runs: what is written of them.

``getattr(self, f"visit_{kind}")`` says how the name begins; ``for name in ("read", "write")`` says
which names there are.
"""

from typing import TYPE_CHECKING, NamedTuple

from commonplace.domain.expr import Expr

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_DEEPEST = 6
_SAME = frozenset({"strip", "format", "replace", "removesuffix", "rstrip", "title", "capitalize"})
_CASES = {"lower": str.lower, "upper": str.upper, "casefold": str.casefold}


class Spelled(NamedTuple):
    """What is known of a string."""

    whole: frozenset[str] = frozenset()
    """All it may be, where that is written out."""
    beginnings: frozenset[str] = frozenset()
    """How it begins, where only that is."""


_NOTHING = Spelled()


def spelled(
    solver: "Solver", document_id: str, scope: int, expr: Expr, depth: int = _DEEPEST
) -> Spelled:
    """What an expression says of the string it gives."""
    kind = expr[0]
    if not depth or kind not in _READERS:
        return _NOTHING
    return _READERS[kind](solver, document_id, scope, expr, depth - 1)


def _text(solver: "Solver", document_id: str, scope: int, expr: Expr, depth: int) -> Spelled:
    parts = expr[1]
    if not parts:
        return _NOTHING
    if isinstance(parts[0], tuple):  # a string within a string
        inner = spelled(solver, document_id, scope, parts[0], depth)
        return inner if len(parts) == 1 else Spelled(beginnings=inner.whole | inner.beginnings)
    one = frozenset({str(parts[0])})
    return Spelled(whole=one) if len(parts) == 1 else Spelled(beginnings=one)


def _one(solver: "Solver", document_id: str, scope: int, expr: Expr, depth: int) -> Spelled:
    found = [spelled(solver, document_id, scope, one, depth) for one in expr[1]]
    return _together(found)


def _together(found: list[Spelled]) -> Spelled:
    return Spelled(
        frozenset().union(*(one.whole for one in found)),
        frozenset().union(*(one.beginnings for one in found)),
    )


def _name(solver: "Solver", document_id: str, scope: int, expr: Expr, depth: int) -> Spelled:
    facts, scopes = solver.facts(document_id), solver.scopes(document_id)
    home = scopes.home(facts, scope, expr[1])
    if home < 0:
        return _NOTHING
    found = []
    for how, number, path in scopes.bound[home][expr[1]]:
        if how == "flow" and not path:
            flow = facts.flows[number]
            found.append(spelled(solver, document_id, flow.scope, flow.value, depth))
    return _together(found)


def _each(solver: "Solver", document_id: str, scope: int, expr: Expr, depth: int) -> Spelled:
    """Of a loop over names that are written out."""
    members = expr[1]
    if members[0] == "name":
        facts, scopes = solver.facts(document_id), solver.scopes(document_id)
        home = scopes.home(facts, scope, members[1])
        binders = scopes.bound[home][members[1]] if home >= 0 else ()
        flows = [one.number for one in binders if one.how == "flow" and not one.path]
        members = facts.flows[flows[0]].value if len(flows) == 1 else members
    if members[0] != "seq":
        return _NOTHING
    return _one(solver, document_id, scope, ("one", members[2]), depth)


def _call(solver: "Solver", document_id: str, scope: int, expr: Expr, depth: int) -> Spelled:
    """A method of a string that leaves its beginning as it is, or in another case."""
    callee = solver.facts(document_id).calls[expr[1]].callee
    if callee[0] != "attr" or (callee[2] not in _SAME and callee[2] not in _CASES):
        return _NOTHING
    found = spelled(solver, document_id, scope, callee[1], depth)
    change = _CASES.get(callee[2])
    if change is None:
        return Spelled(beginnings=found.beginnings)
    return Spelled(*(frozenset(change(one) for one in each) for each in found))


_READERS = {"text": _text, "one": _one, "name": _name, "each": _each, "call": _call}
