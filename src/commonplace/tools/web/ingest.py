"""``web.ingest``: pages fetched and indexed for later, without a question."""

import asyncio
from typing import Any

from pydantic import Field

from commonplace.answer.render import one_line, session_note
from commonplace.domain.errors import CommonplaceError
from commonplace.domain.evidence import Reply
from commonplace.research.visit import Visitor
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs, ToolOutput
from commonplace.tools.paging import SessionId
from commonplace.tools.scope import Scope, select
from commonplace.tools.web.answer import Urls
from commonplace.tools.web.errors import error_text
from commonplace.tools.web.sessions import remember


class IngestArgs(ToolArgs):
    """Arguments of web.ingest."""

    url: Urls = Field(description="Page or pages.")
    max_age: float | None = Field(
        default=None, ge=0, description="Fetch again what is older, in seconds."
    )
    scope: Scope | None = None
    session_id: SessionId | None = None


class IngestedOut(ToolOutput):
    """What became of one page."""

    url: str
    title: str = ""
    chunks: int = 0
    tokens: int = 0
    links: int = 0
    fetched_at: str = ""
    was_indexed: bool = Field(default=False, description="It was there, and has not changed.")
    warnings: list[str] = Field(default=[], description="What of the page was not read.")
    failure: str = ""


class IngestReply(ToolOutput):
    """Reply of web.ingest."""

    pages: list[IngestedOut]
    session_id: str
    degraded: list[str] = Field(default=[], description="What did not run, and why.")


DESCRIPTION = """\
Use when you expect to ask about web pages later: fetches and indexes them now.
Do not use when you have the question already: web_answer does both.
Returns one line a page: chunks, tokens, links, or why it was not read.
If you need more, call web_search with source_urls.
Defaults: pages younger than a day are not fetched again. Max: 20 URLs."""


async def run_ingest(app: App, call: Call, args: IngestArgs) -> Reply:
    """Visit every page; one that fails does not keep the others."""
    selection = await select(app, args.scope)
    visitor = Visitor(writer=app.writer, fetching=app.fetching)
    max_age_s = app.settings.web_max_age_s if args.max_age is None else args.max_age
    urls = list(dict.fromkeys(args.url))

    async def visit(url: str) -> dict[str, Any]:
        await call.progress(0, len(urls), f"Scraping {url}...")
        try:
            page, was_indexed = await visitor.visit(selection.project, url, max_age_s)
        except CommonplaceError as exc:
            if len(urls) == 1:
                raise
            return {"url": url, "failure": exc.message}
        remember(call.session, [page.url])
        return {
            "url": page.url,
            "title": one_line(page.title),
            "chunks": page.passages,
            "tokens": page.tokens,
            "links": len(page.leads),
            "fetched_at": page.fetched_at.strftime("%Y-%m-%d %H:%M UTC"),
            "was_indexed": was_indexed,
            "warnings": list(page.warnings),
        }

    rows = list(await asyncio.gather(*(visit(url) for url in urls)))
    structured = {"pages": rows, **app.marks(call, ())}
    text = "\n".join(map(_line, rows)) + session_note(call.session.id)
    return Reply(text=text, structured=structured)


def _line(row: dict[str, Any]) -> str:
    if row.get("failure"):
        return f"- {row['url']}: not read: {one_line(row['failure'])}"
    state = "already indexed" if row["was_indexed"] else "indexed"
    return (
        f"- {row['title']} — {row['url']}: {state}, {row['chunks']} chunks, {row['tokens']:,} "
        f"tokens, {row['links']} links, fetched {row['fetched_at']}"
    )


INGEST = Tool(
    name="web.ingest",
    description=DESCRIPTION,
    args=IngestArgs,
    output=IngestReply,
    run=run_ingest,
    bare="ingest",
    writes=True,
    open_world=True,
    timeout_s=120.0,
    error_text=error_text,
)
