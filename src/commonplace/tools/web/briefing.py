"""How a finding becomes a reply: quotes chosen, handles given, sections packed in their order."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pydantic import Field

from commonplace.answer.evidence import QuoteLimits, select_quotes
from commonplace.answer.pack import Form, Page, Tail, cost_tokens, pack
from commonplace.answer.render import closing
from commonplace.domain.errors import BudgetExceeded, EmbedError
from commonplace.domain.evidence import Quote, Reply
from commonplace.research.asking import Memory
from commonplace.research.brief import Brief, Extras, text_of
from commonplace.research.nouns import Chunk, Finding
from commonplace.tools.app import App, Call
from commonplace.tools.base import ToolOutput
from commonplace.tools.paging import Continuation, Listed, budget
from commonplace.tools.web.sessions import pages_read, stale_before

_LIMITS = QuoteLimits(max_quotes=6, max_quote_tokens=60, include_context_tokens=0)
_QUOTED_FROM = 8
_EVIDENCE_SHARE = 0.8
"""Of a reply that cannot hold everything: the rest is for citations, trace and images."""
_EXTRAS = (
    Extras(),
    Extras(session=False),
    Extras(session=False, images=False),
    Extras(session=False, images=False, trace=False),
    Extras(session=False, images=False, trace=False, citations=False),
)
_MOST_READ = 10


class SourceOut(ToolOutput):
    """A page evidence is from."""

    number: int
    title: str
    url: str
    fetched_at: str
    is_stale: bool = Field(description="Older than web_max_age_s.")
    sections: list[str]


class EvidenceOut(ToolOutput):
    """A passage of a page, verbatim."""

    source: int = Field(description="Number of its source.")
    relevance: float
    confidence: float | None = Field(
        default=None, description="Estimated probability that it holds the answer."
    )
    sub_query: str | None = Field(default=None, description="Part of the query that found it.")
    adjacent: bool | None = Field(default=None, description="Stands beside a better one.")
    passage_id: str = Field(description="Handle for kb_read_excerpt.")
    section_id: str
    start_char: int
    end_char: int
    text: str


class CitationOut(ToolOutput):
    """A verbatim quote."""

    source: int
    quote: str
    start_char: int
    end_char: int
    section: str


class ImageOut(ToolOutput):
    """An image that stands in the evidence."""

    url: str
    alt: str
    caption: str
    source: int


class BriefReply(Listed):
    """What web.answer and web.search give."""

    sources: list[SourceOut]
    evidence: list[EvidenceOut]
    images: list[ImageOut] | None = None
    expansion_trace: list[str] | None = Field(default=None, description="Lines of a tree.")
    trace_omitted: int | None = Field(default=None, description="Iterations not shown.")
    citations: list[CitationOut] | None = None
    stats: dict[str, Any]
    omitted: int | None = Field(default=None, description="Chunks that did not fit.")
    partial: bool = Field(description="Time ran out before all was looked at; the cursor goes on.")
    session_urls: list[str] | None = Field(
        default=None, description="Other pages this conversation has read, the last first."
    )


async def reply_with_brief(
    app: App, call: Call, finding: Finding, continuation: Continuation, page: Page
) -> Reply:
    """The brief of a finding, inside the budget of its question."""
    brief, told = await _brief(app, call, finding)
    degraded = (*finding.degraded, *told)
    tokens = finding.question.most_tokens
    asked, page = page, _window(finding.chunks, page, tokens)

    def shape(extras: Extras) -> "Shape":
        return Shape(app, call, brief, continuation, extras, degraded)

    def packed(share: float, extras: Extras) -> Reply:
        return pack(finding.chunks, page, budget(app, int(tokens * share)), shape(extras).form)

    reply = None
    with suppress(BudgetExceeded):  # evidence comes first: it may fit without the other sections
        reply = packed(1.0, _EXTRAS[0]) if page == asked else None
    if reply is None or reply.structured["truncated"]:
        try:
            reply = packed(_EVIDENCE_SHARE, _EXTRAS[-1])
        except BudgetExceeded:
            reply = packed(1.0, _EXTRAS[-1])
    chosen = finding.chunks[page.offset : page.offset + len(reply.structured["evidence"])]
    reply = _with_extras(reply, chosen, shape, budget(app, tokens).tokens, app)
    call.session.see(row["section_id"] for row in reply.structured["evidence"])
    return replace(reply, degraded=degraded)


def _window(chunks: Sequence[Chunk], page: Page, tokens: int) -> Page:
    """The page without chunks that cannot fit, but for one: packing need not weigh them all."""
    total = 0
    for size, chunk in enumerate(chunks[page.offset : page.offset + page.size], 1):
        total += chunk.located.passage.tokens
        if total > tokens:
            return Page(page.offset, size)
    return page


def _with_extras(reply: Reply, chosen: Sequence[Chunk], shape: Any, tokens: int, app: App) -> Reply:  # noqa: ANN401 - see above
    """The reply with as many of the sections that may be left out as fit."""
    for extras in _EXTRAS:
        form = shape(extras).again(chosen, reply)
        cost = cost_tokens(form, app.tokens)
        if cost <= tokens:
            return replace(reply, text=form.text, structured=form.structured, tokens=cost)
    return reply


class Shape:
    """Makes the forms of one reply."""

    def __init__(  # noqa: PLR0913 - what a reply is made of
        self,
        app: App,
        call: Call,
        brief: Brief,
        continuation: Continuation,
        extras: Extras,
        degraded: Sequence[str],
    ) -> None:
        self._app, self._call, self._brief = app, call, brief
        self._continuation, self._extras, self._degraded = continuation, extras, degraded

    def form(self, chunks: Sequence[Chunk], tail: Tail) -> Form:
        """The form with these chunks."""
        return self._form(chunks, self._continuation.fields(tail), tail.total_count)

    def again(self, chunks: Sequence[Chunk], reply: Reply) -> Form:
        """The form of a reply that was packed, with other sections."""
        names = ("next_cursor", "limit_reason", "truncated", "has_more")
        counts = ("returned_count", "remaining_count", "total_count")
        fields = {name: reply.structured[name] for name in (*names, *counts)}
        return self._form(chunks, fields, fields["total_count"])

    def _form(self, chunks: Sequence[Chunk], fields: dict[str, Any], total: int) -> Form:
        told = self._brief.data(chunks, total, self._extras)
        told |= {"partial": self._brief.finding.is_partial, **fields}
        if self._extras.session and (urls := self._session_urls(told)):
            told["session_urls"] = urls
        told |= self._app.marks(self._call, self._degraded)
        notes = [f"degraded: {note}" for note in self._degraded]
        return Form("\n".join([text_of(told), "", closing(told, "chunks"), *notes]), told)

    def _session_urls(self, told: Mapping[str, Any]) -> list[str]:
        shown = {source["url"] for source in told["sources"]}
        return [url for url in pages_read(self._call.session) if url not in shown][:_MOST_READ]


async def _brief(app: App, call: Call, finding: Finding) -> tuple[Brief, tuple[str, ...]]:
    started = time.monotonic()
    quotes, told = await _quotes(app, finding)
    handles = {
        chunk.located.passage.id: app.scratch.put(
            call.session.id, chunk.located, chunk.located.passage.span
        ).passage_id
        for chunk in finding.chunks
    }
    finding.spend("merge", time.monotonic() - started)
    brief = Brief(
        finding=finding,
        quotes=quotes,
        handles=handles,
        max_depth=app.settings.web_max_depth,
        stale_before=stale_before(app),
    )
    return brief, told


async def _quotes(app: App, finding: Finding) -> tuple[list[Quote], tuple[str, ...]]:
    """The best sentences, without those the asker knows, and what could not be considered."""
    known = Memory(finding.question.known_context, finding.question.text)
    quotes, told = await _best(app, finding)
    return [quote for quote in quotes if not known.holds(quote.text)], told


async def _best(app: App, finding: Finding) -> tuple[list[Quote], tuple[str, ...]]:
    chunks = [chunk for chunk in finding.chunks if chunk.score > 0][:_QUOTED_FROM]
    located, scores = [one.located for one in chunks], [one.score for one in chunks]
    asked = (finding.question.text, located, scores, _LIMITS)
    try:
        return await select_quotes(*asked, app.weigher), ()
    except EmbedError as exc:
        told = (f"citations are chosen by words alone: {exc.message}",)
        return await select_quotes(*asked, replace(app.weigher, embedder=None)), told
