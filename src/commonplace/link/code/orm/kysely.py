"""Kysely: tables and columns named in the query itself, checked against types."""

from collections.abc import Iterator

from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import in_objects, in_strings
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Orm,
    Sight,
    argument,
    never,
    no_claims,
    no_columns,
)
from commonplace.link.code.queries.chains import Chain, Step

_STARTS: dict[str, Access] = {
    "selectFrom": "READS",
    "insertInto": "WRITES",
    "replaceInto": "WRITES",
    "updateTable": "WRITES",
    "deleteFrom": "WRITES",
    "mergeInto": "WRITES",
}
_NAMING = frozenset({"select", "where", "whereRef", "orderBy", "groupBy", "having", "distinctOn"})
_FIRST = frozenset({"where", "orderBy", "having"})
"""Steps of whose strings only the first names a column."""
_SETTING = frozenset({"values", "set"})
_ALL = frozenset({"selectAll"})


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    start = next((n for n, step in enumerate(chain.steps) if step.name in _STARTS), -1)
    if start < 0:
        return
    tables = dict(_tables(sight, chain, start))
    if "" not in tables:
        return
    access = _STARTS[chain.steps[start].name]
    yield Asked(None, access, table=tables[""])
    for other in dict.fromkeys(tables.values()):
        if other != tables[""]:
            yield Asked(None, "READS", table=other)
    for step in chain.steps[start + 1 :]:
        if step.name in _SETTING and access == "WRITES":
            given = in_objects(sight, argument(step.call, 0))
            yield Asked(None, "WRITES", given, tables[""])
        if step.name in _ALL:
            yield from (Asked(None, "READS", ("*",), one) for one in set(tables.values()))
        for table, column in _named(step, tables):
            yield Asked(None, "READS", (column,), table)


def _tables(sight: Sight, chain: Chain, start: int) -> Iterator[tuple[str, str]]:
    """Tables by the names columns are prefixed with; the one that needs no prefix by none."""
    for place, step in enumerate(chain.steps[start:], start):
        if place != start and not step.name.endswith("Join"):
            continue
        table, _as, alias = sight.said(chain.scope, argument(step.call, 0)).partition(" as ")
        if table:
            yield alias.strip() or table, table
            if place == start:
                yield "", table


def _named(step: Step, tables: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Columns a step names, each with its table; where several could have it, none."""
    names = in_strings(step) if step.name in _NAMING else ()
    if step.name.endswith("Join"):
        names = in_strings(step)[1:]
    elif step.name in _FIRST:
        names = names[:1]
    is_alone = len(set(tables.values())) == 1
    for name in names:
        of, _dot, column = name.rpartition(".")
        if of in tables and (of or is_alone) and column.isidentifier():
            yield tables[of], column


KYSELY = Orm(
    name="kysely",
    languages=SCRIPTS,
    may=never,
    claims=no_claims,
    columns=no_columns,
    words=frozenset(_STARTS),
    needs_no_class=True,
    asks=_asks,
)
