"""The statements of one scope in order: what they read, write and pass on, locals taken out.

Temporary tables, table variables, cursors, records and variables are followed and left out: data
goes from the column it was read from to the column it is written to, and the way is told.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import cast

from commonplace.domain.code import Query
from commonplace.link.code.lineage.given import Given, bound, parameter, united
from commonplace.link.code.lineage.order import home, run_together, scope_queries
from commonplace.link.code.lineage.schema import Routine, Schema, Table, is_real
from commonplace.link.code.lineage.told import Local, Moved, Told
from commonplace.link.code.program import Place, Program
from commonplace.sql.names import fold, parts
from commonplace.sql.resolve import Resolver
from commonplace.sql.shapes import VARIABLES
from commonplace.sql.sources import (
    ANY,
    CERTAIN,
    PARAMETERS,
    STAR,
    Flowing,
    Out,
    Sources,
    merge,
)

_ROWS = frozenset({"new", "old", "inserted", "deleted"})
_SEVERAL_TABLES = 0.6
_MOST_TABLES = 5


class Trace:
    """Follows the statements of one scope of one file; also what names mean there."""

    def __init__(self, program: Program, schema: Schema, place: Place) -> None:
        self.program = program
        self.schema = schema
        self.place = place
        self.locals: dict[str, Local] = {VARIABLES: Local(VARIABLES)}
        self.row_names = _ROWS
        self.row_tables = self._row_tables()
        self.rows: list[list[Out]] = []
        """What plain SELECTs give: the results of a routine."""
        self.value_of: Sources = {}
        """What a routine returns as its value."""

    def columns(self, table: str) -> Sequence[str] | None:
        """The columns of a table, a local one or of the project."""
        local = self._local(table)
        if local is not None:
            return None if local.is_open else local.columns
        if table.lower() in self.row_names and self.row_tables:
            table = self.row_tables[0]
        return self._as_here(table, columns_of(self.program, self.schema, table))

    def _as_here(self, table: str, found: Sequence[str] | None) -> Sequence[str] | None:
        """Of a table that several files create, its columns as this one does."""
        known = self.schema.table(table)
        if not found or known is None or len(known.written) < 2:
            return found
        own = known.written.get(self.place.document_id, ())
        named = {one.lower(): one for one in found}
        rest = (one for name, one in named.items() if name not in own)
        return (*(named[name] for name in own if name in named), *rest)

    def results(self, function: str) -> list[Out] | None:
        """What a routine of the project gives back as rows."""
        routine = self.schema.routine(function)
        if routine is None:
            return None
        return results_of(self.program, self.schema, routine)

    def takes(self, function: str) -> Sequence[str]:
        """The parameters of a routine of the project, in order."""
        routine = self.schema.routine(function)
        return routine.takes if routine is not None else ()

    def value(self, function: str) -> Sources:
        """What the value of a function of the project comes from."""
        routine = self.schema.routine(function)
        if routine is None or routine.kind != "Function":
            return {}
        return bound(given_by(self.program, self.schema, routine).value, {})

    def is_record(self, name: str) -> bool:
        """Whether a qualifier is a record, or the row of a trigger."""
        is_row = name.lower() in self.row_names and bool(self.row_tables)
        return is_row or self._local(name) is not None

    def run(self, queries: Iterable[Query]) -> Iterator[Told]:
        """Every statement in turn."""
        for query in queries:
            told = self._query(query)
            if told is not None:
                yield told

    def _row_tables(self) -> list[str]:
        """Tables whose rows a trigger, or a function that triggers run, looks at."""
        own = self.schema.triggers.get(self.place)
        if own is not None:
            return [own]
        unit = self.program.units[self.place.document_id]
        symbol = unit.facts.symbols[self.place.number]
        if not symbol.path:
            return []
        self.row_names = _ROWS | self.schema.rows.get(fold(symbol.path), set())
        return self.schema.fired.get(fold(symbol.path), [])[:_MOST_TABLES]

    def _local(self, name: str) -> Local | None:
        return self.locals.get(name if name == VARIABLES else fold(name))

    def _query(self, query: Query) -> Told | None:
        if query.verb == "DECLARE" and not (query.shape and query.shape[1]):
            self.locals[fold(query.target)] = Local(query.target, list(query.writes))
            return None
        if query.verb == "DROP" and self._local(query.target) is not None:
            del self.locals[fold(query.target)]
            return None
        if not query.shape:
            is_real_table = query.target and not self._is_local(query.target, query)
            target = self._real(query.target) if is_real_table else ""
            tables = [one for one in query.tables if self._local(one) is None]
            return Told(query, {}, tables, target, {}, [], {}, [])
        resolver = Resolver(query.shape, self)
        flows = resolver.flows()
        self._begin(query, resolver)
        moved: list[Moved] = []
        written: dict[str, dict[str, float]] = {}
        arguments: dict[str, Sources] = {}
        for flow in flows:
            if flow.target.endswith("()"):
                arguments[flow.column] = self._inlined(flow.sources)[0]
            elif self._is_local(flow.target, query):
                key = flow.target if flow.target == VARIABLES else fold(flow.target)
                local = self.locals.setdefault(key, Local(flow.target))
                self._store(local, flow.column, self._inlined(flow.sources)[0])
            else:
                self._write(flow, written, moved)
        if query.verb == "CALL":
            moved += self._given_back(query, arguments)
        for one in query.shape[1]:
            if one[0] == "touch" and not self._is_local(one[1], query):
                written.setdefault(self._real(one[1]), {})
        return self._told(query, resolver, written, moved)

    def _given_back(self, query: Query, arguments: dict[str, Sources]) -> Iterator[Moved]:
        """What a routine moves to tables, variables that come back and its caller's tables."""
        routine = self.schema.routine(query.target)
        if routine is None:
            return
        given = given_by(self.program, self.schema, routine)
        known = {parameter(routine, one): sources for one, sources in arguments.items()}
        told = query.shape[3] if len(query.shape) > 3 else ()
        for named, variable in next((op[1] for op in told if op[0] == "outs"), ()):
            put = given.outs.get(parameter(routine, named))
            if put is not None:
                self._store(self.locals[VARIABLES], variable, bound(put, known))
        for local in given.filled:
            own = self._local(local.name)
            for column, sources in local.flows.items():
                if own is not None:
                    self._store(own, column, bound(sources, known))
        for one in given.passed:
            sources = bound({one.source: (one.how, one.confidence)}, known)
            for source, (how, sure) in sources.items():
                if _folded(source) != _folded(one.target):
                    yield Moved(source, one.target, how, sure, (*one.via, routine.name))

    def _begin(self, query: Query, resolver: Resolver) -> None:
        """Rows a plain SELECT gives its caller; local tables a statement makes anew."""
        for one in query.shape[1]:
            if one[0] == "give":
                outs = resolver.outs(one[3])
                self.rows.append([(name, self._inlined(got)[0]) for name, got in outs])
            elif one[0] == "back":
                for _name, got in resolver.outs(one[3])[:1]:
                    merge(self.value_of, self._inlined(got)[0])
            elif one[0] == "make" and self._is_local(one[1], query):
                self.locals[fold(one[1])] = Local(one[1])

    def _is_local(self, target: str, query: Query) -> bool:
        if target == VARIABLES or self._local(target) is not None:
            return True
        return bool(target) and (
            (query.verb in {"DECLARE", "SET"} and target.lower() not in self.row_names)
            or not is_real(target)
        )

    def _store(self, local: Local, column: str, sources: Sources) -> None:
        name = column.lower()
        if name == STAR or column == ANY:
            local.is_open, name = True, STAR
        elif name not in (one.lower() for one in local.columns):
            local.columns.append(column)
        if local.name == VARIABLES and name in local.is_used:
            local.flows[name] = dict(sources)  # used since it was set: a new value
            local.is_used.discard(name)
            return
        merge(local.flows.setdefault(name, {}), sources)

    def _inlined(self, sources: Sources) -> tuple[Sources, tuple[str, ...]]:
        """Sources with locals replaced by what is in them, and the locals on the way."""
        found: Sources = {}
        via: dict[str, None] = {}
        for (table, column), (how, sure) in sources.items():
            local = self._local(table)
            if local is not None:
                if table != VARIABLES:
                    via[local.name] = None
                merge(found, local.sources(column), how, sure)
            elif table.lower() in self.row_names and self.row_tables:
                self._row(column, (how, sure), found)
            elif table != VARIABLES and is_real(table):
                merge(found, {(self._real(table), column): (how, sure)})
        return found, tuple(via)

    def _row(self, column: str, made: tuple[str, float], found: Sources) -> None:
        """A column of the row a trigger sees: of its table, or of every table that runs it."""
        several = len(self.row_tables) > 1
        for table in self.row_tables:
            known = columns_of(self.program, self.schema, table)
            if several and known is not None and column.lower() not in map(str.lower, known):
                continue
            sure = min(made[1], _SEVERAL_TABLES) if several else made[1]
            merge(found, {(self._real(table), column): (made[0], sure)})

    def _real(self, table: str) -> str:
        if table.lower() in self.row_names and self.row_tables:
            table = self.row_tables[0]
        return self.schema.canonical(table)

    def _write(
        self, flow: Flowing, written: dict[str, dict[str, float]], moved: list[Moved]
    ) -> None:
        """One column of a table of the project is set."""
        target, column = self._real(flow.target), flow.column
        sources, via = self._inlined(flow.sources)
        if not target:
            return
        written.setdefault(target, {})[column] = flow.sure
        for source, (how, sure) in sources.items():
            if _folded(source) != _folded((target, column)):
                moved.append(Moved(source, (target, column), how, sure, via))

    def _told(
        self,
        query: Query,
        resolver: Resolver,
        written: dict[str, dict[str, float]],
        moved: list[Moved],
    ) -> Told:
        looked = resolver.reads().items()
        direct = {key: made for key, made in looked if self._local(key[0]) is None}
        reads, _via = self._inlined(direct)
        tables = [
            self._real(one)
            for one in resolver.tables_read(query.target)
            if not self._is_hidden(one)
        ]
        target = ""
        if (
            query.target
            and not self._is_local(query.target, query)
            and query.verb not in {"CALL", "SET"}
        ):
            target = self._real(query.target)
        writes = written.pop(target, {})
        return Told(query, reads, tables, target, writes, moved, written, list(query.shape[2]))

    def _is_hidden(self, table: str) -> bool:
        """Whether a table it selects from is none of the project's."""
        if self._local(table) is not None or not is_real(table):
            return True
        return table.lower() in self.row_names and not self.row_tables


