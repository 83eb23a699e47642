"""Rate limits: one token bucket per tool and principal."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from commonplace.domain.errors import RateLimited

_MOST_BUCKETS = 10_000  # a bucket unused this long is full again, so forgetting it is harmless
_NONE: Mapping[str, int] = MappingProxyType({})


@dataclass(slots=True)
class _Bucket:
    level: float
    at: float


class Limits:
    """Lets a principal call a tool so often a minute, all at once or spread out.

    Nothing is stored for a principal who stays away: a full bucket is the same as none.
    """

    def __init__(
        self, per_minute: int, clock: Callable[[], float], of_tools: Mapping[str, int] = _NONE
    ) -> None:
        """``per_minute`` is for tools without a limit of their own; 0 lifts every limit."""
        self._per_minute = per_minute
        self._of_tools = of_tools if per_minute else _NONE
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[tuple[str, str], _Bucket] = OrderedDict()

    def take(self, tool: str, principal: str) -> None:
        """Count one call; raises RateLimited with ``retry_after_s`` when the bucket is empty."""
        per_minute = self._of_tools.get(tool, self._per_minute)
        if per_minute == 0:
            return
        with self._lock:
            now = self._clock()
            bucket = self._filled((tool, principal), now, per_minute)
            if bucket.level < 1:
                wait_s = math.ceil((1 - bucket.level) * 60 / per_minute * 10) / 10
                raise RateLimited(
                    f"Rate limit exceeded: {per_minute} requests per minute; wait {wait_s} s and "
                    f"call {tool} again",
                    retry_after_s=wait_s,
                    limit_per_minute=per_minute,
                )
            bucket.level -= 1

    def _filled(self, key: tuple[str, str], now: float, per_minute: int) -> _Bucket:
        bucket = self._buckets.setdefault(key, _Bucket(float(per_minute), now))
        self._buckets.move_to_end(key)
        gained = (now - bucket.at) * per_minute / 60
        bucket.level = min(float(per_minute), bucket.level + gained)
        bucket.at = now
        while len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket
