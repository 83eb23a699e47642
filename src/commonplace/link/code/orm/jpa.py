"""JPA and Hibernate: annotated classes, and what an entity manager is asked."""

from collections.abc import Iterable, Iterator

from commonplace.domain.code import Call, Symbol
from commonplace.link.code.chains import Chain
from commonplace.link.code.look import Look
from commonplace.link.code.orm.asking import argument_of, class_of_value, named_class, prefix
from commonplace.link.code.orm.base import (
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    decorates,
    marks,
    snake,
)
from commonplace.link.code.program import Place, Unit

JAVA = frozenset({"java"})
_TO_MANY = frozenset({"OneToMany", "ManyToMany", "ElementCollection", "Transient", "Formula"})
_TO_ONE = frozenset({"ManyToOne", "OneToOne"})
_READS = frozenset({"find", "getReference", "get", "load", "createQuery", "byId"})
_WRITES = frozenset({"persist", "merge", "remove", "saveOrUpdate", "save", "update", "delete"})
_ROOTS = frozenset({"Root", "Path", "From"})
_PATHS = frozenset({"get", "join", "fetch"})
_MANAGERS = frozenset({"EntityManager", "Session", "TestEntityManager", "StatelessSession"})


def _may(unit: Unit) -> bool:
    return decorates(unit, "Entity")


def _claims(sight: Sight) -> Iterator[Claim]:
    for number, symbol in enumerate(sight.unit.facts.symbols):
        if not symbol.decorators or symbol.kind not in ("Class", "Record"):
            continue
        said = marks(symbol.decorators, sight)
        if "Entity" in said:
            yield Claim(Place(sight.unit.document_id, number), _table(sight, number, symbol, said))


def _table(sight: Sight, number: int, symbol: Symbol, said: dict[str, Call | None]) -> str:
    named = sight.said(number, argument(said.get("Table"), -1, "name"))
    schema = sight.said(number, argument(said.get("Table"), -1, "schema"))
    entity = sight.said(number, argument(said.get("Entity"), -1, "name")) or symbol.name
    table = named or (snake(entity) if is_spring(sight.look) else entity)
    return f"{schema}.{table}" if schema else table


def is_spring(look: Look) -> bool:
    """Whether the program uses Spring, whose naming rule puts underscores between words."""
    known = look.program.memo.get("orm.spring")
    if known is None:
        known = any(
            one.module.startswith(("org.springframework.data", "org.springframework.boot"))
            for unit in look.program.units.values()
            if unit.facts.language in JAVA
            for one in unit.facts.imports
        )
        look.program.memo["orm.spring"] = known
    return bool(known)


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    facts = sight.unit.facts
    rule = snake if is_spring(sight.look) else str
    for number in sight.unit.children.get(place.number, ()):
        symbol = facts.symbols[number]
        if symbol.kind not in ("Field", "Property") or symbol.modifiers & {"static", "transient"}:
            continue
        said = marks(symbol.decorators, sight)
        if _TO_MANY & said.keys() or "mappedBy" in _keywords(said):
            continue
        call = said.get("JoinColumn") if "JoinColumn" in said else said.get("Column")
        named = sight.said(place.number, argument(call, -1, "name"))
        fallback = rule(symbol.name) + ("_id" if _TO_ONE & said.keys() else "")
        yield Column(symbol.name, named or fallback, "declared" if named else "convention")


def _keywords(said: dict[str, Call | None]) -> set[str]:
    return {key for call in said.values() if call for key, _value in call.keywords}


def _criteria(sight: Sight, chain: Chain) -> Iterator[Asked]:
    """``query.from(Order.class)``, ``root.get("state")``: queries made by calls."""
    for place, step in enumerate(chain.steps):
        if step.call is None or not step.call.arguments:
            continue
        first = step.call.arguments[0]
        if step.name == "from":
            subject = named_class(sight, chain, first)
        else:
            base = prefix(chain, place) if step.name in _PATHS else None
            subject = argument_of(sight, chain.scope, base, _ROOTS) if base else None
        if subject is not None:
            field = sight.said(chain.scope, first) if first[0] == "text" else ""
            yield Asked(subject, "READS", (field,) if field else ())


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    if chain.root is None or not chain.steps:
        return
    yield from _criteria(sight, chain)
    step = (
        chain.steps[-1] if len(chain.steps) > 1 and chain.steps[0].call is None else chain.steps[0]
    )
    if step.call is None or not step.call.arguments or not _is_manager(sight, chain, step.name):
        return
    first = step.call.arguments[0]
    if step.name in _READS:
        subject = named_class(sight, chain, first)
        if subject is not None:
            yield Asked(subject, "READS")
    elif step.name in _WRITES:
        subject = class_of_value(sight, chain.scope, first)
        if subject is not None:
            yield Asked(subject, "WRITES")


def _is_manager(sight: Sight, chain: Chain, name: str) -> bool:
    if name not in _READS and name not in _WRITES:
        return False
    base = chain.root
    for step in chain.steps[:-1] if chain.steps[0].call is None else ():
        if base is None or step.call is not None:
            return False
        base = ("attr", base, step.name)
    if base is None:
        return False
    found = sight.look.types(sight.unit, chain.scope, base)
    return any(one.base[-1] in _MANAGERS for one in found)


JPA = Orm(
    name="jpa",
    languages=JAVA,
    may=_may,
    claims=_claims,
    columns=_columns,
    words=_READS | _WRITES | {"from"},
    asks=_asks,
)
