"""Writing rendered text: blocks go in, text with exact offsets comes out.

Formats that are not written as text (HTML, DOCX, notebooks) are rendered as Markdown-like text
through this writer.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from commonplace.domain.document import Block, BlockKind, Image, Link, Span
from commonplace.domain.encoding import clean
from commonplace.parsers.drafting import Heading, line_spans, one_line

_WHITE = re.compile(r"[ \t\r\n\f\u200b]+")
_BREAK = re.compile("\n")
_FENCE = re.compile(r"^`{3,}", re.MULTILINE)


@dataclass(slots=True)
class Run:
    """Inline text being collected: white space collapses, links keep their place."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    links: list[tuple[int, int, str]] = field(default_factory=list)
    """Start, end, target."""
    last: str = "\n"

    def add(self, text: str | None, is_exact: bool = False) -> None:
        """Append text; unless it is exact, runs of white space become one space."""
        if not text:
            return
        if not is_exact:
            text = _WHITE.sub(" ", text)
            if self.last in " \n" and text.startswith(" "):
                text = text[1:]
        if text:
            self.parts.append(text)
            self.length += len(text)
            self.last = text[-1]

    def link(self, start: int, target: str) -> None:
        """Everything added since ``start`` is a link."""
        if self.length > start:
            self.links.append((start, self.length, target))

    def join(self, other: "Run", between: str) -> None:
        """Append another run, after something in between unless this one is empty."""
        if not other.length:
            return
        self.add(between if self.length else "", is_exact=True)
        self.links += [(a + self.length, b + self.length, c) for a, b, c in other.links]
        self.parts += other.parts
        self.length += other.length
        self.last = other.last

    def close(self, mark: str) -> None:
        """Set a mark right behind the last word."""
        while self.parts and not self.parts[-1].strip():
            self.length -= len(self.parts.pop())
        if self.parts:
            self.length -= len(self.parts[-1]) - len(self.parts[-1].rstrip())
            self.parts[-1] = self.parts[-1].rstrip()
        self.add(mark, is_exact=True)

    @property
    def text(self) -> str:
        """What was collected, without white space at the end."""
        return clean("".join(self.parts).rstrip())


@dataclass(slots=True)
class Margin:
    """What stands before the lines of a block: list marks once, then their indent."""

    first: str = ""
    rest: str = ""
    label: Run | None = None
    """What stands before the first words: of a note, of a definition."""

    def take(self) -> tuple[str, str]:
        """The margin of the next block; list marks are used up."""
        first, self.first = self.first, self.rest
        return first, self.rest

    @property
    def kind(self) -> BlockKind:
        """What a paragraph is here: after an unused list mark or quotation mark."""
        if self.first != self.rest:
            return "quote" if self.first.endswith("> ") else "list_item"
        return "quote" if self.rest.endswith("> ") else "paragraph"

    def deeper(self, mark: str, rest: str) -> "Margin":
        """A margin inside this one."""
        first, own_rest = self.take()
        return Margin(first + mark, own_rest + rest)


@dataclass(slots=True)
class Writer:
    """The rendered text so far and its structure."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    headings: list[Heading] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All blocks, with a newline at the end."""
        return "".join([*self.parts, "\n"]) if self.parts else ""

    def begin(self, kind: BlockKind) -> int:
        """Leave the space that separates blocks; where the next one starts."""
        if self.blocks:
            both = kind == "list_item" and self.blocks[-1].kind == "list_item"
            self.put("\n" if both else "\n\n")
        return self.length

    def put(self, text: str) -> None:
        """Append text as it is."""
        self.parts.append(text)
        self.length += len(text)

    def write(self, run: Run, margin: Margin, kind: BlockKind | None = None) -> bool:
        """A block of inline text; blank ones are not written. Whether it was."""
        if not run.text.strip():
            return False
        if margin.label is not None:
            label, margin.label = margin.label, None
            label.join(run, "")
            run = label
        text = run.text
        kind = kind or margin.kind
        first, rest = margin.take()
        start = self.begin(kind)
        self.put(first + text.replace("\n", "\n" + rest))
        breaks = [found.start() for found in _BREAK.finditer(text)]
        for left, right, target in run.links:
            right = min(right, len(text))
            if left < right:
                span = Span(
                    start + len(first) + left + bisect_left(breaks, left) * len(rest),
                    start + len(first) + right + bisect_left(breaks, right) * len(rest),
                )
                self.links.append(Link(target=clean(target), text=text[left:right], span=span))
        self.blocks.append(Block(kind=kind, span=Span(start, self.length)))
        return True

    def say_label(self, margin: Margin) -> None:
        """Write a label that no words followed, as a line of its own."""
        label, margin.label = margin.label, None
        if label is not None:
            self.write(label, margin)

    def heading(self, run: Run, level: int, anchor: str | None, margin: Margin) -> bool:
        """A heading; it opens a section unless it stands inside a list or quotation."""
        self.say_label(margin)
        marked = Run(last="")
        marked.add("#" * level + " ", is_exact=True)
        title = run.text.replace("\n", " ")
        marked.add(title, is_exact=True)
        marked.links = [(a + level + 1, b + level + 1, target) for a, b, target in run.links]
        is_top = not margin.first and not margin.rest
        if not title.strip() or not self.write(marked, margin, "heading"):
            return False
        if is_top:
            start = self.blocks[-1].span.start
            title = one_line(title.replace("`", ""))
            self.headings.append(Heading(text=title, level=level, start=start, anchor=anchor))
        return True

    def code(self, code: str, language: str | None, margin: Margin) -> None:
        """A fenced block; the fence is longer than any inside it."""
        code = clean(code.replace("\r\n", "\n").replace("\r", "\n")).strip("\n").rstrip()
        if not code:
            return
        longest = max((len(found) for found in _FENCE.findall(code)), default=2)
        fence = "`" * max(3, longest + 1)
        self.lines("code", [f"{fence}{language or ''}", *code.split("\n"), fence], margin, language)

    def lines(
        self, kind: BlockKind, lines: list[str], margin: Margin, language: str | None = None
    ) -> Span:
        """A block of given lines, each an atom; the first two and the last two stay together."""
        self.say_label(margin)
        first, rest = margin.take()
        start = self.begin(kind)
        self.put(first + ("\n" + rest).join(lines))
        text = first + ("\n" + rest).join(lines)
        atoms = [Span(start + a.start, start + a.end) for a in line_spans(text)]
        if len(atoms) > 1:
            atoms[:2] = [Span(atoms[0].start, atoms[1].end)]
        if kind == "code" and len(atoms) > 1:
            atoms[-2:] = [Span(atoms[-2].start, atoms[-1].end)]
        span = Span(start, self.length)
        self.blocks.append(Block(kind=kind, span=span, language=language, atoms=tuple(atoms)))
        return span
