"""Making temporal values: from maps, from text, from each other, by truncation."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from commonplace.cypher.calendars import (
    DAY_NS,
    DAY_S,
    MOST_YEAR,
    SECOND_NS,
    date_of,
    day_of,
    days_in,
    is_leap,
    week_of,
    week_start,
    weekday,
)
from commonplace.cypher.temporal import (
    Date,
    DateTime,
    LocalDateTime,
    LocalTime,
    Temporal,
    Time,
    bad_value,
    first_week_day,
    read_offset,
    zone_offset,
)

KINDS: Mapping[str, type[Temporal]] = {
    "date": Date,
    "localtime": LocalTime,
    "time": Time,
    "localdatetime": LocalDateTime,
    "datetime": DateTime,
}
_DATE_KEYS = frozenset({"year", "month", "day", "week", "dayofweek", "quarter", "dayofquarter",
                        "ordinalday"})  # fmt: skip
_TIME_KEYS = ("hour", "minute", "second")
_FRACTIONS = {"millisecond": 1_000_000, "microsecond": 1000, "nanosecond": 1}
_BASES = frozenset({"date", "time", "datetime"})
_KNOWN = _DATE_KEYS | set(_TIME_KEYS) | _FRACTIONS.keys() | _BASES | {"timezone", "epochseconds",
                                                                     "epochmillis"}  # fmt: skip


def now(kind: type[Temporal], moment: datetime) -> Temporal:
    """The statement's moment, in UTC."""
    days = day_of(moment.year, moment.month, moment.day)
    seconds = (moment.hour * 60 + moment.minute) * 60 + moment.second
    return convert(kind, DateTime(days, seconds * SECOND_NS + moment.microsecond * 1000))


def convert(kind: type[Temporal], value: Temporal) -> Temporal:
    """The same moment as another kind; what the kind does not know is dropped."""
    if kind.has_date and not value.has_date:
        raise bad_value(f"a {type(value).__name__} has no date")
    if kind.has_time and not kind.has_date and not value.has_time:
        raise bad_value(f"a {type(value).__name__} has no time")
    return kind(
        value.days if kind.has_date else 0,
        value.nanos if kind.has_time else 0,
        value.offset if kind.has_zone else 0,
        value.zone if kind.has_zone and kind.has_date else "",
    )


def from_map(kind: type[Temporal], given: Mapping[str, Any]) -> Temporal:
    """From parts such as ``{year: 1984, month: 10}``, over ``date``, ``time`` or ``datetime``."""
    parts = {key.lower(): value for key, value in given.items() if value is not None}
    unknown = parts.keys() - _KNOWN
    if unknown:
        raise bad_value(f"a {kind.__name__} has no {sorted(unknown)[0][:40]!r}")
    if "epochseconds" in parts or "epochmillis" in parts:
        return from_epoch(parts.get("epochseconds", 0), parts.get("epochmillis", 0) * 1_000_000)
    date, time = _base(parts, "date"), _base(parts, "time")
    days = _days(parts, date) if kind.has_date else 0
    nanos = time.nanos if time is not None else 0
    zoned = time if time is not None and time.has_zone and time.has_time else None
    if not kind.has_zone:
        return kind(days, _nanos(parts, nanos) if kind.has_time else 0)
    return _zoned(kind, days, nanos, (parts, zoned))


def _base(parts: Mapping[str, Any], key: str) -> Temporal | None:
    value = parts.get(key, parts.get("datetime"))
    if value is None or isinstance(value, Temporal):
        return value
    raise bad_value(f"{key} takes a temporal value")


def _zoned(
    kind: type[Temporal], days: int, nanos: int, rest: tuple[Mapping[str, Any], Temporal | None]
) -> Temporal:
    """A time with its zone; a base's time is told anew in the zone named beside it."""
    parts, base = rest
    named = parts.get("timezone")
    offset, zone = (base.offset, base.zone) if base is not None else (0, "")
    if base is not None and zone:
        offset = zone_offset(zone, days or base.days, nanos)
    if named is not None:
        days, nanos, offset, zone = _moved(str(named), days, nanos, (offset, base is not None))
    nanos = _nanos(parts, nanos)
    if zone:
        offset = zone_offset(zone, days, nanos)
    return kind(days if kind.has_date else 0, nanos, offset, zone if kind.has_date else "")