def _folded(column: tuple[str, str]) -> tuple[str, str]:
    return fold(column[0]), column[1].lower()


def columns_of(program: Program, schema: Schema, table: str) -> Sequence[str] | None:
    """The columns of a table of the project in order, a view's worked out; None if unknown."""
    known = schema.table(table)
    if known is None:
        return None
    key = f"columns {fold(known.name)}"
    if key not in schema.memo:
        for one in _below(schema, known):
            _work_out(schema, f"columns {fold(one.name)}", partial(_columns, program, schema, one))
    return cast("tuple[str, ...] | None", _known(schema, key))


def _work_out(schema: Schema, key: str, make: Callable[[], object]) -> None:
    """Keep what is worked out, and the names that were looked for meanwhile."""
    before, schema.asked = schema.asked, set()
    schema.memo[key] = (None, frozenset())  # a view that selects from itself knows nothing of it
    made = make()
    schema.memo[key] = (made, frozenset(schema.asked))
    schema.asked |= before


def _known(schema: Schema, key: str) -> object:
    """What was worked out; who asks for it has asked for all that went into it."""
    made, asked = cast("tuple[object, frozenset[str]]", schema.memo[key])
    schema.asked |= asked
    return made


def _below(schema: Schema, table: Table) -> list[Table]:
    """Views and tables made from others, those they are made from first; no deep calls."""
    found: dict[str, Table] = {}
    waiting = [table]
    while waiting:
        here = waiting.pop()
        if fold(here.name) in found or f"columns {fold(here.name)}" in schema.memo:
            continue
        found[fold(here.name)] = here
        for _unit, query in here.made[-1:]:
            below = (schema.table(name) for name in query.tables)
            waiting += [one for one in below if one is not None]
    return list(reversed(found.values()))


