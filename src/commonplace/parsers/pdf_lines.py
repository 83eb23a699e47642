"""The lines of a PDF page: their words, where they stand, and how large and bold they are.

pdfium gives characters in the order they were drawn. Only the ends of lines and the sides of
spaces are asked for their place: asking every character costs ten times as much.
"""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from commonplace.domain.document import Span
from commonplace.parsers.drafting import trimmed
from commonplace.parsers.pdf_letters import (
    CORK_LIGATURE,
    Fonts,
    mended,
    with_accents,
    with_ligatures,
)

MOST_CHARS = 200_000
"""Of a page; no page that people read comes near, a decompression bomb does."""
_HYPHENS = "\x02\ufffe"  # what pdfium gives for a hyphen at a line's end
_ROW = re.compile(r"[^\r\n\x02\ufffe]+[\x02\ufffe]?")
_SPACE = re.compile(r"[ \xa0\t]+")
_LAST = 0x10FFFF
_WIDE = 1.3  # ems: wider than any space of justified text
_TURNED = 0.3  # radians
_QUARTER = math.pi / 2
_SAMPLES = 24  # characters that say how a page lies
# Along the line and up from it, by quarters a page is turned clockwise.
_ALONG = ((1, 0), (0, -1), (-1, 0), (0, 1))
_RAISED = 0.85  # of the size beside it
# In ems, of an exponent or index and what it stands at: how far it may be off, reach over, leave.
_OFF, _OVER, _TIGHT, _THIN = 0.6, 0.15, 0.5, 0.12
_BOLD_WEIGHT = 600
_BOLD = re.compile(rb"bold|black|heavy|cmbx|cmssbx|medi$|-medi", re.IGNORECASE)
_ITALIC = re.compile(rb"ital|obliq|slant|cmti|cmsl|sfti|sfsl|tmri|[lm]ri\d?t?$", re.IGNORECASE)


@dataclass(slots=True)
class Line:
    """A stretch of one line without a wide gap in it."""

    text: str
    x0: float
    x1: float
    y: float
    """Of the baseline, upwards."""
    size: float
    is_bold: bool
    page: int
    row: int
    """Lines of one row were drawn as one, with wide gaps between them."""
    is_broken: bool = False
    """Whether a word goes on in the next line; its hyphen is not in the text."""
    is_turned: bool = False
    is_noted: bool = False
    """Whether it begins with a small raised number, as notes do."""
    is_drawn: bool = False
    """Whether it stands in a figure."""
    is_named_bold: bool = False
    """Bold by the name of its font alone."""
    is_italic: bool = False
    column: int = 0
    cells: int = 1


class Glyphs:
    """What pdfium knows of the characters of one page."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401 - ctypes
        import pypdfium2.raw as raw  # noqa: PLC0415 - catalog files load their library late

        self._raw = raw
        self._page = page.raw
        self._box = [ctypes.c_double() for _ in range(4)]
        self._name = ctypes.create_string_buffer(128)
        self.count = min(raw.FPDFText_CountChars(page.raw), MOST_CHARS)
        self._turn = self._most_turned()

    def _most_turned(self) -> int:
        """By how many quarters most of the page is turned: tables and whole pages lie on a side."""
        step = max(1, self.count // _SAMPLES)
        turns = Counter(
            round(self._raw.FPDFText_GetCharAngle(self._page, at) / _QUARTER) % 4
            for at in range(step // 2, self.count, step)
        )
        return turns.most_common(1)[0][0] if turns else 0

    def text(self) -> str:
        """The characters, one for each that pdfium counts; halves of astral ones are two."""
        text = self._codes()
        if "ÿ" not in text:
            return text
        # In the code of Cork ß is where others have ÿ; its fonts made of dots have no name.
        is_cork = bool(CORK_LIGATURE.search(text))
        return "".join(
            "ß" if char == "ÿ" and (is_cork or not self.font(at)) else char
            for at, char in enumerate(text)
        )

    def _codes(self) -> str:
        raw, page = self._raw, self._page
        units = (ctypes.c_ushort * (self.count + 1))()
        if raw.FPDFText_GetText(page, 0, self.count, units) == self.count + 1:
            return "".join(map(chr, units[: self.count]))
        # It leaves out what is no character, and then its places are not those of the characters.
        codes = [raw.FPDFText_GetUnicode(page, at) for at in range(self.count)]
        return "".join(chr(code) if code <= _LAST else "\0" for code in codes)

    def sides(self, at: int) -> tuple[float, float]:
        """Left and right edge, as the page is read."""
        left, right, bottom, top = self._box
        self._raw.FPDFText_GetCharBox(self._page, at, left, right, bottom, top)
        if not self._turn:
            return left.value, right.value
        x, y = _ALONG[self._turn]
        one, other = left.value * x + bottom.value * y, right.value * x + top.value * y
        return min(one, other), max(one, other)

    def baseline(self, at: int) -> float:
        """Height of the line it stands on, as the page is read."""
        x, y = self._box[:2]
        self._raw.FPDFText_GetCharOrigin(self._page, at, x, y)
        along_x, along_y = _ALONG[self._turn]
        return y.value * along_x - x.value * along_y

    def size(self, at: int) -> float:
        """As it looks: the font's size times the scale it is drawn with."""
        matrix = self._raw.FS_MATRIX()
        size = float(self._raw.FPDFText_GetFontSize(self._page, at))
        if self._raw.FPDFText_GetMatrix(self._page, at, matrix):
            scale = math.hypot(matrix.c, matrix.d)
            size *= scale or 1.0
        return round(size, 1) if math.isfinite(size) else 0.0

    def is_heavy(self, at: int) -> bool:
        """Bold by the font's weight, which some programs write at random."""
        return bool(self._raw.FPDFText_GetFontWeight(self._page, at) >= _BOLD_WEIGHT)

    def font(self, at: int) -> bytes:
        """The name of its font."""
        flags = ctypes.c_int()
        self._raw.FPDFText_GetFontInfo(self._page, at, self._name, len(self._name), flags)
        return self._name.value

    def is_turned(self, at: int) -> bool:
        """Whether it stands askew on its page, as stamps in the margin do."""
        angle = self._raw.FPDFText_GetCharAngle(self._page, at) - self._turn * _QUARTER
        return bool(_TURNED < angle % (2 * math.pi) < 2 * math.pi - _TURNED)


