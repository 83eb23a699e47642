"""Temporal values: what they are, how they read, what their parts are called."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from commonplace.cypher.calendars import (
    DAY_NS,
    DAY_S,
    MOST_YEAR,
    SECOND_NS,
    date_of,
    day_of,
    week_of,
    week_start,
    weekday,
)
from commonplace.cypher.faults import RunFault

_FIRST_DAY, _LAST_DAY = day_of(-MOST_YEAR, 1, 1), day_of(MOST_YEAR, 12, 31)
MONTH_S = 2_629_746  # an average month of the Gregorian calendar


def bad_value(message: str) -> RunFault:
    """A temporal value that cannot be."""
    return RunFault(message, "InvalidArgumentValue")


@dataclass(frozen=True, slots=True)
class Temporal:
    """A point in time, as far as its kind knows it: day, time of day, offset, zone."""

    days: int = 0
    nanos: int = 0
    offset: int = 0
    """Seconds east of UTC."""
    zone: str = ""
    """A region's name; empty when only the offset is known."""

    has_date: ClassVar[bool] = True
    has_time: ClassVar[bool] = True
    has_zone: ClassVar[bool] = True
    order_rank: ClassVar[int] = 0

    def __post_init__(self) -> None:
        if not _FIRST_DAY <= self.days <= _LAST_DAY:
            raise bad_value("the year is out of range")

    def order_key(self) -> tuple[int, ...]:
        """Earlier sorts first; with offsets, the instant counts."""
        instant = self.days * DAY_NS + self.nanos - self.offset * SECOND_NS
        return (instant, self.offset)

    def __str__(self) -> str:
        parts = []
        if self.has_date:
            parts.append(_written_date(self.days))
        if self.has_time:
            parts.append(_written_time(self.nanos))
        text = "T".join(parts)
        if self.has_zone:
            text += written_offset(self.offset) + (f"[{self.zone}]" if self.zone else "")
        return text


class Date(Temporal):
    """A day."""

    __slots__ = ()
    has_time = has_zone = False
    order_rank = 2


class LocalTime(Temporal):
    """A time of day."""

    __slots__ = ()
    has_date = has_zone = False
    order_rank = 4


class Time(Temporal):
    """A time of day with an offset."""

    __slots__ = ()
    has_date = False
    order_rank = 3


class LocalDateTime(Temporal):
    """A day and a time."""

    __slots__ = ()
    has_zone = False
    order_rank = 1


