"""The units quotes are made of: whole spans, each within a cap of tokens.

A span longer than the cap is cut at ends of sentences, failing that of clauses, failing that
between words, failing that (a run without any space) between characters; so a quote is never cut
where a reader would trip, unless the source gives no better place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from commonplace.answer.spans import Piece, is_entry, quotable, sentences
from commonplace.domain.passage import Located
from commonplace.tokens import TokenCounter

_CLAUSE = re.compile(r"[,;:)\]–—|]+(?=\s)|[、，；：]|\s[–—-](?=\s)|\n")
_WORDS = re.compile(r"\s+")
_BLANK = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A piece of a candidate passage, measured."""

    candidate: int
    """Place of its passage among the candidates."""
    piece: Piece
    tokens: int
    text: str


def _cuts(pattern: re.Pattern[str], text: str, piece: Piece) -> list[Piece]:
    """The piece cut after every match, white space around the parts left out."""
    ends = [match.end() for match in pattern.finditer(text, piece.start, piece.end)]
    parts, begin = [], piece.start
    for end in [*ends, piece.end]:
        trimmed = text[begin:end]
        start = begin + len(trimmed) - len(trimmed.lstrip())
        stop = end - (len(trimmed) - len(trimmed.rstrip()))
        if start < stop:
            parts.append(Piece(start, stop, piece.kind))
        begin = end
    return parts


def _gather(text: str, parts: Sequence[Piece], count: TokenCounter, cap: int) -> list[Piece]:
    """Join neighbouring parts again while they fit, so that pieces are as long as allowed."""
    joined: list[Piece] = []
    for part in parts:
        if joined and count(text[joined[-1].start : part.end]) <= cap:
            joined[-1] = Piece(joined[-1].start, part.end, part.kind)
        else:
            joined.append(part)
    return joined


def _halves(text: str, piece: Piece, count: TokenCounter, cap: int) -> Iterator[Piece]:
    """Cut a run without spaces in halves until each fits."""
    if piece.end - piece.start < 2 or count(text[piece.start : piece.end]) <= cap:
        yield piece
        return
    middle = (piece.start + piece.end) // 2
    yield from _halves(text, Piece(piece.start, middle, piece.kind), count, cap)
    yield from _halves(text, Piece(middle, piece.end, piece.kind), count, cap)


def fitting(text: str, piece: Piece, count: TokenCounter, cap: int) -> list[Piece]:
    """The piece itself when it fits the cap, else its sentences, clauses, words or fragments.

    >>> text = "one two, three four"
    >>> found = fitting(text, Piece(0, len(text)), lambda part: len(part.split()), 2)
    >>> [text[part.start : part.end] for part in found]
    ['one two,', 'three four']
    """
    if count(text[piece.start : piece.end]) <= cap:
        return [piece]
    found: list[Piece] = []
    run: list[Piece] = []
    for sentence in sentences(text, piece):
        if count(text[sentence.start : sentence.end]) <= cap:
            run.append(sentence)
            continue
        found += (*_gather(text, run, count, cap), *_clauses(text, sentence, count, cap))
        run = []
    return [*found, *_gather(text, run, count, cap)]


def _clauses(text: str, piece: Piece, count: TokenCounter, cap: int) -> list[Piece]:
    """The clauses of a sentence, as many together as fit; of a clause that does not, its words."""
    found: list[Piece] = []
    run: list[Piece] = []
    for clause in _cuts(_CLAUSE, text, piece):
        if count(text[clause.start : clause.end]) <= cap:
            run.append(clause)
            continue
        cut = _cuts(_WORDS, text, clause)
        words = [part for word in cut for part in _halves(text, word, count, cap)]
        found += (*_gather(text, run, count, cap), *_gather(text, words, count, cap))
        run = []
    return [*found, *_gather(text, run, count, cap)]


def measure(candidates: Sequence[Located], count: TokenCounter, cap: int) -> list[Unit]:
    """The units of all candidates, in their order; headings and marks are left out."""
    units = []
    count = lru_cache(maxsize=None)(count)  # a piece is weighed when cut and when measured
    for place, located in enumerate(candidates):
        text = located.passage.text
        for piece in _with_announced(text, count, cap):
            for part in fitting(text, piece, count, cap):
                written = text[part.start : part.end]
                units.append(Unit(place, part, count(written), written))
    return units


def _with_announced(text: str, count: TokenCounter, cap: int) -> list[Piece]:
    """What may be quoted of a text; what ends with a colon is one with what it announces.

    A list is whole where that fits the cap; of longer things, once cut, stands the beginning.
    """
    joined: list[Piece] = []
    is_open = False
    for piece in quotable(text):
        if is_open and _announced(text, joined[-1], piece):
            whole = Piece(joined[-1].start, piece.end, piece.kind)
            fits = count(text[whole.start : whole.end]) <= cap
            if fits or _announces(text, joined[-1]):
                joined[-1], is_open = whole, fits
                continue
        joined.append(piece)
        is_open = _announces(text, piece)
    return joined


def _announces(text: str, piece: Piece) -> bool:
    return text[piece.end - 1] in ":："


def _announced(text: str, held: Piece, piece: Piece) -> bool:
    """Whether a piece is what is announced above it, or goes on with that list."""
    if has_words_between(text, held, piece):
        return False
    if _announces(text, held):
        return True
    is_tight = not _BLANK.search(text, held.end, piece.start)
    return held.kind != "code" and (is_tight or is_entry(text, piece))


def has_words_between(text: str, before: Piece, after: Piece) -> bool:
    """Whether more than white space and marks stands between two pieces: a heading, say."""
    return any(mark.isalnum() for mark in text[before.end : after.start])
