"""jOOQ: tables and columns named in strings, or by the constants it generates for them."""

from collections.abc import Iterator

from commonplace.domain.expr import Expr
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Orm,
    Sight,
    argument,
    never,
    no_claims,
    no_columns,
    tail,
)
from commonplace.link.code.orm.jpa import JAVA
from commonplace.link.code.queries.chains import Chain

_MODULE = "org.jooq"
_READING = frozenset({"from", "selectFrom", "fetchExists", "fetchCount", "using"})
_WRITING = frozenset({"insertInto", "update", "deleteFrom", "delete", "mergeInto", "truncate"})
_DEEPEST = 8


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    facts = sight.unit.facts
    if not any(one.module.startswith(_MODULE) for one in facts.imports):
        return
    tables: dict[str, Access] = {}
    for step in chain.steps:
        joins = step.name.lower().endswith("join")
        table = _table(sight, chain.scope, argument(step.call, 0))
        if table and (step.name in _READING or joins or step.name in _WRITING):
            tables.setdefault(table, "WRITES" if step.name in _WRITING else "READS")
    for table, access in tables.items():
        yield Asked(None, access, table=table)
    for step in chain.steps if tables else ():
        is_set = step.name in ("set", "columns", "onDuplicateKeyUpdate") or (
            step.name == "insertInto"
        )
        for place, one in enumerate(step.call.arguments if step.call else ()):
            is_written = is_set and (step.name != "set" or place == 0)
            for table, column in _columns(sight, chain.scope, one, tables, 0):
                yield Asked(None, "WRITES" if is_written else "READS", (column,), table)


def _table(sight: Sight, scope: int, expr: Expr | None) -> str:
    """``table("orders")``, or the constant ``ORDERS``, also with an alias."""
    if expr is None:
        return ""
    if expr[0] == "call":
        call = sight.unit.facts.calls[expr[1]]
        if tail(call.callee) == "as" and call.callee[0] == "attr":
            return _table(sight, scope, call.callee[1])
        return sight.said(scope, argument(call, 0)) if tail(call.callee) == "table" else ""
    name = tail(expr)
    return name.lower() if name.isupper() and len(name) > 1 else ""


def _columns(
    sight: Sight, scope: int, expr: Expr, tables: dict[str, Access], depth: int
) -> Iterator[tuple[str, str]]:
    """``field("total")``, ``ORDERS.TOTAL.gt(3)``: a column and its table."""
    if depth > _DEEPEST:
        return
    if expr[0] == "attr" and tail(expr).isupper():
        table = _table(sight, scope, expr[1])
        if table in tables:
            yield table, tail(expr).lower()
    elif expr[0] == "attr":
        yield from _columns(sight, scope, expr[1], tables, depth + 1)
    elif expr[0] == "call":
        call = sight.unit.facts.calls[expr[1]]
        said = sight.said(scope, argument(call, 0)) if tail(call.callee) == "field" else ""
        of, _dot, column = said.rpartition(".")
        if column.isidentifier() and (of in tables or (not of and len(tables) == 1)):
            yield of or next(iter(tables)), column
        for one in (call.callee, *call.arguments):
            yield from _columns(sight, scope, one, tables, depth + 1)


JOOQ = Orm(
    name="jooq",
    languages=JAVA,
    may=never,
    claims=no_claims,
    columns=no_columns,
    words=_READING | _WRITING,
    needs_no_class=True,
    asks=_asks,
)
