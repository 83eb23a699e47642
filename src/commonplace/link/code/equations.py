"""The equations of all cells: how variables, results, parameters and members get their values."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.callbacks import called_back
from commonplace.link.code.containers import contents, put
from commonplace.link.code.declared import declared
from commonplace.link.code.descent import overridden_below
from commonplace.link.code.evaluate import evaluate, part, with_bounds
from commonplace.link.code.hierarchy import is_alias, mro, static
from commonplace.link.code.imports import imported
from commonplace.link.code.invoke import entered, matched, offset_of, returned
from commonplace.link.code.library import (
    KEEPING,
    keep,
    library_contents,
    library_result,
    method_result,
)
from commonplace.link.code.members import (
    attribute,
    class_member,
    follow,
    member_below,
    object_member,
)
from commonplace.link.code.modules import PYTHON, SCRIPTS
from commonplace.link.code.overloads import fitting
from commonplace.link.code.scopes import (
    CLASSES,
    FUNCTIONS,
    MEMBERS_IN_SCOPE,
    constructor_around,
    enclosing_class,
)
from commonplace.link.code.values import NONE, UNKNOWN, Value, Values, ordered

if TYPE_CHECKING:
    from commonplace.link.code.solver import Solver

# Languages in which no flow repeats what a variable is set to where it is declared.
TOLD_ONCE = frozenset({"javascript", "typescript", "go"})
_ON_CLASS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_PLAIN_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "setter", "deleter", "getter"}
)


def variable(solver: "Solver", document_id: str, scope: int, name: str) -> Values:
    """Equation V: a name in the scope that binds it."""
    facts = solver.facts(document_id)
    binders = solver.scopes(document_id).bound[scope].get(name, ())
    found: Values = NONE
    has_flows = any(one.how == "flow" for one in binders)
    for how, number, path in binders:
        if how == "flow":
            flow = facts.flows[number]
            values = evaluate(solver, document_id, flow.scope, flow.value)
            found |= part(solver, values, path) if path else values
        elif how == "symbol":
            kind = facts.symbols[number].kind
            is_definition = kind in FUNCTIONS or kind in CLASSES
            is_kept = not has_flows or facts.language in TOLD_ONCE
            if is_kept or is_definition or facts.symbols[scope].kind == "Enum":
                found |= solver.get(("N", document_id, number))
        elif how == "parameter":
            found |= solver.get(("P", document_id, scope, number))
        elif how == "import":
            for one in imported(solver, document_id, facts.imports[number]):
                found |= follow(solver, one)
    return found


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
        found: Values = NONE if _is_ours(solver, document_id, symbol.parent, expr) else values
        for decorator in evaluate(solver, document_id, symbol.parent, expr):
            for function, receiver in entered(solver, decorator):
                _hand_first(solver, function, receiver, values)
                if decorator[0] not in "ck":
                    found |= returned(solver, function, receiver, _always(values))
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


def _always(values: Values) -> Callable[[int], Values]:
    return lambda _place: values


def _hand_first(solver: "Solver", function: Value, receiver: Value | None, values: Values) -> None:
    symbol = solver.facts(function[1]).symbols[function[2]]
    place = offset_of(solver, function, symbol) if receiver is not None else 0
    if place < len(symbol.parameters):
        hand(solver, function, place, None, values)
    if receiver is not None:
        hand_receiver(solver, function, receiver)


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
        if owner is None:
            return NONE
        is_class = "classmethod" in symbol.modifiers or symbol.name in _ON_CLASS
        return frozenset({("k" if is_class else "s", document_id, owner)})
    if given.flavour in ("rest", "named_rest"):
        if given.type is not None and given.flavour == "rest":
            inside = declared(solver, document_id, number, given.type)
            return frozenset(
                {("G", ("o", "Array"), (ordered(inside),)), _rest(document_id, number, place)}
            )
        return frozenset({_rest(document_id, number, place)})
    found: Values = NONE
    if given.type is not None:
        found = with_bounds(solver, declared(solver, document_id, number, given.type))
    if given.default is not None:
        found |= evaluate(solver, document_id, symbol.parent, given.default)
    return found


def _rest(document_id: str, number: int, place: int) -> Value:
    return ("l", document_id, ("rest", number, place))


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
    if "async" in symbol.modifiers and facts.language in SCRIPTS and symbol.type is None:
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
                        found |= evaluate(solver, document_id, symbol.parent, default)
                    continue
        found |= evaluate(solver, document_id, number, value)
    return found


def _promised(solver: "Solver", document_id: str, number: int) -> Values:
    facts = solver.facts(document_id)
    found: Values = NONE
    for flow in solver.scopes(document_id).results.get(number, ()):
        found |= evaluate(solver, document_id, number, facts.flows[flow].value)
    return frozenset({("G", ("o", "Promise"), (ordered(found),))})


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
    found = evaluate(solver, document_id, call.scope, call.callee)
    if len(found) > 1 and facts.language in MEMBERS_IN_SCOPE:
        found = fitting(solver, document_id, call, found)
    if found and solver.hands_over:
        _effect(solver, document_id, call, found)
    return found


def given_back(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation K: what a call gives back."""
    call = solver.facts(document_id).calls[number]
    found: Values = NONE
    for value in solver.get(("C", document_id, number)):
        found |= _result(solver, document_id, number, call, value)
    return found


