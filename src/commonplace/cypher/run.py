"""Running a query: clause after clause over a stream of rows, then a plain answer."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from commonplace.cypher import syntax as s
from commonplace.cypher.check import check
from commonplace.cypher.counting import Counted, counted
from commonplace.cypher.evaluate import Evaluator, Row
from commonplace.cypher.faults import RunFault, too_much
from commonplace.cypher.functions import Context
from commonplace.cypher.guard import Guard
from commonplace.cypher.match import Matcher
from commonplace.cypher.operators import kind_of
from commonplace.cypher.parameters import checked
from commonplace.cypher.parse import parse
from commonplace.cypher.project import Projector
from commonplace.cypher.reading import Answer, Inquiry, Reading
from commonplace.cypher.steps import Op
from commonplace.cypher.values import group_key


class Runner:
    """Compiles clauses into operations on rows."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.evaluator = Evaluator(context)
        self.matcher = Matcher(self.evaluator)
        self.evaluator.matcher = self.matcher.match
        self.evaluator.run = self.compile

    def compile(self, query: s.Query) -> Callable[[Row], Iterator[Row]]:
        """The rows a query makes of one row."""
        parts = [self._part(part) for part in query.parts]
        is_distinct = len(parts) > 1 and not query.keeps_all

        def rows(row: Row) -> Iterator[Row]:
            found = (one for part in parts for one in _through(part, row))
            return self._distinct(found) if is_distinct else found

        return rows

    def _part(self, clauses: tuple[s.Clause, ...]) -> list[Op]:
        ops = [self.clause(clause) for clause in clauses]
        short = counted(clauses, self.context.reading)
        if short is not None:
            ops[0] = _instead(short, ops[0])
        return ops

    def _distinct(self, rows: Iterable[Row]) -> Iterator[Row]:
        seen = set()
        for row in rows:
            key = tuple(group_key(value) for value in row.values())
            if key not in seen:
                self.context.guard.hold()
                seen.add(key)
                yield row

    def clause(self, clause: s.Clause) -> Op:
        """One clause as an operation."""
        if isinstance(clause, s.Match):
            if clause.is_optional:
                return self.matcher.optional(clause, _declared(clause.patterns))
            return self.matcher.stream(clause.patterns, clause.where)
        if isinstance(clause, s.Unwind):
            return self._unwind(clause)
        if isinstance(clause, s.Projection):
            return Projector(clause, self.evaluator).rows
        raise TypeError(f"no clause: {type(clause).__name__}")

    def _unwind(self, clause: s.Unwind) -> Op:
        source, name, tick = (
            self.evaluator.compile(clause.source), clause.variable, self.context.guard.tick
        )  # fmt: skip

        def rows(stream: Iterable[Row]) -> Iterator[Row]:
            for row in stream:
                members = source(row)
                if members is None:
                    continue
                if not isinstance(members, list):
                    raise RunFault(f"UNWIND takes a list, not {kind_of(members)}",
                                   "InvalidArgumentType")  # fmt: skip
                for member in members:
                    tick()
                    yield {**row, name: member}

        return rows


def _instead(short: Counted, op: Op) -> Op:
    """The short way from a row that binds nothing; a subquery's row may bind the pattern."""

    def rows(stream: Iterable[Row]) -> Iterator[Row]:
        for row in stream:
            yield from op([row]) if row else short()

    return rows


def _through(ops: Iterable[Op], row: Row) -> Iterator[Row]:
    stream: Iterator[Row] = iter([row])
    for op in ops:
        stream = op(stream)
    return stream


def _declared(patterns: Iterable[s.PathPattern]) -> list[str]:
    names: list[str | None] = []
    for path in patterns:
        names += [path.variable, *(node.variable for node in path.nodes)]
        names += [edge.variable for edge in path.edges]
    return [name for name in names if name is not None]


def prepare(text: str) -> s.Query:
    """Parse and check; raises before anything is read."""
    try:
        return check(text, parse(text))
    except RecursionError:
        raise too_much("is nested too deeply", 1, "flatten it") from None


def answer(query: s.Query, inquiry: Inquiry, reading: Reading, guard: Guard) -> Answer:
    """Run a prepared query to its row limit."""
    context = Context(reading=reading, guard=guard, parameters=checked(inquiry.parameters))
    last = query.parts[0][-1]
    columns = tuple(item.name for item in last.items) if isinstance(last, s.Projection) else ()
    most = inquiry.limits.rows
    try:
        rows = Runner(context).compile(query)({})
        found = [tuple(row[name] for name in columns) for row in islice(rows, most + 1)]
    except RecursionError:
        raise too_much("is nested too deeply", 1, "flatten it") from None
    guard.check()
    return Answer(
        columns=columns,
        rows=tuple(found[:most]),
        has_more=len(found) > most,
        is_shortened=guard.is_shortened,
    )


def ask(inquiry: Inquiry, reading: Reading, is_cancelled: Callable[[], bool]) -> Answer:
    """Parse, check and run: what an engine calls."""
    query = prepare(inquiry.text)
    return answer(query, inquiry, reading, Guard(inquiry.limits, is_cancelled))
