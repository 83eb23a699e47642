"""The lines of a PDF page: their words, where they stand, and how large and bold they are.

pdfium gives characters in the order they were drawn. Only the ends of lines and the sides of
spaces are asked for their place: asking every character costs ten times as much.
"""

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.parsers.drafting import one_line

MOST_CHARS = 200_000
"""Of a page; no page that people read comes near, a decompression bomb does."""
_HYPHENS = (0x02, 0xFFFE)  # what pdfium gives for a hyphen at a line's end
_BREAKS = (0x0A, 0x0D)
_SPACES = (0x20, 0xA0, 0x09)
_WIDE = 1.3  # ems: wider than any space of justified text
_TURNED = 0.3  # radians
_BOLD_WEIGHT = 600
_BOLD = re.compile(rb"bold|black|heavy|cmbx|cmssbx|medi$|-medi", re.IGNORECASE)
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl"}
_LIGATURES |= {0xFB05: "st", 0xFB06: "st", 0xAD: ""}


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
    column: int = 0
    cells: int = 1


class Glyphs:
    """What pdfium knows of the characters of one page."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401 - ctypes
        import pypdfium2.raw as raw  # noqa: PLC0415 - catalog files load their library late

        self._raw = raw
        self._page = page
        self._box = [ctypes.c_double() for _ in range(4)]
        self._name = ctypes.create_string_buffer(128)
        self.count = min(raw.FPDFText_CountChars(page), MOST_CHARS)

    def codes(self) -> list[int]:
        """The characters as UTF-16 units or code points."""
        code_of, page = self._raw.FPDFText_GetUnicode, self._page
        return [code_of(page, at) for at in range(self.count)]

    def sides(self, at: int) -> tuple[float, float]:
        """Left and right edge."""
        left, right, bottom, top = self._box
        self._raw.FPDFText_GetCharBox(self._page, at, left, right, bottom, top)
        return left.value, right.value

    def baseline(self, at: int) -> float:
        """Height of the line it stands on."""
        x, y = self._box[:2]
        self._raw.FPDFText_GetCharOrigin(self._page, at, x, y)
        return y.value

    def size(self, at: int) -> float:
        """As it looks: the font's size times the scale it is drawn with."""
        matrix = self._raw.FS_MATRIX()
        size = float(self._raw.FPDFText_GetFontSize(self._page, at))
        if self._raw.FPDFText_GetMatrix(self._page, at, matrix):
            scale = math.hypot(matrix.c, matrix.d)
            size *= scale or 1.0
        return round(size, 1) if math.isfinite(size) else 0.0

    def is_bold(self, at: int) -> bool:
        """By the font's weight, or by its name where it tells no weight."""
        if self._raw.FPDFText_GetFontWeight(self._page, at) >= _BOLD_WEIGHT:
            return True
        flags = ctypes.c_int()
        self._raw.FPDFText_GetFontInfo(self._page, at, self._name, len(self._name), flags)
        return bool(_BOLD.search(self._name.value))

    def is_turned(self, at: int) -> bool:
        """Whether it stands askew, as stamps in the margin do."""
        angle = self._raw.FPDFText_GetCharAngle(self._page, at)
        return bool(_TURNED < angle < 2 * math.pi - _TURNED)


def read_lines(page: Any, number: int) -> list[Line]:  # noqa: ANN401 - ctypes
    """The lines of a text page in the order they were drawn, cut at wide gaps."""
    glyphs = Glyphs(page)
    codes = glyphs.codes()
    found: list[Line] = []
    for row, (start, end) in enumerate(_rows(codes)):
        size = glyphs.size(start)
        for left, right in _cut(glyphs, codes, (start, end), size):
            line = _line(glyphs, codes, (left, right), (number, row))
            if line.text:
                found.append(line)
    return found


def _rows(codes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Index ranges without line breaks or white space at their ends; a hyphen ends one."""
    start = 0
    for at in range(len(codes) + 1):
        is_hyphen = at < len(codes) and codes[at] in _HYPHENS
        if at == len(codes) or is_hyphen or codes[at] in _BREAKS:
            end = at + is_hyphen
            while start < end and codes[start] in _SPACES:
                start += 1
            while end > start and codes[end - 1] in _SPACES:
                end -= 1
            if end > start:
                yield start, end
            start = at + 1


def _cut(
    glyphs: Glyphs, codes: Sequence[int], reach: tuple[int, int], size: float
) -> Iterator[tuple[int, int]]:
    """The parts of a row between wide gaps."""
    start, end = reach
    at = start
    while at < end:
        if codes[at] not in _SPACES:
            at += 1
            continue
        after = at
        while after < end and codes[after] in _SPACES:
            after += 1
        if at > start and after < end:
            gap = glyphs.sides(after)[0] - glyphs.sides(at - 1)[1]
            if gap > _WIDE * max(size, 1.0):
                yield start, at
                start = after
        at = after
    if start < end:
        yield start, end


def _line(
    glyphs: Glyphs, codes: Sequence[int], reach: tuple[int, int], place: tuple[int, int]
) -> Line:
    start, end = reach
    is_broken = codes[end - 1] in _HYPHENS
    last = max(start, end - 1 - is_broken)
    middle = (start + last) // 2
    return Line(
        text=_text(codes[start : end - is_broken]),
        x0=glyphs.sides(start)[0],
        x1=glyphs.sides(end - 1)[1],
        y=glyphs.baseline(start),
        size=glyphs.size(middle),
        is_bold=glyphs.is_bold(start) and glyphs.is_bold(last),
        page=place[0],
        row=place[1],
        is_broken=is_broken,
        is_turned=glyphs.is_turned(start),
    )


def _text(codes: Sequence[int]) -> str:
    r"""The characters, ligatures as letters, what is no character left out.

    >>> _text([0xFB01, 0x6E, 0x64, 0xFFFF])
    'find'
    """
    known = (_LIGATURES.get(code, chr(code)) for code in codes if _is_character(code))
    units = "".join(known).encode("utf-16-le", "surrogatepass")  # astral ones come in halves
    return one_line(units.decode("utf-16-le", "ignore"))


def _is_character(code: int) -> bool:
    is_control = code < 0x20 and code not in _SPACES
    return not is_control and code & 0xFFFE != 0xFFFE and code <= 0x10FFFF
