"""SQLAlchemy: declarative classes, ``Table(...)``, and statements made of either."""

from collections.abc import Iterable, Iterator

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr
from commonplace.link.code.chains import Chain, Step
from commonplace.link.code.orm.asking import (
    class_of_value,
    in_keywords,
    in_objects,
    made_with,
    named_class,
    prefix,
)
from commonplace.link.code.orm.base import (
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    entry,
    naming,
    snake,
    tail,
)
from commonplace.link.code.program import Place, Unit

_COLUMNS = frozenset({"Column", "mapped_column", "Field", "deferred"})
_NO_COLUMNS = frozenset({"ClassVar", "List", "list"})
_READS = frozenset(
    {"select", "query", "get", "get_one", "exists", "scalar", "with_entities"}
    | {"join", "outerjoin", "select_from"}
)
_WRITES = frozenset({"insert", "update", "delete"})
_KEEPS = frozenset({"add", "merge", "delete", "bulk_save_objects", "add_all"})
_SESSIONS = ("session", "db", "tx", "conn", "uow")


def _may(unit: Unit) -> bool:
    imported = any(one.module.partition(".")[0] in _MODULES for one in unit.facts.imports)
    return imported or any(symbol.name == "__tablename__" for symbol in unit.facts.symbols)


def _claims(sight: Sight) -> Iterator[Claim]:
    facts = sight.unit.facts
    for number, symbol in enumerate(facts.symbols):
        place = Place(sight.unit.document_id, number)
        if symbol.kind == "Class":
            table = _table_name(sight, place, symbol)
            if table:
                yield Claim(place, table)
        elif symbol.value is not None and symbol.value[0] == "call":
            call = facts.calls[symbol.value[1]]
            if tail(call.callee) == "Table":
                yield from _table(sight, place, call)


_MODULES = frozenset({"sqlalchemy", "flask_sqlalchemy", "sqlmodel"})


def _table_name(sight: Sight, place: Place, symbol: Symbol) -> str:
    unit, named, schema = sight.unit, "", ""
    for number in unit.children.get(place.number, ()):
        child = unit.facts.symbols[number]
        if child.name == "__tablename__":
            named = sight.said(place.number, child.value)
        elif child.name == "__table_args__":
            schema = _schema(sight, place.number, child.value)
    if not named and _is_of(sight, place, "db.Model", "SQLModel"):
        columns = list(_columns(sight, place))
        named = snake(symbol.name) if columns else ""
    return f"{schema}.{named}" if schema and named else named


def _schema(sight: Sight, scope: int, value: Expr | None) -> str:
    if value is not None and value[0] == "seq" and value[2]:
        value = value[2][-1]
    return sight.said(scope, entry(value, "schema"))


def _table(sight: Sight, place: Place, call: Call) -> Iterator[Claim]:
    name = sight.said(call.scope, argument(call, 0, "name"))
    if not name:
        return
    schema = sight.said(call.scope, argument(call, -1, "schema"))
    columns = []
    for called, inner in sight.calls(call.arguments):
        if called == "Column":
            column = sight.said(call.scope, argument(inner, 0, "name"))
            columns += [Column(column, column, "declared")] if column else []
    yield Claim(place, f"{schema}.{name}" if schema else name, tuple(columns))


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    facts = sight.unit.facts
    is_plain = _is_of(sight, place, "SQLModel")
    for number in sight.unit.children.get(place.number, ()):
        symbol = facts.symbols[number]
        call = facts.calls[symbol.value[1]] if symbol.value and symbol.value[0] == "call" else None
        called = tail(call.callee) if call else ""
        if call is not None and called in _COLUMNS:
            first = call.arguments[0] if call.arguments else None
            name = sight.said(call.scope, first) if first and first[0] == "text" else ""
            name = sight.said(call.scope, argument(call, -1, "name")) or name
            yield Column(symbol.name, name or symbol.name, "declared" if name else "convention")
        elif call is None and symbol.type is not None and _is_kept(symbol.type, is_plain):
            yield Column(symbol.name, symbol.name)


def _is_kept(declared: Expr, is_plain: bool) -> bool:
    """Whether a field without a value is a column: ``Mapped[int]``, in SQLModel any but lists."""
    return tail(declared) == "Mapped" or (is_plain and tail(declared) not in _NO_COLUMNS)


def _is_of(sight: Sight, place: Place, *names: str) -> bool:
    """Whether a class descends from one outside that is so called."""
    symbol = sight.unit.facts.symbols[place.number]
    return any(sight.look.external(sight.unit, 0, one).endswith(names) for one in symbol.bases)


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    for place, step in enumerate(chain.steps):
        if step.call is None:
            continue
        if step.name in _READS | _WRITES:
            yield from _statement(sight, chain, place, step)
        if step.name in _KEEPS and _is_session(chain, place):
            yield from _kept(sight, chain, step)
    names = chain.names()
    if chain.root is not None and "query" in names and chain.steps[0].name == "query":
        subject = named_class(sight, chain, chain.root)
        if subject is not None:
            fields = tuple(
                one for step in chain.steps if step.name == "filter_by" for one in in_keywords(step)
            )
            yield Asked(subject, "WRITES" if "delete" in names else "READS", fields)


def _statement(sight: Sight, chain: Chain, place: int, step: Step) -> Iterator[Asked]:
    """``select(A, B.c)``, ``session.query(A)``, ``update(A).values(x=…)``, ``table.insert()``."""
    call = step.call
    arguments = list(call.arguments) if call else []
    if not arguments and chain.root is not None:
        arguments = [prefix(chain, place) or chain.root]
    for expr in arguments:
        subject = named_class(sight, chain, expr)
        field: tuple[str, ...] = ()
        if subject is None and expr[0] == "attr":
            subject, field = named_class(sight, chain, expr[1]), (expr[2],)
        if subject is None:
            continue
        writes = step.name in _WRITES or any(
            later.name in ("update", "delete") for later in chain.steps[place + 1 :]
        )
        yield Asked(subject, "WRITES" if step.name in _WRITES else "READS", field)
        for later in chain.steps[place + 1 :]:
            if later.name == "filter_by":
                yield from naming(subject, "READS", in_keywords(later))
            elif later.name in ("values", "update") and writes:
                given = in_objects(sight, argument(later.call, 0))
                yield Asked(subject, "WRITES", (*in_keywords(later), *given))
            elif later.name == "delete":
                yield Asked(subject, "WRITES")


def _kept(sight: Sight, chain: Chain, step: Step) -> Iterator[Asked]:
    """``session.add(patient)``: what it was made with is written."""
    for expr in step.call.arguments[:1] if step.call else ():
        members = expr[2] if expr[0] == "seq" else (expr,)
        for one in members:
            subject = class_of_value(sight, chain.scope, one)
            if subject is not None:
                yield Asked(subject, "WRITES", made_with(sight, chain.scope, one))


def _is_session(chain: Chain, place: int) -> bool:
    before = chain.steps[place - 1].name if place else ""
    if not before and chain.root is not None and chain.root[0] == "name":
        before = chain.root[1]
    return any(one in before.lower() for one in _SESSIONS)


SQLALCHEMY = Orm(
    name="sqlalchemy",
    languages=frozenset({"python"}),
    may=_may,
    claims=_claims,
    columns=_columns,
    words=_READS | _WRITES | _KEEPS,
    asks=_asks,
)
