"""Mapped classes to tables, and functions to what they read and write through them."""

from collections.abc import Collection, Iterator

from commonplace.domain.code import At
from commonplace.link.code.aspects import ASKS_TABLES, note, uses_mapper
from commonplace.link.code.base import Found, Pass
from commonplace.link.code.bound import beginning
from commonplace.link.code.drawing import Drawing, Proof
from commonplace.link.code.lineage.draw import Drafting
from commonplace.link.code.names.look import look
from commonplace.link.code.names.scopes import CLASSES
from commonplace.link.code.orm import orms
from commonplace.link.code.orm.base import Asked, Mapped, Orm, Sight, tail
from commonplace.link.code.orm.mapped import field_of, mapped_classes, sight_of
from commonplace.link.code.orm.migration import Change, changes_of
from commonplace.link.code.orm.tracked import tracked
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.queries.chains import chains, owner, words

_SURE = {"declared": 1.0, "convention": 0.9}


def run(program: Program, document_ids: Collection[str]) -> dict[str, Found]:
    """Edges of these documents."""
    mapped = mapped_classes(program)
    found = {}
    for unit in program.chosen(document_ids):
        drafting = Drafting(program, Drawing(unit))
        sight = sight_of(program, unit)
        if uses_mapper(unit):
            note(program, unit.document_id, ASKS_TABLES)
        for one in _proven(program).get(unit.document_id, ()):
            _map(drafting, one)
            note(program, unit.document_id, ASKS_TABLES, *_kinds(program, one))
        for number, at, asked in _asked(sight):
            note(program, unit.document_id, ASKS_TABLES)
            _draw(drafting, mapped, (unit.ids[owner(unit.facts, number)], at), asked)
        for change in changes_of(program, unit):
            _change(drafting, change)
        found[unit.document_id] = drafting.drawing.found()
    return found


def _proven(program: Program) -> dict[str, list[Mapped]]:
    """Mappings by the documents that prove something of them."""
    table = program.memo.get("orm.proven")
    if table is None:
        table = program.memo["orm.proven"] = {}
        for one in mapped_classes(program).values():
            proving = {one.document_id, *(said_in for _column, said_in in one.columns.values())}
            for document_id in proving:
                table.setdefault(document_id, []).append(one)
    known: dict[str, list[Mapped]] = table
    return known


def _kinds(program: Program, one: Mapped) -> Iterator[str]:
    """Names of the types of its fields: whether they are classes decides what is a column."""
    for place in look(program).members(one.subject):
        declared = program.symbol(place).type
        if declared is not None:
            yield f"name:{tail(declared)}"


def _map(drafting: Drafting, one: Mapped) -> None:
    """What this document proves of a mapping."""
    program, unit = drafting.program, drafting.drawing.unit
    name = drafting.schema.canonical(one.table)
    if one.document_id == unit.document_id:
        proof = Proof(one.how, _SURE[one.how], _place(program, unit, one.subject))
        subject = program.node_id(one.subject)
        drafting.drawing.edge(subject, "MAPS_TO", drafting.table(name), proof)
    for column, said_in in one.columns.values():
        if said_in != unit.document_id:
            continue
        kept_in = drafting.column(name, column.name)
        field = field_of(program, one.subject, column.field)
        if field is not None:
            proof = Proof(column.how, _SURE[column.how], _place(program, unit, field))
            drafting.drawing.edge(program.node_id(field), "MAPS_TO", kept_in, proof)


def _place(program: Program, unit: Unit, place: Place) -> At | None:
    if place.document_id != unit.document_id:
        return None
    symbol = program.symbol(place)
    return beginning(symbol) if symbol.kind in CLASSES else symbol.at


def _asked(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """Everything the functions of a file ask of mapped classes and named tables."""
    for orm in orms().values():
        if sight.unit.facts.language not in orm.languages:
            continue
        if orm.defines is not None:
            yield from orm.defines(sight)
        if orm.asks is not None and _is_used(sight, orm):
            for chain in chains(sight.unit):
                for asked in orm.asks(sight, chain):
                    if _is_own(sight, orm, asked):
                        yield chain.scope, chain.at, asked
    yield from tracked(sight)


def _is_used(sight: Sight, orm: Orm) -> bool:
    """Whether anything is mapped that it could ask for; some ask for tables by name."""
    wanted = orm.of or {orm.name}
    if orm.words and not orm.words & words(sight.unit):
        return False
    return orm.needs_no_class or any(one.orm in wanted for one in sight.mapped.values())


def _is_own(sight: Sight, orm: Orm, asked: Asked) -> bool:
    """Whether what is asked for is mapped by the one who asks: names of methods are alike."""
    if asked.subject is None:
        return True
    return sight.mapped[asked.subject].orm in (orm.of or {orm.name})


def _draw(
    drafting: Drafting, mapped: dict[Place, Mapped], origin: tuple[str, At], asked: Asked
) -> None:
    source, at = origin
    proof = Proof(asked.how, asked.confidence, at)
    table, names = asked.table, asked.fields
    if asked.subject is not None:
        one = mapped[asked.subject]
        table = one.table
        names = tuple(one.columns[name][0].name for name in asked.fields if name in one.columns)
    table = drafting.schema.canonical(table)
    drafting.drawing.edge(source, asked.access, drafting.table(table), proof)
    for name in _all(drafting, table) if names == ("*",) else names:
        drafting.drawing.edge(source, asked.access, drafting.column(table, name), proof)


def _all(drafting: Drafting, table: str) -> list[str]:
    """The columns of a table, where it is defined."""
    known = drafting.schema.table(table)
    return [one.name for one in known.columns.values() if not one.dropped_in] if known else []


def _change(drafting: Drafting, change: Change) -> None:
    """A table made or changed by code is there as one made by a script."""
    unit = drafting.drawing.unit
    source = unit.ids[owner(unit.facts, change.scope)]
    verb = "alter" if change.columns and change.verb != "create" else change.verb
    name = drafting.schema.canonical(change.table)
    proof = Proof(f"{verb}_table", 1.0, change.at)
    drafting.drawing.edge(source, "REFERENCES", drafting.table(name), proof)
    for column in change.columns:
        proof = Proof(f"{change.verb}_column", 1.0, change.at)
        drafting.drawing.edge(source, "REFERENCES", drafting.column(name, column), proof)


MAPPINGS = Pass(
    name="mappings",
    relations=frozenset({"MAPS_TO", "READS", "WRITES", "CONTAINS", "REFERENCES"}),
    run=run,
)
