"""Is this quotation in the documents? Verbatim, with changes, stitched together, or not at all.

White space is the only freedom: any run of it equals any other. Everything else that differs,
typographic quotes and letter case included, is told as a difference.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from commonplace.answer.spans import split_spans
from commonplace.domain.document import Card, Span
from commonplace.domain.passage import Located

Status = Literal["verbatim", "differs", "stitched", "not_found"]

_WORD = re.compile(r"\S+")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.)\s*")
_LEAST_PIECE_WORDS = 3  # shorter pieces are found anywhere and prove nothing
_LEAST_LIKENESS = 0.6  # below this, two sentences merely share common words
_SLACK_WORDS = 4  # how many words longer than the quote the compared stretch may be


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a piece of the quotation stands."""

    card: Card
    passage_id: str
    headings: tuple[str, ...]
    anchor: str | None
    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a quotation."""

    status: Status
    places: tuple[Place, ...] = ()
    diff: str = ""
    """Only for ``differs``: the quotation with [-what it has-] and {+what the source has+}."""
    likeness: float = 0.0


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive passages of one document as words, so that a quotation may cross their border."""

    passages: tuple[Located, ...]
    text: str
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    """Of each word, in ``text``."""

    def place(self, first: int, last: int) -> Place:
        """Words ``first`` to ``last`` as a place in the document."""
        start, end = self.spans[first].start, self.spans[last].end
        base = self.passages[0].passage.span.start
        at = base + start
        own = next(one for one in reversed(self.passages) if one.passage.span.start <= at)
        return Place(
            card=own.card,
            passage_id=own.passage.id,
            headings=own.passage.headings,
            anchor=own.passage.anchor,
            span=Span(at, base + end),
            text=self.text[start:end],
        )


def verify(quote: str, candidates: Sequence[Located]) -> Verdict:
    """Look for the quotation in the candidates; consecutive passages count as one text."""
    words = _words(quote)
    runs = [_run(group) for group in _consecutive(candidates)]
    if not words or not runs:
        return Verdict(status="not_found")
    for run in runs:
        place = _find(words, run)
        if place is not None:
            return Verdict(status="verbatim", places=(place,), likeness=1.0)
    pieces = _stitches(quote, runs)
    if pieces:
        return Verdict(status="stitched", places=pieces, likeness=1.0)
    return _nearest(words, runs)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text))


def _consecutive(candidates: Iterable[Located]) -> list[list[Located]]:
    """Groups of passages that follow one another, each passage once."""
    unique = {one.passage.id: one for one in candidates}
    ordered = sorted(unique.values(), key=lambda one: (one.card.id, one.passage.ordinal))
    groups: list[list[Located]] = []
    for _, document in groupby(ordered, key=lambda one: one.card.id):
        for one in document:
            last = groups[-1][-1] if groups else None
            follows = (
                last is not None
                and last.card.id == one.card.id
                and last.passage.ordinal + 1 == one.passage.ordinal
            )
            if follows:
                groups[-1].append(one)
            else:
                groups.append([one])
    return groups


def _run(passages: Sequence[Located]) -> _Run:
    text = "".join(one.passage.text for one in passages)
    found = list(_WORD.finditer(text))
    return _Run(
        tuple(passages),
        text,
        tuple(word.group() for word in found),
        tuple(Span(word.start(), word.end()) for word in found),
    )


def _find(words: Sequence[str], run: _Run) -> Place | None:
    """Where the words stand in the run; the first and last may be parts of longer words."""
    if len(words) == 1:
        hit = next((n for n, word in enumerate(run.words) if words[0] in word), None)
        return None if hit is None else _narrowed(run.place(hit, hit), words)
    for start in range(len(run.words) - len(words) + 1):
        if not run.words[start].endswith(words[0]):
            continue
        stop = start + len(words) - 1
        inner = run.words[start + 1 : stop] == tuple(words[1:-1])
        if inner and run.words[stop].startswith(words[-1]):
            return _narrowed(run.place(start, stop), words)
    return None


def _narrowed(place: Place, words: Sequence[str]) -> Place:
    """The place without the parts of its first and last word the quotation leaves out."""
    first, last = words[0], words[-1]
    if len(words) == 1:
        skip = place.text.index(first)
        text = first
    else:
        skip = len(_WORD.findall(place.text)[0]) - len(first)
        tail = len(_WORD.findall(place.text)[-1]) - len(last)
        text = place.text[skip : len(place.text) - tail]
    start = place.span.start + skip
    return Place(
        card=place.card,
        passage_id=place.passage_id,
        headings=place.headings,
        anchor=place.anchor,
        span=Span(start, start + len(text)),
        text=text,
    )


def _stitches(quote: str, runs: Sequence[_Run]) -> tuple[Place, ...]:
    """The places of the quotation's pieces, if it is made of pieces that all exist."""
    by_ellipsis = [part for part in _ELLIPSIS.split(quote) if part.strip()]
    sentences = [quote[piece.start : piece.end] for piece in split_spans(quote)]
    for pieces in (by_ellipsis, sentences):
        if len(pieces) < 2:
            continue
        found = [_piece(piece, runs) for piece in pieces]
        places = [place for place in found if place is not None]
        if len(places) == len(pieces):
            return tuple(places)
    return ()


def _piece(piece: str, runs: Sequence[_Run]) -> Place | None:
    words = _words(piece)
    if len(words) < _LEAST_PIECE_WORDS:
        return None
    return next((place for run in runs if (place := _find(words, run)) is not None), None)


def _nearest(words: Sequence[str], runs: Sequence[_Run]) -> Verdict:
    """The stretch most like the quotation, if any is like it."""
    folded = [word.casefold() for word in words]
    best: tuple[float, _Run, int, int] | None = None
    for run in runs:
        there = [word.casefold() for word in run.words]
        for first, last in _stretches(folded, there):
            matcher = SequenceMatcher(None, folded, there[first : last + 1], autojunk=False)
            likeness = matcher.ratio()
            if best is None or likeness > best[0]:
                best = (likeness, run, first, last)
    if best is None or best[0] < _LEAST_LIKENESS:
        return Verdict(status="not_found", likeness=best[0] if best else 0.0)
    likeness, run, first, last = best
    found = run.words[first : last + 1]
    return Verdict(
        status="differs",
        places=(run.place(first, last),),
        diff=_diff(words, found),
        likeness=likeness,
    )


def _stretches(words: Sequence[str], there: Sequence[str]) -> list[tuple[int, int]]:
    """Stretches of the text worth comparing: around its longest common runs with the quotation."""
    matcher = SequenceMatcher(None, words, there, autojunk=False)
    blocks = sorted(matcher.get_matching_blocks(), key=lambda block: -block.size)[:3]
    found = []
    for block in blocks:
        if not block.size:
            continue
        start = max(0, block.b - block.a)
        for extra in (0, _SLACK_WORDS, -_SLACK_WORDS):
            last = min(len(there) - 1, start + len(words) - 1 + extra)
            if last >= start:
                found.append((start, last))
    return found


def _diff(words: Sequence[str], found: Sequence[str]) -> str:
    """The quotation word by word, with what it has and what the source has.

    >>> _diff(["the", "red", "fox"], ["the", "brown", "fox"])
    'the [-red-] {+brown+} fox'
    """
    parts: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, words, found, autojunk=False).get_opcodes():
        if kind == "equal":
            parts += words[a:b]
            continue
        if b > a:
            parts.append(f"[-{' '.join(words[a:b])}-]")
        if d > c:
            parts.append(f"{{+{' '.join(found[c:d])}+}}")
    return " ".join(parts)
