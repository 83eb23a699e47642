"""The tables, views and routines of a project, as its scripts leave them.

Scripts are read in the order they would run: migrations by version, others by path. What a table
is depends on all of them, so the schema is worked out once for a program and kept with it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from commonplace.domain.code import At, Query
from commonplace.link.code.orm.tables import Declared, declared
from commonplace.link.code.program import Place, Program, Unit
from commonplace.sql.names import DEFAULT_SCHEMAS, fold, parts, spell

MEMO = "lineage.schema"
_DIGITS = re.compile(r"(\d+)")
_REPEATED = re.compile(r"(?:^|/)R__[^/]*$")
_UNDONE = re.compile(
    r"(?:^|/)U\d[\w.]*__[^/]*$|(?:^|[/._-])(?:down|undo|rollback)(?:[/._-]|$)", re.I
)
_MOST_PARTS = 3


@dataclass(slots=True)
class Column:
    """A column as scripts define it."""

    name: str
    type: str = ""
    dropped_in: str = ""
    where: tuple[str, str] = ("", "")
    """File and lines where code declares it and no script does."""


@dataclass(slots=True)
class Table:
    """A table or view."""

    name: str
    kind: str
    columns: dict[str, Column] = field(default_factory=dict)
    """By name in lower case, in order."""
    written: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By document that creates it: its columns as written there; releases differ in their order."""
    is_defined: bool = False
    dropped_in: str = ""
    where: tuple[str, str] = ("", "")
    """File and lines where code declares it and no script does."""
    made: list[tuple[Unit, Query]] = field(default_factory=list)
    """Queries that make it and name its columns."""
    named: tuple[str, ...] = ()
    """Columns a view's head names."""
    keys: list[tuple[str, At, tuple[str, ...], str, tuple[str, ...]]] = field(default_factory=list)
    """Foreign keys: document, place, own columns, table, its columns."""


@dataclass(slots=True)
class Routine:
    """A procedure, function or trigger."""

    name: str
    kind: str
    place: Place
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    outs: tuple[str, ...] = ()
    """Parameters that give something back."""


@dataclass(slots=True)
class Schema:
    """Everything scripts define, by folded name."""

    tables: dict[str, Table] = field(default_factory=dict)
    routines: dict[str, Routine] = field(default_factory=dict)
    fired: dict[str, list[str]] = field(default_factory=dict)
    """Tables whose triggers run a function."""
    rows: dict[str, set[str]] = field(default_factory=dict)
    """What a function that triggers run calls the rows that were changed."""
    triggers: dict[Place, str] = field(default_factory=dict)
    """The table of a trigger."""
    synonyms: dict[str, str] = field(default_factory=dict)
    """What other names of tables and routines stand for."""
    short: dict[str, set[str]] = field(default_factory=dict)
    """Folded names by their last part."""
    memo: dict[str, object] = field(default_factory=dict)
    deep: int = 12
    """How many calls more are followed from here."""
    is_cut: bool = False
    """Whether something was not followed because it lies deeper."""
    asked: set[str] = field(default_factory=set)
    """Last parts of the names looked for, found or not, since it was emptied."""

    def table(self, name: str) -> Table | None:
        """The table a name means: that very name, or the only one it can mean."""
        self.asked.add(parts(name)[-1].lower())
        if self.synonyms:
            name = self._meant(name)
        key = fold(name)
        found = self.tables.get(key)
        if found is not None:
            return found
        names = parts(name)
        if len(names) >= _MOST_PARTS:  # another database's, unless only this one is known
            return self.tables.get(fold(spell(*names[-2:])))
        if len(names) == 1 or names[-2].lower() in DEFAULT_SCHEMAS:
            several = self.short.get(names[-1].lower(), set())
            return self.tables[next(iter(several))] if len(several) == 1 else None
        return None

    def canonical(self, name: str) -> str:
        """The name a table is defined by, or the name as it is."""
        found = self.table(name)
        return found.name if found is not None else self._meant(name)

    def _meant(self, name: str) -> str:
        """What a synonym stands for; any other name is itself."""
        meant = self.synonyms.get(fold(name), name)
        self.asked.add(parts(meant)[-1].lower())
        return meant

    def routine(self, name: str) -> Routine | None:
        """The routine a name means."""
        self.asked.add(parts(name)[-1].lower())
        name = self._meant(name)
        found = self.routines.get(fold(name))
        if found is None and len(parts(name)) >= _MOST_PARTS:
            found = self.routines.get(fold(spell(*parts(name)[-2:])))
        return found


