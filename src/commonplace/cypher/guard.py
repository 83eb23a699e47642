"""Limits of one running query: time, work, memory. Everything that loops asks here."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from commonplace.cypher.faults import too_much
from commonplace.domain.errors import DeadlineExceeded

_CHECK_EVERY = 256  # ticks between two looks at the clock: well below a millisecond
CELL_CHARS = 64
"""Text counts as one held value for so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one query may take."""

    timeout_s: float = 10.0
    steps: int = 5_000_000
    """Nodes and edges looked at, rows made, list members walked."""
    held: int = 2_000_000
    """Values kept at once or built: list members, rows sorted or grouped, 64 characters each."""
    rows: int = 1000
    max_depth: int | None = None
    """Most edges of a variable-length pattern."""


class Guard:
    """Counts what a query does and ends it when it has had its share."""

    def __init__(self, limits: Limits, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        self.limits = limits
        self.is_shortened = False
        """Whether the caller's limit, not the pattern, ended a path that might go on."""
        self._is_cancelled = is_cancelled
        self._ends_at = time.monotonic() + limits.timeout_s
        self._steps = 0
        self._next_check = _CHECK_EVERY
        self._held = 0

    def reach(self, edges: int, pattern_high: int | None) -> None:
        """Note a path of so many edges that is not walked further."""
        most = self.limits.max_depth
        if most is not None and edges >= most and (pattern_high is None or pattern_high > most):
            self.is_shortened = True

    @property
    def left_s(self) -> float:
        """Time left, at least a little."""
        return max(0.001, self._ends_at - time.monotonic())

    def tick(self, steps: int = 1) -> None:
        """Count work; raises DeadlineExceeded or BudgetExceeded."""
        self._steps += steps
        if self._steps >= self._next_check:
            self.check()

    def check(self) -> None:
        """Look at the clock and the counts now."""
        self._next_check = self._steps + _CHECK_EVERY
        if self.is_over():
            raise DeadlineExceeded(
                f"the query took longer than {self.limits.timeout_s:g} s; narrow it with labels, "
                "ids or a shorter path, or raise query_timeout_s",
                timeout_s=self.limits.timeout_s,
            )
        if self._steps > self.limits.steps:
            raise too_much(
                "touches too many nodes, edges and rows",
                self.limits.steps,
                "narrow it with labels, ids, relationship types or a bound on path length",
            )

    def is_over(self) -> bool:
        """Whether the time is up or nobody waits any more; cheap enough for a progress handler."""
        return time.monotonic() > self._ends_at or self._is_cancelled()

    def hold(self, values: int = 1) -> None:
        """Count values kept or built; raises BudgetExceeded before memory is taken."""
        self._held += values
        self.tick(min(values, _CHECK_EVERY))
        if self._held > self.limits.held:
            raise too_much(
                "keeps too many values in memory",
                self.limits.held,
                "aggregate, filter or LIMIT earlier, and build shorter lists and texts",
            )

    def hold_text(self, chars: int) -> None:
        """Count text that is about to be built."""
        if chars >= CELL_CHARS:
            self.hold(chars // CELL_CHARS)
