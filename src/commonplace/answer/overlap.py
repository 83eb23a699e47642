"""Seed 000 §4.6.1 to the letter: plain word overlap, spans, tie-breaks, caps."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.answer.spans import Piece, overlap_spans
from commonplace.answer.windows import fitting
from commonplace.domain.document import Span
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Located
from commonplace.tokens import TokenCounter

MAX_QUOTE_CHARS = 500  # 000 §4.6.1, step 4
_SPLIT = re.compile(r"[\W_]+")
_LEAST_CHARS = 3  # 000 §4.6.1, step 1


def normalise(text: str) -> tuple[str, ...]:
    """Step 1: lower-case, split on non-alphanumerics, drop what is shorter than 3; each once.

    >>> normalise("Is it the max_pool, the POOL?")
    ('the', 'max', 'pool')
    """
    tokens = _SPLIT.split(text.lower())
    return tuple(dict.fromkeys(token for token in tokens if len(token) >= _LEAST_CHARS))


def overlap(question: Sequence[str], span: str) -> float:
    """Step 3: the share of the question's tokens that are tokens of the span.

    >>> overlap(("cat", "dog"), "A cat, concatenated.")
    0.5
    """
    tokens = frozenset(_SPLIT.split(span.lower()))
    return sum(token in tokens for token in question) / max(1, len(question))


@dataclass(frozen=True, slots=True, order=True)
class _Ranked:
    """Step 3's order: best score, then shorter, then earlier; then the candidates' own order."""

    loss: float
    length: int
    start: int
    candidate: int
    end: int


def select_overlap(
    question: str,
    candidates: Sequence[Located],
    count: TokenCounter,
    max_quotes: int,
    max_quote_tokens: int,
) -> list[Quote]:
    """Steps 1 to 4: the spans with most words of the question, each capped."""
    asked = normalise(question)
    ranked = sorted(
        _Ranked(
            -overlap(asked, located.passage.text[piece.start : piece.end]),
            piece.end - piece.start,
            piece.start,
            place,
            piece.end,
        )
        for place, located in enumerate(candidates)
        for piece in overlap_spans(located.passage.text)
    )

    def cost(text: str) -> int:
        return max_quote_tokens + 1 if len(text) > MAX_QUOTE_CHARS else count(text)

    quotes = []
    for entry in ranked[:max_quotes]:
        located = candidates[entry.candidate]
        text, offset = located.passage.text, located.passage.span.start
        kept = fitting(text, Piece(entry.start, entry.end), cost, max_quote_tokens)[0]
        quotes.append(
            Quote(
                text=text[kept.start : kept.end],
                span=Span(offset + kept.start, offset + kept.end),
                located=located,
                score=-entry.loss,
            )
        )
    return quotes