def run_order(unit: Unit) -> tuple[object, ...]:
    """The order scripts run in: versions as numbers, repeatable migrations last.

    >>> _order("db/V10__b.sql") > _order("db/V2__a.sql"), _order("R__v.sql") > _order("V9__x.sql")
    (True, True)
    """
    return (unit.source_id, *_order(unit.path))


def _order(path: str) -> tuple[object, ...]:
    folder, _, name = path.rpartition("/")
    pieces = [
        (0, int(one), "") if one.isdigit() else (1, 0, one.lower())
        for one in _DIGITS.split(name.removesuffix(".sql"))
        if one
    ]
    return (folder, bool(_REPEATED.search(path)), *pieces)


def is_undoing(path: str) -> bool:
    """Whether a script takes back what another did.

    >>> [is_undoing(one) for one in ("db/0001_a.down.sql", "U2__a.sql", "download.sql")]
    [True, True, False]
    """
    return bool(_UNDONE.search(path))


def schema_of(program: Program) -> Schema:
    """The schema of a program, worked out once."""
    known = program.memo.get(MEMO)
    if isinstance(known, Schema):
        return known
    schema = Schema()
    units = [unit for unit in program.units.values() if unit.facts.queries]
    for unit in sorted(units, key=run_order):
        for query in unit.facts.queries:
            take(schema, unit, query)
    for table in declared(program):
        _take_code(schema, table)
    program.memo[MEMO] = schema
    return schema


def _take_code(schema: Schema, told: Declared) -> None:
    """A table as code declares it; where a script defines it, classes add nothing."""
    known = schema.table(told.name)
    if known is None and not (told.migrated or told.mapped):
        return
    is_whole = known is not None and known.is_defined
    columns = [*told.migrated.items(), *(() if is_whole else told.mapped.items())]
    table = known or put(schema, told.name, "Table")
    table.where = ("", "") if is_whole else told.where
    for name, where in columns:
        table.columns.setdefault(name.lower(), Column(name, where=where))
    for name, path in told.gone.items():
        if name not in told.mapped:
            column = table.columns.setdefault(name.lower(), Column(name))
            column.dropped_in = path
    if told.dropped_in and not told.mapped:
        table.dropped_in = told.dropped_in
    table.is_defined = table.is_defined or bool(told.migrated)


def take(schema: Schema, unit: Unit, query: Query) -> None:
    """What one statement defines."""
    ops = dict(_ops(query))
    kind = ops.get("kind", ("",))[0]
    if kind in {"Procedure", "Function", "Trigger"}:
        _routine(schema, unit, query, str(kind))
    elif kind == "Synonym" and query.verb == "CREATE":
        schema.synonyms[fold(query.target)] = str(ops["on"][0])
    elif query.verb in {"CREATE", "ALTER", "DROP"} and kind in {"Table", "View"}:
        _define(schema, unit, query, str(kind))
    for one in query.shape[1] if query.shape else ():
        if one[0] == "make" and query.verb in {"CREATE", "ALTER", "SELECT"} and is_real(one[1]):
            table = put(
                schema,
                one[1],
                "View" if query.verb != "SELECT" and _is_view(schema, one[1]) else "Table",
            )
            table.made.append((unit, query))
            table.named = tuple(one[2]) or table.named
            table.is_defined = True


def is_real(name: str) -> bool:
    """Whether a name may be a table's that outlives its session.

    >>> is_real("dbo.Orders"), is_real("#t"), is_real("@t"), is_real("tempdb..#t")
    (True, False, False, False)
    """
    return bool(name) and not parts(name)[-1].startswith(("#", "@"))


def _ops(query: Query) -> Iterator[tuple[str, tuple[object, ...]]]:
    for op in query.shape[3] if len(query.shape) > 3 else ():
        yield op[0], tuple(op[1:])


def _is_view(schema: Schema, name: str) -> bool:
    known = schema.tables.get(fold(name))
    return known is not None and known.kind == "View"


def put(schema: Schema, name: str, kind: str) -> Table:
    """The table of this name, made when it is new."""
    key = fold(name)
    found = schema.tables.get(key)
    if found is None:
        found = schema.tables[key] = Table(name, kind)
        schema.short.setdefault(parts(name)[-1].lower(), set()).add(key)
    return found


