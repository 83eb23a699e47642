"""Members of values: of modules, classes, objects, containers."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.declared import bound_of
from commonplace.link.code.names.extending import extensions
from commonplace.link.code.names.hierarchy import mro
from commonplace.link.code.names.imports import REFERENCE, member
from commonplace.link.code.names.inherited import (
    binds,
    has_member,
    member_names,
    metaclass,
    methods_elsewhere,
)
from commonplace.link.code.names.modules import PYTHON, SCRIPTS
from commonplace.link.code.names.scopes import FUNCTIONS, MEMBERS_IN_SCOPE
from commonplace.link.code.names.signatures import is_hidden
from commonplace.link.code.names.spaces import below, go_member
from commonplace.link.code.values.built_in import OF_BUILT_IN
from commonplace.link.code.values.containers import by_name
from commonplace.link.code.values.converted import embedded
from commonplace.link.code.values.delegating import delegated
from commonplace.link.code.values.invoke import nothing_given, returned, substituted
from commonplace.link.code.values.registered import is_dispatched
from commonplace.link.code.values.values import INDEXER, NONE, UNKNOWN, Value, Values, words

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_MAKING = frozenset({"get", "apply", "call", "create", "make", "new"})
"""Methods of interfaces a constructor may stand for (Java)."""

_HELD = frozenset({"Value", "Result", "Current"})
"""Properties of C# that give what a lazy value, task or enumerator holds."""

_OF_EVERY_CLASS = frozenset({"prototype", "constructor"})
_METHODS = "methods"
"""Where a component of Vue keeps what it is asked for by name."""
_MOST_MIXED = 4
"""Mixins that are given what other mixins made."""

CONTAINER_METHODS = words(
    """push pop shift unshift splice set get has add delete clear forEach map filter find some
    every reduce flatMap sort keys values entries concat slice includes indexOf join at"""
)
"""Of lists, maps and sets of scripts: not what is in them under such a name."""


def attribute(solver: "Solver", values: Values, name: str) -> Values:
    """What a member of any of these values may be."""
    if len(values) == 1:
        for value in values:
            return _attribute(solver, value, name)
    found: Values = NONE
    for value in values:
        if value[0] in "fm" and (own := _defaults(solver, values, name)):
            found |= frozenset(("m", one, value) for one in own)
        else:
            found |= _attribute(solver, value, name)
    return found


def _defaults(solver: "Solver", values: Values, name: str) -> Values:
    """What an interface does with a function that stands for it: ``rule.and(other)``."""
    found: Values = NONE
    for one in values:
        if one[0] == "i" and _is_interface(solver, one):
            found |= solver.get(("A", one[1], one[2], name))
    return frozenset(
        one
        for one in found
        if one[0] == "f" and "default" in solver.facts(one[1]).symbols[one[2]].modifiers
    )


def _is_interface(solver: "Solver", value: Value) -> bool:
    facts = solver.facts(value[1])
    return facts.language in MEMBERS_IN_SCOPE and facts.symbols[value[2]].kind == "Interface"


def _attribute(solver: "Solver", value: Value, name: str) -> Values:
    tag = value[0]
    if tag in "isck":
        return _of_object(solver, value, name)
    if tag == "u":
        return module_member(solver, value[1], name)
    if tag == "o":
        more = extensions(solver, value, name)
        if more:
            return more
    if tag in "xo":
        return frozenset({("x" if tag == "x" else "y", f"{value[1]}.{name}")})
    return _OTHERS[tag](solver, value, name) if tag in _OTHERS else NONE


def module_member(solver: "Solver", document_id: str, name: str) -> Values:
    """What a name of a module means; one that it lacks, its ``__getattr__`` may give (Python)."""
    named = member(solver, document_id, name)
    if not named and "__getattr__" in solver.scopes(document_id).bound[0]:
        getters = solver.get(("V", document_id, 0, "__getattr__"))
        return NONE.union(*(returned(solver, one, None) for one in getters))
    return NONE.union(*(follow(solver, one) for one in named))


def follow(solver: "Solver", reference: Value) -> Values:
    """What an import brings in, with all that flows into it."""
    if reference[0] == REFERENCE:
        return solver.get(("V", reference[1], 0, reference[2]))
    if reference[0] == "via":
        return attribute(solver, solver.get(("V", reference[1], 0, reference[2])), reference[3])
    if reference[0] == "in":
        found: Values = frozenset({("c", reference[1], reference[2])})
        for name in reference[3]:
            found = attribute(solver, found, name)
        return found
    if reference[0] == "f":
        return solver.get(("N", reference[1], reference[2]))
    return frozenset({reference})


