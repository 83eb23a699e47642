"""Whether a quote is really in the sources: verbatim, differing, stitched, or not there.

White space never matters, since copying reflows it. Everything else does: a quote with another
dash, quotation mark or letter *differs*, and the difference is shown. A quote may run over the
border of two passages of one document; neighbours among the candidates are joined.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from commonplace.answer.spans import split_spans
from commonplace.domain.document import Card, Span
from commonplace.domain.passage import Located
from commonplace.retrieve.words import WORD

Status = Literal["verbatim", "differs", "stitched", "not_found"]

MAX_QUOTE_CHARS = 20_000
"""Longer quotes are compared by their beginning only."""
NEAR = 0.75
"""Least likeness of words for a place to count as the quote's source, changed."""
DIFF_CONTEXT_WORDS = 4
"""Words shown on each side of a difference."""
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…)\s*")
_LEAST_FRAGMENT_CHARS = 12
"""Shorter pieces ("the same") stand in any text and prove nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a quote, or a piece of it, stands."""

    card: Card
    uri: str
    """With the page it begins on, where there are pages."""
    passage_id: str
    """Of the passage in which it begins."""
    headings: tuple[str, ...]
    span: Span
    """Characters of the document's text."""
    text: str
    """The source's own words there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a quote."""

    status: Status
    places: tuple[Place, ...] = ()
    """One for verbatim and differs, one per piece for stitched."""
    diff: str = ""
    """For differs: the source's words, with ``[-only quoted-]`` and ``{+only in the source+}``."""
    likeness: float = 0.0
    """1 for verbatim and stitched; for differs the share of words that agree."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """Neighbouring passages of one document, joined."""

    passages: tuple[Located, ...]
    text: str

    def place(self, start: int, end: int) -> Place:
        offset = self.passages[0].passage.span.start
        holder = self.passages[0]
        for located in self.passages:
            if located.passage.span.start <= offset + start:
                holder = located
        return Place(
            card=holder.card,
            uri=holder.address,
            passage_id=holder.passage.id,
            headings=holder.passage.headings,
            span=Span(offset + start, offset + end),
            text=self.text[start:end],
        )


def _stretches(candidates: Sequence[Located]) -> list[_Stretch]:
    """Candidates by document, neighbours joined, in the order their documents came."""
    first: dict[str, int] = {}
    for rank, located in enumerate(candidates):
        first.setdefault(located.card.id, rank)
    unique = {located.passage.id: located for located in candidates}
    ordered = sorted(unique.values(), key=lambda one: (first[one.card.id], one.passage.ordinal))
    stretches = []
    for _, run in groupby(
        enumerate(ordered), key=lambda pair: (pair[1].card.id, pair[1].passage.ordinal - pair[0])
    ):
        passages = tuple(located for _, located in run)
        stretches.append(_Stretch(passages, "".join(one.passage.text for one in passages)))
    return stretches


def _loose(quote: str) -> re.Pattern[str] | None:
    """A pattern for the quote with any white space, or none, where it has white space."""
    parts = [re.escape(part) for part in quote.split()]
    return re.compile(r"\s+".join(parts)) if parts else None


def _exact(quote: str, stretches: Sequence[_Stretch]) -> Place | None:
    pattern = _loose(quote)
    if pattern is None:
        return None
    for stretch in stretches:
        found = pattern.search(stretch.text)
        if found:
            return stretch.place(found.start(), found.end())
    return None


def verify(quote: str, candidates: Sequence[Located]) -> Verdict:
    """Compare a quote with candidate passages: those a search for it found, or a source's own.

    The first fitting place wins, so candidates come best first. An empty quote is not found.
    """
    asked = quote[:MAX_QUOTE_CHARS].strip()
    stretches = _stretches(candidates)
    place = _exact(asked, stretches)
    if place is not None:
        return Verdict(status="verbatim", places=(place,), likeness=1.0)
    pieces = _stitched(asked, stretches)
    if pieces:
        return Verdict(status="stitched", places=pieces, likeness=1.0)
    return _differing(asked, stretches)


def _stitched(quote: str, stretches: Sequence[_Stretch]) -> tuple[Place, ...]:
    """The places of a quote's pieces, when it is made of whole ones from several places."""
    for pieces in (_ELLIPSIS.split(quote), _sentences(quote)):
        parts = [piece for piece in (part.strip() for part in pieces) if piece]
        if len(parts) < 2 or any(len(part) < _LEAST_FRAGMENT_CHARS for part in parts):
            continue
        places = [_exact(part, stretches) for part in parts]
        found = tuple(place for place in places if place is not None)
        if len(found) == len(parts):
            return found
    return ()


