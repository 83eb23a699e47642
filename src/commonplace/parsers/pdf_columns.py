"""Reading order: left column before right, between what spans both; running heads left out."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median

from commonplace.parsers.pdf_lines import Line

_LEAST_LINES = 4  # a side: fewer are a caption beside a figure
_FULL = 0.6  # of its column's width, the usual line of running text
_CROSSING = 0.5  # of a page's lines may span both columns
_EDGE_ROWS = 2  # at the top and at the bottom: where running heads stand
_SAME_ROW = 2.0  # points
_NUMBER = re.compile(r"\d+")
_WORK = re.compile(r"\[?(\d{1,3})[\].]\s+[^\W\d_]")
_PAGE_NUMBER = re.compile(
    r"\W*(?:page\s*)?(?:[ivxlc]+|#)(?:\s*(?:/|of|von)\s*#)?\W*", re.IGNORECASE
)
_FORMULA_NUMBER = re.compile(r"\(\d+(?:\.\d+)*[a-z]?\)")
_SPELT = re.compile(r"[^\W\d_]{2}")
_MOST_GAPS = 2  # of a justified line
_FLUSH = 3.0  # points


# What a heading, an item or a cited work begins with: no cell of a table.
_MARK = re.compile(
    r"\[[\w+]{1,8}\]|\(?(?:\d{1,2}(?:\.\d{1,2})*|[ivx]{1,4}|[IVX]{1,5}(?:\.\d{1,2})*|\w)[.)]|[•▪‣–—]"
)


def without_running(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without what stands at the same edge of several: heads, feet, page numbers."""
    least = 2 if len(pages) <= 4 else 3
    keyed = [_edge_keys(page) for page in pages]
    seen = Counter(key for keys in keyed for key in {one for some in keys.values() for one in some})
    kept = []
    for page, keys in zip(pages, keyed, strict=True):
        running = [at for at in keys if any(seen[key] >= least for key in keys[at])]
        # What shares a row with a running head is one too: the section a page is in.
        rows = [page[at].y for at in running]
        dropped = {at for at in keys if any(abs(page[at].y - y) <= _SAME_ROW for y in rows)}
        kept.append([line for at, line in enumerate(page) if at not in dropped])
    return kept if any(kept) else [list(page) for page in pages]


def _edge_keys(page: Sequence[Line]) -> dict[int, list[tuple[str, ...]]]:
    """For each line at the top or bottom, by index, what it may have in common with other pages'.

    On a page of few lines one stands at both.
    """
    rows: list[float] = []
    for y in sorted(line.y for line in page):
        if not rows or y - rows[-1] > _SAME_ROW:
            rows.append(y)
    low_rows, high_rows = rows[:_EDGE_ROWS], rows[-_EDGE_ROWS:]
    keys: dict[int, list[tuple[str, ...]]] = {}
    for at, line in enumerate(page):
        for edge, ys in (("bottom", low_rows), ("top", high_rows)):
            is_edge = any(abs(line.y - y) <= _SAME_ROW for y in ys)
            if is_edge and not _FORMULA_NUMBER.fullmatch(line.text):
                text = _NUMBER.sub("#", line.text.lower())
                is_number = bool(_PAGE_NUMBER.fullmatch(text))
                place = str(round(line.y / (20 if is_number else 10)))
                keys.setdefault(at, []).append(("number" if is_number else text, edge, place))
    return keys


def in_order(page: Sequence[Line]) -> list[Line]:
    """The lines of one page as they are read; parts of a row that belong together are joined."""
    upright = [line for line in page if not line.is_turned]
    lines = upright if len(upright) * 2 >= len(page) else list(page)
    gutter = _gutter(lines)
    if gutter is None:
        return _joined(lines)
    sided = [replace(line, column=_side(line, gutter)) for line in lines]
    joined = _joined(sided)
    across = [line.y for line in sided if line.column < 0] + _works_below(joined)

    def place(line: Line) -> tuple[int, int]:
        above = sum(y >= line.y for y in across)
        return above, line.column

    return sorted(joined, key=place)


def _works_below(lines: Sequence[Line]) -> list[float]:
    """Where works in two columns begin below text in two columns: their numbers go on at the right.

    The last page of a paper is so where both are balanced.
    """
    sides = [[line for line in lines if line.column == side] for side in (0, 1)]
    left, right = (
        [(line.y, int(m[1])) for line in some if (m := _WORK.match(line.text))] for some in sides
    )
    for y, first in left:
        top = y + _SAME_ROW
        numbers = [number for other, number in (*left, *right) if other <= top]
        is_counted = numbers == list(range(first, first + len(numbers)))
        goes_on = any(other <= top for other, _ in right)
        # Text above, at both sides: else they are columns like others.
        above = [sum(line.y > top for line in some) for some in sides]
        if is_counted and goes_on and min(above) >= _LEAST_LINES:
            return [top]
    return []


def _side(line: Line, gutter: float) -> int:
    """0 left, 1 right, -1 across."""
    if line.x0 < gutter - 1 and line.x1 > gutter + 1:
        return -1
    return int((line.x0 + line.x1) / 2 > gutter)


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where two columns of running text part, if there are two."""
    if len(lines) < 2 * _LEAST_LINES:
        return None
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    width = right - left
    if not 50 < width < 1e5:
        return None
    tries = [left + width * (0.35 + 0.3 * step / 60) for step in range(61)]
    crossed = {x: sum(line.x0 < x < line.x1 for line in lines) for x in tries}
    least = min(crossed.values())
    open_at = [x for x in tries if crossed[x] == least]
    gutter = open_at[len(open_at) // 2]
    return gutter if _are_columns(lines, gutter, (left, right)) else None


def _are_columns(lines: Sequence[Line], gutter: float, reach: tuple[float, float]) -> bool:
    sides: dict[int, list[Line]] = {-1: [], 0: [], 1: []}
    for line in lines:
        sides[_side(line, gutter)].append(line)
    if len(sides[-1]) > _CROSSING * len(lines):
        return False
    widths = (gutter - reach[0], reach[1] - gutter)
    for side, width in enumerate(widths):
        if len(sides[side]) < _LEAST_LINES:
            return False
        if median(line.x1 - line.x0 for line in sides[side]) < _FULL * width:
            return False
    tops = [max(line.y for line in sides[side]) for side in (0, 1)]
    lows = [min(line.y for line in sides[side]) for side in (0, 1)]
    return min(tops) > max(lows)


def _joined(lines: Iterable[Line]) -> list[Line]:
    """Parts of one row and column as one line of several cells, or of wide spaces."""
    found = _celled(lines)
    for at in range(1, len(found) - 1):
        if _is_justified(found[at - 1], found[at], found[at + 1]):
            found[at] = replace(found[at], text=found[at].text.replace("  ", " "), cells=1)
    return found


def _is_justified(before: Line, line: Line, after: Line) -> bool:
    """Whether a line is text with wide spaces: flush with what is around it, words on all sides."""
    if not 1 < line.cells <= _MOST_GAPS + 1 or not before.cells == after.cells == 1:
        return False
    is_alike = before.size == line.size == after.size and before.column == after.column
    is_flush = abs(line.x0 - after.x0) <= _FLUSH and abs(line.x1 - before.x1) <= _FLUSH
    return is_alike and is_flush and all(map(_SPELT.search, line.text.split("  ")))


def _celled(lines: Iterable[Line]) -> list[Line]:
    found: list[Line] = []
    for line in lines:
        last = found[-1] if found else None
        if last and last.row == line.row and last.column == line.column and line.x0 >= last.x1:
            is_mark = bool(_MARK.fullmatch(last.text))
            found[-1] = replace(
                line,
                text=f"{last.text}{' ' if is_mark else '  '}{line.text}",
                x0=last.x0,
                cells=last.cells + (not is_mark),
                is_noted=last.is_noted,
                is_bold=last.is_bold and line.is_bold,
            )
        else:
            found.append(line)
    return found
