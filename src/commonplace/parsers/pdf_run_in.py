"""Headings that run into their paragraph: ``2.1 Data. We took …`` is cut after its title."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from commonplace.parsers.pdf_headings import is_apart
from commonplace.parsers.pdf_lines import Line
from commonplace.parsers.pdf_numbers import number_of
from commonplace.parsers.pdf_outline import Entry, title_keys

_MOST_CHARS = 100
_STOP = re.compile(r"[.:]\s+(?=\S)")
_COUNTED = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+[^\W\d_a-z][^.:;!?]{2,70}[.:]\s+(?=[^\W\d_a-z])")


def parted(lines: Sequence[Line], outline: Sequence[Entry]) -> list[Line]:
    """The lines, those that begin with a heading cut behind it.

    A heading is what the outline has for the page, or what has the next number and a paragraph's
    beginning.
    """
    told: dict[int, set[str]] = {}
    for entry in outline:
        told.setdefault(entry.page, set()).update(title_keys(entry.title))
    return [part for line, end in _ends(lines, told) for part in _cut(line, end)]


def _ends(lines: Sequence[Line], told: Mapping[int, set[str]]) -> Iterator[tuple[Line, int]]:
    """Every line with where its heading ends; 0 where it has none."""
    numbers: set[tuple[int, ...]] = set()
    for at, line in enumerate(lines):
        end = _told_end(line, told.get(line.page, set()))
        number = number_of(line.text)
        if not end and len(number) > 1 and _before(number) in numbers and is_apart(lines, at):
            found = _COUNTED.match(line.text)
            end = found.end() if found else 0
        if number:
            numbers.add(number)
        yield line, end if line.cells == 1 else 0


def _told_end(line: Line, wanted: set[str]) -> int:
    if not wanted:
        return 0
    for stop in _STOP.finditer(line.text, 0, _MOST_CHARS):
        if title_keys(line.text[: stop.start()]) & wanted:
            return stop.end()
    return 0


def _before(number: tuple[int, ...]) -> tuple[int, ...]:
    """What comes before a number: the one above the first, else the last one.

    >>> _before((2, 1)), _before((2, 3))
    ((2,), (2, 2))
    """
    return number[:-1] if number[-1] <= 1 else (*number[:-1], number[-1] - 1)


def _cut(line: Line, end: int) -> list[Line]:
    if not end:
        return [line]
    middle = line.x0 + (line.x1 - line.x0) * end / len(line.text)
    title = line.text[:end].rstrip().rstrip(".:")
    head = replace(line, text=title, x1=middle, is_broken=False)
    return [head, replace(line, text=line.text[end:], x0=middle, is_noted=False)]
