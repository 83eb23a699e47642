"""How likely each sentence holds the answer, as a probability one can compare across questions.

Five things are considered of a unit, each between 0 and 1; a logistic curve makes one probability
of them. Its weights are fitted by ``python -m eval.calibrate`` on questions the documents answer
and on questions they do not, so that a question about something else gets small numbers. A second
curve tells from all units together whether the question is answered here at all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from commonplace.answer.weights import Ruler, question_stems, rarity, stems, wish
from commonplace.answer.windows import Unit, measure
from commonplace.domain.passage import Located
from commonplace.embedders.base import Embedder
from commonplace.retrieve.named import asked_names, is_opening, is_said
from commonplace.retrieve.recall import STATIC_TEXTS_PER_S
from commonplace.tokens import TokenCounter

TOGETHER = 5
"""Units whose chances tell whether there is an answer: it is seldom told in more places."""
NAMED = 0.5
"""The share of a question that makes a heading what it asks for, and not one of its words.

A name of code is asked for where it is said."""
COMPARED = 128
"""Units whose meaning is compared, the most promising first: about ten milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """What is considered of a unit, each between 0 and 1."""

    coverage: float
    """Share of the question's words, rare ones more, in it, its neighbours and its headings."""
    sentence: float
    """Share of them in it alone, beside the best unit's."""
    meaning: float
    """Cosine with the question by the static model."""
    passage: float
    """How good its passage was: the best 1, the worst 0."""
    kind: float
    """Whether it has the kind of thing asked for: a number, a time, a name."""


TYPICAL = Considered(coverage=0.13, sentence=0.15, meaning=0.19, passage=0.26, kind=0.51)
"""The mean of all units the weights were fitted on; stands in for what is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """How much each consideration counts, in log-odds; ``base`` is for a typical unit."""

    base: float = -5.62
    coverage: float = 1.62
    sentence: float = 1.13
    meaning: float = 3.78
    passage: float = 2.46
    kind: float = 0.95

    def chance(self, seen: Considered) -> float:
        """The probability that a unit holds the answer.

        >>> Blend(base=0.0).chance(TYPICAL)
        0.5
        """
        odds = (
            self.base
            + self.coverage * (seen.coverage - TYPICAL.coverage)
            + self.sentence * (seen.sentence - TYPICAL.sentence)
            + self.meaning * (seen.meaning - TYPICAL.meaning)
            + self.passage * (seen.passage - TYPICAL.passage)
            + self.kind * (seen.kind - TYPICAL.kind)
        )
        return 1 / (1 + math.exp(-odds))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Whether documents answer a question at all, in log-odds: what each sign counts."""

    base: float = -4.91
    likely: float = 2.08
    """For the logarithm of the best units' chances together."""
    said: float = 2.14
    """For the share of the question that one passage says."""
    meaning: float = 14.18
    """For the best cosine."""

    def chance(self, judged: "Judged", chances: Sequence[float]) -> float:
        """The probability that one of the units has the answer."""
        likely = sum(sorted(chances)[-TOGETHER:])
        if likely <= 0:
            return 0.0
        nearest = max(seen.meaning for seen in judged.seen)
        odds = self.base + self.likely * math.log(likely)
        odds += self.said * judged.said + self.meaning * nearest
        return 1 / (1 + math.exp(-odds))


@dataclass(frozen=True, slots=True, kw_only=True)
class Weigher:
    """What weighing quotes needs: a token counter and, for meaning, a fast model."""

    tokens: TokenCounter
    embedder: Embedder | None = None
    blend: Blend = Blend()
    outlook: Outlook = Outlook()


@dataclass(frozen=True, slots=True)
class Judged:
    """The units of all candidates and what was considered of each, in order."""

    units: Sequence[Unit]
    seen: Sequence[Considered]
    said: float
    """The share of the question's words, rare ones more, in one passage under its headings."""


async def judge(
    question: str,
    candidates: Sequence[Located],
    scores: Sequence[float],
    weigher: Weigher,
    cap: int,
) -> Judged:
    """Cut the candidates into units of at most ``cap`` tokens and consider each."""
    units = measure(candidates, weigher.tokens, cap)
    words = _words(question, candidates, units)
    merits = stretch(scores) if len(scores) == len(candidates) else [1.0] * len(candidates)
    best = max(words.said, default=0.0) or 1.0
    kinds = _kinds(question, candidates, units)
    rough = [
        Considered(
            coverage=words.covered[place],
            sentence=words.said[place] / best,
            meaning=TYPICAL.meaning,
            passage=merits[unit.candidate],
            kind=kinds[place],
        )
        for place, unit in enumerate(units)
    ]
    texts = [f"{words.names[unit.candidate]} {unit.text}".lstrip() for unit in units]
    return Judged(units, await _with_meaning(question, texts, rough, weigher), words.most)


