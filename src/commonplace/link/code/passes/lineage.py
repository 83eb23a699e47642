"""Tables and columns of SQL scripts: what contains what, who reads and writes it, what flows on."""

from collections.abc import Collection

from commonplace.link.code.aspects import note
from commonplace.link.code.base import Found, Pass
from commonplace.link.code.drawing import Drawing, Proof
from commonplace.link.code.lineage.asked import asked_key
from commonplace.link.code.lineage.draw import Drafting
from commonplace.link.code.lineage.order import home, scope_queries
from commonplace.link.code.lineage.schema import schema_of
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.shared import SQL
from commonplace.sql.names import parts, spell


def run(program: Program, document_ids: Collection[str]) -> dict[str, Found]:
    """Edges of these files; only scripts have any."""
    found = {}
    for unit in program.chosen(document_ids):
        drawing = Drawing(unit)
        if unit.facts.language == SQL:
            _script(program, drawing)
        found[unit.document_id] = drawing.found()
    return found


def _script(program: Program, drawing: Drawing) -> None:
    unit = drawing.unit
    drafting = Drafting(program, drawing)
    drafting.schema.asked = set()
    for number, symbol in enumerate(unit.facts.symbols[1:], 1):
        _symbol(drafting, number)
        if symbol.kind == "Trigger":
            _trigger(drafting, number)
    for number in {home(unit, query.scope): None for query in unit.facts.queries}:
        drafting.script(number)
    _keys(drafting, unit)
    routines = (one.path for one in unit.facts.symbols[1:] if one.kind == "Function")
    asked = {asked_key(spell(one)) for one in drafting.schema.asked}
    note(program, unit.document_id, *asked, *map(asked_key, routines))


def _symbol(drafting: Drafting, number: int) -> None:
    """State a definition, and what it stands in."""
    unit = drafting.drawing.unit
    symbol = unit.facts.symbols[number]
    if symbol.kind == "Column":
        names = parts(symbol.path)
        drafting.column(spell(*names[:-1]), names[-1])
        own, parent = unit.ids[number], drafting.table(spell(*names[:-1]))
        proof = Proof("definition", 1.0, symbol.at)
        drafting.drawing.edge(parent, "CONTAINS", own, proof)
        return
    own = drafting.drawing.node(drafting.node(symbol.kind, symbol.path))
    proof = Proof("definition", 1.0, symbol.at)
    drafting.drawing.edge(unit.document_id, "CONTAINS", own, proof)
    names = parts(symbol.path)
    if symbol.kind in {"Table", "View"}:
        drafting.table(symbol.path)
    elif len(names) > 1 and names[-2]:
        schema = drafting.drawing.node(drafting.node("Schema", spell(*names[:-1])))
        drafting.drawing.edge(schema, "CONTAINS", own, Proof("name", 1.0))


def _trigger(drafting: Drafting, number: int) -> None:
    """A trigger belongs to its table, and runs a function where it has no body."""
    unit = drafting.drawing.unit
    symbol, own = unit.facts.symbols[number], unit.ids[number]
    table = drafting.schema.triggers.get(Place(unit.document_id, number))
    if table:
        proof = Proof("trigger", 1.0, symbol.at)
        target = drafting.table(drafting.schema.canonical(table))
        drafting.drawing.edge(own, "REFERENCES", target, proof)
    for query in scope_queries(unit, number):
        runs = (
            next((op[2] for op in query.shape[3] if op[0] == "fires"), "")
            if len(query.shape) > 3
            else ""
        )
        routine = drafting.schema.routine(runs) if runs else None
        if runs:
            target = drafting.drawing.node(
                drafting.node("Function", routine.name if routine else runs)
            )
            drafting.drawing.edge(own, "CALLS", target, Proof("trigger", 1.0, symbol.at))


def _keys(drafting: Drafting, unit: Unit) -> None:
    """Foreign keys this file states: column to column, table to table."""
    for table in schema_of(drafting.program).tables.values():
        for document_id, at, own, other, others in table.keys:
            if document_id != unit.document_id:
                continue
            target = drafting.schema.canonical(other)
            proof = Proof("foreign key", 1.0, at)
            drafting.drawing.edge(
                drafting.table(table.name), "REFERENCES", drafting.table(target), proof
            )
            for one, two in zip(own, others, strict=False):
                drafting.drawing.edge(
                    drafting.column(table.name, one),
                    "REFERENCES",
                    drafting.column(target, two),
                    proof,
                )


LINEAGE = Pass(
    name="lineage",
    relations=frozenset({"CONTAINS", "READS", "WRITES", "FLOWS_TO", "CALLS", "REFERENCES"}),
    run=run,
)
