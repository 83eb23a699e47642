"""Chains of members and calls: ``db.Orders.Where(f).ToList()`` as a root and its steps.

Query builders, mapped classes and web clients are all asked in chains; what each link is called and
takes decides what is read or written.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar, cast

from commonplace.domain.code import At, Call, Facts
from commonplace.domain.expr import Expr
from commonplace.link.code.program import Unit

Made = TypeVar("Made")
_THROUGH = frozenset({"wait", "enter", "star", "each", "tail", "narrow"})
_LONGEST = 60
_new = tuple.__new__  # half the time of what it stands for, tens of thousands of times


class Step(NamedTuple):
    """One link: a member, or a call of it."""

    name: str
    call: Call | None = None
    types: tuple[Expr, ...] = ()
    """Type arguments of the call."""


class Chain(NamedTuple):
    """From the first name on; a call of a bare name is the first step of a chain without root."""

    scope: int
    root: Expr | None
    steps: tuple[Step, ...]
    at: At

    def names(self) -> tuple[str, ...]:
        """What the steps are called, in order."""
        return tuple(step.name for step in self.steps)


def peeled(expr: Expr) -> Expr:
    """The expression inside ``await``, ``with`` and spreads."""
    while expr[0] in _THROUGH:
        expr = expr[1]
    return expr


def chain_of(facts: Facts, scope: int, expr: Expr, at: At) -> Chain:
    """An expression as a chain."""
    steps: list[Step] = []
    node = expr
    for _ in range(_LONGEST):
        if node[0] in _THROUGH:
            node = peeled(node)
        call: Call | None = None
        types: tuple[Expr, ...] = ()
        if node[0] == "call":
            call = facts.calls[node[1]]
            node = peeled(call.callee)
        if node[0] == "generic":
            types, node = node[2], peeled(node[1])
        if node[0] == "attr":
            steps.append(_new(Step, (node[2], call, types)))
            node = node[1]
        elif node[0] == "name" and call is not None:
            steps.append(_new(Step, (node[1], call, types)))
            return Chain(scope, None, tuple(reversed(steps)), at)
        else:
            if call is not None:
                steps.append(_new(Step, ("", call, types)))
            return Chain(scope, node, tuple(reversed(steps)), at)
    return Chain(scope, None, tuple(reversed(steps)), at)


def chains(unit: Unit) -> tuple[Chain, ...]:
    """Every chain of a file that ends in a call, the longest only."""
    return noted(unit, "chains", lambda one: tuple(_chains(one.facts)))


def words(unit: Unit) -> frozenset[str]:
    """Every name on the way to a call: whether a chain can matter to someone is seen from these."""
    return noted(unit, "words", lambda one: frozenset(_words(one.facts)))


def _words(facts: Facts) -> Iterator[str]:
    for call in facts.calls:
        node = call.callee
        while node[0] in ("attr", "generic") or node[0] in _THROUGH:
            if node[0] == "attr":
                yield node[2]
            node = node[1]
        if node[0] == "name":
            yield node[1]


def noted(unit: Unit, key: str, make: Callable[[Unit], Made]) -> Made:
    """What is made of one file alone, made once."""
    if key not in unit.notes:
        unit.notes[key] = make(unit)
    return cast("Made", unit.notes[key])


def _chains(facts: Facts) -> Iterator[Chain]:
    written = (call for call in facts.calls if not call.is_implicit)
    inner = {number for call in written for number in _based_on(call.callee)}
    for number, call in enumerate(facts.calls):
        if number not in inner and not call.is_implicit:
            yield chain_of(facts, call.scope, ("call", number), call.at)


def _based_on(callee: Expr) -> Iterator[int]:
    node = peeled(callee)
    while node[0] in ("attr", "generic"):
        node = peeled(node[1])
    if node[0] == "call":
        yield node[1]


def owner(facts: Facts, number: int) -> int:
    """The named function or class a scope belongs to: lambdas count as where they stand.

    One that a module gives to a call is of what the call makes: ``const f = wrap(() => …)``.
    """
    while number and facts.symbols[number].name.startswith("<"):
        inner, number = number, facts.symbols[number].parent
        if number == 0:
            return next(_made_of(facts, facts.symbols[inner].at), 0)
    return number


def _made_of(facts: Facts, at: At) -> Iterator[int]:
    for number, symbol in enumerate(facts.symbols):
        is_made = symbol.value is not None and symbol.value[0] == "call" and symbol.parent == 0
        if is_made and symbol.at[:2] <= at[:2] and at[2:] <= symbol.at[2:]:
            yield number


def below(facts: Facts, ancestor: int, number: int) -> bool:
    """Whether a scope is another or stands inside it."""
    while number and number != ancestor:
        number = facts.symbols[number].parent
    return number == ancestor
