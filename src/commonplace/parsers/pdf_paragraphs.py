"""Lines to paragraphs: words broken at line ends are mended, tables and entries kept apart."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from commonplace.domain.document import BlockKind
from commonplace.parsers.pdf_headings import CAPTION, is_references
from commonplace.parsers.pdf_lines import Line
from commonplace.parsers.pdf_outline import Mark

_ENDED = re.compile(r"[.!?:;][\"'”’)\]]*$")
_BULLET = re.compile(r"[•▪‣◦∙*–—-]\s+\S")
_COUNTED = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+\S")
_ENTRY = re.compile(r"\[[\w+.-]{1,12}\]\s|\d{1,3}\.\s")
_NUMBERED = re.compile(r"\[(\d{1,3})\]\s")
_LEAST_WORKS = 3
_COUNTED_ON = 0.8  # of numbers of works, those that follow the one before
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*\w+$")  # a line of a table of contents
_LOOSE = 1.45  # times the usual leading
_INDENT = 0.8  # ems
_SHORT = 0.8  # of the paragraph's width
_TABLE_ROWS = 3
_ALIKE = 0.6  # points
_SPELT = re.compile(r"[^\W\d_]{4}")
_PIECE_CHARS = 40
_TALL = 2.5  # ems from one row of a formula to the next
_MOST_NOTES = 8  # at the foot of one column


@dataclass(slots=True)
class Paragraph:
    """Lines that are one block."""

    kind: BlockKind
    lines: list[Line]
    level: int = 0
    """Of a heading."""


def make_paragraphs(lines: Sequence[Line], marks: Mapping[int, Mark]) -> list[Paragraph]:
    """The lines of all pages as blocks."""
    leading = _leading(lines)
    found: list[Paragraph] = []
    entries: float | None = None
    unheaded = None if _has_works(lines, marks) else _first_work(lines)
    at = 0
    while at < len(lines):
        if at == unheaded:
            entries = 1.0
        mark = marks.get(at)
        if mark:
            heading = list(lines[at : at + mark.lines])
            found.append(Paragraph("heading", heading, mark.level))
            at += mark.lines
            entries = None
            if is_references(" ".join(line.text for line in heading)):
                entries = _entry_size(lines, at, marks)
            continue
        last = found[-1] if found and found[-1].kind != "heading" else None
        cut = _cut_by_note(found, lines[at])
        if last and _continues(last, lines[at], leading, entries):
            last.lines.append(lines[at])
        elif cut is not None:
            _go_on(found, cut, lines[at])
        else:
            found.append(Paragraph(_kind(lines[at], entries), [lines[at]]))
        at += 1
    return _tables(found)


def _has_works(lines: Sequence[Line], marks: Mapping[int, Mark]) -> bool:
    return any(is_references(lines[at].text) for at in marks)


def _first_work(lines: Sequence[Line]) -> int | None:
    """Where cited works begin that no heading announces: lines marked [1], [2], [3] to the end."""
    starts = [(at, found) for at, line in enumerate(lines) if (found := _NUMBERED.match(line.text))]
    for first in reversed(range(len(starts))):
        if starts[first][1][1] == "1":
            numbers = [int(found[1]) for _, found in starts[first:]]
            steps = [after - before for before, after in pairwise(numbers)]
            # One that begins in the middle of a line is passed over; never is one less.
            is_counted = all(step > 0 for step in steps) and steps.count(1) >= _COUNTED_ON * len(
                steps
            )
            return starts[first][0] if is_counted and len(numbers) >= _LEAST_WORKS else None
    return None


def _cut_by_note(found: Sequence[Paragraph], line: Line) -> int | None:
    """The index of the paragraph this line goes on with, past notes at the foot of a column."""
    for at in reversed(range(max(0, len(found) - _MOST_NOTES), len(found))):
        one = found[at]
        before = one.lines[-1]
        if one.kind == "heading" or before.size > line.size + _ALIKE:
            return None
        if before.size < line.size - _ALIKE:
            continue
        is_elsewhere = (before.page, before.column) != (line.page, line.column)
        is_open = before.is_broken or not _ENDED.search(before.text)
        is_near = line.page - before.page <= 1
        goes_on = is_elsewhere and is_open and is_near and line.text[:1].islower()
        return at if goes_on else None
    return None


def _go_on(found: list[Paragraph], cut: int, line: Line) -> None:
    """Append a line to an earlier paragraph, which moves behind the notes of its own column."""
    one = found.pop(cut)
    place = (one.lines[-1].page, one.lines[-1].column)
    while cut < len(found) and (found[cut].lines[0].page, found[cut].lines[0].column) == place:
        cut += 1
    found.insert(cut, one)
    one.lines.append(line)


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance of baselines, in ems."""
    gaps = [
        (last.y - line.y) / last.size
        for last, line in pairwise(lines)
        if last.page == line.page and last.size and 0.8 < (last.y - line.y) / last.size < 3
    ]
    return median(gaps) if gaps else 1.2


