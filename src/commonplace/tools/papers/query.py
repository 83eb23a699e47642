"""``papers.query``: passages of papers by meaning, ready to cite."""

from pydantic import Field

from commonplace.domain.errors import IndexUnavailable
from commonplace.domain.evidence import Reply
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.papers.binding import check_project, dense_embedder
from commonplace.tools.papers.finding import by_meaning, find, selections
from commonplace.tools.papers.items import PapersArgs, PapersReply, reply_with_items


class QueryReply(PapersReply):
    """Reply of papers.query."""

    model: str = Field(description="That embedded question and passages.")


DESCRIPTION = """\
Use when you want what papers of a project say, with citekey and pages, by meaning.
Do not use when exact words, names or symbols count: papers_query_hybrid.
Returns at most top_k passages, trimmed to 1,800 characters, inside max_response_tokens.
If you need more, raise top_k, set include_full_text, or send next_cursor back.
Defaults: top_k 6. Max: 50, as set. tags: a document must have all."""


def capped(app: App, top_k: int) -> tuple[int, tuple[str, ...]]:
    """How many results the settings allow, and that there could be more."""
    most = app.settings.papers_top_k_max
    return (most, (f"top_k is at most papers_top_k_max = {most}",)) if top_k > most else (top_k, ())


async def run_query(app: App, call: Call, args: PapersArgs) -> Reply:
    """Embed the question, find the nearest, cite."""
    await check_project(app, args.project)
    stats = await app.store.passages.stats(args.project)
    embedder, unseen = dense_embedder(app, stats)
    if embedder is None:
        raise IndexUnavailable(
            f"project {args.project!r} has no vectors yet; run `commonplace embed`, or ask "
            "kb_search, which finds words"
        )
    top_k, cut = capped(app, args.top_k)
    rank = by_meaning(app, embedder, args.ask, await selections(app, args.ask))
    scored, partial = await find(app, args.ask, rank, top_k)
    facts = {"model": embedder.model}
    return await reply_with_items(app, call, args, (scored, facts, unseen + cut + partial), stats)


QUERY = Tool(
    name="papers.query",
    description=DESCRIPTION,
    args=PapersArgs,
    output=QueryReply,
    run=run_query,
    bare="query",
    timeout_s=8.0,
)
