"""How well an argument fits a parameter, as the compilers of Java and C# see it.

Exactly, by a wider number, as a subclass, in a box, as any object at all, or not.
"""

from typing import TYPE_CHECKING, NamedTuple

from commonplace.domain.code import Call, Parameter
from commonplace.domain.expr import Expr
from commonplace.link.code.names.declared import declared
from commonplace.link.code.names.hierarchy import mro, static
from commonplace.link.code.values.values import NONE, Value, Values, words

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

EXACT = 8
AGAINST = -20
"""What does not fit: more than all other arguments together can make good."""
_ANY = words("Object object dynamic")
_WIDER = {
    "byte": ("short", "int", "long", "float", "double", "decimal"),
    "short": ("int", "long", "float", "double", "decimal"),
    "char": ("int", "long", "float", "double"),
    "int": ("long", "float", "double", "decimal"),
    "long": ("float", "double", "decimal"),
    "float": ("double",),
    "str": ("CharSequence", "Comparable", "IEnumerable", "IComparable"),
    "ArrayList": ("List", "Collection", "Iterable"),
    "LinkedList": ("List", "Deque", "Queue", "Collection", "Iterable"),
    "HashSet": ("Set", "ISet", "Collection", "ICollection", "Iterable", "IEnumerable"),
    "TreeSet": ("SortedSet", "Set", "Collection", "Iterable"),
    "HashMap": ("Map",),
    "LinkedHashMap": ("Map",),
    "TreeMap": ("SortedMap", "Map"),
    "List": (
        *("IList", "IReadOnlyList", "ICollection", "IReadOnlyCollection", "IEnumerable"),
        *("Collection", "Iterable"),
    ),
    "Set": ("Collection", "Iterable"),
    "Dictionary": ("IDictionary", "IReadOnlyDictionary", "IEnumerable"),
    "Array": ("IList", "ICollection", "IEnumerable"),
}
"""What a value of a library's type is taken for too, the nearest first."""
_KNOWN = frozenset(_WIDER).union(*_WIDER.values(), ("bool", "double", "decimal"))
_BOXES = {
    **{"Integer": "int", "Long": "long", "Short": "short", "Byte": "byte", "Character": "char"},
    **{"Float": "float", "Double": "double", "Boolean": "bool"},
}
_SAME = {
    **{"String": "str", "string": "str", "boolean": "bool", "Int32": "int", "Int64": "long"},
    **{"uint": "int", "ulong": "long"},
}
_MEMBERS = {
    **dict.fromkeys(("length", "Length", "size", "Count", "count", "indexOf", "IndexOf"), "int"),
    **dict.fromkeys(("compareTo", "CompareTo", "hashCode", "GetHashCode", "ordinal"), "int"),
    **dict.fromkeys(("isEmpty", "equals", "Equals", "contains", "Contains", "Any", "All"), "bool"),
    **dict.fromkeys(("startsWith", "StartsWith", "endsWith", "EndsWith", "hasNext"), "bool"),
    **dict.fromkeys(("toString", "ToString", "substring", "Substring", "trim", "Trim"), "str"),
    **dict.fromkeys(("toUpperCase", "toLowerCase", "ToUpper", "ToLower", "replace"), "str"),
}
"""What members give that all of a library's types have alike."""
_SHAPES = {
    **dict.fromkeys(("Runnable", "Action"), (0, False)),
    **dict.fromkeys(("Callable", "Supplier", "Func", "BooleanSupplier", "IntSupplier"), (0, True)),
    **dict.fromkeys(("Consumer", "IntConsumer", "LongConsumer"), (1, False)),
    **dict.fromkeys(("Function", "Predicate", "UnaryOperator", "IntFunction"), (1, True)),
    **dict.fromkeys(("IntPredicate", "IntUnaryOperator", "ToIntFunction"), (1, True)),
    **dict.fromkeys(("BiFunction", "BiPredicate", "BinaryOperator", "Comparator"), (2, True)),
    **dict.fromkeys(("IntBinaryOperator", "Comparison"), (2, True)),
    **dict.fromkeys(("BiConsumer", "EventHandler"), (2, False)),
}
"""How much functions take that libraries ask for, and whether they give something."""