class DateTime(Temporal):
    """An instant, with the offset and zone it is told in."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Duration:
    """Months, days and seconds; none is converted into another."""

    months: int = 0
    days: int = 0
    seconds: int = 0
    nanos: int = 0
    """Of the second, never negative."""

    def order_key(self) -> tuple[int, int]:
        """By average length."""
        return (self.months * MONTH_S + self.days * DAY_S + self.seconds, self.nanos)

    def __str__(self) -> str:
        months, years = _split(self.months, 12)
        date = f"{_part(years, 'Y')}{_part(months, 'M')}{_part(self.days, 'D')}"
        time = _written_seconds(self.seconds, self.nanos)
        return f"P{date}{'T' if time else ''}{time}" if date or time else "PT0S"


def make_duration(months: int, days: int, seconds: int, nanos: int = 0) -> Duration:
    """With the nanoseconds carried over into the seconds."""
    more, nanos = divmod(nanos, SECOND_NS)
    if max(abs(months), abs(days), abs(seconds + more)) >= 2**63:
        raise RunFault("the duration is out of range", "NumberOutOfRange")
    return Duration(months, days, seconds + more, nanos)


def _split(total: int, size: int) -> tuple[int, int]:
    """The rest and the whole, both with the sign of the total."""
    sign = -1 if total < 0 else 1
    whole, rest = divmod(abs(total), size)
    return sign * rest, sign * whole


def _part(count: int, unit: str) -> str:
    return f"{count}{unit}" if count else ""


def _written_seconds(seconds: int, nanos: int) -> str:
    total = seconds * SECOND_NS + nanos
    rest, minutes = _split(total, 60 * SECOND_NS)
    minutes, hours = _split(minutes, 60)
    whole, fraction = divmod(abs(rest), SECOND_NS)
    written = ""
    if rest:
        decimals = f".{fraction:09}".rstrip("0") if fraction else ""
        written = f"{'-' if rest < 0 else ''}{whole}{decimals}S"
    return f"{_part(hours, 'H')}{_part(minutes, 'M')}{written}"


def _written_date(days: int) -> str:
    year, month, day = date_of(days)
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04}-{month:02}-{day:02}"


def _written_time(nanos: int) -> str:
    seconds, fraction = divmod(nanos, SECOND_NS)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}"
    if seconds % 60 or fraction:
        text += f":{seconds % 60:02}"
    return text + (f".{fraction:09}".rstrip("0") if fraction else "")


def written_offset(offset: int) -> str:
    """``Z``, ``+01:00``, ``+00:53:28``."""
    if offset == 0:
        return "Z"
    size = abs(offset)
    text = f"{'-' if offset < 0 else '+'}{size // 3600:02}:{size // 60 % 60:02}"
    return text + (f":{size % 60:02}" if size % 60 else "")


_OFFSET = re.compile(r"([+-])(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?", re.ASCII)


def read_offset(text: str) -> int | None:
    """Seconds of ``+01:00`` and the like; None when it is something else."""
    if text in ("Z", "z"):
        return 0
    match = _OFFSET.fullmatch(text)
    if match is None:
        return None
    size = sum(int(match[i] or 0) * unit for i, unit in ((2, 3600), (3, 60), (4, 1)))
    if size > 18 * 3600:
        raise bad_value(f"{text} is no time zone")
    return -size if match[1] == "-" else size


def zone_offset(zone: str, days: int, nanos: int) -> int:
    """The offset a region keeps at this local time."""
    try:
        region = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
        raise bad_value(f"{zone[:60]!r} is no time zone; write Europe/Berlin or +01:00") from exc
    days = min(max(days, day_of(2, 1, 1)), day_of(9998, 12, 31))
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=days, microseconds=nanos // 1000)
    offset = moment.replace(tzinfo=region).utcoffset()
    return int(offset.total_seconds()) if offset else 0


def _of_date(value: Temporal, key: str) -> Any:  # noqa: ANN401 - a Cypher value
    year, month, day = date_of(value.days)
    quarter = (month + 2) // 3
    return {
        "year": year,
        "month": month,
        "day": day,
        "quarter": quarter,
        "week": week_of(value.days)[1],
        "weekyear": week_of(value.days)[0],
        "dayofweek": weekday(value.days),
        "weekday": weekday(value.days),
        "ordinalday": value.days - day_of(year, 1, 1) + 1,
        "dayofquarter": value.days - day_of(year, quarter * 3 - 2, 1) + 1,
    }.get(key)


def _of_time(value: Temporal, key: str) -> Any:  # noqa: ANN401
    seconds, fraction = divmod(value.nanos, SECOND_NS)
    return {
        "hour": seconds // 3600,
        "minute": seconds // 60 % 60,
        "second": seconds % 60,
        "millisecond": fraction // 1_000_000,
        "microsecond": fraction // 1000,
        "nanosecond": fraction,
    }.get(key)


def _of_zone(value: Temporal, key: str) -> Any:  # noqa: ANN401
    epoch = value.days * DAY_S + value.nanos // SECOND_NS - value.offset
    facts: dict[str, Any] = {
        "timezone": value.zone or written_offset(value.offset),
        "offset": written_offset(value.offset),
        "offsetminutes": int(value.offset / 60),
        "offsetseconds": value.offset,
    }
    if value.has_date:
        facts["epochseconds"] = epoch
        facts["epochmillis"] = epoch * 1000 + value.nanos % SECOND_NS // 1_000_000
    return facts.get(key)


def component(value: Temporal | Duration, key: str) -> Any:  # noqa: ANN401
    """A part by its name, or None: ``d.year``, ``t.offset``, ``d.minutesOfHour``."""
    key = key.lower()
    if isinstance(value, Duration):
        return _of_duration(value, key)
    found = _of_date(value, key) if value.has_date else None
    if found is None and value.has_time:
        found = _of_time(value, key)
    if found is None and value.has_zone:
        found = _of_zone(value, key)
    return found


def _of_duration(value: Duration, key: str) -> int | None:
    total = value.seconds * SECOND_NS + value.nanos
    months, seconds = value.months, value.seconds
    return {
        "years": _split(months, 12)[1],
        "quarters": _split(months, 3)[1],
        "months": months,
        "weeks": _split(value.days, 7)[1],
        "days": value.days,
        "hours": _split(seconds, 3600)[1],
        "minutes": _split(seconds, 60)[1],
        "seconds": seconds,
        "milliseconds": total // 1_000_000,
        "microseconds": total // 1000,
        "nanoseconds": total,
        "quartersofyear": _split(_split(months, 12)[0], 3)[1],
        "monthsofquarter": _split(months, 3)[0],
        "monthsofyear": _split(months, 12)[0],
        "daysofweek": _split(value.days, 7)[0],
        "minutesofhour": _split(_split(seconds, 3600)[0], 60)[1],
        "secondsofminute": _split(seconds, 60)[0],
        "millisecondsofsecond": value.nanos // 1_000_000,
        "microsecondsofsecond": value.nanos // 1000,
        "nanosecondsofsecond": value.nanos,
    }.get(key)


def first_week_day(year: int, week: int, day: int) -> int:
    """The number of a day given as ISO week."""
    return week_start(year) + (week - 1) * 7 + day - 1
