"""Candidates from every channel at once: lexical, dense per model, section-tree neighbours.

A channel that fails is told of, loudly, and the others answer; when all fail, the first error
is raised. No channel needs another port than its own.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from commonplace.domain.errors import EmbeddingMismatch, EmbedError, StoreError
from commonplace.domain.query import Hit, Query
from commonplace.domain.scope import Selection
from commonplace.embedders.base import Embedder
from commonplace.engines.base import Coverage, Graph, Passages, Stats
from commonplace.retrieve import german
from commonplace.retrieve.fuse import Ranking, normalise
from commonplace.retrieve.words import is_german, words

STATIC_TEXTS_PER_S = 500.0
"""Static models embed thousands of texts a second, transformers tens (DESIGN §10)."""
STATIC_WEIGHT = 0.35
"""Of eleven open sets .3 and .35 have the best mean (.661, .4: .659)."""
TRANSFORMER_WEIGHT = 0.5
"""Ahead of .6 in each of 8 leave-one-set-out folds; less than .5 was not tried on all of them."""
GRAPH_WEIGHT = 0.4  # static: k8s-docs-anchor +.02, lihua-world +.005, others within .004
HOP_DECAY = 0.5
HOPS = 2
GRAPH_ORIGINS = 8
TREE = ("NEXT",)
"""Reading order only: a step through a section would reach every passage of a flat document."""
PHRASE_BONUS = 0.5
"""Lifts a passage with the quoted words, as quoted, over any with the same words apart."""
LEAST_CEILING = 0.05
"""Keeps a better model's order even where the other found none of its passages."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What reading needs: two ports and the models, the preferred one first."""

    passages: Passages
    graph: Graph
    embedders: Sequence[Embedder] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which models answer a query, and what of the index they do not see."""

    models: tuple[tuple[Embedder, float], ...]
    """With the share of passages each has a vector of."""
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """A channel that did not answer."""

    channel: str
    error: StoreError | EmbedError

    def __str__(self) -> str:
        return f"{self.channel}: {self.error.message}"


async def attempt(channel: str, asked: Awaitable[Found]) -> Found | Failure:
    """The answer of a channel, or the failure of it that the caller must tell."""
    try:
        return await asked
    except (StoreError, EmbedError) as error:
        return Failure(channel, error)


async def together(*asked: Awaitable[Found]) -> list[Found]:
    """The answers of all, in order; one alone needs no task, nor a turn of the event loop."""
    if len(asked) == 1:
        return [await asked[0]]
    return await asyncio.gather(*asked)


def _share(coverage: Coverage) -> float:
    return coverage.embedded / max(1, coverage.total)


def plan(embedders: Sequence[Embedder], stats: Stats) -> Plan:
    """Choose the models: the first alone when it covers all, else the next ones help out.

    Raises EmbeddingMismatch when the index has vectors, but none of ours.
    """
    shares = {coverage.model: _share(coverage) for coverage in stats.coverage}
    usable = [
        (embedder, shares[embedder.model]) for embedder in embedders if embedder.model in shares
    ]
    if shares and embedders and not usable:
        raise EmbeddingMismatch(
            f"the index was embedded with {', '.join(sorted(shares))}, the query with "
            f"{', '.join(embedder.model for embedder in embedders)}; "
            "run `commonplace embed` or set the former model",
            indexed=sorted(shares),
            configured=[embedder.model for embedder in embedders],
        )
    if not usable:
        return Plan(models=(), degraded=("dense: no passage is embedded; run `commonplace embed`",))
    chosen = []
    degraded = [
        f"{embedder.model}: 0% of passages embedded"
        for embedder in embedders[: embedders.index(usable[0][0])]
    ]
    for embedder, share in usable:
        chosen.append((embedder, share))
        if share >= 1.0:
            break
        degraded.append(f"{embedder.model}: {share:.0%} of passages embedded")
    return Plan(models=tuple(chosen), degraded=tuple(degraded))


def dense_weight(embedder: Embedder) -> float:
    """How much a model's ranking counts beside the lexical one."""
    return STATIC_WEIGHT if embedder.texts_per_s >= STATIC_TEXTS_PER_S else TRANSFORMER_WEIGHT


