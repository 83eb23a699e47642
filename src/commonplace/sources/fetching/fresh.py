"""How long a page may be used without asking again (RFC 9111, for one reader's own cache)."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_HEURISTIC_SHARE = 0.1  # RFC 9111 §4.2.2
_HEURISTIC_MOST = timedelta(days=1)


def http_date(text: str | None) -> datetime | None:
    """The moment of a header; None when absent or not a date.

    >>> http_date("Tue, 01 Jul 2025 10:00:00 GMT").isoformat()
    '2025-07-01T10:00:00+00:00'
    >>> http_date("0") is None
    True
    """
    try:
        found = parsedate_to_datetime(text or "")
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def directives(header: str) -> dict[str, str]:
    """The parts of a Cache-Control header.

    >>> directives('max-age="60", No-Cache')
    {'max-age': '60', 'no-cache': ''}
    """
    found: dict[str, str] = {}
    for part in header.split(","):
        name, _, value = part.strip().partition("=")
        if name:
            found[name.lower()] = value.strip().strip('"')
    return found


def fresh_until(headers: Mapping[str, str], fetched_at: datetime) -> datetime:
    """When a reply of these headers becomes stale; ``fetched_at`` when it already is.

    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> fresh_until({"cache-control": "max-age=60", "age": "20"}, now) - now
    datetime.timedelta(seconds=40)
    """
    told = directives(headers.get("cache-control", ""))
    if told.keys() & {"no-cache", "no-store"} or headers.get("vary", "").strip() == "*":
        return fetched_at
    if "max-age" in told:
        age_s = _seconds(told["max-age"]) - _seconds(headers.get("age", ""))
        return fetched_at + timedelta(seconds=max(0, age_s))
    if "expires" in headers:
        ends = http_date(headers["expires"])
        sent = http_date(headers.get("date")) or fetched_at
        return max(fetched_at, fetched_at + (ends - sent)) if ends else fetched_at
    changed = http_date(headers.get("last-modified"))
    if changed is None:
        return fetched_at
    age = max(timedelta(0), fetched_at - changed)
    return fetched_at + min(age * _HEURISTIC_SHARE, _HEURISTIC_MOST)


def _seconds(text: str) -> int:
    return min(int(text), 10**9) if text.isdecimal() else 0


def retry_after_s(header: str | None, now: datetime) -> float | None:
    """How long a server asks to be left alone; None when it does not say.

    >>> retry_after_s("7", datetime.now(UTC))
    7.0
    """
    if not header:
        return None
    if header.strip().isdecimal():
        return float(_seconds(header.strip()))
    moment = http_date(header)
    return max(0.0, (moment - now).total_seconds()) if moment else None