def _sentences(quote: str) -> list[str]:
    return [quote[piece.start : piece.end] for piece in split_spans(quote)]


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(match.group().casefold(), match.start(), match.end()) for match in WORD.finditer(text)]


def _differing(quote: str, stretches: Sequence[_Stretch]) -> Verdict:
    """The place most like the quote, with the differences, if it is like enough."""
    asked = [word for word, _, _ in _words(quote)]
    best: tuple[float, _Stretch, int, int] | None = None
    for stretch in stretches:
        for likeness, start, end in _likest(asked, stretch.text):
            if best is None or likeness > best[0]:
                best = (likeness, stretch, start, end)
    if best is None or best[0] < NEAR:
        return Verdict(status="not_found", likeness=round(best[0], 3) if best else 0.0)
    likeness, stretch, start, end = best
    start, end = _whole(quote, stretch.text, start, end)
    place = stretch.place(start, end)
    return Verdict(
        status="differs",
        places=(place,),
        diff=word_diff(quote, place.text),
        likeness=round(likeness, 3),
    )


def _likest(asked: Sequence[str], text: str) -> Iterator[tuple[float, int, int]]:
    """The stretch of a text whose words are most like the asked ones, if any are."""
    found = _words(text)
    if not asked or not found:
        return
    matcher = difflib.SequenceMatcher(None, asked, [word for word, _, _ in found], autojunk=False)
    anchor = matcher.find_longest_match()
    if anchor.size == 0:
        return
    first = max(0, anchor.b - anchor.a)
    last = min(len(found), first + len(asked) + max(2, len(asked) // 10))
    first = max(0, first - max(2, len(asked) // 10))
    window = [word for word, _, _ in found[first:last]]
    matcher.set_seq2(window)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return
    begin = blocks[0].b - min(blocks[0].a, blocks[0].b)
    rest = len(asked) - (blocks[-1].a + blocks[-1].size)
    end = min(len(window), blocks[-1].b + blocks[-1].size + rest)
    agreeing = sum(block.size for block in blocks)
    likeness = 2 * agreeing / (len(asked) + end - begin)
    yield likeness, found[first + begin][1], found[first + end - 1][2]


def _whole(quote: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Take in the punctuation the quote begins or ends with, when the source has some there."""
    while start > 0 and not quote[:1].isalnum() and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not quote[-1:].isalnum() and not text[end].isspace():
        end += 1
    return start, end


def word_diff(quote: str, source: str) -> str:
    """The source with its differences from the quote marked, word by word; long runs shortened.

    >>> word_diff("the quick brown fox", "the slow brown fox")
    'the [-quick-] {+slow+} brown fox'
    """
    said, meant = quote.split(), source.split()
    matcher = difflib.SequenceMatcher(None, said, meant, autojunk=False)
    shown = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            shown.append(_shortened(meant[c:d]))
            continue
        shown += [f"[-{' '.join(said[a:b])}-]"] if b > a else []
        shown += [f"{{+{' '.join(meant[c:d])}+}}"] if d > c else []
    return " ".join(shown)


def _shortened(agreeing: Sequence[str]) -> str:
    if len(agreeing) <= 2 * DIFF_CONTEXT_WORDS + 1:
        return " ".join(agreeing)
    return " ".join((*agreeing[:DIFF_CONTEXT_WORDS], "…", *agreeing[-DIFF_CONTEXT_WORDS:]))
