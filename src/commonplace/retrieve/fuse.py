"""Rankings of several channels become one.

The default is a weighted sum of min-max normalised scores, which ``eval/`` shows ahead of
reciprocal rank fusion where one channel is weak (docs/evaluation.md); RRF is here for the tools
whose contract names it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.domain.query import Channel, Hit

RRF_K = 10
"""Of 3 to 60 on nine open sets: mean nDCG@10 .705, with 60, as first published, .690 (ADR 48)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What one channel found, best first, and how much its word counts."""

    channel: Channel
    scores: Mapping[str, float]
    """By passage id."""
    weight: float


def normalise(hits: Sequence[Hit]) -> dict[str, float]:
    """Scores by passage id, stretched so that the best is 1 and the worst is 0.

    A channel whose hits all score the same finds them all equally good.

    >>> normalise([Hit("a", 9.0), Hit("b", 7.0), Hit("c", 5.0)])
    {'a': 1.0, 'b': 0.5, 'c': 0.0}
    >>> normalise([Hit("a", 2.0)])
    {'a': 1.0}
    """
    if not hits:
        return {}
    scores = [hit.score for hit in hits]
    worst, width = min(scores), max(scores) - min(scores)
    if width <= 0:
        return {hit.passage_id: 1.0 for hit in hits}
    return {hit.passage_id: (hit.score - worst) / width for hit in hits}


def reciprocal_ranks(hits: Sequence[Hit]) -> dict[str, float]:
    """The share of each passage in reciprocal rank fusion.

    >>> reciprocal_ranks([Hit("a", 9.0)])["a"] == 1 / 11
    True
    """
    return {hit.passage_id: 1 / (RRF_K + rank) for rank, hit in enumerate(hits, start=1)}


def fuse(rankings: Sequence[Ranking]) -> list[Hit]:
    """One ranking out of several, best first, ties by passage id.

    >>> lexical = Ranking(channel="bm25", scores={"a": 1.0, "b": 0.2}, weight=0.4)
    >>> dense = Ranking(channel="vector", scores={"b": 1.0}, weight=0.6)
    >>> [(hit.passage_id, round(hit.score, 2), hit.channel) for hit in fuse([lexical, dense])]
    [('b', 0.68, 'hybrid'), ('a', 0.4, 'bm25')]
    """
    totals: dict[str, float] = {}
    shares: dict[str, tuple[tuple[Channel, float], ...]] = {}
    for ranking in rankings:
        channel, weight = ranking.channel, ranking.weight
        for passage_id, score in ranking.scores.items():
            totals[passage_id] = totals.get(passage_id, 0.0) + weight * score
            shares[passage_id] = (*shares.get(passage_id, ()), (channel, score))
    order = sorted([(-total, passage_id) for passage_id, total in totals.items()])
    return [_fused(passage_id, -total, shares[passage_id]) for total, passage_id in order]


def _fused(passage_id: str, score: float, parts: tuple[tuple[Channel, float], ...]) -> Hit:
    """One channel keeps its name; several together are hybrid."""
    return Hit(passage_id, score, parts[0][0] if len(parts) == 1 else "hybrid", parts)
