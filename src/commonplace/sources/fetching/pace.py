"""Politeness: how many requests a host gets at once, and how long it is left alone between two."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

_MOST_AT_ONCE = 2  # of one host; browsers take six, a reader's tool need not
_MOST_IN_ALL = 8
_MOST_HOSTS = 1024


@dataclass(slots=True)
class _Host:
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_AT_ONCE))
    free_at: float = 0.0
    """When its next request may begin."""


class Pace:
    """Turns for requests, by host."""

    def __init__(self, delay_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._delay_s = delay_s
        self._clock = clock
        self._all = asyncio.Semaphore(_MOST_IN_ALL)
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, origin: str, delay_s: float | None = None) -> AsyncIterator[None]:
        """Wait for a turn at this origin; ``delay_s`` is what its robots.txt asks between two."""
        host = self._host(origin)
        async with host.places, self._all:  # who waits for a host keeps no place from others
            now = self._clock()
            wait_s = max(0.0, host.free_at - now)
            host.free_at = now + wait_s + max(self._delay_s, delay_s or 0.0)
            if wait_s:
                await asyncio.sleep(wait_s)
            yield

    def _host(self, origin: str) -> _Host:
        if origin not in self._hosts and len(self._hosts) >= _MOST_HOSTS:
            self._hosts.pop(next(iter(self._hosts)))
        return self._hosts.setdefault(origin, _Host())
