"""Rate limits: one token bucket per tool and principal."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from commonplace.domain.errors import RateLimited

_MOST_BUCKETS = 10_000  # a bucket unused this long is full again, so forgetting it is harmless


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float


class Limits:
    """Lets a principal call a tool so often a minute, all at once or spread out.

    Nothing is stored for a principal who stays away: a full bucket is the same as none.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._rate_per_s = per_minute / 60
        self._capacity = float(per_minute)
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()

    def take(self, tool: str, principal: str) -> None:
        """Count one call; raises RateLimited with ``retry_after_s`` when the bucket is empty."""
        if self._rate_per_s == 0:
            return
        with self._lock:
            now = self._clock()
            bucket = self._filled((tool, principal), now)
            if bucket.level < 1:
                wait_s = math.ceil((1 - bucket.level) / self._rate_per_s * 10) / 10
                raise RateLimited(
                    f"too many calls of {tool}; wait {wait_s} s and call again",
                    retry_after_s=wait_s,
                    limit_per_minute=round(self._rate_per_s * 60),
                )
            bucket.level -= 1

    def _filled(self, key: tuple[str, str], now: float) -> _Bucket:
        bucket = self._buckets.setdefault(key, _Bucket(self._capacity, now))
        self._buckets.move_to_end(key)
        bucket.level = min(self._capacity, bucket.level + (now - bucket.at) * self._rate_per_s)
        bucket.at = now
        while len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket
