"""A document as the rules read it: blocks in their sections, with their inline code."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from commonplace.domain.document import Block, Card, Document, Span
from commonplace.domain.media import PLAIN, RESTRUCTURED

# MyST writes roles as {role}`text`.
_MARKDOWN_CODE = re.compile(
    r"(?:\{(?P<role>[A-Za-z][\w:+.-]{0,40})\})?"
    r"(?<![`\\])(?P<mark>`{1,2})(?!`)(?P<text>[^`\n]{1,200}(?:\n[^`\n]{1,200})?)(?P=mark)(?!`)"
)
_RST_CODE = re.compile(
    r"``(?P<literal>[^`\n]{1,200}(?:\n[^`\n]{1,200})?|:[\w:]+:`[^`\n]+`)``"
    r"|:(?P<role>[A-Za-z][\w:+.-]{0,40}):`(?P<text>[^`]{1,200})`"
)
_MASKED = re.compile(r"`[^`\n]*`+_{0,2}|\]\([^()\n]*\)|<[^<>\n]*>|https?://\S+|:\w[\w:-]*:")
_CLASS = re.compile(r"^\s*(?:export |abstract |public )*class (\w+)", re.MULTILINE)
_EXPLICIT = re.compile(r"(.*?)\s*<([^<>]+)>$", re.DOTALL)
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Code:
    """A stretch of inline code, or reStructuredText with a role."""

    text: str
    span: Span
    """Of the text between the marks."""
    outer: Span
    """With the marks."""
    role: str = ""

    @property
    def target(self) -> str:
        """What a role refers to: ``~a.b`` and ``words <a.b>`` are ``a.b``."""
        explicit = _EXPLICIT.match(self.text)
        return (explicit[2] if explicit else self.text).strip().lstrip("~!")


@dataclass(frozen=True)
class Place:
    """A block, with what stands around it."""

    block: Block
    text: str
    headings: tuple[str, ...]
    """The chain of headings above it, outermost first."""
    lead: str
    """The paragraph just before a code block or table; empty when there is none."""
    codes: tuple[Code, ...]

    @cached_property
    def words(self) -> str:
        """The text with code, addresses and marks of links blanked, at the same offsets."""
        return _MASKED.sub(lambda found: "." * len(found[0]), self.text)

    @property
    def heading(self) -> str:
        """The nearest heading."""
        return self.headings[-1] if self.headings else ""


class Page:
    """A document and its card, read once for all rules."""

    def __init__(self, document: Document, card: Card) -> None:
        self.document = document
        self.card = card
        # A plain text is read as reStructuredText when it looks like it; single backquotes are
        # no code there.
        self.is_rst = card.media_type in {RESTRUCTURED, PLAIN}

    @property
    def text(self) -> str:
        """All of it."""
        return self.document.text

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every block in order."""
        return tuple(self._places())

    @cached_property
    def prose(self) -> tuple[Place, ...]:
        """Paragraphs, list items and quotations."""
        wanted = {"paragraph", "list_item", "quote"}
        return tuple(place for place in self.places if place.block.kind in wanted)

    @cached_property
    def programs(self) -> tuple[Place, ...]:
        """Code blocks."""
        return tuple(place for place in self.places if place.block.kind == "code")

    @cached_property
    def code_text(self) -> str:
        """All code blocks, to look a name up in."""
        return "\n".join(place.text for place in self.programs)

    @cached_property
    def made(self) -> frozenset[str]:
        """Classes that code of the page defines: most of them are an example's own."""
        return frozenset(_CLASS.findall(self.code_text))

    def _places(self) -> Iterator[Place]:
        sections = self.document.sections
        starts = [section.span.start for section in sections]
        chains: list[tuple[str, ...]] = []
        open_ones: list[tuple[int, str]] = []
        for section in sections:
            while open_ones and open_ones[-1][0] >= section.level:
                open_ones.pop()
            open_ones.append((section.level, section.heading))
            chains.append(tuple(heading for _level, heading in open_ones))
        lead = ""
        for block in self.document.blocks:
            text = block.span.of(self.document.text)
            number = bisect_right(starts, block.span.start)
            codes = () if block.kind in {"code", "math"} else tuple(self._codes(text, block.span))
            yield Place(block, text, chains[number - 1] if number else (), lead, codes)
            lead = text if block.kind in {"paragraph", "list_item"} else ""

    def _codes(self, text: str, span: Span) -> Iterator[Code]:
        if "`" not in text:
            return
        pattern = _RST_CODE if self.is_rst else _MARKDOWN_CODE
        for found in pattern.finditer(text):
            inner = "literal" if self.is_rst and found["literal"] else "text"
            role = (found["role"] or "").rpartition(":")[2]
            start, end = found.span(inner)
            yield Code(
                _SPACES.sub(" ", found[inner]).strip(),
                Span(span.start + start, span.start + end),
                Span(span.start + found.start(), span.start + found.end()),
                role,
            )
