"""Classes above classes, found without following values: names, imports and aliases only.

So the order of ancestors does not change while values are still flowing.
"""

from typing import TYPE_CHECKING, TypeAlias

from commonplace.domain.code import Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.imports import (
    REFERENCE,
    definitions,
    imported,
    is_space,
    member,
    named,
    starred,
)
from commonplace.link.code.names.scopes import CLASSES, FUNCTIONS, MEMBERS_IN_SCOPE
from commonplace.link.code.names.spaces import below, go_member, parts, space_of, wholes
from commonplace.link.code.values.values import NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

Seen: TypeAlias = frozenset[tuple[str, int, str]]
_NOBODY: Seen = frozenset()
_MOST_ANCESTORS = 200
_DEEPEST = 4  # bases found by members of classes that have bases found by members, and so on
_TYPES = CLASSES | {"Namespace", "Module"}


def static(
    solver: "Solver", document_id: str, scope: int, expr: Expr, seen: Seen = _NOBODY
) -> Values:
    """What an expression names, as far as that shows without following values."""
    kind = expr[0]
    if kind == "name":
        return _static_name(solver, document_id, scope, expr[1], seen)
    if kind == "attr":
        found: set[Value] = set()
        for base in static(solver, document_id, scope, expr[1], seen):
            found |= _static_member(solver, base, expr[2], seen)
        return frozenset(found)
    if kind == "generic":
        return of_arity(solver, static(solver, document_id, scope, expr[1], seen), len(expr[2]))
    if kind == "made":
        return frozenset({(_letter(solver, document_id, expr[1]), document_id, expr[1])})
    if kind == "one":
        return NONE.union(*(static(solver, document_id, scope, one, seen) for one in expr[1]))
    if kind == "call":
        return _static_call(solver, document_id, expr[1], seen)
    return NONE


def of_arity(solver: "Solver", values: Values, count: int) -> Values:
    """Of classes of one name those with so many type parameters, if there are any (C#)."""
    classes = [one for one in values if one[0] == "c"]
    if len(classes) < 2:
        return values
    fitting = {one for one in classes if len(_symbol(solver, one).type_parameters) == count}
    if not fitting:
        return values
    return frozenset(one for one in values if one[0] != "c" or one in fitting)


def _symbol(solver: "Solver", value: Value) -> Symbol:
    return solver.facts(value[1]).symbols[value[2]]


def _letter(solver: "Solver", document_id: str, number: int) -> str:
    return "f" if solver.facts(document_id).symbols[number].kind in FUNCTIONS else "c"


def _static_name(solver: "Solver", document_id: str, scope: int, name: str, seen: Seen) -> Values:
    facts = solver.facts(document_id)
    if facts.language in MEMBERS_IN_SCOPE:
        home = _type_home(solver, document_id, scope, name)
    else:
        home = solver.scopes(document_id).home(facts, scope, name)
    if home < 0:
        return free_types(solver, document_id, scope, name, seen)
    key = (document_id, home, name)
    if key in seen:
        return NONE
    return _bound(solver, document_id, home, name, seen | {key})


def _type_home(solver: "Solver", document_id: str, scope: int, name: str) -> int:
    """The scope that binds a name to a type: fields and constructors may have the same name."""
    facts = solver.facts(document_id)
    bound = solver.scopes(document_id).bound
    here = scope
    while True:
        for binder in bound[here].get(name, ()):
            if binder.how == "import":
                return here
            if binder.how == "symbol" and facts.symbols[binder.number].kind in _TYPES:
                return here
        if not here:
            return -1
        here = facts.symbols[here].parent


