"""GORM: structs by tags and naming rule, and what its database is asked."""

import re
from collections.abc import Iterable, Iterator

from commonplace.domain.expr import RESULT, Expr
from commonplace.link.code.names.definitions import CLASSES
from commonplace.link.code.names.look import flows_in
from commonplace.link.code.orm.asking import in_objects, made_with, prefix
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    argument,
    naming,
    plural,
    snake,
    tail,
)
from commonplace.link.code.program import Place, Unit
from commonplace.link.code.queries.chains import Chain, Step

_WRITES = frozenset(
    {"Create", "Save", "Delete", "Update", "Updates", "UpdateColumn", "UpdateColumns"}
    | {"FirstOrCreate", "CreateInBatches"}
)
_READS = frozenset(
    {"Find", "First", "Take", "Last", "Count", "Pluck", "Scan", "FindInBatches", "FirstOrInit"}
)
_SETS = frozenset({"Update", "Updates", "UpdateColumn", "UpdateColumns"})
_NAMING = frozenset({"Where", "Or", "Not", "Order", "Select", "Pluck", "Group", "Having", "Omit"})
_FETCHING = frozenset({"Preload", "Joins", "InnerJoins"})
_PATH = re.compile(r"\w+(?:\.\w+)*")
_JOINED = re.compile(r"\bJOIN\s+([\w.]+)(?:\s+(?:AS\s+)?(?!ON\b|USING\b)(\w+))?", re.IGNORECASE)
_QUALIFIED = re.compile(r"\b(\w+)\.(\w+)\b")
_MODEL = ("ID", "CreatedAt", "UpdatedAt", "DeletedAt")
_TAG = re.compile(r'gorm:"([^"]*)"')
_COLUMN = re.compile(r"(?:^|;)\s*column:\s*([^;\s]+)", re.IGNORECASE)
_WORD = re.compile(r"((?:[A-Za-z_]\w*\.)?)([A-Za-z_]\w*)")


def _tag(sight: Sight, number: int) -> str | None:
    """What the tag of a field says to GORM; None when it says nothing."""
    for one in sight.unit.facts.symbols[number].decorators:
        match = _TAG.search(str(one[1][0])) if one[0] == "text" and one[1] else None
        if match:
            return match.group(1)
    return None


def _is_model(sight: Sight, number: int) -> bool:
    symbol = sight.unit.facts.symbols[number]
    if "embedded" not in symbol.modifiers or symbol.type is None:
        return False
    return sight.look.external(sight.unit, number, symbol.type).endswith("gorm.Model")


def _may(unit: Unit) -> bool:
    return any(one.module.startswith("gorm.io/") for one in unit.facts.imports) or any(
        one[0] == "text" and one[1] and "gorm:" in str(one[1][0])
        for symbol in unit.facts.symbols
        for one in symbol.decorators
    )


def _claims(sight: Sight) -> Iterator[Claim]:
    facts = sight.unit.facts
    for number, symbol in enumerate(facts.symbols):
        if symbol.kind != "Struct":
            continue
        children = sight.unit.children.get(number, ())
        named = next((_table(sight, one) for one in children if _table(sight, one)), "")
        is_told = any(_tag(sight, one) is not None or _is_model(sight, one) for one in children)
        if named or is_told:
            own = (
                Column(one, snake(one))
                for child in children
                if _is_model(sight, child)
                for one in _MODEL
            )
            table = named or plural(snake(symbol.name))
            how = "declared" if named else "convention"
            yield Claim(Place(sight.unit.document_id, number), table, tuple(own), how)


def _table(sight: Sight, number: int) -> str:
    """What ``TableName()`` gives."""
    if sight.unit.facts.symbols[number].name != "TableName":
        return ""
    given = (one.value for one in flows_in(sight.unit, number) if one.target == RESULT)
    return next((said for one in given if (said := sight.said(number, one))), "")


def _columns(sight: Sight, place: Place) -> Iterator[Column]:
    for number in sight.unit.children.get(place.number, ()):
        symbol, tag = sight.unit.facts.symbols[number], _tag(sight, number) or ""
        is_left_out = "embedded" in symbol.modifiers or tag.startswith("-")
        if symbol.kind != "Field" or is_left_out or not _is_kept(sight, number, symbol.type):
            continue
        match = _COLUMN.search(tag)
        named = match.group(1) if match else ""
        how = "declared" if named else "convention"
        yield Column(symbol.name, named or snake(symbol.name), how)


def _is_kept(sight: Sight, scope: int, declared: Expr | None) -> bool:
    """Whether a type is kept in one column: neither another struct nor many."""
    if declared is None or declared[0] == "generic":
        return False
    found = sight.look.class_of(sight.unit, scope, declared)
    return found is None or sight.look.symbol(found).kind not in CLASSES