async def recall_lexical(
    passages: Passages, query: Query, selection: Selection, depth: int
) -> Ranking:
    """The lexical ranking; passages with every quoted phrase rank above the rest."""
    loose = replace(query, phrases=())
    if is_german(words(query.text)):
        scores, weight = await _recall_german(passages, loose, selection, depth)
    else:
        scores, weight = normalise(await passages.lexical(loose, selection, depth)), 0.0
    if query.phrases:
        for hit in await passages.lexical(query, selection, depth):
            scores[hit.passage_id] = scores.get(hit.passage_id, 0.0) + PHRASE_BONUS
        scores = normalise([Hit(passage_id, score) for passage_id, score in scores.items()])
    return Ranking(channel="bm25", scores=scores, weight=weight)


async def _recall_german(
    passages: Passages, query: Query, selection: Selection, depth: int
) -> tuple[dict[str, float], float]:
    """Scores in their German order, and the least weight words have there."""
    plain, wide = await asyncio.gather(
        passages.lexical(query, selection, depth),
        passages.lexical(german.widen(query), selection, depth),
    )
    best = [hit.passage_id for hit in wide[: german.RESCORED]]
    candidates = await passages.get(selection, best)
    own, share = normalise(german.rescore(query, candidates)), german.ENGINE_SHARE
    scores = {passage_id: (1 - share) * score for passage_id, score in own.items()}
    for passage_id, score in normalise(plain).items():
        scores[passage_id] = scores.get(passage_id, 0.0) + share * score
    return scores, german.LEXICAL_WEIGHT if german.are_german(candidates) else 0.0


async def recall_dense(
    passages: Passages, embedder: Embedder, text: str, selection: Selection, depth: int
) -> dict[str, float]:
    """Normalised cosines of the passages nearest to the question."""
    vector = await embedder.embed([text], is_query=True)
    if not vector.any():
        return {}  # nothing the model can read: it has no opinion
    return normalise(await passages.dense(embedder.model, vector[0], selection, depth))


def merge_models(found: Sequence[tuple[dict[str, float], float]]) -> dict[str, float]:
    """One dense ranking of several models, each with the share of passages it has seen.

    A better model orders what it has seen; how good the best of that is beside the rest, only
    the model that has seen more can say. What only the latter found counts by the chance that
    the better one has not seen it.

    >>> merge_models([({"a": 1.0, "c": 0.5}, 0.25), ({"a": 0.4, "b": 0.8}, 1.0)])
    {'b': 0.6, 'a': 0.4, 'c': 0.2}
    """
    *better, (merged, _) = found
    for scores, share in reversed(better):
        ceiling = max((merged.get(passage_id, 0.0) for passage_id in scores), default=0.0)
        ceiling = max(ceiling, LEAST_CEILING)
        unseen = 1.0 - min(1.0, share)
        rest = {
            passage_id: round(score * unseen, 9)
            for passage_id, score in merged.items()
            if passage_id not in scores
        }
        merged = rest | {
            passage_id: round(score * ceiling, 9) for passage_id, score in scores.items()
        }
    return merged


async def recall_tree(graph: Graph, project: str, hits: Sequence[Hit]) -> dict[str, float]:
    """Scores lent by the best hits to passages near them in the section tree."""
    best = {hit.passage_id: hit.score for hit in hits[:GRAPH_ORIGINS]}
    if not best:
        return {}
    lent: dict[str, float] = {}
    for neighbour in await graph.neighbours(project, list(best), TREE, hops=HOPS):
        if neighbour.node.kind != "Passage":
            continue
        score = best[neighbour.origin] * HOP_DECAY**neighbour.hops
        lent[neighbour.node.id] = max(score, lent.get(neighbour.node.id, 0.0))
    return lent


def raise_if_all_failed(answers: Sequence[Ranking | Failure]) -> None:
    """An answer of no channel is an error, not an empty list."""
    failures = [answer for answer in answers if isinstance(answer, Failure)]
    if failures and len(failures) == len(answers):
        raise failures[0].error
