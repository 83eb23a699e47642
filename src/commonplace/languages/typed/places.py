"""Places in a text whose tree is made of its UTF-8: lines and columns of characters."""

from itertools import accumulate
from typing import TYPE_CHECKING

from commonplace.domain.code import At

if TYPE_CHECKING:
    from tree_sitter import Node


class Places:
    """A text and where its nodes stand."""

    __slots__ = ("encoded", "is_ascii", "starts", "whole")

    def __init__(self, whole: str) -> None:
        if whole.startswith("\ufeff"):
            whole = " " + whole[1:]
        self.whole = whole
        self.encoded = whole.encode("utf-8", "replace")
        self.is_ascii = len(self.encoded) == len(whole)
        self.starts: list[int] = []
        if not self.is_ascii:
            lengths = (len(line) + 1 for line in self.encoded.split(b"\n"))
            self.starts = [0, *accumulate(lengths)]

    def at(self, node: "Node") -> At:
        """Where a node stands."""
        (row, column), (end_row, end_column) = node.start_point, node.end_point
        if self.is_ascii:
            return At(row + 1, column, end_row + 1, end_column)
        return At(
            row + 1,
            self._characters(row, column),
            end_row + 1,
            self._characters(end_row, end_column),
        )

    def at_byte(self, place: int) -> At:
        """Where one byte stands."""
        row = self.encoded.count(b"\n", 0, place)
        start = self.encoded.rfind(b"\n", 0, place) + 1
        column = len(self.encoded[start:place].decode("utf-8", "replace"))
        return At(row + 1, column, row + 1, column + 1)

    def between(self, first: "Node", last: "Node") -> At:
        """From the beginning of one node to the end of another."""
        start, end = self.at(first), self.at(last)
        return At(start.line, start.column, end.end_line, end.end_column)

    def text(self, node: "Node") -> str:
        """What a node covers."""
        return self.slice(node.start_byte, node.end_byte)

    def slice(self, start: int, end: int) -> str:
        """What stands between two bytes."""
        if self.is_ascii:
            return self.whole[start:end]
        return self.encoded[start:end].decode("utf-8", "replace")

    def line(self, start: int, end: int) -> str:
        """What stands between two bytes, as one line."""
        return " ".join(self.slice(start, end).split())

    def all(self) -> At:
        """Where the text itself stands."""
        lines = self.whole.count("\n") + 1
        return At(1, 0, lines, len(self.whole) - self.whole.rfind("\n") - 1)

    def _characters(self, row: int, column: int) -> int:
        start = self.starts[row] if row < len(self.starts) else len(self.encoded)
        return len(self.encoded[start : start + column].decode("utf-8", "replace"))
