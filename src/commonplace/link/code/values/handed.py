"""Objects of the program given to libraries of Java, C# and Go, and the methods these call.

Whoever hands the object over calls them, as with functions: ``new Thread(job)`` runs ``job.run``.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.link.code.names.hierarchy import mro
from commonplace.link.code.values.values import Value, Values

if TYPE_CHECKING:
    from commonplace.link.code.values.solver import Solver

_ASKED = {
    "Runnable": "run",
    "Thread": "run",
    "Callable": "call",
    "Comparator": "compare",
    "Consumer": "accept",
    "BiConsumer": "accept",
    "Supplier": "get",
    "Function": "apply",
    "BiFunction": "apply",
    "UnaryOperator": "apply",
    "BinaryOperator": "apply",
    "Predicate": "test",
    "IComparer": "Compare",
    "IEqualityComparer": "Equals",
}
"""The method libraries call of what implements an interface of theirs."""
_SORTING = ("Len", "Less", "Swap")
_OF_GO = {
    **dict.fromkeys(("sort.Sort", "sort.Stable"), _SORTING),
    **{f"container/heap.{one}": _SORTING for one in ("Init", "Fix")},
    "container/heap.Push": (*_SORTING, "Push"),
    "container/heap.Pop": (*_SORTING, "Pop"),
}
_SERVING = frozenset({"Handle", "ListenAndServe", "ListenAndServeTLS", "Serve"})
_ORDERING = frozenset({"sort", "Sort", "sorted", "Order"})


def objects_called(
    solver: "Solver", call: Call, name: str, given: Sequence[Values], inside: Values
) -> Iterator[tuple[Value, Values]]:
    """Methods a library's function calls of objects it is given, or of elements it puts in order.

    With what it gives them: what is ``inside`` of what it works on.
    """
    for values in given:
        for one in values:
            bare = one[1] if one[0] == "G" else one
            if bare[0] in "is":
                for method in _methods(solver, bare, _names(solver, bare, name)):
                    yield method, inside
    count = 1 if name.endswith("Collections.sort") else 0
    if name.rpartition(".")[2] in _ORDERING and len(call.arguments) == count:
        for one in inside:
            if one[0] in "is":
                for method in _methods(solver, one, ("compareTo", "CompareTo")):
                    yield method, inside


def _names(solver: "Solver", value: Value, name: str) -> tuple[str, ...]:
    if solver.facts(value[1]).language == "go":
        serving = ("ServeHTTP",) if name.rpartition(".")[2] in _SERVING else ()
        return _OF_GO.get(name, serving)
    line = mro(solver, ("c", value[1], value[2]))
    above = (one[1].rpartition(".")[2] for one in line if one[0] == "x")
    return tuple(_ASKED[one] for one in above if one in _ASKED)


def _methods(solver: "Solver", value: Value, names: tuple[str, ...]) -> Iterator[Value]:
    for name in names:
        for function in solver.get(("A", value[1], value[2], name)):
            if function[0] == "f":
                yield ("m", function, value)
