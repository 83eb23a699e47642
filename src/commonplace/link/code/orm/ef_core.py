"""Entity Framework Core: sets of a context, attributes, fluent configuration, LINQ."""

from collections.abc import Iterable, Iterator

from commonplace.domain.code import At, Symbol, Use
from commonplace.domain.expr import Expr
from commonplace.link.code.names.definitions import CLASSES
from commonplace.link.code.orm.asking import (
    argument_of,
    behind,
    class_of_value,
    in_lambdas,
    lambdas,
    made_with,
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
    marks,
    naming,
    tail,
)
from commonplace.link.code.orm.ef_owned import OWNING, owned
from commonplace.link.code.orm.linq import Rows
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step, below, chain_of, chains, words

CSHARP = frozenset({"csharp"})
_SETS = frozenset({"DbSet", "IDbSet"})
_BUILDERS = frozenset({"EntityTypeBuilder"})
_WRITES = frozenset(
    {"Add", "AddAsync", "AddRange", "AddRangeAsync", "Update", "UpdateRange", "Remove", "Attach"}
    | {"RemoveRange", "ExecuteUpdate", "ExecuteUpdateAsync", "ExecuteDelete", "ExecuteDeleteAsync"}
)
_CONFIGURING = frozenset({"ToTable", "ToView", "HasColumnName"})
_STATES = frozenset({"Modified", "Added", "Deleted"})
_QUERYING = frozenset(
    {"AsQueryable", "AsNoTracking", "Where", "OrderBy", "OrderByDescending", "Include", "ThenBy"}
    | {"ThenInclude", "AsSplitQuery", "IgnoreQueryFilters", "Skip", "Take", "Distinct"}
)
"""Steps after which a query of the same rows goes on."""
_ON_QUERIES = _QUERYING | {
    *("Select", "GroupBy", "AnyAsync", "CountAsync", "FirstAsync", "FirstOrDefaultAsync", "Sum"),
    *("SingleAsync", "SingleOrDefaultAsync", "SumAsync", "MaxAsync", "MinAsync", "AverageAsync"),
    *("ToListAsync", "ToArrayAsync", "SelectMany", "ExecuteDeleteAsync", "ExecuteUpdateAsync"),
}
_DEEPEST = 4
_SAVES = frozenset({"SaveChanges", "SaveChangesAsync"})
_RAW = frozenset({"FromSqlRaw", "FromSql", "FromSqlInterpolated"})


def _may(unit: Unit) -> bool:
    types = (symbol.type for symbol in unit.facts.symbols if symbol.kind == "Property")
    return (
        bool((_CONFIGURING | OWNING) & words(unit))
        or decorates(unit, "Table")
        or any(one is not None and tail(one) in _SETS for one in types)
    )


def _claims(sight: Sight) -> Iterator[Claim]:
    for number, symbol in enumerate(sight.unit.facts.symbols):
        if symbol.kind in ("Class", "Record") and symbol.decorators:
            yield from _attributed(sight, number, symbol)
        elif symbol.kind == "Property" and symbol.type is not None and tail(symbol.type) in _SETS:
            kept = symbol.type[2][0] if symbol.type[0] == "generic" else symbol.type
            subject = sight.look.class_of(sight.unit, number, kept)
            if subject is not None:
                yield Claim(subject, symbol.name, how="convention", rank=1)
    for chain in chains(sight.unit) if (_CONFIGURING | OWNING) & words(sight.unit) else ():
        yield from _configured(sight, chain)


def _attributed(sight: Sight, number: int, symbol: Symbol) -> Iterator[Claim]:
    said = marks(symbol.decorators, sight)
    table = sight.said(number, argument(said.get("Table"), 0))
    schema = sight.said(number, argument(said.get("Table"), -1, "Schema"))
    if table:
        named = f"{schema}.{table}" if schema else table
        yield Claim(Place(sight.unit.document_id, number), named)


def _configured(sight: Sight, chain: Chain) -> Iterator[Claim]:
    """``Entity<T>().ToTable("t")``, ``Property(x => x.F).HasColumnName("c")``."""
    if not (_CONFIGURING | OWNING) & set(chain.names()):
        return
    subject = _subject(sight, chain)
    if subject is None:
        return
    yield from owned(sight, chain, subject)
    field = ""
    for step in chain.steps:
        if step.name in ("ToTable", "ToView"):
            table = sight.said(chain.scope, argument(step.call, 0, "name"))
            schema = sight.said(chain.scope, argument(step.call, 1, "schema"))
            if table:
                yield Claim(subject, f"{schema}.{table}" if schema else table, rank=3)
        elif step.name == "Property":
            field = next(iter(in_lambdas(sight, step)), "") or sight.said(
                chain.scope, argument(step.call, 0)
            )
        elif step.name == "HasColumnName" and field:
            column = sight.said(chain.scope, argument(step.call, 0))
            if column:
                yield Claim(subject, columns=(Column(field, column, "declared"),), rank=3)


