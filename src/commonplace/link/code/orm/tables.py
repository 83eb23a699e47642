"""Tables that code declares: by mapped classes and by migrations."""

from commonplace.link.code.orm.mapped import mapped_classes, sight_of
from commonplace.link.code.orm.migration import Change, migrations
from commonplace.link.code.program import Program
from commonplace.sql.names import fold

_LISTING = frozenset({"create", "add"})


def declared(program: Program) -> dict[str, tuple[str, ...]]:
    """Columns of every table code declares, by its name as compared, in the order declared."""
    found = program.memo.get("orm.tables")
    if found is None:
        found = program.memo["orm.tables"] = _tables(program)
    known: dict[str, tuple[str, ...]] = found
    return known


def _tables(program: Program) -> dict[str, tuple[str, ...]]:
    tables: dict[str, dict[str, None]] = {}
    for change in _changes(program):
        if change.verb in _LISTING:
            tables.setdefault(fold(change.table), {}).update(dict.fromkeys(change.columns))
    for one in mapped_classes(program).values():
        columns = tables.setdefault(fold(one.table), {})
        known = {name.lower() for name in columns}
        for column, _document in one.columns.values():
            if column.name.lower() not in known:
                columns[column.name] = None
    return {table: tuple(columns) for table, columns in tables.items()}


def _changes(program: Program) -> list[Change]:
    found: list[Change] = []
    for unit in sorted(program.units.values(), key=lambda one: one.path):
        for tool in migrations().values():
            if unit.facts.language in tool.languages:
                found += tool.changes(sight_of(program, unit))
    return found
