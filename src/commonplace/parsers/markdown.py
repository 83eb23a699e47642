"""Markdown: CommonMark with GFM tables and front matter; offsets count the file's characters.

markdown-it finds the blocks and their lines; it never sees inline text, which ``inline`` reads
only where a link can be.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from commonplace.domain.document import Block, BlockKind, Document, Link, Resource, Span
from commonplace.domain.encoding import decode
from commonplace.domain.media import MARKDOWN, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import (
    Heading,
    Slugs,
    fill_gaps,
    line_spans,
    make_sections,
    make_title,
    trimmed,
)
from commonplace.parsers.frontmatter import FrontMatter, read_front_matter
from commonplace.parsers.guard import guarded
from commonplace.parsers.inline import find_links, picture_words, plain

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Each list or quote takes two levels and three Python frames; nobody nests fifty by hand.
_MOST_NESTED = 100
_ATX = re.compile(r"\A[ \t]{0,3}#{1,6}(?:[ \t]+|$)|[ \t]+#+[ \t]*$|[ \t]+$")
_EXPLICIT = re.compile(r"\s*\{(?:/\*\s*)?#([\w.:-]+)[^{}]{0,200}\}\s*$")
_NAMED = re.compile(r"<a\s[^<>]{0,200}?(?:id|name)=[\"']?([\w.:-]+)", re.IGNORECASE)
_HTML_HEADING = re.compile(r"\s*<h([1-6])\b[^<>]{0,400}>(.{1,400}?)</h\1>", re.I | re.DOTALL)


@dataclass(slots=True)
class Draft:
    """What is found of a text while its blocks go by."""

    headings: list[Heading] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


@lru_cache(maxsize=1)
def _markdown_it() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - catalog files load their library late

    reader = MarkdownIt("commonmark", {"maxNesting": _MOST_NESTED}).enable("table")
    return reader.disable(["inline", "text_join"])


def _kinds(tokens: "list[Token]") -> "Iterator[tuple[Token, BlockKind, bool]]":
    """Leaf blocks with their kind and whether they stand at the top, outside lists and quotes."""
    inside: list[str] = []
    is_item_start = False
    for token in tokens:
        name = token.type
        if name in {"list_item_open", "blockquote_open"}:
            inside.append(name)
            is_item_start = name == "list_item_open"
        elif name in {"list_item_close", "blockquote_close"}:
            inside.pop()
        elif name in _LEAVES:
            kind = _LEAVES[name]
            if kind == "paragraph" and inside:
                is_quote = inside[-1] == "blockquote_open"
                kind = "quote" if is_quote else "list_item" if is_item_start else "paragraph"
            is_item_start = False
            yield token, kind, not inside


_LEAVES: Mapping[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "html_block": "other",
}


def _atoms(kind: BlockKind, text: str, span: Span, is_fenced: bool) -> tuple[Span, ...]:
    """Lines of code and rows of a table; the opening fence and the table's head stay whole."""
    if kind not in {"code", "table", "other"}:
        return ()
    lines = list(line_spans(text, span.start, span.end))
    if (kind == "table" or is_fenced) and len(lines) > 1:
        lines[:2] = [Span(lines[0].start, lines[1].end)]
    if is_fenced and len(lines) > 1:
        lines[-2:] = [Span(lines[-2].start, lines[-1].end)]
    return tuple(lines)


def _heading(token: "Token", source: str, start: int, slugs: Slugs) -> Heading:
    """A heading of either style from the source of its block, with its anchor."""
    if token.markup.startswith("#"):
        words = _ATX.sub("", source)
    else:
        words = source.rstrip().rsplit("\n", 1)[0].rsplit("\r", 1)[0]
    explicit = _EXPLICIT.search(words)
    if explicit:
        words = words[: explicit.start()]
    named = explicit or _NAMED.search(words)
    title = plain(words) or picture_words(words)
    anchor = named[1] if named else slugs.give(title)
    return Heading(text=title, level=int(token.tag[1]), start=start, anchor=anchor)


def _html_heading(source: str, start: int, slugs: Slugs) -> list[Heading]:
    """A block of HTML that opens with a heading, as many README files do."""
    found = _HTML_HEADING.match(source)
    title = (plain(found[2]) or picture_words(found[2])) if found else ""
    if not found or not title:
        return []
    return [Heading(text=title, level=int(found[1]), start=start, anchor=slugs.give(title))]


def draft(text: str, base: int, slugs: Slugs) -> Draft:
    """The structure of a Markdown text that stands at character ``base`` of its document."""
    found = Draft()
    environment: dict[str, dict[str, dict[str, str]]] = {}
    tokens = _markdown_it().parse(text, environment)
    defined = environment.get("references", {})
    references = {label: definition["href"] for label, definition in defined.items()}
    starts = [line.start for line in line_spans(text)]
    starts.append(len(text))
    for token, kind, is_top in _kinds(tokens):
        if token.map is None:
            continue
        start, end = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
        span = Span(start, start + len(text[start:end].rstrip()))
        source = span.of(text)
        moved = Span(base + span.start, base + span.end)
        if kind == "heading" and is_top:
            found.headings.append(_heading(token, source, moved.start, slugs))
        elif kind == "other" and is_top:
            found.headings.extend(_html_heading(source, moved.start, slugs))
        language = (token.info.split() or [""])[0].strip("{}.").split(",")[0] or None
        atoms = _atoms(kind, text, span, token.type == "fence")
        found.blocks.append(
            Block(
                kind=kind,
                span=moved,
                language=language if kind == "code" else None,
                atoms=tuple(Span(base + atom.start, base + atom.end) for atom in atoms),
            )
        )
        if kind not in {"code", "other"}:
            found.links.extend(find_links(source, moved.start, references))
    return found


def _head(text: str, front: FrontMatter) -> list[Block]:
    span = trimmed(text, 0, front.end)
    if not len(span):
        return []
    return [Block(kind="other", span=span, atoms=tuple(line_spans(text, 0, span.end)))]


def _first_heading(headings: Sequence[Heading]) -> str:
    """The first of level 1, or the very first, unless others stand above it: a banner does not."""
    highest = min((one.level for one in headings), default=1)
    if highest > 1 and headings[0].level > highest:
        return ""
    return next((one.text for one in headings if one.level == highest), "")


def parse_markdown(resource: Resource) -> Document:
    """A Markdown file as a document; its text is the file's."""
    decoded = decode(resource.content)
    text = decoded.text
    front = read_front_matter(text)
    found = draft(text[front.end :], front.end, Slugs())
    return Document(
        title=make_title(
            resource.path,
            front.attributes.get("title", ""),
            _first_heading(found.headings),
        ),
        text=text,
        sections=make_sections(found.headings, len(text)),
        blocks=fill_gaps(text, _head(text, front) + found.blocks),
        links=tuple(found.links),
        tags=front.tags,
        attributes=front.attributes,
        warnings=decoded.warnings + front.warnings,
    )


PARSER = Parser(
    name="markdown",
    media_types=(MARKDOWN, "text/x-markdown"),
    suffixes=suffixes_of(MARKDOWN),
    parse=guarded(parse_markdown),
)
