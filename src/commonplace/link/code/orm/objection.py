"""Objection: models by the names of their tables, asked as Knex is."""

from collections.abc import Iterable, Iterator

from commonplace.domain.expr import RESULT
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import in_objects, named_class
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Claim,
    Orm,
    Sight,
    argument,
    no_columns,
)
from commonplace.link.code.orm.knex import WRITES, named_in
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain

_WRITES = WRITES | {
    *("patch", "patchAndFetchById", "insertAndFetch", "insertGraph", "upsertGraph"),
    *("updateAndFetchById", "deleteById", "patchAndFetch"),
}


def _may(unit: Unit) -> bool:
    return any(one.module == "objection" for one in unit.facts.imports) and any(
        symbol.name == "tableName" for symbol in unit.facts.symbols
    )


def _claims(sight: Sight) -> Iterator[Claim]:
    facts = sight.unit.facts
    for number, symbol in enumerate(facts.symbols):
        if symbol.name != "tableName" or "static" not in symbol.modifiers:
            continue
        given = [one.value for one in flows_in(sight.unit, number) if one.target == RESULT]
        said = (sight.said(number, one) for one in (symbol.value, *given))
        table = next((one for one in said if one), "")
        if table and symbol.parent:
            yield Claim(Place(sight.unit.document_id, symbol.parent), table)


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    if chain.root is None or not chain.steps or chain.steps[0].name != "query":
        return
    subject = named_class(sight, chain, chain.root)
    if subject is None:
        return
    table = sight.mapped[subject].table
    writes = any(step.name in _WRITES for step in chain.steps)
    yield Asked(subject, "WRITES" if writes else "READS")
    for step in chain.steps[1:]:
        access: Access = "WRITES" if step.name in _WRITES else "READS"
        if step.name.startswith("findBy") or (writes and access == "READS"):
            yield Asked(subject, "READS")
        given = in_objects(sight, argument(step.call, 1 if "ById" in step.name else 0))
        for _of, name in named_in(sight, step, {"": table, table: table}):
            yield Asked(None, access, (name,), table)
        if access == "WRITES" and step.name not in WRITES:
            yield from (Asked(None, "WRITES", (name,), table) for name in given)


OBJECTION = Orm(
    name="objection",
    languages=SCRIPTS,
    may=_may,
    claims=_claims,
    columns=no_columns,
    words=frozenset({"query"}),
    asks=_asks,
)
