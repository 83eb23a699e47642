"""What containers hold that functions of a library made of what they were given."""

from typing import TYPE_CHECKING, Any

from commonplace.domain.code import Call
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.values.containers import element, elements
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.given import arguments
from commonplace.link.code.values.invoke import returned
from commonplace.link.code.values.values import NONE, Value, Values, words

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_FACTORIES = words("builtins.list builtins.dict builtins.set collections.deque")
TAKING = words(
    """of ofNullable asList stream singletonList singleton copyOf unmodifiableList concat Range
    Repeat FromResult completedFuture just WhenAll"""
)
"""Functions that make a collection of what they are given (Java, C#)."""
_PARTED = {
    **dict.fromkeys(("zip", "enumerate", "entries", "items"), "pair"),
    "allSettled": "settled",
}
"""Functions that make many small containers, by what these are: ``[key, value]``, ``{ value }``."""
PROVIDING = frozenset({"Provider", "Consumer"})
"""Components of a context of React: they are given what it holds, and are none of it."""
MAKING = frozenset({"computeIfAbsent", "GetOrAdd"})
"""Methods of maps that keep and give what the function they are given gives (Java, C#)."""


def library_contents(
    solver: "Solver",
    document_id: str,
    site: "tuple[Any, ...]",
    key: Any,  # noqa: ANN401 - any key
) -> Values:
    """What a container made by a library's function has under a key."""
    call = solver.facts(document_id).calls[site[1]]
    name = callee_name(solver, document_id, site[1])
    if site[0] != "call":
        return _parts(solver, document_id, site, name, key)
    last = name.rpartition(".")[2]
    if last in _PARTED:
        return frozenset({("l", document_id, (_PARTED[last], site[1]))})
    if last == "defaultdict":
        return _of_defaultdict(solver, document_id, site[1])
    if last in ("dict", "OrderedDict", "assign", "gather"):
        by_key = _gathered if last == "gather" else _of_dict
        return by_key(solver, document_id, call, key)
    if last == "concat" and solver.facts(document_id).language in SCRIPTS:
        return _concatenated(solver, document_id, site[1])
    if last == "createContext" and key in PROVIDING:
        return NONE
    contents = _CONTENTS.get(last)
    if contents is not None:
        return contents(solver, document_id, call)
    if last in TAKING:
        return _taken(solver, document_id, call)
    given = arguments(solver, document_id, call, 0)
    if isinstance(key, int) and last in ("list", "tuple"):
        return element(solver, given, key, is_unpacked=True)
    return elements(solver, given)


def _parts(
    solver: "Solver",
    document_id: str,
    site: "tuple[Any, ...]",
    name: str,
    key: Any,  # noqa: ANN401 - any key
) -> Values:
    """What is in each of the small containers a function of a library makes."""
    if site[0] == "pair":
        return _pair(solver, document_id, site[1], name, key)
    call = solver.facts(document_id).calls[site[1]]
    return _of_promises(solver, document_id, call) if key in (None, "value") else NONE


def _of_filter(solver: "Solver", document_id: str, call: Call) -> Values:
    return elements(solver, arguments(solver, document_id, call, 1))


def _of_defaultdict(solver: "Solver", document_id: str, number: int) -> Values:
    """What its factory makes: of a built-in container one, for all keys."""
    call = solver.facts(document_id).calls[number]
    made = arguments(solver, document_id, call, 0)
    found = NONE.union(*(returned(solver, one, None) for one in made), _instances(made))
    if any(one[0] == "x" and one[1] in _FACTORIES for one in made):
        found |= {("l", document_id, ("made", number))}
    return found


def factory(solver: "Solver", container: Value) -> Values:
    """What a ``defaultdict`` calls when it is asked for what it does not have."""
    site = container[2] if container[0] == "l" else None
    if not isinstance(site, tuple) or site[0] != "call":
        return NONE
    if callee_name(solver, container[1], site[1]).rpartition(".")[2] != "defaultdict":
        return NONE
    call = solver.facts(container[1]).calls[site[1]]
    made = arguments(solver, container[1], call, 0)
    return frozenset(one for one in made if one[0] in "fmc")


def _of_map(solver: "Solver", document_id: str, call: Call) -> Values:
    pairs = elements(solver, arguments(solver, document_id, call, 0))
    return element(solver, frozenset(one for one in pairs if one[0] == "l"), 1)


def _of_promises(solver: "Solver", document_id: str, call: Call) -> Values:
    return unwrapped(elements(solver, arguments(solver, document_id, call, 0)))


def _of_chain(solver: "Solver", document_id: str, call: Call) -> Values:
    every = (arguments(solver, document_id, call, n) for n in range(len(call.arguments)))
    return NONE.union(*(elements(solver, one) for one in every))


def _of_chained(solver: "Solver", document_id: str, call: Call) -> Values:
    return elements(solver, elements(solver, arguments(solver, document_id, call, 0)))


def unwrapped(values: Values) -> Values:
    """What is inside promises."""
    found: Values = NONE
    for one in values:
        is_promise = one[0] == "G" and one[1] == ("o", "Promise") and one[2]
        found |= frozenset(one[2][-1]) if is_promise else frozenset({one})
    return found


