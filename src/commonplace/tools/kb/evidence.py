"""``kb.extract_evidence`` and ``kb.retrieve_evidence``: only the quotes that answer, each cited."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field

from commonplace.answer.evidence import QuoteLimits, select_quotes
from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, one_line, place, quotation
from commonplace.domain.errors import BudgetExceeded, EmbedError
from commonplace.domain.evidence import Quote, Reply
from commonplace.domain.passage import Located
from commonplace.retrieve.search import Request, search
from commonplace.session.scratch import scratch_uri
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.kb.search import MAX_TOP_K, Mode
from commonplace.tools.paging import (
    BudgetedArgs,
    Continuation,
    CursorText,
    Listed,
    budget,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import Filters, Name, NullIsDefault, Question, Scope, select

Method = Literal["best", "overlap"]

_LEAST_QUOTE_TOKENS = 10


class QuoteArgs(BudgetedArgs):
    """The limits both evidence tools take."""

    max_quotes: int = Field(default=6, ge=1, le=20)
    max_quote_tokens: int = Field(default=80, ge=_LEAST_QUOTE_TOKENS, le=400)
    include_context_tokens: int = Field(
        default=20, ge=0, le=200, description="Whole neighbouring sentences, up to this much."
    )
    method: Method = Field(default="best", description="overlap: plain word overlap.")
    cursor: CursorText | None = None
    scope: Scope | None = None


class ExtractArgs(QuoteArgs):
    """Arguments of kb.extract_evidence."""

    question: Question
    passage_ids: list[Name] = Field(
        min_length=1, max_length=50, description="Handles from kb_search."
    )


class EvidenceOptions(ToolArgs):
    """How to search before quoting."""

    max_per_doc: int = Field(default=10, ge=1, le=50, description="Most passages per document.")
    mode: Mode = "auto"
    include_scores: bool = False
    include_debug: bool = False
    max_snippet_chars: int | None = Field(
        default=None, ge=40, le=1000, description="Most characters of a quote."
    )


class RetrieveArgs(QuoteArgs):
    """Arguments of kb.retrieve_evidence."""

    question: Question = Field(
        validation_alias=AliasChoices("question", "query"),
        description="A question in plain words; `query` is accepted too.",
    )
    top_k: int = Field(default=10, ge=1, le=MAX_TOP_K, description="Passages to look into.")
    filters: Filters | None = None
    options: Annotated[EvidenceOptions, NullIsDefault] = EvidenceOptions()


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
    confidence: float
    score: float | None = Field(default=None, description="Of its passage in the search.")
    debug: dict[str, Any] | None = None


class EvidenceReply(Listed):
    """Reply of both evidence tools."""

    quotes: list[QuoteOut]


EXTRACT_DESCRIPTION = """\
Use when you hold passage_ids from kb_search and want only the sentences that answer a question.
Do not use when you have not searched yet: kb_retrieve_evidence does both in one call.
Returns at most max_quotes verbatim quotes with offsets, inside max_response_tokens.
If you need more, call kb_expand_excerpt with a quote's passage_id, or send next_cursor back.
Defaults: 6 quotes of 80 tokens, 800 tokens in all. Max: 20 quotes of 400 tokens, 50 passages."""

RETRIEVE_DESCRIPTION = """\
Use when you have a question about the indexed documents: searches, then returns only the quotes \
that answer, each with its source. The default tool; start here.
Do not use when you want to browse candidates (kb_search) or read on (kb_expand_excerpt).
Returns at most max_quotes verbatim quotes with offsets, inside max_response_tokens.
If you need more, call kb_expand_excerpt with a quote's passage_id, or send next_cursor back with \
the same arguments.
Defaults: 6 quotes of 80 tokens from the 10 best passages, 800 tokens in all. Max: 20 quotes of \
400 tokens, top_k 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
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


async def run_extract(app: App, call: Call, args: ExtractArgs) -> Reply:
    """Quotes from passages the session already knows."""
    selection = await select(app, args.scope)
    notes = [app.note(call, selection, handle) for handle in dict.fromkeys(args.passage_ids)]
    candidates = [note.located for note in notes]
    evidence = _Evidence(
        question=args.question,
        candidates=candidates,
        scores=[1.0] * len(candidates),
        generation=0,
    )
    return await _reply(app, call, args, evidence)


async def run_retrieve(app: App, call: Call, args: RetrieveArgs) -> Reply:
    """Search, then quote."""
    selection = await select(app, args.scope, args.filters)
    request = Request(
        text=args.question,
        selection=selection,
        limit=args.top_k,
        max_per_doc=args.options.max_per_doc,
        mode=args.options.mode,
    )
    found = await search(app.reader, request)
    call.session.ask(args.question)
    evidence = _Evidence(
        question=args.question,
        candidates=found.located,
        scores=[hit.score for hit in found.hits],
        generation=found.generation,
        degraded=found.degraded,
        collapsed=found.collapsed,
        debug={"mode": found.mode} if args.options.include_debug else None,
        shows_scores=args.options.include_scores,
        most_chars=args.options.max_snippet_chars,
    )
    return await _reply(app, call, args, evidence)


