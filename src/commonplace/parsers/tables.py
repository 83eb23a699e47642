"""HTML tables as GitHub tables: spans repeated, so that every row can be read alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonplace.domain.document import Link, Span
from commonplace.domain.encoding import clean
from commonplace.parsers.rendering import Margin, Run, Writer

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MOST_COLUMNS = 60  # wider spans are hostile or layout
_MOST_WIDTH = 40  # a column is not padded to more than this
_MOST_CELLS = 200_000  # rows times columns after repeating spans


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says and how far it reaches."""

    text: str
    links: tuple[tuple[int, int, str], ...]
    columns: int
    rows: int


def make_cell(element: "HtmlElement", run: Run) -> Cell:
    """A cell from its rendered inline text."""
    said = run.text
    text = said.replace("\n", " ").replace("|", "\\|")
    links = tuple(
        (start + said.count("|", 0, start), end + said.count("|", 0, end), target)
        for start, end, target in run.links
    )
    columns = min(_number(element.get("colspan")), _MOST_COLUMNS)
    return Cell(clean(text), links, columns, _number(element.get("rowspan")))


def _number(value: str | None) -> int:
    return max(1, int(value)) if value and value.isascii() and value.isdigit() else 1


def expand(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The grid with every cell repeated over the columns and rows it spans."""
    grid: list[list[Cell]] = []
    reaching: dict[int, tuple[int, Cell]] = {}
    cells = 0
    for row in rows:
        line: list[Cell] = []
        waiting = list(reversed(row))
        while (waiting or len(line) in reaching) and len(line) < _MOST_COLUMNS * 4:
            column = len(line)
            if column in reaching:
                left, cell = reaching.pop(column)
                line.append(cell)
                if left > 1:
                    reaching[column] = (left - 1, cell)
                continue
            cell = waiting.pop()
            for offset in range(cell.columns):
                if cell.rows > 1:
                    reaching[column + offset] = (cell.rows, cell)
                else:
                    line.append(cell)
        cells += len(line)
        if cells > _MOST_CELLS:
            break
        grid.append(line)
    return grid


def lays_out(table: "HtmlElement") -> bool:
    """Whether a table lays out blocks instead of telling facts."""
    if table.get("role") in {"presentation", "none"} or table.xpath("count(.//td | .//th) < 2"):
        return True
    if table.xpath("boolean(.//pre | .//h1 | .//h2 | .//h3 | .//ul/li/ul)"):
        return True
    is_outer = table.xpath("boolean(.//table)")
    return is_outer and not table.xpath("boolean(./tr/th | ./thead/tr/th | ./tbody/tr/th)")


def write_table(writer: Writer, grid: Sequence[Sequence[Cell]], margin: Margin) -> None:
    """The grid with aligned columns; its first row is the head, since GitHub's tables need one."""
    count = max((len(row) for row in grid), default=0)
    filled = [row for row in grid if any(cell.text for cell in row)]
    if not count or not filled:
        return
    rows = [[*row, *[_EMPTY] * (count - len(row))] for row in filled]
    widths = [_width([row[column] for row in rows]) for column in range(count)]
    lines = [
        "| " + " | ".join(map(str.ljust, [cell.text for cell in row], widths)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    rest = len(margin.rest)
    first = len(margin.first)
    at = writer.lines("table", lines, margin).start + first
    for number, (row, line) in enumerate(zip(rows, lines[:1] + lines[2:], strict=True)):
        if number == 1:
            at += len(lines[1]) + 1 + rest
        _write_links(writer, row, widths, at)
        at += len(line) + 1 + rest


_EMPTY = Cell("", (), 1, 1)


def _width(cells: Sequence[Cell]) -> int:
    """How wide a column is drawn: as its longest cell, unless that would be mostly blanks."""
    return max(1, *(min(len(cell.text), _MOST_WIDTH) for cell in cells))


def _write_links(writer: Writer, row: Sequence[Cell], widths: Sequence[int], at: int) -> None:
    for cell, width in zip(row, widths, strict=True):
        at += 2
        for start, end, target in cell.links:
            end = min(end, len(cell.text))
            if start < end:
                span = Span(at + start, at + end)
                text = cell.text[start:end]
                writer.links.append(Link(target=clean(target), text=text, span=span))
        at += max(len(cell.text), width) + 1
