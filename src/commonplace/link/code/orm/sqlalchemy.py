"""SQLAlchemy: declarative classes, ``Table(...)``, and statements made of either."""

from collections.abc import Iterable, Iterator

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr
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
    keys,
    naming,
    snake,
    tail,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step, chain_of

_COLUMNS = frozenset({"Column", "mapped_column", "Field", "deferred"})
_RELATED = frozenset({"relationship", "Relationship"})
_LOADING = frozenset(
    {"selectinload", "joinedload", "subqueryload", "immediateload", "contains_eager"}
    | {"join", "outerjoin"}
)
_DEEPEST = 8
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
    if not named and _is_table(sight, place, symbol):
        named = snake(symbol.name)
    return f"{schema}.{named}" if schema and named else named


def _is_table(sight: Sight, place: Place, symbol: Symbol) -> bool:
    """Whether a class without a name for its table is one: SQLModel's say it where they begin."""
    if _is_of(sight, place, "db.Model"):
        return any(True for _column in _columns(sight, place))
    return "table=True" in symbol.signature.replace(" ", "") and _is_plain(sight, place, 0)


def _is_plain(sight: Sight, place: Place, depth: int) -> bool:
    """Whether a class descends from SQLModel, whose fields need no call to be columns."""
    if depth > _DEEPEST:
        return False
    unit = sight.look.program.units[place.document_id]
    bases = unit.facts.symbols[place.number].bases
    return any(sight.look.external(unit, 0, one).endswith("SQLModel") for one in bases) or any(
        _is_plain(sight, one, depth + 1) for one in sight.look.bases(place)
    )


def _schema(sight: Sight, scope: int, value: Expr | None) -> str:
    if value is not None and value[0] == "seq" and value[2]:
        value = value[2][-1]
    return sight.said(scope, entry(value, "schema"))


def _table(sight: Sight, place: Place, call: Call) -> Iterator[Claim]:
    name = sight.said(call.scope, argument(call, 0, "name"))
    if not name:
        return
    schema = sight.said(call.scope, argument(call, -1, "schema")) or _default(sight, call)
    columns = []
    for called, inner in sight.calls(call.arguments):
        if called == "Column":
            column = sight.said(call.scope, argument(inner, 0, "name"))
            columns += [Column(column, column, "declared")] if column else []
    yield Claim(place, f"{schema}.{name}" if schema else name, tuple(columns))


def _default(sight: Sight, call: Call) -> str:
    """The schema a table's ``MetaData(schema="hr")`` gives it."""
    kept = argument(call, 1, "metadata")
    for one in sight.look.makers(sight.unit, call.scope, kept) if kept is not None else ():
        made = one.unit.facts.calls[one.expr[1]]
        if tail(made.callee) == "MetaData":
            named = argument(made, 3, "schema")
            is_said = named is not None and named[0] == "text" and len(named[1]) == 1
            return str(named[1][0]) if named is not None and is_said else ""
    return ""


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    facts = sight.unit.facts
    is_plain = _is_plain(sight, place, 0)
    for number in sight.unit.children.get(place.number, ()):
        symbol = facts.symbols[number]
        call = facts.calls[symbol.value[1]] if symbol.value and symbol.value[0] == "call" else None
        called = tail(call.callee) if call else ""
        if call is not None and called in _COLUMNS:
            first = call.arguments[0] if call.arguments else None
            name = sight.said(call.scope, first) if first and first[0] == "text" else ""
            name = sight.said(call.scope, argument(call, -1, "name")) or name
            yield Column(symbol.name, name or symbol.name, "declared" if name else "convention")
        elif called not in _RELATED and symbol.type is not None and _is_kept(symbol.type, is_plain):
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
        if step.name in _LOADING:
            yield from _fetched(sight, chain, step)
        if step.name == "execute":
            yield from _rows(sight, step.call)
    names = chain.names()
    if chain.root is not None and "query" in names and chain.steps[0].name == "query":
        subject = named_class(sight, chain, chain.root)
        if subject is not None:
            fields = tuple(
                one for step in chain.steps if step.name == "filter_by" for one in in_keywords(step)
            )
            yield Asked(subject, "WRITES" if "delete" in names else "READS", fields)


def _fetched(sight: Sight, chain: Chain, step: Step) -> Iterator[Asked]:
    """``joinedload(Order.lines)``: the class a relationship leads to."""
    for expr in step.call.arguments[:1] if step.call else ():
        owner = named_class(sight, chain, expr[1]) if expr[0] == "attr" else None
        member = sight.look.member(owner, expr[2]) if owner is not None else None
        other = _behind(sight, member) if member is not None else None
        if other is not None:
            yield Asked(other, "READS")


def _behind(sight: Sight, member: Place) -> Place | None:
    """``relationship("Line")``, ``Mapped[list["Line"]]``: the class that is named."""
    unit = sight.look.program.units[member.document_id]
    symbol = unit.facts.symbols[member.number]
    value = symbol.value
    call = unit.facts.calls[value[1]] if value is not None and value[0] == "call" else None
    if call is None or tail(call.callee) not in _RELATED:
        return None
    aim = argument(call, 0, "argument") or symbol.type
    while aim is not None and aim[0] in ("generic", "one"):
        aim = aim[2][0] if aim[0] == "generic" else aim[1][0]
    found = sight.look.class_of(unit, symbol.parent, aim) if aim is not None else None
    return found if found in sight.mapped else None


def _rows(sight: Sight, call: Call) -> Iterator[Asked]:
    """``execute(insert(table), [{"a": 1}])``: the columns rows are given for."""
    first = call.arguments[0] if len(call.arguments) > 1 else ("",)
    made = sight.unit.facts.calls[first[1]] if first[0] == "call" else None
    chain = chain_of(sight.unit.facts, call.scope, first, call.at) if made else None
    start = chain.steps[0] if chain is not None and chain.steps else None
    if chain is None or start is None or "insert" not in chain.names():
        return
    aim = chain.root if chain.root is not None else argument(start.call, 0)
    subject = named_class(sight, chain, aim)
    given = call.arguments[1]
    rows = given[2][:1] if given[0] == "seq" else (given,)
    for one in rows if subject is not None else ():
        yield from naming(subject, "WRITES", tuple(keys(one)))


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
            subject = class_of_value(sight, chain.scope, one) or _loaded(sight, chain, one)
            if subject is not None:
                yield Asked(subject, "WRITES", made_with(sight, chain.scope, one))


def _loaded(sight: Sight, chain: Chain, expr: Expr) -> Place | None:
    """The class of what a variable was loaded as here."""
    for one in sight.look.makers(sight.unit, chain.scope, expr):
        made = chain_of(sight.unit.facts, one.scope, one.expr, chain.at)
        for place, step in enumerate(made.steps if one.unit is sight.unit else ()):
            for asked in _statement(sight, made, place, step) if step.name in _READS else ():
                return asked.subject
    return None


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
    words=_READS | _WRITES | _KEEPS | _LOADING,
    asks=_asks,
)
