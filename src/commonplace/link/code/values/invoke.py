"""Calls: what they give back, and where their arguments go."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.declared import arguments_for
from commonplace.link.code.names.hierarchy import bases, mro
from commonplace.link.code.names.inherited import member_names, metaclass
from commonplace.link.code.names.scopes import enclosing_class
from commonplace.link.code.names.spaces import parts
from commonplace.link.code.values.converted import CALLED
from commonplace.link.code.values.values import (
    NONE,
    SYMBOLIC,
    UNKNOWN,
    Value,
    Values,
    flattened,
    ordered,
)

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

Given: TypeAlias = "Callable[[int], Values]"
"""What a call gives for a parameter, by its place."""
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "constructor")


def nothing_given(_place: int) -> Values:
    """For calls without arguments."""
    return NONE


def returned(
    solver: "Solver", function: Value, receiver: Value | None, given: Given = nothing_given
) -> Values:
    """What calling a function gives, with the receiver and arguments put in."""
    if function[0] != "f":
        return NONE
    values = solver.get(("R", function[1], function[2]))
    for value in values:
        if value[0] in SYMBOLIC or value[0] == "G":
            return substituted(solver, values, function, receiver, given)
    return values


def substituted(
    solver: "Solver", values: Values, function: Value, receiver: Value | None, given: Given
) -> Values:
    """Values in which what stands for receiver, arguments or types is replaced."""
    found: Values = NONE
    for value in values:
        tag = value[0]
        if tag == "a":
            found |= given(value[3]) if value[1:3] == function[1:3] else NONE
        elif tag in "sk" and receiver is not None:
            found |= _self(value, receiver)
        elif tag in "tG":
            found |= _types(solver, value, function, receiver)
        else:
            found |= {value}
    return found


def _self(value: Value, receiver: Value) -> Values:
    """The receiver in place of the object or class a method ran on."""
    if receiver[0] in "isG":
        return frozenset({receiver if value[0] == "s" else _class(receiver)})
    if receiver[0] in "ck":
        letter = "i" if receiver[0] == "c" else "s"
        return frozenset({receiver if value[0] == "k" else (letter, *receiver[1:])})
    return frozenset({value})


def _class(receiver: Value) -> Value:
    if receiver[0] == "G":
        receiver = receiver[1]
    return ("k" if receiver[0] == "s" else "c", *receiver[1:]) if receiver[0] in "is" else receiver


def _types(solver: "Solver", value: Value, function: Value, receiver: Value | None) -> Values:
    """Type parameters of the receiver's class replaced by what they stand for there."""
    if value[0] == "t":
        if receiver is None:
            return frozenset({value})
        owner = ("c", value[1], value[2])
        known = arguments_for(solver, receiver, owner)
        if known is None or value[3] >= len(known):
            return frozenset({value})
        return known[value[3]]
    if (closed := _closed(value)) is not None:
        return closed
    arguments = tuple(
        ordered(substituted(solver, frozenset(one), function, receiver, nothing_given))
        for one in value[2]
    )
    return frozenset({flattened(("G", value[1], arguments))})


@lru_cache(maxsize=8192)
def _closed(value: Value) -> Values | None:
    """A generic type in which nothing stands for anything else, as putting in leaves it.

    None for others. Most are such, and the same ones come again and again.
    """
    arguments = []
    for given in value[2]:
        found: set[Value] = set()
        for one in given:
            inner = _closed(one) if one[0] == "G" else frozenset({one})
            if one[0] in SYMBOLIC or inner is None:
                return None
            found |= inner
        arguments.append(ordered(frozenset(found)))
    return frozenset({flattened(("G", value[1], tuple(arguments)))})


def initializers(solver: "Solver", cls: Value) -> Values:
    """The functions that run when an instance of a class is made."""
    facts = solver.facts(cls[1])
    if facts.language in ("java", "csharp"):
        return _constructors(solver, cls)
    defined = member_names(solver, cls)[0]
    found: Values = NONE
    for name in _CONSTRUCTORS:
        if name in defined:
            found |= solver.get(("A", cls[1], cls[2], name))
    if facts.language == "python":
        meta = metaclass(solver, cls)
        if meta is not None:
            found |= solver.get(("A", meta[1], meta[2], "__call__"))
    return frozenset(one for one in found if one[0] == "f")


