"""``web.status``: which pages are indexed, how large they are, how old, and read by whom."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import closing, one_line
from commonplace.domain.evidence import Reply
from commonplace.index.page import Page as WebPage
from commonplace.index.pages import get_page, list_pages
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.paging import (
    BudgetedArgs,
    Continuation,
    CursorText,
    Listed,
    ResponseTokens,
    budget,
    fingerprint,
    response_tokens,
)
from commonplace.tools.scope import Scope, select
from commonplace.tools.web.errors import error_text
from commonplace.tools.web.sessions import stale_before, was_read


class StatusArgs(BudgetedArgs):
    """Arguments of web.status."""

    source_url: str | None = Field(default=None, max_length=4000, description="Only this page.")
    include_urls: bool = Field(default=True, description="List the pages.")
    scope: Scope | None = None
    cursor: CursorText | None = None
    page_size: int = Field(default=50, ge=1, le=200)
    max_response_tokens: ResponseTokens = 1500


class PageOut(ToolOutput):
    """One indexed page."""

    title: str
    url: str
    chunks: int
    tokens: int
    fetched_at: str
    is_stale: bool = Field(description="Older than web_max_age_s: web_answer fetches it again.")
    read_in_session: bool = Field(description="This conversation has read it.")


class StatusReply(Listed):
    """Reply of web.status."""

    documents: int
    chunks: int
    tokens: int
    pages: list[PageOut]


DESCRIPTION = """\
Use when you want to know which web pages are indexed, and how old they are, before choosing \
web_answer or web_search.
Do not use when you have a question about their content: web_search.
Returns counts and at most page_size pages, last fetched first, inside max_response_tokens.
If you need more, send next_cursor back.
Defaults: all pages. Max: page_size 200."""


async def run_status(app: App, call: Call, args: StatusArgs) -> Reply:
    """Count and list."""
    selection = await select(app, args.scope)
    if args.source_url:
        found = await get_page(app.writer, selection.project, args.source_url)
        pages = [found] if found else []
    else:
        pages = await list_pages(app.writer, selection.project)
    stats = await app.store.passages.stats(selection.project)
    facts = {"tool": "web.status", **fingerprint(args)}
    continuation = Continuation(app.cursors, stats.generation, facts)
    counts = {
        "documents": len(pages),
        "chunks": sum(page.passages for page in pages),
        "tokens": sum(page.tokens for page in pages),
    }
    listed = pages if args.include_urls else []

    def shape(entries: Sequence[WebPage], tail: Tail) -> Form:
        rows = [_row(app, call, page) for page in entries]
        told = {**counts, "pages": rows, **continuation.fields(tail)} | app.marks(call, ())
        return Form(_text(told, args), told)

    page = Page(continuation.offset(args.cursor), args.page_size)
    return pack(listed, page, budget(app, response_tokens(app, args)), shape)


def _row(app: App, call: Call, page: WebPage) -> dict[str, Any]:
    return {
        "title": one_line(page.title) or "Untitled",
        "url": page.url,
        "chunks": page.passages,
        "tokens": page.tokens,
        "fetched_at": page.fetched_at.strftime("%Y-%m-%d %H:%M UTC"),
        "is_stale": page.fetched_at < stale_before(app),
        "read_in_session": was_read(call.session, page.url),
    }


def _text(told: dict[str, Any], args: StatusArgs) -> str:
    lines = [
        "[CORPUS STATUS]",
        f"Documents indexed: {told['documents']}",
        f"Total chunks: {told['chunks']:,}",
        f"Total tokens: {told['tokens']:,}",
    ]
    if args.source_url and not told["documents"]:
        lines.append(f"{one_line(args.source_url)[:200]} is not indexed; web_answer fetches it.")
    if told["pages"]:
        lines += ["", "Indexed URLs:"]
    for row in told["pages"]:
        notes = [f"{row['chunks']} chunks, {row['tokens']:,} tokens, fetched {row['fetched_at']}"]
        notes += ["stale"] if row["is_stale"] else []
        notes += ["read in this conversation"] if row["read_in_session"] else []
        lines += [f"- {row['title']} — {row['url']}", f"  ({', '.join(notes)})"]
    return "\n".join([*lines, closing(told, "pages")])


STATUS = Tool(
    name="web.status",
    description=DESCRIPTION,
    args=StatusArgs,
    output=StatusReply,
    run=run_status,
    bare="status",
    error_text=error_text,
)
