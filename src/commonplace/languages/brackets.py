"""Half-written files of languages with braces: one left open must not cost the rest of the file.

Grammars give up on a file whose last method is not finished yet, or on a class in which one brace
is missing. How lines are indented tells what was meant: a line further out than a block's first
ends it. What is missing is put where a blank stands, a statement that leaves a bracket open is
blanked, and what is open at the end is closed there, so that everything keeps its place.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from commonplace.domain.code import At, Facts, Problem

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MOST_BYTES = 500_000  # half-written files are written by hand
MOST_PROBLEMS = 50
_MOST_LINE = 1000
_TOKEN = re.compile(
    rb"//[^\n]*"
    rb"|/\*.*?(?:\*/|(?P<open>\Z))"
    rb'|""".*?(?:"""|(?P<open_text>\Z))'
    rb'|@"(?:""|[^"])*(?:"|(?P<open_verbatim>\Z))'
    rb'|"(?:\\.|[^"\\\n])*"'
    rb"|'(?:\\.|[^'\\\n])*'"
    rb"|`(?:\\.|[^`\\])*(?:`|(?P<open_template>\Z))"
    rb"|[()\[\]{}]"
    rb"|^[ \t]*(?=[^\s/])",
    re.MULTILINE | re.DOTALL,
)
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}
_NO_END = re.compile(rb"[)\]}{#]|(?:case\b|default\b|\w+:(?!:))")
"""What may stand further out than the block it is in, or ends one by itself."""
_NO_ARGUMENT = re.compile(rb"(?:return|if|for|while|try|throw|break|continue|public|private)\b")
_BLANKS = bytes(one if one in b"\r\n" else 0x20 for one in range(256))
_GOES_ON = re.compile(rb"[)\]}.,?:&|+=-]")
"""What a line that belongs to the bracket of one above may begin with, as far out as that."""


@dataclass(slots=True)
class _Open:
    """A bracket that waits for its end."""

    place: int
    sign: bytes
    line: int
    """Where its line begins."""
    indent: int
    body: int = -1
    """How far in its first line is; -1 before there is one."""
    has_block: bool = False
    """Whether a block was opened within it on its own line."""
    head: int = -1
    """Of a block behind round brackets, how far in these begin."""


@dataclass(slots=True)
class _Reader:
    source: bytes
    found: bytearray
    keeps_lines: bool
    waiting: list[_Open] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    line: int = 0
    indent: int = 0
    text_end: int = 0
    """Where the last text or comment ended."""
    head: tuple[int, int] = (-1, -1)
    """Where the last round bracket was closed, and how far in it was opened."""

    def run(self) -> None:
        for match in _TOKEN.finditer(self.source):
            sign = match.group()
            if match.lastgroup is not None:  # a text or comment that has no end
                self.found[match.start() :] = sign.translate(_BLANKS)
            elif sign in _CLOSING:
                self._opened(match.start(), sign)
            elif sign in (b")", b"]", b"}"):
                self._closed(match.start(), sign)
            elif sign[:1] in (b"/", b'"', b"'", b"`", b"@"):
                self.text_end = match.end()
            else:
                self._begun(match.start(), match.end())
        self._ended()

    def _opened(self, place: int, sign: bytes) -> None:
        if sign == b"{":
            for one in reversed(self.waiting):
                if one.has_block or one.line != self.line:
                    break
                one.has_block = True
        block = _Open(place, sign, self.line, self.indent)
        end, indent = self.head
        if sign == b"{" and end >= 0 and not self.source[end + 1 : place].strip():
            block.head = indent
        elif sign == b"{" and self.waiting and self.waiting[-1].line == self.line:
            block.head = self.waiting[-1].indent
        self.waiting.append(block)

    def _begun(self, line: int, place: int) -> None:
        """A line: it may be the first of a block, or tell that something should have ended."""
        self.line, self.indent = line, place - line
        rest = self.source[place : place + 40]
        ends_block = _NO_END.match(rest) is None
        ends_list = _GOES_ON.match(rest) is None
        while self.waiting:
            last = self.waiting[-1]
            if last.sign == b"{":
                is_empty = last.body < 0 and self.indent <= last.head
                if last.body < 0:
                    last.body = self.indent
                if not ends_block or (self.indent >= last.body and not is_empty):
                    return
                self._put_end(place)
            elif (ends_list and self.indent <= last.indent) or _NO_ARGUMENT.match(rest):
                self._drop_open(line)
            else:
                return

    def _put_end(self, place: int) -> None:
        """End the innermost block before what stands at a place; without room, it never began."""
        block = self.waiting.pop()
        self.faults.append(block.place)
        before = len(self.found[:place].rstrip(b" \t\r\n}"))
        line = self.found.find(b"\n", before, place) + 1
        for room in range(line, place):
            if self.found[room] in b" \t":
                self.found[room : room + 1] = b"}"
                return
        if not self.keeps_lines and self.found[place - 2 : place] == b"\n\n":
            self.found[place - 1 : place] = b"}"
        elif block.body < 0 or block.body <= block.head:
            self.found[block.place : block.place + 1] = b" "
            for one in reversed(self.waiting):
                if one.line != block.line:
                    break
                one.has_block = False

    def _closed(self, place: int, sign: bytes) -> None:
        if sign == b"}":
            self._drop_open(place)
            self._end_inner(place)
        if self.waiting and _CLOSING[self.waiting[-1].sign] == sign:
            self.head = (place, self.waiting.pop().indent)

    def _drop_open(self, place: int) -> None:
        """Take out the statements that left round and square brackets open before a place."""
        outermost: dict[int, _Open] = {}
        while self.waiting and self.waiting[-1].sign != b"{":
            one = self.waiting.pop()
            self.faults.append(one.place)
            outermost[one.line] = one
            if one.has_block:
                self.found[one.place : one.place + 1] = b" "
        for one in outermost.values():
            if not one.has_block:
                end = self.source.find(b"\n", one.place, place)
                first, last = _begin(self.source, one.place), place if end < 0 else end
                self.found[first:last] = b" " * (last - first)

    def _end_inner(self, place: int) -> None:
        """A brace that begins a line ends the block that begins as far in as it stands."""
        if self.line + self.indent != place:
            return
        further_out = (one for one in reversed(self.waiting) if one.indent <= self.indent)
        meant = next(further_out, None)
        if meant is None or meant.sign != b"{" or meant.indent != self.indent:
            return
        while self.waiting and self.waiting[-1].sign == b"{":
            if self.waiting[-1].indent <= self.indent:
                return
            self._put_end(place)

    def _ended(self) -> None:
        """Close at the end of the text what is open there."""
        begin = max(self.text_end, self.found.rfind(b"\n") + 1)
        quote = self.found.find(b'"', begin)
        if quote >= 0:  # a text that is being written
            self.found[quote:] = b" " * (len(self.found) - quote)
        while self.waiting:
            one = self.waiting.pop()
            self.faults.append(one.place)
            self.found += _CLOSING[one.sign]


def _begin(source: bytes, place: int) -> int:
    """Where the statement at a place begins in its line."""
    line = max(source.rfind(b"\n", 0, place) + 1, place - _MOST_LINE)
    start = max(line - 1, *(source.rfind(one, line, place) for one in (b"{", b"}", b";"))) + 1
    while source[start : start + 1] in (b" ", b"\t"):
        start += 1
    return start


def mended(source: bytes, *, keeps_lines: bool = True) -> tuple[bytes, list[int]] | None:
    r"""The source with its brackets paired, and those that were left open; None for none.

    What is longer than it was is so at its end. An empty line may be used up for an end where lines
    need not stay what they are.

    >>> mended(b"class A {\n    void f() {\n        g(\n    void h() {}\n}\n")
    (b'class A {\n    void f() {\n}         \n    void h() {}\n}\n', [23, 34])
    """
    if len(source) > MOST_BYTES:
        return None
    reader = _Reader(source, bytearray(source), keeps_lines)
    reader.run()
    return (bytes(reader.found), sorted(reader.faults)) if reader.faults else None


def better(
    parser: "Parser", source: bytes, root: "Node", *, keeps_lines: bool = True
) -> "tuple[Node, list[int]]":
    """The tree of the source with its brackets paired, if more of it is understood so.

    Else the tree as it is; with it the brackets that were left open.
    """
    best, opened = root, list[int]()
    if root.has_error:
        end = len(source.rstrip())
        last = _begin(source, end)
        # What is being written at the end of a file may be no syntax however it is closed.
        for other in (source, source[:last] + b" " * (end - last) + source[end:]):
            closed = mended(other, keeps_lines=keeps_lines)
            again = parser.parse(closed[0]).root_node if closed else root
            if closed and unread(again) < unread(best):
                best, opened = again, closed[1]
    return best, opened


def unread(root: "Node") -> int:
    """How many bytes are no syntax; what is missing counts as one."""
    waiting, count = [root], 0
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            count += node.end_byte - node.start_byte + 1
        else:
            waiting.extend(child for child in node.children if child.has_error)
    return count


def problems(faults: list[int], at: Callable[[int], At]) -> list[Problem]:
    """What is told of brackets that were left open."""
    return [Problem("a bracket is left open", at(one)) for one in faults[:MOST_PROBLEMS]]


def within(facts: Facts, whole: At) -> Facts:
    """Facts of a text that was closed at its end: nothing in it ends behind it."""

    def cut(at: At) -> At:
        column, end = at.column, at.end_column
        if at.line == whole.end_line:
            column = min(column, whole.end_column)
        if at.end_line == whole.end_line:
            end = min(end, whole.end_column)
        return At(at.line, column, at.end_line, end)

    return replace(
        facts,
        symbols=tuple(replace(one, at=cut(one.at)) for one in facts.symbols),
        imports=tuple(one._replace(at=cut(one.at)) for one in facts.imports),
        calls=tuple(one._replace(at=cut(one.at)) for one in facts.calls),
        uses=tuple(one._replace(at=cut(one.at)) for one in facts.uses),
        texts=tuple(one._replace(at=cut(one.at)) for one in facts.texts),
        problems=tuple(one._replace(at=cut(one.at)) for one in facts.problems),
    )
