"""What statements say as nodes and edges: reads, writes, flows, calls, keys."""

from collections.abc import Iterable

from commonplace.domain.code import At, Query, Symbol
from commonplace.domain.graph import Node, Value
from commonplace.link.code.drawing import Drawing, Proof
from commonplace.link.code.lineage.order import run_together
from commonplace.link.code.lineage.schema import Schema, schema_of
from commonplace.link.code.lineage.told import Moved, Told
from commonplace.link.code.lineage.trace import Trace, columns_of
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.shared import SQL, sql_id, sql_node
from commonplace.sql.names import fold, parts, spell
from commonplace.sql.sources import STAR

_MENTIONED = 0.3
_PARTIAL = 0.6
_WHOLE_TABLE = 0.5
_MOST_DOC = 300
_WRITING = frozenset(
    {"INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "SELECT", "CREATE", "DECLARE"}
)


class Drafting:
    """Draws statements of one document."""

    def __init__(self, program: Program, drawing: Drawing) -> None:
        self.program = program
        self.schema: Schema = schema_of(program)
        self.drawing = drawing
        self.project = drawing.unit.project
        self._ids: dict[tuple[str, ...], str] = {}

    def queries(self, scope: int, source: str, queries: Iterable[Query]) -> None:
        """Statements that stand in one symbol, whose node is ``source``."""
        place = Place(self.drawing.unit.document_id, scope)
        for told in Trace(self.program, self.schema, place).run(queries):
            self.told(source, told)

    def script(self, scope: int) -> None:
        """Statements of one scope of a script, those of tables and views it makes among them."""
        unit = self.drawing.unit
        trace = Trace(self.program, self.schema, Place(unit.document_id, scope))
        for told in trace.run(run_together(unit, scope)):
            self.told(unit.ids[told.query.scope], told)

    def told(self, source: str, told: Told) -> None:
        """One statement."""
        query = told.query
        if not query.shape and query.verb not in {"TRUNCATE", "INSERT"}:
            self._mentions(source, told)
            return
        if query.verb in {"CREATE", "ALTER", "DROP"} and not query.shape[1]:
            return
        sure = _PARTIAL if query.is_partial else 1.0
        at = query.at
        for name in told.tables:
            if self._id(name) == source:
                continue  # a computed column looks at its own table
            self._edge(source, "READS", self.table(name), Proof("query", sure, at))
        for (name, column), (_how, known) in told.reads.items():
            if column != STAR and self._id(name) != source:
                proof = Proof("query", min(sure, known), at)
                self._edge(source, "READS", self.column(name, column), proof)
        is_own = query.verb in {"CREATE", "ALTER"} and source == self._id(told.target)
        if told.target and query.verb in _WRITING and not is_own:
            self._writes(source, told.target, told.writes, (query, sure))
        for target, columns in told.others.items():
            self._writes(source, target, columns, (query, sure))
        for moved in told.moved:
            self._flow(moved, at, sure)
        self._calls(source, told, sure)

    def _mentions(self, source: str, told: Told) -> None:
        """Tables a statement names that could not be parsed, or was not read."""
        for name in told.tables:
            proof = Proof("mention", _MENTIONED, told.query.at)
            self._edge(source, "READS", self.table(self.schema.canonical(name)), proof)

    def _id(self, name: str) -> str:
        return sql_id(self.project, "Table", name)

    def _writes(
        self, source: str, target: str, columns: dict[str, float], told: tuple[Query, float]
    ) -> None:
        query, sure = told
        how = query.verb.lower()
        self._edge(source, "WRITES", self.table(target), Proof(how, sure, query.at))
        named = dict.fromkeys(query.writes, 1.0) if not query.shape else {}
        for column, known in (columns | named).items():
            if column != STAR:
                proof = Proof(how, min(sure, known), query.at)
                self._edge(source, "WRITES", self.column(target, column), proof)

    def _flow(self, moved: Moved, at: At, sure: float) -> None:
        """Column to column; where one side is not known by name, table to table."""
        confidence = min(sure, moved.confidence)
        proof = Proof(moved.how, confidence, at, ", ".join(moved.via))
        (table, column), (target, into) = moved.source, moved.target
        if STAR in (column, into):
            if fold(table) != fold(target):
                whole = Proof("star", min(confidence, _WHOLE_TABLE), at, proof.via)
                self._edge(self.table(table), "FLOWS_TO", self.table(target), whole)
            return
        self._edge(self.column(table, column), "FLOWS_TO", self.column(target, into), proof)

    def _calls(self, source: str, told: Told, sure: float) -> None:
        for name in told.calls:
            routine = self.schema.routine(name)
            if routine is None and told.query.verb != "CALL":
                continue  # a function nobody here defines is built in
            if routine is None and name != told.query.target:
                continue
            shown = routine.name if routine is not None else name
            kind = routine.kind if routine is not None else "Procedure"
            target = self.drawing.node(self.node(kind, shown))
            self._edge(source, "CALLS", target, Proof("name", sure, told.query.at))

    def _edge(self, source: str, relation: str, target: str, proof: Proof) -> None:
        self.drawing.edge(source, relation, target, proof)

    def node(self, kind: str, path: str) -> Node:
        """The shared node of something of SQL, with all the project knows of it."""
        place = self._place(kind, path)
        if place is None:
            told = self._home(kind, path) or self._declared(kind, path)
            return sql_node(self.project, kind, path, told)
        unit, symbol = self.program.units[place.document_id], self.program.symbol(place)
        told = _told(unit, symbol) | _more(self.schema, symbol.kind, symbol.path)
        return sql_node(self.project, symbol.kind, symbol.path, told)

    def _place(self, kind: str, path: str) -> Place | None:
        places = places_of(self.program, self.project)
        return places.get(sql_id(self.project, kind, path))

    def _home(self, kind: str, path: str) -> dict[str, Value]:
        """Columns of a view, or of a table made by a query, are defined where that is."""
        if kind != "Column":
            return {}
        names = parts(path)
        table = self.schema.table(spell(*names[:-1]))
        place = self._place(table.kind, table.name) if table is not None and table.made else None
        known = columns_of(self.program, self.schema, table.name) if table and place else None
        if place is None or names[-1].lower() not in map(str.lower, known or ()):
            return {}
        told = _told(self.program.units[place.document_id], self.program.symbol(place))
        return {key: told[key] for key in ("file", "lines")}

    def _declared(self, kind: str, path: str) -> dict[str, Value]:
        """Where code declares what no script defines; else it is outside."""
        names = parts(path)
        table = self.schema.table(path if kind == "Table" else spell(*names[:-1]))
        column = table.columns.get(names[-1].lower()) if table and kind == "Column" else None
        found = column or (table if kind == "Table" else None)
        if found is None:
            return {"external": True}
        file, lines = found.where
        return {"file": file, "lines": lines} if file else {}

    def table(self, name: str) -> str:
        """State a table and its schema; its id."""
        if (name,) not in self._ids:
            self._ids[(name,)] = self._table(name)
        return self._ids[(name,)]

    def _table(self, name: str) -> str:
        known = self.schema.table(name)
        kind = known.kind if known is not None else "Table"
        own = self.drawing.node(self.node(kind, name))
        names = parts(name)
        if len(names) > 1 and names[-2]:
            schema = self.drawing.node(self.node("Schema", spell(*names[:-1])))
            self._edge(schema, "CONTAINS", own, Proof("name", 1.0))
        return own

    def column(self, table: str, column: str) -> str:
        """State a column and its table; its id."""
        key = (table, column.lower())
        if key not in self._ids:
            self._ids[key] = self._column(table, column)
        return self._ids[key]

    def _column(self, table: str, column: str) -> str:
        parent = self.table(table)
        path = spell(*parts(table), self._spelled(table, column))
        own = self.drawing.node(self.node("Column", path))
        self._edge(parent, "CONTAINS", own, Proof("name", 1.0))
        return own

    def _spelled(self, table: str, column: str) -> str:
        """A column as its definition writes it."""
        known = self.schema.table(table)
        found = known.columns.get(column.lower()) if known is not None else None
        return found.name if found is not None else column


def places_of(program: Program, project: str) -> dict[str, Place]:
    """Where each node of SQL is defined first, by id, in the order of paths."""
    key = f"lineage.places {project}"
    known = program.memo.get(key)
    if known is None:
        known = program.memo[key] = {}
        for unit in sorted(program.units.values(), key=lambda one: (one.source_id, one.path)):
            if unit.facts.language == SQL and unit.project == project:
                for number, node_id in enumerate(unit.ids):
                    known.setdefault(node_id, Place(unit.document_id, number))
    found: dict[str, Place] = known
    return found


def _told(unit: Unit, symbol: Symbol) -> dict[str, Value]:
    """Where a definition stands and how it begins."""
    told: dict[str, Value] = {
        "file": unit.path,
        "lines": f"{symbol.at.line}-{symbol.at.end_line}",
    }
    if symbol.signature:
        told["signature"] = symbol.signature
    if symbol.doc:
        told["doc"] = " ".join(symbol.doc.split())[:_MOST_DOC]
    return told


def _more(schema: Schema, kind: str, path: str) -> dict[str, Value]:
    """The type of a column, and whether it is there no more."""
    told: dict[str, Value] = {}
    names = parts(path)
    table = schema.table(spell(*names[:-1]) if kind == "Column" else path)
    if table is None or kind not in {"Column", "Table", "View"}:
        return told
    column = table.columns.get(names[-1].lower()) if kind == "Column" else None
    if column is not None and column.type:
        told["type"] = column.type
    gone = column.dropped_in if column is not None else table.dropped_in
    if gone and (kind != "Column" or column is not None):
        told["dropped_in"] = gone
    return told
