"""What statements say as nodes and edges: reads, writes, flows, calls, keys."""

from collections.abc import Iterable

from commonplace.domain.code import At, Query
from commonplace.domain.graph import Node, Value
from commonplace.link.code.drawing import Drawing, Proof
from commonplace.link.code.lineage.schema import Schema, schema_of
from commonplace.link.code.lineage.trace import Moved, Told, Trace, columns_of
from commonplace.link.code.program import Place, Program
from commonplace.link.code.shared import sql_id, sql_node
from commonplace.sql.names import fold, parts, spell
from commonplace.sql.resolve import STAR

_MENTIONED = 0.3
_PARTIAL = 0.6
_WHOLE_TABLE = 0.5
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

    def told(self, source: str, told: Told) -> None:
        """One statement."""
        query = told.query
        if not query.shape and query.verb not in {"TRUNCATE", "INSERT"}:
            self._mentions(source, query)
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

    def _mentions(self, source: str, query: Query) -> None:
        """Tables a statement names that could not be parsed, or was not read."""
        for name in query.tables:
            proof = Proof("mention", _MENTIONED, query.at)
            self._edge(source, "READS", self.table(self.schema.canonical(name)), proof)

    def _id(self, name: str) -> str:
        return sql_id(self.project, "Table", name)

    def _writes(
        self, source: str, target: str, columns: dict[str, float], told: tuple[Query, float]
    ) -> None:
        query, sure = told
        how = query.verb.lower()
        self._edge(source, "WRITES", self.table(target), Proof(how, sure, query.at))
        for column in (*columns, *(query.writes if not query.shape else ())):
            if column != STAR:
                self._edge(
                    source, "WRITES", self.column(target, column), Proof(how, sure, query.at)
                )

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
        known = nodes_of(self.program, self.project).get(sql_id(self.project, kind, path))
        return known or sql_node(self.project, kind, path, self._declared(kind, path))

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


def nodes_of(program: Program, project: str) -> dict[str, Node]:
    """Every node of SQL that scripts define, by id, with where it is defined and how."""
    key = f"lineage.nodes {project}"
    known = program.memo.get(key)
    if isinstance(known, dict):
        return known
    found: dict[str, Node] = {}
    program.memo[key] = found
    schema = schema_of(program)
    for unit in sorted(program.units.values(), key=lambda one: (one.source_id, one.path)):
        if unit.facts.language != "sql" or unit.project != project:
            continue
        for number, symbol in enumerate(unit.facts.symbols[1:], 1):
            told: dict[str, Value] = {
                "file": unit.path,
                "lines": f"{symbol.at.line}-{symbol.at.end_line}",
            }
            if symbol.signature:
                told["signature"] = symbol.signature
            if symbol.doc:
                told["doc"] = " ".join(symbol.doc.split())[:300]
            told |= _more(schema, symbol.kind, symbol.path)
            if unit.ids[number] not in found:
                found[unit.ids[number]] = sql_node(project, symbol.kind, symbol.path, told)
    _views(program, schema, (project, found))
    return found


def _more(schema: Schema, kind: str, path: str) -> dict[str, Value]:
    """The type of a column, and whether it is there no more."""
    told: dict[str, Value] = {}
    if kind == "Column":
        names = parts(path)
        table = schema.table(spell(*names[:-1]))
        column = table.columns.get(names[-1].lower()) if table is not None else None
        if column is not None and column.type:
            told["type"] = column.type
        if column is not None and column.dropped_in:
            told["dropped_in"] = column.dropped_in
    elif kind in {"Table", "View"}:
        known = schema.table(path)
        if known is not None and known.dropped_in:
            told["dropped_in"] = known.dropped_in
    return told


def _views(program: Program, schema: Schema, into: tuple[str, dict[str, Node]]) -> None:
    """Columns of views and of tables made by a query, which no symbol stands for."""
    project, found = into
    for table in schema.tables.values():
        home = found.get(sql_id(project, table.kind, table.name))
        if not table.made or home is None:
            continue
        place: dict[str, Value] = {
            name: home.properties[name] for name in ("file", "lines") if name in home.properties
        }
        for column in columns_of(program, schema, table.name) or ():
            path = spell(*parts(table.name), column)
            node = sql_node(project, "Column", path, place)
            found.setdefault(node.id, node)
