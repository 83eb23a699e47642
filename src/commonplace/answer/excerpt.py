"""Bounded excerpts: whole sentences and lines from a place in a text, forwards or backwards."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from commonplace.answer.spans import split_spans
from commonplace.domain.document import Span
from commonplace.tokens import TokenCounter

MAX_EXCERPT_TOKENS = 800  # 000 §4.4
MAX_EXCERPT_BYTES = 32 * 1024  # 000 §4.4


@dataclass(frozen=True, slots=True)
class Measure:
    """How much text an excerpt may hold."""

    count: TokenCounter
    tokens: int
    size_bytes: int = MAX_EXCERPT_BYTES

    def holds(self, text: str) -> bool:
        """Whether the text stays within both limits."""
        if len(text.encode("utf-8", "replace")) > self.size_bytes:
            return False
        return self.count(text) <= self.tokens


def forwards(text: str, start: int, measure: Measure) -> int:
    """Where to stop reading from ``start``: the last sentence or line end that fits.

    A first sentence or fence too long for the measure is cut at a line's end, a line at a word's,
    a word wherever it must be, so reading always goes on.
    """
    ends = [span.end for span in split_spans(text) if span.end > start] or [len(text)]
    ends[-1] = len(text)
    stops: Sequence[int] = ends
    inside = range(start + 1, ends[0])
    finer: list[Callable[[], Sequence[int]]] = [
        lambda: [place for place in inside if text[place - 1] == "\n"],
        lambda: [place for place in inside if text[place].isspace()],
        lambda: range(start + 1, ends[0] + 1),
    ]
    for places in finer:
        found = _last_fitting(text, start, stops, measure)
        if found is not None:
            return found
        stops = places()
    found = _last_fitting(text, start, stops, measure)
    return found if found is not None else min(start + 1, len(text))


def _last_fitting(text: str, start: int, stops: Sequence[int], measure: Measure) -> int | None:
    best = bisect_right(stops, 0, key=lambda end: 0 if measure.holds(text[start:end]) else 1)
    return stops[best - 1] if best else None


def backwards(text: str, end: int, measure: Measure) -> int:
    """Where to start so that whole sentences or lines up to ``end`` fit; ``end`` if none does."""
    starts = [span.start for span in split_spans(text) if span.start < end]
    if starts and not text[: starts[0]].strip():
        starts[0] = 0
    starts.reverse()
    best = bisect_right(starts, 0, key=lambda start: 0 if measure.holds(text[start:end]) else 1)
    return starts[best - 1] if best else end


def trimmed(text: str, span: Span) -> Span:
    """The span without white space at its ends.

    >>> trimmed("  ab ", Span(0, 5))
    Span(start=2, end=4)
    """
    inner = span.of(text)
    if not inner.strip():
        return Span(span.start, span.start)
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, span.end - (len(inner) - len(inner.rstrip())))