def read_lines(page: Any, number: int, fonts: Fonts) -> list[Line]:  # noqa: ANN401 - ctypes
    """The lines of a text page in the order they were drawn, cut at wide gaps."""
    glyphs = Glyphs(page)
    text = with_accents(glyphs, with_ligatures(glyphs, glyphs.text(), fonts))
    found: list[Line] = []
    for row, match in enumerate(_ROW.finditer(text)):
        inner = trimmed(text, match.start(), match.end())
        if not len(inner):
            continue
        for part in _cut(glyphs, text, inner):
            line = _line(glyphs, text, part, (number, row))
            if line.text:
                found.append(line)
    return rejoined(found)


def rejoined(lines: Sequence[Line]) -> list[Line]:
    """The lines, put together where pdfium ends one at an exponent or an index."""
    found: list[Line] = []
    rows: dict[int, int] = {}
    for line in lines:
        row = rows.get(line.row, line.row)
        last = found[-1] if found else None
        if last is not None and last.row != row and _is_beside(last, line):
            rows[line.row] = last.row
            found[-1] = _beside(last, line)
        else:
            found.append(line if line.row == row else replace(line, row=row))
    return found


def _is_beside(last: Line, line: Line) -> bool:
    """Whether a line goes on where the last ended, a little above or below it."""
    em = max(last.size, line.size)
    is_near = -_OVER * em <= line.x0 - last.x1 <= _TIGHT * em
    is_level = abs(last.y - line.y) <= _OFF * em
    return is_near and is_level and last.is_turned == line.is_turned and not last.is_broken


def _beside(last: Line, line: Line) -> Line:
    """Both as one, which looks and stands as the longer does."""
    more = last if len(last.text) >= len(line.text) else line
    gap = " " if line.x0 - last.x1 > _THIN * max(last.size, line.size) else ""
    is_note = last.text.isdigit() and last.size < _RAISED * line.size
    return replace(
        more,
        text=f"{last.text}{gap}{line.text}",
        x0=last.x0,
        x1=line.x1,
        row=last.row,
        is_broken=line.is_broken,
        is_noted=last.is_noted or is_note,
        is_bold=last.is_bold and line.is_bold,
        is_named_bold=last.is_named_bold and line.is_named_bold,
        is_italic=last.is_italic and line.is_italic,
    )


def _cut(glyphs: Glyphs, text: str, row: Span) -> Iterator[Span]:
    """The parts of a row between wide gaps."""
    start = row.start
    wide = _WIDE * max(glyphs.size(start), 1.0)
    for space in _SPACE.finditer(text, row.start, row.end):
        if glyphs.sides(space.end())[0] - glyphs.sides(space.start() - 1)[1] > wide:
            yield Span(start, space.start())
            start = space.end()
    yield Span(start, row.end)


def _line(glyphs: Glyphs, text: str, part: Span, place: tuple[int, int]) -> Line:
    start, end = part.start, part.end
    is_broken = text[end - 1] in _HYPHENS
    last = max(start, end - 1 - is_broken)
    middle = (start + last) // 2
    while text[middle].isspace():  # some are made up by pdfium, and have no size
        middle += 1
    size = glyphs.size(middle)
    fonts = (glyphs.font(start), glyphs.font(last))
    is_named_bold = all(map(_BOLD.search, fonts))
    return Line(
        text=mended(text[start : end - is_broken]),
        x0=glyphs.sides(start)[0],
        x1=glyphs.sides(end - 1)[1],
        y=glyphs.baseline(start),
        size=size,
        is_bold=is_named_bold or (glyphs.is_heavy(start) and glyphs.is_heavy(last)),
        is_named_bold=is_named_bold,
        is_italic=all(map(_ITALIC.search, fonts)),
        page=place[0],
        row=place[1],
        is_broken=is_broken,
        is_turned=glyphs.is_turned(start),
        is_noted=text[start].isdigit() and glyphs.size(start) < _RAISED * size,
    )


def weighed(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The lines, bold by name alone where most of the text would be bold by weight."""
    chars = Counter[bool]()
    for line in (line for page in pages for line in page):
        chars[line.is_bold] += len(line.text)
    if chars[True] <= chars[False]:
        return [list(page) for page in pages]
    return [[replace(line, is_bold=line.is_named_bold) for line in page] for page in pages]
