"""Document to passages: at headings, paragraphs, code and table boundaries, to a token target."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from commonplace.domain.document import Card, Document, Section, Span
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Passage, PassageKind
from commonplace.split.pieces import CAP, Knife, Piece, make_pieces
from commonplace.tokens import TokenCounter

# Two sections under an eighth of a passage each say too little alone to be found or quoted.
_TINY_SHARE = 8


@dataclass(frozen=True, slots=True)
class Group:
    """The pieces of one section's own text, without its subsections."""

    chain: tuple[str, ...]
    anchor: str | None
    parent: tuple[int, ...]
    """Starts of the enclosing sections: tells siblings from namesakes."""
    pieces: tuple[Piece, ...]

    @property
    def tokens(self) -> int:
        """Of all pieces."""
        return sum(piece.tokens for piece in self.pieces)

    @property
    def is_bare(self) -> bool:
        """Whether it is only a heading, with nothing under it."""
        return all(piece.kind == "heading" for piece in self.pieces)


def split_prose(
    document: Document, card: Card, count: TokenCounter, target_tokens: int
) -> list[Passage]:
    """Passages that, joined, are the document's text; a blank text has none.

    Each aims at ``target_tokens`` and is at most twice as long, unless one word is longer or a
    fence is kept whole.
    """
    if not document.text.strip():
        return []
    knife = Knife(document.text, count, target_tokens)
    groups = _group(document.sections, list(make_pieces(document, knife)))
    runs = (
        (group, run)
        for group in _merge(groups, target_tokens)
        for run in _rejoin(_pack(group.pieces, target_tokens), target_tokens)
    )
    seen: Counter[str] = Counter()
    return [
        _passage(document, card, (ordinal, group, run), seen)
        for ordinal, (group, run) in enumerate(runs)
    ]


def _passage(
    document: Document, card: Card, place: tuple[int, Group, Sequence[Piece]], seen: Counter[str]
) -> Passage:
    ordinal, group, run = place
    span = Span(run[0].start, run[-1].end)
    slice_ = span.of(document.text)
    key = slice_.strip() or slice_
    seen[key] += 1
    return Passage(
        id=stable_id("p", card.project, card.uri, key, str(seen[key] - 1)),
        document_id=card.id,
        ordinal=ordinal,
        text=slice_,
        span=span,
        headings=group.chain,
        anchor=group.anchor,
        kind=_kind(run),
        tokens=sum(piece.tokens for piece in run),
        pages=_pages(document.pages, span, slice_),
    )


def _pages(starts: Sequence[int], span: Span, text: str) -> tuple[int, int] | None:
    r"""First and last page that words of a passage stand on, from 1; None without pages.

    >>> _pages((0, 10, 10), Span(4, 12), "last\n\nnext")
    (1, 3)
    """
    if not starts:
        return None
    first = span.start + len(text) - len(text.lstrip())
    last = max(first, span.start + len(text.rstrip()) - 1)
    return max(1, bisect_right(starts, first)), max(1, bisect_right(starts, last))


def _kind(run: Sequence[Piece]) -> PassageKind:
    chars: Counter[str] = Counter()
    for piece in run:
        chars[piece.kind] += piece.end - piece.start
    half = chars.total() / 2
    return "code" if chars["code"] > half else "table" if chars["table"] > half else "prose"


def _group(sections: Sequence[Section], pieces: Sequence[Piece]) -> Iterator[Group]:
    """Pieces by the section they stand in, with the chain of headings above them."""
    stack: list[Section] = []
    waiting = 0
    for start, end in _bounds(sections, pieces):
        while waiting < len(sections) and sections[waiting].span.start <= pieces[start].start:
            while stack and stack[-1].level >= sections[waiting].level:
                stack.pop()
            stack.append(sections[waiting])
            waiting += 1
        yield Group(
            chain=tuple(section.heading for section in stack),
            anchor=next((s.anchor for s in reversed(stack) if s.anchor), None),
            parent=tuple(section.span.start for section in stack[:-1]),
            pieces=tuple(pieces[start:end]),
        )


def _bounds(sections: Sequence[Section], pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Index ranges of pieces between section starts."""
    starts = {section.span.start for section in sections}
    cuts = [number for number, piece in enumerate(pieces) if number and piece.start in starts]
    yield from zip([0, *cuts], [*cuts, len(pieces)], strict=True)


def _merge(groups: Iterator[Group], target: int) -> Iterator[Group]:
    """A bare heading joins what follows it; tiny neighbours under one parent join each other."""
    last: Group | None = None
    for group in groups:
        joined = _join(last, group, target) if last else None
        if last and not joined:
            yield last
        last = joined or group
    if last:
        yield last


def _join(left: Group, right: Group, target: int) -> Group | None:
    pieces = left.pieces + right.pieces
    is_child = right.chain[: len(left.chain)] == left.chain and len(right.chain) > len(left.chain)
    tiny = target // _TINY_SHARE
    if is_child and (left.is_bare or (not left.chain and left.tokens <= tiny)):
        return replace(right, pieces=pieces)
    fits = left.tokens + right.tokens <= target
    are_tiny = left.tokens <= tiny * 4 and right.tokens <= tiny and left.parent == right.parent
    if not fits or not (left.is_bare or are_tiny) or not left.chain:
        return None
    shared = 0
    while left.chain[shared : shared + 1] == right.chain[shared : shared + 1] != ():
        shared += 1
    return replace(left, chain=left.chain[:shared], pieces=pieces)


def _pack(pieces: Sequence[Piece], target: int) -> Iterator[list[Piece]]:
    """Runs of about equal size, near the target, that do not end with what announces the next."""
    total = sum(piece.tokens for piece in pieces)
    goal = total / max(1, -(-total // target))
    run: list[Piece] = []
    tokens = 0
    for piece in pieces:
        is_full = tokens + piece.tokens > target or tokens + piece.tokens / 2 > goal
        if run and is_full:
            carried = _leads(run)
            ahead = sum(lead.tokens for lead in carried) + piece.tokens
            if ahead > target * CAP:
                carried, ahead = [], piece.tokens
            if len(carried) < len(run):
                yield run[: len(run) - len(carried)]
                run, tokens = carried, ahead - piece.tokens
        run.append(piece)
        tokens += piece.tokens
    if run:
        yield run


def _rejoin(runs: Iterator[list[Piece]], target: int) -> Iterator[list[Piece]]:
    """Neighbouring runs that fit one passage after all, as a short rest does."""
    last: list[Piece] = []
    for run in runs:
        if last and sum(piece.tokens for piece in last + run) > target:
            yield last
            last = []
        last = last + run
    if last:
        yield last


def _leads(run: Sequence[Piece]) -> list[Piece]:
    """The pieces at the end of a run that announce what follows."""
    start = len(run)
    while start and run[start - 1].leads:
        start -= 1
    return list(run[start:])
