"""Which sentences around a hit a result shows, and which of them when a reply has no room.

Every sentence has a chance to hold the answer. Room that is left goes to the likeliest beside what
was found. Where there is too little, one bar is set for all, as low as the budget allows, and of
each text stands the run of sentences that rises above it most; so the tokens go where the answer
probably is. Runs are verbatim, and begin and end with sentences.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from commonplace.answer.evidence import UNIT_TOKENS
from commonplace.answer.likelihood import Weigher, judge
from commonplace.domain.passage import Located
from commonplace.retrieve.recall import STATIC_TEXTS_PER_S
from commonplace.tokens import TokenCounter
from commonplace.tools.app import App


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage and its score."""

    located: Located
    score: float


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of a passage: where it stands, what it costs, what it promises."""

    start: int
    end: int
    tokens: int
    chance: float
    """That it holds the answer."""


Run = tuple[int, int]
"""Places of the first and the last part that are shown."""


async def weigh(
    app: App, question: str, scored: Sequence[Scored], cap_tokens: int = UNIT_TOKENS
) -> list[list[Part]]:
    """The parts of each passage, at least one, that together cover its text."""
    candidates = [one.located for one in scored]
    weigher = _fast(app.weigher)
    scores = [one.score for one in scored]
    judged = await judge(question, candidates, scores, weigher, cap_tokens)
    found: list[list[tuple[int, int, float]]] = [[] for _ in candidates]
    for unit, seen in zip(judged.units, judged.seen, strict=True):
        chance = weigher.blend.chance(seen)
        found[unit.candidate].append((unit.piece.start, unit.piece.end, chance))
    return [
        _covering(one.passage.text, units, app.tokens)
        for one, units in zip(candidates, found, strict=True)
    ]


def _fast(weigher: Weigher) -> Weigher:
    """Only a fast model reads every sentence of a reply; without one, words decide."""
    embedder = weigher.embedder
    if embedder is None or embedder.texts_per_s >= STATIC_TEXTS_PER_S:
        return weigher
    return Weigher(tokens=weigher.tokens, blend=weigher.blend)


def _covering(
    text: str, units: Sequence[tuple[int, int, float]], count: TokenCounter
) -> list[Part]:
    """Parts from a text's beginning to its end; each pays for what stands before it."""
    whole = len(text.rstrip())
    units = units or [(0, whole, 0.0)]
    parts, paid = [], 0
    for place, (start, end, chance) in enumerate(units):
        first = start if place else 0
        last = end if place < len(units) - 1 else whole
        parts.append(Part(first, last, count(text[paid:last]), chance))
        paid = last
    return parts


def choose(passages: Sequence[Sequence[Part]], spare: Callable[[int], int]) -> list[Run]:
    """A run of each of the first passages, within the tokens spare for so many of them.

    How many are shown is what promises most tokens of an answer; the first is shown in any case.

    >>> sure, vague = Part(0, 9, 10, 0.5), Part(9, 20, 10, 0.1)
    >>> choose([[sure, vague], [vague, sure]], lambda shown: 20)
    [(0, 0), (1, 1)]
    """
    best, most = [_run(parts, 1.0) for parts in passages[:1]], -1.0
    for shown in range(1, len(passages) + 1):
        runs = _lowest(passages[:shown], spare(shown))
        if runs is None:
            break
        worth = sum(
            part.chance * part.tokens
            for parts, (first, last) in zip(passages, runs, strict=False)
            for part in parts[first : last + 1]
        )
        if worth > most:
            best, most = runs, worth
    budget = spare(len(best))
    return _grown(passages, best, budget, budget)


def filled(
    texts: Sequence[Sequence[Part]], runs: Sequence[Run], mean_chars: int, most_chars: int
) -> list[Run]:
    """The runs with the likeliest parts around them, as long as they have room together.

    >>> parts = [Part(0, 9, 2, 0.1), Part(9, 20, 2, 0.5), Part(20, 30, 2, 0.3)]
    >>> filled([parts], [(1, 1)], 21, 25)
    [(1, 2)]
    """
    inner = [narrowed(parts, run, most_chars) for parts, run in zip(texts, runs, strict=True)]
    measured = [_in_chars(parts) for parts in texts]
    return _grown(measured, inner, mean_chars * len(texts), most_chars)


def _run(parts: Sequence[Part], bar: float) -> Run:
    """The run that rises above the bar most; where none does, the likeliest part."""
    likeliest = max(range(len(parts)), key=lambda place: (parts[place].chance, -place))
    best, most = (likeliest, likeliest), 0.0
    start, height = 0, 0.0
    for place, part in enumerate(parts):
        if height <= 0:
            start, height = place, 0.0
        height += (part.chance - bar) * part.tokens
        if height > most:
            best, most = (start, place), height
    return best


def _cost(passages: Sequence[Sequence[Part]], runs: Sequence[Run]) -> int:
    return sum(
        part.tokens
        for parts, (first, last) in zip(passages, runs, strict=False)
        for part in parts[first : last + 1]
    )


def _lowest(passages: Sequence[Sequence[Part]], budget: int) -> list[Run] | None:
    """The runs above the lowest bar that fit the budget; None when none do."""
    whole = [(0, len(parts) - 1) for parts in passages]
    if _cost(passages, whole) <= budget:
        return whole
    bars = sorted({part.chance for parts in passages for part in parts})
    runs = [_run(parts, bars[-1]) for parts in passages]
    if _cost(passages, runs) > budget:
        return None
    low, high = -1, len(bars) - 1
    while high - low > 1:
        middle = (low + high) // 2
        lower = [_run(parts, bars[middle]) for parts in passages]
        if _cost(passages, lower) <= budget:
            high, runs = middle, lower
        else:
            low = middle
    return runs


def _grown(
    passages: Sequence[Sequence[Part]], runs: Sequence[Run], budget: int, most: int
) -> list[Run]:
    """The runs with neighbouring parts, the likeliest first, as far as tokens are left.

    ``most`` is what one of them may cost.
    """
    grown = list(runs)
    sizes = [_cost([parts], [run]) for parts, run in zip(passages, runs, strict=False)]
    while True:
        left = budget - sum(sizes)
        near = [
            (passages[at][place].chance, -at, (min(first, place), max(last, place)), place)
            for at, (first, last) in enumerate(grown)
            for place in (first - 1, last + 1)
            if 0 <= place < len(passages[at])
            and passages[at][place].tokens
            <= (left if most is None else min(left, most - sizes[at]))
        ]
        if not near:
            return grown
        _, at, run, place = max(near)
        grown[-at] = run
        sizes[-at] += passages[-at][place].tokens


def narrowed(parts: Sequence[Part], run: Run, most_chars: int) -> Run:
    """The likeliest part of a run and what of the run stands around it, within so many characters.

    >>> narrowed([Part(0, 9, 2, 0.1), Part(9, 20, 2, 0.5), Part(20, 30, 2, 0.3)], (0, 2), 21)
    (1, 2)
    """
    inner = parts[run[0] : run[1] + 1]
    if inner[-1].end - inner[0].start <= most_chars:
        return run
    sizes = _in_chars(inner)
    first, last = _grown([sizes], [_run(sizes, 1.0)], most_chars, most_chars)[0]
    return run[0] + first, run[0] + last


def _in_chars(parts: Sequence[Part]) -> list[Part]:
    """The parts with characters for tokens; each pays for the white space before it."""
    paid = [parts[0].start, *(one.end for one in parts[:-1])]
    return [
        Part(one.start, one.end, one.end - before, one.chance)
        for one, before in zip(parts, paid, strict=True)
    ]
