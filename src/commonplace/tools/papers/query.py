"""``papers.query``: passages of papers by meaning, ready to cite."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from commonplace.domain.errors import CommonplaceError, IndexUnavailable
from commonplace.domain.evidence import Reply
from commonplace.domain.scope import Selection
from commonplace.embedders.base import Embedder
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.papers.binding import check_project, dense_embedder, tells_index
from commonplace.tools.papers.excerpts import join, surround
from commonplace.tools.papers.finding import Ask, Rank, by_meaning, find, selection_of
from commonplace.tools.papers.items import PapersArgs, PapersReply, Results, reply_with_items


class QueryReply(PapersReply):
    """Reply of papers.query."""

    model: str = Field(description="That embedded question and passages.")


DESCRIPTION = """\
Use when you want what papers of a project say, with citekey and pages, by meaning.
Do not use when exact words, names or symbols count: papers_query_hybrid.
Returns at most top_k passages, trimmed to 1,800 characters, inside max_response_tokens.
If you need more, raise top_k, set include_full_text, or send next_cursor back.
Defaults: top_k 6. Max: 50, as set. tags: a document must have all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a query ranks, what it says of that, and what it is without vectors."""

    rank: Callable[[App, Embedder, Ask, Selection], Rank]
    facts: Callable[[str], Mapping[str, Any]]
    """From the name of the dense model."""
    missing: type[CommonplaceError]


def capped(app: App, top_k: int) -> tuple[int, tuple[str, ...]]:
    """How many results the settings allow, and that there could be more."""
    most = app.settings.papers_top_k_max
    return (most, (f"top_k is at most papers_top_k_max = {most}",)) if top_k > most else (top_k, ())


async def answer(app: App, call: Call, args: PapersArgs, way: Way) -> Reply:
    """Check the project, rank, cite."""
    await check_project(app, args.project)
    stats = await app.store.passages.stats(args.project)
    embedder, unseen = await dense_embedder(app, args.project, stats)
    if embedder is None:
        raise way.missing(
            f"project {args.project!r} has words but no vectors; run `commonplace embed "
            f"--project {args.project}`, or ask kb_search, which finds words"
        )
    top_k, cut = capped(app, args.top_k)
    rank = way.rank(app, embedder, args.ask, selection_of(args.ask))
    scored, partial = await find(app, args.ask, rank, top_k)
    found = Results(
        hits=scored,
        excerpts=await surround(app, args.project, join(scored, top_k)),
        facts=way.facts(embedder.model),
        degraded=unseen + cut + partial,
    )
    return await reply_with_items(app, call, args, found, stats)


MEANING = Way(rank=by_meaning, facts=lambda model: {"model": model}, missing=IndexUnavailable)


@tells_index
async def run_query(app: App, call: Call, args: PapersArgs) -> Reply:
    """Embed the question, find the nearest, cite."""
    return await answer(app, call, args, MEANING)


QUERY = Tool(
    name="papers.query",
    description=DESCRIPTION,
    args=PapersArgs,
    output=QueryReply,
    run=run_query,
    bare="query",
    timeout_s=8.0,
)
