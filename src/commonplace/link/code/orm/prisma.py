"""Prisma: models of the schema file, and what its client is asked."""

import re
from collections.abc import Iterator

from commonplace.domain.expr import RESULT, Expr
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import in_objects
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    entry,
    marks,
    naming,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, peeled

PRISMA_SCHEMA = "prisma"
_WRITES = frozenset(
    {"create", "createMany", "createManyAndReturn", "update", "updateMany", "upsert", "delete"}
    | {"deleteMany", "updateManyAndReturn"}
)
_READS = frozenset(
    {"findMany", "findFirst", "findUnique", "findFirstOrThrow", "findUniqueOrThrow", "count"}
    | {"aggregate", "groupBy"}
)
_READ_KEYS = ("where", "select", "orderBy", "distinct", "by", "cursor")
_WRITE_KEYS = ("data", "create", "update")
_COUNTING = ("_sum", "_avg", "_min", "_max", "_count")
_CONNECTING = frozenset({"connect", "disconnect"})
_MAKING = frozenset(
    {"create", "createMany", "connectOrCreate", "update", "updateMany", "upsert", "delete"}
    | {"deleteMany", "set"}
)
_FIELDS = re.compile(r"@relation\([^)]*\bfields:\s*\[([^\]]*)\]")
_PARTS = ("where", "create", "update", "data")
_HOW = ("some", "every", "none", "is", "isNot", "where", "select", "include", "orderBy")
_DEEPEST = 4


def _may(unit: Unit) -> bool:
    return unit.facts.language == PRISMA_SCHEMA


def _claims(sight: Sight) -> Iterator[Claim]:
    for number, symbol in enumerate(sight.unit.facts.symbols):
        if symbol.kind == "Class":
            said = marks(symbol.decorators, sight)
            table = sight.said(number, argument(said.get("map"), 0, "name")) or symbol.name
            schema = sight.said(number, argument(said.get("schema"), 0))
            yield Claim(
                Place(sight.unit.document_id, number), f"{schema}.{table}" if schema else table
            )


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    facts = sight.unit.facts
    models = {one.name for one in facts.symbols if one.kind == "Class"}
    for number in sight.unit.children.get(place.number, ()):
        symbol = facts.symbols[number]
        if symbol.type is None or symbol.type[0] == "generic" or symbol.type[-1] in models:
            continue
        said = marks(symbol.decorators, sight)
        named = sight.said(place.number, argument(said.get("map"), 0, "name"))
        yield Column(symbol.name, named or symbol.name, "declared" if named else "convention")


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    if chain.root is None or len(chain.steps) < 2:
        return
    model, step = chain.steps[-2], chain.steps[-1]
    if step.call is None or model.call is not None:
        return
    if step.name not in _WRITES and step.name not in _READS:
        return
    subject = _model(sight, model.name)
    if subject is None:
        return
    access: Access = "WRITES" if step.name in _WRITES else "READS"
    yield Asked(subject, access)
    given = argument(step.call, 0)
    for key in _READ_KEYS:
        yield from naming(subject, "READS", in_objects(sight, entry(given, key)))
        yield from _related(sight, subject, entry(given, key), 0)
    yield from _related(sight, subject, entry(given, "include"), 0)
    for key in _COUNTING:
        yield from naming(subject, "READS", in_objects(sight, entry(given, key)))
    for key in _WRITE_KEYS if access == "WRITES" else ():
        yield from _put(sight, subject, entry(given, key), 0)


def _put(sight: Sight, subject: Place, expr: Expr | None, depth: int) -> Iterator[Asked]:
    """What is written of a model, and of those it has relations with."""
    for row in _rows(sight, expr) if depth < _DEEPEST else ():
        yield from naming(subject, "WRITES", in_objects(sight, row))
        for key, value in row[1]:
            field = sight.look.member(subject, key) if isinstance(key, str) else None
            other = _aim(sight, field) if field is not None else None
            if field is not None and other is not None:
                yield from naming(subject, "WRITES", _keys(sight, field))
                yield from _nested(sight, other, value, depth)


def _nested(sight: Sight, other: Place, expr: Expr, depth: int) -> Iterator[Asked]:
    """``{ create: {…}, connect: { id } }`` of a relation."""
    for verb, value in expr[1] if expr[0] == "map" else ():
        if verb in _CONNECTING:
            for row in _rows(sight, value):
                yield Asked(other, "READS", in_objects(sight, row))
        elif verb in _MAKING:
            yield Asked(other, "WRITES")
            for row in _rows(sight, value):
                parts = [(key, found) for key in _PARTS if (found := entry(row, key)) is not None]
                for key, part in parts or [("data", row)]:
                    if key == "where":
                        yield Asked(other, "READS", in_objects(sight, part))
                    else:
                        yield from _put(sight, other, part, depth + 1)


def _keys(sight: Sight, field: Place) -> tuple[str, ...]:
    """The fields a relation is kept in: ``@relation(fields: [buyerId], …)``."""
    found = _FIELDS.search(sight.look.symbol(field).signature)
    return tuple(one.strip() for one in found.group(1).split(",")) if found else ()


def _rows(sight: Sight, expr: Expr | None) -> list[Expr]:
    """The objects that are given: one, several, or what ``list.map(x => ({…}))`` makes of each."""
    if expr is None:
        return []
    expr = peeled(expr)
    if expr[0] == "seq":
        return [each for one in expr[2] for each in _rows(sight, one)]
    if expr[0] == "call":
        given = sight.unit.facts.calls[expr[1]].arguments[:1]
        flows = (flow for one in given if one[0] == "made" for flow in flows_in(sight.unit, one[1]))
        return [one.value for one in flows if one.target == RESULT and one.value[0] == "map"]
    return [expr] if expr[0] == "map" else []


def _aim(sight: Sight, field: Place) -> Place | None:
    """The model a field is a relation with."""
    declared = sight.look.symbol(field).type
    while declared is not None and declared[0] == "generic":
        declared = declared[2][0] if declared[2] else declared[1]
    return _model(sight, declared[-1]) if declared is not None else None


def _related(sight: Sight, subject: Place, expr: Expr | None, depth: int) -> Iterator[Asked]:
    """``{ buyer: { name: … } }``: what is asked of the models a model has relations with."""
    for key, value in expr[1] if expr is not None and expr[0] == "map" else ():
        field = sight.look.member(subject, key) if isinstance(key, str) else None
        other = _aim(sight, field) if field is not None else None
        for inner in _inner(value):
            if other is not None:
                yield Asked(other, "READS", in_objects(sight, inner))
            if depth < _DEEPEST:
                yield from _related(sight, other or subject, inner, depth + 1)


def _inner(value: Expr) -> list[Expr]:
    """What is asked of a relation, without the words that say how: some, every, is, where."""
    found = [entry(value, word) for word in _HOW]
    return [one for one in found if one is not None] or [value]


def _model(sight: Sight, accessor: str) -> Place | None:
    """The model an accessor of the client means: its name with a small first letter."""
    name = accessor[:1].upper() + accessor[1:]
    for place in sorted(sight.look.program.named.get(name, ())):
        unit = sight.look.program.units[place.document_id]
        if unit.facts.language == PRISMA_SCHEMA and place in sight.mapped:
            return place
    return None


PRISMA = Orm(
    name="prisma",
    languages=SCRIPTS | {PRISMA_SCHEMA},
    may=_may,
    claims=_claims,
    columns=_columns,
    words=_WRITES | _READS,
    asks=_asks,
)