def made_of(solver: "Solver", cls: Value) -> Values:
    """What calling a class gives: an object of it, or what its ``__new__`` gives instead."""
    own: Values = frozenset({("i", cls[1], cls[2])})
    if "__new__" not in solver.program.named or "__new__" not in member_names(solver, cls)[0]:
        return own
    found: Values = NONE
    for one in solver.get(("A", cls[1], cls[2], "__new__")):
        if one[0] == "f":
            found |= returned(solver, one, cls)
            if any(call.scope == one[2] and _is_new(call) for call in solver.facts(one[1]).calls):
                return own
    return frozenset(one for one in found if one[0] == "i")


def _is_new(call: Call) -> bool:
    """``super().__new__(cls)``: then what is made is of the class that is called."""
    return bool(call.callee[0] == "attr" and call.callee[2] == "__new__")


def factories(solver: "Solver", cls: Value) -> Iterator[Value]:
    """What making an object of a data class calls for fields: ``field(default_factory=f)``."""
    for one in mro(solver, cls):
        facts = solver.facts(one[1]) if one[0] == "c" else None
        for symbol in facts.symbols if facts is not None else ():
            if facts is None or symbol.parent != one[2] or symbol.kind != "Field":
                continue
            call = (
                facts.calls[symbol.value[1]] if symbol.value and symbol.value[0] == "call" else None
            )
            for name, expr in call.keywords if call is not None else ():
                if name == "default_factory":
                    yield from solver.equations["="](solver, one[1], one[2], expr)


def defining(solver: "Solver", cls: Value) -> Iterator[Value]:
    """What a metaclass of the program runs when a class of it is defined."""
    meta = metaclass(solver, cls)
    if meta is None:
        return
    for name in ("__prepare__", "__new__", "__init__"):
        if name in member_names(solver, meta)[0]:
            for one in solver.get(("A", meta[1], meta[2], name)):
                if one[0] == "f":
                    yield one


def _constructors(solver: "Solver", cls: Value) -> Values:
    """Those a class writes, with its other parts; where it writes none, its superclass's."""
    for one in mro(solver, cls):
        if one[0] != "c" or solver.facts(one[1]).symbols[one[2]].kind == "Interface":
            continue
        found = frozenset(
            ("f", part[1], number)
            for part in (one, *parts(solver, one))
            for number in solver.program.units[part[1]].children.get(part[2], ())
            if solver.facts(part[1]).symbols[number].kind == "Constructor"
        )
        if found:
            return found
    return NONE


def entered(solver: "Solver", value: Value) -> Iterator[tuple[Value, Value | None]]:
    """The functions a call of a value enters, each with the object it runs on."""
    tag = value[0]
    if tag == "f":
        yield value, None
    elif tag == "m":
        for function, _ in entered(solver, value[1]):
            yield function, value[2]
    elif tag in "ck":
        instance = ("i" if tag == "c" else "s", value[1], value[2])
        for function in initializers(solver, value):
            yield function, instance
    elif tag in "is":
        yield from _object_entered(solver, value)
    elif tag in "SGpw":
        yield from _entered_through(solver, value)


def _object_entered(solver: "Solver", value: Value) -> Iterator[tuple[Value, Value | None]]:
    """What calling an object runs; of Go's types the functions that were converted to them."""
    is_go = solver.facts(value[1]).language == "go"
    key = ("F", value[1], value[2], CALLED) if is_go else ("A", value[1], value[2], "__call__")
    for function in solver.get(key):
        if function[0] == "f":
            yield function, value
        elif function[0] == "m" and is_go:
            yield function[1], function[2]


