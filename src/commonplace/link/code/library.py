"""Functions and methods of the languages' own libraries through which values flow.

Only those that hand functions or objects on: ``map`` calls what it is given, ``list`` keeps what
it is given, ``partial`` remembers it. Of all others only the name is known.
"""

from typing import TYPE_CHECKING, Any

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.containers import element, elements, put
from commonplace.link.code.evaluate import evaluate
from commonplace.link.code.invoke import returned
from commonplace.link.code.members import attribute
from commonplace.link.code.values import NONE, Value, Values, ordered, words

if TYPE_CHECKING:
    from commonplace.link.code.solver import Solver

SHORTEST = 3
"""Letters a name must begin with to say anything."""
KEEPING = words(
    """builtins.list builtins.tuple builtins.set builtins.frozenset builtins.sorted
    builtins.reversed builtins.dict builtins.map builtins.filter builtins.zip
    builtins.enumerate collections.deque collections.OrderedDict collections.defaultdict
    itertools.chain itertools.chain.from_iterable itertools.islice itertools.cycle
    itertools.starmap Array.from Array.of Object.values Object.entries Object.assign Map Set
    Promise.all Promise.allSettled"""
)
"""Make a container of what they are given."""
SAME = words(
    """builtins.iter copy.copy copy.deepcopy asyncio.create_task asyncio.ensure_future
    asyncio.run asyncio.shield asyncio.wait_for builtins.aiter Promise.resolve Object.freeze
    Object.seal builtins.staticmethod builtins.classmethod functools.update_wrapper
    functools.wraps() structuredClone java.util.Objects.requireNonNull"""
)
"""Give back their first argument."""
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
    }
)
PUTTING_ALL = frozenset({"extend", "update", "addAll", "concat"})
MAPPING = words(
    """map flatMap mapToObj Select SelectMany thenApply thenCompose ContinueWith transform"""
)
"""Methods that give what the function they are given gives."""
TAKING = words(
    """of ofNullable asList stream singletonList singleton copyOf unmodifiableList concat Range
    Repeat FromResult completedFuture just"""
)
"""Functions that make a collection of what they are given (Java, C#)."""
GETTING = words(
    """get pop popitem popleft setdefault __getitem__ __next__ next shift find at first last
    getOrDefault remove poll peek send First FirstOrDefault Single SingleOrDefault Last
    ElementAt Dequeue Pop Peek getFirst getLast orElse orElseThrow findFirst findAny elementAt"""
)
TYPED = frozenset({"java", "csharp"})
SELF = words(
    """ToList ToArray AsEnumerable Where OrderBy Take Skip Distinct values keys copy __iter__
    __aiter__ __enter__ filter slice sort reverse iterator stream toList collect sorted
    distinct limit"""
)


def arguments(solver: "Solver", document_id: str, call: Call, place: int) -> Values:
    """What a call gives at a place."""
    if place >= len(call.arguments):
        return NONE
    return evaluate(solver, document_id, call.scope, call.arguments[place])


def library_result(solver: "Solver", document_id: str, number: int, name: str) -> Values:
    """What calling a thing of a library gives."""
    call = solver.facts(document_id).calls[number]
    if name in KEEPING:
        return frozenset({("l", document_id, ("call", number))})
    if name == "builtins.getattr":
        return _getattr(solver, document_id, call)
    if name.rpartition(".")[2] in TAKING and solver.facts(document_id).language in TYPED:
        return frozenset({("l", document_id, ("call", number))})
    special = _SPECIAL.get(name)
    if special is not None:
        return special(solver, arguments(solver, document_id, call, 0), document_id, number)
    if name in SAME:
        return arguments(solver, document_id, call, 0)
    if name == "functools.wraps":
        return frozenset({("x", "functools.wraps()")})
    if name.endswith(".enter_context"):
        return _entered(solver, arguments(solver, document_id, call, 0))
    return frozenset({("o", name)})


