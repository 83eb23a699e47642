"""What a declared type says of a value: instances, with their type arguments."""

from itertools import chain
from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr
from commonplace.link.code.names.hierarchy import bases, mro, of_arity, static
from commonplace.link.code.names.modules import PYTHON
from commonplace.link.code.names.scopes import CLASSES, enclosing_class
from commonplace.link.code.values.values import NONE, Value, Values, ordered

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_OF_CLASSES = frozenset({"type", "Type", "Class", "ClassVar"})
_ANYTHING = frozenset({"Any", "object", "Object", "NoReturn", "Never", "any", "unknown", "never"})
_ASKED = frozenset({"ReturnType", "InstanceType", "Awaited"})
_TRANSPARENT = frozenset(
    {"Readonly", "Partial", "Required", "NonNullable", "Nullable", "Ref", "Pointer", "Annotated"}
)


def declared(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    """The instances a type allows."""
    found: Values = solver.fixed(
        ("type", document_id, scope, solver.number(expr)),
        lambda: _declared(solver, document_id, scope, expr),
        NONE,
    )
    for one in found:
        if one[0] == "Q":
            return NONE.union(*(_queried(solver, each) for each in found))
    return found


def _query(document_id: str, scope: int, expr: Expr) -> Values:
    """``typeof x``, or ``ReturnType<typeof x>``, still to be asked; none of another type."""
    asked: tuple[str, ...] = ()
    while expr[0] == "generic" and expr[1][-1] in _ASKED and expr[2]:
        asked = (expr[1][-1], *asked)
        expr = expr[2][0]
    return frozenset({("Q", document_id, scope, expr[1], asked)}) if expr[0] == "query" else NONE


def _queried(solver: "Solver", value: Value) -> Values:
    """What ``typeof x`` is, with what is asked of it: values are followed, types only named."""
    if value[0] != "Q":
        return frozenset({value})
    _, document_id, scope, expr, asked = value
    found: Values = solver.equations["="](solver, document_id, scope, expr)
    for word in asked:
        found = NONE.union(*(_asked(solver, word, one) for one in found))
    return found


def _asked(solver: "Solver", word: str, value: Value) -> Values:
    """``ReturnType``, ``InstanceType``, ``Awaited`` of a value."""
    if word == "ReturnType":
        function = value[1] if value[0] == "m" else value
        return solver.get(("R", *function[1:3])) if function[0] == "f" else NONE
    if word == "InstanceType":
        return frozenset({("i", value[1], value[2])}) if value[0] == "c" else NONE
    is_promise = value[0] == "G" and value[1] == ("o", "Promise") and value[2]
    return frozenset(value[2][-1]) if is_promise else frozenset({value})


def _declared(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    kind = expr[0]
    if kind in ("name", "attr"):
        return _named(solver, document_id, scope, expr)
    if kind == "generic":
        return _generic(solver, document_id, scope, expr)
    if kind in ("one", "seq"):
        members = expr[1] if kind == "one" else expr[2]
        return NONE.union(*(_declared(solver, document_id, scope, one) for one in members))
    if kind == "value" and expr[1] not in ("none", "unknown", ""):
        return frozenset({("o", expr[1])})
    if kind == "made":
        return frozenset({("i", document_id, expr[1])})
    if kind == "query":
        return _query(document_id, scope, expr)
    if kind == "map":  # the type of an object, member by member
        found: Values = solver.equations["="](solver, document_id, scope, expr)
        return found
    return NONE


def _named(
    solver: "Solver", document_id: str, scope: int, expr: Expr, arguments: int = 0
) -> Values:
    if expr[0] == "name":
        parameter = _parameter(solver, document_id, scope, expr[1])
        if parameter is not None:
            return parameter
    written = expr[1] if expr[0] == "name" else expr[2]
    if written in ("Self", "this"):
        owner = enclosing_class(solver.facts(document_id).symbols, scope)
        return NONE if owner is None else frozenset({("s", document_id, owner)})
    if written in _ANYTHING:
        return NONE
    classes = of_arity(solver, static(solver, document_id, scope, expr), arguments)
    found = {_instance(one) for one in classes}
    if not found:
        if expr[0] != "name":
            return NONE
        home = solver.scopes(document_id).home(solver.facts(document_id), scope, written)
        if home >= 0:  # ``T = TypeVar("T")`` is no type itself, ``Orders = list[Order]`` is
            return _alias(solver, document_id, home, written)
        return frozenset({("o", written)})
    return frozenset(one for one in found if one is not None)


def _alias(solver: "Solver", document_id: str, home: int, name: str) -> Values:
    """What a name of this file stands for that is set to a type."""
    facts = solver.facts(document_id)
    found: Values = NONE
    for binder in solver.scopes(document_id).bound[home][name]:
        symbol = facts.symbols[binder.number] if binder.how == "symbol" else None
        if symbol is None:
            continue
        if symbol.value is not None and symbol.value[0] in ("generic", "one"):
            found |= declared(solver, document_id, home, symbol.value)
        elif symbol.kind == "Type" and symbol.type is not None:
            found |= _query(document_id, home, symbol.type)
    return found


def _instance(value: Value) -> Value | None:
    if value[0] == "c":
        return ("i", value[1], value[2])
    return ("o", value[1]) if value[0] == "x" else None


def _parameter(solver: "Solver", document_id: str, scope: int, name: str) -> Values | None:
    """A type parameter stands for itself, and for its bound where nothing is known of it."""
    facts = solver.facts(document_id)
    scopes = solver.scopes(document_id)
    home = scopes.home(facts, scope, name)
    if home < 0:
        return None
    for binder in scopes.bound[home][name]:
        if binder.how == "type":
            return frozenset({("t", document_id, home, binder.number)})
    return None


def bound_of(solver: "Solver", value: Value) -> Values:
    """What is known of a type parameter without knowing what it stands for."""
    parameter = solver.facts(value[1]).symbols[value[2]].type_parameters[value[3]]
    if parameter.type is None:
        return _bound_elsewhere(solver, value[1], value[2], parameter.name)
    return declared(solver, value[1], value[2], parameter.type)


def _bound_elsewhere(solver: "Solver", document_id: str, scope: int, name: str) -> Values:
    """``T = TypeVar("T", bound=Order)``, of Python."""
    facts, scopes = solver.facts(document_id), solver.scopes(document_id)
    around = facts.symbols[scope].parent
    home = scopes.home(facts, around, name) if facts.language == PYTHON else -1
    found: Values = NONE
    for binder in scopes.bound[home].get(name, ()) if home >= 0 else ():
        value = facts.flows[binder.number].value if binder.how == "flow" else ("",)
        if value[0] == "call":
            for key, expr in facts.calls[value[1]].keywords:
                if key == "bound":
                    found |= declared(solver, document_id, home, expr)
    return found


def _generic(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    base, arguments = expr[1], expr[2]
    last = base[-1] if base[0] in ("name", "attr") else ""
    if last in _OF_CLASSES and arguments:
        found = _declared(solver, document_id, scope, arguments[0])
        return frozenset(("c", one[1], one[2]) for one in found if one[0] in "is")
    if last in _TRANSPARENT and arguments:
        return _declared(solver, document_id, scope, arguments[0])
    if last == "Literal":
        return NONE
    if last in _ASKED and arguments:
        return _query(document_id, scope, expr)
    given = tuple(ordered(_declared(solver, document_id, scope, one)) for one in arguments)
    if base[0] in ("name", "attr"):
        of_base = _named(solver, document_id, scope, base, len(arguments))
    else:
        of_base = _declared(solver, document_id, scope, base)
    return frozenset(("G", one, given) for one in of_base)


def arguments_for(solver: "Solver", receiver: Value, owner: Value) -> tuple[Values, ...] | None:
    """What the type parameters of a class stand for, seen from an instance of a class below."""
    if receiver[0] == "G":
        base = receiver[1]
        if base[0] in "is" and (base[1], base[2]) == (owner[1], owner[2]):
            return tuple(frozenset(one) for one in receiver[2])
        receiver = base
    if receiver[0] not in "iskc":
        return None
    return _inherited(solver, ("c", receiver[1], receiver[2]), owner, 8)


def _inherited(solver: "Solver", cls: Value, owner: Value, depth: int) -> tuple[Values, ...] | None:
    """``class A extends Repo<Order>``: what the base's arguments say."""
    if not depth or owner not in mro(solver, cls):
        return None
    symbol = solver.facts(cls[1]).symbols[cls[2]]
    for expr in chain(symbol.bases, symbol.interfaces):
        if expr[0] == "generic" and owner in static(solver, cls[1], symbol.parent, expr[1]):
            return tuple(declared(solver, cls[1], cls[2], one) for one in expr[2])
    for base in bases(solver, cls):
        if base[0] == "c" and base != cls:
            found = _inherited(solver, base, owner, depth - 1)
            if found is not None:
                return found
    return None


def is_class(solver: "Solver", document_id: str, number: int) -> bool:
    """Whether a symbol is a class or something like it."""
    return solver.facts(document_id).symbols[number].kind in CLASSES
