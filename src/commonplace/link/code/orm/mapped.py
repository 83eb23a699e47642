"""All claims of a program put together: which class is kept in which table."""

from collections.abc import Iterator

from commonplace.link.code.names.look import Look, look
from commonplace.link.code.orm import orms
from commonplace.link.code.orm.base import Claim, Column, Mapped, Orm, Sight
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.queries.chains import noted
from commonplace.link.code.queries.strings import Strings

_DEEPEST = 8


def mapped_classes(program: Program) -> dict[Place, Mapped]:
    """Every mapped class of this state of the program."""
    found = program.memo.get("orm.mapped")
    if found is None:
        found = program.memo["orm.mapped"] = _merged(look(program))
    known: dict[Place, Mapped] = found
    return known


def sight_of(program: Program, unit: Unit) -> Sight:
    """A file with all that is mapped in view."""
    seen = look(program)
    return Sight(seen, unit, Strings(seen, unit), mapped_classes(program))


def _merged(seen: Look) -> dict[Place, Mapped]:
    claims: dict[Place, list[tuple[Claim, Orm, str]]] = {}
    for orm in orms().values():
        for unit in seen.program.units.values():
            if unit.facts.language in orm.languages and noted(unit, orm.name, orm.may):
                sight = Sight(seen, unit, Strings(seen, unit), {})
                for claim in orm.claims(sight):
                    claims.setdefault(claim.subject, []).append((claim, orm, unit.document_id))
    found = {}
    for subject, told in claims.items():
        told.sort(key=lambda one: (-one[0].rank, one[2], one[0].table))
        tables = [one for one in told if one[0].table]
        if tables:
            found[subject] = _one(seen, told, tables[0])
    return found


def _one(seen: Look, told: list[tuple[Claim, Orm, str]], best: tuple[Claim, Orm, str]) -> Mapped:
    claim, orm, document_id = best
    columns: dict[str, tuple[Column, str]] = {}
    for other, _orm, said_in in told:
        for column in other.columns:
            columns.setdefault(column.field, (column, said_in))
    own = claim.subject.document_id
    home = own if any(said_in == own for _claim, _orm, said_in in told) else document_id
    for column in _inherited(seen, orm, claim.subject, 0):
        columns.setdefault(column.field, (column, home))
    return Mapped(claim.subject, claim.table, columns, orm.name, document_id, claim.how)


def _inherited(seen: Look, orm: Orm, place: Place, depth: int) -> Iterator[Column]:
    """Columns by the fields of a class and of what it descends from, nearest first."""
    unit = seen.program.units[place.document_id]
    sight = Sight(seen, unit, Strings(seen, unit), {})
    yield from orm.columns(sight, place)
    for base in seen.bases(place) if depth < _DEEPEST else ():
        if orm.parts is None or not orm.parts(sight, place, base):
            yield from _inherited(seen, orm, base, depth + 1)


def field_of(program: Program, subject: Place, path: str) -> Place | None:
    """A field of a class; with dots, one of the object that a field before it holds."""
    seen = look(program)
    first, _dot, rest = path.partition(".")
    field = seen.member(subject, first)
    declared = seen.symbol(field).type if field is not None else None
    if not rest or field is None or declared is None:
        return None if rest else field
    inner = seen.class_of(program.units[field.document_id], field.number, declared)
    return field_of(program, inner, rest) if inner is not None else None