def _kinds(question: str, candidates: Sequence[Located], units: Sequence[Unit]) -> list[float]:
    """Whether each unit has the kind of thing asked for; of a name alone, what tells what it is."""
    asked = asked_names(question)
    if asked is not None and asked.is_alone:
        openings = _openings(question, candidates)
        first = {unit.candidate: place for place, unit in reversed([*enumerate(units)])}
        found = [
            asked.term.match(unit.text) is not None
            or (unit.candidate in openings and first[unit.candidate] == place)
            for place, unit in enumerate(units)
        ]
        if any(found):
            return [float(one) for one in found]
    expected = wish(question)
    return [expected.met_by(unit.text) for unit in units]


def _openings(question: str, candidates: Sequence[Located]) -> set[int]:
    """The candidates that begin a section whose name of code the question has."""
    return {
        place
        for place, located in enumerate(candidates)
        if is_said(question, " ".join(located.passage.headings[-1:]))
        and is_opening(located.passage)
    }


class _Words(NamedTuple):
    """What words tell of units and of their sections."""

    said: list[float]
    """By unit, the share of the question it says."""
    covered: list[float]
    """By unit, what it says together with its neighbours."""
    most: float
    """The most that one passage says under its headings."""
    names: list[str]
    """By candidate, the heading that counts as said by its sentences, or nothing."""


def _words(question: str, candidates: Sequence[Located], units: Sequence[Unit]) -> _Words:
    found = [stems(unit.text) for unit in units]
    ruler = Ruler(rarity(question_stems(question), found))
    masks = [ruler.mask(words) for words in found]
    contexts = [
        ruler.mask(stems(" ".join((located.card.title, *located.passage.headings))))
        for located in candidates
    ]
    names = [_name(question, located, ruler) for located in candidates]
    named = [ruler.mask(stems(name)) for name in names]
    said, covered, whole = [], [], list(contexts)
    for place, unit in enumerate(units):
        whole[unit.candidate] |= masks[place]
        own = union = masks[place] | named[unit.candidate]
        for near in (place - 1, place + 1):
            if 0 <= near < len(units) and units[near].candidate == unit.candidate:
                union |= masks[near]
        said.append(ruler.coverage(own, contexts[unit.candidate]))
        covered.append(ruler.coverage(union, contexts[unit.candidate]))
    return _Words(said, covered, max(map(ruler.coverage, whole), default=0.0), names)


def _name(question: str, located: Located, ruler: Ruler) -> str:
    """What the section is called, where that is what is asked for: its sentences mean it."""
    heading = " ".join(located.heading_path[-1:])
    said = is_said(question, heading)
    if said is None:
        said = ruler.coverage(ruler.mask(stems(heading))) >= NAMED
    return heading if said else ""


async def _with_meaning(
    question: str, texts: Sequence[str], rough: Sequence[Considered], weigher: Weigher
) -> list[Considered]:
    """The considerations with the cosines of the most promising units."""
    seen = list(rough)
    if weigher.embedder is None or not texts:
        return seen
    chances = [weigher.blend.chance(one) for one in rough]
    chosen = sorted(range(len(texts)), key=lambda place: (-chances[place], place))[:COMPARED]
    vectors = await weigher.embedder.embed([question, *(texts[place] for place in chosen)])
    cosines = [float(cosine) for cosine in vectors[1:] @ vectors[0]]
    if weigher.embedder.texts_per_s < STATIC_TEXTS_PER_S:
        # Another model's cosines have another scale: only their order is known to mean something.
        cosines = [2 * TYPICAL.meaning * share for share in stretch(cosines)]
    for place, cosine in zip(chosen, cosines, strict=True):
        one = rough[place]
        seen[place] = Considered(
            coverage=one.coverage,
            sentence=one.sentence,
            meaning=min(1.0, max(0.0, cosine)),
            passage=one.passage,
            kind=one.kind,
        )
    return seen


def stretch(scores: Sequence[float]) -> list[float]:
    """Scores stretched so that the best is 1 and the worst 0; all 1 when they are equal.

    >>> stretch([3.0, 1.0, 2.0]), stretch([2.0])
    ([1.0, 0.0, 0.5], [1.0])
    """
    if not scores:
        return []
    worst, width = min(scores), max(scores) - min(scores)
    return [(score - worst) / width if width > 0 else 1.0 for score in scores]
