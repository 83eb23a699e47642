"""Django's migrations: operations listed in a class."""

import posixpath
from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import Sight, argument, entry, tail
from commonplace.link.code.orm.migration import Change, Migrations
from commonplace.link.code.orm.written import written
from commonplace.link.code.program import Unit

_FIELD_VERBS = {"AddField": "add", "RemoveField": "drop", "AlterField": "alter"}
_RENAMED = {
    "RenameField": (("model_name",), ("old_name",), ("new_name",)),
    "RenameModel": (("old_name",), ("new_name",)),
    "AlterModelTable": (("name",), ("table",)),
}
_TO_ONE = frozenset({"ForeignKey", "OneToOneField"})


def _may(unit: Unit) -> bool:
    return posixpath.basename(posixpath.dirname(unit.path)) == "migrations"


def _changes(sight: Sight) -> Iterator[Change]:
    facts = sight.unit.facts
    folder = posixpath.dirname(sight.unit.path)
    app = posixpath.basename(posixpath.dirname(folder)) or "app"
    for call in facts.calls:
        name = tail(call.callee)
        if name == "CreateModel":
            yield from _created(sight, call, app)
        elif name == "DeleteModel":
            model = sight.said(call.scope, argument(call, 0, "name"))
            if model:
                yield Change(call.scope, call.at, "drop", f"{app}_{model.lower()}")
        elif name in _FIELD_VERBS:
            model = sight.said(call.scope, argument(call, 0, "model_name"))
            field = sight.said(call.scope, argument(call, 1, "name"))
            column = _column(sight, field, argument(call, 2, "field"))
            if model and field:
                table = f"{app}_{model.lower()}"
                yield Change(call.scope, call.at, _FIELD_VERBS[name], table, (column,))
        elif name in _RENAMED:
            yield from _renamed(sight, call, app)
        elif name == "RunSQL":
            text = sight.said(call.scope, argument(call, 0, "sql"))
            yield from written(call.scope, call.at, text)


def _renamed(sight: Sight, call: Call, app: str) -> Iterator[Change]:
    """A model, a field or a table that is called otherwise from now on."""
    kind = tail(call.callee)
    names = [
        sight.said(call.scope, argument(call, place, *keywords))
        for place, keywords in enumerate(_RENAMED[kind])
    ]
    if not all(names):
        return
    table = f"{app}_{names[0].lower()}"
    if kind == "RenameField":
        yield Change(call.scope, call.at, "rename", table, (names[1],), names[2])
    elif kind == "RenameModel":
        yield Change(call.scope, call.at, "rename", table, (), f"{app}_{names[1].lower()}")
    else:
        yield Change(call.scope, call.at, "rename", table, (), names[1], table)


def _created(sight: Sight, call: Call, app: str) -> Iterator[Change]:
    model = sight.said(call.scope, argument(call, 0, "name"))
    table = sight.said(call.scope, entry(argument(call, 2, "options"), "db_table"))
    fields = argument(call, 1, "fields")
    columns = []
    for pair in fields[2] if fields is not None and fields[0] == "seq" else ():
        if pair[0] == "seq" and len(pair[2]) == 2:
            field = sight.said(call.scope, pair[2][0])
            column = _column(sight, field, pair[2][1])
            columns += [column] if column else []
    if model:
        own = f"{app}_{model.lower()}"
        yield Change(
            call.scope, call.at, "create", table or own, tuple(columns), alias=own if table else ""
        )


def _column(sight: Sight, field: str, value: Expr | None) -> str:
    call = sight.unit.facts.calls[value[1]] if value is not None and value[0] == "call" else None
    if call is None or tail(call.callee) == "ManyToManyField":
        return field if call is None else ""
    named = sight.said(call.scope, argument(call, -1, "db_column"))
    return named or (f"{field}_id" if tail(call.callee) in _TO_ONE else field)


DJANGO_MIGRATIONS = Migrations(
    name="django_migrations", languages=frozenset({"python"}), may=_may, changes=_changes
)