def _subject(sight: Sight, chain: Chain) -> Place | None:
    """The class a configuration is about."""
    for step in chain.steps:
        if step.name == "Entity" and step.types:
            return sight.look.class_of(sight.unit, chain.scope, step.types[0])
    root = chain.root
    if root is None or root[0] != "name":
        return None
    for one in sight.look.types(sight.unit, chain.scope, root):
        if tail(one.base) in _BUILDERS and one.arguments:
            return sight.look.class_of(one.unit, one.scope, one.arguments[0])
    return _given_to(sight, chain.scope, root[1])


def _given_to(sight: Sight, scope: int, name: str) -> Place | None:
    """The class whose ``Entity<T>(e => …)`` names its builder so."""
    facts = sight.unit.facts
    for other in chains(sight.unit):
        for step in other.steps:
            if step.name != "Entity" or not step.types:
                continue
            for number in lambdas(step):
                parameters = facts.symbols[number].parameters
                if number == scope and parameters and parameters[0].name == name:
                    return sight.look.class_of(sight.unit, other.scope, step.types[0])
    return None


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    for number in sight.unit.children.get(place.number, ()):
        symbol = sight.unit.facts.symbols[number]
        if symbol.kind != "Property" or symbol.visibility != "public":
            continue
        said = marks(symbol.decorators, sight)
        if "NotMapped" in said or "static" in symbol.modifiers or "auto" not in symbol.modifiers:
            continue
        named = sight.said(place.number, argument(said.get("Column"), 0, "Name"))
        if named or _is_scalar(sight, number, symbol.type):
            yield Column(symbol.name, named or symbol.name, "declared" if named else "convention")


def _is_scalar(sight: Sight, scope: int, declared: Expr | None) -> bool:
    """Whether a type is kept in one column: neither an entity nor a collection."""
    if declared is None:
        return False
    if declared[0] == "generic":
        return tail(declared) in ("Nullable", "Optional")
    found = sight.look.class_of(sight.unit, scope, declared)
    return found is None or sight.look.symbol(found).kind not in CLASSES - {"Enum", "Struct"}


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    for place, step in enumerate(chain.steps):
        if step.call is not None:
            if step.name == "Set" and step.types:
                subject = sight.look.class_of(sight.unit, chain.scope, step.types[0])
                symbol = sight.unit.facts.symbols[chain.scope]
                if place == len(chain.steps) - 1 and symbol.type and tail(symbol.type) in _SETS:
                    return ()  # the set itself, as a property of the context
                if subject in sight.mapped:
                    return _of_set(sight, subject, chain.steps[place + 1 :])
            return (*_of_context(sight, chain, step), *_of_query(sight, chain))
        base = prefix(chain, place + 1)
        subject = argument_of(sight, chain.scope, base, _SETS) if base else None
        if subject is not None:
            return _of_set(sight, subject, chain.steps[place + 1 :])
    return ()


def _of_query(sight: Sight, chain: Chain) -> Iterable[Asked]:
    """What a query with a name is asked for further."""
    if not chain.steps or chain.steps[0].call is None or chain.steps[0].name not in _ON_QUERIES:
        return ()
    subject = _queried(sight, chain, 0)
    return _of_set(sight, subject, chain.steps) if subject is not None else ()


def _queried(sight: Sight, chain: Chain, depth: int) -> Place | None:
    """The entity of a query that has a name: ``var query = db.Orders.AsQueryable()``."""
    root = chain.root
    if root is None or root[0] != "name" or depth == _DEEPEST:
        return None
    for one in sight.look.makers(sight.unit, chain.scope, root):
        made = chain_of(sight.unit.facts, one.scope, one.expr, chain.at)
        for place, step in enumerate(made.steps if one.unit is sight.unit else ()):
            base = prefix(made, place + 1) if step.call is None else None
            subject = argument_of(sight, made.scope, base, _SETS) if base else None
            if subject is not None:
                is_query = made.steps[-1].name in _QUERYING
                return subject if is_query else None
        found = _queried(sight, made, depth + 1) if made.root != root else None
        if found is not None:
            return found
    return None


