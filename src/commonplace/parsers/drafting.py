"""What every parser does at the end: sections from headings, whole cover, anchors, title."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from commonplace.domain.document import Block, Section, Span
from commonplace.domain.encoding import clean

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_NOT_SLUG = re.compile(r"[^\w\- ]", re.UNICODE)
_SPACES = re.compile(r"\s+")
MOST_TITLE_CHARS = 200
"""What is longer is a paragraph with a line under it; every citation would repeat it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Where a section begins."""

    text: str
    level: int
    start: int
    anchor: str | None = None
    end: int | None = None
    """Of an entry, which is over before the next heading; the section around it then goes on."""


MOST_NAME_CHARS = 100
"""A longer term is a sentence, not the name of an entry."""


def entry_name(term: str) -> str:
    """What an entry of a reference is called; nothing where its term is no name.

    >>> entry_name("subprocess.run(args, *, timeout=None)"), entry_name("`work_mem` (`integer`)")
    ('subprocess.run', 'work_mem')
    """
    name = term.replace("`", "").replace("*", "")
    name = one_line(name.partition("(")[0] or name)
    return name if len(name) <= MOST_NAME_CHARS and any(map(str.isalpha, name)) else ""


def resumed(headings: Sequence[Heading], blocks: Iterable[Block]) -> list[Heading]:
    """The headings, and once more each whose text goes on after an entry inside it.

    >>> top = Heading(text="A", level=1, start=0)
    >>> entry = Heading(text="B", level=2, start=5, end=8)
    >>> blocks = [Block(kind="paragraph", span=Span(at, at + 3)) for at in (0, 5, 9)]
    >>> [(one.text, one.start) for one in resumed([top, entry], blocks)]
    [('A', 0), ('B', 5), ('A', 9)]
    """
    found: list[Heading] = []
    open_ones: list[Heading] = []
    waiting = list(reversed(headings))
    for block in blocks:
        at = block.span.start
        is_over = False
        while open_ones and (end := open_ones[-1].end) is not None and end <= at:
            open_ones.pop()
            is_over = True
        if is_over and open_ones and not (waiting and waiting[-1].start <= at):
            found.append(replace(open_ones[-1], start=at))
        while waiting and waiting[-1].start <= at:
            heading = waiting.pop()
            while open_ones and open_ones[-1].level >= heading.level:
                open_ones.pop()
            open_ones.append(heading)
            found.append(heading)
    return found + waiting[::-1]


def line_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    r"""The lines of a stretch of text, each with its newline: LF, CR or CRLF.

    >>> [(line.start, line.end) for line in line_spans("a\r\nb\rc")]
    [(0, 3), (3, 5), (5, 6)]
    """
    end = len(text) if end is None else end
    while start < end:
        found = _LINE.match(text, start, end)
        stop = found.end() if found else end
        yield Span(start, stop)
        start = stop


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends.

    >>> trimmed("  a ", 0, 4)
    Span(start=2, end=3)
    """
    inner = text[start:end]
    left = len(inner) - len(inner.lstrip())
    return Span(start + left, start + left + len(inner.strip()))


def make_sections(headings: Sequence[Heading], length: int) -> tuple[Section, ...]:
    """A section per heading, reaching to the next heading of its rank or higher.

    >>> tops = [Heading(text="A", level=1, start=0), Heading(text="B", level=2, start=5)]
    >>> [section.span for section in make_sections(tops, 9)]
    [Span(start=0, end=9), Span(start=5, end=9)]
    """
    ends = [length] * len(headings)
    open_ones: list[int] = []
    for number, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.start
        open_ones.append(number)
    return tuple(
        Section(
            heading=heading.text,
            level=heading.level,
            span=Span(heading.start, end),
            anchor=heading.anchor,
        )
        for heading, end in zip(headings, ends, strict=True)
    )


def fill_gaps(text: str, blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks in order; words that no block covers become a block of kind ``other``."""
    filled: list[Block] = []
    at = 0
    for block in sorted(blocks, key=lambda block: block.span):
        if block.span.start < at or not len(block.span):
            continue
        filled.extend(_gap(text, at, block.span.start))
        filled.append(block)
        at = block.span.end
    filled.extend(_gap(text, at, len(text)))
    return tuple(filled)


def _gap(text: str, start: int, end: int) -> list[Block]:
    span = trimmed(text, start, end)
    if not any(char.isalnum() for char in span.of(text)):
        return []
    return [Block(kind="other", span=span, atoms=tuple(line_spans(text, span.start, span.end)))]


def slug(heading: str) -> str:
    """The anchor GitHub gives a heading.

    >>> slug("What's new in 3.11?")
    'whats-new-in-311'
    """
    return _NOT_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


class Slugs:
    """Anchors of one document: the second equal heading gets ``-1``, the third ``-2``.

    >>> slugs = Slugs()
    >>> slugs.give("Usage"), slugs.give("Usage")
    ('usage', 'usage-1')
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def give(self, heading: str) -> str:
        """The anchor of the next heading with this text."""
        base = anchor = slug(heading)
        while self._seen[anchor]:
            anchor = f"{base}-{self._seen[base]}"
            self._seen[base] += 1
        self._seen[anchor] += 1
        return anchor


def one_line(text: str) -> str:
    r"""The text with every run of white space as one space, storable.

    >>> one_line(" a\n  b ")
    'a b'
    """
    return clean(_SPACES.sub(" ", text).strip())


def make_title(path: str, *candidates: str) -> str:
    """The first candidate with words and not too many, else the file's name without suffix.

    >>> make_title("docs/set-up.md", "", "Set up"), make_title("docs/set-up.md", "so " * 100)
    ('Set up', 'set-up')
    """
    titles = (one_line(candidate) for candidate in candidates)
    fitting = (title for title in titles if 0 < len(title) <= MOST_TITLE_CHARS)
    return next(fitting, PurePosixPath(path).stem or path)
