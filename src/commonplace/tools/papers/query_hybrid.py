"""``papers.query_hybrid``: passages of papers by meaning and by words, joined by their ranks."""

from typing import Literal

from pydantic import Field

from commonplace.domain.errors import HybridNotSupported
from commonplace.domain.evidence import Reply
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.papers.binding import SPARSE_MODEL, check_project, dense_embedder
from commonplace.tools.papers.finding import by_both, find, selections
from commonplace.tools.papers.items import PapersArgs, PapersReply, reply_with_items
from commonplace.tools.papers.query import capped


class QueryHybridReply(PapersReply):
    """Reply of papers.query_hybrid."""

    hybrid_enabled: bool
    dense_model: str
    sparse_model: str
    fusion: Literal["RRF"] = Field(description="Reciprocal ranks; score 1 is first in both.")


DESCRIPTION = """\
Use when you want what papers of a project say, by words and meaning: names, terms, symbols.
Do not use when documents of any kind will do: kb_retrieve_evidence quotes the sentences.
Returns at most top_k passages with citekey and pages, inside max_response_tokens.
If you need more, raise top_k, set include_full_text, or send next_cursor back.
Defaults: top_k 6. Max: 50, as set. tags: a document must have all."""


async def run_query_hybrid(app: App, call: Call, args: PapersArgs) -> Reply:
    """Ask both channels, fuse, cite."""
    await check_project(app, args.project)
    stats = await app.store.passages.stats(args.project)
    embedder, unseen = dense_embedder(app, stats)
    if embedder is None:
        raise HybridNotSupported(
            f"project {args.project!r} has words but no vectors; run `commonplace embed`, or ask "
            "kb_search"
        )
    top_k, cut = capped(app, args.top_k)
    rank = by_both(app, embedder, args.ask, await selections(app, args.ask))
    scored, partial = await find(app, args.ask, rank, top_k)
    facts = {
        "hybrid_enabled": True,
        "dense_model": embedder.model,
        "sparse_model": SPARSE_MODEL,
        "fusion": "RRF",
    }
    return await reply_with_items(app, call, args, (scored, facts, unseen + cut + partial), stats)


QUERY_HYBRID = Tool(
    name="papers.query_hybrid",
    description=DESCRIPTION,
    args=PapersArgs,
    output=QueryHybridReply,
    run=run_query_hybrid,
    bare="query_hybrid",
    timeout_s=15.0,
)