def _columns(program: Program, schema: Schema, table: Table) -> tuple[str, ...] | None:
    if table.named:
        return table.named
    listed = tuple(one.name for one in table.columns.values() if not one.dropped_in)
    if listed and table.is_defined:
        return listed
    if not table.made:
        return None
    unit, query = table.made[-1]
    trace = Trace(program, schema, Place(unit.document_id, home(unit, query.scope)))
    if any(schema.table(one) is None for one in query.tables):  # it may be a temporary table
        earlier = takewhile(lambda one: one is not query, run_together(unit, trace.place.number))
        for _told in trace.run(earlier):
            pass
    number = next(one[3] for one in query.shape[1] if one[0] == "make")
    names = [name for name, _sources in Resolver(query.shape, trace).outs(number)]
    if STAR in names or ANY in names or not names:
        return None
    return (*names, *(one for one in listed if one.lower() not in map(str.lower, names)))


def results_of(program: Program, schema: Schema, routine: Routine) -> list[Out] | None:
    """The columns a routine gives as rows, with what is in them; None when that is not known."""
    return given_by(program, schema, routine).rows


def given_by(program: Program, schema: Schema, routine: Routine) -> Given:
    """What a routine gives, worked out once; calls are followed a dozen deep.

    What was not cut there is the same however deep it is asked for; what was, as of routines that
    call each other, is kept by depth: so it does not depend on who asked first.
    """
    whole = f"results {fold(routine.name)}"
    key = f"{whole} {schema.deep}"
    if whole in schema.memo:
        return cast("Given | None", _known(schema, whole)) or Given()
    if key in schema.memo or schema.deep == 0:
        schema.is_cut = True
        return (
            cast("Given | None", _known(schema, key)) if key in schema.memo else None
        ) or Given()
    before, schema.is_cut = schema.is_cut, False
    schema.deep -= 1
    try:
        _work_out(schema, key, partial(_given, program, schema, routine))
    finally:
        schema.deep += 1
    if not schema.is_cut:
        schema.memo[whole] = schema.memo[key]
    schema.is_cut = schema.is_cut or before
    return cast("Given | None", _known(schema, key)) or Given()


