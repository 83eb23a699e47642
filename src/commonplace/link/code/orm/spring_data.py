"""Spring Data: repositories by their entity, methods by their names."""

import re
from collections.abc import Iterable, Iterator

from commonplace.domain.code import At
from commonplace.link.code.orm.asking import prefix
from commonplace.link.code.orm.base import (
    Access,
    Asked,
    Claim,
    Column,
    Orm,
    Sight,
    marks,
    never,
    tail,
)
from commonplace.link.code.orm.jpa import JAVA
from commonplace.link.code.program import Place
from commonplace.link.code.queries.chains import Chain

_REPOSITORIES = frozenset(
    {"Repository", "CrudRepository", "ListCrudRepository", "JpaRepository", "R2dbcRepository"}
    | {"PagingAndSortingRepository", "ListPagingAndSortingRepository", "ReactiveCrudRepository"}
    | {"ReactiveSortingRepository", "CoroutineCrudRepository"}
)
_DERIVED = re.compile(
    r"^(find|read|get|query|search|stream|count|exists|delete|remove)(\w*?)By([A-Z]\w*)$"
)
_OPERATORS = re.compile(
    r"(IsNotNull|NotNull|IsNull|Null|IsBetween|Between|IsLessThanEqual|LessThanEqual|IsLessThan"
    r"|LessThan|IsGreaterThanEqual|GreaterThanEqual|IsGreaterThan|GreaterThan|IsAfter|After"
    r"|IsBefore|Before|IsNotLike|NotLike|IsLike|Like|IsStartingWith|StartingWith|StartsWith"
    r"|IsEndingWith|EndingWith|EndsWith|IsNotContaining|NotContaining|NotContains|IsContaining"
    r"|Containing|Contains|IsNotIn|NotIn|IsIn|In|IsNotEmpty|NotEmpty|IsEmpty|Empty|IsNot|Not"
    r"|IsTrue|True|IsFalse|False|Is|Equals|IgnoreCase|AllIgnoreCase|IgnoringCase|Asc|Desc)$"
)
_WRITING = frozenset({"save", "saveAll", "saveAndFlush", "saveAllAndFlush", "deleteById", "delete"})
_WRITING_MANY = frozenset({"deleteAll", "deleteAllById", "deleteInBatch", "deleteAllInBatch"})
_READING = frozenset(
    {"findById", "findAll", "findAllById", "getReferenceById", "getById", "getOne", "existsById"}
    | {"count", "findOne"}
)
_SAID = frozenset({"Query", "NativeQuery", "Procedure", "NamedQuery"})


def _claims(sight: Sight) -> Iterable[Claim]:
    del sight
    return ()


def _columns(sight: Sight, place: Place) -> Iterable[Column]:
    del sight, place
    return ()


def entity_of(sight: Sight, repository: Place, depth: int = 0) -> Place | None:
    """The mapped class a repository is for."""
    unit = sight.look.program.units[repository.document_id]
    symbol = unit.facts.symbols[repository.number]
    for base in (*symbol.bases, *symbol.interfaces):
        if base[0] == "generic" and tail(base) in _REPOSITORIES and base[2]:
            found = sight.look.class_of(unit, 0, base[2][0])
            return found if found in sight.mapped else None
    for above in sight.look.bases(repository) if depth < 4 else ():
        found = entity_of(sight, above, depth + 1)
        if found is not None:
            return found
    return None


def _defines(sight: Sight) -> Iterator[tuple[int, At, Asked]]:
    facts = sight.unit.facts
    for number, symbol in enumerate(facts.symbols):
        if symbol.kind != "Interface":
            continue
        subject = entity_of(sight, Place(sight.unit.document_id, number))
        if subject is None:
            continue
        for child in sight.unit.children.get(number, ()):
            method = facts.symbols[child]
            if method.kind == "Method" and not _SAID & marks(method.decorators, sight).keys():
                for asked in derived(sight, subject, method.name):
                    yield child, method.at, asked


def derived(sight: Sight, subject: Place, name: str) -> Iterator[Asked]:
    """What ``findByLastNameAndAgeGreaterThan`` reads: fields of the entity, found in its name."""
    match = _DERIVED.match(name)
    if match is None:
        return
    access: Access = "WRITES" if match.group(1) in ("delete", "remove") else "READS"
    criteria, _order, ordering = match.group(3).partition("OrderBy")
    yield Asked(subject, access, how="name")
    for part in re.split(r"(?<=[a-z0-9])(?:And|Or)(?=[A-Z])", criteria):
        yield from _property(sight, subject, part)
    for part in re.split(r"(?<=Asc)|(?<=Desc)", ordering):
        yield from _property(sight, subject, part)


def _property(sight: Sight, subject: Place, part: str) -> Iterator[Asked]:
    fields = sight.mapped[subject].columns
    while part:
        name = part[0].lower() + part[1:]
        if name in fields:
            yield Asked(subject, "READS", (name,), how="name")
            return
        inner = _through(sight, subject, part)
        if inner is not None:
            yield Asked(subject, "READS", (inner[0],), how="name")
            yield Asked(inner[1], "READS", how="name")
            yield from _property(sight, inner[1], inner[2])
            return
        shorter = _OPERATORS.sub("", part)
        if shorter == part:
            return
        part = shorter


def _through(sight: Sight, subject: Place, part: str) -> tuple[str, Place, str] | None:
    """``MemberLastName`` of a loan: its field, the entity that is, and the rest."""
    words = re.findall(r"[A-Z][a-z0-9]*", part)
    for count in range(len(words) - 1, 0, -1):
        head = "".join(words[:count])
        field = head[0].lower() + head[1:]
        member = sight.look.member(subject, field)
        symbol = sight.look.symbol(member) if member else None
        if member is None or symbol is None or symbol.type is None:
            continue
        unit = sight.look.program.units[member.document_id]
        inner = sight.look.class_of(unit, 0, symbol.type)
        if inner is not None and inner in sight.mapped:
            return field, inner, "".join(words[count:])
    return None


def _asks(sight: Sight, chain: Chain) -> Iterator[Asked]:
    for place, step in enumerate(chain.steps):
        if step.call is None:
            continue
        reading = step.name in _READING
        if not reading and step.name not in _WRITING and step.name not in _WRITING_MANY:
            return
        base = prefix(chain, place)
        for one in sight.look.types(sight.unit, chain.scope, base) if base else ():
            repository = sight.look.class_of(one.unit, one.scope, one.base)
            subject = entity_of(sight, repository) if repository else None
            if subject is not None:
                yield Asked(subject, "READS" if reading else "WRITES", how="repository")
        return


SPRING_DATA = Orm(
    name="spring_data",
    languages=JAVA,
    may=never,
    claims=_claims,
    columns=_columns,
    words=_WRITING | _WRITING_MANY | _READING,
    of=frozenset({"jpa"}),
    asks=_asks,
    defines=_defines,
)
