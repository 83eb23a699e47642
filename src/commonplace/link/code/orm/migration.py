"""What a tool for migrations is: code that makes and changes tables."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from commonplace.catalog import collect
from commonplace.domain.code import At
from commonplace.link.code.chains import noted
from commonplace.link.code.orm.base import Sight
from commonplace.link.code.orm.mapped import sight_of
from commonplace.link.code.program import Program, Unit


class Change(NamedTuple):
    """One table that a migration makes, changes or drops."""

    scope: int
    at: At
    verb: str
    """create, add, alter, rename, drop."""
    table: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrations:
    """A catalog record."""

    name: str
    languages: frozenset[str]
    may: Callable[[Unit], bool]
    """Whether a file can be a migration: from its facts alone, asked once for each."""
    changes: Callable[[Sight], Iterable[Change]]


def changes_of(program: Program, unit: Unit) -> Iterator[Change]:
    """What the migrations of a file do."""
    for one in migrations().values():
        if unit.facts.language in one.languages and noted(unit, one.name, one.may):
            yield from one.changes(sight_of(program, unit))


@lru_cache(maxsize=1)
def migrations() -> dict[str, Migrations]:
    """Every tool by name; they stand in the catalog of mappers."""
    import_module(__package__)
    return collect(sys.modules[__package__], Migrations)