def _moved(named: str, days: int, nanos: int, known: tuple[int, bool]) -> tuple[int, int, int, str]:
    """Day, time, offset and zone in a named zone; ``known``: the old offset, if there was one."""
    fixed = read_offset(named)
    zone = "" if fixed is not None else named
    old, is_moved = known
    offset = fixed if fixed is not None else zone_offset(zone, days, nanos)
    if is_moved:
        instant = days * DAY_NS + nanos - old * SECOND_NS
        if zone:
            offset = zone_offset(zone, *divmod(instant + offset * SECOND_NS, DAY_NS))
        days, nanos = divmod(instant + offset * SECOND_NS, DAY_NS)
    return days, nanos, offset, zone


def from_epoch(seconds: int, nanos: int) -> Temporal:
    """An instant counted from 1970 in UTC."""
    total = seconds * SECOND_NS + nanos
    return DateTime(*divmod(total, DAY_NS))


def _integer(parts: Mapping[str, Any], key: str, low: int, high: int, otherwise: int) -> int:
    value = parts.get(key, otherwise)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise bad_value(f"{key} must be a whole number from {low} to {high}")
    return value


def _days(parts: Mapping[str, Any], base: Temporal | None) -> int:
    if base is None and "year" not in parts:
        raise bad_value("a date needs a year")
    if base is not None and not base.has_date:
        raise bad_value(f"a {type(base).__name__} has no date")
    number = base.days if base is not None else day_of(
        _integer(parts, "year", -MOST_YEAR, MOST_YEAR, 0), 1, 1
    )  # fmt: skip
    if "week" in parts or "dayofweek" in parts:
        return _week_day(parts, number, base)
    year, month, day = date_of(number)
    year = _integer(parts, "year", -MOST_YEAR, MOST_YEAR, year)
    if "ordinalday" in parts:
        last = 366 if is_leap(year) else 365
        return day_of(year, 1, 1) + _integer(parts, "ordinalday", 1, last, 1) - 1
    if "quarter" in parts or "dayofquarter" in parts:
        quarter = (month + 2) // 3
        of_quarter = number - day_of(date_of(number)[0], quarter * 3 - 2, 1) + 1
        quarter = _integer(parts, "quarter", 1, 4, quarter)
        start = day_of(year, quarter * 3 - 2, 1)
        return start + _integer(parts, "dayofquarter", 1, 92, of_quarter) - 1
    if base is None and "day" in parts and "month" not in parts:
        raise bad_value("a day needs a month")
    month = _integer(parts, "month", 1, 12, month)
    day = _integer(parts, "day", 1, 31, min(day, days_in(year, month)))
    if day > days_in(year, month):
        raise bad_value(f"month {month} of {year} has no day {day}")
    return day_of(year, month, day)


def _week_day(parts: Mapping[str, Any], number: int, base: Temporal | None) -> int:
    known_year, known_week = week_of(number) if base is not None else (0, 1)
    year = _integer(parts, "year", -MOST_YEAR, MOST_YEAR, known_year)
    week = _integer(parts, "week", 1, 53, known_week)
    day = _integer(parts, "dayofweek", 1, 7, weekday(number) if base is not None else 1)
    found = first_week_day(year, week, day)
    if week == 53 and found >= week_start(year + 1):
        raise bad_value(f"{year} has no week 53")
    return found


