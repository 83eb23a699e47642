"""What a routine gives who calls it, its parameters standing for what they are given."""

from collections.abc import Mapping
from typing import NamedTuple

from commonplace.link.code.lineage.schema import Routine
from commonplace.link.code.lineage.told import Local, Moved
from commonplace.sql.sources import PARAMETERS, STAR, Out, Sources, merge


class Given(NamedTuple):
    """What a routine gives who calls it."""

    rows: list[Out] | None = None
    value: Sources = {}  # noqa: RUF012 - nobody changes it
    outs: dict[str, Sources] = {}  # noqa: RUF012
    """By the names of its parameters in lower case."""
    filled: tuple[Local, ...] = ()
    """Temporary tables, which may be its caller's."""
    passed: tuple[Moved, ...] = ()
    """What it moves from its parameters to tables."""


def parameter(routine: Routine, named: str) -> str:
    """The parameter that an argument is given for, by name or ``#`` and place; in lower case."""
    place = int(named[1:]) if named.startswith("#") and named[1:].isdigit() else -1
    return (routine.takes[place] if 0 <= place < len(routine.takes) else named).lower()


def bound(sources: Sources, given: Mapping[str, Sources]) -> Sources:
    """Sources with parameters replaced by what they are given."""
    found: Sources = {}
    for (table, column), (how, sure) in sources.items():
        if table == PARAMETERS:
            merge(found, given.get(column.lower(), {}), how, sure)
        else:
            merge(found, {(table, column): (how, sure)})
    return found


def united(rows: list[list[Out]], gives: tuple[str, ...]) -> list[Out] | None:
    """Several results of one width are one; of different widths, the last counts."""
    if not rows:
        return [(name, {}) for name in gives] or None
    last = rows[-1]
    found: list[Out] = [(name, dict(sources)) for name, sources in last]
    for other in rows[:-1]:
        if len(other) == len(found):
            for (_name, into), (_other, more) in zip(found, other, strict=True):
                merge(into, more)
    if gives and not any(name == STAR for name, _sources in found):
        found = [(name, out[1]) for name, out in zip(gives, found, strict=False)]
    return found
