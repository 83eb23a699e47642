"""What functions given to a query name of its rows: fields, and those of rows behind relations."""

from collections.abc import Iterator

from commonplace.domain.code import Facts
from commonplace.domain.expr import RESULT, Expr
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.orm.asking import behind, lambdas
from commonplace.link.code.orm.base import Access, Asked, Sight, argument, tail
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import Step, below, peeled

_SELECTING = frozenset({"Select", "SelectMany"})
_GROUPING = "GroupBy"
_INCLUDING = frozenset({"Include", "ThenInclude"})
_DEEPEST = 4


class Rows:
    """The rows that travel through the steps of a query."""

    def __init__(self, sight: Sight, subject: Place) -> None:
        self._sight = sight
        self._subject = subject
        self._here: Place | None = subject
        self._included: Place | None = None
        self._is_grouped = False

    def step(self, step: Step, access: Access) -> Iterator[Asked]:
        """What a step names of the rows it is given; then they are what it makes of them."""
        if step.name in _INCLUDING:
            yield from self._include(step)
            return
        for number in lambdas(step) if self._here is not None else ():
            given = None if self._is_grouped else self._here
            yield from self._function(number, given, access, 0)
        if step.name in _SELECTING:
            self._here = self._selected(step)
            self._is_grouped = False
        self._is_grouped = self._is_grouped or step.name == _GROUPING

    def _include(self, step: Step) -> Iterator[Asked]:
        """``Include(o => o.Buyer)``, ``Include("Lines.Product")``, ``ThenInclude(…)``."""
        start = self._included if step.name == "ThenInclude" else self._subject
        said = self._sight.said(step.call.scope, argument(step.call, 0)) if step.call else ""
        paths = [said.split(".")] if said else []
        for number in lambdas(step):
            paths += [path for _scope, path in _paths(self._sight.unit.facts, number)]
        for path in paths:
            here = start
            for part in path:
                other = self._across(here, part)
                if other is None:
                    break
                here = self._included = other
                yield Asked(other, "READS")

    def _across(self, here: Place | None, field: str) -> Place | None:
        member = self._sight.look.member(here, field) if here is not None else None
        return behind(self._sight, member) if member is not None else None

    def _selected(self, step: Step) -> Place | None:
        """The rows a selection makes: those of a relation; none of what is made anew."""
        for number in lambdas(step):
            for flow in flows_in(self._sight.unit, number):
                path = _path(flow.value, number, self._sight.unit.facts)
                if flow.target == RESULT and path is not None:
                    here = self._here
                    for part in path:
                        here = self._across(here, part)
                    return here
        return None

    def _function(
        self, number: int, given: Place | None, access: Access, depth: int
    ) -> Iterator[Asked]:
        """Fields of its parameter that a function names, and what it asks of rows behind it."""
        facts = self._sight.unit.facts
        for _scope, path in _paths(facts, number) if given is not None else ():
            yield from self._follow(given, path, access)
        if depth == _DEEPEST:
            return
        for call in facts.calls:
            first = 1 if tail(call.callee) == "SetProperty" else 0  # what is set is not read
            inner = [one[1] for one in map(peeled, call.arguments[first:]) if one[0] == "made"]
            if not inner or not below(facts, number, call.scope):
                continue
            called = _path(call.callee, number, facts)
            if called is None:
                continue
            rows = self._here if given is None else given
            for part in called[:-1]:
                rows = self._across(rows, part)
            for one in inner if rows is not None else ():
                yield from self._function(one, rows, "READS", depth + 1)

    def _follow(self, given: Place | None, path: list[str], access: Access) -> Iterator[Asked]:
        here = given
        for place, part in enumerate(path):
            if here is None:
                return
            columns = self._sight.mapped[here].columns
            whole = ".".join(path[place : place + 2])
            for name in (part, whole):
                if name in columns:
                    yield Asked(here, access if here == given else "READS", (name,))
            other = self._across(here, part)
            if other is not None:
                yield Asked(other, "READS")
            here = other


def _paths(facts: Facts, number: int) -> list[tuple[int, list[str]]]:
    """Every chain of members of a function's first parameter, the longest only."""
    exprs: list[tuple[int, Expr]] = [(one.scope, one.expr) for one in facts.uses]
    exprs += [(one.scope, one.callee) for one in facts.calls]
    exprs += [(one.scope, one.value) for one in facts.flows]
    found = []
    for scope, expr in exprs:
        path = _path(expr, number, facts) if below(facts, number, scope) else None
        if path:
            found.append((scope, path))
    return found


def _path(expr: Expr, number: int, facts: Facts) -> list[str] | None:
    """The members from a function's first parameter on; None for what does not begin there."""
    parameters = facts.symbols[number].parameters
    path: list[str] = []
    expr = peeled(expr)
    while expr[0] == "attr":
        path.insert(0, expr[2])
        expr = peeled(expr[1])
    is_own = bool(parameters) and expr == ("name", parameters[0].name)
    return path if is_own else None
