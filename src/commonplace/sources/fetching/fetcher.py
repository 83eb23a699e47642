"""One page, fetched: every hop checked, everything bounded, nothing half read."""

import asyncio
import secrets
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import TracebackType

import anyio
import httpx2

from commonplace.domain.errors import DeadlineExceeded, ForbiddenOperation, SourceError
from commonplace.sources.fetching.fresh import fresh_until, http_date, retry_after_s
from commonplace.sources.fetching.guard import Guard, origin_of
from commonplace.sources.fetching.network import GuardedTransport
from commonplace.sources.fetching.pace import Pace
from commonplace.sources.fetching.page import Fetched, Known
from commonplace.sources.fetching.robots import MOST_BYTES as ROBOTS_BYTES
from commonplace.sources.fetching.robots import Robots

AGENT = "commonplace"
_MOST_HOPS = 10  # browsers give up at 20; a page that needs more than ten is a trap
_TRIES = 3
_FIRST_PAUSE_S = 0.4
_MOST_PAUSE_S = 10.0
_AGAIN = frozenset({429, 500, 502, 503, 504})
_MOVED = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What one fetch keeps to."""

    max_bytes: int
    timeout_s: float
    accepts: Callable[[str], bool]
    """Whether a media type can be read at all; others are not downloaded."""
    obeys_robots: bool = True


Finish = Callable[[Fetched, Terms], Awaitable[Fetched]]
"""Completes a page after it came: what its scripts would write."""


class Fetcher:
    """Fetches pages politely over guarded connections; shared by all calls of a process."""

    def __init__(
        self,
        guard: Guard,
        pace: Pace,
        finish: Finish | None = None,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = guard
        self._pace = pace
        self._finish = finish
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(guard, context),
            trust_env=False,
            follow_redirects=False,
            headers={"User-Agent": AGENT, "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"},
        )
        self._robots = Robots(self._read_robots)

    async def __aenter__(self) -> "Fetcher":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()

    async def fetch(self, url: str, terms: Terms, known: Known | None = None) -> Fetched:
        """The page at an address, after redirects.

        Raises InvalidArgument for what is no web address, ForbiddenOperation for one that may not
        be reached, DeadlineExceeded and SourceError for one that does not answer as it should.
        """
        asked = self._guard.check_url(url)
        try:
            with anyio.fail_after(terms.timeout_s):
                fetched = await self._follow(asked, terms, known)
        except TimeoutError as exc:
            raise DeadlineExceeded(
                f"{_short(asked)} did not arrive within {terms.timeout_s:g} s; try again later or "
                "raise the setting `web_timeout_s`",
                timeout_s=terms.timeout_s,
            ) from exc
        return await self._finish(fetched, terms) if self._finish else fetched

    async def _follow(self, asked: httpx2.URL, terms: Terms, known: Known | None) -> Fetched:
        url = asked
        hops: list[str] = []
        for _ in range(_MOST_HOPS + 1):
            reply = await self._polite(url, terms, known)
            if not isinstance(reply, httpx2.URL):
                return replace(reply, asked=str(asked), hops=tuple(hops))
            hops.append(str(url))
            if str(reply) in hops:
                raise SourceError(f"{_short(asked)} redirects in a circle, by {_short(reply)}")
            url, known = reply, None
        raise SourceError(f"{_short(asked)} redirects more than {_MOST_HOPS} times")

    async def _polite(
        self, url: httpx2.URL, terms: Terms, known: Known | None
    ) -> httpx2.URL | Fetched:
        """One hop, as robots.txt and the host's pace allow, tried again when that may help."""
        delay_s = 0.0
        if terms.obeys_robots:
            rules = await self._robots.rules(url)
            reason = rules.why_not(str(url), AGENT)
            if reason:
                raise ForbiddenOperation(
                    f"{_short(url)} is not fetched: {reason}; set web_obey_robots = false if the "
                    "site is yours"
                )
            delay_s = rules.delay_s(AGENT)
        for left in reversed(range(_TRIES)):
            async with self._pace.turn(origin_of(url), delay_s):
                outcome = await self._once(url, terms, known)
            if not isinstance(outcome, _Again):
                return outcome
            if not left:
                raise SourceError(outcome.reason)
            await asyncio.sleep(_pause_s(outcome, _TRIES - 1 - left))
        raise AssertionError("unreachable: the last try returns or raises")

    async def _once(
        self, url: httpx2.URL, terms: Terms, known: Known | None
    ) -> "httpx2.URL | Fetched | _Again":
        headers = known.headers if known else {}
        limits = httpx2.Timeout(terms.timeout_s)
        try:
            async with self._client.stream("GET", url, headers=headers, timeout=limits) as reply:
                return await self._take(url, reply, terms)
        except (ForbiddenOperation, SourceError):
            raise
        except httpx2.DecodingError as exc:
            raise SourceError(f"{_short(url)} is damaged: {exc}") from exc
        except httpx2.TransportError as exc:
            if isinstance(exc.__cause__ or exc, ssl.SSLError) or "CERTIFICATE" in str(exc).upper():
                raise SourceError(f"{_short(url)} has no valid certificate: {exc}") from exc
            reason = f"{_short(url)} cannot be reached: {exc or type(exc).__name__}"
            return _Again(reason)
        except httpx2.InvalidURL as exc:
            raise SourceError(f"{_short(url)} redirects to no web address: {exc}") from exc

    async def _take(
        self, url: httpx2.URL, reply: httpx2.Response, terms: Terms
    ) -> "httpx2.URL | Fetched | _Again":
        status = reply.status_code
        if status in _MOVED and "location" in reply.headers:
            return self._guard.check_url(str(url.join(reply.headers["location"])))
        if status in _AGAIN:
            wait_s = retry_after_s(reply.headers.get("retry-after"), datetime.now(UTC))
            return _Again(f"{_short(url)} answers {status} {reply.reason_phrase}", wait_s)
        page = _page(url, reply)
        if status == 304:
            return replace(page, is_unchanged=True)
        if not 200 <= status < 300:
            raise SourceError(f"{_short(url)} answers {status} {reply.reason_phrase}")
        essence = reply.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        if not terms.accepts(essence):
            raise SourceError(f"{_short(url)} is {essence[:80]!r}, which is not read as a page")
        return replace(page, content=await _read(url, reply, terms.max_bytes))

    async def _read_robots(self, address: httpx2.URL) -> tuple[int, bytes]:
        """robots.txt with its own redirects; only its first half megabyte counts."""
        url = address
        for _ in range(5):  # RFC 9309 §2.3.1.2
            try:
                async with self._client.stream("GET", url, timeout=10.0) as reply:
                    if reply.status_code in _MOVED and "location" in reply.headers:
                        url = self._guard.check_url(str(url.join(reply.headers["location"])))
                        continue
                    return reply.status_code, await _head(reply, ROBOTS_BYTES)
            except httpx2.HTTPError as exc:
                raise SourceError(f"{exc or type(exc).__name__}") from exc
        return 404, b""


