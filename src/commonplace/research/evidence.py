"""Passages of the pages at hand: found for every part of the question, judged, and completed."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from commonplace.answer.likelihood import Weigher, judge
from commonplace.answer.weights import question_stems, stems
from commonplace.domain.errors import EmbedError
from commonplace.domain.passage import Located
from commonplace.domain.scope import Selection
from commonplace.engines.base import Passages
from commonplace.index.page import Page
from commonplace.research.asking import Memory, Sieve, lift, read_constraints
from commonplace.research.nouns import Chunk, Phase, Question
from commonplace.retrieve.recall import Reader
from commonplace.retrieve.search import Found, Request, search

PER_PART = 24
"""Passages looked at for each part of a question (M of DESIGN §5)."""
_UNIT_TOKENS = 160
_BESIDE = 3
"""The best passages are completed by those beside them."""
_LINK_WORTH = 0.2
"""Left of the chance of a sentence that has the words of the question only in its links."""
_ANSWERING = 4
"""Words of the question these best passages have are taken as answered."""


@dataclass(slots=True)
class Judgement:
    """What was found so far, best first, and how likely it answers."""

    chunks: list[Chunk] = field(default_factory=list)
    score: float = 0.0
    """Mean over the parts of the question of the best chance."""
    answered: frozenset[str] = frozenset()
    sieve: Sieve = field(default_factory=lambda: Sieve((), Memory("", "")))
    degraded: tuple[str, ...] = ()
    generation: int = 0
    times_s: dict[Phase, float] = field(default_factory=dict)


async def gather(
    reader: Reader, weigher: Weigher, question: Question, pages: Mapping[str, Page]
) -> Judgement:
    """Search pages, by document id, for every part of the question and judge what is found."""
    constraints = read_constraints(question.constraints, question.intent)
    sieve = Sieve(constraints, Memory(question.known_context, question.text))
    judgement = Judgement(sieve=sieve)
    selection = Selection(project=question.project, documents=frozenset(pages))
    best: dict[str, Chunk] = {}
    chances: list[float] = []
    for part in question.parts:
        started = time.monotonic()
        request = Request(text=part, selection=selection, limit=PER_PART, max_per_doc=PER_PART)
        found = await search(reader, request)
        judgement.times_s["retrieval"] = _since(judgement, "retrieval", started)
        judgement.degraded = tuple(dict.fromkeys((*judgement.degraded, *found.degraded)))
        judgement.generation = found.generation
        started = time.monotonic()
        kept = _kept(found, sieve)
        chunks = await _judged(weigher, (part, pages), kept, judgement)
        chances.append(max((chunk.chance for chunk in chunks), default=0.0))
        name = part if len(question.parts) > 1 else ""
        for chunk in chunks:
            chunk.part = name
            chunk.score = round(min(1.0, chunk.score * lift(constraints, chunk.located)), 4)
            passage_id = chunk.located.passage.id
            if passage_id not in best or best[passage_id].score < chunk.score:
                best[passage_id] = chunk
        judgement.times_s["reranking"] = _since(judgement, "reranking", started)
    judgement.chunks = sorted(best.values(), key=lambda one: (-one.score, one.located.passage.id))
    judgement.score = round(sum(chances) / max(1, len(chances)), 4)
    judgement.answered = _answered(question.text, judgement.chunks)
    return judgement


def _since(judgement: Judgement, phase: Phase, started: float) -> float:
    return judgement.times_s.get(phase, 0.0) + time.monotonic() - started


def _kept(found: Found, sieve: Sieve) -> list[tuple[Located, float]]:
    both = zip(found.located, found.hits, strict=True)
    return [(located, hit.score) for located, hit in both if sieve.keeps(located)]


async def _judged(
    weigher: Weigher,
    asked: tuple[str, Mapping[str, Page]],
    kept: Sequence[tuple[Located, float]],
    judgement: Judgement,
) -> list[Chunk]:
    """Chunks by the chance of their likeliest sentence, beside the score of the search."""
    part, pages = asked
    candidates, scores = [one for one, _ in kept], [score for _, score in kept]
    try:
        judged = await judge(part, candidates, scores, weigher, _UNIT_TOKENS)
    except EmbedError as exc:
        judgement.degraded = (*judgement.degraded, f"reranked by words alone: {exc.message}")
        bare = Weigher(tokens=weigher.tokens, blend=weigher.blend)
        judged = await judge(part, candidates, scores, bare, _UNIT_TOKENS)
    chances = [0.0] * len(candidates)
    wanted = frozenset(question_stems(part))
    for unit, seen in zip(judged.units, judged.seen, strict=True):
        chance, place = weigher.blend.chance(seen), unit.candidate
        if chance > chances[place]:
            page = pages[candidates[place].card.id]
            start = candidates[place].passage.span.start + unit.piece.start
            telling = _telling(wanted, unit.text, page.without_links(unit.text, start))
            chances[place] = max(chances[place], chance * telling)
    return [
        Chunk(located=located, score=(score + chance) / 2, chance=round(chance, 4))
        for (located, score), chance in zip(kept, chances, strict=True)
    ]


def _telling(wanted: frozenset[str], text: str, outside: str) -> float:
    """How far a sentence says what is asked itself, and not only by links: 0.2 to 1.

    >>> _telling(frozenset({"cat", "fed"}), "cats fed daily", "daily")
    0.2
    """
    named = wanted & stems(text)
    own = wanted & stems(outside)
    return _LINK_WORTH + (1 - _LINK_WORTH) * (len(own) / len(named) if named else 1.0)


def _answered(question: str, chunks: Sequence[Chunk]) -> frozenset[str]:
    said: frozenset[str] = frozenset()
    for chunk in chunks[:_ANSWERING]:
        said |= stems(chunk.located.passage.text)
    return frozenset(question_stems(question)) & said


async def adjacent(passages: Passages, selection: Selection, judgement: Judgement) -> list[Chunk]:
    """The chunks with the passages beside the best ones, each after the one it belongs to."""
    chunks = judgement.chunks
    have = {chunk.located.passage.id for chunk in chunks}
    completed: list[Chunk] = []
    for place, chunk in enumerate(chunks):
        completed.append(chunk)
        if place >= _BESIDE:
            continue
        passage = chunk.located.passage
        beside = range(max(0, passage.ordinal - 1), passage.ordinal + 2)
        for near in await passages.read(selection, passage.document_id, beside):
            if near.passage.id not in have and judgement.sieve.keeps(near):
                have.add(near.passage.id)
                completed.append(
                    Chunk(
                        located=near,
                        score=round(chunk.score / 2, 4),
                        part=chunk.part,
                        is_adjacent=True,
                    )
                )
    return sorted(completed, key=lambda one: (-one.score, one.located.passage.id))


async def everything(
    passages: Passages, selection: Selection, pages: Iterable[Page], judgement: Judgement
) -> list[Chunk]:
    """All passages that are wanted: those that were found first, the others in reading order."""
    chunks = judgement.chunks
    have = {chunk.located.passage.id for chunk in chunks}
    rest = [
        Chunk(located=near, score=0.0)
        for page in pages
        for near in await passages.read(selection, page.document_id, range(page.passages))
        if near.passage.id not in have and judgement.sieve.keeps(near)
    ]
    return [*chunks, *rest]
