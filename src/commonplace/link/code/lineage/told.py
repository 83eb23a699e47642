"""What statements say once their names are decided, and what a routine keeps meanwhile."""

from dataclasses import dataclass, field
from typing import NamedTuple

from commonplace.domain.code import Query
from commonplace.sql.sources import STAR, Sources


@dataclass(slots=True)
class Local:
    """What a routine keeps for itself."""

    name: str
    columns: list[str] = field(default_factory=list)
    is_open: bool = False
    """Whether it may have columns that are not known."""
    flows: dict[str, Sources] = field(default_factory=dict)
    """By column in lower case; ``*`` for those not known by name."""
    is_used: set[str] = field(default_factory=set)

    def sources(self, column: str) -> Sources:
        """What is in a column."""
        self.is_used.add(column.lower())
        return self.flows.get(column.lower(), self.flows.get(STAR, {}))


class Moved(NamedTuple):
    """Data that goes from one column to another."""

    source: tuple[str, str]
    target: tuple[str, str]
    how: str
    confidence: float
    via: tuple[str, ...] = ()


class Told(NamedTuple):
    """What one statement says, locals taken out."""

    query: Query
    reads: Sources
    tables: list[str]
    target: str
    """The table it writes; empty for none, or a local one."""
    writes: dict[str, float]
    """Columns of the target and how surely."""
    moved: list[Moved]
    others: dict[str, dict[str, float]]
    """Other tables it writes (OUTPUT INTO, several targets), and their columns."""
    calls: list[str]
