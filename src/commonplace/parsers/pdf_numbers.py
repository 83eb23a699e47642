"""How headings are numbered: 2.1, II, A."""

import re

DECIMAL = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=[\"'“‘„«`]?[^\W\d_])")
ROMAN = re.compile(r"[IVX]{1,5}((?:\.\d{1,2})*)\.\s+(?=[A-Z])")
LETTER = re.compile(r"(?:Appendix\s+)?[A-Z](?:\.\d{1,2})*[.:]?\s+(?=[A-Z])")


def number_of(text: str) -> tuple[int, ...]:
    """The number of a heading, by its parts.

    >>> number_of("2.1. Data"), number_of("Data")
    ((2, 1), ())
    """
    found = DECIMAL.match(text)
    return tuple(map(int, found[1].split("."))) if found else ()


def following(number: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The numbers a heading may have after this one.

    >>> sorted(following((2, 1)))
    [(2, 1, 1), (2, 2), (3,)]
    """
    after = {(*number[:end], number[end] + 1) for end in range(len(number))}
    return {*after, (*number, 1)} if number else after


def is_numbered(text: str) -> bool:
    """Whether a text begins with any of these."""
    return bool(DECIMAL.match(text) or ROMAN.match(text) or LETTER.match(text))


def depth_of(text: str) -> int:
    """How deep a heading's number says it stands; 0 without number."""
    decimal = DECIMAL.match(text)
    if decimal:
        return decimal[1].count(".") + 1
    roman = ROMAN.match(text)
    return 1 + roman[1].count(".") if roman else 0
