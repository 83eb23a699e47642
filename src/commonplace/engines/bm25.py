"""BM25 with Lucene's rarity (Kamphuis et al., ECIR 2020), in plain Python: the reference."""

import math
from collections.abc import Sequence

from commonplace.engines.analysis import Counted, Wanted

K1 = 1.2
B = 0.75


def rarity(total: int, holding: int) -> float:
    """How much a word tells that ``holding`` of ``total`` passages have.

    >>> rarity(10, 1) > rarity(10, 9) > 0
    True
    """
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def rank(rows: Sequence[Counted], want: Wanted) -> dict[int, float]:
    """Scores of the rows that hold a word that is wanted, by place."""
    scores: dict[int, float] = {}
    average = sum(row.length for row in rows) / max(1, len(rows))
    for word, weight in want.words.items():
        holding = {at: row.halves[word] / 2 for at, row in enumerate(rows) if word in row.halves}
        worth = weight * rarity(len(rows), len(holding)) * (K1 + 1)
        for at, count in holding.items():
            damp = K1 * (1 - B + B * rows[at].length / average)
            scores[at] = scores.get(at, 0.0) + worth * count / (count + damp)
    return scores
