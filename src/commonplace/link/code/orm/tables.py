"""Tables that code declares: by migrations and by mapped classes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from commonplace.link.code.orm.base import Mapped
from commonplace.link.code.orm.mapped import mapped_classes
from commonplace.link.code.orm.migration import Change, changes_of
from commonplace.link.code.program import Place, Program, Unit
from commonplace.sql.names import fold

_LISTING = frozenset({"create", "add"})


class Where(NamedTuple):
    """Where code declares something."""

    file: str
    lines: str


@dataclass(slots=True)
class Declared:
    """One table; its columns in the order they are named."""

    name: str
    where: Where
    migrated: dict[str, Where] = field(default_factory=dict)
    """Those a migration makes: they are there."""
    mapped: dict[str, Where] = field(default_factory=dict)
    """Those classes map to: what the table has besides is not known."""


def declared(program: Program) -> list[Declared]:
    """Every table code declares."""
    tables: dict[str, Declared] = {}
    for unit, change in _changes(program):
        if change.verb in _LISTING:
            where = Where(unit.path, f"{change.at.line}-{change.at.end_line}")
            table = tables.setdefault(fold(change.table), Declared(change.table, where))
            for column in change.columns:
                table.migrated.setdefault(column, where)
    for one in mapped_classes(program).values():
        table = tables.setdefault(
            fold(one.table), Declared(one.table, _place(program, one.subject))
        )
        for column, where in _columns(program, one):
            table.mapped.setdefault(column, where)
    return [table for _name, table in sorted(tables.items())]


def _columns(program: Program, one: Mapped) -> Iterator[tuple[str, Where]]:
    unit = program.units[one.subject.document_id]
    fields = {unit.facts.symbols[n].name: n for n in unit.children.get(one.subject.number, ())}
    for column, _document in one.columns.values():
        number = fields.get(column.field, one.subject.number)
        yield column.name, _place(program, Place(unit.document_id, number))


def _place(program: Program, place: Place) -> Where:
    at = program.symbol(place).at
    return Where(program.units[place.document_id].path, f"{at.line}-{at.end_line}")


def _changes(program: Program) -> Iterator[tuple[Unit, Change]]:
    for unit in sorted(program.units.values(), key=lambda one: (one.source_id, one.path)):
        for change in changes_of(program, unit):
            yield unit, change
