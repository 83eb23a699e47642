"""What an expression of a file means: the question other passes ask."""

from typing import Literal, NamedTuple

from commonplace.domain.expr import THIS, Expr
from commonplace.link.code.program import Place, Program
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.solver import Solver
from commonplace.link.code.values.solving import inside
from commonplace.link.code.values.values import Value, place_of

Role = Literal["symbol", "instance", "external", "made"]


class Target(NamedTuple):
    """One thing an expression may mean."""

    role: Role
    """symbol: the definition itself (function, class, module); instance: some object of the class
    at ``place``; external: a library's thing; made: what a library's thing gave back."""
    place: Place | None
    name: str
    """Of a library's thing its dotted name, else empty."""
    confidence: float
    how: str


def resolve(program: Program, document_id: str, scope: int, expr: Expr) -> tuple[Target, ...]:
    """All an expression may mean, seen from a scope of a file; the surest first.

    A method bound to an object is the method's symbol. An empty answer means: not known.
    """
    solver = inside(program, document_id)
    values = evaluate(solver, document_id, scope, expr)
    solver.drain()
    how = manner(solver, document_id, scope, expr)
    confidence = sureness(how, len(values))
    found = {target for one in values if (target := _target(one, confidence, how))}
    return tuple(
        sorted(found, key=lambda one: (-one.confidence, one.role, one[1] or ("", 0), one[2]))
    )


def _target(value: Value, confidence: float, how: str) -> Target | None:
    tag = value[0]
    if tag == "G":
        return _target(value[1], confidence, how)
    if tag == "x":
        return Target("external", None, value[1], confidence, how)
    if tag == "o":
        return Target("made", None, value[1], min(confidence, 0.8), how)
    place = place_of(value)
    if place is None:
        return None
    return Target("instance" if tag in "is" else "symbol", place, "", confidence, how)


def manner(solver: Solver, document_id: str, scope: int, expr: Expr) -> str:
    """How an expression gets its meaning, in a word."""
    kind = expr[0]
    if kind == "name":
        return _name_manner(solver, document_id, scope, expr[1])
    if kind == "attr":
        base = manner(solver, document_id, scope, expr[1])
        return {"scope": "scope", "import": "import"}.get(base, base)
    if kind in ("self", "super"):
        return "self" if kind == "self" else "mro"
    if kind == "generic":
        return manner(solver, document_id, scope, expr[1])
    if kind == "typed":
        return "type"
    if kind == "call":
        return _call_manner(solver, document_id, expr[1])
    return "scope" if kind == "made" else "flow"


def _name_manner(solver: Solver, document_id: str, scope: int, name: str) -> str:
    facts = solver.facts(document_id)
    scopes = solver.scopes(document_id)
    home = scopes.home(facts, scope, name)
    if home < 0:
        return "import"
    binders = scopes.bound[home][name]
    hows = {one.how for one in binders}
    if hows == {"parameter"}:
        parameter = facts.symbols[home].parameters[binders[0].number]
        if parameter.flavour == "receiver":
            return "self"
        return "flow" if parameter.type is None else "type"
    if hows == {"import"}:
        return "import"
    if hows == {"symbol"}:
        symbol = facts.symbols[binders[0].number]
        return "type" if symbol.type is not None and symbol.value is None else "scope"
    return _flow_manner(solver, document_id, [one.number for one in binders if one.how == "flow"])


def _flow_manner(solver: Solver, document_id: str, flows: list[int]) -> str:
    facts = solver.facts(document_id)
    values = [facts.flows[number].value for number in flows]
    if len(flows) == 1 and facts.flows[flows[0]].target == THIS:
        return manner(solver, document_id, facts.flows[flows[0]].scope, values[0])
    if any(one[0] in ("typed", "narrow") for one in values):
        return "type"
    if len(values) == 1 and values[0][0] == "call":
        return _call_manner(solver, document_id, values[0][1])
    if len(values) == 1 and values[0][0] == "made":
        return "scope"
    return "flow"


def _call_manner(solver: Solver, document_id: str, number: int) -> str:
    """What a call gives: an object of the class that is called, or whatever comes back."""
    callees = solver.get(("C", document_id, number))
    return "constructor" if callees and all(one[0] in "ckG" for one in callees) else "result"


_SURE = {
    "scope": 1.0,
    "import": 1.0,
    "self": 0.95,
    "mro": 0.95,
    "constructor": 0.95,
    "type": 0.9,
    "result": 0.85,
    "flow": 0.85,
}


def sureness(how: str, options: int, least: float = 0.35) -> float:
    """How sure a meaning is, found in this way, one of so many; ``least`` however many."""
    known = _SURE.get(how, 0.8)
    return known if options <= 1 else round(max(least, known / options**0.5), 2)