def _taken(solver: "Solver", document_id: str, call: Call) -> Values:
    """What is in the arguments that are collections, and the others themselves."""
    found: Values = NONE
    for place in range(len(call.arguments)):
        for one in arguments(solver, document_id, call, place):
            found |= elements(solver, frozenset({one})) if one[0] in "lG" else frozenset({one})
    return found


def _instances(values: Values) -> Values:
    return frozenset(("i", *one[1:]) for one in values if one[0] == "c")


def callee_name(solver: "Solver", document_id: str, number: int) -> str:
    """The library's name of what a call calls; of a container's method, its name."""
    for one in sorted(solver.get(("C", document_id, number)), key=repr):
        if one[0] in "xy":
            return str(one[1])
        if one[0] == "G" and one[1][0] == "x":
            return str(one[1][1])
        if one[0] == "b":
            return str(one[2])
    return ""


def _applied(solver: "Solver", document_id: str, call: Call, place: int = 0) -> Values:
    """What the functions given to ``map`` give back."""
    found: Values = NONE
    for one in arguments(solver, document_id, call, place):
        found |= result_of(solver, one)
    return found


def _from(solver: "Solver", document_id: str, call: Call) -> Values:
    """``Array.from(xs, f)``: what the function gives back, or the elements themselves."""
    if len(call.arguments) > 1:
        return _applied(solver, document_id, call, 1)
    return elements(solver, arguments(solver, document_id, call, 0))


def _concatenated(solver: "Solver", document_id: str, number: int) -> Values:
    """``xs.concat(ys, z)`` of scripts: what was in it, and in what it is given."""
    call = solver.facts(document_id).calls[number]
    owners = (one[1] for one in solver.get(("C", document_id, number)) if one[0] == "b")
    return elements(solver, frozenset(owners)) | _taken(solver, document_id, call)


def _of_context(solver: "Solver", document_id: str, call: Call) -> Values:
    """What is given itself: ``createContext(x)``, ``useRef(x).current``, ``ref(x).value``."""
    return arguments(solver, document_id, call, 0)


_CONTENTS = {
    "createContext": _of_context,
    "useRef": _of_context,
    "ref": _of_context,
    "shallowRef": _of_context,
    "map": _applied,
    "starmap": _applied,
    "filter": _of_filter,
    "Map": _of_map,
    "all": _of_promises,
    "chain": _of_chain,
    "from_iterable": _of_chained,
    "from": _from,
}


def result_of(solver: "Solver", value: Value) -> Values:
    """What calling a value gives when its arguments are not known."""
    if value[0] == "f":
        return returned(solver, value, None)
    if value[0] == "m":
        return returned(solver, value[1], value[2])
    if value[0] == "c":
        return frozenset({("i", *value[1:])})
    return NONE


def _of_dict(solver: "Solver", document_id: str, call: Call, key: Any) -> Values:  # noqa: ANN401 - any key
    found: Values = NONE
    for name, expr in call.keywords:
        if key in (None, name):
            found |= evaluate(solver, document_id, call.scope, expr)
    for place in range(len(call.arguments)):
        for one in arguments(solver, document_id, call, place):
            if one[0] == "l":
                found |= _of_pairs(solver, one, key)
    return found


def _gathered(solver: "Solver", document_id: str, call: Call, key: Any) -> Values:  # noqa: ANN401 - any key
    """``await gather(a, b)``: what each gives, at its place."""
    places = (key,) if isinstance(key, int) else range(len(call.arguments))
    return NONE.union(*(arguments(solver, document_id, call, one) for one in places))


def _of_pairs(solver: "Solver", given: Value, key: Any) -> Values:  # noqa: ANN401 - any key
    """What a mapping has under a key; of a list of pairs the second of each."""
    is_listed = isinstance(given[2], int) and solver.sites[given[2]][2][0] == "seq"
    is_zipped = not isinstance(given[2], int) and given[2][0] == "call"
    inside = elements(solver, frozenset({given})) if is_listed or is_zipped else NONE
    pairs = frozenset(one for one in inside if one[0] == "l" and _is_pair(solver, one))
    if pairs:
        return element(solver, pairs, 1)
    return element(solver, frozenset({given}), key)


def _is_pair(solver: "Solver", one: Value) -> bool:
    if not isinstance(one[2], int):
        return bool(one[2][0] == "pair")
    expr = solver.sites[one[2]][2]
    return bool(expr[0] == "seq" and len(expr[2]) == 2)


def _pair(solver: "Solver", document_id: str, number: int, name: str, key: Any) -> Values:  # noqa: ANN401 - any key
    call = solver.facts(document_id).calls[number]
    last = name.rpartition(".")[2]
    if last == "zip":
        places = range(len(call.arguments)) if key is None else (key,)
        every = (
            elements(solver, arguments(solver, document_id, call, place))
            for place in places
            if isinstance(place, int)
        )
        return NONE.union(*every)
    if key == 0:
        return NONE
    if last == "enumerate":
        return elements(solver, arguments(solver, document_id, call, 0))
    if last == "entries":
        return elements(solver, arguments(solver, document_id, call, 0))
    found: Values = NONE
    for one in solver.get(("C", document_id, number)):
        if one[0] == "b":
            found |= element(solver, frozenset({one[1]}), None)
    return found
