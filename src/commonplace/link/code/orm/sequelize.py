"""Sequelize: models made by ``define`` or ``init``, and what they are asked."""

from collections.abc import Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import in_objects, named_class
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    entry,
    naming,
    no_columns,
    plural,
    tail,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, chains, words

_WRITES = frozenset(
    {"create", "bulkCreate", "update", "destroy", "upsert", "increment", "decrement"}
)
_READS = frozenset(
    {
        "findAll",
        "findOne",
        "findByPk",
        "findAndCountAll",
        "findOrCreate",
        "count",
        "max",
        "min",
        "sum",
    }
)


_DEEPEST = 4


def _may(unit: Unit) -> bool:
    return bool({"define", "init"} & words(unit))


def _claims(sight: Sight) -> Iterator[Claim]:
    facts = sight.unit.facts
    for number, symbol in enumerate(facts.symbols):
        if symbol.value is not None and symbol.value[0] == "call":
            call = facts.calls[symbol.value[1]]
            if tail(call.callee) == "define" and len(call.arguments) >= 2:
                name = sight.said(call.scope, call.arguments[0])
                if name:
                    yield _claim(sight, Place(sight.unit.document_id, number), call, name)
    for number, variable, call in _defined(sight.unit):
        told = sight.said(call.scope, call.arguments[0])
        if told and variable is None:
            yield _claim(sight, Place(sight.unit.document_id, number), call, told)
    for chain in chains(sight.unit) if "init" in words(sight.unit) else ():
        step = chain.steps[-1] if chain.steps else None
        if step is None or step.name != "init" or chain.root is None or step.call is None:
            continue
        subject = sight.look.class_of(sight.unit, chain.scope, chain.root)
        if subject is not None and any(
            tail(one) == "Model" for one in sight.look.symbol(subject).bases
        ):
            named = sight.said(chain.scope, entry(argument(step.call, 1), "modelName"))
            yield _claim(sight, subject, step.call, named or sight.look.symbol(subject).name)


def _defined(unit: Unit) -> Iterator[tuple[int, str | None, Call]]:
    """Every model that is defined: the variable it is, or the function that makes it."""
    facts = unit.facts
    valued = {
        symbol.value[1]: number
        for number, symbol in enumerate(facts.symbols)
        if symbol.value is not None and symbol.value[0] == "call"
    }
    for place, call in enumerate(facts.calls if "define" in words(unit) else ()):
        if tail(call.callee) == "define" and len(call.arguments) >= 2:
            number = valued.get(place)
            if number is not None:
                yield number, facts.symbols[number].name, call
            elif call.scope:
                yield call.scope, None, call


def _by_name(sight: Sight) -> dict[str, list[Place]]:
    """Models by the names they are defined with, where a function makes them."""
    program = sight.look.program
    known: dict[str, list[Place]] | None = program.memo.get("orm.sequelize")
    if known is None:
        known = program.memo["orm.sequelize"] = {}
        for unit in program.units.values():
            for number, name, call in _defined(unit) if unit.facts.language in SCRIPTS else ():
                place, first = Place(unit.document_id, number), call.arguments[0]
                is_said = first[0] == "text" and len(first[1]) == 1
                if name is None and is_said and place in sight.mapped:
                    known.setdefault(str(first[1][0]), []).append(place)
    return known


def _claim(sight: Sight, subject: Place, call: Call, name: str) -> Claim:
    fields = argument(call, 0) if tail(call.callee) == "init" else argument(call, 1)
    options = call.arguments[-1] if len(call.arguments) > 1 else None
    table = sight.said(call.scope, entry(options, "tableName"))
    schema = sight.said(call.scope, entry(options, "schema"))
    shown = table or plural(name)
    return Claim(
        subject,
        f"{schema}.{shown}" if schema else shown,
        tuple(_fields(sight, call.scope, fields)),
        "declared" if table else "convention",
    )


def _fields(sight: Sight, scope: int, fields: Expr | None) -> Iterator[Column]:
    listed = fields[1] if fields is not None and fields[0] == "map" else ()
    if not any(entry(value, "primaryKey") for _key, value in listed):
        yield Column("id", "id")
    for key, value in listed:
        if isinstance(key, str):
            named = sight.said(scope, entry(value, "field"))
            yield Column(key, named or key, "declared" if named else "convention")


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    if chain.root is None or not chain.steps:
        return
    step = chain.steps[-1]
    if step.call is None or (step.name not in _WRITES and step.name not in _READS):
        return
    expr = chain.root
    for before in chain.steps[:-1]:
        if before.call is not None:
            return
        expr = ("attr", expr, before.name)
    subject = _model(sight, chain, expr)
    if subject is None:
        return
    access: Access = "WRITES" if step.name in _WRITES else "READS"
    yield Asked(subject, access)
    for place, one in enumerate(step.call.arguments):
        for key in ("where", "attributes", "order"):
            yield from naming(subject, "READS", in_objects(sight, entry(one, key)))
        yield from _included(sight, chain, entry(one, "include"), 0)
        if access == "WRITES" and place == 0 and step.name != "destroy":
            yield from naming(subject, "WRITES", in_objects(sight, one))


def _model(sight: Sight, chain: Chain, expr: Expr | None) -> Place | None:
    """A model; by its name alone where a folder of models is loaded as one object."""
    if expr is None or expr[0] not in ("name", "attr"):
        return None
    named = sorted(sight.look.program.named.get(expr[-1], ()))
    own = [one for one in named if one in sight.mapped and sight.mapped[one].orm == "sequelize"]
    own += _by_name(sight).get(expr[-1], [])
    return named_class(sight, chain, expr) or (own[0] if len(own) == 1 else None)


def _included(sight: Sight, chain: Chain, expr: Expr | None, depth: int) -> Iterator[Asked]:
    """``include: [{ model: Buyer, attributes: ["name"] }]``: rows of other models."""
    if expr is None or depth > _DEEPEST:
        return
    for one in expr[2] if expr[0] == "seq" else (expr,):
        subject = _model(sight, chain, entry(one, "model") if one[0] == "map" else one)
        if subject is not None:
            yield Asked(subject, "READS")
            for key in ("where", "attributes", "order"):
                yield from naming(subject, "READS", in_objects(sight, entry(one, key)))
        yield from _included(sight, chain, entry(one, "include"), depth + 1)


SEQUELIZE = Orm(
    name="sequelize",
    languages=SCRIPTS,
    may=_may,
    claims=_claims,
    columns=no_columns,
    words=_WRITES | _READS,
    asks=_asks,
)
