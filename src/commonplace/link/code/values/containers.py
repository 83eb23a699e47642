"""Lists, dicts, tuples and objects: what is in them, by place or key."""

from typing import TYPE_CHECKING, Any

from commonplace.domain.expr import Expr
from commonplace.link.code.names.inherited import binds
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.values.invoke import returned
from commonplace.link.code.values.values import INDEXER, NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_ITERATORS = ("__iter__", "__aiter__", "[Symbol.iterator]", "[Symbol.asyncIterator]")
ANY = "*"
"""The key of what was put in at a place nobody knows."""
SPREAD = "**"
"""The key of mappings all of which was put in, each value under its own key."""
_MOST_ROWS = 16
"""Rows of a table that are told apart where all of them are meant."""
_MOST_EXPORTED = 16
"""Things of a module one of which is meant; of more nobody can tell."""
_BY_KEY = frozenset({"dict", "Dict", "Mapping", "defaultdict", "OrderedDict", "MutableMapping"})


def remember(solver: "Solver", document_id: str, scope: int, expr: Expr) -> Values:
    """A container by where it is written."""
    site = solver.number(expr)
    if site not in solver.sites:
        solver.sites[site] = (document_id, scope, expr)
    return frozenset({("l", document_id, site)})


def by_name(value: Value) -> Value:
    """What a module, class or object has, as a container: ``globals()``, ``C.__dict__``."""
    return ("l", value[1], ("members", value))


def promise_of(executor: Value) -> Value:
    """What a promise holds, by the function that fulfils it."""
    return ("l", executor[1], ("promise", executor[2]))


def descriptor_of(method: Value) -> Value:
    """What a decorator of the older kind is given of a method: ``descriptor.value``."""
    return ("l", method[1], ("descriptor", method[2]))


def put(solver: "Solver", container: Value, key: "int | str | None", values: Values) -> None:
    """Put values into a container."""
    if container[2].__class__ is tuple and container[2][0] == "descriptor":
        return  # what stood there before is asked for
    place = ANY if key is None else key
    solver.add(("I", container[1], container[2], place), values)
    solver.add(("I", container[1], container[2], None), values)


def spread(solver: "Solver", container: Value, values: Values) -> None:
    """Put all of these in: of mappings that are known, what they have under a key stays there."""
    held = frozenset(one for one in values if one[0] == "l")
    solver.add(("I", container[1], container[2], SPREAD), held)
    put(solver, container, None, elements(solver, values - held))


def contents(solver: "Solver", document_id: str, site: Any, key: Any) -> Values:  # noqa: ANN401 - a key may be anything
    """Equation I: what a container has under a key; under None, all it has."""
    if key in (ANY, SPREAD):
        return NONE
    found = solver.get(("I", document_id, site, ANY))
    if not isinstance(site, int):
        if site[0] == "rest":
            found |= element(solver, solver.get(("I", document_id, site, SPREAD)), key)
        return found | _worked_out(solver, document_id, site, key)
    _, scope, expr = solver.sites[site]
    if expr[0] == "map":
        return found | _of_map(solver, (document_id, scope), expr[1], key)
    return found | _of_seq(solver, (document_id, scope), expr[2], key)


def _of_map(
    solver: "Solver",
    place: tuple[str, int],
    pairs: tuple[tuple[Any, Expr], ...],
    key: Any,  # noqa: ANN401 - as in the facts
) -> Values:
    found: Values = NONE
    exact: Values = NONE
    rows: Values = NONE
    if key is None and len(pairs) > _MOST_ROWS:
        rows, others = _rows(solver, place, tuple(expr for _, expr in pairs))
        pairs = tuple(one for one in pairs if one[1] in others) if rows else pairs
    named = [known for known, _ in pairs]
    for known, expr in pairs:
        if known is not None and known == key and type(known) is type(key):
            exact = _value(solver, place, expr)  # the last of a key counts
        elif key is None or known is None:
            if expr[0] == "made" and key in named and key is not None:
                continue  # ``[key]() {}`` is hardly what is written out beside it
            if expr[0] == "star":
                found |= element(solver, _value(solver, place, expr[1]), key)
            elif known is None and solver.facts(place[0]).language in SCRIPTS:
                found |= _spread(solver, _value(solver, place, expr), key)
            else:
                found |= _value(solver, place, expr)
    return found | exact | rows


