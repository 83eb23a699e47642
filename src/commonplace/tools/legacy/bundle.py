"""``compute_context_bundle``: the text around some nodes, within a budget of tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from commonplace.answer.excerpt import Measure
from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import one_line
from commonplace.domain.evidence import Reply
from commonplace.domain.graph import Node
from commonplace.domain.passage import Located
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.retrieve.search import Request, search
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolArgs
from commonplace.tools.graph.nodes import (
    HIERARCHY,
    PASSAGE,
    SPEAKS_OF,
    GraphReply,
    Starts,
    ask,
    remarks,
)
from commonplace.tools.legacy.search import SectionText, ended, section, told
from commonplace.tools.paging import LEAST_TOKENS, MOST_TOKENS, SessionId, budget
from commonplace.tools.scope import select

Strategy = Literal["hybrid", "graph", "vector"]

_SEED, _MOST_PASSAGES, _DEEPEST = 1.0, 50, 8
_SHARE = 4  # a passage may take a quarter of the budget, so that several have room
_LEAST_TEXT_TOKENS = 40
_QUESTION_CHARS = 500


class BundleArgs(ToolArgs):
    """Arguments of compute_context_bundle."""

    seeds: Starts
    strategy: Strategy = "hybrid"
    token_budget: int = Field(default=2000, ge=LEAST_TOKENS, le=MOST_TOKENS)
    session_id: SessionId | None = None


class BundledText(SectionText):
    """The beginning of a passage, and why it is there."""

    source: Literal["seed", "graph", "vector"]
    score: float


class BundleReply(GraphReply):
    """Reply of compute_context_bundle."""

    results: list[BundledText]


@dataclass(slots=True)
class _Worth:
    """Why a passage is in the bundle."""

    source: Literal["seed", "graph", "vector"]
    score: float


async def run_bundle(app: App, call: Call, args: BundleArgs) -> Reply:
    """Seeds first, then what is connected to them and what reads like them."""
    selection = await select(app, None)
    asked = await ask(app, call, selection, args.seeds)
    graph = app.store.graph
    own = Reach(hops=_DEEPEST, relations=HIERARCHY, direction="out", kinds=frozenset({PASSAGE}))
    below = await graph.expand(selection, asked.node_ids, own)
    asked.require(below.starts, "seeds")
    worth = {node.id: _Worth("seed", _SEED) for node in below.starts if node.kind == PASSAGE}
    _add(worth, "seed", {one.node.id: one.score for one in below.reached})
    spoken = Reach(relations=SPEAKS_OF, direction="in", kinds=frozenset({PASSAGE}))
    telling = await graph.expand(selection, asked.node_ids, spoken)
    _add(worth, "seed", {one.node.id: one.score for one in telling.reached})
    if args.strategy != "vector":
        near = await graph.expand(selection, list(worth) or asked.node_ids, _NEAR)
        _add(worth, "graph", {one.node.id: one.score / 2 for one in near.reached})
    degraded: tuple[str, ...] = ()
    if args.strategy != "graph":
        alike, degraded = await _alike(app, selection, below.starts, list(worth))
        _add(worth, "vector", alike)
    return await _reply(app, call, args, (selection, worth, asked.unknown(below.starts), degraded))


_NEAR = Reach(hops=2, kinds=frozenset({PASSAGE}), limit=_MOST_PASSAGES)


def _add(
    worth: dict[str, _Worth],
    source: Literal["seed", "graph", "vector"],
    scores: Mapping[str, float],
) -> None:
    """What several reasons speak for counts more; the first reason names it."""
    for passage_id, score in scores.items():
        known = worth.setdefault(passage_id, _Worth(source, 0.0))
        known.score = round(known.score + score, 6)


async def _alike(
    app: App, selection: Selection, seeds: Sequence[Node], known: Sequence[str]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Passages that read like the seeds, by vector."""
    texts = await app.store.passages.get(selection, known[:3])
    words = " ".join([node.name for node in seeds] + [one.passage.text for one in texts])
    request = Request(
        text=one_line(words)[:_QUESTION_CHARS] or "…",
        selection=selection,
        limit=10,
        max_per_doc=5,
        mode="vector_only",
    )
    found = await search(app.reader, request)
    return {hit.passage_id: hit.score / 2 for hit in found.hits}, found.degraded


async def _reply(
    app: App,
    call: Call,
    args: BundleArgs,
    found: tuple[Selection, Mapping[str, _Worth], Mapping[str, Any], tuple[str, ...]],
) -> Reply:
    selection, worth, head, degraded = found
    best = sorted(worth, key=lambda key: (-worth[key].score, key))[:_MOST_PASSAGES]
    located = await app.store.passages.get(selection, best)
    tokens = max(_LEAST_TEXT_TOKENS, args.token_budget // _SHARE)
    rows = [_row(one, worth[one.passage.id], Measure(app.tokens, tokens)) for one in located]

    def shape(chosen: Sequence[dict[str, Any]], tail: Tail) -> Form:
        structured = {"results": list(chosen), **head, **ended(tail)} | app.marks(call, degraded)
        lines = [told(structured), *remarks(structured)]
        lines += [f"degraded: {note}" for note in degraded]
        return Form("\n".join(lines), structured)

    return pack(rows, Page(0, len(rows)), budget(app, args.token_budget), shape)


def _row(located: Located, worth: _Worth, measure: Measure) -> dict[str, Any]:
    return section(located, measure) | {"source": worth.source, "score": round(worth.score, 3)}


COMPUTE_CONTEXT_BUNDLE = Tool(
    name="compute_context_bundle",
    description="""\
Use when an older client asks by this name: the text around seeds, ready to read.
Do not use when kb_retrieve_evidence is listed and you have a question.
Returns at most token_budget tokens of whole sentences, each passage with its place.
If you need more, call get_section_text with a section_id.
Defaults: strategy hybrid (graph and vectors), token_budget 2000. Max: 10 seeds, 10,000 tokens.""",
    args=BundleArgs,
    output=BundleReply,
    run=run_bundle,
    is_legacy=True,
)
