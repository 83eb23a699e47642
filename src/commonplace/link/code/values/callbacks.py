"""Functions and methods of libraries that call what they are given.

Whoever calls them calls it: ``sorted(key=f)`` runs ``f``, ``len(x)`` runs ``x.__len__``.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.hierarchy import mro
from commonplace.link.code.names.modules import DECLARING, PYTHON, SCRIPTS
from commonplace.link.code.names.scopes import MEMBERS_IN_SCOPE
from commonplace.link.code.values.containers import elements
from commonplace.link.code.values.contents import TAKING, factory
from commonplace.link.code.values.evaluate import evaluate
from commonplace.link.code.values.getters import run_by
from commonplace.link.code.values.given import arguments
from commonplace.link.code.values.handed import objects_called
from commonplace.link.code.values.values import NONE, Value, Values, words

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

FIRST_CALLED = {
    "builtins.map": 1,
    "builtins.filter": 1,
    "functools.reduce": None,
    "itertools.starmap": 1,
    "itertools.takewhile": 1,
    "itertools.dropwhile": 1,
    "builtins.iter": None,
    "setTimeout": None,
    "setInterval": None,
    "setImmediate": None,
    "queueMicrotask": None,
    "Array.from": None,
    "Reflect.construct": None,
    "atexit.register": None,
    "asyncio.to_thread": None,
    "functools.cmp_to_key": None,
    "timeit.timeit": None,
    "re.compile.sub": None,
    "re.compile.subn": None,
    **{
        f"concurrent.futures.{kind}PoolExecutor.map": 1
        for kind in ("Thread", "Process", "Interpreter")
    },
    **{
        f"{module}.Pool.{name}": 1
        for module in ("multiprocessing", "multiprocessing.pool")
        for name in (
            "map",
            "imap",
            "imap_unordered",
            "map_async",
            "starmap",
            "apply_async",
            "apply",
        )
    },
}
"""Call their first argument, with elements of the one at that place."""
_FROM = "Array.from"
SECOND_CALLED = frozenset({"re.sub", "re.subn", "itertools.groupby", _FROM}).union(
    ("signal.signal", "threading.Timer", "weakref.finalize")
)
KEY_CALLED = words(
    """builtins.sorted builtins.min builtins.max list.sort heapq.nlargest heapq.nsmallest
    itertools.groupby"""
)
TARGET_CALLED = frozenset({"threading.Thread", "multiprocessing.Process"})
OWN_CALLED: dict[str, tuple[str, ...]] = {
    "threading.Thread.start": ("run",),
    "multiprocessing.Process.start": ("run",),
    "json.JSONEncoder.encode": ("default",),
    "json.JSONEncoder.iterencode": ("default",),
    "unittest.TestCase.run": ("setUp", "tearDown"),
    "cmd.Cmd.onecmd": ("default", "emptyline", "precmd", "postcmd"),
    "html.parser.HTMLParser.feed": (
        *("handle_starttag", "handle_endtag", "handle_startendtag", "handle_data"),
        *("handle_comment", "handle_decl", "handle_pi", "handle_entityref", "handle_charref"),
    ),
    "logging.Handler.handle": ("emit",),
}
"""Methods of a library's class that call what a class of the program has in place of others."""
NOT_CALLING = words(
    """Add Enqueue Push AddLast append add appendleft push unshift put offer addLast extend update
    addAll concat set insert remove delete off removeListener removeEventListener indexOf includes
    contains setdefault has expect equal strictEqual deepEqual deepStrictEqual notEqual
    notStrictEqual toBe toEqual toStrictEqual toContain toHaveBeenCalledWith log warn error info
    debug print println Println stringify fmt Sprintf Printf"""
)
"""Functions and methods that keep or compare what they are given."""
_SILENT = words(
    """Array.isArray Array.of BigInt Boolean Map Number Promise.all Promise.allSettled Promise.any
    Promise.race Promise.reject Promise.resolve Proxy Set String Symbol WeakMap WeakRef WeakSet
    structuredClone react.createContext react.useContext react.useRef vue.reactive vue.ref
    vue.shallowRef"""
)
"""Functions of scripts that keep or look at what they are given, by their full names."""
_SILENT_OF = ("JSON.", "Math.", "Number.", "Object.", "Reflect.", "String.", "Symbol.", "console.")
_LOUD = frozenset({"Object.groupBy", "Reflect.apply", "Reflect.construct"})
_ASKING = re.compile(r"is[A-Z]")
"""How functions are called that say whether something is so: ``isEqual(f, g)``."""
KEEPING_METHODS = frozenset({"set", "add", "update", "put", "push", "remove", "delete", "insert"})
"""Of those the ones that keep as methods only: ``create((set) => … set((state) => …))`` calls."""
_ROUTING = frozenset({"put", "delete"})
"""Of those the ones that say what is called under a path: ``router.delete("/:id", remove)``."""
_LETTING_GO = ("unregister", "unsubscribe", "remove", "detach", "unhook", "unbind", "unlisten")
RUNNING = {
    ".submit": 0,
    ".run_in_executor": 1,
    ".call_soon": 0,
    ".call_soon_threadsafe": 0,
    ".call_later": 1,
    ".call_at": 1,
    ".add_done_callback": 0,
    "ExitStack.callback": 0,
}
"""Methods of what a library made that call the argument at a place."""
ENTERING = (".enter_context", ".enter_async_context")
LASTS = (*RUNNING, *ENTERING)
_ITERATING = ("__iter__", "__next__")
DUNDERS: dict[str, tuple[str, ...]] = {
    "builtins.len": ("__len__",),
    "builtins.str": ("__str__", "__repr__"),
    "builtins.print": ("__str__", "__repr__"),
    "builtins.repr": ("__repr__",),
    "builtins.bool": ("__bool__", "__len__"),
    "builtins.int": ("__int__",),
    "builtins.float": ("__float__",),
    "builtins.hash": ("__hash__",),
    "builtins.abs": ("__abs__",),
    "builtins.round": ("__round__",),
    "builtins.reversed": ("__reversed__",),
    "builtins.format": ("__format__", "__str__", "__repr__"),
    "builtins.bytes": ("__bytes__",),
    "builtins.next": ("__next__",),
    "builtins.anext": ("__anext__",),
    "builtins.iter": ("__iter__",),
    "copy.copy": ("__copy__",),
    "copy.deepcopy": ("__deepcopy__",),
    **{
        f"builtins.{name}": _ITERATING
        for name in ("list", "tuple", "set", "sorted", "sum", "min", "max", "any", "all", "zip")
    },
    "builtins.frozenset": _ITERATING,
    "builtins.enumerate": _ITERATING,
}
"""Functions that call a method of what they are given."""
EITHER = words("builtins.str builtins.print builtins.bool builtins.format")
"""Of these the first of the methods that an object has."""
OF_ELEMENTS: dict[str, tuple[str, ...]] = {
    "builtins.sorted": ("__lt__",),
    "builtins.min": ("__lt__",),
    "builtins.max": ("__gt__",),
    "builtins.sum": ("__radd__", "__add__"),
}
"""Functions that call a method of the elements of what they are given, where no key is."""
CALLING = words(
    """Select SelectMany Where ForEach Any All First FirstOrDefault Single Count Sum Max Min
    OrderBy OrderByDescending GroupBy Aggregate ToDictionary removeIf replaceAll merge compute
    computeIfPresent sorted takeWhile dropWhile collect toMap map filter forEach find
    findIndex findLast some every flatMap sort reduce reduceRight then catch finally anyMatch
    allMatch noneMatch mapToInt computeIfAbsent ifPresent peek from"""
)
"""Methods of containers that call what they are given with what is in them."""
REDUCE = "functools.reduce"
REDUCING = frozenset({"reduce", "reduceRight"})
HEARING = frozenset({"addEventListener", "addListener", "on", "once", "subscribe"})
"""Methods of whatever it is that call what they are given when something happens."""


