"""The two plain baselines of DESIGN §9: BM25 top 10, then word overlap with or without IDF."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from commonplace.answer.likelihood import stretch
from commonplace.answer.overlap import normalise, overlap
from commonplace.answer.spans import overlap_spans
from commonplace.answer.weights import question_stems, rarity, stems
from commonplace.domain.document import Span
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Located
from commonplace.retrieve.words import stem, words

K1, B = 1.5, 0.75  # as in the data's README
TOP = 10
PASSAGE_WEIGHT = 0.3


class PlainIndex:
    """BM25 over passages in plain Python, beside which the product is measured."""

    def __init__(self, passages: Sequence[Located]) -> None:
        self._passages = passages
        counts = [
            Counter(map(stem, words(f"{one.card.title} {one.passage.text}"))) for one in passages
        ]
        self._sizes = [sum(count.values()) for count in counts]
        self._mean = sum(self._sizes) / max(1, len(self._sizes))
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for place, count in enumerate(counts):
            for word, times in count.items():
                self._postings.setdefault(word, []).append((place, times))

    def top(self, question: str) -> list[tuple[Located, float]]:
        """The ten best passages with their scores."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in question_stems(question):
            postings = self._postings.get(word, ())
            rare = math.log(1 + (len(self._sizes) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, times in postings:
                size = 1 - B + B * self._sizes[place] / self._mean
                scores[place] += rare * times * (K1 + 1) / (times + K1 * size)
        best = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))[:TOP]
        return [(self._passages[place], score) for place, score in best]


def _spans(top: Sequence[tuple[Located, float]]) -> list[tuple[int, Span]]:
    return [
        (place, Span(piece.start, piece.end))
        for place, (located, _) in enumerate(top)
        for piece in overlap_spans(located.passage.text)
    ]


def _quotes(
    top: Sequence[tuple[Located, float]], ranked: Sequence[tuple[int, Span]]
) -> list[Quote]:
    quotes = []
    for place, span in ranked:
        located = top[place][0]
        start = located.passage.span.start
        document = Span(start + span.start, start + span.end)
        text = span.of(located.passage.text)
        quotes.append(Quote(text=text, span=document, located=located, score=0.0))
    return quotes


def plain_overlap(question: str, top: Sequence[tuple[Located, float]]) -> list[Quote]:
    """Spans by seed 000's overlap."""
    asked = normalise(question)
    ranked = sorted(
        _spans(top),
        key=lambda entry: (
            -overlap(asked, entry[1].of(top[entry[0]][0].passage.text)),
            len(entry[1]),
            entry[1].start,
        ),
    )
    return _quotes(top, ranked)


def plain_weighted(question: str, top: Sequence[tuple[Located, float]]) -> list[Quote]:
    """Spans by overlap with IDF weights, plus the score of their passage."""
    spans = _spans(top)
    found = [stems(span.of(top[place][0].passage.text)) for place, span in spans]
    weights = rarity(question_stems(question), found)
    merits = stretch([score for _, score in top])
    scores = [
        sum(weight for word, weight in weights.items() if word in span)
        + PASSAGE_WEIGHT * merits[place]
        for (place, _), span in zip(spans, found, strict=True)
    ]
    order = sorted(range(len(spans)), key=lambda at: (-scores[at], len(spans[at][1]), at))
    return _quotes(top, [spans[at] for at in order])