def _given(program: Program, schema: Schema, routine: Routine) -> Given | None:
    trace = Trace(program, schema, routine.place)
    variables = trace.locals[VARIABLES].flows
    for one in routine.takes:
        variables[one.lower()] = {(PARAMETERS, one): ("copy", CERTAIN)}
    unit = program.units[routine.place.document_id]
    passed: dict[tuple[tuple[str, str], tuple[str, str]], Moved] = {}
    try:
        for told in trace.run(scope_queries(unit, routine.place.number)):
            for moved in told.moved:
                if moved.source[0] == PARAMETERS:
                    passed.setdefault((moved.source, moved.target), moved)
    except RecursionError:  # hundreds of functions, each made from the one before
        return None
    outs = {one.lower(): variables.get(one.lower(), {}) for one in routine.outs}
    named = routine.gives or routine.outs
    rows = united(trace.rows, named)
    if not trace.rows and named:  # it fills variables, and they are the row
        rows = [(one, variables.get(one.lower(), {})) for one in named]
    elif rows is None and trace.value_of:
        rows = [(parts(routine.name)[-1], trace.value_of)]
    value = dict(trace.value_of)
    for _name, sources in (rows or [])[:1]:
        merge(value, sources)
    filled = tuple(one for one in trace.locals.values() if one.name.startswith("#"))
    return Given(rows, value, outs, filled, tuple(passed.values()))
