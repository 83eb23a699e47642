"""Tables that code declares: by migrations and by mapped classes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from commonplace.link.code.orm.base import Mapped
from commonplace.link.code.orm.mapped import field_of, mapped_classes
from commonplace.link.code.orm.migration import Change, changes_of, in_order
from commonplace.link.code.program import Place, Program, Unit
from commonplace.sql.names import fold

_UNDOING = frozenset({"downgrade", "Down", "down"})
"""Functions that take back what a migration did."""


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
    gone: dict[str, str] = field(default_factory=dict)
    """Columns that a migration dropped or renamed, and the file it stands in."""
    dropped_in: str = ""


class _Book:
    """Tables as migrations leave them, one change after the other."""

    def __init__(self) -> None:
        self.tables: dict[str, Declared] = {}
        self.aliases: dict[str, str] = {}

    def of(self, name: str, where: Where) -> Declared:
        """The table a name means, made when it is new."""
        name = self.aliases.get(fold(name), name)
        return self.tables.setdefault(fold(name), Declared(name, where))

    def take(self, change: Change, where: Where) -> None:
        """What one change leaves."""
        if change.alias and change.verb == "create":
            self.aliases[fold(change.alias)] = change.table
        table = self.of(change.table, where)
        if change.verb == "create" and table.dropped_in:
            table.migrated.clear()
            table.dropped_in, table.where = "", where
        if change.verb in ("create", "add"):
            for column in change.columns:
                table.migrated.setdefault(column, where)
                table.gone.pop(column, None)
        elif change.to and change.columns:
            _rename(table, change.columns[0], change.to, where)
        elif change.to:
            self._move(table, change, where)
        elif change.verb == "drop":
            for column in change.columns:
                table.migrated.pop(column, None)
                table.gone[column] = where.file
            table.dropped_in = table.dropped_in if change.columns else where.file

    def _move(self, table: Declared, change: Change, where: Where) -> None:
        moved = self.of(change.to, where)
        moved.migrated, moved.gone, moved.dropped_in = dict(table.migrated), dict(table.gone), ""
        table.dropped_in = where.file
        if change.alias:
            self.aliases[fold(change.alias)] = change.to


def _rename(table: Declared, old: str, new: str, where: Where) -> None:
    """The column keeps its place; under its old name it is gone."""
    kept = {new if name == old else name: place for name, place in table.migrated.items()}
    table.migrated = kept if old in table.migrated else {**kept, new: where}
    table.gone.pop(new, None)
    table.gone[old] = where.file


def declared(program: Program) -> list[Declared]:
    """Every table code declares."""
    book = _Book()
    for unit, change in _changes(program):
        book.take(change, Where(unit.path, f"{change.at.line}-{change.at.end_line}"))
    tables = book.tables
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
        own = Place(unit.document_id, fields.get(column.field, one.subject.number))
        inner = field_of(program, one.subject, column.field) if "." in column.field else None
        yield column.name, _place(program, inner or own)


def _place(program: Program, place: Place) -> Where:
    at = program.symbol(place).at
    return Where(program.units[place.document_id].path, f"{at.line}-{at.end_line}")


def _changes(program: Program) -> Iterator[tuple[Unit, Change]]:
    units = sorted(program.units.values(), key=lambda one: (one.source_id, one.path))
    for unit in in_order(program, units):
        for change in changes_of(program, unit):
            if not _is_undoing(unit, change.scope):
                yield unit, change


def _is_undoing(unit: Unit, scope: int) -> bool:
    """Whether a change stands in a function that takes a migration back."""
    while scope:
        if unit.facts.symbols[scope].name in _UNDOING:
            return True
        scope = unit.facts.symbols[scope].parent
    return False
