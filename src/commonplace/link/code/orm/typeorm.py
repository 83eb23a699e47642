"""TypeORM: decorated classes, repositories and managers."""

import re
from collections.abc import Iterable, Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import (
    argument_of,
    behind,
    class_of_value,
    in_objects,
    named_class,
    prefix,
)
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    decorates,
    entry,
    keys,
    marks,
    naming,
    snake,
    tail,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step

_COLUMNS = frozenset(
    {"Column", "PrimaryColumn", "PrimaryGeneratedColumn", "CreateDateColumn", "UpdateDateColumn"}
    | {"DeleteDateColumn", "VersionColumn", "ObjectIdColumn"}
)
_TO_ONE = frozenset({"ManyToOne", "OneToOne"})
_REPOSITORIES = frozenset({"Repository", "TreeRepository", "MongoRepository"})
_WRITES = frozenset(
    {"save", "insert", "update", "delete", "remove", "softDelete", "softRemove", "upsert"}
    | {"increment", "decrement", "restore", "clear"}
)
_READS = frozenset(
    {"find", "findBy", "findOne", "findOneBy", "findOneOrFail", "findOneByOrFail", "findAndCount"}
    | {"findAndCountBy", "findByIds", "count", "countBy", "exist", "exists", "existsBy", "sum"}
    | {"createQueryBuilder", "average", "minimum", "maximum"}
)
_WORD = re.compile(r"(?<![:\w])\w+")
_MANAGERS = ("manager", "datasource", "em")
_COUNTING = frozenset({"increment", "decrement"})
_AIMED = frozenset({"update", "delete", "softDelete", "restore"}) | _COUNTING
"""Calls whose first own argument says of which rows."""
_DEEPEST = 4
_AIMING = frozenset({"update", "insert", "into", "delete", "softDelete", "from"})


def _may(unit: Unit) -> bool:
    return decorates(unit, "Entity")


def _claims(sight: Sight) -> Iterator[Claim]:
    for number, symbol in enumerate(sight.unit.facts.symbols):
        if symbol.kind != "Class" or not symbol.decorators:
            continue
        said = marks(symbol.decorators, sight)
        if "Entity" in said:
            table, schema = _named(sight, number, said["Entity"]), ""
            call = said["Entity"]
            for one in call.arguments if call else ():
                schema = sight.said(number, entry(one, "schema")) or schema
            table = table or snake(symbol.name)
            yield Claim(
                Place(sight.unit.document_id, number), f"{schema}.{table}" if schema else table
            )


def _named(sight: Sight, scope: int, call: Call | None) -> str:
    """A name given as a string or in an object."""
    first = argument(call, 0)
    if first is None:
        return ""
    if first[0] == "text":
        return sight.said(scope, first)
    found = (entry(one, "name") for one in (call.arguments if call else ()))
    return next((sight.said(scope, one) for one in found if one is not None), "")


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    for number in sight.unit.children.get(place.number, ()):
        symbol = sight.unit.facts.symbols[number]
        said = marks(symbol.decorators, sight)
        if "JoinColumn" in said or (_TO_ONE & said.keys() and "ManyToOne" in said):
            named = _named(sight, place.number, said.get("JoinColumn"))
            yield Column(
                symbol.name, named or f"{symbol.name}Id", "declared" if named else "convention"
            )
            continue
        for mark in _COLUMNS & said.keys():
            call = said[mark]
            options = [one for one in (call.arguments if call else ()) if one[0] == "map"]
            found = (sight.said(place.number, entry(one, "name")) for one in options)
            named = next((one for one in found if one), "")
            yield Column(symbol.name, named or symbol.name, "declared" if named else "convention")


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    for place, step in enumerate(chain.steps):
        if step.call is None:
            continue
        if step.name == "getRepository":
            subject = named_class(sight, chain, argument(step.call, 0))
            return _asked(sight, subject, chain.steps[place + 1 :], 0)
        if step.name not in _WRITES and step.name not in _READS:
            continue
        base = prefix(chain, place)
        subject = argument_of(sight, chain.scope, base, _REPOSITORIES) if base else None
        if subject is not None:
            return _asked(sight, subject, chain.steps[place:], 0)
        subject = named_class(sight, chain, base) if base else None
        if subject is not None:
            return _asked(sight, subject, chain.steps[place:], 0)
        if step.name == "createQueryBuilder":
            return _plain(sight, chain, chain.steps[place + 1 :])
        subject = named_class(sight, chain, argument(step.call, 0))
        if subject is None and step.name in _WRITES:
            return _asked(sight, _made(sight, chain, step), chain.steps[place:], 0)
        return _asked(sight, subject, chain.steps[place:], 1)
    return ()


def _plain(sight: Sight, chain: Chain, steps: tuple[Step, ...]) -> Iterator[Asked]:
    """A builder of no repository: ``.update(User).set({…}).where("id = :id")``."""
    named = {step.name: named_class(sight, chain, argument(step.call, 0)) for step in steps}
    aims = [(name, one) for name, one in named.items() if name in _AIMING and one is not None]
    if not aims:
        return
    subject = aims[0][1]
    if subject is not None:
        yield from _changed(sight, subject, steps)


