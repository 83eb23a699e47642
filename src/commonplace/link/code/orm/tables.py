"""Tables that code declares: by migrations and by mapped classes."""

from dataclasses import dataclass, field

from commonplace.link.code.orm.mapped import mapped_classes, sight_of
from commonplace.link.code.orm.migration import Change, migrations
from commonplace.link.code.program import Program
from commonplace.sql.names import fold

_LISTING = frozenset({"create", "add"})


@dataclass(slots=True)
class Declared:
    """The columns of one table, in the order they are named."""

    name: str
    migrated: dict[str, None] = field(default_factory=dict)
    """Those a migration makes: they are there."""
    mapped: dict[str, None] = field(default_factory=dict)
    """Those classes map to: what the table has besides is not known."""


def declared(program: Program) -> list[Declared]:
    """Every table code declares."""
    tables: dict[str, Declared] = {}
    for change in _changes(program):
        if change.verb in _LISTING:
            table = tables.setdefault(fold(change.table), Declared(change.table))
            table.migrated.update(dict.fromkeys(change.columns))
    for one in mapped_classes(program).values():
        table = tables.setdefault(fold(one.table), Declared(one.table))
        table.mapped.update((column.name, None) for column, _document in one.columns.values())
    return [table for _name, table in sorted(tables.items())]


def _changes(program: Program) -> list[Change]:
    found: list[Change] = []
    for unit in sorted(program.units.values(), key=lambda one: (one.source_id, one.path)):
        for tool in migrations().values():
            if unit.facts.language in tool.languages:
                found += tool.changes(sight_of(program, unit))
    return found