def _entry_size(lines: Sequence[Line], at: int, marks: Mapping[int, Mark]) -> float:
    """How cited works begin: 1 with a mark such as [7], else 0 at the left of their column."""
    end = next((other for other in sorted(marks) if other >= at), len(lines))
    marked = sum(bool(_ENTRY.match(line.text)) for line in lines[at:end])
    return 1.0 if marked >= 2 else 0.0


def _kind(line: Line, entries: float | None) -> BlockKind:
    is_item = _BULLET.match(line.text) or _COUNTED.match(line.text) or _LEADERS.search(line.text)
    return "list_item" if is_item or entries is not None else "paragraph"


def _continues(last: Paragraph, line: Line, leading: float, entries: float | None) -> bool:
    """Whether a line belongs to the paragraph before it."""
    before = last.lines[-1]
    if line.is_noted:
        return False
    if _is_formula(before) and _is_formula(line) and _is_around(before, line):
        return True
    if before.is_broken and abs(before.size - line.size) <= _ALIKE:
        return True
    if entries is not None:
        return not _is_note(before, line, leading) and _continues_entry(last, line, entries)
    if abs(before.size - line.size) > max(0.6, 0.08 * before.size):
        return False
    is_item = _BULLET.match(line.text) or CAPTION.match(line.text) or _LEADERS.search(before.text)
    has_ended = bool(_ENDED.search(before.text))
    if is_item or (has_ended and _COUNTED.match(line.text)):
        return False
    down = before.y - line.y
    if line.page != before.page or line.column != before.column or down <= -before.size:
        return not has_ended and (line.text[:1].islower() or before.text[-1:] in ",-")
    if before.is_bold != line.is_bold or (before.cells > 1) != (line.cells > 1):
        return False
    if down > _LOOSE * leading * before.size:
        return False
    is_indented = line.x0 - before.x0 > _INDENT * line.size
    return not (has_ended and (is_indented or _is_short(last, line)))


def _is_formula(line: Line) -> bool:
    """Whether a line is a piece of a formula: it stands alone and spells no word."""
    return len(line.text) <= _PIECE_CHARS and line.cells == 1 and not _SPELT.search(line.text)


def _is_around(before: Line, line: Line) -> bool:
    """Whether two pieces stand in one formula, beside, above or below each other."""
    is_same = (before.page, before.column) == (line.page, line.column)
    return is_same and abs(before.y - line.y) <= _TALL * max(before.size, line.size)


def _is_short(last: Paragraph, line: Line) -> bool:
    """Whether the paragraph's last line leaves much of its width empty."""
    left = min(one.x0 for one in (*last.lines[-4:], line))
    right = max(one.x1 for one in (*last.lines[-4:], line))
    return last.lines[-1].x1 - left < _SHORT * (right - left)


def _continues_entry(last: Paragraph, line: Line, entries: float) -> bool:
    if entries:
        return not _ENTRY.match(line.text)
    first, before = last.lines[0], last.lines[-1]
    if line.page != before.page or line.column != before.column:
        return not _ENDED.search(before.text)
    is_hanging = line.x0 - first.x0 > 0.4 * line.size
    return is_hanging or not _ENDED.search(before.text)


def _is_note(before: Line, line: Line, leading: float) -> bool:
    """Whether a line below cited works is of another kind: smaller, or farther down."""
    if before.page != line.page or before.column != line.column:
        return False
    is_far = before.y - line.y > _LOOSE * leading * before.size
    return line.size < before.size - _ALIKE or is_far


def _tables(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Blocks of rows with several cells are tables."""
    found = list(paragraphs)
    for one in found:
        has_cells = all(line.cells > 1 for line in one.lines)
        if one.kind == "paragraph" and len(one.lines) >= _TABLE_ROWS and has_cells:
            one.kind = "table"
    return found


def hyphenated(lines: Iterable[Line]) -> frozenset[str]:
    """Words with a hyphen inside a line: such a hyphen at a line's end stays."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line.text))


def joint(before: Line, after: Line, known: frozenset[str]) -> tuple[str, str]:
    """The text of a line as it goes on in the next one, and what stands between them.

    A hyphen at the end of a line goes when it only parts a word.
    """
    text = before.text
    is_dashed = text.endswith("-") and text[-2:-1].isalnum()
    if not before.is_broken and not (is_dashed and after.text[:1].islower()):
        return text, " "
    head = text.rstrip("-")
    left = head.split()[-1] if head.split() else ""
    right = re.match(r"[\w-]*", after.text)
    whole = f"{left}-{right[0] if right else ''}".lower()
    is_word = left[-1:].isalpha() and after.text[:1].islower()
    stays = "-" in left or not is_word or whole in known
    return (f"{head}-" if stays else head), ""
