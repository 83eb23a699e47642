"""The read path: analyse, recall, fuse, expand, lift what is named, collapse.

This module alone knows the order.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from commonplace.domain.passage import Located
from commonplace.domain.query import Hit, Query
from commonplace.domain.scope import Selection
from commonplace.retrieve.analyse import analyse
from commonplace.retrieve.collapse import Collapse
from commonplace.retrieve.fuse import Ranking, fuse
from commonplace.retrieve.histories import asks_for_history, lowered
from commonplace.retrieve.local import LOCAL_WEIGHT, recall_local
from commonplace.retrieve.named import lift_named
from commonplace.retrieve.recall import (
    GRAPH_WEIGHT,
    Failure,
    Plan,
    Reader,
    attempt,
    dense_weight,
    merge_models,
    plan,
    raise_if_all_failed,
    recall_dense,
    recall_lexical,
    recall_tree,
    together,
)

__all__ = ["Found", "Mode", "Reader", "Request", "search"]

Mode = Literal["auto", "vector_only", "hybrid_local"]

MAX_LIMIT = 200
LEAST_DEPTH = 50
"""Candidates of each channel: 100 and 200 cost twice and more, and move nDCG@10 by at most .009 on
eleven open sets, which is noise."""
MOST_DEPTH = 1000
_SPARE = 3  # passages read beyond the limit at a time: most questions lose few to collapsing
PART_WEIGHT = 0.7
"""How much an answer to one part of a compound question is worth (toolsel-seal-in .899 to .943,
cisi .406 to .403; at .9 cisi loses .02)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked of the read path."""

    text: str
    selection: Selection
    limit: int
    max_per_doc: int = 1
    mode: Mode = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found, best first, and what was not looked at."""

    hits: tuple[Hit, ...]
    located: tuple[Located, ...]
    """The passages of ``hits``, in the same order."""
    degraded: tuple[str, ...]
    generation: int
    collapsed: int
    """Passages left out: better ones say the same, or fill their document's share."""
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    hits: list[Hit]
    degraded: tuple[str, ...]


def depth_for(request: Request) -> int:
    """How many candidates each channel gives, so that ``limit`` remain after collapsing."""
    return min(MOST_DEPTH, max(LEAST_DEPTH, 4 * request.limit))


async def _dense(
    reader: Reader, query: Query, request: Request, chosen: Plan
) -> list[Ranking | Failure]:
    """One ranking of all models that answer, and the failures of those that do not."""
    depth = depth_for(request)
    answers = await together(
        *(
            attempt(
                f"dense ({embedder.model})",
                recall_dense(reader.passages, embedder, query.text, request.selection, depth),
            )
            for embedder, _ in chosen.models
        )
    )
    found = [
        (scores, share, embedder)
        for scores, (embedder, share) in zip(answers, chosen.models, strict=True)
        if not isinstance(scores, Failure)
    ]
    failures = [answer for answer in answers if isinstance(answer, Failure)]
    if not found:
        return [*failures]
    merged = merge_models([(scores, share) for scores, share, _ in found])
    weight = dense_weight(found[0][2])
    return [Ranking(channel="vector", scores=merged, weight=weight), *failures]


async def _lexical(reader: Reader, query: Query, request: Request) -> list[Ranking | Failure]:
    asked = recall_lexical(reader.passages, query, request.selection, depth_for(request))
    return [await attempt("lexical", asked)]


async def _rank(reader: Reader, query: Query, request: Request, chosen: Plan) -> _Ranked:
    """Recall on every channel the mode allows, and fuse."""
    if request.mode == "vector_only" and chosen.models:
        answers = await _dense(reader, query, request, chosen)
        if not any(isinstance(answer, Ranking) for answer in answers):
            answers += await _lexical(reader, query, request)
    else:
        words, vectors = await asyncio.gather(
            _lexical(reader, query, request), _dense(reader, query, request, chosen)
        )
        answers = words + vectors
    raise_if_all_failed(answers)
    rankings = [answer for answer in answers if isinstance(answer, Ranking)]
    told = tuple(str(answer) for answer in answers if isinstance(answer, Failure))
    return _Ranked(hits=fuse(_balance(rankings)), degraded=told)


def _balance(rankings: Sequence[Ranking]) -> list[Ranking]:
    """Weights that make one: words have at least what they ask for, vectors what they may."""
    if len(rankings) < 2:
        return [replace(ranking, weight=1.0) for ranking in rankings]
    least = max(ranking.weight for ranking in rankings if ranking.channel == "bm25")
    most = max(ranking.weight for ranking in rankings if ranking.channel == "vector")
    dense = min(most, 1.0 - least)
    return [
        replace(ranking, weight=dense if ranking.channel == "vector" else 1.0 - dense)
        for ranking in rankings
    ]


def _join_parts(whole: Sequence[Hit], parts: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The whole question's ranking, with what answers one of its parts lifted."""
    best = {hit.passage_id: hit for hit in whole}
    for hits in parts:
        for hit in hits:
            lifted = Hit(hit.passage_id, PART_WEIGHT * hit.score, hit.channel, hit.parts)
            known = best.get(hit.passage_id)
            if known is None or lifted.score > known.score:
                best[hit.passage_id] = lifted
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.passage_id))