def _nanos(parts: Mapping[str, Any], nanos: int) -> int:
    seconds, fraction = divmod(nanos, SECOND_NS)
    hour = _integer(parts, "hour", 0, 23, seconds // 3600)
    minute = _integer(parts, "minute", 0, 59, seconds // 60 % 60)
    second = _integer(parts, "second", 0, 59, seconds % 60)
    return ((hour * 60 + minute) * 60 + second) * SECOND_NS + _fraction(parts, fraction)


def _fraction(parts: Mapping[str, Any], fraction: int) -> int:
    """The part of a second; a coarser unit beside a finer one narrows what the finer may say."""
    given = [key for key in _FRACTIONS if key in parts]
    total = 0
    above = SECOND_NS
    for key, unit in _FRACTIONS.items():
        most = above // unit - 1
        is_whole = not any(finer in given for finer in _FRACTIONS if _FRACTIONS[finer] > unit)
        if key in given:
            most = SECOND_NS // unit - 1 if is_whole else most
            value = _integer(parts, key, 0, most, 0)
            total = total + value * unit if value * unit < above else value * unit
        else:
            total += fraction % above // unit * unit
        above = unit
    return total


_DATE = re.compile(
    r"(?P<y>[+-]\d{1,9}|\d{4})(?:-?W(?P<w>\d{2})(?:-?(?P<wd>\d))?"
    r"|-?Q(?P<q>\d)(?:-?(?P<qd>\d{2}))?"
    r"|-?(?P<o>\d{3})|-?(?P<m>\d{2})(?:-?(?P<d>\d{2}))?)?",
    re.ASCII,
)
_TIME = re.compile(r"(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?", re.ASCII)
_ZONE = re.compile(r"(Z|z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?(?:\[([^\]]{1,64})\])?", re.ASCII)


def from_text(kind: type[Temporal], text: str) -> Temporal:
    """From ISO 8601 text, extended or basic form."""
    date, time, zone = _pieces(kind, text)
    parts: dict[str, Any] = {}
    if kind.has_date:
        parts |= _read_date(date, text)
    if kind.has_time and time:
        match = _TIME.fullmatch(time)
        if match is None:
            raise bad_value(f"{text[:60]!r} is no {kind.__name__}")
        parts |= {"hour": int(match[1]), "minute": int(match[2] or 0), "second": int(match[3] or 0)}
        parts["nanosecond"] = int((match[4] or "").ljust(9, "0"))
    found = from_map(kind, parts)
    if not kind.has_zone or not zone:
        return found
    return _in_zone(found, zone, text)


def _pieces(kind: type[Temporal], text: str) -> tuple[str, str, str]:
    date, time = text, ""
    if kind.has_time:
        date, _, time = text.partition("T") if kind.has_date else ("", "", text)
    start = re.search(r"[Zz+\-\[]", time)
    zone = time[start.start() :] if start else ""
    time = time[: start.start()] if start else time
    if (zone and not kind.has_zone) or (kind.has_time and not kind.has_date and not time):
        raise bad_value(f"{text[:60]!r} is no {kind.__name__}")
    return date, time, zone


def _read_date(text: str, whole: str) -> dict[str, int]:
    match = _DATE.fullmatch(text)
    if match is None:
        raise bad_value(f"{whole[:60]!r} is no date")
    names = {"y": "year", "w": "week", "wd": "dayofweek", "q": "quarter", "qd": "dayofquarter",
             "o": "ordinalday", "m": "month", "d": "day"}  # fmt: skip
    return {name: int(match[key]) for key, name in names.items() if match[key] is not None}


def _in_zone(found: Temporal, zone: str, text: str) -> Temporal:
    match = _ZONE.fullmatch(zone)
    if match is None:
        raise bad_value(f"{text[:60]!r} has no time zone we can read")
    offset = read_offset(match[1]) if match[1] else None
    region = match[2] or ""
    if region:
        kept = zone_offset(region, found.days, found.nanos)
        offset = kept if offset is None else offset
    return type(found)(found.days, found.nanos, offset or 0, region if found.has_date else "")


_COARSE = {"millennium": 1000, "century": 100, "decade": 10, "year": 1}
_FINE = {"day": DAY_S * SECOND_NS, "hour": 3600 * SECOND_NS, "minute": 60 * SECOND_NS,
         "second": SECOND_NS, "millisecond": 1_000_000, "microsecond": 1000,
         "nanosecond": 1}  # fmt: skip


def truncate(
    kind: type[Temporal], unit: str, value: Temporal, given: Mapping[str, Any]
) -> Temporal:
    """The start of the unit the value falls into, then the given parts over it."""
    days, nanos = value.days, value.nanos if value.has_time else 0
    if unit in _FINE:
        nanos = nanos // _FINE[unit] * _FINE[unit]
        if not kind.has_time and unit != "day":
            raise bad_value(f"a date has no {unit}")
    else:
        if not value.has_date:
            raise bad_value(f"a {type(value).__name__} has no {unit[:40]}")
        days, nanos = _truncated_day(unit, days), 0
    base = DateTime(days, nanos, value.offset, value.zone)
    parts: dict[str, Any] = {key.lower(): part for key, part in given.items()}
    zone = parts.pop("timezone", None)
    if kind.has_date:
        parts["date"] = base
    parts["time"] = base if value.has_zone and zone is None else LocalDateTime(days, nanos)
    if zone is not None and kind.has_zone:
        parts["timezone"] = zone
    if kind.has_date and not value.has_date:
        raise bad_value(f"a {type(value).__name__} has no date")
    return from_map(kind, parts)


def _truncated_day(unit: str, days: int) -> int:
    year, month, _ = date_of(days)
    if unit in _COARSE:
        return day_of(year // _COARSE[unit] * _COARSE[unit], 1, 1)
    if unit == "weekYear":
        return week_start(week_of(days)[0])
    if unit == "quarter":
        return day_of(year, (month - 1) // 3 * 3 + 1, 1)
    if unit == "month":
        return day_of(year, month, 1)
    if unit == "week":
        return days - weekday(days) + 1
    raise bad_value(f"{unit[:40]!r} is no unit; use year, month, week, day, hour, …")