def _of_space(solver: "Solver", value: Value, name: str) -> Values:
    inside = below if value[0] == "n" else go_member
    return NONE.union(*(follow(solver, one) for one in inside(solver, value, name)))


def _of_object(solver: "Solver", value: Value, name: str) -> Values:
    """A member of an object or class, by its line of classes and what it was given."""
    tag, document_id, number = value[0], value[1], value[2]
    cls = ("c", document_id, number)
    found: Values = NONE
    if name in _OF_EVERY_CLASS and solver.facts(document_id).language in SCRIPTS:
        if tag in "ck" and name == "prototype":
            return frozenset({value})
        if tag in "is" and name == "constructor":
            return frozenset({("c" if tag == "i" else "k", document_id, number)})
    defined, given_names, files = member_names(solver, cls)
    is_go = solver.facts(document_id).language == "go"
    if name in defined or is_go:
        found = bound(solver, raw := solver.get(("A", document_id, number, name)), value)
        if is_go:
            found |= attribute(solver, embedded(solver, cls, raw), name)
        if tag == "s" and solver.hands_over:
            found |= solver.get(("Z", document_id, number, name))
    if name in given_names or solver.is_whole or solver.home in files:
        given = solver.get(("B", document_id, number, name))
        if given:
            is_script = solver.facts(document_id).language in SCRIPTS
            found |= bound(solver, given, value) if is_script else given
    if name in defined or name in given_names or (is_go and binds(solver, cls, name)):
        return found
    return found | _missing(solver, value, name)


def _missing(solver: "Solver", value: Value, name: str) -> Values:
    """A member nobody defines: the object may answer for it itself, or a library's class has it."""
    cls = ("c", value[1], value[2])
    language = solver.facts(value[1]).language
    if language in MEMBERS_IN_SCOPE:
        if value[0] in "ck":
            return frozenset({value}) if name in _MAKING else NONE
        more = extensions(solver, value, name)
        if more:
            return more
    elif language in SCRIPTS and name in ("then", "catch", "finally"):
        return frozenset({("b", ("G", ("o", "Promise"), ((value,),)), name)})
    elif language == PYTHON:
        answer = _answered(solver, value, name)
        if answer is not None:
            return answer
    given = _of_given_base(solver, value, cls, name)
    if given:
        return given
    for one in mro(solver, cls):
        if one[0] == "x" and one[1] not in ("object", "Object", "builtins.object"):
            return frozenset({("y" if value[0] in "is" else "x", f"{one[1]}.{name}")})
    return NONE


def _of_given_base(
    solver: "Solver", value: Value, below: Value, name: str, depth: int = _MOST_MIXED
) -> Values:
    """A member of what a mixin is given to stand above: ``(Base) => class extends Base``."""
    found: Values = NONE
    for cls in mro(solver, below):
        symbol = solver.facts(cls[1]).symbols[cls[2]] if cls[0] == "c" else None
        if symbol is None or not symbol.parent or not symbol.bases:
            continue
        for expr in symbol.bases:
            if expr[0] == "name" and _is_parameter(solver, cls[1], symbol.parent, expr[1]):
                for base in solver.equations["="](solver, cls[1], symbol.parent, expr):
                    if base[0] == "c" and base != cls:
                        raw = solver.get(("A", base[1], base[2], name))
                        found |= bound(solver, raw, value)
                        if not raw and depth:
                            found |= _of_given_base(solver, value, base, name, depth - 1)
    return found


def _is_parameter(solver: "Solver", document_id: str, scope: int, name: str) -> bool:
    scopes = solver.scopes(document_id)
    home = scopes.home(solver.facts(document_id), scope, name)
    return home >= 0 and any(one.how == "parameter" for one in scopes.bound[home][name])


def _answered(solver: "Solver", value: Value, name: str) -> Values | None:
    """What an object of Python, or the class of a class, has under any name; None when nothing."""
    cls = ("c", value[1], value[2])
    if name == "__class__":
        return frozenset({("k" if value[0] == "s" else "c", value[1], value[2])})
    if name == "__dict__":
        return frozenset({by_name(value)})
    if value[0] in "is":
        if name == "_replace" and "record" in solver.facts(value[1]).symbols[value[2]].modifiers:
            return frozenset({("b", value, name)})
        if name != "__getattr__" and binds(solver, cls, "__getattr__"):
            getter = solver.get(("A", value[1], value[2], "__getattr__"))
            found = NONE.union(*(returned(solver, one, value) for one in getter))
            return found | delegated(solver, getter, name)
        return None
    if name == "__getitem__" and binds(solver, cls, "__class_getitem__"):
        found = solver.get(("A", value[1], value[2], "__class_getitem__"))
        return frozenset(("m", one, value) for one in found if one[0] == "f")
    meta = metaclass(solver, cls)
    if meta is None or meta == cls:
        return None
    found = solver.get(("A", meta[1], meta[2], name))
    return frozenset(("m", one, value) if one[0] == "f" else one for one in found)


