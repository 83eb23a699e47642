"""Functions and methods of the languages' own libraries through which values flow.

Only those that hand functions or objects on: ``map`` calls what it is given, ``list`` keeps what
it is given, ``partial`` remembers it. Of all others only the name is known.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.link.code.names.imports import module
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.values.containers import by_name, element, elements, promise_of
from commonplace.link.code.values.contents import MAKING, TAKING, result_of, unwrapped
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.getters import GETTERS
from commonplace.link.code.values.given import arguments, key_of, literal
from commonplace.link.code.values.invoke import returned
from commonplace.link.code.values.members import attribute
from commonplace.link.code.values.spelled import spelled
from commonplace.link.code.values.values import NONE, Value, Values, ordered, words

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

SHORTEST = 2
"""Letters a name must begin with to say anything."""
KEEPING = words(
    """builtins.list builtins.tuple builtins.set builtins.frozenset builtins.sorted
    builtins.reversed builtins.dict builtins.map builtins.filter builtins.zip
    builtins.enumerate collections.deque collections.OrderedDict collections.defaultdict
    itertools.chain itertools.chain.from_iterable itertools.islice itertools.cycle
    itertools.starmap Array.from Array.of Object.values Object.entries Object.assign Map Set
    WeakMap WeakSet Promise.all Promise.allSettled react.createContext react.useRef vue.ref
    vue.shallowRef
    queue.Queue queue.LifoQueue queue.SimpleQueue queue.PriorityQueue asyncio.Queue
    asyncio.PriorityQueue asyncio.LifoQueue
    concurrent.futures.ThreadPoolExecutor.map concurrent.futures.ProcessPoolExecutor.map
    asyncio.gather"""
)
"""Make a container of what they are given."""
SAME = words(
    """builtins.iter copy.copy copy.deepcopy asyncio.create_task asyncio.ensure_future
    asyncio.run asyncio.shield asyncio.wait_for builtins.aiter Promise.resolve Object.freeze
    Object.seal Object.create builtins.staticmethod builtins.classmethod functools.update_wrapper
    functools.wraps() structuredClone java.util.Objects.requireNonNull dataclasses.replace
    copy.replace functools.cmp_to_key react.useCallback
    Proxy util.promisify util.callbackify util.deprecate vue.reactive"""
)
"""Give back their first argument."""
GIVING_BACK = (".enter_context", ".submit", ".create_task", "PoolExecutor.map")
"""Methods of what a library made that give back something of what they are given."""
MAPPING = words(
    """map flatMap then mapToObj Select SelectMany thenApply thenCompose ContinueWith transform"""
)
"""Methods that give what the function they are given gives."""
_RUNNING_LATER = ("CompletableFuture.supplyAsync", "Task.Run", "Task.Factory.StartNew")
"""Functions that give later what the function they are given gives (Java, C#)."""
GETTING = words(
    """get pop popitem popleft setdefault __getitem__ __next__ next shift find at first last
    get_nowait findLast
    getOrDefault remove poll peek send First FirstOrDefault Single SingleOrDefault Last
    ElementAt Dequeue Pop Peek getFirst getLast orElse orElseThrow findFirst findAny elementAt"""
)
_GIVING = frozenset({"reduce", "reduceRight", "then"})
"""Methods that give what the function they are given gives."""
_ASSIGN = "Object.assign"
_NEW = frozenset({"items", "entries", "map", "flatMap"})
"""Methods that make another container."""
_JOINING = frozenset({"__or__", "__ror__", "__add__", "__radd__"})
"""Operators of Python that make one container of two: what is in either is in it."""
_CHAINED = frozenset({"concat", "add", "then", "catch", "finally"})
TYPED = frozenset({"java", "csharp"})
SELF = words(
    """ToList ToArray AsEnumerable Where OrderBy Take Skip Distinct values keys copy __iter__
    __aiter__ __enter__ filter slice sort reverse iterator stream toList collect sorted
    distinct limit"""
)


def library_result(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """What calling a thing of a library gives."""
    call = solver.facts(document_id).calls[number]
    if name in KEEPING:
        found = frozenset({("l", document_id, ("call", number))})
        return found | _given_members(solver, document_id, call) if name == _ASSIGN else found
    if name == "builtins.getattr":
        return _getattr(solver, document_id, call)
    if name.rpartition(".")[2] in TAKING and solver.facts(document_id).language in TYPED:
        return frozenset({("l", document_id, ("call", number))})
    if name.endswith(_RUNNING_LATER):
        given = arguments(solver, document_id, call, 0)
        inside = NONE.union(*(result_of(solver, one) for one in given))
        flat = NONE.union(*(_awaited(one) for one in inside))
        return frozenset({("G", ("o", "Task"), (ordered(flat),))})
    special = _SPECIAL.get(name)
    if special is not None:
        return special(solver, arguments(solver, document_id, call, 0), document_id, number)
    if name in SAME:
        return arguments(solver, document_id, call, 0)
    if name == "functools.wraps":
        return frozenset({("x", "functools.wraps()")})
    if name.endswith(GIVING_BACK):
        return _given_back(solver, document_id, number, name)
    return frozenset({("o", name)})


def _given_back(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """What a method gives back of what it is given: entered, called later, or as it is."""
    given = arguments(solver, document_id, solver.facts(document_id).calls[number], 0)
    if name.endswith(".enter_context"):
        return _entered(solver, given)
    if name.endswith(".submit"):
        inside = _called(solver, given, document_id, number)
        return frozenset({("G", ("o", "Future"), (ordered(inside),))})
    return given


def _given_members(solver: "Solver", document_id: str, call: Call) -> Values:
    """``Object.assign(f, members)`` gives back the function or object it adds them to."""
    return frozenset(one for one in arguments(solver, document_id, call, 0) if one[0] in "fmic")


def _awaited(value: Value) -> Values:
    """A task of a task is one of what that gives."""
    is_task = value[0] == "G" and value[1][0] == "o" and value[1][1].rpartition(".")[2] == "Task"
    return frozenset(value[2][-1]) if is_task and value[2] else frozenset({value})


def _next(solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    return elements(solver, given)


def _partial(_solver: "Solver", given: Values, document_id: str, number: int) -> Values:
    return frozenset(("p", one, document_id, number) for one in given if one[0] in "fmck")


def _type(solver: "Solver", given: Values, document_id: str, number: int) -> Values:
    call = solver.facts(document_id).calls[number]
    if len(call.arguments) == 3:  # a class made of others: what they make is near enough
        bases = elements(solver, arguments(solver, document_id, call, 1))
        return frozenset(one for one in bases if one[0] in "ck")
    if len(call.arguments) != 1:
        return NONE
    return frozenset((_CLASS[one[0]], one[1], one[2]) for one in given if one[0] in _CLASS)


def _property(solver: "Solver", given: Values, document_id: str, number: int) -> Values:
    """``property(get, set)``: the getter, with a setter where one is given."""
    call = solver.facts(document_id).calls[number]
    setters = arguments(solver, document_id, call, 1)
    for name, expr in call.keywords:
        if name == "fset":
            setters |= evaluate(solver, document_id, call.scope, expr)
    setting = ordered(frozenset(one for one in setters if one[0] == "f"))
    return frozenset(("d", one, *setting) for one in given if one[0] == "f")


def _getter(solver: "Solver", _given: Values, document_id: str, number: int) -> Values:
    """``methodcaller("name")``: a function that asks for a name."""
    call = solver.facts(document_id).calls[number]
    asked = literal(call.arguments[0]) if call.arguments else None
    kinds = sorted(one[1] for one in solver.get(("C", document_id, number)) if one[0] == "x")
    return frozenset(("v", GETTERS[one], asked) for one in kinds if one in GETTERS and asked)


def _bound_method(solver: "Solver", given: Values, document_id: str, number: int) -> Values:
    """``MethodType(function, object)``."""
    owners = arguments(solver, document_id, solver.facts(document_id).calls[number], 1)
    return frozenset(
        ("m", one, owner) for one in given if one[0] == "f" for owner in owners if owner[0] in "is"
    )


def _called(solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    return NONE.union(*(result_of(solver, one) for one in given))


def _reduced(solver: "Solver", given: Values, document_id: str, number: int) -> Values:
    """What the function gives back, or was given first."""
    call = solver.facts(document_id).calls[number]
    found = _called(solver, given, document_id, number)
    return found | arguments(solver, document_id, call, 2)


def _first_of(solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    inside = unwrapped(elements(solver, given))
    return frozenset({("G", ("o", "Promise"), (ordered(inside),))})


def _module(solver: "Solver", _given: Values, document_id: str, number: int) -> Values:
    """``import_module("a.b")``: a module of ours by its full name."""
    call = solver.facts(document_id).calls[number]
    dotted = literal(call.arguments[0]) if len(call.arguments) == 1 else None
    return NONE if dotted is None else frozenset({module(solver, document_id, dotted)})


def _globals(_solver: "Solver", _given: Values, document_id: str, _number: int) -> Values:
    return frozenset({by_name(("u", document_id))})


def _vars(_solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    return frozenset(by_name(one) for one in given if one[0] in "iscku")


def _promise(_solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    """``new Promise(executor)`` holds what the executor calls its first parameter with."""
    return frozenset(promise_of(one) for one in given if one[0] == "f")


def _made(_solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    return frozenset(("i", *one[1:]) for one in given if one[0] == "c")


def _nothing(_solver: "Solver", _given: Values, _document_id: str, _number: int) -> Values:
    return NONE


_SPECIAL = {
    "builtins.next": _next,
    "builtins.anext": _next,
    "builtins.min": _next,
    "builtins.max": _next,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "builtins.sum": _next,
    "functools.reduce": _reduced,
    "react.useMemo": _called,
    "react.useContext": _next,
    "Promise.race": _first_of,
    "Promise.any": _first_of,
    "heapq.heappop": _next,
    "heapq.heappushpop": _next,
    "heapq.heapreplace": _next,
    "random.choice": _next,
    "importlib.import_module": _module,
    "builtins.globals": _globals,
    "builtins.type": _type,
    "builtins.property": _property,
    "types.MethodType": _bound_method,
    **dict.fromkeys(GETTERS, _getter),
    "asyncio.to_thread": _called,
    "builtins.vars": _vars,
    "builtins.super": _nothing,
    "Promise": _promise,
    "Reflect.construct": _made,
    "@angular/core.inject": _made,
}
_CLASS = {"i": "c", "s": "k"}


def _entered(solver: "Solver", values: Values) -> Values:
    found: Values = NONE
    for one in values:
        if one[0] == "g":
            found |= solver.get(("Y", one[1], one[2]))
        elif one[0] in "is":
            for function in solver.get(("A", one[1], one[2], "__enter__")):
                found |= returned(solver, function, one)
    return found


def _getattr(solver: "Solver", document_id: str, call: Call) -> Values:
    if len(call.arguments) < 2:
        return NONE
    given = arguments(solver, document_id, call, 0)
    names = spelled(solver, document_id, call.scope, call.arguments[1])
    found = NONE.union(*(attribute(solver, given, key) for key in sorted(names.whole)))
    found |= frozenset(
        ("w", one, beginning)
        for beginning in names.beginnings
        if len(beginning) >= SHORTEST
        for one in given
        if one[0] in "is"
    )
    return found | arguments(solver, document_id, call, 2)


def method_result(solver: "Solver", document_id: str, number: int, value: Value) -> Values:
    """What a method of a container gives."""
    _, container, name = value
    call = solver.facts(document_id).calls[number]
    if container[0] in "fm":
        return _function_method(solver, document_id, number, value)
    if container[0] in "is":  # ``record._replace(…)``
        return frozenset({container})
    if container[0] == "G":
        return _generic_method(solver, document_id, call, value)
    if container[0] == "g":
        return _generator_method(solver, document_id, value)
    if name in _JOINING:
        more = arguments(solver, document_id, call, 0)
        return frozenset({container, *(one for one in more if one[0] == "l")})
    if name in MAKING:
        made = (result_of(solver, one) for one in arguments(solver, document_id, call, 1))
        return element(solver, frozenset({container}), key_of(call)).union(*made)
    if name in GETTING:
        key = key_of(call)
        found = element(solver, frozenset({container}), key)
        return found | (
            arguments(solver, document_id, call, 1) if len(call.arguments) > 1 else NONE
        )
    is_joined = name == "concat" and solver.facts(document_id).language in SCRIPTS
    if name in _NEW or is_joined:
        return frozenset({("l", document_id, ("call", number))})
    if name in _GIVING:
        start = arguments(solver, document_id, call, 1) if name != "then" else NONE
        return start.union(
            *(result_of(solver, one) for one in arguments(solver, document_id, call, 0))
        )
    return frozenset({container}) if name in SELF or name in _CHAINED else NONE


def _function_method(solver: "Solver", document_id: str, number: int, value: Value) -> Values:
    """``f.bind(…)``, ``f.call(…)``, ``f.register(…)``."""
    _, function, name = value
    if name == "register":
        return frozenset({value})
    if name != "bind":
        return result_of(solver, function)
    is_partial = len(solver.facts(document_id).calls[number].arguments) > 1
    return frozenset({("p", function, document_id, number) if is_partial else function})


def _generator_method(solver: "Solver", document_id: str, value: Value) -> Values:
    _, generator, name = value
    if name == "next" and solver.facts(document_id).language in SCRIPTS:
        return frozenset({("l", generator[1], ("step", generator[2]))})
    if name == "__iter__":
        return frozenset({generator})
    return solver.get(("Y", generator[1], generator[2]))


_OF_PAIRS: dict[str, Callable[..., tuple[Value, ...]]] = {
    "keys": lambda keys, _values: keys,
    "values": lambda _keys, values: values,
    "items": lambda keys, values: (("G", ("o", "tuple"), (keys, values)),),
}
"""What iterating over a mapping of declared types gives (Python)."""


def _generic_method(solver: "Solver", document_id: str, call: Call, value: Value) -> Values:
    """A method of a library's generic type: gives what is in it, or more of the same.

    One that maps gives what the function it is given gives.
    """
    _, container, name = value
    if container[1][0] == "o" and len(container[2]) == 2 and name in _OF_PAIRS:
        return frozenset({("G", ("o", "list"), (_OF_PAIRS[name](*container[2]),))})
    if name not in MAPPING:
        return NONE.union(*(frozenset(one) for one in container[2])) | {container}
    found: Values = NONE
    for place in range(len(call.arguments)):
        for one in arguments(solver, document_id, call, place):
            found |= result_of(solver, one)
    inner = found.union(*(frozenset(one[2][-1]) for one in found if one[0] == "G" and one[2]))
    return inner | {("G", container[1], (ordered(inner),))}
