"""Finding contexts again: by meaning and words, by the graph, or by both; newer wins ties."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from commonplace.domain.context import CONTEXT, SUPERSEDED_BY, SUPERSEDES, Context
from commonplace.domain.graph import Neighbour, Node
from commonplace.domain.passage import Located
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.link.structure import HAS_PASSAGE, HAS_SECTION
from commonplace.memory.record import from_node
from commonplace.memory.write import source_id
from commonplace.retrieve.recall import Failure, Reader, attempt
from commonplace.retrieve.search import Found, Request, search
from commonplace.sources.memory import MEMORY

Mode = Literal["vector", "graph", "hybrid"]
Order = Literal["timestamp", "relevance"]

ALL = "all"
_SEEDS = 8  # best hits whose surroundings are looked at
_HOP = 0.5  # what a context is worth beside a hit it is an edge away from
_SUPERSEDED = 0.5  # what is left of the score of a context that a newer one replaces
_GENERATIONS = 4  # how far a chain of replacements is followed
_LEAST_FOUND = 20
_DIGITS = 3  # scores equal to so many digits are a tie
_STRUCTURE = (HAS_SECTION, HAS_PASSAGE)
_REPLACING = (*SUPERSEDES, *SUPERSEDED_BY)
_REACH = Reach(hops=2, kinds=frozenset({CONTEXT}), fan_out=8, limit=50)
"""A passage, its section, a context that concerns it."""
_WORD = re.compile(r"\w{4,}")
_MOST_WORDS = 6
_NAME = re.compile(r"[A-Za-z0-9][\w.:/-]{2,120}")
_MOST_NAMES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of memory."""

    text: str
    selection: Selection
    type: str = ALL
    mode: Mode = "hybrid"
    limit: int = 10
    order: Order = "timestamp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A context found again."""

    id: str
    score: float
    source: Literal["vector", "graph"]
    created_at: datetime
    context: Context | None = None
    """None when the graph, which keeps it whole, did not answer: then ``located`` has its text."""
    located: Located | None = None
    """The passage that fits best, when words or vectors found it."""
    via: str = ""
    """How the graph led to it."""
    superseded_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What was found, in the order asked for, and what could not be looked at."""

    memories: tuple[Memory, ...]
    mode: Mode
    degraded: tuple[str, ...]
    generation: int


@dataclass(slots=True)
class _Search:
    """One search under way."""

    reader: Reader
    asked: Asked
    found: dict[str, Memory] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)

    @property
    def project(self) -> str:
        """Whose memory is searched."""
        return self.asked.selection.project

    def is_wanted(self, located: Located) -> bool:
        """Whether a passage is of a context of the type asked for."""
        is_ours = located.card.source_id == source_id(self.project)
        return is_ours and self.asked.type in (ALL, *located.card.tags)

    def take(self, memory: Memory) -> None:
        """Keep the better of two ways to the same context."""
        known = self.found.setdefault(memory.id, memory)
        if memory.score > known.score:
            context = known.context or memory.context
            self.found[memory.id] = replace(
                known, score=memory.score, context=context, via=memory.via
            )


async def recall(reader: Reader, asked: Asked) -> Recalled:
    """The contexts that fit best, at most ``limit``.

    Raises the store's error when neither passages nor graph can answer; when one can, the other
    is told in ``degraded``.
    """
    run = _Search(reader, asked)
    seeds = await attempt("vector", _by_text(run))
    if isinstance(seeds, Failure):
        run.degraded.append(str(seeds))
    walked = await attempt("graph", _by_graph(run, None if isinstance(seeds, Failure) else seeds))
    if isinstance(walked, Failure):
        if isinstance(seeds, Failure):
            raise seeds.error
        run.degraded.append(f"{walked}; contexts are shown as their indexed text")
    mode: Mode = asked.mode
    if isinstance(seeds, Failure):
        mode = "graph"
    elif isinstance(walked, Failure):
        mode = "vector"
    generation = 0 if isinstance(seeds, Failure) else seeds.generation
    degraded = tuple(dict.fromkeys(run.degraded))
    return Recalled(memories=_ordered(run), mode=mode, degraded=degraded, generation=generation)


async def _by_text(run: _Search) -> Found:
    """Contexts that words or vectors find; what was found at all is where the graph starts.

    The whole project is searched first, which is fast; where documents crowd contexts out, the
    contexts alone are searched again.
    """
    asked = run.asked
    request = Request(
        text=asked.text,
        selection=asked.selection,
        limit=max(_LEAST_FOUND, 2 * asked.limit),
        mode="vector_only" if asked.mode == "vector" else "auto",
    )
    whole = found = await search(run.reader, request)
    wanted = sum(run.is_wanted(one) for one in found.located)
    if wanted < asked.limit and wanted < len(found.located):
        tags = [frozenset({MEMORY})]
        tags += [frozenset({asked.type})] if asked.type != ALL else []
        selection = replace(asked.selection, tags=(*asked.selection.tags, *tags))
        found = await search(run.reader, replace(request, selection=selection))
    # Nothing stored yet is no fault of memory's, whatever documents would need.
    notes = [*whole.degraded, *found.degraded]
    run.degraded += [one for one in notes if "is empty; run" not in one]
    for hit, located in zip(found.hits, found.located, strict=True):
        if asked.mode != "graph" and run.is_wanted(located):
            run.take(
                Memory(
                    id=located.card.id,
                    score=hit.score,
                    source="vector",
                    created_at=located.card.modified_at,
                    located=located,
                )
            )
    return whole


async def _by_graph(run: _Search, seeds: Found | None) -> None:
    """Contexts near the best hits, then the contexts themselves and what replaced them."""
    if run.asked.mode != "vector" or seeds is None:
        await _walk(run, seeds)
    await _open(run)
    await _follow(run)


async def _walk(run: _Search, seeds: Found | None) -> None:
    """Contexts near a hit, its section or its document, or near what the query names."""
    graph, asked = run.reader.graph, run.asked
    scores = _seed_scores(seeds) if seeds is not None else {}
    if seeds is None:
        await _match(run)
    elif asked.mode == "graph":
        for node in await graph.nodes(run.project, list(scores)):
            if node.kind == CONTEXT:
                run.take(_near(node, scores[node.id], "its text fits"))
    names = list(dict.fromkeys(_NAME.findall(asked.text)))[:_MOST_NAMES]
    for node in await graph.nodes(run.project, names):
        scores[node.id] = 1.0
        if node.kind == CONTEXT:
            run.take(_near(node, 1.0, "named in the query"))
    near = await graph.expand(asked.selection, list(scores), _REACH)
    for one in near.reached:
        edge = one.edge
        is_inside = edge.document_id == one.node.id and edge.relation in _STRUCTURE
        if not is_inside and edge.relation not in _REPLACING:
            best = max(scores[origin] for origin in one.origins)
            lent = best * edge.confidence * _HOP**one.hops
            run.take(_near(one.node, lent, f"{edge.source} {edge.relation} {edge.target}"))


async def _match(run: _Search) -> None:
    """Contexts that hold the words, when only the graph can be asked."""
    words = list(dict.fromkeys(one.lower() for one in _WORD.findall(run.asked.text)))
    rare = sorted(words, key=len, reverse=True)[:_MOST_WORDS]
    limit = max(_LEAST_FOUND, 2 * run.asked.limit)
    for node in await run.reader.graph.matching(run.project, CONTEXT, rare, limit):
        text = f"{node.name} {node.properties}".lower()
        share = sum(word in text for word in rare) / len(rare)
        run.take(_near(node, share, "holds the words"))


def _seed_scores(seeds: Found) -> dict[str, float]:
    """The nodes of the best hits: each passage and its document."""
    scores: dict[str, float] = {}
    for hit, located in list(zip(seeds.hits, seeds.located, strict=True))[:_SEEDS]:
        for node_id in (located.passage.id, located.card.id):
            scores[node_id] = max(hit.score, scores.get(node_id, 0.0))
    return scores


def _near(node: Node, score: float, via: str) -> Memory:
    context = from_node(node)
    return Memory(
        id=node.id,
        score=score,
        source="graph",
        created_at=context.created_at,
        context=context,
        via=via,
    )


async def _open(run: _Search) -> None:
    """Read the contexts of what words or vectors found; drop those of another type."""
    missing = [one.id for one in run.found.values() if one.context is None]
    for node in await run.reader.graph.nodes(run.project, missing):
        if node.kind == CONTEXT:
            run.found[node.id] = replace(run.found[node.id], context=from_node(node))
    for one in list(run.found.values()):
        if one.context is not None and run.asked.type not in (ALL, one.context.type):
            del run.found[one.id]


async def _follow(run: _Search) -> None:
    """Mark what has been superseded and bring in what superseded it."""
    waiting = list(run.found)
    for _ in range(_GENERATIONS):
        if not waiting:
            return
        near = await run.reader.graph.neighbours(run.project, waiting, _REPLACING, 1)
        newer = _newer(near)
        fresh: list[str] = []
        for older, node in newer.items():
            known = run.found[older]
            marked = replace(known, superseded_by=node.id, score=known.score * _SUPERSEDED)
            run.found[older] = marked
            is_wanted = run.asked.type in (ALL, str(node.properties.get("type")))
            if node.id in run.found:
                above = max(known.score, run.found[node.id].score)
                run.found[node.id] = replace(run.found[node.id], score=above)
            elif is_wanted:
                run.found[node.id] = _near(node, known.score, f"supersedes {older}")
                fresh.append(node.id)
        waiting = fresh


def _newer(near: Iterable[Neighbour]) -> Mapping[str, Node]:
    """By context, the latest one that supersedes it."""
    found: dict[str, Node] = {}
    for one in near:
        older = one.edge.target if one.edge.relation in SUPERSEDES else one.edge.source
        if one.origin != older or one.node.kind != CONTEXT:
            continue
        known = found.get(older)
        if known is None or str(known.properties["created_at"]) < str(
            one.node.properties["created_at"]
        ):
            found[older] = one.node
    return found


def _ordered(run: _Search) -> tuple[Memory, ...]:
    """The most relevant, at most as many as asked for, in the order asked for."""
    ranked = sorted(run.found.values(), key=lambda one: one.id)
    ranked.sort(key=lambda one: (round(one.score, _DIGITS), one.created_at), reverse=True)
    best: Sequence[Memory] = ranked[: run.asked.limit]
    if run.asked.order == "timestamp":
        best = sorted(best, key=lambda one: one.created_at, reverse=True)
    return tuple(best)
