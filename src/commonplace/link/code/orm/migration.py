"""What a tool for migrations is: code that makes and changes tables."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from commonplace.catalog import collect
from commonplace.domain.code import At
from commonplace.link.code.orm.base import Sight
from commonplace.link.code.orm.mapped import sight_of
from commonplace.link.code.program import Program, Unit
from commonplace.link.code.queries.chains import noted


class Change(NamedTuple):
    """One table that a migration makes, changes or drops."""

    scope: int
    at: At
    verb: str
    """create, add, alter, rename, drop: of columns where it names some, else of the table."""
    table: str
    columns: tuple[str, ...] = ()
    to: str = ""
    """What is renamed is called so from now on."""
    alias: str = ""
    """What later migrations may call a table that is made here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrations:
    """A catalog record."""

    name: str
    languages: frozenset[str]
    may: Callable[[Unit], bool]
    """Whether a file can be a migration: from its facts alone, asked once for each."""
    changes: Callable[[Sight], Iterable[Change]]
    follows: Callable[[Sight], tuple[str, tuple[str, ...]]] | None = None
    """What a migration is called and which ones run before it; else they run in order of paths."""


def in_order(program: Program, units: Sequence[Unit]) -> list[Unit]:
    """Files in the order their migrations run: by path, but each after those it says it follows."""
    named: dict[str, Unit] = {}
    before: dict[str, tuple[str, ...]] = {}
    for unit in units:
        for one in migrations().values():
            if one.follows is not None and _is_of(one, unit):
                name, others = one.follows(sight_of(program, unit))
                named[name] = unit
                before[unit.document_id] = others
    done: dict[str, Unit] = {}
    for unit in units:
        waiting = [unit]
        begun: set[str] = set()
        while waiting:
            last = waiting[-1]
            begun.add(last.document_id)
            first = [named[name] for name in before.get(last.document_id, ()) if name in named]
            first = [one for one in first if one.document_id not in done.keys() | begun]
            if first:
                waiting += first
            else:
                done.setdefault(last.document_id, waiting.pop())
    return list(done.values())


def _is_of(one: Migrations, unit: Unit) -> bool:
    return unit.facts.language in one.languages and noted(unit, one.name, one.may)


def changes_of(program: Program, unit: Unit) -> Iterator[Change]:
    """What the migrations of a file do."""
    for one in migrations().values():
        if _is_of(one, unit):
            yield from one.changes(sight_of(program, unit))


@lru_cache(maxsize=1)
def migrations() -> dict[str, Migrations]:
    """Every tool by name; they stand in the catalog of mappers."""
    import_module(__package__)
    return collect(sys.modules[__package__], Migrations)
