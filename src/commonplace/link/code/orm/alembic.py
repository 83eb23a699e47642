"""Alembic: ``op.create_table`` and its like, and what ``op.execute`` says in SQL."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.orm.base import Sight, argument
from commonplace.link.code.orm.migration import Change, Migrations
from commonplace.link.code.orm.written import written
from commonplace.link.code.program import Unit
from commonplace.link.code.queries.chains import chains

_COLUMN_VERBS = {"add_column": "add", "drop_column": "drop", "alter_column": "alter"}
_TABLE_VERBS = {"create_table": "create", "drop_table": "drop", "rename_table": "rename"}


def _may(unit: Unit) -> bool:
    return any(one.module.split(".")[0] == "alembic" for one in unit.facts.imports)


def _changes(sight: Sight) -> Iterator[Change]:
    for chain in chains(sight.unit):
        step = chain.steps[-1] if chain.steps else None
        if step is None or step.call is None or chain.root is None:
            continue
        batch = _batch(sight, chain.scope, chain.root[-1]) if len(chain.steps) == 1 else ""
        if step.name in _TABLE_VERBS:
            table = _table(sight, step.call)
            columns = tuple(_columns(sight, step.call)) if step.name == "create_table" else ()
            to = sight.said(chain.scope, argument(step.call, 1, "new_table_name"))
            verb = _TABLE_VERBS[step.name]
            if table:
                to = to if verb == "rename" else ""
                yield Change(chain.scope, chain.at, verb, table, columns, to)
        elif step.name in _COLUMN_VERBS:
            table = batch or _table(sight, step.call)
            column = _column(sight, step.call, 0 if batch else 1)
            if table and column:
                verb = _COLUMN_VERBS[step.name]
                to = sight.said(chain.scope, argument(step.call, -1, "new_column_name"))
                yield Change(chain.scope, chain.at, verb, table, (column,), to)
        elif step.name == "execute":
            yield from written(chain.scope, chain.at, _statement(sight, step.call))


def _statement(sight: Sight, call: Call) -> str:
    """SQL as a string, or as ``sa.text("…")``."""
    expr = argument(call, 0, "sqltext", "statement")
    if expr is not None and expr[0] == "call":
        expr = argument(sight.unit.facts.calls[expr[1]], 0, "text")
    return sight.said(call.scope, expr)


def _table(sight: Sight, call: Call) -> str:
    name = sight.said(call.scope, argument(call, 0, "table_name", "old_table_name"))
    schema = sight.said(call.scope, argument(call, -1, "schema"))
    return f"{schema}.{name}" if schema and name else name


def _columns(sight: Sight, call: Call) -> Iterator[str]:
    for called, inner in sight.calls(call.arguments):
        if called == "Column":
            name = sight.said(call.scope, argument(inner, 0, "name"))
            if name:
                yield name


def _column(sight: Sight, call: Call, place: int) -> str:
    """A column by its name, or as ``sa.Column("name", …)``."""
    expr = argument(call, place, "column_name", "column")
    if expr is not None and expr[0] == "call":
        expr = argument(sight.unit.facts.calls[expr[1]], 0, "name")
    return sight.said(call.scope, expr)


def _batch(sight: Sight, scope: int, name: object) -> str:
    """The table of ``with op.batch_alter_table("t") as batch``."""
    for one in sight.look.makers(sight.unit, scope, ("name", name)):
        call = one.unit.facts.calls[one.expr[1]]
        if call.callee[-1] == "batch_alter_table":
            return _table(sight, call)
    return ""


def _follows(sight: Sight) -> tuple[str, tuple[str, ...]]:
    """``revision`` and ``down_revision``: one name, or several where branches meet."""
    given = {
        flow.target[1]: flow.value
        for flow in flows_in(sight.unit, 0)
        if flow.target[0] == "name" and flow.target[1] in ("revision", "down_revision")
    }
    before = given.get("down_revision")
    several = before[2] if before is not None and before[0] == "seq" else (before,)
    names = (sight.said(0, one) for one in several)
    return sight.said(0, given.get("revision")), tuple(one for one in names if one)


ALEMBIC = Migrations(
    name="alembic",
    languages=frozenset({"python"}),
    may=_may,
    changes=_changes,
    follows=_follows,
)