def _rows(
    solver: "Solver", place: tuple[str, int], members: tuple[Expr, ...]
) -> tuple[Values, tuple[Expr, ...]]:
    """Of a table the rows as one, which has under a key what any of them has; and the rest.

    Where they are many: each for itself would soon be too many to tell (``values.MOST``).
    """
    if len(members) <= _MOST_ROWS:
        return NONE, members
    held: Values = NONE
    others: list[Expr] = []
    for expr in members:
        if expr[0] in ("seq", "map"):
            held |= remember(solver, *place, expr)
        else:
            others.append(expr)
    if len(held) <= _MOST_ROWS:
        return NONE, members
    rows = ("l", place[0], ("rows", tuple(sorted(one[2] for one in held))))
    return frozenset({rows}), tuple(others)


def _spread(solver: "Solver", values: Values, key: Any) -> Values:  # noqa: ANN401 - as above
    """``{...other}`` and ``{[key]: value}`` look the same: what is in it, and itself."""
    held = frozenset(one for one in values if one[0] == "l")
    return element(solver, held, key) | (values - held)


def _of_seq(
    solver: "Solver",
    place: tuple[str, int],
    members: tuple[Expr, ...],
    key: Any,  # noqa: ANN401 - as in the facts
) -> Values:
    if isinstance(key, int):
        spread = [number for number, one in enumerate(members) if one[0] == "star"]
        number = key if key >= 0 else len(members) + key
        is_known = 0 <= number < len(members) and (not spread or number < spread[0])
        if is_known and (key >= 0 or not spread):
            return _value(solver, place, members[number])
    found, others = _rows(solver, place, members)
    for one in others:
        if one[0] == "star":
            found |= elements(solver, _value(solver, place, one[1]))
        else:
            found |= _value(solver, place, one)
    return found


def _value(solver: "Solver", place: tuple[str, int], expr: Expr) -> Values:
    found: Values = solver.equations["="](solver, place[0], place[1], expr)
    return found


def _worked_out(
    solver: "Solver",
    document_id: str,
    site: "tuple[Any, ...]",
    key: Any,  # noqa: ANN401 - as above
) -> Values:
    kind = site[0]
    if kind == "tail":
        return _of_tail(solver, document_id, site, key)
    if kind == "rows":
        return NONE.union(*(solver.get(("I", document_id, one, key)) for one in site[1]))
    if kind == "step":  # ``{ value, done }``, which a generator of scripts gives
        return solver.get(("Y", document_id, site[1])) if key in (None, "value") else NONE
    if kind == "descriptor":
        is_method = key in (None, "value")
        return frozenset({("f", document_id, site[1])}) if is_method else NONE
    if kind == "members":
        named: Values = NONE
        if isinstance(key, str):
            named = solver.equations["attribute"](solver, frozenset({site[1]}), key)
        return named
    if kind in ("call", "pair", "settled"):
        found: Values = solver.equations["library"](solver, document_id, site, key)
        return found
    return NONE


def _of_tail(
    solver: "Solver",
    document_id: str,
    site: "tuple[Any, ...]",
    key: Any,  # noqa: ANN401 - as above
) -> Values:
    """What comes after the first elements of a container."""
    inner = site[1]
    if isinstance(key, int) and key >= 0:
        return solver.get(("I", document_id, inner, key + site[2]))
    if isinstance(inner, int) and solver.sites[inner][2][0] == "seq":
        places = range(site[2], len(solver.sites[inner][2][2]))
        every = (solver.get(("I", document_id, inner, one)) for one in places)
        return NONE.union(*every, solver.get(("I", document_id, inner, ANY)))
    return solver.get(("I", document_id, inner, None))


def elements(solver: "Solver", values: Values) -> Values:
    """What iterating over any of these gives, one at a time."""
    found: Values = NONE
    for one in values:
        found |= _elements(solver, one)
    return found


def _elements(solver: "Solver", value: Value) -> Values:
    tag = value[0]
    if tag == "l":
        return solver.get(("I", value[1], value[2], None))
    if tag == "g":
        return solver.get(("Y", value[1], value[2]))
    if tag == "G":
        return _of_generic(value, is_key=True)
    if tag in "is":
        return _iterated(solver, value)
    if tag in "ck":
        symbol = solver.facts(value[1]).symbols[value[2]]
        return frozenset({("i", *value[1:])}) if symbol.kind == "Enum" else NONE
    return frozenset({value}) if tag == "?" else NONE