def _next(solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    return elements(solver, given)


def _partial(_solver: "Solver", given: Values, document_id: str, number: int) -> Values:
    return frozenset(("p", one, document_id, number) for one in given if one[0] in "fmck")


def _type(solver: "Solver", given: Values, document_id: str, number: int) -> Values:
    if len(solver.facts(document_id).calls[number].arguments) != 1:
        return NONE
    return frozenset((_CLASS[one[0]], one[1], one[2]) for one in given if one[0] in _CLASS)


def _property(_solver: "Solver", given: Values, _document_id: str, _number: int) -> Values:
    return frozenset(("d", one) for one in given if one[0] == "f")


def _nothing(_solver: "Solver", _given: Values, _document_id: str, _number: int) -> Values:
    return NONE


_SPECIAL = {
    "builtins.next": _next,
    "builtins.anext": _next,
    "builtins.min": _next,
    "builtins.max": _next,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "builtins.type": _type,
    "builtins.property": _property,
    "builtins.vars": _nothing,
    "builtins.super": _nothing,
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
    key = literal(call.arguments[1])
    beginning = _beginning(call.arguments[1])
    found = NONE
    if key is not None:
        found = attribute(solver, arguments(solver, document_id, call, 0), key)
    elif len(beginning) >= SHORTEST:
        given = arguments(solver, document_id, call, 0)
        found = frozenset(("w", one, beginning) for one in given if one[0] in "is")
    return found | arguments(solver, document_id, call, 2)


def _beginning(expr: Expr) -> str:
    """How a string begins of which only the beginning is written out: ``f"visit_{kind}"``."""
    if expr[0] == "one":
        return next((found for one in expr[1] if (found := _beginning(one))), "")
    is_known = expr[0] == "text" and len(expr[1]) > 1
    first = expr[1][0] if is_known else ""
    if isinstance(first, tuple):  # a string within a string
        return literal(first) or _beginning(first)
    return first if isinstance(first, str) else ""


def literal(expr: Expr) -> str | None:
    """A string that is written out."""
    is_literal = expr[0] == "text" and len(expr[1]) == 1 and isinstance(expr[1][0], str)
    return str(expr[1][0]) if is_literal else None


def library_contents(
    solver: "Solver",
    document_id: str,
    site: "tuple[Any, ...]",
    key: Any,  # noqa: ANN401 - any key
) -> Values:
    """What a container made by a library's function has under a key."""
    call = solver.facts(document_id).calls[site[1]]
    name = callee_name(solver, document_id, site[1])
    if site[0] == "pair":
        return _pair(solver, document_id, site[1], name, key)
    last = name.rpartition(".")[2]
    if last in ("zip", "enumerate", "entries", "items"):
        return frozenset({("l", document_id, ("pair", site[1]))})
    if last in ("dict", "OrderedDict", "assign"):
        return _of_dict(solver, document_id, call, key)
    contents = _CONTENTS.get(last)
    if contents is not None:
        return contents(solver, document_id, call)
    if last in TAKING:
        return _taken(solver, document_id, call)
    given = arguments(solver, document_id, call, 0)
    if isinstance(key, int) and last in ("list", "tuple"):
        return element(solver, given, key, is_unpacked=True)
    return elements(solver, given)


def _of_filter(solver: "Solver", document_id: str, call: Call) -> Values:
    return elements(solver, arguments(solver, document_id, call, 1))


def _of_defaultdict(solver: "Solver", document_id: str, call: Call) -> Values:
    made = arguments(solver, document_id, call, 0)
    return NONE.union(*(returned(solver, one, None) for one in made), _instances(made))


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


def _applied(solver: "Solver", document_id: str, call: Call) -> Values:
    """What the functions given to ``map`` give back."""
    found: Values = NONE
    for one in arguments(solver, document_id, call, 0):
        found |= result_of(solver, one)
    return found


_CONTENTS = {
    "map": _applied,
    "starmap": _applied,
    "filter": _of_filter,
    "defaultdict": _of_defaultdict,
    "Map": _of_map,
    "all": _of_promises,
    "allSettled": _of_promises,
    "chain": _of_chain,
    "from_iterable": _of_chained,
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
        given = arguments(solver, document_id, call, place)
        found |= element(solver, frozenset(one for one in given if one[0] == "l"), key)
    return found


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


def method_result(solver: "Solver", document_id: str, number: int, value: Value) -> Values:
    """What a method of a container gives."""
    _, container, name = value
    call = solver.facts(document_id).calls[number]
    if container[0] in "fm":
        return frozenset({container}) if name == "bind" else result_of(solver, container)
    if container[0] == "G":
        return _generic_method(solver, document_id, call, value)
    if container[0] == "g":
        return (
            solver.get(("Y", container[1], container[2]))
            if name != "__iter__"
            else frozenset({container})
        )
    if name in GETTING:
        key = _key(call)
        found = element(solver, frozenset({container}), key)
        return found | (
            arguments(solver, document_id, call, 1) if len(call.arguments) > 1 else NONE
        )
    if name in SELF:
        return frozenset({container})
    if name == "items" or name == "entries":
        return frozenset({("l", document_id, ("call", number))})
    if name in ("map", "flatMap"):
        return frozenset({("l", document_id, ("call", number))})
    if name in ("reduce", "then"):
        return NONE.union(
            *(result_of(solver, one) for one in arguments(solver, document_id, call, 0))
        )
    return frozenset({container}) if name in ("concat", "add", "then") else NONE


def _generic_method(solver: "Solver", document_id: str, call: Call, value: Value) -> Values:
    """A method of a library's generic type: gives what is in it, or more of the same.

    One that maps gives what the function it is given gives.
    """
    _, container, name = value
    if name not in MAPPING:
        return NONE.union(*(frozenset(one) for one in container[2])) | {container}
    found: Values = NONE
    for place in range(len(call.arguments)):
        for one in arguments(solver, document_id, call, place):
            found |= result_of(solver, one)
    inner = found.union(*(frozenset(one[2][-1]) for one in found if one[0] == "G" and one[2]))
    return inner | {("G", container[1], (ordered(inner),))}


def _key(call: Call) -> "int | str | None":
    return literal(call.arguments[0]) if call.arguments else None


def keep(solver: "Solver", document_id: str, call: Call, value: Value) -> None:
    """Put what a call gives into the container whose method it calls."""
    if value[0] in "xy":
        if value[1] == "builtins.setattr" and len(call.arguments) == 3:
            _setattr(solver, document_id, call)
    elif value[1][0] == "l":
        _keep_inside(solver, document_id, call, value)


def _keep_inside(solver: "Solver", document_id: str, call: Call, value: Value) -> None:
    container, name = value[1], value[2]
    count = len(call.arguments)
    if name in PUTTING:
        for place in range(count):
            put(solver, container, None, arguments(solver, document_id, call, place))
    elif name == "insert" and count == 2:
        put(solver, container, None, arguments(solver, document_id, call, 1))
    elif name in ("setdefault", "set", "__setitem__") and count == 2:
        put(solver, container, _key(call), arguments(solver, document_id, call, 1))
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
