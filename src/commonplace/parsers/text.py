"""Plain text: paragraphs at blank lines, and headings only where the writer left no doubt."""

import re
from collections.abc import Iterator

from commonplace.domain.document import Block, Document, Resource, Span
from commonplace.domain.encoding import decode
from commonplace.domain.media import PLAIN, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import (
    Heading,
    Slugs,
    line_spans,
    make_sections,
    make_title,
    one_line,
)
from commonplace.parsers.guard import guarded
from commonplace.parsers.inline import find_links
from commonplace.parsers.rst import looks_like_rst, read_rst

_RULE = re.compile(r"([=\-~^*#])\1{2,}")
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})\.?[ \t]+[A-Z]\S*(?:[ \t]\S+){0,11}")
_SENTENCE_END = re.compile(r"[.,;:!?]$")
_UNDERLINE_LEVELS = {"=": 1, "#": 1, "*": 1, "-": 2, "~": 3, "^": 4}
_MANUAL = re.compile(r"(?P<name>[\w.:+-]+)\((?P<part>\d\w*)\)[ \t].*[ \t](?P=name)\((?P=part)\)")
_MOST_HEADING_CHARS = 100
_CODE_INDENT = 4

Lines = list[tuple[Span, str]]
"""Each line of a paragraph with its stripped text."""


def _paragraphs(text: str) -> Iterator[Lines]:
    """Runs of lines that are not blank; a form feed ends one."""
    lines: Lines = []
    for span in line_spans(text):
        words = span.of(text).strip()
        if words:
            lines.append((span, words))
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _underlined(lines: Lines) -> int | None:
    """The level of a title with a rule of about its length under it."""
    if len(lines) < 2 or len(lines[0][1]) > _MOST_HEADING_CHARS:
        return None
    title, rule = lines[0][1], lines[1][1]
    is_rule = _RULE.fullmatch(rule) is not None and _RULE.fullmatch(title) is None
    if not is_rule or abs(len(rule) - len(title)) > 3:
        return None
    return _UNDERLINE_LEVELS[rule[0]]


def _overlined(lines: Lines) -> bool:
    """Whether these are a title between two like rules: the title of the whole text."""
    if len(lines) < 3 or lines[0][1] != lines[2][1] or _RULE.fullmatch(lines[0][1]) is None:
        return False
    title = lines[1][1]
    return _RULE.fullmatch(title) is None and 0 <= len(lines[0][1]) - len(title) <= 4


def _standing(text: str, lines: Lines) -> int | None:
    """The level of a numbered or all-capitals line that stands alone or above indented text."""
    span, words = lines[0]
    is_alone = len(lines) == 1 or text[lines[1][0].start] in " \t"
    if not is_alone or len(words) > _MOST_HEADING_CHARS or text[span.start] in " \t":
        return None
    if len(lines) == 1 and _NUMBERED.fullmatch(words) and not _SENTENCE_END.search(words):
        return words.split()[0].rstrip(".").count(".") + 1
    letters = [char for char in words if char.isalpha()]
    is_capitals = len(letters) >= 4 and words.upper() == words and words.lower() != words
    if is_capitals and len(letters) * 2 > len(words) and not _SENTENCE_END.search(words):
        return 1
    return None


def _manual(text: str) -> str:
    r"""What a page of a manual is called, by its first line; empty for any other text.

    >>> _manual("LS(1)   User Commands   LS(1)\n\nNAME\n  ls - list directory contents")
    'ls(1)'
    """
    head = _MANUAL.fullmatch(text.lstrip().partition("\n")[0].strip())
    if head is None:
        return ""
    # Older programs write the first line in capitals; the page itself has the name as it is.
    own = re.search(rf"(?<!\S){re.escape(head['name'])}(?!\S)", text[head.end() :], re.IGNORECASE)
    return f"{own.group() if own else head['name']}({head['part']})"


def _blocks(text: str, lines: Lines, heading_lines: int) -> Iterator[Block]:
    if heading_lines:
        last = lines[heading_lines - 1]
        yield Block(kind="heading", span=_cover(text, lines[0][0].start, last[0].end))
    rest = lines[heading_lines:]
    if not rest:
        return
    span = _cover(text, rest[0][0].start, rest[-1][0].end)
    is_indented = all(line.of(text).startswith(("\t", " " * _CODE_INDENT)) for line, _words in rest)
    is_ragged = is_indented and len(rest) > 1
    atoms = tuple(line for line, _words in rest) if is_ragged else ()
    yield Block(kind="code" if is_ragged else "paragraph", span=span, atoms=atoms)


def _cover(text: str, start: int, end: int) -> Span:
    return Span(start, start + len(text[start:end].rstrip()))


def parse_text(resource: Resource) -> Document:
    """A plain text as a document; its text is the file's."""
    decoded = decode(resource.content)
    text = decoded.text
    if looks_like_rst(text):
        # Django and others write reStructuredText in files that end in .txt.
        return read_rst(decoded, resource.path)
    slugs = Slugs()
    headings: list[Heading] = []
    blocks: list[Block] = []
    below = 0  # how many levels other headings stand under an overlined title
    for lines in _paragraphs(text):
        is_overlined = _overlined(lines)
        underlined = None if is_overlined else _underlined(lines)
        level = 1 if is_overlined else underlined or _standing(text, lines)
        if level is not None:
            title = one_line(lines[int(is_overlined)][1])
            start = lines[0][0].start
            anchor = slugs.give(title)
            below = below or int(is_overlined)
            depth = level if is_overlined else level + below
            headings.append(Heading(text=title, level=depth, start=start, anchor=anchor))
        rules = 3 if is_overlined else 2 if underlined else int(level is not None)
        blocks.extend(_blocks(text, lines, rules))
    links = [
        link
        for block in blocks
        for link in find_links(block.span.of(text), block.span.start, {})
        if link.target == link.text
    ]
    return Document(
        title=make_title(resource.path, _manual(text), headings[0].text if headings else ""),
        text=text,
        sections=make_sections(headings, len(text)),
        blocks=tuple(blocks),
        links=tuple(links),
        warnings=decoded.warnings,
    )


PARSER = Parser(
    name="text",
    media_types=(PLAIN,),
    suffixes=suffixes_of(PLAIN),
    parse=guarded(parse_text),
)