def called_back(
    solver: "Solver", document_id: str, call: Call, value: Value
) -> Iterator[tuple[Value, Values]]:
    """The functions a library's function or method calls, and what it gives them."""
    if value[0] == "b":
        yield from _by_method(solver, document_id, call, value)
        return
    name = value[1]
    if name in FIRST_CALLED:
        yield from _first(solver, document_id, call, FIRST_CALLED[name])
    if name in DUNDERS:
        yield from _by_dunder(solver, call, arguments(solver, document_id, call, 0), name)
    if name in OWN_CALLED:
        yield from _methods(solver, _owner(solver, document_id, call), OWN_CALLED[name])
    if name in TARGET_CALLED:
        yield from _keyed(solver, document_id, call, "target", NONE)
    elif name.endswith(LASTS):
        yield from _by_last(solver, document_id, call, name)
    if solver.facts(document_id).language != PYTHON and name not in FIRST_CALLED:
        yield from _any(solver, document_id, call, name)
    if name in SECOND_CALLED:
        given = arguments(solver, document_id, call, 0) if name == _FROM else NONE
        inside = elements(solver, given)
        yield from ((one, inside) for one in arguments(solver, document_id, call, 1))
    if name in KEY_CALLED:
        inside = elements(solver, arguments(solver, document_id, call, 0))
        yield from _keyed(solver, document_id, call, "key", inside)


