"""The quotes that answer a question, best first: verbatim, short, from several places.

The default method weighs every stretch of whole sentences that fits the cap by five things: how
much of the question it says (rare words more), how much its best sentence says alone, how near
that is in meaning, how good its passage was, and whether it has the kind of thing asked for.
``docs/evaluation.md`` shows what each adds. The method ``overlap`` is seed 000 §4.6.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from commonplace.answer.overlap import select_overlap
from commonplace.answer.weights import Ruler, question_stems, rarity, stems, wish
from commonplace.answer.windows import Unit, Window, measure, windows
from commonplace.domain.document import Span
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Located
from commonplace.embedders.base import Embedder
from commonplace.tokens import TokenCounter

Method = Literal["best", "overlap"]

RERANKED = 24  # 000 §4.6.1, step 5: the top M spans


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteLimits:
    """How many quotes, how long; the defaults of seed 000 §4.6."""

    max_quotes: int = 6
    max_quote_tokens: int = 80
    include_context_tokens: int = 20
    """Whole neighbouring sentences are added on each side until they make this much, always
    inside ``max_quote_tokens``; 0 adds none."""
    method: Method = "best"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """How much each consideration counts; measured in docs/evaluation.md."""

    coverage: float = 1.0
    sentence: float = 0.5
    meaning: float = 0.25
    passage: float = 1.0
    kind: float = 0.2
    crowding: float = 0.05
    """Taken off for each quote already chosen from the same passage."""

    @property
    def total(self) -> float:
        """The score of a perfect quote."""
        return self.coverage + self.sentence + self.meaning + self.passage + self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Weigher:
    """What weighing quotes needs: a token counter and, for meaning, a fast model."""

    tokens: TokenCounter
    embedder: Embedder | None = None
    blend: Blend = Blend()


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """The candidates, cut and judged unit by unit."""

    candidates: Sequence[Located]
    units: Sequence[Unit]
    ruler: Ruler
    masks: Sequence[int]
    """Of each unit: which words of the question it has."""
    contexts: Sequence[int]
    """Of each candidate: which of them its title and headings have."""
    said: Sequence[float]
    """Of each unit: how much of the question it has."""
    kinds: Sequence[float]
    merits: Sequence[float]
    """Of each candidate: its rank score, best 1 and worst 0."""


async def select_quotes(
    question: str,
    candidates: Sequence[Located],
    scores: Sequence[float],
    limits: QuoteLimits,
    weigher: Weigher,
) -> list[Quote]:
    """At most ``max_quotes`` quotes, best first, none overlapping another.

    ``scores`` are those of the candidates, in their order. A score of a quote lies between 0
    and 1. The same arguments always give the same quotes.
    """
    if limits.method == "overlap":
        return select_overlap(
            question, candidates, weigher.tokens, limits.max_quotes, limits.max_quote_tokens
        )
    scene = _set_scene(question, candidates, scores, weigher.tokens, limits.max_quote_tokens)
    near = await _nearness(question, scene, weigher)
    return _choose(scene, near, limits, weigher)


def _set_scene(
    question: str,
    candidates: Sequence[Located],
    scores: Sequence[float],
    count: TokenCounter,
    cap: int,
) -> _Scene:
    units = measure(candidates, count, cap)
    found = [stems(unit.text) for unit in units]
    ruler = Ruler(rarity(question_stems(question), found))
    masks = [ruler.mask(words) for words in found]
    contexts = [
        ruler.mask(stems(" ".join((located.card.title, *located.passage.headings))))
        for located in candidates
    ]
    asked = wish(question)
    return _Scene(
        candidates=candidates,
        units=units,
        ruler=ruler,
        masks=masks,
        contexts=contexts,
        said=[
            ruler.coverage(mask, contexts[unit.candidate])
            for unit, mask in zip(units, masks, strict=True)
        ],
        kinds=[asked.met_by(unit.text) for unit in units],
        merits=stretch(scores) if len(scores) == len(candidates) else [1.0] * len(candidates),
    )


def stretch(scores: Sequence[float]) -> list[float]:
    """Scores stretched so that the best is 1 and the worst 0; all 1 when they are equal.

    >>> stretch([3.0, 1.0, 2.0]), stretch([2.0])
    ([1.0, 0.0, 0.5], [1.0])
    """
    if not scores:
        return []
    worst, width = min(scores), max(scores) - min(scores)
    return [(score - worst) / width if width > 0 else 1.0 for score in scores]


async def _nearness(question: str, scene: _Scene, weigher: Weigher) -> list[float]:
    """How near each unit is to the question in meaning; only the most promising are compared."""
    near = [0.0] * len(scene.units)
    if weigher.embedder is None or not scene.units or weigher.blend.meaning <= 0:
        return near
    blend = weigher.blend
    promise = [
        (blend.coverage + blend.sentence) * scene.said[place]
        + blend.passage * scene.merits[unit.candidate]
        for place, unit in enumerate(scene.units)
    ]
    chosen = sorted(range(len(promise)), key=lambda place: (-promise[place], place))[:RERANKED]
    texts = [question, *(scene.units[place].text for place in chosen)]
    vectors = await weigher.embedder.embed(texts)
    cosines = [float(cosine) for cosine in vectors[1:] @ vectors[0]]
    for place, share in zip(chosen, stretch(cosines), strict=True):
        near[place] = share
    return near


def _score(scene: _Scene, near: Sequence[float], window: Window, blend: Blend) -> float:
    """The merit of a window as a quote, between 0 and 1."""
    first, after = window.first, window.last + 1
    candidate = scene.units[first].candidate
    union = 0
    for mask in scene.masks[first:after]:
        union |= mask
    merit = blend.coverage * scene.ruler.coverage(union, scene.contexts[candidate])
    merit += blend.sentence * max(scene.said[first:after])
    merit += blend.meaning * max(near[first:after])
    merit += blend.passage * scene.merits[candidate]
    merit += blend.kind * max(scene.kinds[first:after])
    return merit / blend.total


def _choose(
    scene: _Scene, near: Sequence[float], limits: QuoteLimits, weigher: Weigher
) -> list[Quote]:
    """Best window first; then the best of what does not touch the chosen ones, and so on."""
    texts = [located.passage.text for located in scene.candidates]
    # of equal windows the shorter, then the earlier
    ranked = sorted(
        (-_score(scene, near, window, weigher.blend), window.tokens, window.first, window.last)
        for window in windows(scene.units, texts, limits.max_quote_tokens)
    )
    taken: set[int] = set()
    crowd = [0] * len(scene.candidates)
    chosen: list[tuple[float, int, int]] = []
    while ranked and len(chosen) < limits.max_quotes:
        fresh = [entry for entry in ranked if not taken.intersection(range(entry[2], entry[3] + 1))]
        if not fresh:
            break
        penalty = weigher.blend.crowding / weigher.blend.total
        best = min(
            fresh,
            key=lambda entry: (
                entry[0] + penalty * crowd[scene.units[entry[2]].candidate],
                *entry[1:],
            ),
        )
        first, last = _widen(scene, (best[2], best[3]), taken, limits, weigher.tokens)
        taken.update(range(first, last + 1))
        crowd[scene.units[first].candidate] += 1
        chosen.append((-best[0], first, last))
        ranked = fresh
    return [_quote(scene, first, last, score) for score, first, last in chosen]


def _widen(
    scene: _Scene,
    core: tuple[int, int],
    taken: set[int],
    limits: QuoteLimits,
    count: TokenCounter,
) -> tuple[int, int]:
    """Add whole neighbouring units as context, what follows before what precedes."""
    first, last = core
    spare = limits.include_context_tokens
    candidate = scene.units[first].candidate
    text = scene.candidates[candidate].passage.text

    def fits(start: int, end: int) -> bool:
        if not 0 <= start <= end < len(scene.units) or {start, end} & taken:
            return False
        if {scene.units[start].candidate, scene.units[end].candidate} != {candidate}:
            return False
        grown = text[scene.units[start].piece.start : scene.units[end].piece.end]
        return count(grown) <= limits.max_quote_tokens

    after = before = spare
    while after > 0 and fits(first, last + 1):
        last += 1
        after -= scene.units[last].tokens
    while before > 0 and fits(first - 1, last):
        first -= 1
        before -= scene.units[first].tokens
    return first, last


def _quote(scene: _Scene, first: int, last: int, score: float) -> Quote:
    located = scene.candidates[scene.units[first].candidate]
    start, end = scene.units[first].piece.start, scene.units[last].piece.end
    offset = located.passage.span.start
    return Quote(
        text=located.passage.text[start:end],
        span=Span(offset + start, offset + end),
        located=located,
        score=min(1.0, max(0.0, score)),
    )
