"""Which stretches to quote when every token is paid for, citations included.

A new quote costs its citation and its text; a sentence beside one already chosen costs its text
alone. So, step by step, the step with the greatest chance of the answer for its tokens is taken
until the page is full. What is left over makes the next page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonplace.answer.pack import minify
from commonplace.answer.windows import Unit, has_words_between
from commonplace.tokens import TokenCounter

CITATION_TOKENS = 70
"""Ids, title, address, headings and offsets of a quote, as data, roughly."""
CONTEXT_SHARE = 0.5
"""A neighbour with less than this share of its quote's best chance is context, and bounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How many quotes, how long, with how much context on each side; what a page may cost."""

    quotes: int
    quote_tokens: int
    context_tokens: int
    page_tokens: int
    citations: Sequence[int]
    """Beside its text, what a quote of each candidate costs."""
    least_chance: float = 0.0
    """What is less likely than this is no quote of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """What is chosen from: the units of all candidates, and how likely each has the answer."""

    texts: Sequence[str]
    """Of the candidates."""
    units: Sequence[Unit]
    chances: Sequence[float]

    def text(self, first: int, last: int) -> str:
        """What a quote of these units says."""
        whole = self.texts[self.units[first].candidate]
        return whole[self.units[first].piece.start : self.units[last].piece.end]

    def is_joined(self, first: int, second: int) -> bool:
        """Whether two neighbouring units may stand in one quote: no heading between them."""
        if first < 0 or second >= len(self.units):
            return False
        before, after = self.units[first], self.units[second]
        if before.candidate != after.candidate:
            return False
        return not has_words_between(self.texts[before.candidate], before.piece, after.piece)


@dataclass(slots=True, eq=False)
class Draft:
    """A quote that may still grow: units ``first`` to ``last``."""

    first: int
    last: int
    cost: int = 0
    context: int = 0
    """Tokens of its less likely units."""
    best: float = 0.0
    """The greatest chance of one of its units."""
    chance: float = 0.0
    """That one of its units has the answer."""


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    gain: float
    """Chance for its tokens."""
    place: int
    draft: Draft | None = None
    """The quote that grows; none when a new one is opened."""

    @property
    def order(self) -> tuple[float, int]:
        return (self.gain, -self.place)


class Chooser:
    """Fills one page after another from the same field."""

    def __init__(
        self, field: Field, bounds: Bounds, count: TokenCounter, measure: TokenCounter
    ) -> None:
        self._field, self._bounds = field, bounds
        self._count, self._measure = count, measure
        self._taken: set[int] = set()
        self._refused: set[tuple[int, int]] = set()

    def pages(self) -> Iterator[list[Draft]]:
        """Pages of quotes, the likeliest first within each, until nothing likely is left."""
        wanted = self._bounds.quotes
        while wanted > 0:
            page = self._fill(wanted)
            if not page:
                return
            wanted -= len(page)
            yield sorted(page, key=lambda draft: (-draft.chance, draft.first))

    def _fill(self, wanted: int) -> list[Draft]:
        drafts: list[Draft] = []
        left = self._bounds.page_tokens
        self._refused.clear()
        openings = self._openings()
        while True:
            steps = list(self._growths(drafts, left))
            if len(drafts) < wanted:
                steps += self._next_opening(openings, left)
            if not steps:
                return drafts
            left -= self._take(max(steps, key=lambda step: step.order), drafts, left)

    def _openings(self) -> list[_Step]:
        """All units as quotes of their own, the best first."""
        units, chances = self._field.units, self._field.chances
        steps = [
            _Step(
                _worth(chances[place], unit.tokens + self._bounds.citations[unit.candidate]), place
            )
            for place, unit in enumerate(units)
            if place not in self._taken and chances[place] >= self._bounds.least_chance
        ]
        return sorted(steps, key=lambda step: step.order, reverse=True)

    def _next_opening(self, openings: Sequence[_Step], left: int) -> list[_Step]:
        for step in openings:
            unit = self._field.units[step.place]
            is_open = (
                step.place not in self._taken and (step.place, step.place) not in self._refused
            )
            if is_open and unit.tokens + self._bounds.citations[unit.candidate] <= left:
                return [step]
        return []

    def _growths(self, drafts: Sequence[Draft], left: int) -> Iterator[_Step]:
        for draft in drafts:
            for first, second in ((draft.first - 1, draft.first), (draft.last, draft.last + 1)):
                place = first if second == draft.first else second
                if not self._field.is_joined(first, second) or place in self._taken:
                    continue
                unit, chance = self._field.units[place], self._field.chances[place]
                is_context = chance < CONTEXT_SHARE * draft.best
                if is_context and draft.context >= 2 * self._bounds.context_tokens:
                    continue
                span = (min(place, draft.first), max(place, draft.last))
                if unit.tokens <= left and span not in self._refused:
                    yield _Step(_worth(chance, unit.tokens + 1), place, draft)

    def _take(self, step: _Step, drafts: list[Draft], left: int) -> int:
        """Do the step if it really fits; what it cost."""
        draft = step.draft or Draft(step.place, step.place)
        first, last = min(step.place, draft.first), max(step.place, draft.last)
        text = self._field.text(first, last)
        unit, chance = self._field.units[step.place], self._field.chances[step.place]
        cost = self._count(_escaped(text)) + self._bounds.citations[unit.candidate]
        is_too_long = first != last and self._measure(text) > self._bounds.quote_tokens
        if is_too_long or cost - draft.cost > left:
            self._refused.add((first, last))
            return 0
        if step.draft is None:
            drafts.append(draft)
        elif chance < CONTEXT_SHARE * draft.best:
            draft.context += unit.tokens
        spent = cost - draft.cost
        draft.first, draft.last, draft.cost = first, last, cost
        draft.chance = 1 - (1 - draft.chance) * (1 - chance)
        draft.best = max(draft.best, chance)
        self._taken.add(step.place)
        return spent


def _worth(chance: float, tokens: int) -> float:
    return chance / tokens


def _escaped(text: str) -> str:
    r"""A text as it stands between quotation marks in data.

    >>> _escaped('a "b"\n')
    'a \\"b\\"\\n'
    """
    return minify({"": text})[len('{"":"') : -len('"}')]
