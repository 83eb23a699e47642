"""The equations of all cells: how variables, results, parameters and members get their values."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.declared import declared
from commonplace.link.code.names.descent import below, overridden_below
from commonplace.link.code.names.hierarchy import is_alias, static
from commonplace.link.code.names.imports import imported
from commonplace.link.code.names.modules import PYTHON, SCRIPTS
from commonplace.link.code.names.scopes import (
    CLASSES,
    FUNCTIONS,
    MEMBERS_IN_SCOPE,
    Binder,
    constructor_around,
    enclosing_class,
)
from commonplace.link.code.values.arity import taking
from commonplace.link.code.values.containers import contents
from commonplace.link.code.values.contents import library_contents
from commonplace.link.code.values.converted import converted
from commonplace.link.code.values.evaluate import evaluate, made_by_name, part, with_bounds
from commonplace.link.code.values.getters import got
from commonplace.link.code.values.given import arguments
from commonplace.link.code.values.invoke import (
    entered,
    initializers,
    made_of,
    matched,
    offset_of,
    returned,
)
from commonplace.link.code.values.library import GIVING_BACK, KEEPING, library_result, method_result
from commonplace.link.code.values.members import (
    attribute,
    class_member,
    follow,
    member_below,
    object_member,
)
from commonplace.link.code.values.overloads import fitting
from commonplace.link.code.values.passing import always, effect, hand_first, kept, rest_of, write
from commonplace.link.code.values.registered import DISPATCHED, DISPATCHING, chosen
from commonplace.link.code.values.values import NONE, UNKNOWN, Value, Values, ordered

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

Of: TypeAlias = Callable[[int, Expr], Values]
"""The values of an expression, seen from a scope."""
# Languages in which no flow repeats what a variable is set to where it is declared.
TOLD_ONCE = frozenset({"javascript", "typescript", "go"})
_ON_CLASS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_PLAIN_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "setter", "deleter", "getter"}
)


def variable(
    solver: "Solver", document_id: str, scope: int, name: str, of: Of | None = None
) -> Values:
    """Equation V: a name in the scope that binds it; ``of`` tells what expressions mean."""
    facts = solver.facts(document_id)
    binders = solver.scopes(document_id).bound[scope].get(name, ())
    found: Values = NONE
    for how, number, path in binders:
        if how == "flow":
            flow = facts.flows[number]
            if of is None:
                values = evaluate(solver, document_id, flow.scope, flow.value)
            else:
                values = of(flow.scope, flow.value)
            found |= part(solver, values, path) if path else values
        elif how == "symbol":
            kind = facts.symbols[number].kind
            is_definition = kind in FUNCTIONS or kind in CLASSES
            is_told = is_definition or facts.symbols[scope].kind == "Enum"
            if is_told or facts.language in TOLD_ONCE or not _has_flows(binders):
                found |= solver.get(("N", document_id, number))
        elif how == "parameter":
            if solver.hands_over:
                found |= solver.get(("P", document_id, scope, number))
            else:  # nothing is ever handed to it: no cell is needed
                found |= parameter(solver, document_id, scope, number)
        elif how == "import":
            for one in imported(solver, document_id, facts.imports[number]):
                found |= follow(solver, one)
    return found


def _has_flows(binders: Sequence[Binder]) -> bool:
    return any(one.how == "flow" for one in binders)


def symbol_value(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation N: what a symbol is as a value; of a field, what it is declared as and set to."""
    facts = solver.facts(document_id)
    symbol = facts.symbols[number]
    if symbol.kind in FUNCTIONS:
        if symbol.decorators and (facts.language == PYTHON or facts.language in SCRIPTS):
            return decorated(solver, document_id, number, ("f", document_id, number))
        return frozenset({("f", document_id, number)})
    if is_alias(solver, document_id, number) and symbol.type is not None:
        return evaluate(solver, document_id, symbol.parent, symbol.type)
    if symbol.kind in CLASSES or symbol.kind in ("Namespace", "Module"):
        if symbol.decorators and facts.language == PYTHON:
            return decorated(solver, document_id, number, ("c", document_id, number))
        return frozenset({("c", document_id, number)})
    found: Values = NONE
    if symbol.type is not None:
        found = with_bounds(solver, declared(solver, document_id, symbol.parent, symbol.type))
    if symbol.value is not None:
        found |= evaluate(solver, document_id, symbol.parent, symbol.value)
    if facts.symbols[symbol.parent].kind == "Enum" and symbol.kind == "Constant":
        found |= {("i", document_id, symbol.parent)}
    return found