def bound(solver: "Solver", raw: Values, receiver: Value) -> Values:
    """Members as seen through an object or class: methods are bound, properties read."""
    found: set[Value] = set()
    more: Values = NONE
    for one in raw:
        if one[0] == "f":
            symbol = solver.facts(one[1]).symbols[one[2]]
            modifiers = symbol.modifiers
            if is_read(symbol.kind, modifiers) and symbol.name != INDEXER:
                is_instance = receiver[0] in "isG" or bool(modifiers & {"classmethod", "static"})
                more |= returned(solver, one, receiver) if is_instance else frozenset({one})
            elif "static" in modifiers:
                is_script = receiver[0] in "ck" and solver.facts(one[1]).language in SCRIPTS
                found.add(("m", one, receiver) if is_script else one)
            elif "classmethod" in modifiers:
                cls = ("c", *receiver[1:]) if receiver[0] in "ic" else receiver
                found.add(("m", one, ("k", *cls[1:]) if cls[0] == "s" else cls))
            elif receiver[0] in "isG":
                found.add(("m", one, receiver))
            else:
                found.add(one)
        elif one[0] == "i" and receiver[0] in "isck":
            more |= _described(solver, one)
        elif one[0] == "d":
            is_instance = receiver[0] in "isG"
            more |= returned(solver, one[1], receiver) if is_instance else frozenset({one})
        else:
            found.add(one)
    return more | found


def is_read(kind: str, modifiers: frozenset[str]) -> bool:
    """Whether naming it calls it."""
    return kind == "Property" or "property" in modifiers or "getter" in modifiers


def _described(solver: "Solver", one: Value) -> Values:
    """A member that says itself what reading it gives."""
    if solver.facts(one[1]).language != PYTHON:
        return frozenset({one})
    if not binds(solver, ("c", one[1], one[2]), "__get__"):
        return frozenset({one})
    getter = solver.get(("A", one[1], one[2], "__get__"))
    return NONE.union(*(returned(solver, get, one) for get in getter if get[0] == "f"))