def _bound(solver: "Solver", document_id: str, home: int, name: str, seen: Seen) -> Values:
    solver.note(document_id)
    facts = solver.facts(document_id)
    found: set[Value] = set()
    is_typed = facts.language in MEMBERS_IN_SCOPE
    for binder in solver.scopes(document_id).bound[home].get(name, ()):
        if binder.how == "symbol":
            symbol = facts.symbols[binder.number]
            if is_typed and symbol.kind == "Constructor":
                continue
            if is_alias(solver, document_id, binder.number) and symbol.type is not None:
                found |= static(solver, document_id, home, symbol.type, seen)
            elif symbol.kind in CLASSES or symbol.kind in FUNCTIONS or symbol.kind == "Namespace":
                letter = "f" if symbol.kind in FUNCTIONS else "c"
                found.add((letter, document_id, binder.number))
            elif symbol.value is not None:
                found |= static(solver, document_id, home, symbol.value, seen)
        elif binder.how == "import":
            for one in imported(solver, document_id, facts.imports[binder.number]):
                found |= _followed(solver, one, seen)
        elif binder.how == "flow" and not binder.path:
            flow = facts.flows[binder.number]
            found |= static(solver, document_id, flow.scope, flow.value, seen)
    return frozenset(found)


def _followed(solver: "Solver", reference: Value, seen: Seen) -> Values:
    if reference[0] == REFERENCE:
        key = (reference[1], 0, reference[2])
        if key in seen:
            return NONE
        return _bound(solver, reference[1], 0, reference[2], seen | {key})
    if reference[0] == "via":
        _, document_id, inside, name = reference
        key = (document_id, 0, inside)
        if key in seen:
            return NONE
        bases_ = _bound(solver, document_id, 0, inside, seen | {key})
        return NONE.union(*(_static_member(solver, one, name, seen | {key}) for one in bases_))
    if reference[0] == "in":
        found: Values = frozenset({("c", reference[1], reference[2])})
        for name in reference[3]:
            found = NONE.union(*(_static_member(solver, one, name, seen) for one in found))
        return found
    return frozenset({reference})


def _static_member(solver: "Solver", base: Value, name: str, seen: Seen) -> Values:
    tag = base[0]
    if tag == "u":
        return NONE.union(*(_followed(solver, one, seen) for one in member(solver, base[1], name)))
    if tag == "x":
        return frozenset({("x", f"{base[1]}.{name}")})
    if tag in "nq":
        inside = below if tag == "n" else go_member
        return NONE.union(*(_followed(solver, one, seen) for one in inside(solver, base, name)))
    if tag == "c":
        for ancestor in mro(solver, base) if solver.level < _DEEPEST else (base,):
            if ancestor[0] == "c":
                found = _bound(solver, ancestor[1], ancestor[2], name, seen)
                if found:
                    return found
    return NONE


def _static_call(solver: "Solver", document_id: str, number: int, seen: Seen) -> Values:
    call = solver.facts(document_id).calls[number]
    key = (document_id, -1 - number, "")
    if key in seen:
        return NONE
    found: set[Value] = set()
    for callee in static(solver, document_id, call.scope, call.callee, seen | {key}):
        if callee[0] == "f":
            facts = solver.facts(callee[1])
            for flow in solver.scopes(callee[1]).results.get(callee[2], ()):
                value = facts.flows[flow].value
                found |= static(solver, callee[1], callee[2], value, seen | {key})
    return frozenset(found)


def free_types(
    solver: "Solver", document_id: str, scope: int, name: str, seen: Seen = _NOBODY
) -> Values:
    """What a name means that its file does not bind, as a type or module."""
    facts = solver.facts(document_id)
    if facts.language in MEMBERS_IN_SCOPE or facts.language == "go":
        inherited = _inherited_type(solver, document_id, scope, name, seen)
        known = inherited or package_names(solver, document_id, scope, name, seen)
        if not known and facts.language != "go":
            space = _space(solver, document_id, scope, name)
            return NONE if space is None else frozenset({("n", space)})
        return known
    found: set[Value] = set()
    here = scope
    while True:
        for number in solver.scopes(document_id).stars.get(here, ()):
            imported_ = facts.imports[number]
            for one in starred(solver, document_id, imported_, name, frozenset({document_id})):
                found |= _followed(solver, one, seen)
        if not here:
            return frozenset(found)
        here = facts.symbols[here].parent