class Argument(NamedTuple):
    """What a call gives, and the types it has for a compiler."""

    document_id: str
    expr: Expr
    types: Values
    name: str = ""


def arguments_of(solver: "Solver", document_id: str, call: Call) -> list[Argument]:
    """What a call gives, in order, and then what it gives by name."""
    every = [("", expr) for expr in call.arguments] + list(call.keywords)
    return [
        Argument(document_id, expr, _types(solver, document_id, call.scope, expr), name)
        for name, expr in every
    ]


def fit(solver: "Solver", argument: Argument, function: Value, parameter: Parameter) -> int:
    """How well an argument fits; 0 where that is not known."""
    if parameter.type is None:
        return 0
    expr = argument.expr
    if expr[0] == "made":
        shaped = _shaped(solver, (argument.document_id, expr[1]), function, parameter.type)
        if shaped:
            return shaped
    given = argument.types
    is_null = expr == ("value", "none")
    if not given and not is_null:
        return 0
    wanted = declared(solver, function[1], function[2], parameter.type)
    if is_null:
        return _null(wanted, parameter.type)
    if not given.isdisjoint(wanted):
        return EXACT
    if all(one[0] in "lga?" for one in given):
        return 0
    if _last(parameter.type) in _ANY:
        return 1
    if any(one[0] == "t" for one in wanted):
        return EXACT - 1
    is_java = solver.facts(function[1]).language == "java"
    best = max(
        (
            _compatible(solver, _bare(one), _bare(other), is_java)
            for one in given
            for other in wanted
        ),
        default=0,
    )
    return best or (AGAINST if _is_known(given) and _is_known(wanted) else 0)


def _types(solver: "Solver", document_id: str, scope: int, argument: Expr) -> Values:
    """The types an argument has for a compiler: what is declared, not what flows there."""
    evaluate = solver.equations["="]
    values: Values = evaluate(solver, document_id, scope, argument)
    given = frozenset(_written_out(solver, one) for one in values if one[0] not in "yb")
    if given or (not values and argument[0] != "call"):
        return _widest(solver, given) if len(given) > 1 else given
    callee: Expr = argument
    if argument[0] == "call":
        callee = solver.facts(document_id).calls[argument[1]].callee
    known = _MEMBERS.get(callee[2]) if callee[0] == "attr" else None
    return NONE if known is None else frozenset({("o", known)})


def _written_out(solver: "Solver", value: Value) -> Value:
    """An array whose elements are written out is one."""
    if value[0] == "l" and isinstance(value[2], int) and solver.sites[value[2]][2][0] == "seq":
        return ("o", "Array")
    return value


def _widest(solver: "Solver", given: Values) -> Values:
    """Without objects of classes below others: a variable is what it is declared as."""
    classes = [("c", *one[1:3]) for one in given if one[0] in "is"]
    if len(classes) < 2:
        return given
    return frozenset(
        one
        for one in given
        if one[0] not in "is"
        or not any(
            other != ("c", *one[1:3]) and other in mro(solver, ("c", *one[1:3]))
            for other in classes
        )
    )


def _null(wanted: Values, type_: Expr) -> int:
    """``null`` goes to whatever is an object, the rather the less is that."""
    if _last(type_) in _ANY:
        return 1
    names = {_named(one[1]) for one in wanted if one[0] == "o"}
    is_number = bool(names & {"int", "long", "short", "byte", "char", "float", "double", "bool"})
    return AGAINST if is_number else 2