def _entered_through(solver: "Solver", value: Value) -> Iterator[tuple[Value, Value | None]]:
    if value[0] == "S":
        yield from _super_entered(solver, value)
    elif value[0] == "w":
        yield from _beginning_with(solver, value[1], value[2])
    elif value[0] == "p":
        yield from entered(solver, value[1])
    elif value[1][0] in "ck":
        for function, _ in entered(solver, value[1]):
            yield function, ("G", ("i", *value[1][1:]), value[2])
    elif value[1][0] in "fm":
        yield from entered(solver, value[1])


def _beginning_with(
    solver: "Solver", value: Value, beginning: str
) -> Iterator[tuple[Value, Value | None]]:
    """Methods of an object whose names begin so; of the object at hand, also those below."""
    cls = ("c", value[1], value[2])
    classes = [cls]
    if value[0] == "s" and solver.hands_over and beginning:
        solver.names.add(f"prefix:{beginning}")
        classes.extend(solver.equations["descendants"](solver, cls))
    for one in classes:
        for name in sorted(member_names(solver, one)[0]):
            if name.startswith(beginning) and name not in (beginning, "constructor"):
                for function in solver.get(("A", one[1], one[2], name)):
                    if function[0] == "f":
                        yield function, value


def _super_entered(solver: "Solver", value: Value) -> Iterator[tuple[Value, Value | None]]:
    for base in bases(solver, ("c", value[1], value[2])):
        if base[0] == "c":
            for function in initializers(solver, base):
                yield function, value[3]


def offset_of(solver: "Solver", function: Value, symbol: Symbol) -> int:
    """How many parameters the object or class takes that a bound function runs on.

    In Python the first one, whatever it is called: a wrapper around a method, a lambda in a class.
    """
    if not symbol.parameters:
        return 0
    if symbol.parameters[0].flavour == "receiver":
        return 1
    return 1 if solver.facts(function[1]).language == "python" else 0


def matched(
    symbol: Symbol, call: Call, offset: int
) -> Iterator[tuple[int, Expr, int | str | None]]:
    """Which argument goes to which parameter; with a place or key where it is one of the rest.

    ``("each", star)`` stands for what a spread argument holds; ``**`` for all of a mapping.
    """
    parameters = symbol.parameters
    positional = [
        (place, one) for place, one in enumerate(parameters) if one.flavour in ("plain", "receiver")
    ][offset:]
    rest = next((place for place, one in enumerate(parameters) if one.flavour == "rest"), None)
    taken = 0
    shift = 1 if rest == 0 and offset else 0  # the object itself is the first of the rest
    is_spread = False
    for number, argument in enumerate(call.arguments):
        if argument[0] == "star":
            for within, (place, _) in enumerate(positional[taken:]):
                yield place, ("item", argument[1], None if is_spread else within), None
            is_spread = True
            if rest is not None:
                yield rest, ("each", argument[1]), "*"
        elif taken < len(positional):
            yield positional[taken][0], argument, None
            taken += 1
        elif rest is not None:
            yield rest, argument, number - taken + shift
    yield from _keywords(symbol, call)


def _keywords(symbol: Symbol, call: Call) -> Iterator[tuple[int, Expr, int | str | None]]:
    places = {one.name: place for place, one in enumerate(symbol.parameters)}
    named = next(
        (place for place, one in enumerate(symbol.parameters) if one.flavour == "named_rest"), None
    )
    for name, argument in call.keywords:
        if name == "**":
            for key, place in places.items():
                flavour = symbol.parameters[place].flavour
                if flavour in ("plain", "keyword"):
                    yield place, ("item", argument, key), None
            if named is not None:
                yield named, ("spread", argument), "**"
        elif name in places:
            yield places[name], argument, None
        elif named is not None:
            yield named, argument, name


def unknown(values: Values) -> bool:
    """Whether nothing can be said."""
    return values == UNKNOWN


def class_around(solver: "Solver", function: Value) -> Value | None:
    """The class a function stands in."""
    number = enclosing_class(solver.facts(function[1]).symbols, function[2])
    return None if number is None else ("c", function[1], number)
