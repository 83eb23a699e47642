"""Migrations that say in SQL what they change: ``op.execute("ALTER TABLE …")``."""

from collections.abc import Iterator

from commonplace.domain.code import At, Query
from commonplace.link.code.orm.migration import Change


def written(scope: int, at: At, text: str) -> Iterator[Change]:
    """What the statements of a string make, change or drop of tables; others say nothing."""
    if not text:
        return
    from commonplace.sql.read import read_queries  # noqa: PLC0415 - loaded where there is SQL

    queries = read_queries(text, "", scope, at)[0]
    for query in queries:
        told = query.shape[3] if len(query.shape) > 3 else ()
        if ("kind", "Table") not in told:
            continue
        if query.verb == "CREATE":
            # Of CREATE TABLE … AS SELECT the columns are told by the SELECT.
            of_it = [one.writes for one in queries if one.target == query.target and one.writes]
            columns = of_it[0] if of_it else ()
            yield Change(scope, at, "create", query.target, columns)
        elif query.verb == "DROP":
            yield Change(scope, at, "drop", query.target)
        else:
            yield from _altered(scope, at, query)


def _altered(scope: int, at: At, query: Query) -> Iterator[Change]:
    for verb, *what in query.shape[3]:
        if verb == "add":
            yield Change(scope, at, "add", query.target, (what[0],))
        elif verb == "drop":
            yield Change(scope, at, "drop", query.target, (what[0],))
        elif verb == "rename":
            yield Change(scope, at, "alter", query.target, (what[0],), what[1])
        elif verb == "table":
            yield Change(scope, at, "rename", query.target, (), what[0])
