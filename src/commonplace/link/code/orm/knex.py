"""Knex: tables and columns named in the query itself, without a class."""

from collections.abc import Iterable, Iterator

from commonplace.link.code.chains import Chain, Step
from commonplace.link.code.modules import SCRIPTS
from commonplace.link.code.orm.asking import in_objects, in_strings
from commonplace.link.code.orm.base import Access, Asked, Claim, Column, Orm, Sight, argument
from commonplace.link.code.program import Place

_STARTS = frozenset({"knex", "db", "trx", "database"})
_INTO = frozenset({"from", "into", "table"})
_WRITES = frozenset(
    {"insert", "update", "del", "delete", "upsert", "increment", "decrement", "merge"}
)
_NAMING = frozenset(
    {
        "select",
        "where",
        "andWhere",
        "orWhere",
        "whereIn",
        "whereNot",
        "whereNull",
        "orderBy",
        "pluck",
    }
    | {
        "whereNotNull",
        "whereBetween",
        "groupBy",
        "column",
        "columns",
        "distinct",
        "sum",
        "min",
        "max",
    }
)
_BY_PLACE = frozenset(
    {"where", "andWhere", "orWhere", "whereIn", "whereNot", "orderBy", "whereBetween"}
)
_SCHEMA = frozenset({"createTable", "alterTable", "table", "dropTable", "schema"})


def _claims(sight: Sight) -> Iterable[Claim]:
    del sight
    return ()


def _columns(sight: Sight, place: Place) -> Iterable[Column]:
    del sight, place
    return ()


def uses_knex(sight: Sight, chain: Chain) -> bool:
    """Whether a chain begins with Knex: imported, made by it, or called by its usual names."""
    first = chain.root if chain.root is not None else ("name", chain.steps[0].name)
    names = sight.look.type_names(sight.unit, chain.scope, first)
    names.add(sight.look.external(sight.unit, chain.scope, first))
    return any("knex" in one.lower() for one in names)


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    if not chain.steps or _SCHEMA & set(chain.names()):
        return
    start = chain.steps[0].name if chain.root is None else chain.root[-1]
    if start not in _STARTS or not uses_knex(sight, chain):
        return
    table = _table(sight, chain)
    if not table:
        return
    writes = any(step.name in _WRITES for step in chain.steps)
    yield Asked(None, "WRITES" if writes else "READS", table=table)
    for step in chain.steps:
        named = _named(sight, step)
        access: Access = "WRITES" if step.name in _WRITES else "READS"
        if named:
            yield Asked(None, access, named, table)


def _table(sight: Sight, chain: Chain) -> str:
    for place, step in enumerate(chain.steps):
        if step.name in _INTO or (place == 0 and (chain.root is None or not step.name)):
            found = sight.said(chain.scope, argument(step.call, 0))
            if found:
                return found.partition(" ")[0]
    return ""


def _named(sight: Sight, step: Step) -> tuple[str, ...]:
    first = argument(step.call, 0)
    if first is None:
        return ()
    if step.name in _WRITES and first[0] in ("map", "seq"):
        return in_objects(sight, first)
    if step.name not in _NAMING:
        return ()
    if first[0] == "map":
        return in_objects(sight, first)
    found = in_strings(step)
    found = found[:1] if step.name in _BY_PLACE else found
    return tuple(one for one in found if one != "*")


KNEX = Orm(
    name="knex",
    languages=SCRIPTS,
    claims=_claims,
    columns=_columns,
    words=_STARTS,
    needs_no_class=True,
    asks=_asks,
)
