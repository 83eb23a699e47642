"""Days counted from 1970-01-01 in the proleptic Gregorian calendar, for years beyond datetime's."""

MOST_YEAR = 999_999_999
DAY_S = 86_400
SECOND_NS = 1_000_000_000
DAY_NS = DAY_S * SECOND_NS


def day_of(year: int, month: int, day: int) -> int:
    """The number of a day.

    >>> day_of(1970, 1, 1), day_of(2000, 3, 1), day_of(-1, 12, 31)
    (0, 11017, -719529)
    """
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def date_of(number: int) -> tuple[int, int, int]:
    """Year, month and day of a day's number.

    >>> date_of(11017), date_of(-719529)
    ((2000, 3, 1), (-1, 12, 31))
    """
    era, of_era = divmod(number + 719_468, 146_097)
    years = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * years + years // 4 - years // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + (3 if shifted < 10 else -9)
    return years + era * 400 + (month <= 2), month, day


def is_leap(year: int) -> bool:
    """Whether the year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in(year: int, month: int) -> int:
    """Length of a month."""
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def weekday(number: int) -> int:
    """Monday is 1, Sunday 7."""
    return (number + 3) % 7 + 1


def week_start(year: int) -> int:
    """The Monday of week 1 of an ISO year."""
    fourth = day_of(year, 1, 4)
    return fourth - weekday(fourth) + 1


def week_of(number: int) -> tuple[int, int]:
    """ISO year and week of a day.

    >>> week_of(day_of(1984, 1, 1)), week_of(day_of(1984, 11, 11))
    ((1983, 52), (1984, 45))
    """
    year = date_of(number)[0]
    if number >= week_start(year + 1):
        year += 1
    elif number < week_start(year):
        year -= 1
    return year, (number - week_start(year)) // 7 + 1


def add_months(number: int, months: int) -> int:
    """So many months later; the day is clipped to the length of the month.

    >>> date_of(add_months(day_of(2011, 1, 31), 1))
    (2011, 2, 28)
    """
    year, month, day = date_of(number)
    whole = year * 12 + month - 1 + months
    year, month = whole // 12, whole % 12 + 1
    return day_of(year, month, min(day, days_in(year, month)))
