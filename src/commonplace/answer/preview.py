"""The preview of a hit: its one to three best sentences, whole, within so many characters.

When even the best sentence is too long, it is clipped after a clause, failing that after a
word; the quote's span tells what is shown, so a reader can see that the sentence goes on.
"""

from commonplace.answer.spans import Piece, quotable, split_spans
from commonplace.answer.weights import Ruler, question_stems, rarity, wish
from commonplace.answer.windows import fitting
from commonplace.domain.document import Span
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Located
from commonplace.domain.query import Query
from commonplace.retrieve.words import stem, words

MAX_SENTENCES = 3  # 000 §4.3


def preview(query: Query | str, located: Located, max_chars: int) -> Quote:
    """The stretch of a passage that best shows why it was found, verbatim.

    A passage without any text gives an empty quote at its start.
    """
    text = located.passage.text
    question = query if isinstance(query, str) else query.text
    whole = quotable(text) or split_spans(text)
    pieces = [part for piece in whole for part in fitting(text, piece, _chars, max_chars)]
    if not pieces:
        return _quote(located, 0, 0, 0.0)
    said = _judge(question, located, pieces)
    first = last = max(range(len(pieces)), key=lambda place: (said[place], -place))
    while last - first + 1 < MAX_SENTENCES:
        grown = [
            (said[outer], -outer, start, end)
            for outer, start, end in ((last + 1, first, last + 1), (first - 1, first - 1, last))
            if 0 <= outer < len(pieces) and pieces[end].end - pieces[start].start <= max_chars
        ]
        if not grown:
            break
        _, _, first, last = max(grown)
    return _quote(located, pieces[first].start, pieces[last].end, min(1.0, max(said)))


def _chars(text: str) -> int:
    return len(text)


def _judge(question: str, located: Located, pieces: list[Piece]) -> list[float]:
    """How much of the question each piece says; the kind of answer asked for breaks near ties."""
    text = located.passage.text
    said = [text[piece.start : piece.end] for piece in pieces]
    wanted = question_stems(question)
    sought = frozenset(wanted)  # no other stem matters
    first = frozenset(word[:1] for word in wanted)
    found = [_held(sought, first, sentence) for sentence in said]
    ruler = Ruler(rarity(wanted, found))
    asked = wish(question)
    return [
        (ruler.coverage(ruler.mask(span)) if span else 0.0) + 0.1 * asked.met_by(sentence)
        for sentence, span in zip(said, found, strict=True)
    ]


def _held(sought: frozenset[str], first: frozenset[str], text: str) -> frozenset[str]:
    """Which of the stems sought a text has; ``first`` are the letters they begin with.

    A stem of ASCII begins as its word does. A word that begins otherwise is not stemmed: that saves
    a look at tens of thousands of remembered ones, far from any cache.

    >>> sorted(_held(frozenset({"cat", "run"}), frozenset("cr"), "Cats ran, one is running."))
    ['cat', 'run']
    """
    near = [word for word in words(text) if word[0] in first or not word.isascii()]
    return sought.intersection(map(stem, near)) if near else frozenset()


def _quote(located: Located, start: int, end: int, score: float) -> Quote:
    offset = located.passage.span.start
    return Quote(
        text=located.passage.text[start:end],
        span=Span(offset + start, offset + end),
        located=located,
        score=score,
    )
