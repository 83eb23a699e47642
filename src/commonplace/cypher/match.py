"""Matching patterns: rows in, a row out for every way the pattern fits."""

from collections.abc import Callable, Iterable, Iterator

from commonplace.cypher import syntax as s
from commonplace.cypher.evaluate import Evaluator, Row
from commonplace.cypher.nearby import chunks
from commonplace.cypher.plan import HIDDEN
from commonplace.cypher.planner import Planner
from commonplace.cypher.steps import Ground, Op

_TAG = f"{HIDDEN}tag"


class Matcher:
    """Compiles the patterns of a query."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ground = Ground(evaluator)

    def match(
        self, patterns: tuple[s.PathPattern, ...], where: s.Expr | None
    ) -> Callable[[Row], Iterator[Row]]:
        """The rows one row becomes."""
        run = self.stream(patterns, where)
        return lambda row: run([row])

    def stream(self, patterns: tuple[s.PathPattern, ...], where: s.Expr | None) -> Op:
        """The rows that rows become; planned when the first one shows what is bound."""
        ops: list[Op] = []

        def run(rows: Iterable[Row]) -> Iterator[Row]:
            source = iter(rows)
            first = next(source, None)
            if first is None:
                return
            if not ops:
                ops.extend(Planner(self._ground, patterns, where, first.keys()).plan())
            stream: Iterator[Row] = _with_first(first, source)
            for op in ops:
                stream = op(stream)
            yield from stream

        return run

    def optional(self, clause: s.Match, names: Iterable[str]) -> Op:
        """As ``stream``, but a row that fits nowhere stays, with null for the new names."""
        run = self.stream(clause.patterns, clause.where)
        nulls = dict.fromkeys(names)

        def rows(stream: Iterable[Row]) -> Iterator[Row]:
            for chunk in chunks(stream):
                done = 0
                for found in run({**row, _TAG: place} for place, row in enumerate(chunk)):
                    place = found[_TAG]
                    for missed in chunk[done:place]:
                        yield {**nulls, **missed}
                    done = place + 1
                    yield found
                for missed in chunk[done:]:
                    yield {**nulls, **missed}

        return rows


def _with_first(first: Row, rest: Iterator[Row]) -> Iterator[Row]:
    yield first
    yield from rest