def _space(solver: "Solver", document_id: str, scope: int, name: str) -> str | None:
    """The package or namespace a name is the beginning of; one of C# is seen from within others."""
    if is_space(solver.program, name):
        return name
    if solver.facts(document_id).language == "csharp":
        around = space_of(solver, document_id, scope)
        while around:
            if is_space(solver.program, f"{around}.{name}"):
                return f"{around}.{name}"
            around = around.rpartition(".")[0]
    return None


def _inherited_type(
    solver: "Solver", document_id: str, scope: int, name: str, seen: Seen
) -> Values:
    """A nested type of a superclass, by its bare name."""
    symbols = solver.facts(document_id).symbols
    here = scope
    key = (document_id, scope, name)
    if key in seen:
        return NONE
    while here:
        if symbols[here].kind in CLASSES:
            found = _static_member(solver, ("c", document_id, here), name, seen | {key})
            if found:
                return frozenset(one for one in found if one[0] == "c")
        here = symbols[here].parent
    return NONE


def package_names(
    solver: "Solver", document_id: str, scope: int, name: str, seen: Seen = _NOBODY
) -> Values:
    """What a bare name means by package, namespace or import of everything."""
    facts = solver.facts(document_id)
    table = definitions(solver.program)
    solver.note(f"name:{name}")
    space = space_of(solver, document_id, scope)
    found: set[Value] = set()
    while True:
        for place, is_type in table.get(space, {}).get(name, ()):
            found.add(("c" if is_type else "f", *place))
        if found or facts.language != "csharp" or not space:
            break
        space = space.rpartition(".")[0]
    if found:
        return frozenset(found)
    return _starred_names(solver, document_id, scope, name, seen)


def _starred_names(solver: "Solver", document_id: str, scope: int, name: str, seen: Seen) -> Values:
    """What came with an import of all of a package, namespace or class."""
    facts = solver.facts(document_id)
    table = definitions(solver.program)
    found: set[Value] = set()
    listed = wholes(solver, document_id, scope)
    for imported_ in listed:
        module = imported_.module
        if facts.language == "go":
            module = solver.modules.go.meant(solver.unit(document_id), module) or ""
        for place, is_type in table.get(module, {}).get(name, ()):
            found.add(("c" if is_type else "f", *place))
        if not found and module and facts.language != "go":
            for owner in named(solver, module):
                if owner[0] == "c":
                    found |= _static_member(solver, owner, name, seen)
    return frozenset(found)


def bases(solver: "Solver", cls: Value) -> tuple[Value, ...]:
    """The classes a class names as its bases, in order; of a library's, their names."""
    found: tuple[Value, ...] = solver.fixed(
        ("bases", solver.level, cls[1], cls[2]), lambda: _bases(solver, cls), ()
    )
    return found


def _bases(solver: "Solver", cls: Value) -> tuple[Value, ...]:
    """Members are looked up one level further: so a class may be named by a member of itself."""
    solver.level += 1
    try:
        return _named_bases(solver, cls)
    finally:
        solver.level -= 1


def _named_bases(solver: "Solver", cls: Value) -> tuple[Value, ...]:
    solver.note(cls[1])
    facts = solver.facts(cls[1])
    symbol = facts.symbols[cls[2]]
    listed: list[Value] = []
    for expr in (*symbol.bases, *symbol.interfaces):
        found = static(solver, cls[1], symbol.parent, expr)
        if expr[0] != "generic":
            found = of_arity(solver, found, 0)
        if not found and expr[0] in ("name", "attr", "generic"):
            found = frozenset({("x", _written(expr))})
        if expr[0] == "call":  # a mixin: what it makes stands above what it is given
            for argument in facts.calls[expr[1]].arguments:
                found |= static(solver, cls[1], symbol.parent, argument)
        if symbol.kind in FUNCTIONS:
            found = frozenset(("c", *one[1:]) if one[0] == "f" else one for one in found)
        listed.extend(one for one in sorted(found) if one[0] in "cx" and one != cls)
    return tuple(dict.fromkeys(listed))


