"""Passages of papers: dense alone, or dense and BM25 joined by reciprocal ranks.

Joined, a third ranking has a say: the best passages of both in the order of what their likeliest
sentence promises.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from commonplace.domain.passage import Located
from commonplace.domain.query import Hit
from commonplace.domain.scope import Selection
from commonplace.embedders.base import Embedder
from commonplace.retrieve.analyse import analyse
from commonplace.retrieve.fuse import RRF_K, reciprocal_ranks
from commonplace.retrieve.recall import STATIC_TEXTS_PER_S, recall_lexical
from commonplace.tools.app import App
from commonplace.tools.papers.binding import lost_vectors
from commonplace.tools.papers.sentences import promises
from commonplace.tools.papers.stretches import Scored

_LEAST_DEPTH = 200
_MOST_DEPTH = 12_800  # deeper than this, passages of a rare section are not looked for
_DEEPER = 4
_BESIDE = 4  # a result of 1,800 characters has at most so many passages, but for tiny ones

# Chosen on open sets other than those of papers (ADR 48), sentences also on one of these (ADR 62).
_WORDS, _VECTORS, _STATIC_VECTORS = 0.6, 0.4, 0.3
_SENTENCES = 2.0
_JUDGED = 20  # 30 cost half more and rank no better

Rank = Callable[[int], Awaitable[list[Hit]]]
"""The best hits, at most so many of a channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question to the papers of a project."""

    project: str
    text: str
    tags: tuple[str, ...] = ()
    """A document must carry all of them."""
    section_prefix: str = ""


def selection_of(ask: Ask) -> Selection:
    """What a question may see: documents that carry the tags, themselves or by their record."""
    tags = tuple(frozenset({tag}) for tag in sorted(set(ask.tags)))
    return Selection(project=ask.project, tags=tags)


def _best(hits: Iterable[Hit]) -> list[Hit]:
    """Each passage once, best first, ties by id."""
    found: dict[str, Hit] = {}
    for hit in hits:
        if hit.passage_id not in found or hit.score > found[hit.passage_id].score:
            found[hit.passage_id] = hit
    return sorted(found.values(), key=lambda hit: (-hit.score, hit.passage_id))


async def _dense(app: App, embedder: Embedder, text: str, seen: Selection, depth: int) -> list[Hit]:
    vector = await embedder.embed([text], is_query=True)
    if not vector.any():
        return []  # nothing the model can read
    hits = await app.store.passages.dense(embedder.model, vector[0], seen, depth)
    if (
        not hits
        and seen.is_whole_project
        and (await app.store.passages.stats(seen.project)).passages
    ):
        raise lost_vectors(embedder.model)
    return _best(hits)


async def _lexical(app: App, text: str, seen: Selection, depth: int) -> list[Hit]:
    found = await recall_lexical(app.store.passages, analyse(text), seen, depth)
    return _best(Hit(name, score) for name, score in found.scores.items())


def by_meaning(app: App, embedder: Embedder, ask: Ask, seen: Selection) -> Rank:
    """Rank by cosine."""
    return lambda depth: _dense(app, embedder, ask.text, seen, depth)


async def _by_sentence(app: App, embedder: Embedder, ask: Ask, hits: Sequence[Hit]) -> list[Hit]:
    """The same passages by what their likeliest sentence promises."""
    scored = await _located(app, ask.project, hits)
    odds = await promises(app, embedder, ask.text, scored)
    both = zip(scored, odds, strict=True)
    return _best(Hit(one.located.passage.id, promise) for one, promise in both)


def by_both(app: App, embedder: Embedder, ask: Ask, seen: Selection) -> Rank:
    """Rank by reciprocal ranks; 1 is for what all rankings have first."""
    is_static = embedder.texts_per_s >= STATIC_TEXTS_PER_S
    vectors = _STATIC_VECTORS if is_static else _VECTORS

    async def rank(depth: int) -> list[Hit]:
        dense, lexical = await asyncio.gather(
            _dense(app, embedder, ask.text, seen, depth), _lexical(app, ask.text, seen, depth)
        )
        fused = _fused([(dense, vectors), (lexical, _WORDS)])
        sentences = await _by_sentence(app, embedder, ask, fused[:_JUDGED])
        return _fused([(dense, vectors), (lexical, _WORDS), (sentences, _SENTENCES)])

    return rank


def _fused(rankings: Sequence[tuple[Sequence[Hit], float]]) -> list[Hit]:
    totals: dict[str, float] = {}
    for hits, weight in rankings:
        for passage_id, share in reciprocal_ranks(hits).items():
            totals[passage_id] = totals.get(passage_id, 0.0) + weight * share
    most = sum(weight for _, weight in rankings) / (RRF_K + 1)
    return _best(Hit(one, total / most, "rrf_fusion") for one, total in totals.items())


async def find(app: App, ask: Ask, rank: Rank, top_k: int) -> tuple[list[Scored], tuple[str, ...]]:
    """The best passages under the section asked for, and what was not looked through.

    They are more than ``top_k``: those side by side become one result.
    """
    most = top_k * _BESIDE
    depth = max(_LEAST_DEPTH, most)
    prefix = ask.section_prefix.casefold()
    while True:
        hits = await rank(depth)
        located = await _located(app, ask.project, hits if prefix else hits[:most])
        kept = [one for one in located if _is_under(one.located, prefix)]
        if not prefix or len(kept) >= top_k or len(hits) < depth:
            return kept[:most], ()
        if depth >= _MOST_DEPTH:
            return kept, (f"section_prefix: only the best {depth} passages were looked through",)
        depth *= _DEEPER


async def _located(app: App, project: str, hits: Sequence[Hit]) -> list[Scored]:
    scores = {hit.passage_id: hit.score for hit in hits}
    found = await app.store.passages.get(Selection(project=project), list(scores))
    return [Scored(one, scores[one.passage.id]) for one in found]


def _is_under(located: Located, prefix: str) -> bool:
    return " > ".join(located.heading_path).casefold().startswith(prefix)