def _routine(schema: Schema, unit: Unit, query: Query, kind: str) -> None:
    ops = dict(_ops(query))
    place = Place(unit.document_id, query.scope)
    if kind == "Trigger":
        if query.verb == "CREATE" and "fires" in ops:
            on, runs = (str(one) for one in ops["fires"])
            schema.triggers[place] = on
            if runs:
                schema.fired.setdefault(fold(runs), []).append(on)
                rows = (str(one).lower() for one in ops.get("rows", ((),))[0])  # type: ignore[attr-defined]
                schema.rows.setdefault(fold(runs), set()).update(rows)
        return
    if query.verb == "CREATE":
        takes, gives, outs = (
            tuple(str(one) for one in ops.get(name, ((),))[0])  # type: ignore[attr-defined]
            for name in ("takes", "gives", "outs")
        )
        schema.routines[fold(query.target)] = Routine(query.target, kind, place, takes, gives, outs)


def _define(schema: Schema, unit: Unit, query: Query, kind: str) -> None:
    is_top = query.scope == 0 or unit.facts.symbols[query.scope].kind in {
        "Table",
        "View",
        "File",
        "Module",
    }
    if query.verb == "DROP":
        known = schema.table(query.target)
        if known is not None and is_top and not is_undoing(unit.path):
            known.dropped_in = unit.path
        return
    if query.verb == "ALTER" and is_undoing(unit.path):
        return
    table = schema.table(query.target) if query.verb == "ALTER" else put(schema, query.target, kind)
    table = table or put(schema, query.target, kind)
    if query.verb == "CREATE":
        if table.dropped_in:
            table.columns.clear()
            table.made.clear()
        table.kind, table.dropped_in = kind, ""
        table.is_defined = table.is_defined or bool(query.writes)
        if kind == "View":
            table.named = query.writes
        elif query.writes:
            table.written[unit.document_id] = tuple(one.lower() for one in query.writes)
    for name, values in _ops(query):
        _change(schema, table, (unit, query), (name, *values))
    if query.verb == "CREATE" and len(table.written) > 1:
        table.columns = _as_written(table)


def _as_written(table: Table) -> dict[str, Column]:
    """Columns in the order of the last that creates the table, those only others name behind."""
    last = next(reversed(table.written.values()))
    order = (*last, *(name for name in table.columns if name not in last))
    return {name: table.columns[name] for name in order if name in table.columns}


def _change(schema: Schema, table: Table, told: tuple[Unit, Query], op: tuple[object, ...]) -> None:
    """One column more or less, another name, a key."""
    unit, query = told
    name = str(op[1]) if len(op) > 1 else ""
    if op[0] == "add":
        known = table.columns.get(name.lower())
        kept = known.type if known is not None and not op[2] else str(op[2])
        table.columns[name.lower()] = Column(name, kept)
    elif op[0] == "drop" and name.lower() in table.columns:
        table.columns[name.lower()].dropped_in = unit.path
    elif op[0] == "rename":
        _rename(table, name, str(op[2]), unit.path)
    elif op[0] == "after":
        _put_after(table, name.lower(), str(op[2]).lower())
    elif op[0] == "like":
        _copy(schema.table(name), table)
    elif op[0] == "table":
        _move(schema, table, name, unit.path)
    elif op[0] == "key":
        own, other, others = op[1], str(op[2]), op[3]
        table.keys.append((unit.document_id, query.at, own, other, others))  # type: ignore[arg-type]


def _put_after(table: Table, name: str, before: str) -> None:
    """A column behind another, or first."""
    own = table.columns.pop(name, None)
    if own is None:
        return
    order = list(table.columns.items())
    names = [key for key, _column in order]
    place = (names.index(before) + 1 if before in names else len(names)) if before else 0
    table.columns = dict([*order[:place], (name, own), *order[place:]])


def _copy(model: Table | None, table: Table) -> None:
    """A table like another has its columns."""
    if model is not None:
        for key, column in model.columns.items():
            table.columns.setdefault(key, replace(column))
        table.is_defined = table.is_defined or model.is_defined


def _rename(table: Table, old: str, new: str, path: str) -> None:
    """The column keeps its place; under its old name it is gone."""
    if old.lower() == new.lower() or old.lower() not in table.columns:
        return
    kept = {}
    for key, column in table.columns.items():
        if key == old.lower():
            kept[new.lower()] = Column(new, column.type)
        else:
            kept[key] = column
    kept[old.lower()] = Column(old, table.columns[old.lower()].type, dropped_in=path)
    table.columns = kept


def _move(schema: Schema, table: Table, name: str, path: str) -> None:
    moved = put(schema, name, table.kind)
    moved.columns = {
        key: Column(one.name, one.type, one.dropped_in) for key, one in table.columns.items()
    }
    moved.is_defined, moved.made, moved.named = table.is_defined, list(table.made), table.named
    table.dropped_in = path