def class_member(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """Equation A: what the classes in line say of a name, the nearest first."""
    found: Values = NONE
    facts = solver.facts(document_id)
    is_overloaded = facts.language in MEMBERS_IN_SCOPE
    nearer: list[Symbol | None] = []
    for cls in mro(solver, ("c", document_id, number)):
        if cls[0] != "c" or not has_member(solver, cls, name):
            continue
        here = solver.get(("V", cls[1], cls[2], name))
        if facts.language == "go":
            here |= frozenset(("f", *one) for one in methods_elsewhere(solver, cls, name))
        if not is_overloaded:
            return here
        found |= frozenset(one for one in here if not _is_hidden(solver, one, nearer))
        nearer += _written(solver, cls, name)
    return found


def _written(solver: "Solver", cls: Value, name: str) -> list[Symbol | None]:
    """Members of a name as they are written; None of what is no function."""
    symbols = solver.facts(cls[1]).symbols
    binders = solver.scopes(cls[1]).bound[cls[2]].get(name, ())
    known = [symbols[one.number] if one.how == "symbol" else None for one in binders]
    return [one if one and one.kind in FUNCTIONS else None for one in known]


def _is_hidden(solver: "Solver", value: Value, nearer: list[Symbol | None]) -> bool:
    """Whether a class further below has the same in its place."""
    if value[0] != "f":
        return None in nearer
    symbols = solver.facts(value[1]).symbols
    return is_hidden((one for one in nearer if one is not None), symbols, value[2])


def object_member(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """Equation B: what objects of a class were given under a name, by any class in line."""
    found: Values = NONE
    home = solver.home
    for cls in mro(solver, ("c", document_id, number)):
        if cls[0] == "c":
            may_be_given = solver.is_whole or cls[1] == home
            if may_be_given or name in solver.scopes(cls[1]).own.get(cls[2], ()):
                found |= solver.get(("F", cls[1], cls[2], name))
    return found


def member_below(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """Equation Z: what classes below a class have in place of a member that is not a function.

    The object a method runs on may be one of theirs: ``form_class = OrderForm``.
    """
    own = ("c", document_id, number)
    found: Values = NONE
    for cls in solver.equations["below"](solver, own, name):
        here = solver.get(("V", cls[1], cls[2], name))
        found |= frozenset(one for one in here if one[0] != "f")
    return found


def above(solver: "Solver", value: Value) -> tuple[Value, ...]:
    """The classes that come after one in the line of an object."""
    _, document_id, number, receiver = value
    own = ("c", document_id, number)
    line = mro(solver, own)
    if receiver[0] in "isck":
        longer = mro(solver, ("c", receiver[1], receiver[2]))
        line = longer if own in longer else line
    return line[line.index(own) + 1 :]


def _of_super(solver: "Solver", value: Value, name: str) -> Values:
    """A member of the classes that come after one in the line of an object."""
    receiver = value[3]
    for cls in above(solver, value):
        if cls[0] == "x":
            given = _of_given_base(solver, receiver, ("c", value[1], value[2]), name)
            return given | {("y", f"{cls[1]}.{name}")}
        if name in solver.scopes(cls[1]).bound[cls[2]]:
            return bound(solver, solver.get(("V", cls[1], cls[2], name)), receiver)
    return NONE


def _of_generic(solver: "Solver", value: Value, name: str) -> Values:
    base = value[1]
    if base[0] in "is":
        found = bound(solver, solver.get(("A", base[1], base[2], name)), value) | solver.get(
            ("B", base[1], base[2], name)
        )
        if not found and not binds(solver, base, name):
            return extensions(solver, value, name)
        has_types = any(one[0] == "t" for one in found)  # of fields; methods put theirs in at calls
        return substituted(solver, found, base, value, nothing_given) if has_types else found
    if base[0] in "ck":
        return _attribute(solver, base, name)
    if name in _HELD and value[2]:
        return frozenset(value[2][-1])
    return extensions(solver, value, name) or frozenset({("b", value, name)})


def _of_function(solver: "Solver", value: Value, name: str) -> Values:
    function = value[1] if value[0] in "mp" else value
    function = function[1] if function[0] == "m" else function
    if function[0] != "f":
        return NONE
    if solver.facts(function[1]).language in MEMBERS_IN_SCOPE:
        return frozenset({value})  # ``run``, ``apply``, ``Invoke``: whatever its interface says
    if name == "register" and is_dispatched(solver, function):
        return frozenset({("b", function, name)})
    if name in ("call", "apply", "bind") and solver.facts(function[1]).language in SCRIPTS:
        return frozenset({("b", value, name)})
    if name == "__call__":
        return frozenset({value})
    if name == "prototype":
        return frozenset({function})
    return solver.get(("F", function[1], function[2], name))


def _of_container(solver: "Solver", value: Value, name: str) -> Values:
    language = solver.facts(value[1]).language
    if language == PYTHON and name not in OF_BUILT_IN:
        return NONE
    method: Values = frozenset({("b", value, name)})
    if value[0] != "l" or (language not in SCRIPTS and language not in ("go", "csharp")):
        return method
    expr: Expr = solver.sites[value[2]][2] if isinstance(value[2], int) else ("",)
    if language == "csharp" and expr[0] != "map":  # an object without a class
        return method
    is_promise = isinstance(value[2], tuple) and value[2][0] == "promise"
    if expr[0] == "seq" or is_promise or (not expr[0] and name in CONTAINER_METHODS):
        return method
    found = bound_in(solver, solver.get(("I", value[1], value[2], name)))
    keys = [key for key, _ in expr[1]] if expr[0] == "map" else []
    if name in keys:
        return found
    if _METHODS in keys:
        inner = solver.get(("I", value[1], value[2], _METHODS))
        for one in inner:
            if one[0] == "l" and name not in CONTAINER_METHODS:
                found |= solver.get(("I", one[1], one[2], name))
    return found | method


def bound_in(solver: "Solver", values: Values) -> Values:
    """Members of an object written out: getters are read."""
    found: Values = NONE
    for one in values:
        if one[0] == "d":
            found |= returned(solver, one[1], None)
            continue
        is_getter = one[0] == "f" and is_read(
            solver.facts(one[1]).symbols[one[2]].kind,
            solver.facts(one[1]).symbols[one[2]].modifiers,
        )
        found |= returned(solver, one, None) if is_getter else frozenset({one})
    return found


def _of_parameter(solver: "Solver", value: Value, name: str) -> Values:
    return attribute(solver, bound_of(solver, value), name)


def _unknown(_solver: "Solver", _value: Value, _name: str) -> Values:
    return UNKNOWN


_OTHERS = {
    "n": _of_space,
    "q": _of_space,
    "S": _of_super,
    "G": _of_generic,
    "f": _of_function,
    "m": _of_function,
    "p": _of_function,
    "l": _of_container,
    "g": _of_container,
    "t": _of_parameter,
    "?": _unknown,
}


def has_body(kind: str) -> bool:
    """Whether a symbol of this kind can be called."""
    return kind in FUNCTIONS
