"""Sections and blocks of reStructuredText, read line by line with exact offsets.

docutils gives many nodes a wrong line or none, and no column at all, so it cannot tell where a
block stands; this scanner follows its rules for block structure. It includes nothing, runs
nothing and knows no directive by import: an unknown one is a paragraph with its body.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from commonplace.domain.document import Block, BlockKind, Span
from commonplace.parsers import rst_lines as rules
from commonplace.parsers.drafting import Heading, entry_name, one_line
from commonplace.parsers.rst_inline import make_id, normal_name, plain_rst
from commonplace.parsers.rst_lines import (
    Line,
    announced_from,
    paragraph_end,
    region_end,
    simple_table_end,
    title_at,
)

_MOST_DEPTH = 40  # indented bodies in bodies; one or two Python frames each
_CODE = frozenset(
    {"code-block", "code", "sourcecode", "parsed-literal", "doctest", "testcode", "testsetup"}
    | {"testcleanup", "testoutput", "prompt", "console", "highlight-block", "ipython", "jupyter"}
    | {"graphviz", "digraph", "graph", "mermaid", "uml", "plantuml", "productionlist", "raw"}
    | {"code-block-tabs", "terminal", "command-output", "program-output", "plot", "ipython3"}
)
_CODE_LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys(("doctest", "testcode", "testsetup", "testcleanup", "plot"), "python"),
    **dict.fromkeys(("ipython", "ipython3", "jupyter"), "python"),
    **dict.fromkeys(("graphviz", "digraph", "graph"), "dot"),
    **dict.fromkeys(("console", "terminal", "prompt"), "console"),
    **dict.fromkeys(("uml", "plantuml"), "plantuml"),
    "mermaid": "mermaid",
}
_TABLES = frozenset({"list-table", "csv-table", "flat-table"})
_ROW = re.compile(r"\* +- ?")
_PROMPT = re.compile(r">>>(?: |$)")


@dataclass(slots=True)
class Scan:
    """What is found while the lines go by."""

    text: str
    lines: Sequence[Line]
    headings: list[Heading] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)
    """Hyperlink targets by name: an address, or ``#anchor`` inside the document."""
    labels: dict[str, str] = field(default_factory=dict)
    """Labels by fragment, each with the anchor of the section it stands before or in."""
    documents: list[tuple[str, Span]] = field(default_factory=list)
    """Entries of toctrees."""
    attributes: dict[str, str] = field(default_factory=dict)
    _styles: list[str] = field(default_factory=list)
    _anchors: set[str] = field(default_factory=set)
    _labels: list[str] = field(default_factory=list)
    _open: list[Heading] = field(default_factory=list)
    """The last title and the entries being read under it."""
    _language: str | None = None

    def run(self) -> "Scan":
        """Scan all lines."""
        self._body(0, len(self.lines), 0)
        return self

    def _add(
        self,
        kind: BlockKind,
        at: int,
        end: int,
        language: str | None = None,
        rows: Sequence[int] = (),
    ) -> None:
        """A block of lines; ``rows`` are the lines where its atoms begin."""
        while end > at and not self.lines[end - 1].text:
            end -= 1
        if end <= at:
            return
        start, stop = self.lines[at].span.start, self.lines[end - 1].span.end
        span = Span(start, start + len(self.text[start:stop].rstrip()))
        cuts = sorted({at, *(row for row in rows if at < row < end)}) if rows else []
        edges = [self.lines[cut].span.start for cut in cuts]
        atoms = tuple(Span(a, b) for a, b in pairwise([*edges, span.end]))
        self.blocks.append(Block(kind=kind, span=span, language=language, atoms=atoms))
        if self._labels and self._open and self._open[0].anchor:
            self.labels |= dict.fromkeys(self._labels, self._open[0].anchor)
        self._labels.clear()

    def _body(self, at: int, end: int, depth: int, kind: BlockKind = "paragraph") -> None:
        """Blocks of a region whose least indent is that of its first line."""
        if depth > _MOST_DEPTH:
            self._add("other", at, end, rows=range(at, end))
            return
        while at < end and not self.lines[at].text:
            at += 1
        indent = self.lines[at].indent if at < end else 0
        while at < end:
            line = self.lines[at]
            if not line.text:
                at += 1
            elif line.indent > indent:
                stop = region_end(self.lines, at, end, indent)
                self._body(at, stop, depth + 1, "paragraph" if depth else "quote")
                at = stop
            else:
                title = title_at(self.lines, at) if not depth and not line.indent else None
                indent = min(indent, line.indent)
                at = self._title(at, title) if title else self._block(at, end, depth, kind)

    def _title(self, at: int, title: tuple[str, str, int]) -> int:
        style, words, length = title
        if style not in self._styles:
            self._styles.append(style)
        name = plain_rst(words)
        anchor = self._labels[0] if self._labels else make_id(name)
        if anchor in self._anchors:
            anchor = f"{anchor}-{len(self.headings)}"
        self._anchors.add(anchor)
        self.targets.setdefault(normal_name(name), f"#{anchor}")
        start = self.lines[announced_from(self.lines, at, words)].span.start
        level = self._styles.index(style) + 1
        heading = Heading(text=name, level=level, start=start, anchor=anchor)
        self.headings.append(heading)
        self._open = [heading]
        self._add("heading", at, at + length)
        return at + length

    def _block(self, at: int, end: int, depth: int, kind: BlockKind) -> int:
        """One block that begins at this line; the line after it."""
        text = self.lines[at].text
        for pattern, scan in self._beginnings():
            if pattern.match(text):
                return scan(at, end, depth)
        if rules.BULLET.match(text) or rules.FIELD.match(text) or rules.OPTION.match(text):
            return self._item(at, end, depth)
        if rules.ENUMERATED.match(text) and self._is_enumeration(at, end):
            return self._item(at, end, depth)
        return self._paragraph(at, end, depth, kind)

    def _beginnings(self) -> Sequence[tuple[re.Pattern[str], Callable[[int, int, int], int]]]:
        return (
            (rules.EXPLICIT, self._explicit),
            (rules.ANONYMOUS, self._skip),
            (rules.GRID, self._grid),
            (rules.SIMPLE, self._simple),
            (_PROMPT, self._prompt),
        )

    def _skip(self, at: int, _end: int, _depth: int) -> int:
        return at + 1

    def _prompt(self, at: int, end: int, _depth: int) -> int:
        stop = paragraph_end(self.lines, at, end)
        self._add("code", at, stop, "pycon", range(at, stop))
        return stop

    def _grid(self, at: int, end: int, _depth: int) -> int:
        stop = at
        while stop < end and self.lines[stop].text[:1] in {"+", "|"}:
            stop += 1
        rules_at = [n for n in range(at, stop - 1) if rules.GRID.match(self.lines[n].text)]
        # The head and the first row stay together.
        self._add("table", at, stop, rows=[at, *rules_at[2:]])
        return max(stop, at + 1)

    def _simple(self, at: int, end: int, _depth: int) -> int:
        stop = simple_table_end(self.lines, at, end)
        indent = self.lines[at].indent
        rows = [n for n in range(at, stop) if self.lines[n].text and self.lines[n].indent == indent]
        self._add("table", at, stop, rows=[at, *rows[4:-1]])
        return stop

    def _is_enumeration(self, at: int, end: int) -> bool:
        """The check of docutils: a line of prose after it, not indented, makes it prose too."""
        if at + 1 >= end or not self.lines[at + 1].text:
            return True
        following = self.lines[at + 1]
        is_deeper = following.indent > self.lines[at].indent
        return is_deeper or rules.ENUMERATED.match(following.text) is not None

    def _item(self, at: int, end: int, depth: int) -> int:
        """A list item: its first paragraph, then its body."""
        indent = self.lines[at].indent
        stop = at + 1
        while stop < end and self.lines[stop].text and self.lines[stop].indent > indent:
            if self._begins_item(stop) and not self.lines[stop - 1].text.endswith("\\"):
                break
            stop += 1
        self._field(at, stop)
        self._add("list_item", at, stop)
        return self._after(stop, end, indent, depth)

    def _begins_item(self, at: int) -> bool:
        text = self.lines[at].text
        return bool(rules.BULLET.match(text) or rules.EXPLICIT.match(text))

    def _field(self, at: int, stop: int) -> None:
        """Fields before the first heading and at its very foot tell of the document."""
        found = rules.FIELD.match(self.lines[at].text)
        if found and len(self.blocks) <= 1 + len(self.attributes) and not self.lines[at].indent:
            value = self.lines[at].text[found.end() :] + " "
            value += " ".join(line.text for line in self.lines[at + 1 : stop])
            self.attributes[one_line(found[1])] = one_line(value)

    def _after(self, at: int, end: int, indent: int, depth: int) -> int:
        """What is indented under the block just added: literal after ``::``, else a body."""
        stop = region_end(self.lines, at, end, indent)
        if stop == at:
            return at
        is_literal = self.lines[at - 1].text.endswith("::")
        if is_literal:
            while not self.lines[at].text:
                at += 1
            self._add("code", at, stop, self._language, range(at, stop))
        else:
            self._body(at, stop, depth + 1)
        return stop

    def _paragraph(self, at: int, end: int, depth: int, kind: BlockKind) -> int:
        indent = self.lines[at].indent
        stop = at + 1
        while stop < end and self.lines[stop].text and self.lines[stop].indent == indent:
            if not depth and title_at(self.lines, stop):
                break
            stop += 1
        is_term = stop < end and self.lines[stop].indent > indent and stop == at + 1
        if is_term and not self.lines[at].text.endswith("::"):
            inner = self.lines[stop].indent
            while stop < end and self.lines[stop].text and self.lines[stop].indent == inner:
                if self._begins_item(stop):
                    break
                stop += 1
            kind = "list_item"
        self._add(kind, at, stop)
        return self._after(stop, end, indent, depth)

    def _explicit(self, at: int, end: int, depth: int) -> int:
        """Directives, targets, footnotes; everything else that begins so is a comment."""
        text = self.lines[at].text
        indent = self.lines[at].indent
        target = rules.TARGET.match(text)
        if target:
            return self._target(at, end, target)
        directive = rules.DIRECTIVE.match(text)
        stop = region_end(self.lines, at + 1, end, indent)
        if directive:
            self._directive(at, max(stop, at + 1), depth, (directive[1], directive[2] or ""))
        elif rules.NOTE.match(text):
            first = paragraph_end(self.lines, at, max(stop, at + 1))
            self._add("list_item", at, first)
            self._body(first, stop, depth + 1)
        return max(stop, at + 1)

    def _target(self, at: int, end: int, target: re.Match[str]) -> int:
        name = normal_name(target[1].strip("`").replace("\\", ""))
        stop = region_end(self.lines, at + 1, end, self.lines[at].indent)
        address = "".join([target[2] or "", *(line.text for line in self.lines[at + 1 : stop])])
        if address.strip():
            self.targets[name] = address.strip()
            return max(stop, at + 1)
        label = make_id(name)
        self.targets[name] = f"#{label}"
        self._labels.append(label)
        return at + 1

    def _directive(self, at: int, stop: int, depth: int, head: tuple[str, str]) -> None:
        name = head[0].rpartition(":")[2].lower()
        if name == "highlight":
            self._language = one_line(head[1]).split(" ")[0] or None
        if name in _CODE:
            argument = head[1].strip().split(" ")[0]
            language = _CODE_LANGUAGES.get(name) or argument or self._language
            body = paragraph_end(self.lines, at, stop) + 1
            self._add("code", at, stop, language, [at, *range(body + 1, stop)])
        elif name == "math":
            self._add("math", at, stop, rows=range(at, stop))
        elif name in _TABLES:
            bodies = range(paragraph_end(self.lines, at, stop) + 1, stop)
            is_list = name != "csv-table"
            rows = [n for n in bodies if not is_list or _ROW.match(self.lines[n].text)]
            self._add("table", at, stop, rows=[at, *rows[2:]])
        elif name == "toctree":
            self._toctree(at, stop)
        else:
            self._described(at, stop, depth, (name, head[1]))

    def _described(self, at: int, stop: int, depth: int, head: tuple[str, str]) -> None:
        """A directive with a body; what it describes by name is an entry."""
        first = paragraph_end(self.lines, at, stop)
        entry = self._entry(at, stop, head) if first < stop else None
        if entry:
            self.headings.append(entry)
            self._open.append(entry)
        self._add("paragraph", at, first)
        self._body(first, stop, depth + 1)
        if entry:
            self._open.pop()

    def _entry(self, at: int, stop: int, head: tuple[str, str]) -> Heading | None:
        """The section a description makes, unless the heading above it names the same."""
        name = entry_name(head[1])
        if head[0] not in rules.DESCRIBING or not name or not self._open:
            return None
        above = self._open[-1]
        if name.rpartition(".")[2] in above.text:
            return None
        start, end = self.lines[at].span.start, self.lines[stop - 1].span.end
        return Heading(text=name, level=above.level + 1, start=start, end=end)

    def _toctree(self, at: int, stop: int) -> None:
        for line in self.lines[at + 1 : stop]:
            if line.text and not rules.FIELD.match(line.text):
                self.documents.append((line.text, line.span))
        self._add("other", at, stop, rows=range(at, stop))
