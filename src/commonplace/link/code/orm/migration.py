"""What a tool for migrations is: code that makes and changes tables."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from commonplace.catalog import collect
from commonplace.domain.code import At
from commonplace.link.code.orm.base import Sight


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
    changes: Callable[[Sight], Iterable[Change]]


@lru_cache(maxsize=1)
def migrations() -> dict[str, Migrations]:
    """Every tool by name; they stand in the catalog of mappers."""
    import_module(__package__)
    return collect(sys.modules[__package__], Migrations)