async def _reply(app: App, call: Call, args: QuoteArgs, evidence: _Evidence) -> Reply:
    facts = {"tool": "evidence", **fingerprint(args)}
    continuation = Continuation(app.cursors, evidence.generation, facts)
    offset = continuation.offset(args.cursor)
    longest, tokens = args.max_quote_tokens, response_tokens(app, args)
    while True:
        quotes, told = await _quotes(app, args, evidence, longest)
        degraded = (*evidence.degraded, *told)

        def shape(chosen: Sequence[Quote], tail: Tail) -> Form:
            rows = [_row(app, call, quote, evidence) for quote in chosen]
            structured = {"quotes": rows, **continuation.fields(tail)}
            structured |= app.marks(call, degraded)  # noqa: B023 - used before the next turn
            return Form(_text(evidence.question, structured), structured)

        try:
            # The first page decides how long quotes are, so that a cursor continues the same list.
            reply = pack(quotes, Page(0, args.max_quotes), budget(app, tokens), shape)
            if offset:
                reply = pack(quotes, Page(offset, args.max_quotes), budget(app, tokens), shape)
        except BudgetExceeded as exc:
            # One long quote may overfill a small budget: a shorter one still answers.
            longest -= max(4, exc.details["needed_tokens"] - tokens)
            if longest < _LEAST_QUOTE_TOKENS:
                raise
            continue
        call.session.see(row["section_id"] for row in reply.structured["quotes"])
        return replace(reply, degraded=degraded, collapsed=evidence.collapsed)


async def _quotes(
    app: App, args: QuoteArgs, evidence: _Evidence, longest_tokens: int
) -> tuple[list[Quote], tuple[str, ...]]:
    """The quotes, and what could not be considered in choosing them."""
    limits = QuoteLimits(
        max_quotes=args.max_quotes,
        max_quote_tokens=longest_tokens,
        include_context_tokens=args.include_context_tokens,
        method=args.method,
    )
    weigher = app.weigher
    if evidence.most_chars is not None:
        count, most = weigher.tokens, evidence.most_chars

        def measured(text: str) -> int:
            return max(count(text), math.ceil(longest_tokens * len(text) / most))

        weigher = replace(weigher, tokens=measured)
    asked = (evidence.question, evidence.candidates, evidence.scores, limits)
    try:
        return await select_quotes(*asked, weigher), ()
    except EmbedError as exc:
        told = (f"quotes are chosen by words alone: {exc.message}",)
        return await select_quotes(*asked, replace(weigher, embedder=None)), told


def _row(app: App, call: Call, quote: Quote, evidence: _Evidence) -> dict[str, Any]:
    located = quote.located
    note = app.scratch.put(call.session.id, located, quote.span)
    row = {
        "quote": quote.text,
        "passage_id": note.passage_id,
        "section_id": located.passage.id,
        "title": located.card.title,
        "uri": scratch_uri(call.session.id, note.passage_id),
        "source_uri": located.card.uri,
        "heading_path": list(located.passage.headings),
        "start_char": quote.span.start,
        "end_char": quote.span.end,
        "confidence": round(quote.score, 2),
    }
    if evidence.shows_scores:
        ids = [one.passage.id for one in evidence.candidates]
        row["score"] = round(evidence.scores[ids.index(located.passage.id)], 4)
    return row | {"debug": evidence.debug} if evidence.debug else row


def _text(question: str, structured: dict[str, Any]) -> str:
    lines = []
    for number, row in enumerate(structured["quotes"], 1):
        where = place(row["title"], row["heading_path"])
        lines.append(quotation(row["quote"]))
        lines.append(
            f"[{number}] {where} · {row['source_uri']} {row['start_char']}–{row['end_char']} "
            f"· passage_id {row['passage_id']}"
        )
    if not lines:
        lines.append(f"Nothing found that answers: {one_line(question)[:200]}")
    lines.append(closing(structured, "quotes"))
    lines += [f"degraded: {note}" for note in structured.get("degraded", [])]
    return "\n".join(lines)


EXTRACT_EVIDENCE = Tool(
    name="kb.extract_evidence",
    description=EXTRACT_DESCRIPTION,
    args=ExtractArgs,
    output=EvidenceReply,
    run=run_extract,
)
RETRIEVE_EVIDENCE = Tool(
    name="kb.retrieve_evidence",
    description=RETRIEVE_DESCRIPTION,
    args=RetrieveArgs,
    output=EvidenceReply,
    run=run_retrieve,
)