def decorated(solver: "Solver", document_id: str, number: int, own: Value) -> Values:
    """A definition after its decorators, the innermost first; those of libraries leave it as is."""
    symbol = solver.facts(document_id).symbols[number]
    values: Values = frozenset({own})
    for expr in reversed(symbol.decorators):
        if expr[0] in ("name", "attr") and expr[-1] in _PLAIN_DECORATORS:
            continue
        if expr[0] in ("name", "attr") and expr[-1] in DISPATCHING:
            values |= solver.get(("F", document_id, number, DISPATCHED))
            continue
        found: Values = NONE if _is_ours(solver, document_id, symbol.parent, expr) else values
        for decorator in evaluate(solver, document_id, symbol.parent, expr):
            if decorator[0] == "b" and decorator[2] == "register" and decorator[1][0] == "f":
                solver.add(("F", *decorator[1][1:], DISPATCHED), values)
            for function, receiver in entered(solver, decorator):
                hand_first(solver, function, receiver, values)
                if decorator[0] not in "ck":
                    found |= returned(solver, function, receiver, always(values))
            if decorator[0] in "ck":
                found |= {("i", decorator[1], decorator[2])}
        values = found
    return values


def _is_ours(solver: "Solver", document_id: str, scope: int, expr: Expr) -> bool:
    """Whether a decorator is defined in the program: what it gives back is then known."""
    if expr[0] == "call":
        call = solver.facts(document_id).calls[expr[1]]
        expr, scope = call.callee, call.scope
    return any(one[0] in "fc" for one in static(solver, document_id, scope, expr))


def parameter(solver: "Solver", document_id: str, number: int, place: int) -> Values:
    """Equation P: what a function may be given; -1 is the object it runs on."""
    facts = solver.facts(document_id)
    symbol = facts.symbols[number]
    owner = enclosing_class(facts.symbols, number)
    if place < 0:
        if owner is None:
            maker = constructor_around(facts, number)
            return NONE if maker is None else frozenset({("s", document_id, maker)})
        if facts.symbols[symbol.parent].kind not in CLASSES:
            return NONE
        return frozenset({("k" if "static" in symbol.modifiers else "s", document_id, owner)})
    given = symbol.parameters[place]
    if given.flavour == "receiver" and given.type is None:
        return _receiver(solver, document_id, symbol, owner)
    if given.flavour in ("rest", "named_rest"):
        if given.type is not None and given.flavour == "rest":
            inside = declared(solver, document_id, number, given.type)
            return frozenset(
                {("G", ("o", "Array"), (ordered(inside),)), rest_of(document_id, number, place)}
            )
        return frozenset({rest_of(document_id, number, place)})
    found: Values = NONE
    if given.type is not None:
        found = with_bounds(solver, declared(solver, document_id, number, given.type))
    if given.default is not None:
        scope = number if facts.language in SCRIPTS else symbol.parent  # it sees those before it
        found |= evaluate(solver, document_id, scope, given.default)
    return found


def _receiver(solver: "Solver", document_id: str, symbol: Symbol, owner: int | None) -> Values:
    """The object or class a method of Python runs on, by the class it is written in."""
    if owner is None:
        return NONE
    if symbol.name == "__init_subclass__" and _has_below(solver, document_id, owner):
        return NONE  # it is told of those below, never of its own class
    is_class = "classmethod" in symbol.modifiers or symbol.name in _ON_CLASS
    return frozenset({("k" if is_class else "s", document_id, owner)})


def _has_below(solver: "Solver", document_id: str, number: int) -> bool:
    """Whether the program has classes below one, where calls hand over what they are given."""
    if not solver.hands_over:
        return False
    solver.names.add("below:__init_subclass__")
    return bool(below(solver, ("c", document_id, number)))


