"""The quotes that answer a question, best first: verbatim, short, from several places.

The default method asks of every sentence how likely it holds the answer (``likelihood.py``) and
takes what gives most of that for its tokens (``choose.py``). ``docs/evaluation.md`` shows what
each consideration adds. The method ``overlap`` is seed 000 §4.6.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from commonplace.answer.choose import CITATION_TOKENS, Bounds, Chooser, Draft, Field
from commonplace.answer.likelihood import Weigher, judge
from commonplace.answer.overlap import select_overlap
from commonplace.answer.repeats import without_repeats
from commonplace.answer.weights import shares_language
from commonplace.domain.document import Span
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Located
from commonplace.tokens import TokenCounter

Method = Literal["best", "overlap"]

_SAMPLED = 3  # the best passages tell the language of all
UNIT_TOKENS = 160
"""A longer sentence, row or fence is cut, so that one of them cannot fill a reply."""
LEAST_SHARE = 0.05
"""Where weak quotes are left out, those with less than this share of the best one's chance are too:
at 800 tokens that costs no answer on four sets and saves 3 to 20 % of the tokens (.1: a third, and
one answer of 66 on qasper-dev-evidence)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteLimits:
    """How many quotes, how long; the defaults of seed 000 §4.6."""

    max_quotes: int = 6
    max_quote_tokens: int = 80
    include_context_tokens: int = 20
    """Neighbouring sentences that hardly hold the answer are added up to this much a side, always
    inside ``max_quote_tokens``; 0 adds none."""
    method: Method = "best"
    least_answered: float = 0.0
    """When it is less likely than this that the candidates answer at all, there is no quote."""
    least_chance: float = 0.0
    """A sentence less likely than this to hold the answer only comes beside a likelier one."""
    least_share: float = LEAST_SHARE
    """The same as a share of the likeliest one's chance, where weak quotes are left out at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What the quotes of one reply may cost together, and what each costs beside its text."""

    page_tokens: int
    citations: Sequence[int]
    """By candidate."""
    count: TokenCounter


async def select_quotes(  # noqa: PLR0913 - the question, where to look, and four kinds of limits
    question: str,
    candidates: Sequence[Located],
    scores: Sequence[float],
    limits: QuoteLimits,
    weigher: Weigher,
    price: Price | None = None,
) -> list[Quote]:
    """At most ``max_quotes`` quotes, none overlapping another, the best reply's worth first.

    ``scores`` are those of the candidates, in their order. A score of a quote is the probability
    that it holds the answer. The same arguments always give the same quotes.
    """
    if limits.method == "overlap":
        return select_overlap(
            question, candidates, weigher.tokens, limits.max_quotes, limits.max_quote_tokens
        )
    cap = min(UNIT_TOKENS, limits.max_quote_tokens)
    judged = await judge(question, candidates, scores, weigher, cap)
    field = Field(
        texts=[located.passage.text for located in candidates],
        units=judged.units,
        chances=[weigher.blend.chance(seen) for seen in judged.seen],
    )
    if limits.least_answered and weigher.embedder is not None:
        answered = weigher.outlook.chance(judged, field.chances)
        if answered < limits.least_answered and _is_judged(question, field):
            return []
    price = price or _unlimited(candidates, limits, weigher)
    chosen = _choose(question, field, limits, weigher, price)
    return [_quote(candidates, field, draft) for draft in chosen]


def _is_judged(question: str, field: Field) -> bool:
    """Whether small chances mean anything: words and the model know one language at a time."""
    return shares_language(question, " ".join(field.texts[:_SAMPLED]))


def _unlimited(candidates: Sequence[Located], limits: QuoteLimits, weigher: Weigher) -> Price:
    """As if only the number and length of quotes counted."""
    return Price(
        page_tokens=limits.max_quotes * (CITATION_TOKENS + 4 * limits.max_quote_tokens),
        citations=[CITATION_TOKENS] * len(candidates),
        count=weigher.tokens,
    )


def _choose(
    question: str, field: Field, limits: QuoteLimits, weigher: Weigher, price: Price
) -> list[Draft]:
    least = limits.least_chance
    if least:
        least = max(least, limits.least_share * max(field.chances, default=0.0))
        chances = without_repeats(question, field.units, field.chances, least)
        field = replace(field, chances=chances)
    bounds = Bounds(
        quotes=limits.max_quotes,
        quote_tokens=limits.max_quote_tokens,
        context_tokens=limits.include_context_tokens,
        page_tokens=price.page_tokens,
        citations=price.citations,
        least_chance=least,
    )
    pages = Chooser(field, bounds, price.count, weigher.tokens).pages()
    return [draft for page in pages for draft in page]


def _quote(candidates: Sequence[Located], field: Field, draft: Draft) -> Quote:
    located = candidates[field.units[draft.first].candidate]
    start = located.passage.span.start + field.units[draft.first].piece.start
    text = field.text(draft.first, draft.last)
    return Quote(
        text=text, span=Span(start, start + len(text)), located=located, score=draft.chance
    )
