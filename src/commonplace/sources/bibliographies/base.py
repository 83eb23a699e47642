"""What a format of bibliographies is, and what reading one gives."""

from collections.abc import Callable
from dataclasses import dataclass

from commonplace.domain.reference import Reference


@dataclass(frozen=True, slots=True)
class Reading:
    """The records of a bibliography, and what of it could not be read."""

    references: tuple[Reference, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What its owner should know, though all was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A catalog record: one format of bibliographies."""

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[str], Reading]
    """Any text gives a reading: what is wrong is told in it, never raised."""
