"""Durations: from maps and text, sums with temporal values, and what lies between two of them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from commonplace.cypher.calendars import (
    DAY_NS,
    DAY_S,
    SECOND_NS,
    add_months,
    date_of,
)
from commonplace.cypher.temporal import (
    MONTH_S,
    Duration,
    Temporal,
    bad_value,
    make_duration,
    zone_offset,
)

_UNITS: Mapping[str, tuple[int, int, Fraction]] = {
    "years": (12, 0, Fraction(0)),
    "quarters": (3, 0, Fraction(0)),
    "months": (1, 0, Fraction(0)),
    "weeks": (0, 7, Fraction(0)),
    "days": (0, 1, Fraction(0)),
    "hours": (0, 0, Fraction(3600)),
    "minutes": (0, 0, Fraction(60)),
    "seconds": (0, 0, Fraction(1)),
    "milliseconds": (0, 0, Fraction(1, 1000)),
    "microseconds": (0, 0, Fraction(1, 1_000_000)),
    "nanoseconds": (0, 0, Fraction(1, SECOND_NS)),
}


def _exact(value: Any) -> Fraction:  # noqa: ANN401 - a Cypher value
    if isinstance(value, bool) or not isinstance(value, int | float) or value - value != 0:
        raise bad_value("the parts of a duration are numbers")
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def carried(months: Fraction, days: Fraction, seconds: Fraction) -> Duration:
    """Fractions of months become days, fractions of days become seconds, by average length."""
    whole_months = int(months)
    days += (months - whole_months) * Fraction(MONTH_S, DAY_S)
    whole_days = int(days)
    seconds += (days - whole_days) * DAY_S
    return make_duration(whole_months, whole_days, 0, int(seconds * SECOND_NS))


def duration_from_map(given: Mapping[str, Any]) -> Duration:
    """From ``{years: 1, months: 2.5, hours: 3}``."""
    months = days = seconds = Fraction(0)
    for key, value in given.items():
        unit = _UNITS.get(key.lower())
        if unit is None:
            raise bad_value(f"a duration has no {key[:40]!r}")
        if value is None:
            continue
        size = _exact(value)
        months, days, seconds = months + size * unit[0], days + size * unit[1], (
            seconds + size * unit[2]
        )  # fmt: skip
    return carried(months, days, seconds)


_SIZE = r"([+-]?\d{1,18}(?:[.,]\d{1,18})?)"
_UNIT_TEXT = re.compile(
    rf"([+-])?P(?:{_SIZE}Y)?(?:{_SIZE}M)?(?:{_SIZE}W)?(?:{_SIZE}D)?"
    rf"(?:T(?:{_SIZE}H)?(?:{_SIZE}M)?(?:{_SIZE}S)?)?",
    re.ASCII,
)
_DATE_TEXT = re.compile(
    r"P(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2}(?:[.,]\d{1,9})?)", re.ASCII
)
_TEXT_KEYS = ("years", "months", "weeks", "days", "hours", "minutes", "seconds")
_DATE_KEYS = ("years", "months", "days", "hours", "minutes", "seconds")


def duration_from_text(text: str) -> Duration:
    """From ``P1Y2M3DT4H5M6.7S`` or ``P2012-02-02T14:37:21.545``."""
    match = _UNIT_TEXT.fullmatch(text)
    keys: tuple[str, ...] = _TEXT_KEYS
    groups, sign = match.groups()[1:] if match else (), 1
    if match is None or not any(groups):
        match = _DATE_TEXT.fullmatch(text)
        if match is None:
            raise bad_value(f"{text[:60]!r} is no duration")
        keys, groups = _DATE_KEYS, match.groups()
    elif match[1] == "-":
        sign = -1
    sums = [Fraction(0)] * 3
    for key, written in zip(keys, groups, strict=True):
        if written:
            size = Fraction(written.replace(",", ".")) * sign
            units = (Fraction(unit) for unit in _UNITS[key])
            sums = [total + size * unit for total, unit in zip(sums, units, strict=True)]
    return carried(sums[0], sums[1], sums[2])


def add_durations(left: Duration, right: Duration, sign: int = 1) -> Duration:
    """Part by part."""
    return make_duration(
        left.months + sign * right.months,
        left.days + sign * right.days,
        left.seconds + sign * right.seconds,
        left.nanos + sign * right.nanos,
    )


def scale(value: Duration, factor: Fraction) -> Duration:
    """Each part times the factor, fractions carried into smaller parts."""
    seconds = Fraction(value.seconds) + Fraction(value.nanos, SECOND_NS)
    return carried(value.months * factor, value.days * factor, seconds * factor)


def factor_of(value: Any) -> Fraction:  # noqa: ANN401 - a Cypher value
    """A number a duration can be multiplied with."""
    return _exact(value)


def shift(value: Temporal, by: Duration, sign: int = 1) -> Temporal:
    """A temporal value so much later: months first, then days, then seconds."""
    days, nanos = value.days, value.nanos
    if value.has_date:
        days = add_months(days, sign * by.months) + sign * by.days
    moved = sign * (by.seconds * SECOND_NS + by.nanos)
    if not value.has_time:
        return type(value)(days + int(Fraction(moved, DAY_NS)))
    if not value.has_date:
        return replace(value, nanos=(nanos + moved) % DAY_NS)
    offset = zone_offset(value.zone, days, nanos) if value.zone else value.offset
    more, nanos = divmod(nanos + moved, DAY_NS)
    if value.zone:
        later = zone_offset(value.zone, days + more, nanos)
        if later != offset:
            carry, nanos = divmod(nanos + (later - offset) * SECOND_NS, DAY_NS)
            more, offset = more + carry, later
    return type(value)(days + more, nanos, offset, value.zone)


def between(start: Temporal, end: Temporal, unit: str = "") -> Duration:
    """What lies between two values: in months, days and seconds, or in one unit only."""
    first, last = _comparable(start, end)
    total = (last[0] - first[0]) * DAY_NS + last[1] - first[1]
    if unit == "inseconds":
        return make_duration(0, 0, 0, total)
    if unit == "indays":
        return make_duration(0, _toward_zero(total, DAY_NS), 0)
    if not (start.has_date and end.has_date):
        return make_duration(0, 0, 0, 0 if unit else total)
    months = _months(first, last)
    if unit == "inmonths":
        return make_duration(months, 0, 0)
    rest = (last[0] - add_months(first[0], months)) * DAY_NS + last[1] - first[1]
    days = _toward_zero(rest, DAY_NS)
    return make_duration(months, days, 0, rest - days * DAY_NS)


def _toward_zero(total: int, size: int) -> int:
    return total // size if total >= 0 else -(-total // size)


def _comparable(start: Temporal, end: Temporal) -> tuple[tuple[int, int], tuple[int, int]]:
    """Day and time of both in one offset; what one does not know is taken from the other."""
    first, last = _completed(start, end), _completed(end, start)
    offset = first[2] if start.has_zone else last[2]
    pairs = []
    for days, nanos, own in (first, last):
        more, nanos = divmod(nanos + (offset - own) * SECOND_NS, DAY_NS)
        pairs.append((days + more, nanos))
    return pairs[0], pairs[1]


def _completed(value: Temporal, other: Temporal) -> tuple[int, int, int]:
    """Day, time and offset of a value, the other's where it has none."""
    days = value.days if value.has_date else other.days
    nanos = value.nanos if value.has_time else 0
    if value.has_zone:
        return days, nanos, value.offset
    return days, nanos, zone_offset(other.zone, days, nanos) if other.zone else other.offset


def _months(first: tuple[int, int], last: tuple[int, int]) -> int:
    """Whole months between two days with times, toward zero."""
    (y1, m1, _), (y2, m2, _) = date_of(first[0]), date_of(last[0])
    months = (y2 - y1) * 12 + m2 - m1
    reached = (add_months(first[0], months), first[1])
    if months > 0 and reached > last:
        months -= 1
    elif months < 0 and reached < last:
        months += 1
    return months