async def _rank_all(reader: Reader, request: Request, chosen: Plan) -> _Ranked:
    query = analyse(request.text)
    queries = [query, *(analyse(part) for part in query.parts)]
    whole, *parts = await together(*(_rank(reader, each, request, chosen) for each in queries))
    hits = _join_parts(whole.hits, [part.hits for part in parts]) if parts else whole.hits
    return _Ranked(hits=hits, degraded=whole.degraded)


async def _expand(reader: Reader, request: Request, ranked: _Ranked) -> tuple[_Ranked, str]:
    """Let the best hits lend score to what stands next to them, on request in the whole graph."""
    if request.mode == "vector_only":
        return ranked, "vector_only"
    asked = [(GRAPH_WEIGHT, recall_tree(reader.graph, request.selection.project, ranked.hits))]
    if request.mode == "hybrid_local":
        near = recall_local(reader.graph, request.selection, ranked.hits)
        asked.append((LOCAL_WEIGHT, near))
    answers = await together(*(attempt("graph", lent) for _, lent in asked))
    failures = dict.fromkeys(str(answer) for answer in answers if isinstance(answer, Failure))
    known = {hit.passage_id: hit for hit in ranked.hits}
    for (weight, _), lent in zip(asked, answers, strict=True):
        if not isinstance(lent, Failure):
            _add(known, lent, weight)
    hits = sorted(known.values(), key=lambda hit: (-hit.score, hit.passage_id))
    is_local = request.mode == "hybrid_local" and not failures
    told = (*ranked.degraded, *failures)
    return _Ranked(hits=hits, degraded=told), "hybrid_local" if is_local else "hybrid"


def _add(known: dict[str, Hit], lent: Mapping[str, float], weight: float) -> None:
    for passage_id, score in lent.items():
        hit = known.get(passage_id) or Hit(passage_id, 0.0, "graph_expanded")
        parts = (*hit.parts, ("graph_expanded", score))
        known[passage_id] = Hit(passage_id, hit.score + weight * score, hit.channel, parts)


async def _collapse(
    reader: Reader, request: Request, hits: Sequence[Hit]
) -> tuple[list[tuple[Hit, Located]], int]:
    """Read passages best first until enough remain; how many were left out."""
    sieve = Collapse(request.max_per_doc)
    kept: list[tuple[Hit, Located]] = []
    step, is_lowering = request.limit + _SPARE, not asks_for_history(request.text)
    for start in range(0, len(hits), step):
        batch = {hit.passage_id: hit for hit in hits[start : start + step]}
        for located in await reader.passages.get(request.selection, list(batch)):
            hit = batch[located.passage.id]
            if sieve.keeps(located):
                kept.append((lowered(hit, located) if is_lowering else hit, located))
            if sum(one.score >= hit.score for one, _ in kept) >= request.limit:
                return _best(kept, request.limit), sieve.repeated + sieve.crowded
    return _best(kept, request.limit), sieve.repeated + sieve.crowded


def _best(kept: Sequence[tuple[Hit, Located]], limit: int) -> list[tuple[Hit, Located]]:
    return sorted(kept, key=lambda one: -one[0].score)[:limit]  # equal ones stay as they were


async def search(reader: Reader, request: Request) -> Found:
    """The best passages for a question, at most ``limit`` (200), best first.

    Raises EmbeddingMismatch when no model fits the index, and the store's or the embedder's
    error when no channel can answer; a single failing channel is told in ``degraded``.
    """
    request = _bounded(request)
    stats = await reader.passages.stats(request.selection.project)
    if not stats.passages:
        told = (f"project {request.selection.project!r} is empty; run `commonplace add`",)
        return _nothing(request, told, stats.generation)
    chosen = plan(reader.embedders, stats)
    ranked = await _rank_all(reader, request, chosen)
    ranked, mode = await _expand(reader, request, ranked)
    hits = await lift_named(reader.passages, request.text, request.selection, ranked.hits)
    kept, collapsed = await _collapse(reader, request, hits)
    return Found(
        hits=tuple(hit for hit, _ in kept),
        located=tuple(located for _, located in kept),
        degraded=(*chosen.degraded, *ranked.degraded, *_fallback(request, chosen)),
        generation=stats.generation,
        collapsed=collapsed,
        mode=mode,
    )


def _fallback(request: Request, chosen: Plan) -> tuple[str, ...]:
    if request.mode == "vector_only" and not chosen.models:
        return ("vector_only: no vectors, so words were matched instead",)
    return ()


def _bounded(request: Request) -> Request:
    limit = max(1, min(MAX_LIMIT, request.limit))
    return replace(request, limit=limit, max_per_doc=max(1, request.max_per_doc))


def _nothing(request: Request, told: tuple[str, ...], generation: int) -> Found:
    return Found(
        hits=(), located=(), degraded=told, generation=generation, collapsed=0, mode=request.mode
    )
