"""``papers.list_projects``: which projects there are, and what answers for them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import listing
from commonplace.domain.errors import StoreError
from commonplace.domain.evidence import Reply
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.paging import (
    BudgetedArgs,
    Continuation,
    CursorText,
    Listed,
    ResponseTokens,
    budget,
    response_tokens,
)
from commonplace.tools.papers.binding import SPARSE_MODEL, collection_name, model_name
from commonplace.tools.scope import served_projects

_PAGE = 200


class ListProjectsArgs(BudgetedArgs):
    """Arguments of papers.list_projects."""

    cursor: CursorText | None = None
    max_response_tokens: ResponseTokens = 2000


class ProjectOut(ToolOutput):
    """One project."""

    id: str
    collection: str
    dense_model: str | None
    sparse_model: str
    hybrid_enabled: bool
    documents: int


class ListProjectsReply(Listed):
    """Reply of papers.list_projects."""

    projects: list[ProjectOut]
    count: int


DESCRIPTION = """\
Use when you need the project to name in papers_query.
Do not use when you know it.
Returns each project's id, models and documents, inside max_response_tokens.
If you need more, send next_cursor back, or call papers_inspect_collection.
Defaults: all projects this server serves."""


async def run_list_projects(app: App, call: Call, args: ListProjectsArgs) -> Reply:
    """Count and list."""
    rows, degraded = await _rows(app)
    continuation = Continuation(app.cursors, 0, {"tool": "papers.list_projects"})

    def shape(entries: Sequence[dict[str, Any]], tail: Tail) -> Form:
        told = {"projects": list(entries), "count": len(entries), **continuation.fields(tail)}
        told |= app.marks(call, degraded)
        lines = [
            f"- {row['id']}: {row['documents']} documents, {row['dense_model'] or 'no vectors'}"
            f" and {row['sparse_model']}"
            for row in entries
        ]
        return Form(listing(lines, "No projects.", told, "projects"), told)

    page = Page(continuation.offset(args.cursor), _PAGE)
    reply = pack(rows, page, budget(app, response_tokens(app, args)), shape)
    return replace(reply, degraded=degraded)


async def _rows(app: App) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Every project; of a store that does not answer none, and why: 002 lets it never fail."""
    try:
        return [await _row(app, project) for project in await served_projects(app)], ()
    except StoreError as exc:
        return [], (exc.message,)


async def _row(app: App, project: str) -> dict[str, Any]:
    stats = await app.store.passages.stats(project)
    model = await model_name(app, project, stats)
    return {
        "id": project,
        "collection": collection_name(project),
        "dense_model": model,
        "sparse_model": SPARSE_MODEL,
        "hybrid_enabled": model is not None,
        "documents": stats.documents,
    }


LIST_PROJECTS = Tool(
    name="papers.list_projects",
    description=DESCRIPTION,
    args=ListProjectsArgs,
    output=ListProjectsReply,
    run=run_list_projects,
    bare="list_projects",
)
