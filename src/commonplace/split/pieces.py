"""A document as a run of pieces that cover it, none larger than a passage may be.

A piece is a block with the white space after it. A block over its limit is cut at its atoms
(table rows, lines of code) or sentence ends, then at lines, then at white space; a word is cut
only when it is longer than eight passages.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from commonplace.domain.document import Block, BlockKind, Document, Span
from commonplace.split.sentences import sentence_ends
from commonplace.tokens import TokenCounter

CAP = 2  # passages are at most this many targets long, except for one unbreakable word
_WORD_CAP = 8  # a longer word is no word: base64, minified text
_LEAD_TOKENS = 48  # a longer paragraph that ends with a colon can stand without what it announces
# Encoders meet a very long text piece by piece: counting stays linear and memory small.
_COUNT_CHARS = 100_000
_BLANK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stays whole."""

    start: int
    end: int
    tokens: int
    kind: BlockKind
    leads: bool = False
    """It announces what follows (a heading, `Run this:`) and must not end a passage."""


@dataclass(frozen=True, slots=True)
class Knife:
    """The text to cut, how to measure it, and the aim."""

    text: str
    count: TokenCounter
    target: int

    def measure(self, start: int, end: int) -> int:
        """Tokens of a stretch."""
        if end - start <= _COUNT_CHARS:
            return self.count(self.text[start:end])
        steps = range(start, end, _COUNT_CHARS)
        return sum(self.count(self.text[at : min(at + _COUNT_CHARS, end)]) for at in steps)


def make_pieces(document: Document, knife: Knife) -> Iterator[Piece]:
    """Pieces in order, contiguous from 0 to the end of the text."""
    marks: dict[int, Block | None] = {0: None}
    marks |= {section.span.start: None for section in document.sections}
    marks |= {block.span.start: block for block in document.blocks}
    if document.blocks and not document.text[: document.blocks[0].span.start].strip():
        # White space before the first block belongs to it.
        marks = {at: block for at, block in marks.items() if at >= document.blocks[0].span.start}
        marks[0] = marks.pop(document.blocks[0].span.start)
    starts = sorted(marks)
    for start, end in zip(starts, [*starts[1:], len(document.text)], strict=True):
        if start < end:
            yield from _piece(knife, Span(start, end), marks[start])


# How many targets a block may fill and stay whole. A table reads well cut between rows (half a
# target is left for its heading); half a fence is broken code, so only a huge one is cut.
_WHOLE = {"table": 1.5, "code": 8}


def _piece(knife: Knife, span: Span, block: Block | None) -> Iterator[Piece]:
    kind = block.kind if block else "other"
    tokens = knife.measure(span.start, span.end)
    if tokens <= knife.target * _WHOLE.get(kind, 1):
        leads = kind == "heading" or _announces(knife.text, span, tokens, kind)
        yield Piece(span.start, span.end, tokens, kind, leads)
        return
    cuts = [atom.start for atom in block.atoms] if block else []
    for start, end, count in _without_blanks(knife, _levels(knife, span, cuts, tokens)):
        yield Piece(start, end, count, kind)


def _announces(text: str, span: Span, tokens: int, kind: BlockKind) -> bool:
    if kind not in {"paragraph", "list_item"} or tokens > _LEAD_TOKENS:
        return False
    return text[max(span.start, span.end - 200) : span.end].rstrip().endswith(":")


Measured = tuple[int, int, int]
"""Start, end, tokens."""


def _levels(knife: Knife, span: Span, cuts: list[int], tokens: int) -> Iterator[Measured]:
    """Cut by the coarsest means that makes every part small enough."""
    finer: list[Callable[[int, int], Iterable[int]]] = []
    if cuts:
        finer.append(lambda _start, _end: cuts)
    else:
        finer.append(lambda a, b: [a + end for end in sentence_ends(knife.text[a:b])])
    finer.append(lambda a, b: [a + found.end() for found in _NEWLINE.finditer(knife.text[a:b])])
    parts: list[Measured] = [(span.start, span.end, tokens)]
    for places in finer:
        parts = [
            piece
            for part in parts
            for piece in ([part] if part[2] <= knife.target else _at(knife, part, places))
        ]
    for part in parts:
        yield from [part] if part[2] <= knife.target * CAP else _words(knife, part)


_NEWLINE = re.compile(r"\r\n|\r|\n")


def _without_blanks(knife: Knife, parts: Iterable[Measured]) -> Iterator[Measured]:
    """White space alone is no part: it belongs to the one before it."""
    last: Measured | None = None
    for part in parts:
        fits = last is not None and last[2] + part[2] <= knife.target * CAP
        if last is not None and fits and not knife.text[part[0] : part[1]].strip():
            last = (last[0], part[1], last[2] + part[2])
            continue
        if last is not None:
            yield last
        last = part
    if last is not None:
        yield last


def _at(
    knife: Knife, part: Measured, places: Callable[[int, int], Iterable[int]]
) -> Iterator[Measured]:
    """Cut a part at given places, each stretch measured once."""
    start, end, _tokens = part
    inner = [at for at in places(start, end) if start < at < end]
    if not inner:
        yield part
        return
    for left, right in zip([start, *inner], [*inner, end], strict=True):
        yield left, right, knife.measure(left, right)


def _words(knife: Knife, part: Measured) -> Iterator[Measured]:
    """Cut at white space near where the target falls, measured again until it fits."""
    cap, word_cap = knife.target * CAP, knife.target * _WORD_CAP
    waiting = [(part, word_cap)]
    while waiting:
        (start, end, tokens), limit = waiting.pop()
        step = max(1, (end - start) * knife.target // max(tokens, 1))
        middle = _blank_near(knife.text, start, step, end) if tokens > cap else None
        if middle is None and tokens <= limit:
            yield start, end, tokens
            continue
        # Once a word is cut, its rest is cut to the same measure.
        rest_limit = cap if middle is None else word_cap
        middle = middle or start + step
        first = knife.measure(start, middle)
        # The rest is reckoned, not counted again and again; the last cut counts it.
        rest = tokens - first if tokens - first > cap else knife.measure(middle, end)
        waiting += [((middle, end, rest), rest_limit), ((start, middle, first), limit)]


def _blank_near(text: str, start: int, step: int, end: int) -> int | None:
    """Just after the last white space within ``step``, else after the next one; None if none."""
    wanted = start + step
    for at in range(wanted, start + 1, -1):
        if text[at - 1].isspace() and not text[at].isspace():
            return at
    found = _BLANK.search(text, wanted, min(end - 1, wanted + step * _WORD_CAP))
    return found.end() if found else None