def _result(solver: "Solver", document_id: str, number: int, call: Call, value: Value) -> Values:
    tag = value[0]
    if tag in "fm":
        function, receiver = (value, None) if tag == "f" else (value[1], value[2])
        if tag == "f" and call.is_new:
            return frozenset({("i", value[1], value[2])})
        return returned(
            solver, function, receiver, _given(solver, document_id, call, function, tag == "m")
        )
    if tag == "c":
        return frozenset({("i", value[1], value[2])})
    if tag == "k":
        return frozenset({("s", value[1], value[2])})
    if tag == "G":
        return _generic_result(solver, document_id, number, call, value)
    if tag == "x":
        return library_result(solver, document_id, number, value[1])
    if tag == "b":
        return method_result(solver, document_id, number, value)
    if tag == "y" and value[1].endswith(".enter_context"):
        return library_result(solver, document_id, number, value[1])
    return _other_result(solver, document_id, call, value)


def _generic_result(
    solver: "Solver", document_id: str, number: int, call: Call, value: Value
) -> Values:
    """What a generic class or function gives where its types are written at the call."""
    made = {"c": "i", "k": "s", "x": "o"}.get(value[1][0])
    if made is not None:
        found: Values = frozenset({("G", (made, *value[1][1:]), value[2])})
        is_kept = value[1][0] == "x" and value[1][1] in KEEPING
        return found | {("l", document_id, ("call", number))} if is_kept else found
    if value[1][0] not in "fm":
        return NONE
    function = value[1] if value[1][0] == "f" else value[1][1]
    found = NONE
    for one in _result(solver, document_id, number, call, value[1]):
        is_own = one[0] == "t" and one[1:3] == function[1:3]
        if is_own:
            found |= frozenset(value[2][one[3]]) if one[3] < len(value[2]) else NONE
        else:
            found |= {one}
    return found


def _other_result(solver: "Solver", document_id: str, call: Call, value: Value) -> Values:
    tag = value[0]
    if tag in "isp":
        found: Values = NONE
        for function, receiver in entered(solver, value):
            given = _given(solver, document_id, call, function, receiver is not None)
            found |= returned(solver, function, receiver, given)
        return found
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


def _effect(solver: "Solver", document_id: str, call: Call, values: Values) -> None:
    """Arguments of a call go to the parameters of what it calls."""
    for value in values:
        if value[0] in "xyb":
            keep(solver, document_id, call, value)
            for called, inside in called_back(solver, document_id, call, value):
                _hand_elements(solver, called, inside)
            continue
        if value[0] == "p":
            _effect_of_partial(solver, document_id, call, value)
            continue
        for function, receiver in entered(solver, value):
            if solver.is_whole or function[1] == solver.home:
                _hand_over(solver, document_id, call, function, receiver)
        if value[0] == "c" and (solver.is_whole or value[1] == solver.home):
            _fill(solver, document_id, call, value)


def _fill(solver: "Solver", document_id: str, call: Call, cls: Value) -> None:
    """Arguments go to the fields of a class whose constructor nobody writes."""
    facts = solver.facts(cls[1])
    is_filled = facts.language == "go" or facts.symbols[cls[2]].modifiers & {"dataclass", "record"}
    if not is_filled:
        return
    fields: list[tuple[Value, Symbol]] = []
    for one in reversed(mro(solver, cls)):
        if one[0] == "c":
            symbols = solver.facts(one[1]).symbols
            fields.extend(
                (one, symbol)
                for symbol in symbols
                if symbol.parent == one[2] and symbol.kind == "Field" and symbol.type is not None
            )
    by_name = {symbol.name: owner for owner, symbol in fields}
    for (owner, symbol), expr in zip(fields, call.arguments, strict=False):
        values = evaluate(solver, document_id, call.scope, expr)
        solver.add(("F", owner[1], owner[2], symbol.name), _kept(values))
    for name, expr in call.keywords:
        if name in by_name:
            owner = by_name[name]
            values = evaluate(solver, document_id, call.scope, expr)
            solver.add(("F", owner[1], owner[2], name), _kept(values))


def _effect_of_partial(solver: "Solver", document_id: str, call: Call, value: Value) -> None:
    """What was given before goes to the first parameters, what is given now to those after."""
    before = solver.facts(value[2]).calls[value[3]]
    first = before._replace(arguments=before.arguments[1:])
    unknown = (("value", "unknown"),) * len(first.arguments)
    now = call._replace(arguments=(*unknown, *call.arguments))
    for function, receiver in entered(solver, value):
        if solver.is_whole or function[1] == solver.home:
            _hand_over(solver, value[2], first, function, receiver)
            _hand_over(solver, document_id, now, function, receiver)