def _iterated(solver: "Solver", value: Value) -> Values:
    found: Values = NONE
    cls = ("c", value[1], value[2])
    if not any(binds(solver, cls, name) for name in _ITERATORS):
        return _next(solver, value)
    for name in _ITERATORS:
        for function in solver.get(("A", value[1], value[2], name)):
            for iterator in returned(solver, function, value):
                if iterator[0] in "is":
                    found |= _next(solver, iterator)
                elif _has_next(solver, iterator):
                    for step in solver.get(("I", iterator[1], iterator[2], "next")):
                        found |= element(solver, returned(solver, step, None), "value")
                else:
                    found |= _elements(solver, iterator)
    return found


def _has_next(solver: "Solver", iterator: Value) -> bool:
    """Whether an object written out is an iterator: ``{ next() { return { value } } }``."""
    return iterator[0] == "l" and _has_key(solver, iterator, "next")


def _next(solver: "Solver", iterator: Value) -> Values:
    found: Values = NONE
    for name in ("__next__", "__anext__"):
        for function in solver.get(("A", iterator[1], iterator[2], name)):
            found |= returned(solver, function, iterator)
    return found


def _of_generic(value: Value, *, is_key: bool = False) -> Values:
    arguments = value[2]
    if not arguments:
        return NONE
    name = value[1][1].rpartition(".")[2] if value[1][0] == "o" else ""
    if name in ("tuple", "Tuple"):
        return NONE.union(*(frozenset(one) for one in arguments))
    if name in _BY_KEY:
        return frozenset(arguments[0] if is_key else arguments[-1])
    if name in ("Generator", "AsyncGenerator"):
        return frozenset(arguments[0])
    return frozenset(arguments[-1])


def element(
    solver: "Solver", values: Values, key: "int | str | None", *, is_unpacked: bool = False
) -> Values:
    """What any of these has under a key; None is a key nobody knows."""
    found: Values = NONE
    for one in values:
        tag = one[0]
        if tag == "l":
            is_free = isinstance(key, str) and key[:1] == "[" and not _has_key(solver, one, key)
            found |= solver.get(("I", one[1], one[2], None if is_free else key))
        elif tag == "G":
            found |= _generic_element(one, key)
        elif is_unpacked:
            found |= _elements(solver, one)
        elif tag in "is":
            is_csharp = solver.facts(one[1]).language == "csharp"
            method = INDEXER if is_csharp else "__getitem__"
            for function in solver.get(("A", one[1], one[2], method)):
                found |= returned(solver, function, one)
            if isinstance(key, str):
                found |= solver.get(("B", one[1], one[2], key))
        elif tag in "ck?f":
            found |= _of_class(solver, one)
    return found


def exported(solver: "Solver", document_id: str) -> Values:
    """All that a module of scripts has for others: ``handlers[kind]``."""
    solver.note(document_id)
    facts = solver.facts(document_id)
    if facts.language not in SCRIPTS:
        return NONE
    inside = {name for outside, name in facts.exports if outside not in ("=", "default")}
    inside |= {one.name for one in facts.symbols if not one.parent and "exported" in one.modifiers}
    if len(inside) > _MOST_EXPORTED:
        return NONE
    return NONE.union(*(solver.get(("V", document_id, 0, name)) for name in sorted(inside)))


def _of_class(solver: "Solver", value: Value) -> Values:
    """A class with something in brackets: itself, unless it says what that gives."""
    if value[0] not in "ck" or not binds(solver, ("c", *value[1:3]), "__class_getitem__"):
        return frozenset({value})
    functions = solver.get(("A", value[1], value[2], "__class_getitem__"))
    return NONE.union(*(returned(solver, one, value) for one in functions))


def _has_key(solver: "Solver", container: Value, key: str) -> bool:
    """Whether an object is written out with a key."""
    expr = solver.sites[container[2]][2] if isinstance(container[2], int) else None
    return expr is not None and expr[0] == "map" and any(one == key for one, _ in expr[1])


def _generic_element(value: Value, key: "int | str | None") -> Values:
    is_tuple = value[1][0] == "o" and value[1][1].rpartition(".")[2] in ("tuple", "Tuple")
    if is_tuple and isinstance(key, int) and 0 <= key < len(value[2]):
        return frozenset(value[2][key])
    return _of_generic(value)
