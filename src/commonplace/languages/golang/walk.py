"""A walk over a tree of Go: what only Go asks for on top of the common one."""

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr
from commonplace.languages.sheet import Sheet
from commonplace.languages.walk import Grammar, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

_DIRECTIVE = re.compile(r"//(?:go:|nolint|line |export |lint:)")


class GoWalk(Walk):
    """The state of a walk over one file."""

    def __init__(self, sheet: Sheet, grammar: Grammar, *, is_test: bool) -> None:
        super().__init__(sheet, grammar)
        self.is_test = is_test
        self.results: dict[int, list[Expr]] = {}
        """Results with names, by function."""
        self.switched: dict[int, tuple[str, Expr]] = {}
        """What a value is called in a case of a switch over its type, by the case's node."""
        self._outside: frozenset[str] | None = None

    def declared(self, label: str) -> Expr:
        """Declare a local from here on: until then, and behind its block, an outer one is meant.

        ``db := db.Open()`` asks the package that the local then hides.
        """
        if self.is_hidden(label):
            self.scope.names[label] = 1
            self.is_block, before = True, self.is_block
            found = self.local(label)
            self.is_block = before
            return found
        return self.local(label)

    def is_hidden(self, label: str) -> bool:
        """Whether declaring a local now hides what the name meant before."""
        return label not in self.scope.names and self._is_outside(label)

    def implied(self, callee: Expr, node: "Node") -> None:
        """A call that syntax makes."""
        at = self.sheet.at(node)
        self.calls.append(Call(self.scope.number, callee, (), (), at, False, True))

    def _is_outside(self, label: str) -> bool:
        """Whether a name means something around this function: an import, a symbol, a local."""
        if self._outside is None:  # bodies are read when all of the package's names are known
            known = {one.alias for one in self.imports}
            self._outside = frozenset(known | {name for above, name in self.named if not above})
        return label in self._outside or self.is_local(label)

    def documented(self, node: "Node") -> tuple[int, str]:
        """Where a definition begins with the comments right above it, and their text."""
        start, comment, self.comment = node.start_byte, self.comment, None
        if comment is None:
            return start, ""
        between = self.text[comment.end_byte : start]
        if between.strip() or between.count("\n") > 1 or comment.end_byte > start:
            return start, ""
        if self.text.startswith("/*", comment.start_byte):
            inner = self.text[comment.start_byte + 2 : comment.end_byte].removesuffix("*/")
            return comment.start_byte, inner.strip()
        return self._lines_above(comment.start_byte)

    def _lines_above(self, begin: int) -> tuple[int, str]:
        """The whole group of line comments that ends with the one that begins there."""
        lines = self.sheet.lines
        last = first = bisect_right(lines, begin) - 1
        while first > 0:
            above = self.text[lines[first - 1] : lines[first]].strip()
            if not above.startswith("//"):
                break
            first -= 1
        kept = []
        for number in range(first, last + 1):
            end = lines[number + 1] if number + 1 < len(lines) else len(self.text)
            line = self.text[lines[number] : end].strip()
            if not _DIRECTIVE.match(line):
                kept.append(line[line.find("//") + 2 :].removeprefix(" "))
        return max(lines[first], 0) if first != last else begin, "\n".join(kept).strip()