def _of_set(sight: Sight, subject: Place | None, steps: tuple[Step, ...]) -> Iterator[Asked]:
    if subject is None or any(step.name in _RAW for step in steps):
        return
    writes = any(step.name in _WRITES for step in steps)
    yield Asked(subject, "WRITES" if writes else "READS")
    rows = Rows(sight, subject)
    for step in steps:
        access: Access = "WRITES" if step.name in _WRITES else "READS"
        yield from rows.step(step, access)
        yield from naming(subject, "WRITES", _properties(sight, step))
        if step.call is not None and access == "WRITES":
            for one in step.call.arguments:
                yield from naming(subject, access, made_with(sight, step.call.scope, one))


def _properties(sight: Sight, step: Step) -> tuple[str, ...]:
    """``ExecuteUpdate(s => s.SetProperty(p => p.Title, …))``: what is set inside."""
    facts = sight.unit.facts
    return tuple(
        field
        for number in lambdas(step)
        if step.name.startswith("ExecuteUpdate")
        for call in facts.calls
        if tail(call.callee) == "SetProperty" and below(facts, number, call.scope)
        for field in in_lambdas(sight, Step("SetProperty", call))
    )


def _of_context(sight: Sight, chain: Chain, step: Step) -> Iterator[Asked]:
    """``context.Add(product)`` without naming the set."""
    if step.name not in _WRITES or step.call is None or len(step.call.arguments) != 1:
        return
    base = prefix(chain, len(chain.steps) - 1)
    for one in sight.look.types(sight.unit, chain.scope, base) if base else ():
        context = sight.look.class_of(one.unit, one.scope, one.base)
        symbol = sight.look.symbol(context) if context else None
        if symbol and any(tail(base).endswith("DbContext") for base in symbol.bases):
            subject = class_of_value(sight, chain.scope, step.call.arguments[0])
            if subject is not None:
                fields = made_with(sight, chain.scope, step.call.arguments[0])
                yield Asked(subject, "WRITES", fields)


def _marked(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """``context.Entry(order).State = EntityState.Modified``."""
    facts = sight.unit.facts
    for flow in facts.flows if "Entry" in words(sight.unit) else ():
        base: Expr = (
            flow.target[1] if flow.target[0] == "attr" and flow.target[2] == "State" else ("",)
        )
        call = facts.calls[base[1]] if base[0] == "call" else None
        if call is None or tail(call.callee) != "Entry" or tail(flow.value) not in _STATES:
            continue
        for one in call.arguments:
            subject = class_of_value(sight, flow.scope, one)
            if subject is not None:
                yield flow.scope, call.at, Asked(subject, "WRITES", how="change")


def _defines(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    """Rows taken one by one: ``from o in db.Orders where o.State == …``, ``foreach``."""
    yield from _marked(sight)
    facts = sight.unit.facts
    rows: dict[tuple[int, Expr], Place] = {}
    for flow in facts.flows:
        if flow.value[0] == "each" and flow.value[1][0] == "attr":
            subject = argument_of(sight, flow.scope, flow.value[1], _SETS)
            if subject is not None:
                rows[flow.scope, flow.target] = subject
    for use in facts.uses if rows else ():
        yield from _behind(sight, rows, use)
        subject = rows.get((use.scope, use.expr[1])) if use.expr[0] == "attr" else None
        if subject is None:
            continue
        yield use.scope, use.at, Asked(subject, "READS", how="rows")
        if use.access == "read":
            yield use.scope, use.at, Asked(subject, "READS", (use.expr[2],), how="rows")
        elif _SAVES & words(sight.unit):
            yield use.scope, use.at, Asked(subject, "WRITES", (use.expr[2],), how="change")


def _behind(
    sight: Sight, rows: dict[tuple[int, Expr], Place], use: Use
) -> Iterator[tuple[int, At, Asked]]:
    """``o.Buyer.Name``: fields of what a row has a relation with, or keeps in its own columns."""
    inner: Expr = use.expr[1] if use.expr[0] == "attr" else ("",)
    subject = rows.get((use.scope, inner[1])) if inner[0] == "attr" else None
    if subject is None:
        return
    yield use.scope, use.at, Asked(subject, "READS", (f"{inner[2]}.{use.expr[2]}",), how="rows")
    member = sight.look.member(subject, inner[2])
    other = behind(sight, member) if member is not None else None
    if other is not None:
        yield use.scope, use.at, Asked(other, "READS", (use.expr[2],), how="rows")


EF_CORE = Orm(
    name="ef_core",
    languages=CSHARP,
    may=_may,
    claims=_claims,
    columns=_columns,
    asks=_asks,
    defines=_defines,
)