def _asks(sight: Sight, chain: Chain) -> Iterable[Asked]:
    first = next((n for n, step in enumerate(chain.steps) if step.call is not None), -1)
    base = prefix(chain, first) if first >= 0 and chain.root is not None else None
    if base is None or not (_WRITES | _READS) & set(chain.names()):
        return
    names = sight.look.type_names(sight.unit, chain.scope, base)
    if not any(one.endswith("gorm.DB") for one in names):
        return
    subject = next((one for step in chain.steps if (one := _class(sight, chain, step))), None)
    if subject is None:
        yield from _plain(sight, chain)
        return
    writes = any(step.name in _WRITES for step in chain.steps)
    yield Asked(subject, "WRITES" if writes else "READS")
    for step in chain.steps:
        access: Access = "WRITES" if step.name in _WRITES else "READS"
        yield from naming(subject, access, _named(sight, subject, chain, step))
        yield from _related(sight, subject, chain, step)
    yield from _joined(sight, chain, sight.mapped[subject].table, "")


def _related(sight: Sight, subject: Place, chain: Chain, step: Step) -> Iterator[Asked]:
    """``Preload("Author.Books")``: the rows of the structs that are fetched too."""
    path = sight.said(chain.scope, argument(step.call, 0)) if step.name in _FETCHING else ""
    here: Place | None = subject
    for part in path.split(".") if _PATH.fullmatch(path) else ():
        field = sight.look.member(here, part) if here is not None else None
        declared = sight.look.symbol(field).type if field is not None else None
        if field is None or declared is None:
            return
        unit = sight.look.program.units[field.document_id]
        kept = declared[2][0] if declared[0] == "generic" and declared[2] else declared
        here = sight.look.class_of(unit, field.number, kept)
        if here not in sight.mapped:
            return
        yield Asked(here, "READS")


def _plain(sight: Sight, chain: Chain) -> Iterator[Asked]:
    """``db.Table("books").Select("authors.name").Joins("JOIN authors ON …")``: names in text."""
    named = (argument(step.call, 0) for step in chain.steps if step.name == "Table")
    table, alias = next((_aliased(sight.said(chain.scope, one)) for one in named), ("", ""))
    if table:
        writes = any(step.name in _WRITES for step in chain.steps)
        yield Asked(None, "WRITES" if writes else "READS", table=table)
        yield from _joined(sight, chain, table, alias)


def _joined(sight: Sight, chain: Chain, table: str, alias: str) -> Iterator[Asked]:
    """Tables that are joined in text, and columns that are written with their tables."""
    told = [
        (step.name, sight.strings.read(chain.scope, one)[0].text)
        for step in chain.steps
        if step.name in _NAMING | _FETCHING and step.call is not None
        for one in step.call.arguments[:1]
        if one[0] == "text"
    ]
    joined = [one for name, text in told if name == "Joins" for one in _JOINED.findall(text)]
    tables = {alias: table, table: table}
    tables |= {alias or name: name for name, alias in joined}
    for other in dict.fromkeys(name for name, _alias in joined):
        yield Asked(None, "READS", table=other)
    for text in (text for _name, text in told):
        for of, column in _QUALIFIED.findall(text):
            if of in tables:
                yield Asked(None, "READS", (column,), tables[of])


def _aliased(text: str) -> tuple[str, str]:
    """``books AS b`` as a table and what it is called."""
    parts = [one for one in text.split() if one.lower() != "as"]
    return (parts[0], parts[-1]) if parts and _PATH.fullmatch(parts[0]) else ("", "")


def _class(sight: Sight, chain: Chain, step: Step) -> Place | None:
    """The struct that a step is given an object, or a list of objects, of."""
    first = argument(step.call, 0)
    if first is None or step.name not in _WRITES | _READS | {"Model"}:
        return None
    for one in sight.look.types(sight.unit, chain.scope, first):
        is_list = tail(one.base) == "Array" and one.arguments
        kept = one.arguments[0] if is_list else one.base
        found = sight.look.class_of(one.unit, one.scope, kept)
        if found in sight.mapped:
            return found
    return None


def _named(sight: Sight, subject: Place, chain: Chain, step: Step) -> tuple[str, ...]:
    """Fields a step names: in text, in objects, in structs it is given."""
    first = argument(step.call, 0)
    if first is None or step.name not in _NAMING | _WRITES:
        return ()
    kept_in = {
        column.name: field for field, (column, _said) in sight.mapped[subject].columns.items()
    }
    fields = sight.mapped[subject].columns.keys()
    if step.name == "Select" and _SETS & set(chain.names()):
        return ()  # which of what is set is kept
    given = step.call.arguments if step.call and step.name == "Select" else (first,)
    words = [
        word
        for one in given
        if one[0] == "text"
        for of, word in _WORD.findall(sight.strings.read(chain.scope, one)[0].text)
        if of in ("", f"{sight.mapped[subject].table}.")
    ]
    if step.name in _SETS | _NAMING | {"Create"}:
        words += made_with(sight, chain.scope, first)
    words += in_objects(sight, first) if first[0] == "map" else ()
    found = (kept_in.get(one, one) for one in words)
    return tuple(dict.fromkeys(one for one in found if one in fields))


GORM = Orm(
    name="gorm",
    languages=frozenset({"go"}),
    may=_may,
    claims=_claims,
    columns=_columns,
    words=_WRITES | _READS,
    asks=_asks,
)
