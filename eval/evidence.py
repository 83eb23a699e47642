"""Whether the answer is in the quotes, at 200, 400, 800 and 1600 tokens."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from commonplace import tools
from commonplace.answer.evidence import Price, QuoteLimits, select_quotes
from commonplace.answer.likelihood import Blend, Weigher
from commonplace.catalog import collect
from commonplace.domain.evidence import Quote
from commonplace.domain.passage import Located
from commonplace.engines.base import Passages
from commonplace.retrieve.search import Found, Request, search
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.tokens import token_counter
from commonplace.tools.base import Tool
from commonplace.tools.kb.evidence import LEAST_CHANCE
from eval.corpus import SELECTION, Indexed, application
from eval.plain import PlainIndex, plain_overlap, plain_weighted
from eval.sets import Question

BUDGETS = (200, 400, 800, 1600)
MANY = 24
MARK_TOKENS = 8
"""What opens a quote where its citation is not counted, as for the baselines: a number, a line."""
COUNT = lru_cache(maxsize=1 << 18)(token_counter("cl100k_base"))  # ways share their sentences


@dataclass(frozen=True, slots=True)
class Shown:
    """A quote as a reader gets it."""

    document: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """How much of the gold the quotes hold."""

    has_any: float
    """Questions with at least one gold answer, whole, in one of the quotes."""
    share: float
    """Gold characters shown, at the places marked."""


Ask = Callable[[Question, int], Awaitable[Sequence[Shown]]]


def _shown(quotes: Sequence[Quote]) -> list[Shown]:
    return [
        Shown(quote.located.card.uri, quote.span.start, quote.span.end, quote.text)
        for quote in quotes
    ]


def fitting(quotes: Sequence[Shown], budget: int) -> list[Shown]:
    """The longest prefix of quotes whose texts together stay within the budget."""
    kept, spent = [], 0
    for quote in quotes:
        spent += COUNT(quote.text)
        if spent > budget:
            break
        kept.append(quote)
    return kept


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def contains(question: Question, texts: Sequence[str]) -> bool:
    """Whether a gold answer stands, whole, in one of the texts."""
    shown = [_plain(text) for text in texts]
    return any(_plain(mark.text) in text for mark in question.marks for text in shown)


def grade(indexed: Indexed, question: Question, quotes: Sequence[Shown]) -> Score:
    """Compare quotes with what is marked."""
    has_any = contains(question, [quote.text for quote in quotes])
    covered = total = 0
    for mark in question.marks:
        shown: set[int] = set()
        for quote in quotes:
            page = indexed.by_uri[quote.document]
            if page.id == mark.page:
                shift = len(page.prefix)
                start = max(mark.start, quote.start - shift)
                shown.update(range(start, min(mark.end, quote.end - shift)))
        covered += len(shown)
        total += mark.end - mark.start
    return Score(float(has_any), covered / max(1, total))


async def _everything(indexed: Indexed) -> PlainIndex:
    passages: Passages = indexed.reader.passages
    found = []
    for document in indexed.pages:
        found += await passages.read(SELECTION, document, range(1_000_000))
    return PlainIndex(found)


async def _plain_ways(indexed: Indexed) -> list[tuple[str, Ask]]:
    index = await _everything(indexed)

    def way(rank: Callable[[str, Sequence[tuple[Located, float]]], list[Quote]]) -> Ask:
        known: dict[str, list[Shown]] = {}

        async def ask(question: Question, budget: int) -> list[Shown]:
            if question.id not in known:
                known[question.id] = _shown(rank(question.text, index.top(question.text)))
            return fitting(known[question.id], budget)

        return ask

    ways = {"plain overlap (000)": plain_overlap, "plain IDF + passage": plain_weighted}
    return [(name, way(rank)) for name, rank in ways.items()]


LIMITS = QuoteLimits(max_quotes=MANY, max_quote_tokens=400, include_context_tokens=200)
FLOORED = replace(LIMITS, least_chance=LEAST_CHANCE)
"""As the tool limits them: repeats and what is hardly likely are left out."""
Way = tuple[str, QuoteLimits, Weigher]


def weigher(indexed: Indexed) -> Weigher:
    """What the product weighs sentences with."""
    return Weigher(tokens=COUNT, embedder=indexed.reader.embedders[-1])


def _ablations(indexed: Indexed) -> list[Way]:
    """Our own choice, then with one consideration less each."""
    whole, limits = weigher(indexed), LIMITS

    def without(**less: float) -> Weigher:
        return replace(whole, blend=replace(Blend(), **less))

    return [
        ("ours", limits, whole),
        ("… without words nearby", limits, without(coverage=0.0)),
        ("… without the sentence's own", limits, without(sentence=0.0)),
        ("… without meaning", limits, without(meaning=0.0)),
        ("… without passage score", limits, without(passage=0.0)),
        ("… without kind of answer", limits, without(kind=0.0)),
        ("… without context", replace(limits, include_context_tokens=0), whole),
    ]


def our_ways(indexed: Indexed, ways: Sequence[Way]) -> list[tuple[str, Ask]]:
    """Our choice of quotes in several ways, from the same candidates."""
    found: dict[tuple[str, int], Found] = {}

    async def candidates(question: Question, depth: int) -> Found:
        key = (question.id, depth)
        if key not in found:
            request = Request(
                text=question.text, selection=SELECTION, limit=depth, max_per_doc=depth
            )
            found[key] = await search(indexed.reader, request)
        return found[key]

    def way(limits: QuoteLimits, weigher: Weigher) -> Ask:
        async def ask(question: Question, budget: int) -> list[Shown]:
            these = await candidates(question, min(40, max(10, budget // 40)))
            scores = [hit.score for hit in these.hits]
            price = Price(page_tokens=budget, citations=[MARK_TOKENS] * len(scores), count=COUNT)
            quotes = await select_quotes(
                question.text, these.located, scores, limits, weigher, price
            )
            return fitting(_shown(quotes), budget)

        return ask

    return [(name, way(limits, weigher)) for name, limits, weigher in ways]


def _tool_way(indexed: Indexed) -> Ask:
    """The tool itself, with everything a reply costs."""
    dispatcher = Dispatcher(application(indexed), collect(tools, Tool).values())

    async def ask(question: Question, budget: int) -> list[Shown]:
        arguments = {"question": question.text[:4000], "max_response_tokens": budget}
        outcome = await dispatcher.call(
            "kb.retrieve_evidence", arguments, Caller(connection="eval")
        )
        rows = (outcome.structured or {}).get("quotes", [])
        return [
            Shown(row["source_uri"], row["start_char"], row["end_char"], row["quote"])
            for row in rows
        ]

    return ask


async def judge(
    indexed: Indexed, questions: Sequence[Question], *, with_parts: bool
) -> AsyncIterator[tuple[str, list[Score]]]:
    """Each way to quote, with its scores at the four budgets."""
    ways = await _plain_ways(indexed)
    ours = _ablations(indexed)
    ways += our_ways(indexed, ours if with_parts else ours[:1])
    ways.append(("kb.retrieve_evidence, whole reply", _tool_way(indexed)))
    for name, ask in ways:
        yield name, await means(indexed, questions, ask)


async def means(
    indexed: Indexed, questions: Sequence[Question], ask: Ask, budgets: Sequence[int] = BUDGETS
) -> list[Score]:
    """The scores of one way at each budget, over all questions."""
    found = []
    for budget in budgets:
        scores = [grade(indexed, question, await ask(question, budget)) for question in questions]
        found.append(
            Score(
                sum(score.has_any for score in scores) / len(scores),
                sum(score.share for score in scores) / len(scores),
            )
        )
    return found
