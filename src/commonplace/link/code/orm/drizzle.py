"""Drizzle: tables made by calls, and statements that name them."""

from collections.abc import Iterable, Iterator

from commonplace.domain.code import Call
from commonplace.domain.expr import RESULT, Expr
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.names.modules import SCRIPTS
from commonplace.link.code.orm.asking import in_objects, named_class, of_parameter
from commonplace.link.code.orm.base import (
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    entry,
    naming,
    no_columns,
    tail,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step, chain_of, peeled

_TABLES = frozenset({"pgTable", "mysqlTable", "sqliteTable", "singlestoreTable", "table"})
_SCHEMAS = frozenset({"pgSchema", "mysqlSchema"})
_WRITES = frozenset({"insert", "update", "delete"})
_SETS = frozenset({"values", "set"})
_JOINS = frozenset({"from", "innerJoin", "leftJoin", "rightJoin", "fullJoin"})
_FINDS = frozenset({"findFirst", "findMany"})


def _may(unit: Unit) -> bool:
    return any(one.module.startswith("drizzle-orm") for one in unit.facts.imports)


def _claims(sight: Sight) -> Iterator[Claim]:
    facts = sight.unit.facts
    for number, symbol in enumerate(facts.symbols):
        if symbol.value is None or symbol.value[0] != "call":
            continue
        call = facts.calls[symbol.value[1]]
        if tail(call.callee) in _TABLES and len(call.arguments) > 1:
            name = sight.said(call.scope, call.arguments[0])
            columns = tuple(_fields(sight, call.scope, call.arguments[1]))
            schema = _schema(sight, call)
            if name and columns:
                full = f"{schema}.{name}" if schema else name
                yield Claim(Place(sight.unit.document_id, number), full, columns)


def _schema(sight: Sight, call: Call) -> str:
    """``shop.table("t", …)`` of ``const shop = pgSchema("shop")``."""
    callee = peeled(call.callee)
    for one in sight.look.makers(sight.unit, call.scope, callee[1]) if callee[0] == "attr" else ():
        made = one.unit.facts.calls[one.expr[1]]
        first = argument(made, 0)
        if tail(made.callee) in _SCHEMAS and first is not None and first[0] == "text":
            return str(first[1][0]) if first[1] else ""
    return ""


def _fields(sight: Sight, scope: int, expr: Expr) -> Iterator[Column]:
    """``title: text("title").notNull()``: a column is named by the call its chain begins with."""
    for key, value in expr[1] if expr[0] == "map" else ():
        if isinstance(key, str) and value[0] == "call":
            first = chain_of(sight.unit.facts, scope, value, sight.unit.facts.symbols[0].at)
            start = first.steps[0] if first.steps else None
            given = argument(start.call, 0) if start is not None else None
            named = sight.said(scope, given) if given is not None and given[0] == "text" else ""
            yield Column(key, named or key, "declared" if named else "convention")


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    subject: Place | None = None
    for place, step in enumerate(chain.steps):
        if step.call is None:
            continue
        named = named_class(sight, chain, argument(step.call, 0))
        if step.name in _JOINS and named is not None:
            yield Asked(named, "READS")
        elif step.name in _WRITES and named is not None:
            subject = named
            yield Asked(named, "WRITES")
        elif subject is not None:
            yield from _set(sight, subject, step)
        if step.name in _FINDS and place > 1 and chain.steps[place - 2].name == "query":
            found = _table(sight, chain.steps[place - 1].name)
            yield from _found(sight, found, argument(step.call, 0)) if found is not None else ()


def _set(sight: Sight, subject: Place, step: Step) -> Iterator[Asked]:
    first = argument(step.call, 0)
    if step.name.startswith("onConflict") or step.name.startswith("onDuplicate"):
        first = entry(first, "set")
    elif step.name not in _SETS:
        return
    yield from naming(subject, "WRITES", in_objects(sight, first))


def _table(sight: Sight, name: str) -> Place | None:
    """The table a query by relations is for: the one that is exported so."""
    found = [one for one in sight.look.program.named.get(name, ()) if one in sight.mapped]
    return found[0] if len(found) == 1 else None


def _found(sight: Sight, subject: Place, given: Expr | None) -> Iterator[Asked]:
    """``db.query.orders.findMany({ columns, where, with })``."""
    yield Asked(subject, "READS")
    yield from naming(subject, "READS", in_objects(sight, entry(given, "columns")))
    for key in ("where", "orderBy"):
        told = entry(given, key)
        for number in _functions(told) if told is not None else ():
            yield from naming(subject, "READS", tuple(of_parameter(sight, number)))
    for key, value in (entry(given, "with") or ("", ()))[1]:
        other = _related(sight, subject, key) if isinstance(key, str) else None
        if other is not None:
            yield from _found(sight, other, value)


def _functions(expr: Expr) -> list[int]:
    expr = peeled(expr)
    return [expr[1]] if expr[0] == "made" else []


def _related(sight: Sight, subject: Place, name: str) -> Place | None:
    """The table ``relations(orders, ({ one }) => ({ buyer: one(buyers) }))`` leads to."""
    unit = sight.look.program.units[subject.document_id]
    for call in unit.facts.calls:
        first = argument(call, 0)
        if tail(call.callee) != "relations" or first is None:
            continue
        if sight.look.places(unit, call.scope, first) != [subject]:
            continue
        for number in (one[1] for one in call.arguments if one[0] == "made"):
            for flow in flows_in(unit, number):
                value = entry(flow.value, name) if flow.target == RESULT else None
                if value is not None and value[0] == "call":
                    aim = argument(unit.facts.calls[value[1]], 0)
                    found = sight.look.places(unit, number, aim) if aim is not None else []
                    return next((one for one in found if one in sight.mapped), None)
    return None


DRIZZLE = Orm(
    name="drizzle",
    languages=SCRIPTS,
    may=_may,
    claims=_claims,
    columns=no_columns,
    words=_WRITES | _JOINS | _FINDS,
    asks=_asks,
)