def _changed(sight: Sight, subject: Place, steps: tuple[Step, ...]) -> Iterator[Asked]:
    """What a builder sets, and the fields and columns its conditions name."""
    writes = any(step.name in _WRITES for step in steps)
    yield Asked(subject, "WRITES" if writes else "READS")
    columns = sight.mapped[subject].columns
    fields = {one[0].name: field for field, one in columns.items()} | {one: one for one in columns}
    for step in steps:
        first = argument(step.call, 0)
        if step.call is None or first is None:
            continue
        if step.name in ("set", "values"):
            yield from naming(subject, "WRITES", in_objects(sight, first))
        elif step.name.lower().endswith("where"):
            said = sight.strings.read(step.call.scope, first)[0].text if first[0] == "text" else ""
            told = tuple(fields[one] for one in _WORD.findall(said) if one in fields)
            given = in_objects(sight, first) if first[0] == "map" else ()
            yield from naming(subject, "READS", (*told, *given))


def _asked(
    sight: Sight, subject: Place | None, steps: tuple[Step, ...], first: int
) -> Iterator[Asked]:
    """What the steps after the repository do; ``first`` is where their own arguments begin."""
    if subject is None:
        return
    if steps and steps[0].name == "createQueryBuilder":
        if any(step.name in _WRITES for step in steps):
            yield from _changed(sight, subject, steps)
            return
        yield from _built(sight, subject, steps)
    for step in steps[:1]:
        access: Access = "WRITES" if step.name in _WRITES else "READS"
        yield Asked(subject, access)
        given = step.call.arguments[first:] if step.call else ()
        for place, one in enumerate(given):
            options = one if one[0] == "map" else None
            for key in ("where", "select", "order", "relations"):
                yield from _named_in(sight, subject, entry(options, key), key == "relations")
            plain = in_objects(sight, one) if one[0] == "map" else ()
            is_where = place == 0 and step.name in _AIMED
            is_set = access == "WRITES" and not is_where
            yield from naming(subject, "WRITES" if is_set else "READS", plain)
            if step.name in _COUNTING and place == 1:
                yield from naming(subject, "WRITES", in_objects(sight, one))
            if is_set and one[0] == "name" and step.call is not None:
                yield from naming(subject, "WRITES", _created(sight, step.call.scope, one))


def _named_in(
    sight: Sight, subject: Place, expr: Expr | None, is_whole: bool, depth: int = 0
) -> Iterator[Asked]:
    """Fields that options name, and behind relations those of other classes.

    With ``is_whole`` the rows a relation leads to are fetched.
    """
    fields = in_objects(sight, expr)
    yield from naming(subject, "READS", () if is_whole else fields)
    for field in (one.partition(".")[0] for one in fields if depth < _DEEPEST):
        member = sight.look.member(subject, field)
        other = behind(sight, member) if member is not None else None
        inner = entry(expr, field) if expr is not None and expr[0] == "map" else None
        if other is not None and (is_whole or (inner is not None and inner[0] == "map")):
            yield Asked(other, "READS")
            yield from _named_in(sight, other, inner, is_whole, depth + 1)


def _created(sight: Sight, scope: int, expr: Expr) -> tuple[str, ...]:
    """Fields of what ``repository.create({…})`` or ``manager.create(Order, {…})`` made."""
    found: list[str] = []
    for one in sight.look.makers(sight.unit, scope, expr):
        call = one.unit.facts.calls[one.expr[1]]
        if tail(call.callee) == "create" and one.unit is sight.unit:
            found += (each for given in call.arguments for each in keys(given))
    return tuple(found)


def _made(sight: Sight, chain: Chain, step: Step) -> Place | None:
    """The class of what ``manager.save(order)`` is given."""
    first = argument(step.call, 0)
    if first is None or first[0] != "name":
        return None
    for one in sight.look.makers(sight.unit, chain.scope, first):
        call = one.unit.facts.calls[one.expr[1]]
        if tail(call.callee) == "create" and one.unit is sight.unit:
            return named_class(sight, chain, argument(call, 0))
    base = prefix(chain, chain.steps.index(step))
    is_manager = base is not None and tail(base).lower().endswith(_MANAGERS)
    return class_of_value(sight, chain.scope, first) if is_manager else None


def _built(sight: Sight, subject: Place, steps: tuple[Step, ...]) -> Iterator[Asked]:
    """Fields a query builder is told as ``alias.field`` in strings, of what it joins too."""
    call = steps[0].call
    alias = sight.said(call.scope, argument(call, 0)) if call else ""
    if call is None or not alias:
        return
    aliases = {alias: subject}
    for step in steps[1:]:
        path = sight.said(call.scope, argument(step.call, 0)) if "oin" in step.name else ""
        of, _dot, field = path.partition(".")
        member = sight.look.member(aliases[of], field) if of in aliases else None
        other = behind(sight, member) if member is not None else None
        named = sight.said(call.scope, argument(step.call, 1))
        if other is not None and named:
            aliases[named] = other
            yield Asked(other, "READS")
    for of, one in aliases.items():
        yield from naming(one, "READS", _qualified(sight, steps, of))


def _qualified(sight: Sight, steps: tuple[Step, ...], alias: str) -> tuple[str, ...]:
    pattern = re.compile(rf"\b{re.escape(alias)}\.(\w+)")
    given = [
        (one.call.scope, each)
        for one in steps[1:]
        if one.call
        for expr in one.call.arguments
        for each in (expr[2] if expr[0] == "seq" else (expr,))
    ]
    texts = [sight.strings.read(scope, expr)[0].text for scope, expr in given if expr[0] == "text"]
    return tuple(dict.fromkeys(field for text in texts for field in pattern.findall(text)))


TYPEORM = Orm(
    name="typeorm",
    languages=SCRIPTS,
    may=_may,
    claims=_claims,
    columns=_columns,
    words=_WRITES | _READS,
    asks=_asks,
)
