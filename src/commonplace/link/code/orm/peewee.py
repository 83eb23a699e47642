"""Peewee: models by their fields, and what they are asked."""

from collections.abc import Iterable, Iterator

from commonplace.link.code.orm.asking import in_keywords, in_objects, named_class, prefix
from commonplace.link.code.orm.base import (
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    naming,
    tail,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step

_READS = frozenset({"select", "get", "get_or_none", "get_by_id", "filter", "join", "noop"})
_WRITES = frozenset(
    {"create", "insert", "insert_many", "update", "delete", "replace", "delete_by_id"}
    | {"bulk_create", "get_or_create", "set_by_id", "insert_from", "replace_many"}
)
_NAMES = ("table_name", "db_table")
_DEEPEST = 8


def _may(unit: Unit) -> bool:
    return any(
        one.module.partition(".")[0] in ("peewee", "playhouse") for one in unit.facts.imports
    )


def _claims(sight: Sight) -> Iterator[Claim]:
    for number, symbol in enumerate(sight.unit.facts.symbols):
        place = Place(sight.unit.document_id, number)
        if symbol.kind == "Class" and symbol.bases and _is_model(sight, place, 0):
            own = list(_columns(sight, place))
            named = _named(sight, place)
            if own or named:
                keyed = any(_is_key(sight, one) for one in sight.unit.children.get(number, ()))
                key = () if keyed else (Column("id", "id"),)
                how = "declared" if named else "convention"
                yield Claim(place, named or symbol.name.lower(), key, how)


def _is_model(sight: Sight, place: Place, depth: int) -> bool:
    unit = sight.look.program.units[place.document_id]
    bases = unit.facts.symbols[place.number].bases
    if any(sight.look.external(unit, 0, one) == "peewee.Model" for one in bases):
        return True
    above = sight.look.bases(place) if depth < _DEEPEST else ()
    return any(_is_model(sight, one, depth + 1) for one in above)


def _named(sight: Sight, place: Place) -> str:
    """What ``class Meta`` says the table is called."""
    facts, children = sight.unit.facts, sight.unit.children
    metas = (one for one in children.get(place.number, ()) if facts.symbols[one].name == "Meta")
    inner = [one for meta in metas for one in children.get(meta, ())]
    named = (
        sight.said(one, facts.symbols[one].value)
        for one in inner
        if facts.symbols[one].name in _NAMES
    )
    return next((one for one in named if one), "")


def _is_key(sight: Sight, number: int) -> bool:
    value = sight.unit.facts.symbols[number].value
    call = sight.unit.facts.calls[value[1]] if value is not None and value[0] == "call" else None
    return call is not None and any(key == "primary_key" for key, _value in call.keywords)


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    facts = sight.unit.facts
    for number in sight.unit.children.get(place.number, ()):
        symbol = facts.symbols[number]
        if symbol.value is None or symbol.value[0] != "call":
            continue
        call = facts.calls[symbol.value[1]]
        if tail(call.callee).endswith("Field") and tail(call.callee) != "ManyToManyField":
            named = sight.said(call.scope, argument(call, -1, "column_name", "db_column"))
            rule = f"{symbol.name}_id" if tail(call.callee) == "ForeignKeyField" else symbol.name
            yield Column(symbol.name, named or rule, "declared" if named else "convention")


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    if chain.root is None:
        return
    for place, step in enumerate(chain.steps):
        if step.call is None:
            continue
        if step.name in _READS | _WRITES and (base := prefix(chain, place)) is not None:
            subject = named_class(sight, chain, base)
            if subject is not None:
                yield from _asked(sight, subject, step)
        if step.name in ("join", "join_from", "select", "switch"):
            named = (named_class(sight, chain, one) for one in step.call.arguments)
            yield from (Asked(one, "READS") for one in named if one is not None)


def _asked(sight: Sight, subject: Place, step: Step) -> Iterator[Asked]:
    yield Asked(subject, "WRITES" if step.name in _WRITES else "READS")
    if step.name == "get_or_create":
        yield Asked(subject, "READS", in_keywords(step))
    if step.name in _WRITES:
        given = in_objects(sight, argument(step.call, 0))
        yield from naming(subject, "WRITES", (*in_keywords(step), *given))
    else:
        yield from naming(subject, "READS", in_keywords(step))


PEEWEE = Orm(
    name="peewee",
    languages=frozenset({"python"}),
    may=_may,
    claims=_claims,
    columns=_columns,
    words=_READS | _WRITES,
    asks=_asks,
)
