"""What an expression may stand for, by the names, members and calls it is made of."""

import builtins
from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr
from commonplace.link.code.names.declared import bound_of, declared
from commonplace.link.code.names.hierarchy import free_types, mro, of_arity, static
from commonplace.link.code.names.imports import starred
from commonplace.link.code.names.inherited import binds
from commonplace.link.code.names.modules import PYTHON
from commonplace.link.code.names.scopes import (
    CLASSES,
    FUNCTIONS,
    MEMBERS_IN_SCOPE,
    Path,
    enclosing_class,
)
from commonplace.link.code.values.containers import element, elements, exported, remember
from commonplace.link.code.values.invoke import returned
from commonplace.link.code.values.members import attribute, follow
from commonplace.link.code.values.values import NONE, UNKNOWN, Value, Values, ordered, words

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

BUILTINS = frozenset(dir(builtins)) | {"reveal_type", "unicode", "basestring", "xrange", "long"}
# Functions whose ``this`` is that of what is around them, or most likely is.
_OF_WHAT_IS_AROUND = frozenset({"anonymous", "arrow"})
_AWAITED = frozenset({"Promise", "Awaitable", "Coroutine", "Task", "Future", "ValueTask"})


def evaluate(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    """The values an expression may have, seen from a scope."""
    evaluator = _EVALUATORS.get(expr[0])
    return NONE if evaluator is None else evaluator(solver, document_id, scope, expr)


def _name(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    name = expr[1]
    facts = solver.facts(document_id)
    home = solver.scopes(document_id).home(facts, scope, name)
    if home >= 0:
        if home and facts.language in MEMBERS_IN_SCOPE and facts.symbols[home].kind in CLASSES:
            return attribute(solver, frozenset({("s", document_id, home)}), name)
        return solver.get(("V", document_id, home, name))
    if facts.language in MEMBERS_IN_SCOPE:
        owner = _inherited(solver, document_id, scope, name)
        if owner is not None:
            return attribute(solver, frozenset({owner}), name)
    return _free(solver, document_id, scope, name)


def _free(solver: "Solver", document_id: str, scope: int, name: str) -> Values:
    """A name this file does not bind: of an import of everything, a package, the language."""
    facts = solver.facts(document_id)
    if facts.language not in MEMBERS_IN_SCOPE and facts.language != "go":
        references = [
            one
            for numbers in solver.scopes(document_id).stars.values()
            for number in numbers
            for one in starred(
                solver, document_id, facts.imports[number], name, frozenset({document_id})
            )
        ]
        if references:
            return NONE.union(*(follow(solver, one) for one in references))
        if facts.language == PYTHON:
            return frozenset({("x", f"builtins.{name}")}) if name in BUILTINS else NONE
        return frozenset({("x", name)}) if name in GLOBALS else NONE
    named = free_types(solver, document_id, scope, name)
    if not named and facts.language in MEMBERS_IN_SCOPE and name[:1].isupper():
        return frozenset({("x", name)})  # a type by its name, and none of the program
    found = NONE
    for one in named:
        found |= solver.get(("N", one[1], one[2])) if one[0] == "f" else frozenset({one})
    return found


def _inherited(solver: "Solver", document_id: str, scope: int, name: str) -> Value | None:
    """The object around whose superclass has a member of this name."""
    symbols = solver.facts(document_id).symbols
    here = scope
    while here:
        if symbols[here].kind in CLASSES and binds(solver, ("c", document_id, here), name):
            return ("s", document_id, here)
        here = symbols[here].parent
    return None


def made_by_name(
    solver: "Solver", document_id: str, scope: int, expr: Expr, arguments: int = 0
) -> Values:
    """What ``new`` makes: names are types there, whatever fields are called the same."""
    kind = expr[0]
    if kind in ("name", "attr"):
        named = of_arity(solver, static(solver, document_id, scope, expr), arguments)
        found = frozenset(one for one in named if one[0] in "cx")
        if found or kind == "attr":
            return found
        return frozenset({("x", expr[1])})
    if kind == "generic":
        given = tuple(ordered(declared(solver, document_id, scope, each)) for each in expr[2])
        inner = made_by_name(solver, document_id, scope, expr[1], len(expr[2]))
        return frozenset(("G", one, given) for one in inner)
    return evaluate(solver, document_id, scope, expr)


def _attr(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    return attribute(solver, evaluate(solver, document_id, scope, expr[1]), expr[2])


def _item(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    values = evaluate(solver, document_id, scope, expr[1])
    found = element(solver, values, expr[2])
    if expr[2] is None and expr[1][0] == "name":
        for one in values:
            if one[0] == "u" and _is_imported(solver, document_id, scope, expr[1][1]):
                found |= exported(solver, one[1])
    return found


def _is_imported(solver: "Solver", document_id: str, scope: int, name: str) -> bool:
    scopes = solver.scopes(document_id)
    home = scopes.home(solver.facts(document_id), scope, name)
    return home >= 0 and all(one.how == "import" for one in scopes.bound[home][name])


def _begins(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    """A member by how its name begins; of what has no class, any."""
    found: Values = NONE
    for one in evaluate(solver, document_id, scope, expr[1]):
        is_object = one[0] in "is"
        found |= {("w", one, expr[2])} if is_object else element(solver, frozenset({one}), None)
    return found


def _call(solver: "Solver", document_id: str, _scope: int, expr: Expr) -> Values:
    return solver.get(("K", document_id, expr[1]))


def _made(solver: "Solver", document_id: str, _scope: int, expr: Expr) -> Values:
    return solver.get(("N", document_id, expr[1]))


def _one(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    return NONE.union(*(evaluate(solver, document_id, scope, one) for one in expr[1]))


def _container(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    return remember(solver, document_id, scope, expr)


def _text(_solver: "Solver", _document_id: str, _scope: int, _expr: Expr) -> Values:
    return frozenset({("o", "str")})


def _value(_solver: "Solver", _document_id: str, _scope: int, expr: Expr) -> Values:
    return NONE if expr[1] in ("none", "unknown", "") else frozenset({("o", expr[1])})


def _each(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    return elements(solver, evaluate(solver, document_id, scope, expr[1]))


def _tail(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    return tail(evaluate(solver, document_id, scope, expr[1]), expr[2])


def _spread(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    return evaluate(solver, document_id, scope, expr[1])


def _wait(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    found: Values = NONE
    for one in evaluate(solver, document_id, scope, expr[1]):
        is_wrapper = one[0] == "G" and one[1][0] == "o"
        if is_wrapper and one[1][1].rpartition(".")[2] in _AWAITED and one[2]:
            found |= _fulfilled(solver, frozenset(one[2][-1]))
        else:
            found |= _fulfilled(solver, frozenset({one}))
    return found


def _fulfilled(solver: "Solver", values: Values) -> Values:
    """What promises are fulfilled with; other values are what they are."""
    found = values
    for one in values:
        if one[0] == "l" and isinstance(one[2], tuple) and one[2][0] == "promise":
            found = (found - {one}) | elements(solver, frozenset({one}))
    return found


def _enter(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    found: Values = NONE
    for one in evaluate(solver, document_id, scope, expr[1]):
        if one[0] == "g":
            found |= solver.get(("Y", one[1], one[2]))
        elif one[0] in "is":
            for name in ("__enter__", "__aenter__"):
                for function in solver.get(("A", one[1], one[2], name)):
                    found |= returned(solver, function, one)
        else:
            found |= {one}
    return found


def _self(solver: "Solver", document_id: str, scope: int, _expr: Expr) -> Values:
    """The object around: of the method, or of the function that is not an arrow."""
    symbols = solver.facts(document_id).symbols
    here = scope
    while here:
        symbol = symbols[here]
        if symbol.kind in CLASSES:
            return frozenset({("s", document_id, here)})
        if symbol.kind in FUNCTIONS and symbol.modifiers.isdisjoint(_OF_WHAT_IS_AROUND):
            return solver.get(("P", document_id, here, -1))
        here = symbol.parent
    return NONE


def _super(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    """The object around seen as its superclass, or as that of a class that is named."""
    symbols = solver.facts(document_id).symbols
    owner = enclosing_class(symbols, scope)
    if owner is None:
        return NONE
    here = scope
    while symbols[here].parent != owner and here:
        here = symbols[here].parent
    parameters = symbols[here].parameters
    if parameters and parameters[0].flavour == "receiver":
        receivers = solver.get(("P", document_id, here, 0))
    elif "static" in symbols[here].modifiers:
        receivers = frozenset({("k", document_id, owner)})
    else:
        receivers = frozenset({("s", document_id, owner)})
    seen = (document_id, owner)
    if len(expr) > 1:
        named = sorted(static(solver, document_id, scope, expr[1]))
        seen = next((one[1:3] for one in named if one[0] == "c"), seen)
    return frozenset(("S", *seen, one) for one in receivers or {("s", document_id, owner)})


def _typed(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    if expr[1][0] == "generic" and solver.facts(document_id).language == "go":
        made = ("l", document_id, ("typed", solver.number(expr)))  # ``make(map[string]func())``
        return declared(solver, document_id, scope, expr[1]) | {made}
    return with_bounds(solver, declared(solver, document_id, scope, expr[1]))


def _narrow(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    """Of what a value may be, what is of one of some classes; and an object of each of them."""
    wanted = NONE.union(*(declared(solver, document_id, scope, one) for one in expr[2]))
    values = evaluate(solver, document_id, scope, expr[1])
    classes = {("c", one[1], one[2]) for one in wanted if one[0] == "i"}
    if not classes or any(one[0] not in "i" or _is_open(solver, one) for one in wanted):
        return values | wanted
    plain = ((one, one[1] if one[0] == "G" else one) for one in values)
    return wanted.union(
        one
        for one, base in plain
        if base[0] in "is" and not classes.isdisjoint(mro(solver, ("c", base[1], base[2])))
    )


def _is_open(solver: "Solver", value: Value) -> bool:
    """Whether anything with the right members is of a type."""
    return solver.facts(value[1]).symbols[value[2]].kind == "Interface"


def with_bounds(solver: "Solver", values: Values) -> Values:
    """Type parameters and what is known of them."""
    for one in values:
        if one[0] == "t":
            return values.union(*(bound_of(solver, each) for each in values if each[0] == "t"))
    return values


def _generic(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    """A class with type arguments, or a function of which they say nothing here."""
    given = None
    found: set[Value] = set()
    is_go = solver.facts(document_id).language == "go"
    for one in evaluate(solver, document_id, scope, expr[1]):
        if one[0] in "cxfm":
            if given is None:
                given = tuple(
                    ordered(declared(solver, document_id, scope, each)) for each in expr[2]
                )
            found.add(("G", one, given))
        elif one[0] in "lG" and is_go:  # ``table[key](x)`` looks like ``f[Type](x)``
            found |= element(solver, frozenset({one}), None)
        else:
            found.add(one)
    return frozenset(found)


def part(solver: "Solver", values: Values, path: Path) -> Values:
    """The part of a value that one of several targets takes."""
    for step in path:
        if values is UNKNOWN:
            return UNKNOWN
        if isinstance(step, int):
            values = element(solver, values, step, is_unpacked=True)
        elif step[0] == "=":
            values = attribute(solver, values, step[1:])
        else:
            values = tail(values, int(step[1:]))
    return values


def tail(values: Values, start: int) -> Values:
    """All from a place on."""
    found: Values = NONE
    for one in values:
        found |= {("l", one[1], ("tail", one[2], start))} if one[0] == "l" else {one}
    return found


_EVALUATORS = {
    "name": _name,
    "attr": _attr,
    "item": _item,
    "begins": _begins,
    "call": _call,
    "made": _made,
    "one": _one,
    "seq": _container,
    "map": _container,
    "text": _text,
    "value": _value,
    "each": _each,
    "tail": _tail,
    "wait": _wait,
    "enter": _enter,
    "star": _spread,
    "spread": _spread,
    "self": _self,
    "super": _super,
    "typed": _typed,
    "narrow": _narrow,
    "generic": _generic,
}

GLOBALS = words(
    """Array Boolean Buffer Date Error EvalError Function Infinity Intl JSON Map Math Number Object
    Promise Proxy RangeError Reflect RegExp Set String Symbol SyntaxError TypeError URL
    URLSearchParams WeakMap WeakSet AbortController FormData Headers Request Response BigInt
    clearInterval clearTimeout console decodeURIComponent document encodeURIComponent fetch global
    globalThis isNaN isFinite localStorage module navigator parseFloat parseInt process
    queueMicrotask require sessionStorage setImmediate setInterval setTimeout structuredClone
    window XMLHttpRequest WebSocket Event CustomEvent exports __dirname __filename performance
    describe it test expect beforeEach afterEach beforeAll afterAll jest addEventListener
    cancelAnimationFrame requestAnimationFrame requestIdleCallback removeEventListener
    customElements"""
)
