"""Source code as text: lines in paragraphs; what the lines define is the business of languages."""

from collections.abc import Iterator

from commonplace.domain.document import Block, Document, Resource, Span
from commonplace.domain.encoding import decode
from commonplace.domain.media import CODE_SUFFIXES, CODE_TYPES
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import line_spans
from commonplace.parsers.guard import guarded

_MOST_LINES = 30  # of a block: a longer paragraph of code may be cut, between lines


def line_blocks(text: str, cuts: frozenset[int] = frozenset()) -> Iterator[Block]:
    """Runs of lines without a blank one, none across a cut, none longer than a screen."""
    lines: list[Span] = []
    for span in line_spans(text):
        is_blank = not span.of(text).strip()
        if lines and (is_blank or span.start in cuts or len(lines) >= _MOST_LINES):
            yield _block(lines)
            lines = []
        if not is_blank:
            lines.append(span)
    if lines:
        yield _block(lines)


def _block(lines: list[Span]) -> Block:
    return Block(kind="code", span=Span(lines[0].start, lines[-1].end), atoms=tuple(lines))


def parse_code(resource: Resource) -> Document:
    """The file as it is, titled by its path: what people look for is often in that."""
    decoded = decode(resource.content)
    return Document(
        title=resource.path,
        text=decoded.text,
        blocks=tuple(line_blocks(decoded.text)),
        warnings=decoded.warnings,
    )


PARSER = Parser(
    name="code",
    media_types=CODE_TYPES,
    suffixes=tuple(CODE_SUFFIXES),
    parse=guarded(parse_code),
)