@dataclass(frozen=True, slots=True)
class _Again:
    """A failure that another try may mend."""

    reason: str
    wait_s: float | None = None


def _pause_s(again: _Again, tries: int) -> float:
    """What the server asks for, or twice as long each time, with some chance so as not to march."""
    if again.wait_s is not None:
        if again.wait_s > _MOST_PAUSE_S:
            raise SourceError(f"{again.reason}; it asks to come back in {again.wait_s:g} s")
        return again.wait_s
    return _FIRST_PAUSE_S * (1 << tries) * (0.5 + secrets.randbelow(1000) / 1000)


def _page(url: httpx2.URL, reply: httpx2.Response) -> Fetched:
    """What the headers tell of a page."""
    headers = reply.headers
    now = datetime.now(UTC)
    return Fetched(
        asked=str(url),
        url=str(url),
        content_type=headers.get("content-type", ""),
        known=Known(etag=headers.get("etag", ""), last_modified=headers.get("last-modified", "")),
        fetched_at=now,
        modified_at=http_date(headers.get("last-modified")),
        fresh_until=fresh_until(headers, now),
    )


async def _read(url: httpx2.URL, reply: httpx2.Response, most: int) -> bytes:
    """The whole content, unpacked; raises SourceError as soon as it is too much."""
    declared = reply.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_large(url, most)
    content = bytearray()
    async for chunk in reply.aiter_bytes(64 * 1024):
        content += chunk
        if len(content) > most:
            raise _too_large(url, most)
    return bytes(content)


async def _head(reply: httpx2.Response, most: int) -> bytes:
    content = bytearray()
    async for chunk in reply.aiter_bytes(64 * 1024):
        content += chunk
        if len(content) >= most:
            break
    return bytes(content[:most])


def _too_large(url: httpx2.URL, most: int) -> SourceError:
    return SourceError(
        f"{_short(url)} is larger than {most:,} bytes; raise the setting `web_max_bytes` to read it"
    )


def _short(url: httpx2.URL) -> str:
    text = str(url)
    return text if len(text) <= 200 else f"{text[:199]}…"
