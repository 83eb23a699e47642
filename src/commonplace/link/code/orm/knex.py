"""Knex: tables and columns named in the query itself, without a class."""

from collections.abc import Iterator

from commonplace.domain.expr import Expr
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import in_objects, in_strings, lambdas
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
from commonplace.link.code.queries.chains import Chain, Step, chains, words

_STARTS = frozenset({"knex", "db", "trx", "database"})
_INTO = frozenset({"from", "into", "table"})
WRITES = frozenset(
    {"insert", "update", "del", "delete", "upsert", "increment", "decrement", "merge"}
)
_COUNTING = frozenset({"increment", "decrement"})
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


def uses_knex(sight: Sight, chain: Chain) -> bool:
    """Whether a chain begins with Knex: imported, made by it, or called by its usual names."""
    first = chain.root if chain.root is not None else ("name", chain.steps[0].name)
    names = sight.look.type_names(sight.unit, chain.scope, first)
    names.add(sight.look.external(sight.unit, chain.scope, first))
    return any("knex" in one.lower() for one in names) or _is_transaction(sight, chain, first)


def _is_transaction(sight: Sight, chain: Chain, first: Expr) -> bool:
    """Whether a name is what ``knex.transaction(async (trx) => …)`` gives its function."""
    facts = sight.unit.facts
    if "transaction" not in words(sight.unit) or first[0] != "name":
        return False
    number = chain.scope
    while number:
        if first[1] in (one.name for one in facts.symbols[number].parameters):
            begun = (one for one in chains(sight.unit) if _begins(one, number))
            return any(uses_knex(sight, one) for one in begun)
        number = facts.symbols[number].parent
    return False


def _begins(chain: Chain, number: int) -> bool:
    """Whether a chain gives a function to ``transaction``."""
    return any(step.name == "transaction" and number in lambdas(step) for step in chain.steps)


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    if not chain.steps or _SCHEMA & set(chain.names()):
        return
    start = chain.steps[0].name if chain.root is None else chain.root[-1]
    if start not in _STARTS or not uses_knex(sight, chain):
        return
    tables = _tables(sight, chain)
    if not tables or "" not in tables:
        return
    table = tables[""]
    writes = any(step.name in WRITES for step in chain.steps)
    yield Asked(None, "WRITES" if writes else "READS", table=table)
    for other in sorted(set(tables.values()) - {table}):
        yield Asked(None, "READS", table=other)
    for step in chain.steps:
        access: Access = "WRITES" if step.name in WRITES else "READS"
        for of, name in named_in(sight, step, tables):
            yield Asked(None, access, (name,), of)


def _tables(sight: Sight, chain: Chain) -> dict[str, str]:
    """Tables by the names columns are prefixed with; the one that needs no prefix by none."""
    found: dict[str, str] = {}
    for place, step in enumerate(chain.steps):
        is_first = place == 0 and (chain.root is None or not step.name)
        if not is_first and step.name not in _INTO and not step.name.endswith("oin"):
            continue
        table, _as, alias = sight.said(chain.scope, argument(step.call, 0)).partition(" as ")
        if table:
            if step.name in _INTO or is_first:
                found.setdefault("", table)
            found |= {table: table, alias.strip() or table: table}
    return found


def named_in(sight: Sight, step: Step, tables: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Columns a step names, each with its table; where several tables could have it, none."""
    first = argument(step.call, 0)
    names: tuple[str, ...] = ()
    if first is not None and first[0] in ("map", "seq") and step.name in WRITES:
        names = in_objects(sight, first)
    elif step.name in _COUNTING:
        names = in_strings(step)[:1]
    elif first is not None and step.name in _NAMING:
        names = in_objects(sight, first) if first[0] == "map" else in_strings(step)
        names = names[:1] if step.name in _BY_PLACE and first[0] != "map" else names
    elif step.name.endswith("oin"):
        names = tuple(one for one in in_strings(step)[1:] if "." in one)
    is_alone = len(set(tables.values())) == 1
    for name in names:
        of, _dot, column = name.rpartition(".")
        if column != "*" and (of or is_alone or step.name in WRITES) and of in tables:
            yield tables[of], column


KNEX = Orm(
    name="knex",
    languages=SCRIPTS,
    may=never,
    claims=no_claims,
    columns=no_columns,
    words=_STARTS,
    needs_no_class=True,
    asks=_asks,
)
