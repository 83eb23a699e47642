"""JPA and Hibernate: annotated classes, and what an entity manager is asked."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.names.look import Look
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
    tail,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, owner
from commonplace.link.code.queries.strings import Strings

JAVA = frozenset({"java"})
_TO_MANY = frozenset({"OneToMany", "ManyToMany", "ElementCollection", "Transient", "Formula"})
_TO_ONE = frozenset({"ManyToOne", "OneToOne"})
_READS = frozenset({"find", "getReference", "get", "load", "createQuery", "byId"})
_WRITES = frozenset({"persist", "merge", "remove", "saveOrUpdate", "save", "update", "delete"})
_ROOTS = frozenset({"Root", "Path", "From"})
_PATHS = frozenset({"get", "join", "fetch"})
_EMBEDDING = frozenset({"Embedded", "EmbeddedId"})
_DEEPEST = 8
_MANAGERS = frozenset({"EntityManager", "Session", "TestEntityManager", "StatelessSession"})


def _may(unit: Unit) -> bool:
    return decorates(unit, "Entity")


def _claims(sight: Sight) -> Iterator[Claim]:
    for number, symbol in enumerate(sight.unit.facts.symbols):
        if not symbol.decorators or symbol.kind not in ("Class", "Record"):
            continue
        said = marks(symbol.decorators, sight)
        if "Entity" in said:
            place = Place(sight.unit.document_id, number)
            root = _root(sight, place, 0)
            there = sight.look.program.units[root.document_id]
            above = (
                sight
                if root == place
                else replace(sight, unit=there, strings=Strings(sight.look, there))
            )
            top = there.facts.symbols[root.number]
            marked = marks(top.decorators, above)
            if root != place and _is_apart(above, root):
                above, root, top, marked = sight, place, symbol, said
            yield Claim(place, _table(above, root.number, top, marked))


def _root(sight: Sight, place: Place, depth: int) -> Place:
    """The first entity of those a class descends from: it says how they are kept."""
    for base in sight.look.bases(place) if depth < _DEEPEST else ():
        unit = sight.look.program.units[base.document_id]
        if any(
            _called(unit, one) == "Entity" for one in unit.facts.symbols[base.number].decorators
        ):
            return _root(sight, base, depth + 1)
    return place


def _called(unit: Unit, expr: Expr) -> str:
    return tail(unit.facts.calls[expr[1]].callee if expr[0] == "call" else expr)


def _is_apart(sight: Sight, root: Place) -> bool:
    """Whether those below an entity have tables of their own: else all are in its table."""
    call = marks(sight.look.symbol(root).decorators, sight).get("Inheritance")
    strategy = argument(call, -1, "strategy")
    return strategy is not None and tail(strategy) != "SINGLE_TABLE"


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
        inner = _embedded(sight, number, said)
        if inner is not None:
            yield from _flattened(sight, symbol.name, inner, said)
            continue
        call = said.get("JoinColumn") if "JoinColumn" in said else said.get("Column")
        named = sight.said(place.number, argument(call, -1, "name"))
        fallback = rule(symbol.name) + ("_id" if _TO_ONE & said.keys() else "")
        yield Column(symbol.name, named or fallback, "declared" if named else "convention")


def _embedded(sight: Sight, number: int, said: dict[str, Call | None]) -> Place | None:
    """The class whose fields are columns of the entity that holds it."""
    symbol = sight.unit.facts.symbols[number]
    found = sight.look.class_of(sight.unit, number, symbol.type) if symbol.type else None
    if found is None:
        return None
    unit = sight.look.program.units[found.document_id]
    marked = (_called(unit, one) for one in unit.facts.symbols[found.number].decorators)
    is_kept = bool(_EMBEDDING & said.keys()) or "Embeddable" in marked
    return found if is_kept else None


def _flattened(
    sight: Sight, field: str, inner: Place, said: dict[str, Call | None]
) -> Iterator[Column]:
    """Columns of an embedded object, under the names its holder gives them."""
    unit = sight.look.program.units[inner.document_id]
    there = replace(sight, unit=unit, strings=Strings(sight.look, unit))
    renamed = dict(_overridden(sight, said))
    for one in _columns(there, inner):
        name = renamed.get(one.field)
        how = "declared" if name else one.how
        yield Column(f"{field}.{one.field}", name or one.name, how)


def _overridden(sight: Sight, said: dict[str, Call | None]) -> Iterator[tuple[str, str]]:
    """``@AttributeOverride(name = "city", column = @Column(name = "home_city"))``."""
    several = argument(said.get("AttributeOverrides"), 0, "value")
    listed = several[2] if several is not None and several[0] == "seq" else ()
    calls = [sight.unit.facts.calls[one[1]] for one in listed if one[0] == "call"]
    single = said.get("AttributeOverride")
    for call in [*calls, *([single] if single is not None else [])]:
        column = argument(call, -1, "column")
        inner = sight.unit.facts.calls[column[1]] if column and column[0] == "call" else None
        name = sight.said(call.scope, argument(inner, -1, "name"))
        if name:
            yield sight.said(call.scope, argument(call, -1, "name")), name


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
            subject = subject or (_specified(sight, chain, base) if base else None)
        if subject is not None:
            field = sight.said(chain.scope, first) if first[0] == "text" else ""
            yield Asked(subject, "READS", (field,) if field else ())


def _specified(sight: Sight, chain: Chain, base: Expr) -> Place | None:
    """The entity of ``root`` in ``Specification<Order> f() { return (root, query, cb) -> … }``."""
    facts = sight.unit.facts
    symbol = facts.symbols[chain.scope]
    first = symbol.parameters[0].name if symbol.parameters else ""
    declared = facts.symbols[owner(facts, chain.scope)].type
    is_one = base == ("name", first) and symbol.name.startswith("<")
    if not is_one or declared is None or declared[0] != "generic":
        return None
    found = sight.look.class_of(sight.unit, chain.scope, declared[2][0])
    return found if tail(declared) == "Specification" and found in sight.mapped else None


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


def _parts(sight: Sight, place: Place, base: Place) -> bool:
    """Whether the fields of a class above are kept in a table of its own: joined entities."""
    unit = sight.look.program.units[base.document_id]
    symbol = unit.facts.symbols[base.number]
    if place == base or not any(_called(unit, one) == "Entity" for one in symbol.decorators):
        return False
    root = _root(sight, base, 0)
    there = sight.look.program.units[root.document_id]
    above = replace(sight, unit=there, strings=Strings(sight.look, there))
    call = marks(there.facts.symbols[root.number].decorators, above).get("Inheritance")
    strategy = argument(call, -1, "strategy")
    return strategy is not None and tail(strategy) == "JOINED"


JPA = Orm(
    name="jpa",
    languages=JAVA,
    may=_may,
    claims=_claims,
    columns=_columns,
    parts=_parts,
    words=_READS | _WRITES | {"from"},
    asks=_asks,
)
