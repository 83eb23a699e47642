"""Which of several methods of one name a call means: by how many arguments, then by their types."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from commonplace.domain.code import Call, Parameter, Symbol
from commonplace.link.code.names.hierarchy import mro
from commonplace.link.code.names.scopes import CLASSES, FUNCTIONS
from commonplace.link.code.names.signatures import is_hidden
from commonplace.link.code.names.spaces import global_usings
from commonplace.link.code.values.fits import EXACT, Argument, arguments_of, fit
from commonplace.link.code.values.invoke import initializers
from commonplace.link.code.values.values import Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver


_NEAR = 10
"""A call of a name within a function of that name mostly means another of its overloads: those stay
too that no argument contradicts."""


def fitting(solver: "Solver", document_id: str, number: int, values: Values) -> Values:
    """Of functions a call may mean those its arguments choose among the overloads of each.

    Each is judged for itself, by what is declared: what is found later changes nothing of it.
    """
    known: dict[Any, tuple[Value, ...]] = {}
    found = frozenset(one for one in values if _is_meant(solver, document_id, number, one, known))
    if len(found) < 2 or solver.facts(document_id).language != "csharp":
        return found
    return _visible(solver, document_id, number, found)


def _visible(solver: "Solver", document_id: str, number: int, values: Values) -> Values:
    """Without extensions of namespaces the file does not use, where others are at hand (C#).

    And without a method written for one interface alone where the object itself is asked.
    """
    callee = solver.facts(document_id).calls[number].callee
    is_own = callee[0] == "name" or (callee[0] == "attr" and callee[1][0] == "self")
    extending: set[Value] = set()
    hidden: set[Value] = set()
    for one in values:
        function = _function(one)
        if function is not None:
            modifiers = solver.facts(function[1]).symbols[function[2]].modifiers
            if "extension" in modifiers:
                extending.add(one)
                if not _is_used(solver, document_id, function[1]):
                    hidden.add(one)
            elif is_own and "explicit" in modifiers:
                hidden.add(one)
    if hidden == extending and len(values) == len(extending):
        return values
    return values - hidden


def _is_used(solver: "Solver", document_id: str, other: str) -> bool:
    """Whether a file sees what stands in the namespace of another."""
    space = solver.modules.space(solver.unit(other))
    around = solver.modules.space(solver.unit(document_id))
    if not space or f"{around}.".startswith(f"{space}."):
        return True
    imports = (*solver.facts(document_id).imports, *global_usings(solver))
    return any(one.name == "*" and one.module == space for one in imports)


def _is_meant(
    solver: "Solver",
    document_id: str,
    number: int,
    value: Value,
    known: dict[Any, tuple[Value, ...]],
) -> bool:
    """``known`` keeps what this call chooses of each set of overloads."""
    function = _function(value)
    if function is None:
        return True
    others = overloads(solver, value, function)
    if len(others) < 2:
        return True
    is_bound = value[0] == "m" or value[1][0] == "m"
    chosen = known.get((others, is_bound))
    if chosen is None:
        chosen = _chosen(solver, (document_id, number), others, is_bound)
        known[others, is_bound] = chosen
    return function in chosen


def _chosen(
    solver: "Solver", place: tuple[str, int], functions: tuple[Value, ...], is_bound: bool
) -> tuple[Value, ...]:
    """Those of the overloads that a call means."""
    document_id, number = place
    call = solver.facts(document_id).calls[number]
    taking = _taking(solver, call, functions, is_bound)
    if len(taking) < 2 or solver.is_plain:
        return taking
    key = ("fitting", document_id, is_bound, number, taking)
    best: tuple[Value, ...] = solver.fixed(key, lambda: _best(solver, key, call), taking)
    return best


def overloads(solver: "Solver", value: Value, function: Value) -> tuple[Value, ...]:
    """A function and those of its name in the classes it is looked up in."""
    symbols = solver.facts(function[1]).symbols
    symbol = symbols[function[2]]
    if "anonymous" in symbol.modifiers or symbols[symbol.parent].kind not in CLASSES:
        return (function,)
    own = ("c", function[1], symbol.parent)
    if symbol.kind == "Constructor":
        return tuple(sorted(initializers(solver, own)))
    receiver = value[2] if value[0] == "m" else own
    if receiver[0] == "G":
        receiver = receiver[1]
    cls = ("c", *receiver[1:3]) if receiver[0] in "iskc" else own
    found = _named(solver, cls, symbol.name)
    return found if function in found else _named(solver, own, symbol.name)  # an extension


def _named(solver: "Solver", cls: Value, name: str) -> tuple[Value, ...]:
    """Functions of a name in a class and above it; of those that take the same the nearest."""
    key = ("overloads", cls[1], cls[2], name)
    found: tuple[Value, ...] = solver.fixed(key, lambda: tuple(_listed(solver, cls, name)), ())
    return found


def _listed(solver: "Solver", cls: Value, name: str) -> Iterator[Value]:
    nearer: list[Symbol] = []
    for one in mro(solver, cls):
        if one[0] == "c":
            symbols = solver.facts(one[1]).symbols
            binders = solver.scopes(one[1]).bound[one[2]].get(name, ())
            numbers = [one.number for one in binders if one.how == "symbol"]
            here = [each for each in numbers if symbols[each].kind in FUNCTIONS]
            hidden = [each for each in here if is_hidden(nearer, symbols, each)]
            yield from (("f", one[1], each) for each in here if each not in hidden)
            nearer += [symbols[each] for each in here]


def _taking(
    solver: "Solver", call: Call, functions: tuple[Value, ...], is_bound: bool
) -> tuple[Value, ...]:
    """Those that take so many arguments; all when none seems to."""
    taking = [one for one in functions if takes(_parameters(solver, one, is_bound), call)]
    if call.callee[0] == "generic":
        typed = [one for one in taking if _typed_alike(solver, one, len(call.callee[2]))]
        taking = typed or taking
    return tuple(taking) or functions


def _typed_alike(solver: "Solver", function: Value, count: int) -> bool:
    return len(solver.facts(function[1]).symbols[function[2]].type_parameters) == count


def _parameters(solver: "Solver", function: Value, is_bound: bool) -> list[Parameter]:
    """What arguments go to: of an extension called as a function, what it extends too (C#)."""
    symbol = solver.facts(function[1]).symbols[function[2]]
    is_first = "extension" in symbol.modifiers and not is_bound
    flavours = (
        ("plain", "rest", "keyword", "receiver") if is_first else ("plain", "rest", "keyword")
    )
    return [one for one in symbol.parameters if one.flavour in flavours]


def _best(solver: "Solver", key: tuple[Any, ...], call: Call) -> tuple[Value, ...]:
    """Those whose types fit best what the arguments are as far as no overload decides it."""
    _, document_id, is_bound, _, functions = key
    scores = _scores(solver, (document_id, call), functions, is_bound)
    best = max(scores)
    own = ("f", document_id, call.scope)
    if own in functions and scores[functions.index(own)] == best:
        best -= _NEAR
    elif best > 0 and solver.facts(document_id).language == "csharp":
        near = _nearest(solver, functions, scores)
        return tuple(one for one, score in near if score == max(score for _, score in near))
    return tuple(one for one, score in zip(functions, scores, strict=True) if score >= best)


def _nearest(
    solver: "Solver", functions: tuple[Value, ...], scores: list[int]
) -> list[tuple[Value, int]]:
    """Of those that fit the ones of the class furthest below: C# looks no further up then."""
    listed = [one for one in zip(functions, scores, strict=True) if one[1] > 0]
    symbols = [solver.facts(one[1]).symbols[one[2]] for one, _ in listed]
    owners = [(one[0][1], symbol.parent) for one, symbol in zip(listed, symbols, strict=True)]
    own = [
        owner
        for owner, symbol in zip(owners, symbols, strict=True)
        if "override" not in symbol.modifiers
    ]
    first = own[0] if own else owners[0]
    return [one for one, owner in zip(listed, owners, strict=True) if owner == first] or listed


def _scores(
    solver: "Solver", place: tuple[str, Call], functions: tuple[Value, ...], is_bound: bool
) -> list[int]:
    document_id, call = place
    listed = [(one, _parameters(solver, one, is_bound)) for one in functions]

    def ask(plain: "Solver") -> list[int]:
        given = arguments_of(plain, document_id, call)
        return [_score(plain, call, given, *one) for one in listed]

    found: list[int] = solver.plainly(ask)
    return found


def made_by(solver: "Solver", document_id: str, call: Call, constructors: Values) -> Values:
    """Those of the constructors of a class that take these arguments; all when none seems to."""
    listed = _taking(solver, call, tuple(sorted(constructors)), True)
    scores = _scores(solver, (document_id, call), listed, True) if len(listed) > 1 else [0]
    best = max(scores)
    return frozenset(one for one, score in zip(listed, scores, strict=True) if score == best)


def _function(value: Value) -> Value | None:
    if value[0] in "mG":
        return _function(value[1])
    return value if value[0] == "f" else None


def takes(parameters: list[Parameter], call: Call) -> bool:
    """Whether a function with these parameters can be called with so many arguments, so named."""
    plain = [one for one in parameters if one.flavour != "rest"]
    count = len(call.arguments)
    if call.keywords:
        names = {name for name, _ in call.keywords}
        own = {one.name for one in plain[count:]}
        if not call.is_new and not names <= own:  # an initialiser sets what is no parameter
            return False
        plain = plain[:count] + [one for one in plain[count:] if one.name not in names]
    needed = sum(one.default is None for one in plain)
    return needed <= count and (len(plain) < len(parameters) or count <= len(plain))


def _score(
    solver: "Solver",
    call: Call,
    arguments: list[Argument],
    function: Value,
    parameters: list[Parameter],
) -> int:
    """How well arguments fit; one that takes any number comes behind all that fit without."""
    given = list(zip(arguments, parameters, strict=False))
    if call.keywords:
        by_name = {one.name: one for one in parameters}
        named = arguments[len(call.arguments) :]
        given = list(zip(arguments[: len(call.arguments)], parameters, strict=False))
        given += [(one, by_name[one.name]) for one in named if one.name in by_name]
    total = 0 if any(one.flavour == "rest" for one in parameters) else EXACT + 1
    total -= max(0, len(parameters) - len(given))  # what is left out takes its default
    total -= bool(solver.facts(function[1]).symbols[function[2]].type_parameters)
    for argument, parameter in given:
        found = fit(solver, argument, function, parameter)
        # That something extends what nobody knows is no better than that it takes any number.
        total += found if found or parameter.flavour != "receiver" else -1
    return total
