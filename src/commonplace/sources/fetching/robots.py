"""What a site asks of programs (RFC 9309): robots.txt, read once an hour per origin."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx2
from protego import Protego

from commonplace.domain.errors import SourceError
from commonplace.sources.fetching.guard import origin_of

MOST_BYTES = 512 * 1024  # RFC 9309 §2.5: at least 500 KiB are to be parsed
_KEPT_S = 3600.0
_MOST_ORIGINS = 1024
_MOST_DELAY_S = 10.0  # a site that asks for more is asked less often by hand

Read = Callable[[httpx2.URL], Awaitable[tuple[int, bytes]]]
"""Fetches an address: status and content. Raises SourceError when it cannot be reached."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What one origin allows a program of our name."""

    robots: Protego | None
    """None allows everything."""
    fault: str = ""
    """Why the rules are not known; then nothing is allowed."""

    def why_not(self, url: str, agent: str) -> str:
        """Why a page may not be fetched; empty when it may."""
        if self.fault:
            return self.fault
        if self.robots is not None and not self.robots.can_fetch(url, agent):
            return "its robots.txt does not allow it"
        return ""

    def delay_s(self, agent: str) -> float:
        """How long it wants between two requests."""
        asked = self.robots.crawl_delay(agent) if self.robots is not None else None
        return min(float(asked or 0.0), _MOST_DELAY_S)


class Robots:
    """The rules of origins, as far as they were asked for."""

    def __init__(self, read: Read, clock: Callable[[], float] = time.monotonic) -> None:
        self._read = read
        self._clock = clock
        self._known: dict[str, tuple[float, Rules]] = {}

    async def rules(self, url: httpx2.URL) -> Rules:
        """The rules of the origin of an address."""
        origin = origin_of(url)
        known = self._known.get(origin)
        if known is not None and known[0] > self._clock():
            return known[1]
        rules = await self._fetch(url.join("/robots.txt"))
        if len(self._known) >= _MOST_ORIGINS:
            self._known.pop(next(iter(self._known)))
        self._known[origin] = (self._clock() + _KEPT_S, rules)
        return rules

    async def _fetch(self, address: httpx2.URL) -> Rules:
        try:
            status, content = await self._read(address)
        except SourceError as exc:
            return Rules(None, f"its robots.txt cannot be read ({exc.message})")
        if status >= 500:
            return Rules(None, f"its robots.txt answers {status}")
        if status >= 400:
            return Rules(None)
        return Rules(Protego.parse(content[:MOST_BYTES].decode("utf-8", "replace")))