def _hand_over(
    solver: "Solver", document_id: str, call: Call, function: Value, receiver: Value | None
) -> None:
    symbol = solver.facts(function[1]).symbols[function[2]]
    if receiver is not None:
        hand_receiver(solver, function, receiver)
    offset = offset_of(solver, function, symbol) if receiver is not None else 0
    for place, expr, key in matched(symbol, call, offset):
        values = evaluate(solver, document_id, call.scope, expr)
        if values:
            hand(solver, function, place, key, values)


def hand(
    solver: "Solver", function: Value, place: int, key: "int | str | None", values: Values
) -> None:
    """Hand values to a parameter, or to one place of the rest."""
    values = passed(values)
    if not values:
        return
    symbol = solver.facts(function[1]).symbols[function[2]]
    if place >= len(symbol.parameters):
        return
    parameter = symbol.parameters[place]
    if parameter.flavour in ("rest", "named_rest"):
        container = _rest(function[1], function[2], place)
        put(solver, container, None if key == "*" else key, values)
        return
    if parameter.type is not None:
        values = allowed(solver, values, declared(solver, function[1], function[2], parameter.type))
    solver.add(("P", function[1], function[2], place), values)


def passed(values: Values) -> Values:
    """Of values those worth handing on: what a library made leads to nothing of the program."""
    for one in values:
        if one[0] in "oy":
            return frozenset(each for each in values if each[0] not in "oy")
    return values


def allowed(solver: "Solver", values: Values, wanted: Values) -> Values:
    """Of values those a declared type takes, where it names classes of the program only."""
    classes = {("c", one[1], one[2]) for one in wanted if one[0] in "is"}
    if not classes or any(one[0] in "Gtl" for one in wanted):
        return values
    if any(solver.facts(one[1]).symbols[one[2]].kind == "Interface" for one in classes):
        return values
    return frozenset(
        one
        for one in values
        if one[0] == "?"
        or (one[0] in "is" and not classes.isdisjoint(mro(solver, ("c", one[1], one[2]))))
    )


def hand_receiver(solver: "Solver", function: Value, receiver: Value) -> None:
    """Tell a method which object it runs on."""
    symbol = solver.facts(function[1]).symbols[function[2]]
    place = offset_of(solver, function, symbol) - 1
    known = receiver[1] if receiver[0] == "G" else receiver
    if known[0] in "sk":  # the same object in another method: seen as an instance of its class
        known = ("i" if known[0] == "s" else "c", *known[1:])
    if place == 0 and symbol.parameters[0].flavour == "rest":
        hand(solver, function, 0, 0, frozenset({known}))
    else:
        solver.add(("P", function[1], function[2], place), frozenset({known}))


def _hand_elements(solver: "Solver", called: Value, inside: Values) -> None:
    for function, receiver in entered(solver, called):
        symbol = solver.facts(function[1]).symbols[function[2]]
        first = offset_of(solver, function, symbol) if receiver is not None else 0
        for place in range(first, len(symbol.parameters)):
            hand(solver, function, place, None, inside)


def write(solver: "Solver", document_id: str, number: int) -> Values:
    """Equation W: a value goes to a member or element of another value."""
    facts = solver.facts(document_id)
    flow_number, target, path = solver.scopes(document_id).others[number]
    flow = facts.flows[flow_number]
    values = part(solver, evaluate(solver, document_id, flow.scope, flow.value), path)
    values = passed(values)
    if not values:
        return NONE
    for base in evaluate(solver, document_id, flow.scope, target[1]):
        _store(solver, base, target[2], values)
    return NONE


def _store(solver: "Solver", base: Value, key: "int | str | None", values: Values) -> None:
    if base[0] == "l":
        put(solver, base, key, values)
    elif base[0] in "iskcf" and isinstance(key, str):
        solver.add(("F", base[1], base[2], key), _kept(values))
    elif base[0] == "u" and isinstance(key, str):
        solver.add(("V", base[1], 0, key), values)


def field(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """Equation F: what the methods of a class set on themselves under a name."""
    facts = solver.facts(document_id)
    writes = solver.scopes(document_id).own.get(number, {}).get(name, ())
    found: Values = NONE
    for flow_number, path in writes:
        flow = facts.flows[flow_number]
        found |= part(solver, evaluate(solver, document_id, flow.scope, flow.value), path)
    return _kept(found)


def _kept(values: Values) -> Values:
    """Values that stay: what stood for a receiver is an instance of its class from then on."""
    for one in values:
        if one[0] in "ska":
            letters = {"s": "i", "k": "c"}
            return frozenset(
                (letters.get(each[0], each[0]), *each[1:]) for each in values if each[0] != "a"
            )
    return values


EQUATIONS: dict[str, Callable[..., Any]] = {
    "V": variable,
    "N": symbol_value,
    "P": parameter,
    "R": result,
    "Y": yielded,
    "C": callee,
    "K": given_back,
    "W": write,
    "F": field,
    "A": class_member,
    "B": object_member,
    "Z": member_below,
    "I": contents,
    "below": overridden_below,
    "=": evaluate,
    "library": library_contents,
    "attribute": attribute,
}