def _compatible(solver: "Solver", given: Value, wanted: Value, is_java: bool) -> int:
    if given == wanted:
        return EXACT
    if given[0] in "is":
        line = mro(solver, ("c", *given[1:3]))
        if wanted[0] in "is":
            own = ("c", *wanted[1:3])
            return 7 - min(line.index(own), 6) if own in line else 0
        names = {one[1].rpartition(".")[2] for one in line if one[0] == "x"}
        return 4 if wanted[0] == "o" and wanted[1].rpartition(".")[2] in names else 0
    if given[0] == "o" and wanted[0] == "o":
        return _named_alike(_named(given[1]), _named(wanted[1]), is_java)
    return 2 if given[0] in "fm" and wanted[0] not in "i" else 0


def _named_alike(narrow: str, wide: str, is_java: bool) -> int:
    boxed = (_BOXES.get(narrow, narrow), _BOXES.get(wide, wide))
    if narrow == wide or (not is_java and boxed[0] == boxed[1]):
        return EXACT
    if wide in _WIDER.get(narrow, ()):
        return max(3, 7 - _WIDER[narrow].index(wide))
    return 2 if boxed[0] == boxed[1] else 0


def _shaped(solver: "Solver", lambda_: tuple[str, int], function: Value, type_: Expr) -> int:
    """Whether a function written as an argument has the shape that is asked for; 0 not known."""
    shape = _shape(solver, function, type_)
    if shape is None:
        return 0
    facts = solver.facts(lambda_[0])
    results = solver.scopes(lambda_[0]).results.get(lambda_[1], ())
    if len(facts.symbols[lambda_[1]].parameters) != shape[0]:
        return AGAINST
    may_be_either = any(facts.flows[one].value[0] in ("call", "value") for one in results)
    is_plain = all(facts.flows[one].value[0] == "call" for one in results)
    if (shape[1] and not results) or (not shape[1] and results and not is_plain):
        return AGAINST
    return 3 if may_be_either else 4


def _shape(solver: "Solver", function: Value, type_: Expr) -> tuple[int, bool] | None:
    """How much a type of functions takes, and whether it gives something."""
    last = _last(type_)
    arguments = len(type_[2]) if type_[0] == "generic" else 0
    if last in ("Action", "Func"):
        return (
            (arguments - (last == "Func"), last == "Func")
            if arguments or last == "Action"
            else None
        )
    for one in static(solver, function[1], function[2], type_):
        symbol = solver.facts(one[1]).symbols[one[2]] if one[0] in "fc" else None
        if symbol is not None and symbol.kind == "Delegate":
            return len(symbol.parameters), symbol.type is not None
        if symbol is not None and symbol.kind == "Interface":
            return _only_method(solver, one)
    return _SHAPES.get(last)


def _only_method(solver: "Solver", cls: Value) -> tuple[int, bool] | None:
    symbols = solver.facts(cls[1]).symbols
    children = solver.program.units[cls[1]].children.get(cls[2], ())
    methods = [
        symbols[one]
        for one in children
        if symbols[one].kind == "Method"
        and symbols[one].modifiers.isdisjoint({"default", "static"})
        and symbols[one].visibility != "private"
    ]
    if len(methods) != 1:
        return None
    return len(methods[0].parameters), methods[0].type is not None


def _bare(value: Value) -> Value:
    found: Value = value[1] if value[0] == "G" else value
    return found


def _last(type_: Expr) -> str:
    while type_[0] == "generic":
        type_ = type_[1]
    return str(type_[-1]) if type_[0] in ("name", "attr") else ""


def _named(name: str) -> str:
    last = name.rpartition(".")[2]
    return _SAME.get(last, last)


def _is_known(values: Values) -> bool:
    """Whether these are types of which all is known that they can be taken for."""
    bare = [_bare(one) for one in values]
    return any(
        one[0] in "is" or (one[0] == "o" and _BOXES.get(_named(one[1]), _named(one[1])) in _KNOWN)
        for one in bare
    )
