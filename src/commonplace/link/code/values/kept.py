"""Containers that are filled: what methods of a library put where."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.link.code.values.containers import elements, put
from commonplace.link.code.values.contents import MAKING, result_of
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.given import arguments, key_of, literal
from commonplace.link.code.values.values import NONE, Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

PUTTING = frozenset(
    {
        "Add",
        "Enqueue",
        "Push",
        "AddLast",
        "append",
        "add",
        "appendleft",
        "push",
        "unshift",
        "put",
        "offer",
        "addLast",
        "put_nowait",
    }
)
PUTTING_ALL = frozenset({"extend", "extendleft", "update", "addAll"})
_INTO_FIRST = frozenset(
    {"heapq.heappush", "heapq.heappushpop", "heapq.heapreplace", "bisect.insort"}
)
_ALL_INTO_FIRST = frozenset({"Object.assign", "Object.setPrototypeOf", "Reflect.setPrototypeOf"})


def keep(solver: "Solver", document_id: str, call: Call, value: Value) -> None:
    """Put what a call gives into the container whose method it calls."""
    if value[0] in "xy":
        if value[1] in _BY_THREE and len(call.arguments) == 3:
            _BY_THREE[value[1]](solver, document_id, call)
        elif value[1] == "Object.defineProperties" and len(call.arguments) == 2:
            _define_all(solver, document_id, call)
        elif value[1] in _INTO_FIRST:
            for one in arguments(solver, document_id, call, 0):
                if one[0] == "l":
                    put(solver, one, None, arguments(solver, document_id, call, 1))
        elif value[1] in _ALL_INTO_FIRST:
            _mix_in(solver, document_id, call)
    elif value[1][0] == "l" and value[2] == "Provider":
        _provide(solver, document_id, call, value[1])
    elif value[1][0] == "l":
        _keep_inside(solver, document_id, call, value)


def _provide(solver: "Solver", document_id: str, call: Call, context: Value) -> None:
    """``<Context.Provider value={x}>``: whoever uses the context gets it."""
    for one in arguments(solver, document_id, call, 0):
        if one[0] == "l":
            put(solver, context, None, solver.get(("I", one[1], one[2], "value")))


def _keep_inside(solver: "Solver", document_id: str, call: Call, value: Value) -> None:
    container, name = value[1], value[2]
    count = len(call.arguments)
    if name in PUTTING:
        for place in range(count):
            put(solver, container, None, arguments(solver, document_id, call, place))
    elif name == "insert" and count == 2:
        put(solver, container, None, arguments(solver, document_id, call, 1))
    elif name in MAKING:
        made = (result_of(solver, one) for one in arguments(solver, document_id, call, 1))
        put(solver, container, key_of(call), NONE.union(*made))
    elif name in ("setdefault", "set", "__setitem__") and count == 2:
        put(solver, container, key_of(call), arguments(solver, document_id, call, 1))
    elif name in PUTTING_ALL:
        for key, expr in call.keywords:
            put(solver, container, key, evaluate(solver, document_id, call.scope, expr))
        for place in range(count):
            for one in arguments(solver, document_id, call, place):
                _put_all(solver, container, one)


def _put_all(solver: "Solver", container: Value, given: Value) -> None:
    expr = solver.sites[given[2]][2] if given[0] == "l" and isinstance(given[2], int) else None
    if expr is not None and expr[0] == "map":
        for key, _ in expr[1]:
            if key is not None:
                put(solver, container, key, solver.get(("I", given[1], given[2], key)))
        return
    put(solver, container, None, elements(solver, frozenset({given})))


def _mix_in(solver: "Solver", document_id: str, call: Call) -> None:
    """``Object.assign(A.prototype, mixin)``: what the others have, the first has too."""
    for place in range(1, len(call.arguments)):
        for given in arguments(solver, document_id, call, place):
            for one in arguments(solver, document_id, call, 0):
                if one[0] == "l" and given[0] in "lis":
                    _put_all(solver, one, given)
                elif one[0] in "isckf":
                    _give_all(solver, one, given)


def _give_all(solver: "Solver", owner: Value, given: Value) -> None:
    """Members of an object written out become members of what a class makes."""
    for key in _keys(solver, given):
        solver.add(("F", owner[1], owner[2], key), solver.get(("I", given[1], given[2], key)))


def _derive(solver: "Solver", document_id: str, call: Call) -> None:
    """``type(name, bases, members)``: objects of the bases may have these methods."""
    for base in elements(solver, arguments(solver, document_id, call, 1)):
        for given in arguments(solver, document_id, call, 2) if base[0] == "c" else ():
            for key in _keys(solver, given):
                values = solver.get(("I", given[1], given[2], key))
                methods = (("m", one, ("i", *base[1:3])) for one in values if one[0] == "f")
                solver.add(("F", base[1], base[2], key), frozenset(methods))


def _keys(solver: "Solver", given: Value) -> list[str]:
    """The keys a mapping is written with."""
    expr = solver.sites[given[2]][2] if given[0] == "l" and isinstance(given[2], int) else None
    pairs = expr[1] if expr is not None and expr[0] == "map" else ()
    return [key for key, _ in pairs if isinstance(key, str)]


def _define(solver: "Solver", document_id: str, call: Call) -> None:
    """``Object.defineProperty(o, "name", { get, value })``."""
    key = literal(call.arguments[1])
    described = [one for one in arguments(solver, document_id, call, 2) if one[0] == "l"]
    if key is not None and described:
        _describe(solver, arguments(solver, document_id, call, 0), key, described)


def _define_all(solver: "Solver", document_id: str, call: Call) -> None:
    """``Object.defineProperties(o, { name: { get, value } })``."""
    objects = arguments(solver, document_id, call, 0)
    for given in arguments(solver, document_id, call, 1):
        expr = solver.sites[given[2]][2] if given[0] == "l" and isinstance(given[2], int) else None
        for key, _ in expr[1] if expr is not None and expr[0] == "map" else ():
            if isinstance(key, str):
                inside = solver.get(("I", given[1], given[2], key))
                _describe(solver, objects, key, [one for one in inside if one[0] == "l"])


def _describe(solver: "Solver", objects: Values, key: str, described: list[Value]) -> None:
    """A member of objects by what describes it."""
    values: Values = NONE
    for one in described:
        values |= solver.get(("I", one[1], one[2], "value"))
        getters = solver.get(("I", one[1], one[2], "get"))
        values |= frozenset(("d", getter) for getter in getters if getter[0] == "f")
    for one in objects:
        if one[0] == "l":
            put(solver, one, key, values)
        elif one[0] in "isckf":
            solver.add(("F", one[1], one[2], key), values)


def _setattr(solver: "Solver", document_id: str, call: Call) -> None:
    key = literal(call.arguments[1])
    if key is None:
        return
    values = arguments(solver, document_id, call, 2)
    for one in arguments(solver, document_id, call, 0):
        if one[0] in "isck":
            solver.add(("F", one[1], one[2], key), values)
        elif one[0] == "u":
            solver.add(("V", one[1], 0, key), values)


_BY_THREE = {
    "builtins.setattr": _setattr,
    "builtins.type": _derive,
    "Object.defineProperty": _define,
    "Reflect.defineProperty": _define,
}
"""What gives an object or class a member, told by three arguments."""