def _by_last(
    solver: "Solver", document_id: str, call: Call, name: str
) -> Iterator[tuple[Value, Values]]:
    """By the last of a dotted name: of whatever object it is a method."""
    if name.endswith(ENTERING):
        mark = "__a" if name.endswith(ENTERING[1]) else "__"
        names = (f"{mark}enter__", f"{mark}exit__")
        yield from _methods(solver, arguments(solver, document_id, call, 0), names)
        return
    place = next(RUNNING[one] for one in RUNNING if name.endswith(one))
    given = arguments(solver, document_id, call, place)
    yield from ((one, NONE) for one in given if one[0] in "fmp")


def may_call_back(language: str, value: Value) -> bool:
    """Whether a thing of a library may call what it is given; a no is sure."""
    return value[0] == "b" or language != PYTHON or _may_call_back(value[1])


@lru_cache(4096)
def _may_call_back(name: str) -> bool:
    """Of Python those that are known to; they are few, and asked about at every call."""
    tables = (FIRST_CALLED, DUNDERS, TARGET_CALLED, SECOND_CALLED, OWN_CALLED)
    is_known = any(name in one for one in tables)
    return is_known or name in KEY_CALLED or name.endswith(LASTS)


def surely(language: str, call: Call, value: Value) -> float:
    """How sure it is that a library calls what it is given, and that this is what it is given.

    ``iter(self.stream)``: what a member holds was followed. ``http.HandlerFunc(f)`` of Go makes
    another type of a function, to be called later. A function that is given by its name to who
    knows whom may only be kept; one that is written where it is given hardly is.
    """
    name, given = str(value[1]), call.arguments
    if language == "go" and len(given) == 1 and name.endswith("Func"):
        return 0.8
    if name in DUNDERS:
        return 0.85 if given and given[0][0] == "attr" else 0.9
    is_guess = value[0] != "b" and language != PYTHON and name not in FIRST_CALLED
    return 0.85 if is_guess and not any(one[0] == "made" for one in given) else 0.9


def _by_method(
    solver: "Solver", document_id: str, call: Call, value: Value
) -> Iterator[tuple[Value, Values]]:
    container, name = value[1], value[2]
    if container[0] in "fm":
        if name in ("call", "apply"):
            yield container, NONE
        return
    if container[0] in "is" or _is_kept(solver, document_id, call, name):
        return
    if name == "__getitem__":
        yield from ((one, NONE) for one in factory(solver, container))
    elif name in CALLING or container[0] == "G":
        is_reduced = name in REDUCING and solver.facts(document_id).language in SCRIPTS
        inside = NONE if is_reduced else elements(solver, frozenset({container}))
        if name in ("ContinueWith", "add_done_callback"):
            inside = frozenset({container})
        for place in range(len(call.arguments)):
            yield from ((one, inside) for one in _callable(solver, document_id, call, place))
        yield from _objects(solver, document_id, call, name, inside)
        if name == "sort":
            yield from _keyed(solver, document_id, call, "key", inside)
            if not call.keywords and solver.facts(document_id).language == PYTHON:
                yield from _methods(solver, inside, ("__lt__",))


def _objects(
    solver: "Solver", document_id: str, call: Call, name: str, inside: Values
) -> Iterator[tuple[Value, Values]]:
    """Methods of objects given to a container's method, and what tells the order of its own."""
    if solver.facts(document_id).language in DECLARING:
        given = [arguments(solver, document_id, call, one) for one in range(len(call.arguments))]
        yield from objects_called(solver, call, name, given, inside)


def _callable(solver: "Solver", document_id: str, call: Call, place: int) -> Iterator[Value]:
    """What is given at a place and can be called."""
    for one in arguments(solver, document_id, call, place):
        if one[0] in "fmp" or _is_maker(call.arguments[place], one):
            yield one


def _is_maker(expr: Expr, value: Value) -> bool:
    """Whether a class is given to make objects of it: ``Order::new``."""
    return bool(value[0] == "c" and expr[0] == "attr" and expr[2] == "new")


