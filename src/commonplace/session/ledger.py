"""The ledger: what was given to the model, call by call (000 §10, phase 0).

Kept in memory for one process and summed up in ``status``; every call is also one structured log
line, so a log keeps the history.
"""

import random
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_RESERVOIR = 256  # latencies kept per tool: p95 of 256 samples is within a few percentiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What one call cost."""

    tool: str
    elapsed_ms: float
    tokens: int = 0
    bytes: int = 0
    error: str = ""
    """The error code; empty when the call succeeded."""
    used_cursor: bool = False
    is_truncated: bool = False
    duplicates: int = 0
    """Hits left out because another of the same document or text was shown."""


@dataclass(slots=True)
class _Account:
    calls: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    most_tokens: int = 0
    bytes: int = 0
    most_bytes: int = 0
    cursors: int = 0
    truncated: int = 0
    duplicates: int = 0
    latencies_ms: list[float] = field(default_factory=list)


class Ledger:
    """Sums of every call since the process started; safe to use from any task or thread."""

    def __init__(self, seed: int = 0) -> None:
        self._lock = threading.Lock()
        self._accounts: dict[str, _Account] = {}
        self._random = random.Random(seed)  # noqa: S311 - a sample, not a secret

    def enter(self, entry: Entry) -> None:
        """Add one call."""
        with self._lock:
            account = self._accounts.setdefault(entry.tool, _Account())
            account.calls += 1
            account.errors.update([entry.error] if entry.error else [])
            account.tokens += entry.tokens
            account.most_tokens = max(account.most_tokens, entry.tokens)
            account.bytes += entry.bytes
            account.most_bytes = max(account.most_bytes, entry.bytes)
            account.cursors += entry.used_cursor
            account.truncated += entry.is_truncated
            account.duplicates += entry.duplicates
            self._sample(account, entry.elapsed_ms)

    def summary(self) -> dict[str, Any]:
        """Totals and one row per tool, ready for JSON."""
        with self._lock:
            tools = {name: _row(account) for name, account in sorted(self._accounts.items())}
        totals = ("calls", "errors", "tokens", "bytes", "cursors", "truncated", "duplicates")
        return {key: sum(_count(row[key]) for row in tools.values()) for key in totals} | {
            "tools": tools
        }

    def _sample(self, account: _Account, elapsed_ms: float) -> None:
        # Vitter's algorithm R: every call has the same chance to stay in the reservoir.
        if len(account.latencies_ms) < _RESERVOIR:
            account.latencies_ms.append(elapsed_ms)
            return
        place = self._random.randrange(account.calls)
        if place < _RESERVOIR:
            account.latencies_ms[place] = elapsed_ms


def _count(value: int | Mapping[str, int]) -> int:
    return sum(value.values()) if isinstance(value, Mapping) else value


def _row(account: _Account) -> dict[str, Any]:
    return {
        "calls": account.calls,
        "errors": dict(sorted(account.errors.items())),
        "tokens": account.tokens,
        "most_tokens": account.most_tokens,
        "bytes": account.bytes,
        "most_bytes": account.most_bytes,
        "cursors": account.cursors,
        "truncated": account.truncated,
        "truncation_rate": round(account.truncated / account.calls, 3),
        "duplicates": account.duplicates,
        "p50_ms": percentile(account.latencies_ms, 0.5),
        "p95_ms": percentile(account.latencies_ms, 0.95),
    }


def percentile(samples: list[float], share: float) -> float:
    """The nearest-rank percentile, to a tenth; 0 without samples.

    >>> percentile([5.0, 1.0, 3.0], 0.5), percentile([], 0.95)
    (3.0, 0.0)
    """
    if not samples:
        return 0.0
    ranked = sorted(samples)
    return round(ranked[min(len(ranked) - 1, int(share * len(ranked)))], 1)
