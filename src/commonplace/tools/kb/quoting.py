"""How evidence becomes a reply: the limits that hold, what a citation costs, rows and text."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.evidence import LEAST_SHARE, Price, QuoteLimits, select_quotes
from commonplace.answer.pack import Form, Page, Tail, minify, pack
from commonplace.answer.render import listing, one_line, place, quotation
from commonplace.domain.errors import BudgetExceeded, EmbedError
from commonplace.domain.evidence import Quote, Reply
from commonplace.domain.passage import Located
from commonplace.session.scratch import scratch_uri
from commonplace.tools.app import App, Call
from commonplace.tools.base import ToolOutput
from commonplace.tools.kb.citing import address, citation
from commonplace.tools.paging import (
    BudgetedArgs,
    Continuation,
    CursorText,
    Listed,
    budget,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import Scope

Method = Literal["best", "overlap"]

MOST_QUOTES = 20
MOST_QUOTE_TOKENS = 400
MOST_CONTEXT_TOKENS = 200
_LEAST_QUOTE_TOKENS = 10
FRUGAL_SHARE = 0.1
"""Nobody named a budget to be filled: a quote with less than a tenth of the best one's chance is
left out: 6 to 14 % of the tokens, for two answers of five sets (``eval.frugal``)."""
_SEAM_TOKENS = 1
"""Counting a quote and its citation apart may miss this much where they meet."""
_HANDLE = "0" * 9
"""Stands for a handle where only its cost matters."""
_FULL = Tail(
    returned_count=10,
    total_count=20,
    remaining_count=10,
    truncated=True,
    has_more=True,
    limit_reason="token_cap",
    next_offset=10,
)
"""The longest tail, where only its cost matters."""


class QuoteArgs(BudgetedArgs):
    """The limits both evidence tools take."""

    max_quotes: int = Field(default=6, ge=1, le=MOST_QUOTES)
    max_quote_tokens: int = Field(default=80, ge=_LEAST_QUOTE_TOKENS, le=MOST_QUOTE_TOKENS)
    include_context_tokens: int = Field(
        default=20,
        ge=0,
        le=MOST_CONTEXT_TOKENS,
        description="Whole neighbouring sentences, up to this much.",
    )
    method: Method = Field(default="best", description="overlap: plain word overlap.")
    cursor: CursorText | None = None
    scope: Scope | None = None


class QuoteOut(ToolOutput):
    """One verbatim quote with its citation."""

    quote: str
    passage_id: str = Field(description="Handle for kb_expand_excerpt.")
    section_id: str
    title: str
    uri: str
    source_uri: str
    heading_path: list[str]
    start_char: int
    end_char: int
    confidence: float = Field(description="Estimated probability that it holds the answer.")
    score: float | None = Field(default=None, description="Of its passage in the search.")
    debug: dict[str, Any] | None = None


class EvidenceReply(Listed):
    """Reply of both evidence tools."""

    quotes: list[QuoteOut]
    note: str | None = Field(default=None, description="Why there are no quotes; what to try.")


NOTHING = (
    "Nothing indexed here is likely to answer this. Try the documents' own words, a wider scope or "
    "fewer filters; kb_search shows what comes nearest."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the quotes are taken from."""

    question: str
    candidates: Sequence[Located]
    scores: Sequence[float]
    generation: int
    degraded: tuple[str, ...] = ()
    collapsed: int = 0
    debug: dict[str, Any] | None = None
    shows_scores: bool = False
    most_chars: int | None = None
    least_answered: float = 0.0
    least_chance: float = 0.0


def follows_budget(app: App, args: QuoteArgs) -> bool:
    """Whether someone named a budget: then it alone decides what else is not named."""
    return "max_response_tokens" in args.model_fields_set or bool(app.settings.response_tokens)


def _limits(app: App, args: QuoteArgs, evidence: Evidence) -> QuoteLimits:
    is_named = follows_budget(app, args)
    is_free = is_named and args.method == "best"

    def chosen(name: str, most: int) -> int:
        named: int = getattr(args, name)
        return most if is_free and name not in args.model_fields_set else named

    return QuoteLimits(
        max_quotes=chosen("max_quotes", MOST_QUOTES),
        max_quote_tokens=chosen("max_quote_tokens", MOST_QUOTE_TOKENS),
        include_context_tokens=chosen("include_context_tokens", MOST_CONTEXT_TOKENS),
        method=args.method,
        least_answered=evidence.least_answered,
        least_chance=evidence.least_chance,
        least_share=LEAST_SHARE if is_named else FRUGAL_SHARE,
    )


