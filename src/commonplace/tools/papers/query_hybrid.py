"""``papers.query_hybrid``: passages of papers by meaning and by words, joined by their ranks."""

from typing import Any, Literal

from pydantic import Field

from commonplace.domain.errors import HybridNotSupported
from commonplace.domain.evidence import Reply
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool
from commonplace.tools.papers.binding import SPARSE_MODEL, tells_index
from commonplace.tools.papers.finding import by_both
from commonplace.tools.papers.items import PapersArgs, PapersReply
from commonplace.tools.papers.query import Way, answer


class QueryHybridReply(PapersReply):
    """Reply of papers.query_hybrid."""

    hybrid_enabled: bool
    dense_model: str
    sparse_model: str
    fusion: Literal["RRF"] = Field(description="Reciprocal ranks; score 1 is first in all.")


DESCRIPTION = """\
Use when you want what papers of a project say, by words and meaning: names, terms, symbols.
Do not use when documents of any kind will do: kb_retrieve_evidence quotes the sentences.
Returns at most top_k passages with citekey and pages, inside max_response_tokens.
If you need more, raise top_k, set include_full_text, or send next_cursor back.
Defaults: top_k 6. Max: 50, as set. tags: a document must have all."""


def _facts(model: str) -> dict[str, Any]:
    return {
        "hybrid_enabled": True,
        "dense_model": model,
        "sparse_model": SPARSE_MODEL,
        "fusion": "RRF",
    }


BOTH = Way(rank=by_both, facts=_facts, missing=HybridNotSupported)


@tells_index
async def run_query_hybrid(app: App, call: Call, args: PapersArgs) -> Reply:
    """Ask both channels, fuse, cite."""
    return await answer(app, call, args, BOTH)


QUERY_HYBRID = Tool(
    name="papers.query_hybrid",
    description=DESCRIPTION,
    args=PapersArgs,
    output=QueryHybridReply,
    run=run_query_hybrid,
    bare="query_hybrid",
    timeout_s=15.0,
)
