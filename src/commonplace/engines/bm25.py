"""BM25 as FTS5 computes it (SQLite manual, "The bm25() function"), in plain Python."""

import math
from collections.abc import Sequence as Many

from commonplace.engines.analysis import Sequence, Wanted, scored

K1 = 1.2  # fixed in FTS5
B = 0.75
IDF_LEAST = 1e-6  # FTS5 gives words of more than half of all rows this little

Columns = tuple[tuple[str, ...], ...]
"""The tokens of one passage, column by column."""


def occurrences(tokens: tuple[str, ...], words: Many[str], *, is_prefix: bool) -> int:
    """How often the words follow each other.

    >>> occurrences(("a", "b", "a", "bc"), ("a", "b"), is_prefix=False)
    1
    >>> occurrences(("a", "b", "a", "bc"), ("a", "b"), is_prefix=True)
    2
    """
    *before, last = words
    count = 0
    for at in range(len(tokens) - len(before)):
        end = at + len(before)
        is_last = tokens[end].startswith(last) if is_prefix else tokens[end] == last
        count += is_last and list(tokens[at:end]) == before
    return count


def rank(rows: Many[Columns], want: Wanted, weights: Many[float]) -> dict[int, float]:
    """Scores of the rows that match, by place; ``want`` holds words already tokenised."""
    if not rows:
        return {}
    counts = {
        sequence: [_weighted(row, sequence, weights) for row in rows]
        for sequence in dict.fromkeys(scored(want))
    }
    lengths = [sum(map(len, row)) for row in rows]
    average = sum(lengths) / len(rows)
    scores: dict[int, float] = {}
    for at in range(len(rows)):
        if not all(counts[s][at] > 0 for s in want.required):
            continue
        if not want.required and not any(counts[s][at] > 0 for s in want.optional):
            continue
        scores[at] = 0.0
        for sequence in scored(want):
            weight = counts[sequence][at]
            length = 1 - B + B * lengths[at] / average
            gain = weight * (K1 + 1) / (weight + K1 * length)
            scores[at] += _idf(counts[sequence]) * gain
    return scores


def _weighted(row: Columns, sequence: Sequence, weights: Many[float]) -> float:
    return sum(
        weight * occurrences(column, sequence.words, is_prefix=sequence.is_prefix)
        for column, weight in zip(row, weights, strict=True)
    )


def _idf(counts: Many[float]) -> float:
    hits = sum(count > 0 for count in counts)
    idf = math.log((len(counts) - hits + 0.5) / (hits + 0.5))
    return idf if idf > 0 else IDF_LEAST
