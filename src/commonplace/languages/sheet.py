"""A text as grammars read it: one byte a character, so that offsets in the tree are offsets in it.

Grammars count bytes. Characters beyond ASCII are therefore stood in for by one of ASCII of the same
sort before the text is parsed; names and strings are cut from the text as it was.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, count
from operator import add
from sys import intern
from typing import TYPE_CHECKING

from commonplace.domain.code import At, Problem

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_CHARS = 2_000_000  # eight seconds and 300 MB when every line calls something
MOST_MINIFIED = 400_000  # of a bundle, names are gone and calls say nothing
MOST_PROBLEMS = 50
_BEYOND = re.compile(r"[^\x00-\x7f]")
_new = tuple.__new__  # half the time of what it stands for, tens of times a file


def _stand_in(match: re.Match[str]) -> str:
    character = match.group()
    if ("a" + character).isidentifier():
        return "a"
    return " " if character.isspace() or character == "\ufeff" else "?"


class Sheet:
    """A text, its lines and what nodes cover of it."""

    __slots__ = ("lines", "source", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        plain = text if text.isascii() else _BEYOND.sub(_stand_in, text)
        self.source = plain.encode("ascii")
        lengths = map(len, text.split("\n"))
        self.lines = [*map(add, accumulate(lengths, initial=0), count())][:-1]

    def word(self, node: "Node") -> str:
        """What a node covers; the same word is the same object."""
        return intern(self.text[node.start_byte : node.end_byte])

    def line(self, start: int, end: int) -> str:
        """What stands between, as one line."""
        return " ".join(self.text[start:end].split())

    def at(self, node: "Node") -> At:
        """Where a node stands."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> At:
        """Where a stretch of the text stands."""
        lines = self.lines
        line = bisect_right(lines, start)
        begin = lines[line - 1]
        if line == len(lines) or end < lines[line]:
            return _new(At, (line, start - begin, line, end - begin))
        last = bisect_right(lines, end)
        return _new(At, (line, start - begin, last, end - lines[last - 1]))

    def whole(self) -> At:
        """Where the text itself stands."""
        return self.between(0, len(self.text))


def faults(sheet: Sheet, root: "Node") -> Iterator[Problem]:
    """What the grammar did not understand, the first fifty, in order."""
    pending, count = [root], 0
    while pending and count < MOST_PROBLEMS:
        node = pending.pop()
        if not node.has_error:
            continue
        if node.is_error or node.is_missing:
            count += 1
            what = f"missing {node.type}" if node.is_missing else "syntax error"
            yield Problem(what, sheet.at(node))
            continue
        pending.extend(reversed(node.children))
