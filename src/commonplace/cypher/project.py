"""WITH and RETURN: columns, groups, DISTINCT, ORDER BY, SKIP, LIMIT, WHERE, in that order."""

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice

from commonplace.cypher import syntax as s
from commonplace.cypher.aggregates import Summary, Tally
from commonplace.cypher.evaluate import Eval, Evaluator, Row
from commonplace.cypher.faults import RunFault
from commonplace.cypher.plan import HIDDEN
from commonplace.cypher.rebuild import rebuilt
from commonplace.cypher.values import Ordered, Value, group_key, is_integer

Pair = tuple[Row, Row]
"""What sorting and WHERE may see, and what goes on."""


class _Descending(Ordered):
    """The order the other way round."""

    __slots__ = ()

    def __lt__(self, other: Ordered) -> bool:
        return Ordered.__lt__(other, self)


class Projector:
    """One WITH or RETURN, compiled."""

    def __init__(self, clause: s.Projection, evaluator: Evaluator) -> None:
        self._clause, self._evaluator = clause, evaluator
        self._guard = evaluator.context.guard
        self._calls: list[s.Call] = []
        items = [(item.name, self._split(item.value)) for item in clause.items]
        order = [(self._split(expr), way) for expr, way in clause.order]
        self._is_grouped = bool(self._calls)
        self._columns = [(name, evaluator.compile(expr)) for name, expr in items]
        self._order = [(evaluator.compile(expr), way) for expr, way in order]
        self._summaries = [Summary(call, evaluator) for call in self._calls]
        self._keys = [
            evaluator.compile(item.value)
            for item in clause.items
            if not s.has_aggregate(item.value)
        ]
        self._holds = evaluator.test(clause.where)
        self._skip, self._limit = evaluator.maybe(clause.skip), evaluator.maybe(clause.limit)

    def _split(self, expr: s.Expr) -> s.Expr:
        """The expression with its aggregates replaced by names they will have."""

        def change(one: s.Expr) -> s.Expr | None:
            if not isinstance(one, s.Call) or not one.is_aggregate:
                return None
            if one not in self._calls:
                self._calls.append(one)
            return s.Variable(f"{HIDDEN}agg{self._calls.index(one)}", at=one.at)

        return rebuilt(expr, change)

    def rows(self, stream: Iterable[Row]) -> Iterator[Row]:
        """The rows after this clause."""
        skip, limit = _bound(self._skip, "SKIP") or 0, _bound(self._limit, "LIMIT")
        if limit == 0:
            return
        source = self._grouped(stream) if self._is_grouped else stream
        pairs = self._projected(source)
        if self._clause.is_distinct:
            pairs = self._distinct(pairs)
        if self._order:
            pairs = self._sorted(pairs, None if limit is None else skip + limit)
        stop = None if limit is None else skip + limit
        for seen, row in islice(pairs, skip, stop):
            if self._clause.where is None or self._holds(seen):
                yield row

    def _projected(self, stream: Iterable[Row]) -> Iterator[Pair]:
        columns, tick = self._columns, self._guard.tick
        needs_all = bool(self._order) or self._clause.where is not None
        for row in stream:
            tick()
            made = {name: value(row) for name, value in columns}
            yield ({**row, **made} if needs_all else made), made

    def _grouped(self, stream: Iterable[Row]) -> Iterator[Row]:
        """One row a group: its first row, with the aggregates under their names."""
        groups: dict[Hashable, tuple[Row, list[Tally]]] = {}
        hold, tick = self._guard.hold, self._guard.tick
        for row in stream:
            tick()
            key = tuple(group_key(value(row)) for value in self._keys)
            group = groups.get(key)
            if group is None:
                hold(1 + len(self._summaries))
                group = groups[key] = (row, [one.start(row) for one in self._summaries])
            for tally in group[1]:
                tally.put(row)
        if not groups and not self._keys:
            groups[()] = ({}, [one.start({}) for one in self._summaries])
        for row, tallies in groups.values():
            yield {**row, **{f"{HIDDEN}agg{n}": one.get() for n, one in enumerate(tallies)}}

    def _distinct(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        seen: set[Hashable] = set()
        for pair in pairs:
            key = tuple(group_key(value) for value in pair[1].values())
            if key not in seen:
                self._guard.hold()
                seen.add(key)
                yield pair

    def _sorted(self, pairs: Iterable[Pair], most: int | None) -> Iterator[Pair]:
        keyed = ((self._sort_key(seen), (seen, row)) for seen, row in self._held(pairs, most))
        first: Callable[[tuple[list[Ordered], Pair]], list[Ordered]] = lambda one: one[0]  # noqa: E731
        if most is None:
            found = sorted(keyed, key=first)
        else:
            found = heapq.nsmallest(most, keyed, key=first)
        return (pair for _, pair in found)

    def _held(self, pairs: Iterable[Pair], most: int | None) -> Iterator[Pair]:
        for count, pair in enumerate(pairs):
            if most is None or count < most:
                self._guard.hold(1 + len(self._columns))
            yield pair

    def _sort_key(self, row: Row) -> list[Ordered]:
        return [
            _Descending(value(row)) if way else Ordered(value(row)) for value, way in self._order
        ]


def _bound(value: Eval | None, what: str) -> int | None:
    if value is None:
        return None
    found: Value = value({})
    if not is_integer(found):
        raise RunFault(f"{what} takes a whole number", "InvalidArgumentType")
    if found < 0:
        raise RunFault(f"{what} is not negative", "NegativeIntegerArgument")
    return int(found)