async def reply_with_quotes(app: App, call: Call, args: QuoteArgs, evidence: Evidence) -> Reply:
    """Choose the quotes that the budget holds, and pack them; a cursor continues the same list."""
    tokens = response_tokens(app, args)
    facts = {"tool": "evidence", "tokens": tokens, **fingerprint(args)}
    continuation = Continuation(app.cursors, evidence.generation, facts)
    offset = continuation.offset(args.cursor)
    limits = _limits(app, args, evidence)

    def envelope(tail: Tail, degraded: Sequence[str]) -> dict[str, Any]:
        return continuation.fields(tail) | app.marks(call, degraded)

    spare = tokens - app.tokens(minify({"quotes": [], **envelope(_FULL, evidence.degraded)}))
    while True:
        price = _price(app, call, evidence, spare)
        quotes, told = await _quotes(app, evidence, limits, price)
        degraded = (*evidence.degraded, *told)

        note = {} if quotes else {"note": NOTHING}

        def shape(chosen: Sequence[Quote], tail: Tail) -> Form:
            ending = envelope(tail, degraded) | note  # noqa: B023 - used before the next turn
            return _form(app, call, evidence, chosen, ending)

        try:
            # The first page decides how long quotes are, so that a cursor continues the same list.
            reply = pack(quotes, Page(0, limits.max_quotes), budget(app, tokens), shape)
            if offset:
                reply = pack(quotes, Page(offset, limits.max_quotes), budget(app, tokens), shape)
        except BudgetExceeded as exc:
            # What a text costs as quotation is not foreseen: a shorter quote still answers.
            if price.page_tokens > spare:
                raise
            spare -= max(4, exc.details["needed_tokens"] - tokens)
            continue
        call.session.see(row["section_id"] for row in reply.structured["quotes"])
        return replace(reply, degraded=degraded, collapsed=evidence.collapsed)


def _form(
    app: App, call: Call, evidence: Evidence, chosen: Sequence[Quote], ending: dict[str, Any]
) -> Form:
    rows = [_row(app, call, quote, evidence) for quote in chosen]
    structured = {"quotes": rows, **ending}
    return Form(_text(evidence.question, structured), structured)


def _price(app: App, call: Call, evidence: Evidence, spare: int) -> Price:
    """What quotes may cost; never so little that a shortest one could not be shown or refused."""
    citations = [
        app.tokens(minify(_fields(evidence, located, scratch_uri(call.session.id, _HANDLE))))
        + _SEAM_TOKENS
        for located in evidence.candidates
    ]
    least = min(citations, default=0) + _LEAST_QUOTE_TOKENS
    return Price(page_tokens=max(least, spare), citations=citations, count=app.tokens)


async def _quotes(
    app: App, evidence: Evidence, limits: QuoteLimits, price: Price
) -> tuple[list[Quote], tuple[str, ...]]:
    """The quotes, and what could not be considered in choosing them."""
    room = price.page_tokens - min(price.citations, default=0)
    longest = max(_LEAST_QUOTE_TOKENS, min(limits.max_quote_tokens, room))
    limits = replace(limits, max_quote_tokens=longest)
    weigher = app.weigher
    if evidence.most_chars is not None:
        count, most = weigher.tokens, evidence.most_chars

        def measured(text: str) -> int:
            return max(count(text), math.ceil(longest * len(text) / most))

        weigher = replace(weigher, tokens=measured)
    asked = (evidence.question, evidence.candidates, evidence.scores, limits)
    try:
        return await select_quotes(*asked, weigher, price), ()
    except EmbedError as exc:
        told = (f"quotes are chosen by words alone: {exc.message}",)
        return await select_quotes(*asked, replace(weigher, embedder=None), price), told


def _fields(evidence: Evidence, located: Located, uri: str) -> dict[str, Any]:
    """A row without its text, its place or its confidence, as dear as with them."""
    row = {"quote": "", "passage_id": _HANDLE, "uri": uri, "confidence": 0.99}
    row |= citation(located, located.passage.span)
    return row | ({"score": 0.9999} if evidence.shows_scores else {}) | _debug(evidence)


def _debug(evidence: Evidence) -> dict[str, Any]:
    return {"debug": evidence.debug} if evidence.debug else {}


def _row(app: App, call: Call, quote: Quote, evidence: Evidence) -> dict[str, Any]:
    located = quote.located
    note = app.scratch.put(call.session.id, located, quote.span)
    row = {
        "quote": quote.text,
        "passage_id": note.passage_id,
        **citation(located, quote.span),
        "uri": scratch_uri(call.session.id, note.passage_id),
        "confidence": round(quote.score, 2),
    }
    if evidence.shows_scores:
        ids = [one.passage.id for one in evidence.candidates]
        row["score"] = round(evidence.scores[ids.index(located.passage.id)], 4)
    return row | _debug(evidence)


def _text(question: str, structured: dict[str, Any]) -> str:
    lines = []
    for number, row in enumerate(structured["quotes"], 1):
        where = place(row["title"], row["heading_path"])
        lines.append(quotation(row["quote"]))
        lines.append(f"[{number}] {where} · {address(row)} · passage_id {row['passage_id']}")
    nothing = f"{structured.get('note', NOTHING)}\nAsked: {one_line(question)[:200]}"
    return listing(lines, nothing, structured, "quotes")