def _written(expr: Expr) -> str:
    if expr[0] == "generic":
        return _written(expr[1])
    return f"{_written(expr[1])}.{expr[2]}" if expr[0] == "attr" else str(expr[-1])


def mro(solver: "Solver", cls: Value) -> tuple[Value, ...]:
    """A class and all above it, in the order members are looked up (C3).

    Where classes contradict one another, or are their own ancestors: depth first, each once.
    """
    key = ("mro", solver.level, cls[1], cls[2])
    known = solver.known(key)
    cls = ("c", cls[1], cls[2])
    found: tuple[Value, ...] = (
        solver.fixed(key, lambda: _mro(solver, cls), (cls,)) if known is None else known
    )
    return found


def _mro(solver: "Solver", cls: Value) -> tuple[Value, ...]:
    others, above = _next(solver, cls)
    first = (cls, *others)
    if not above:
        return first
    if solver.facts(cls[1]).language == "go":
        return (*first, *_shallow(solver, above, cls))[: _MOST_ANCESTORS + 1]
    around = _around(solver, cls)
    if around is not None:
        return tuple(dict.fromkeys((*first, *around)))[: _MOST_ANCESTORS + 1]
    lines = [list(mro(solver, one)) if one[0] == "c" else [one] for one in above]
    return (*first, *_merge([*lines, list(above)], cls))


def _shallow(solver: "Solver", above: tuple[Value, ...], cls: Value) -> list[Value]:
    """What a type of Go embeds, the shallowest first: there no class stands in line."""
    found = [one for one in above if one != cls]
    for one in found:  # grows
        if one[0] == "c":
            found.extend(each for each in _next(solver, one)[1] if each not in (*found, cls))
    return found


def _next(solver: "Solver", cls: Value) -> tuple[list[Value], tuple[Value, ...]]:
    """The other parts of a class, and what stands directly above it."""
    others = parts(solver, cls)
    if not others:
        return others, bases(solver, cls)
    above = (one for part in (cls, *others) for one in bases(solver, part))
    return others, tuple(dict.fromkeys(above))


def _around(solver: "Solver", cls: Value) -> list[Value] | None:
    """All above a class that is its own ancestor, depth first; None of others.

    Asked of the classes one by one, whoever is asked first: within a circle none comes first.
    """
    found: dict[Value, None] = {}
    is_circle = False
    waiting = list(reversed(_next(solver, cls)[1]))
    while waiting:
        one = waiting.pop()
        is_circle = is_circle or one == cls
        if one not in found and one != cls:
            found[one] = None
            if one[0] == "c":
                waiting += reversed(_next(solver, one)[1])
    return list(found) if is_circle else None


def is_alias(solver: "Solver", document_id: str, number: int) -> bool:
    """Whether a type is another name for one; with methods of its own it is a type itself."""
    symbol = solver.facts(document_id).symbols[number]
    if symbol.kind != "Type" or symbol.type is None:
        return False
    members = solver.scopes(document_id).bound[number].values()
    return not any(one.how == "symbol" for binders in members for one in binders)


def _merge(lines: list[list[Value]], cls: Value) -> list[Value]:
    merged: list[Value] = []
    everyone = list(dict.fromkeys(one for line in lines for one in line if one != cls))
    while any(lines) and len(merged) < _MOST_ANCESTORS:
        lines = [line for line in lines if line]
        tails = {one for line in lines for one in line[1:]}
        head = next((line[0] for line in lines if line[0] not in tails), None)
        if head is None:
            return everyone[:_MOST_ANCESTORS]
        merged.append(head)
        lines = [[one for one in line if one != head] for line in lines]
    return [one for one in merged if one != cls]
