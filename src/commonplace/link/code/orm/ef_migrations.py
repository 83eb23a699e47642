"""Entity Framework Core's migrations: calls of a migration builder."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.orm.base import Sight, argument, keys
from commonplace.link.code.orm.ef_core import CSHARP
from commonplace.link.code.orm.migration import Change, Migrations
from commonplace.link.code.orm.written import written
from commonplace.link.code.program import Unit
from commonplace.link.code.queries.chains import chains, words

_COLUMN_VERBS = {"AddColumn": "add", "DropColumn": "drop", "AlterColumn": "alter"}
_COLUMN_VERBS |= {"RenameColumn": "rename"}
_TABLE_VERBS = {"CreateTable": "create", "DropTable": "drop", "RenameTable": "rename"}


def _may(unit: Unit) -> bool:
    return "migrationBuilder" in words(unit)


def _changes(sight: Sight) -> Iterator[Change]:
    for chain in chains(sight.unit):
        step = chain.steps[-1] if chain.steps else None
        if step is None or step.call is None or chain.root != ("name", "migrationBuilder"):
            continue
        if step.name in _TABLE_VERBS:
            table = _table(sight, step.call, 0, "name")
            if table:
                columns = tuple(_columns(sight, step.call))
                to = sight.said(chain.scope, argument(step.call, -1, "newName"))
                verb = _TABLE_VERBS[step.name]
                yield Change(chain.scope, chain.at, verb, table, columns, to)
        elif step.name in _COLUMN_VERBS:
            table = _table(sight, step.call, 1, "table")
            column = sight.said(chain.scope, argument(step.call, 0, "name"))
            if table and column:
                verb = _COLUMN_VERBS[step.name]
                to = sight.said(chain.scope, argument(step.call, 2, "newName"))
                to = to if verb == "rename" else ""
                yield Change(chain.scope, chain.at, verb, table, (column,), to)
        elif step.name == "Sql":
            text = sight.said(chain.scope, argument(step.call, 0, "sql"))
            yield from written(chain.scope, chain.at, text)


def _table(sight: Sight, call: Call, place: int, key: str) -> str:
    name = sight.said(call.scope, argument(call, place, key))
    schema = sight.said(call.scope, argument(call, -1, "schema"))
    return f"{schema}.{name}" if schema and name else name


def _columns(sight: Sight, call: Call) -> Iterator[str]:
    """The members of what ``columns: table => new { … }`` makes."""
    given = argument(call, 1, "columns")
    if given is not None and given[0] == "made":
        for flow in flows_in(sight.unit, given[1]):
            if flow.target == ("result",):
                yield from keys(flow.value)


EF_MIGRATIONS = Migrations(name="ef_migrations", languages=CSHARP, may=_may, changes=_changes)
