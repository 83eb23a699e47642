"""What passages promise by their likeliest sentence.

A question is answered by a sentence, and a passage is about many things. What each sentence
promises is told by words and a fast model. Where the model of the project is a better reader, it
reads the likeliest sentences once more: how near they are to the question, beside each other,
moves their odds.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonplace.embedders.base import Embedder
from commonplace.retrieve.recall import STATIC_TEXTS_PER_S
from commonplace.tools.app import App
from commonplace.tools.papers.stretches import Part, Scored, weigh

# Chosen on open sets other than those of papers, among equals on one of these (ADR 62).
_READ = 24  # sentences read once more, as many as DESIGN has a second model read
_EACH = 2  # of one passage
_NEARNESS = 1.0  # log-odds for one standard deviation of the cosines

_LEAST = 1e-9  # a chance of nothing has no odds


class _Sentence(NamedTuple):
    passage: int
    odds: float
    text: str


async def promises(
    app: App, embedder: Embedder, question: str, scored: Sequence[Scored]
) -> list[float]:
    """By passage, the log-odds that its likeliest sentence holds the answer."""
    passages = await weigh(app, question, scored)
    odds = [max(_odds(part) for part in parts) for parts in passages]
    if embedder.texts_per_s >= STATIC_TEXTS_PER_S:
        return odds
    likely = sorted(_likely(scored, passages), key=lambda one: (-one.odds, one.passage))[:_READ]
    nearness = await _nearness(embedder, question, [one.text for one in likely])
    again: dict[int, float] = {}
    for one, near in zip(likely, nearness, strict=True):
        again[one.passage] = max(again.get(one.passage, -math.inf), one.odds + near)
    return [again.get(place, told) for place, told in enumerate(odds)]


def _likely(scored: Sequence[Scored], passages: Sequence[Sequence[Part]]) -> Iterator[_Sentence]:
    """The likeliest sentences of every passage."""
    for place, (one, parts) in enumerate(zip(scored, passages, strict=True)):
        for part in sorted(parts, key=_odds, reverse=True)[:_EACH]:
            text = one.located.passage.text[part.start : part.end].strip()
            yield _Sentence(place, _odds(part), text)


def _odds(part: Part) -> float:
    chance = min(1 - _LEAST, max(_LEAST, part.chance))
    return math.log(chance / (1 - chance))


async def _nearness(embedder: Embedder, question: str, texts: Sequence[str]) -> list[float]:
    """How much nearer to the question each text is than the others, in log-odds.

    Cosines of two models cannot be compared, their deviations can.
    """
    asked = await embedder.embed([question], is_query=True)
    cosines = (await embedder.embed(texts)) @ asked[0]
    spread = float(cosines.std()) if len(texts) else 0.0
    if spread <= _LEAST:
        return [0.0] * len(texts)
    return [float(one) for one in _NEARNESS * (cosines - cosines.mean()) / spread]
