"""Where columns come from: sources with how they were made of them and how sure that is."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

CERTAIN = 1.0
ONLY_TABLE = 0.9  # no table's columns are known, but only one can have it
UNLISTED = 0.7  # the query says which table, the table's definition does not list the column
ELSEWHERE = 0.6  # an inner table with unknown columns might hide it
AMBIGUOUS = 0.5
ASSUMED = 0.5  # the table is not defined anywhere: its columns are called as what fills them
CANDIDATE = 0.3
ANY = "**"
"""The name of what a function in FROM gives, whatever it is called."""
STAR = "*"
PARAMETERS = "()"
"""The table that stands for the parameters of a routine, where what it gives is worked out."""
INDIRECT = "called"
"""How what a called function looks at comes in: its caller does not read it itself."""
_RANK = {"copy": 0, "expression": 1, "aggregate": 2}

Sources: TypeAlias = dict[tuple[str, str], tuple[str, float]]
"""(table, column) to (how, confidence)."""
Out: TypeAlias = tuple[str, Sources]


class Tables(Protocol):
    """What is known outside the statement."""

    def columns(self, table: str) -> Sequence[str] | None:
        """The columns of a table in order; None when its definition is not known."""
        ...

    def results(self, function: str) -> list[Out] | None:
        """What a function in FROM gives; None when its definition is not known."""
        ...

    def takes(self, function: str) -> Sequence[str]:
        """The parameters of a function in order."""
        ...

    def value(self, function: str) -> Sources:
        """What the value of a function comes from, its arguments apart."""
        ...

    def is_record(self, name: str) -> bool:
        """Whether a qualifier no scope knows is a record, a cursor, NEW or OLD."""
        ...


class Nothing:
    """No table is known."""

    def columns(self, table: str) -> Sequence[str] | None:
        """Unknown."""
        del table
        return None

    def results(self, function: str) -> list[Out] | None:
        """Unknown."""
        del function
        return None

    def takes(self, function: str) -> Sequence[str]:
        """Unknown."""
        del function
        return ()

    def value(self, function: str) -> Sources:
        """Unknown."""
        del function
        return {}

    def is_record(self, name: str) -> bool:
        """Only the rows of a trigger."""
        return name.lower() in {"new", "old"}


class Flowing(NamedTuple):
    """One column that is set, and what it is set from."""

    target: str
    column: str
    """``*`` where only the table is known."""
    sources: Sources
    sure: float = CERTAIN
    """How surely there is such a column."""


def merge(into: Sources, more: Sources, how: str = "copy", most: float = 1.0) -> None:
    """Add sources; what was made of them before counts."""
    for key, (made, confidence) in more.items():
        best = made if _RANK.get(made, 1) >= _RANK.get(how, 1) else how
        confidence = min(confidence, most)
        known = into.get(key)
        if known is None or known[1] < confidence:
            into[key] = (best, confidence)


def united(several: list[Sources], most: float, is_all: bool) -> Sources:
    """Several sources as one, or the first of them, no surer than this."""
    found: Sources = {}
    for one in several if is_all else several[:1]:
        merge(found, one, most=most)
    return found
