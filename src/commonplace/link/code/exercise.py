"""What tests exercise: what they call, and what their names say."""

from collections.abc import Iterator

from commonplace.domain.code import At, Symbol
from commonplace.link.code.bound import Bound
from commonplace.link.code.names.scopes import CLASSES, FUNCTIONS
from commonplace.link.code.program import Place
from commonplace.link.code.values.solver import Solver

_BY_CALL = 0.9
_BY_NAME = 0.5
_MOST_NAMED = 3


def exercised(solver: Solver, document_id: str, bound: list[Bound]) -> Iterator[Bound]:
    """TESTS: from a test to what it calls outside of tests, and to what it is named after."""
    facts = solver.facts(document_id)
    tests = {number for number, symbol in enumerate(facts.symbols) if is_test(symbol) and number}
    if not tests:
        return
    named: set[tuple[int, Place]] = set()
    around = [_test_around(facts.symbols, one, tests) for one in range(len(facts.symbols))]
    for one in bound:
        test = around[one.source]
        if test is None or one.relation not in ("CALLS", "INSTANTIATES"):
            continue
        target = one.target
        if isinstance(target, Place) and one.confidence >= 0.5:
            other = solver.facts(target.document_id)
            if target.document_id != document_id and not is_test(other.symbols[target.number]):
                named.add((test, target))
                yield Bound(test, "TESTS", target, "call", _BY_CALL, one.at)
    for test in sorted(tests):
        for place in _named_after(solver, document_id, facts.symbols[test]):
            if (test, place) not in named:
                at = facts.symbols[test].at
                here = At(at.line, at.column, at.line, at.column)
                yield Bound(test, "TESTS", place, "convention", _BY_NAME, here)


def is_test(symbol: Symbol) -> bool:
    """Whether a test runner runs it."""
    return symbol.kind == "Test" or "test" in symbol.modifiers


def _test_around(symbols: tuple[Symbol, ...], number: int, tests: set[int]) -> int | None:
    while number:
        if number in tests:
            return number
        number = symbols[number].parent
    return None


def _named_after(solver: Solver, document_id: str, symbol: Symbol) -> Iterator[Place]:
    """``test_parse`` is of ``parse``, where there are few of that name."""
    name = symbol.name
    for beginning in ("test_", "test"):
        if name.startswith(beginning) and len(name) > len(beginning):
            name = name[len(beginning) :]
            break
    else:
        return
    options = {name, name[:1].lower() + name[1:]}
    solver.names.update(f"name:{option}" for option in options)
    places = [
        place
        for option in sorted(options)
        for place in sorted(solver.program.named.get(option, ()))
        if place.document_id != document_id
    ]
    found = []
    for place in places:
        other = solver.facts(place.document_id).symbols[place.number]
        if (other.kind in FUNCTIONS or other.kind in CLASSES) and not is_test(other):
            found.append(place)
    if len(found) <= _MOST_NAMED:
        yield from found
