"""Where values are handed on to: parameters, fields, elements, members of other objects."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import THIS
from commonplace.link.code.names.declared import declared
from commonplace.link.code.names.hierarchy import mro
from commonplace.link.code.names.imports import REFERENCE
from commonplace.link.code.names.modules import PYTHON, SCRIPTS
from commonplace.link.code.names.spaces import go_member
from commonplace.link.code.values.callbacks import REDUCE, REDUCING, called_back
from commonplace.link.code.values.containers import (
    SPREAD,
    descriptor_of,
    elements,
    promise_of,
    put,
    spread,
)
from commonplace.link.code.values.converted import CALLED, set_elsewhere
from commonplace.link.code.values.evaluate import evaluate, part
from commonplace.link.code.values.given import arguments
from commonplace.link.code.values.invoke import entered, matched, offset_of, returned
from commonplace.link.code.values.kept import keep
from commonplace.link.code.values.values import NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver


_STRUCTURAL = frozenset({"Interface", "Type"})
"""Kinds that anything with the members they name is of."""
SENT = "<sent>"
"""What a generator of Python calls that which is sent into it."""
INDIRECT = frozenset({"call", "apply", "bind"})
PROMISE: Value = ("x", "Promise")


def rest_of(document_id: str, number: int, place: int) -> Value:
    """The container of what a function is given beyond its named parameters."""
    return ("l", document_id, ("rest", number, place))


def always(values: Values) -> Callable[[int], Values]:
    """The same whatever parameter is asked for."""
    return lambda _place: values


def hand_first(solver: "Solver", function: Value, receiver: Value | None, values: Values) -> None:
    """Hand values to the first parameter, as a decorator is given what it decorates.

    One of scripts that takes three (target, name, descriptor) finds them in the last.
    """
    facts = solver.facts(function[1])
    symbol = facts.symbols[function[2]]
    place = offset_of(solver, function, symbol) if receiver is not None else 0
    if len(symbol.parameters) == 3 and facts.language in SCRIPTS:
        described = frozenset(descriptor_of(one) for one in values if one[0] == "f")
        hand(solver, function, 2, None, described)
    elif place < len(symbol.parameters):
        hand(solver, function, place, None, values)
    if receiver is not None:
        hand_receiver(solver, function, receiver)


def effect(solver: "Solver", document_id: str, call: Call, values: Values) -> None:
    """Arguments of a call go to the parameters of what it calls."""
    for value in values:
        if value[0] in "xyb":
            keep(solver, document_id, call, value)
            for called, inside in called_back(solver, document_id, call, value):
                _hand_elements(solver, called, inside)
            _effect_of_library(solver, document_id, call, value)
            continue
        if value[0] == "p":
            _effect_of_partial(solver, document_id, call, value)
            continue
        for function, receiver in entered(solver, value):
            if solver.is_whole or function[1] == solver.home:
                _hand_over(solver, document_id, call, function, receiver)
                _narrow(solver, document_id, call, function)
        cls = value[1] if value[0] == "G" else value
        if cls[0] == "c" and (solver.is_whole or cls[1] == solver.home):
            _fill(solver, document_id, call, cls)


def _effect_of_library(solver: "Solver", document_id: str, call: Call, value: Value) -> None:
    """Functions of libraries that hand what they are given to certain parameters."""
    if value[0] == "b":
        if value[2] == "send" and value[1][0] == "g":
            given = passed(arguments(solver, document_id, call, 0))
            solver.add(("V", value[1][1], value[1][2], SENT), given)
        elif value[2] in INDIRECT and value[1][0] in "fm":
            _call_indirectly(solver, document_id, call, value)
        elif value[2] in REDUCING and solver.facts(document_id).language in SCRIPTS:
            inside = elements(solver, frozenset({value[1]}))
            _reduce(solver, document_id, call, inside, 1)
    elif value == PROMISE and call.arguments:
        _fulfil(solver, document_id, call)
    elif value[1] == REDUCE:
        inside = elements(solver, arguments(solver, document_id, call, 1))
        _reduce(solver, document_id, call, inside, 2)


def _reduce(solver: "Solver", document_id: str, call: Call, inside: Values, initial: int) -> None:
    """First what was there before, or what the function gave back; then the next element."""
    before = arguments(solver, document_id, call, initial)
    if initial >= len(call.arguments):
        before = inside
    for called in arguments(solver, document_id, call, 0):
        for function, receiver in entered(solver, called):
            symbol = solver.facts(function[1]).symbols[function[2]]
            first = offset_of(solver, function, symbol) if receiver is not None else 0
            given = before | returned(solver, function, receiver, always(before))
            hand(solver, function, first, None, given)
            hand(solver, function, first + 1, None, inside)


def _call_indirectly(solver: "Solver", document_id: str, call: Call, value: Value) -> None:
    """``f.call(object, x)``, ``f.apply(object, xs)``: an object to run on, then the rest."""
    given = call.arguments[1:]
    if value[2] == "apply" and given:
        is_written = given[0][0] == "seq" and not any(one[0] == "star" for one in given[0][2])
        given = given[0][2] if is_written else (("star", given[0]),)
    objects = arguments(solver, document_id, call, 0)
    for function, receiver in entered(solver, value[1]):
        if not (solver.is_whole or function[1] == solver.home):
            continue
        if receiver is None:
            for one in objects:
                if one[0] in "iscl":
                    hand_receiver(solver, function, one)
        if value[2] != "bind":
            _hand_over(solver, document_id, call._replace(arguments=given), function, receiver)


def _fulfil(solver: "Solver", document_id: str, call: Call) -> None:
    """``new Promise((resolve) => …)``: what ``resolve`` is given, the promise holds."""
    for one in arguments(solver, document_id, call, 0):
        if one[0] == "f" and (solver.is_whole or one[1] == solver.home):
            hand(solver, one, 0, None, frozenset({("b", promise_of(one), "add")}))


def _narrow(solver: "Solver", document_id: str, call: Call, function: Value) -> None:
    """``if (isDog(x))``: a function that says what its parameter is, says it of the argument."""
    symbol = solver.facts(function[1]).symbols[function[2]]
    if symbol.type is None or symbol.type[0] != "says":
        return
    places = [one.name for one in symbol.parameters]
    about, type_ = symbol.type[1][1], symbol.type[2][0]
    place = places.index(about) if about in places else len(call.arguments)
    if place < len(call.arguments) and call.arguments[place][0] == "name":
        name = call.arguments[place][1]
        home = solver.scopes(document_id).home(solver.facts(document_id), call.scope, name)
        if home >= 0:
            values = declared(solver, function[1], function[2], type_)
            solver.add(("V", document_id, home, name), values)


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
    if facts.symbols[cls[2]].kind == "Type" and len(call.arguments) == 1 and not call.is_new:
        given = evaluate(solver, document_id, call.scope, call.arguments[0])
        functions = frozenset(one for one in given if one[0] in "fm")
        solver.add(("F", cls[1], cls[2], CALLED), functions)
    by_name = {symbol.name: owner for owner, symbol in fields}
    for (owner, symbol), expr in zip(fields, call.arguments, strict=False):
        values = evaluate(solver, document_id, call.scope, expr)
        solver.add(("F", owner[1], owner[2], symbol.name), kept(values))
    for name, expr in call.keywords:
        if name in by_name:
            owner = by_name[name]
            values = evaluate(solver, document_id, call.scope, expr)
            solver.add(("F", owner[1], owner[2], name), kept(values))


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
        container = rest_of(function[1], function[2], place)
        if key == SPREAD:
            spread(solver, container, values)
        else:
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
    """Of values those a declared type takes, where it names classes of the program only.

    Too many to tell is none: what is declared is known without them.
    """
    classes = {("c", one[1], one[2]) for one in wanted if one[0] in "is"}
    if not classes or any(one[0] in "Gtl" for one in wanted):
        return values
    kinds = {solver.facts(one[1]).symbols[one[2]].kind for one in classes}
    if not kinds.isdisjoint(_STRUCTURAL):
        return values
    return frozenset(
        one
        for one in values
        if one[0] in "is" and not classes.isdisjoint(mro(solver, ("c", one[1], one[2])))
    )


def hand_receiver(solver: "Solver", function: Value, receiver: Value) -> None:
    """Tell a method which object it runs on; of Go it is of the type the method is written for."""
    if solver.facts(function[1]).language == "go":
        return
    symbol = solver.facts(function[1]).symbols[function[2]]
    place = offset_of(solver, function, symbol) - 1
    known = receiver[1] if receiver[0] == "G" else receiver
    if known[0] in "sk":  # the same object in another method: seen as an instance of its class
        known = ("i" if known[0] == "s" else "c", *known[1:])
    if place == 0 and symbol.parameters[0].flavour == "rest":
        hand(solver, function, 0, 0, frozenset({known}))
    else:
        solver.add(("P", function[1], function[2], place), frozenset({known}))
    if THIS[1] in solver.scopes(function[1]).bound[function[2]]:
        solver.add(("V", function[1], function[2], THIS[1]), frozenset({known}))


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
    if target[0] == "name":
        set_elsewhere(solver, document_id, target[1], values)
        return NONE
    for base in evaluate(solver, document_id, flow.scope, target[1]):
        _store(solver, base, target[2], values)
    return NONE


def _store(solver: "Solver", base: Value, key: "int | str | None", values: Values) -> None:
    if base[0] == "l":
        put(solver, base, key, values)
    elif base[0] in "iskcf" and isinstance(key, str):
        values = kept(values)
        if base[0] in "ck" and solver.facts(base[1]).language == PYTHON:  # a method from then on
            values = frozenset(
                ("m", one, ("i", *base[1:3])) if one[0] == "f" else one for one in values
            )
        solver.add(("F", base[1], base[2], key), values)
    elif base[0] == "u" and isinstance(key, str):
        solver.add(("V", base[1], 0, key), values)
    elif base[0] == "q" and isinstance(key, str):
        for one in go_member(solver, base, key):
            if one[0] == REFERENCE:
                solver.add(("V", one[1], 0, key), values)


def kept(values: Values) -> Values:
    """Values that stay: what stood for a receiver is an instance of its class from then on."""
    for one in values:
        if one[0] in "ska":
            letters = {"s": "i", "k": "c"}
            return frozenset(
                (letters.get(each[0], each[0]), *each[1:]) for each in values if each[0] != "a"
            )
    return values
