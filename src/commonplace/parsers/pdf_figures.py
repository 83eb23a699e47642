"""Where figures stand on a page: what is written in them is text, and never a heading."""

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from commonplace.parsers.pdf_lines import Line

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_MOST = 0.8  # of the page: a larger one is the page itself, as some programs write it
_LEAST_POINTS = 40  # a side: smaller ones are rules and letters
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


def figures(page: "PdfPage") -> list[Box]:
    """The places of drawings that were put into the page as a whole."""
    import pypdfium2.raw as raw  # noqa: PLC0415 - catalog files load their library late

    area = page.get_width() * page.get_height()
    found = []
    edges = [ctypes.c_float() for _ in range(4)]
    # Not by the library's own walk: it makes an object of each, which takes four times as long.
    for number in range(raw.FPDFPage_CountObjects(page.raw)):
        one = raw.FPDFPage_GetObject(page.raw, number)
        if raw.FPDFPageObj_GetType(one) != raw.FPDF_PAGEOBJ_FORM:
            continue
        if raw.FPDFPageObj_GetBounds(one, *edges):
            left, bottom, right, top = (edge.value for edge in edges)
            wide, high = right - left, top - bottom
            if min(wide, high) >= _LEAST_POINTS and wide * high <= _MOST * area:
                found.append((left, bottom, right, top))
    return found


def mark_drawn(lines: Sequence[Line], boxes: Sequence[Box]) -> list[Line]:
    """The lines, those in a figure marked."""
    return [
        replace(line, is_drawn=True) if any(_is_in(line, box) for box in boxes) else line
        for line in lines
    ]


def _is_in(line: Line, box: Box) -> bool:
    left, bottom, right, top = box
    return left <= (line.x0 + line.x1) / 2 <= right and bottom <= line.y <= top