def result(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation R: what a function gives back; a parameter given back is put in at the call."""
    facts = solver.facts(document_id)
    scopes = solver.scopes(document_id)
    symbol = facts.symbols[number]
    found: Values = NONE
    if number in scopes.yields or "generator" in symbol.modifiers:
        found = frozenset({("g", document_id, number)})
    if symbol.type is not None:
        found |= with_bounds(solver, declared(solver, document_id, number, symbol.type))
    is_promise = "async" in symbol.modifiers and "generator" not in symbol.modifiers
    if is_promise and facts.language in SCRIPTS and symbol.type is None:
        return _promised(solver, document_id, number)
    for flow in scopes.results.get(number, ()):
        value = facts.flows[flow].value
        if value[0] == "name":
            binders = scopes.bound[number].get(value[1], ())
            if len(binders) == 1 and binders[0].how == "parameter":
                place = binders[0].number
                if symbol.parameters[place].flavour in ("plain", "keyword"):
                    default = symbol.parameters[place].default
                    found |= {("a", document_id, number, place)}
                    if default is not None:
                        scope = number if facts.language in SCRIPTS else symbol.parent
                        found |= evaluate(solver, document_id, scope, default)
                    continue
        found |= evaluate(solver, document_id, number, value)
    return found


def _promised(solver: "Solver", document_id: str, number: int) -> Values:
    facts = solver.facts(document_id)
    found: Values = NONE
    for flow in solver.scopes(document_id).results.get(number, ()):
        found |= evaluate(solver, document_id, number, facts.flows[flow].value)
    flat = NONE.union(*(_inside_promise(one) for one in found))
    return frozenset({("G", ("o", "Promise"), (ordered(flat),))})


def _inside_promise(value: Value) -> Values:
    """A promise of a promise is one of what that gives."""
    is_promise = value[0] == "G" and value[1] == ("o", "Promise") and len(value[2]) == 1
    return frozenset(value[2][0]) if is_promise else frozenset({value})


def yielded(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation Y: what a generator gives, one at a time."""
    facts = solver.facts(document_id)
    scopes = solver.scopes(document_id)
    found: Values = NONE
    for flow in scopes.yields.get(number, ()):
        found |= evaluate(solver, document_id, number, facts.flows[flow].value)
    return found


def callee(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation C: what a call calls; what is handed over goes on from here."""
    facts = solver.facts(document_id)
    call = facts.calls[number]
    is_typed = facts.language in MEMBERS_IN_SCOPE
    reader = made_by_name if call.is_new and is_typed else evaluate
    found = reader(solver, document_id, call.scope, call.callee)
    if is_typed and call.callee[0] == "self":
        owner = enclosing_class(facts.symbols, call.scope)
        others = NONE if owner is None else initializers(solver, ("c", document_id, owner))
        found = others - {("f", document_id, call.scope)}
    if is_typed:
        found = fitting(solver, document_id, number, found)
    elif found and facts.language == PYTHON:
        found = taking(solver, call, found)
        if len(found) > 1:
            found = chosen(solver, document_id, call, found)
    if found and solver.hands_over:
        effect(solver, document_id, call, found)
    return found


def given_back(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation K: what a call gives back."""
    return given_by(solver, document_id, number, solver.get(("C", document_id, number)))


def given_by(solver: "Solver", document_id: str, number: int, callees: Values) -> Values:
    """What a call gives back that calls one of these."""
    found: Values = NONE
    if callees:
        call = solver.facts(document_id).calls[number]
        for value in callees:
            found |= _result(solver, document_id, number, call, value)
    elif solver.facts(document_id).language == "go":
        found = converted(solver, document_id, solver.facts(document_id).calls[number])
    return found


def _result(solver: "Solver", document_id: str, number: int, call: Call, value: Value) -> Values:
    tag = value[0]
    if tag in "fm":
        function, receiver = (value, None) if tag == "f" else (value[1], value[2])
        if tag == "f" and call.is_new and call.callee[0] != "self":
            return frozenset({("i", value[1], value[2])})
        return returned(
            solver, function, receiver, _given(solver, document_id, call, function, tag == "m")
        )
    if tag == "c":
        return made_of(solver, value)
    if tag == "k":
        return frozenset({("s", value[1], value[2])})
    if tag == "G":
        return _generic_result(solver, document_id, number, call, value)
    if tag == "x" and call.is_new and solver.facts(document_id).language in MEMBERS_IN_SCOPE:
        return frozenset({("o", value[1]), ("l", document_id, ("call", number))})
    if tag == "x":
        return library_result(solver, document_id, number, value[1])
    if tag == "b":
        return method_result(solver, document_id, number, value)
    if tag == "y" and value[1].endswith(GIVING_BACK):
        return library_result(solver, document_id, number, value[1])
    return _other_result(solver, document_id, call, value)


def _generic_result(
    solver: "Solver", document_id: str, number: int, call: Call, value: Value
) -> Values:
    """What a generic class or function gives where its types are written at the call."""
    made = {"c": "i", "k": "s", "x": "o"}.get(value[1][0])
    if made is not None:
        found: Values = frozenset({("G", (made, *value[1][1:]), value[2])})
        is_typed = solver.facts(document_id).language in MEMBERS_IN_SCOPE
        is_kept = value[1][0] == "x" and (is_typed or value[1][1] in KEEPING)
        return found | {("l", document_id, ("call", number))} if is_kept else found
    if value[1][0] not in "fm":
        return NONE
    function = value[1] if value[1][0] == "f" else value[1][1]
    results = _result(solver, document_id, number, call, value[1])
    return NONE.union(*(_with_types(one, function, value[2]) for one in results))


def _with_types(value: Value, function: Value, given: tuple[Any, ...]) -> Values:
    """A value in which a function's type parameters are what is written at the call."""
    if value[0] == "t" and value[1:3] == function[1:3]:
        return frozenset(given[value[3]]) if value[3] < len(given) else NONE
    if value[0] == "G":
        inner = (
            ordered(NONE.union(*(_with_types(one, function, given) for one in each)))
            for each in value[2]
        )
        return frozenset({("G", value[1], tuple(inner))})
    return frozenset({value})


def _other_result(solver: "Solver", document_id: str, call: Call, value: Value) -> Values:
    tag = value[0]
    if tag in "isp":
        found: Values = NONE
        for function, receiver in entered(solver, value):
            given = _given(solver, document_id, call, function, receiver is not None)
            found |= returned(solver, function, receiver, given)
        return found
    if tag == "v":
        return got(solver, value, arguments(solver, document_id, call, 0))
    return UNKNOWN if tag == "?" else NONE


def _given(
    solver: "Solver", document_id: str, call: Call, function: Value, is_bound: bool
) -> Callable[[int], Values]:
    def given(place: int) -> Values:
        symbol = solver.facts(function[1]).symbols[function[2]]
        found: Values = NONE
        offset = offset_of(solver, function, symbol) if is_bound else 0
        for where, expr, _ in matched(symbol, call, offset):
            if where == place:
                found |= evaluate(solver, document_id, call.scope, expr)
        return found

    return given


def field(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """Equation F: what the methods of a class set on themselves under a name."""
    facts = solver.facts(document_id)
    writes = solver.scopes(document_id).own.get(number, {}).get(name, ())
    found: Values = NONE
    for flow_number, path in writes:
        flow = facts.flows[flow_number]
        found |= part(solver, evaluate(solver, document_id, flow.scope, flow.value), path)
    return kept(found)


def told(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation D: defining a class hands it to ``__init_subclass__`` of those above."""
    own = ("k", document_id, number)
    values = attribute(solver, frozenset({("S", document_id, number, own)}), "__init_subclass__")
    for value in values:
        for function, _ in entered(solver, value):
            solver.add(("P", function[1], function[2], 0), frozenset({("c", document_id, number)}))
    return NONE


EQUATIONS: dict[str, Callable[..., Any]] = {
    "V": variable,
    "N": symbol_value,
    "P": parameter,
    "R": result,
    "Y": yielded,
    "C": callee,
    "K": given_back,
    "W": write,
    "D": told,
    "F": field,
    "A": class_member,
    "B": object_member,
    "Z": member_below,
    "I": contents,
    "below": overridden_below,
    "descendants": below,
    "=": evaluate,
    "library": library_contents,
    "attribute": attribute,
}