def _any(
    solver: "Solver", document_id: str, call: Call, name: str
) -> Iterator[tuple[Value, Values]]:
    """What is given to a library is called by it, unless it is only kept."""
    last = name.rpartition(".")[2]
    language = solver.facts(document_id).language
    if _is_kept(solver, document_id, call, last) or last.lower().startswith(_LETTING_GO):
        return
    if last in TAKING and language in MEMBERS_IN_SCOPE:
        return
    if language in DECLARING:
        yield from _handed(solver, document_id, call, name)
        return
    if _is_silent(name, last):
        return
    for place in range(len(call.arguments)):
        yield from ((one, NONE) for one in _callable(solver, document_id, call, place))
    for _, expr in call.keywords:
        for one in evaluate(solver, document_id, call.scope, expr):
            if one[0] in "fmp":
                yield one, NONE


@lru_cache(4096)
def _is_silent(name: str, last: str) -> bool:
    """Whether a function of scripts never calls what it is given."""
    if name in _SILENT or _ASKING.match(last):
        return True
    return name.startswith(_SILENT_OF) and name.count(".") == 1 and name not in _LOUD


def _is_kept(solver: "Solver", document_id: str, call: Call, name: str) -> bool:
    """Whether what is given is only kept; under a path of a server it is called."""
    is_script = solver.facts(document_id).language in SCRIPTS
    if name not in NOT_CALLING:
        is_key = name == "get" and len(call.arguments) == 1 and call.arguments[0][0] != "made"
        return is_script and (is_key or _is_silent(name, name))
    is_path = call.arguments[1:] and call.arguments[0][0] == "text"
    return not (name in _ROUTING and is_script and is_path)


def _handed(
    solver: "Solver", document_id: str, call: Call, name: str
) -> Iterator[tuple[Value, Values]]:
    """Functions and objects given to a library, with what is in the first thing it is given."""
    exprs = (*call.arguments, *(expr for _, expr in call.keywords))
    given = [evaluate(solver, document_id, call.scope, one) for one in exprs]
    found = [
        one
        for expr, values in zip(exprs, given, strict=True)
        for one in values
        if one[0] in "fmp" or _is_maker(expr, one)
    ]
    if found or any(one[0] in "isG" for values in given for one in values):
        inside = elements(solver, given[0])
        yield from ((one, inside) for one in found)
        yield from objects_called(solver, call, name, given, inside)


def _first(
    solver: "Solver", document_id: str, call: Call, place: int | None
) -> Iterator[tuple[Value, Values]]:
    inside = NONE
    if place is not None:
        inside = elements(solver, arguments(solver, document_id, call, place))
    for one in arguments(solver, document_id, call, 0):
        if one[0] == "v":
            yield from ((asked, NONE) for asked in run_by(solver, one, inside))
        else:
            yield one, inside


def _methods(
    solver: "Solver", values: Values, names: tuple[str, ...]
) -> Iterator[tuple[Value, Values]]:
    for one in values:
        if one[0] in "is":
            for name in names:
                for function in solver.get(("A", one[1], one[2], name)):
                    yield ("m", function, one), NONE


def _owner(solver: "Solver", document_id: str, call: Call) -> Values:
    """The object whose method is called."""
    callee = call.callee
    return evaluate(solver, document_id, call.scope, callee[1]) if callee[0] == "attr" else NONE


def _by_dunder(
    solver: "Solver", call: Call, given: Values, name: str
) -> Iterator[tuple[Value, Values]]:
    """Methods of what a built-in function is given, and of what is in that."""
    reader = _either if name in EITHER else _methods
    yield from reader(solver, given, DUNDERS[name])
    if name in OF_ELEMENTS and not call.keywords:
        yield from _methods(solver, elements(solver, given), OF_ELEMENTS[name])


def _either(
    solver: "Solver", values: Values, names: tuple[str, ...]
) -> Iterator[tuple[Value, Values]]:
    """The first of some methods that an object has; a library's class above has one of its own."""
    for one in values:
        if one[0] not in "is":
            continue
        for cls in mro(solver, ("c", one[1], one[2])):
            if cls[0] != "c":
                break
            has = [name for name in names if name in solver.scopes(cls[1]).bound[cls[2]]]
            if has:
                yield from _methods(solver, frozenset({one}), (has[0],))
                break


def _keyed(
    solver: "Solver", document_id: str, call: Call, wanted: str, inside: Values
) -> Iterator[tuple[Value, Values]]:
    for name, expr in call.keywords:
        if name == wanted:
            for one in evaluate(solver, document_id, call.scope, expr):
                if one[0] == "v":
                    yield from ((asked, NONE) for asked in run_by(solver, one, inside))
                else:
                    yield one, inside
