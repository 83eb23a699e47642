"""``web.search``: pages that were read before, searched again without fetching anything."""

import time

from pydantic import Field

from commonplace.answer.pack import Page
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Selection
from commonplace.index.page import Page as WebPage
from commonplace.index.pages import get_page, list_pages
from commonplace.research.asking import infer_intent, sub_questions
from commonplace.research.evidence import adjacent, gather
from commonplace.research.nouns import Finding, Intent, Question
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.paging import (
    BudgetedArgs,
    Continuation,
    CursorText,
    ResponseTokens,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import Question as QuestionText
from commonplace.tools.scope import Scope, select
from commonplace.tools.web.answer import MOST_URLS, Url
from commonplace.tools.web.briefing import BriefReply, reply_with_brief
from commonplace.tools.web.errors import error_text


class SearchArgs(BudgetedArgs):
    """Arguments of web.search."""

    query: QuestionText
    source_urls: list[Url] = Field(default=[], max_length=MOST_URLS, description="Only these.")
    intent: Intent | None = None
    top_k: int = Field(default=20, ge=1, le=50)
    scope: Scope | None = None
    cursor: CursorText | None = None
    max_response_tokens: ResponseTokens = 4000


DESCRIPTION = """\
Use when you have another question about pages web_answer has read: nothing is fetched.
Do not use when a page is new: web_answer.
Returns the same brief, at most top_k chunks inside max_response_tokens.
If you need more, send next_cursor back.
Defaults: top_k 20, all pages. Max: top_k 50."""


async def run_search(app: App, call: Call, args: SearchArgs) -> Reply:
    """Search the pages there are, then brief."""
    selection = await select(app, args.scope)
    pages, missing = await _pages(app, selection.project, args.source_urls)
    question = Question(
        project=selection.project,
        urls=tuple(args.source_urls),
        text=args.query,
        intent=args.intent or infer_intent(args.query),
        parts=sub_questions(args.query),
        rounds=0,
        max_age_s=0.0,
        most_tokens=response_tokens(app, args),
    )
    finding = await _search(app, question, pages, args.top_k)
    finding.degraded = (*finding.degraded, *(f"not indexed: {url}" for url in missing))
    facts = {"tool": "web.search", **fingerprint(args)}
    continuation = Continuation(app.cursors, finding.generation, facts)
    page = Page(continuation.offset(args.cursor), args.top_k)
    return await reply_with_brief(app, call, finding, continuation, page)


async def _pages(app: App, project: str, urls: list[str]) -> tuple[list[WebPage], list[str]]:
    if not urls:
        return await list_pages(app.writer, project), []
    found = {url: await get_page(app.writer, project, url) for url in urls}
    return [page for page in found.values() if page], [
        url for url, page in found.items() if not page
    ]


async def _search(app: App, question: Question, pages: list[WebPage], top_k: int) -> Finding:
    finding = Finding(question=question, pages={page.document_id: page for page in pages})
    finding.stop_reason = "search of indexed pages only"
    finding.looked_at = sum(page.passages for page in pages)
    if not pages:
        finding.stop_reason = "no such page is indexed; call web_answer with its URL"
        return finding
    selection = Selection(project=question.project, documents=frozenset(finding.pages))
    judged = await gather(app.reader, app.weigher, question, finding.pages)
    started = time.monotonic()
    chunks = await adjacent(app.reader.passages, selection, judged)
    finding.spend("locality", time.monotonic() - started)
    for phase, seconds in judged.times_s.items():
        finding.spend(phase, seconds)
    finding.chunks, finding.degraded = chunks[:top_k], judged.degraded
    finding.generation = judged.generation
    return finding


SEARCH = Tool(
    name="web.search",
    description=DESCRIPTION,
    args=SearchArgs,
    output=BriefReply,
    run=run_search,
    bare="search",
    error_text=error_text,
)
