"""Headings the outline of a PDF names, and where they stand in its text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.parsers.pdf_lines import Line
from commonplace.parsers.pdf_numbers import DECIMAL, LETTER, ROMAN

_LEAST_BELOW = 3
_MOST_LINES = 3
_MOST_CHARS = 120
_COUNT = re.compile(r"^[\dA-Z]{1,2}(?:\.\d{1,2})*\.?\s+")
_NOT_KEY = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline."""

    title: str
    level: int
    """From 0."""
    page: int


@dataclass(frozen=True, slots=True)
class Mark:
    """So many lines from here on are a heading of this level."""

    lines: int
    level: int


def title_keys(text: str) -> set[str]:
    """What two spellings of a title have in common: its letters, with and without its number."""
    return {_key(text), _NOT_KEY.sub("", text).lower()} - {""}


def _key(text: str) -> str:
    numbered = DECIMAL.match(text) or ROMAN.match(text) or LETTER.match(text)
    return _NOT_KEY.sub("", text[numbered.end() :] if numbered else text).lower()


def from_outline(lines: Sequence[Line], outline: Sequence[Entry]) -> dict[int, Mark]:
    """Where the headings of the outline begin, by index of their first line."""
    by_page: dict[int, list[int]] = {}
    for at, line in enumerate(lines):
        by_page.setdefault(line.page, []).append(at)
    found: dict[int, Mark] = {}
    first = 1 if _begins_with_title(outline) else 2
    for entry in outline:
        wanted = title_keys(entry.title)
        if len(entry.title) > _MOST_CHARS:  # word processors list numbered paragraphs too
            continue
        for at in by_page.get(entry.page, ()):
            count = 0 if at in found else _matching(lines, at, wanted)
            if count:
                found[at] = Mark(count, min(entry.level + first, 6))
                break
    return found


def _begins_with_title(outline: Sequence[Entry]) -> bool:
    """Whether the first entry is the document itself, and all others stand below it."""
    tops = [entry for entry in outline if entry.level == 0]
    return len(tops) == 1 and tops[0] is outline[0] and len(outline) > _LEAST_BELOW


def _matching(lines: Sequence[Line], at: int, wanted: set[str]) -> int:
    """How many lines from here on spell a wanted title; 0 when none do."""
    text = ""
    for count, line in enumerate(lines[at : at + _MOST_LINES], 1):
        text = f"{text} {line.text}".strip()
        is_alone = " " not in lines[at].text  # the end of a sentence: in Table 2.
        bare = text if is_alone else _COUNT.sub("", text)
        if {_key(text), *(_NOT_KEY.sub("", one).lower() for one in (text, bare))} & wanted:
            return count
    return 0
