"""A result is a stretch of one section: what was found there and the sentences around it.

Hits side by side are one result, as long as they fit what one may show, so that a few results
cover more places. Around them stand their neighbours; what of those is shown is decided by
sentence (``stretches.py``). A passage belongs to one result only, so none repeats another.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.domain.passage import Located, page_address
from commonplace.domain.scope import Selection
from commonplace.tools.app import App
from commonplace.tools.papers.stretches import Part, Run, Scored, weigh

RENDER_CHARS = 1800  # 002
MEAN_CHARS = 1600
"""Room a result has on average: as much as a chunk of the usual size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Neighbouring passages of one section; the best hit gives it its name and score."""

    best: Scored
    passages: tuple[Located, ...]
    """In reading order, without gaps: the hits and a neighbour on either side."""
    hits: frozenset[str]
    """Ids of the passages that were found."""

    @property
    def text(self) -> str:
        """All of it, exactly as it stands in the document."""
        return "".join(one.passage.text for one in self.passages)

    def between(self, start: int, end: int) -> tuple[Located, ...]:
        """The passages that this stretch of the text has a part of; at least one."""
        found, at = [], 0
        for one in self.passages:
            if at < max(end, start + 1) and start < at + len(one.passage.text):
                found.append(one)
            at += len(one.passage.text)
        return tuple(found)


def pages(passages: Sequence[Located]) -> tuple[int, int] | None:
    """First and last page of neighbouring passages, where there are pages."""
    known = [one.passage.pages for one in passages if one.passage.pages]
    return (known[0][0], max(last for _, last in known)) if known else None


def address(passages: Sequence[Located]) -> str:
    """Where the stretch begins, as viewers open it."""
    return page_address(passages[0].card.uri, pages(passages))


def join(scored: Sequence[Scored], top_k: int) -> list[list[Scored]]:
    """Hits by result, best results first; in each, the best hit first."""
    found: list[list[Scored]] = []
    for one in scored:
        near = next((hits for hits in found if _extends(hits, one.located)), None)
        if near is not None:
            near.append(one)
        elif len(found) < top_k:
            found.append([one])
    return found


def _extends(hits: Sequence[Scored], other: Located) -> bool:
    """Whether a passage stands right beside these, in their section, and fits with them."""
    first = hits[0].located
    if not _is_in_section(other, first):
        return False
    ordinals = [hit.located.passage.ordinal for hit in hits]
    chars = sum(len(hit.located.passage.text) for hit in hits) + len(other.passage.text)
    is_beside = other.passage.ordinal in (min(ordinals) - 1, max(ordinals) + 1)
    return is_beside and chars <= RENDER_CHARS


def _is_in_section(one: Located, other: Located) -> bool:
    same = one.card.id == other.card.id
    return same and one.passage.headings == other.passage.headings


async def surround(app: App, project: str, joined: Sequence[Sequence[Scored]]) -> list[Excerpt]:
    """The results with their neighbours; one that two could have is the better one's."""
    near = await asyncio.gather(*(_around(app, project, hits) for hits in joined))
    taken = {hit.located.passage.id for hits in joined for hit in hits}
    excerpts = []
    for hits, found in zip(joined, near, strict=True):
        own = {hit.located.passage.id: hit.located for hit in hits}
        more = {one.passage.id: one for one in found if one.passage.id not in taken}
        taken |= more.keys()
        passages = sorted((own | more).values(), key=lambda one: one.passage.ordinal)
        excerpts.append(Excerpt(best=hits[0], passages=tuple(passages), hits=frozenset(own)))
    return excerpts


async def _around(app: App, project: str, hits: Sequence[Scored]) -> list[Located]:
    ordinals = [hit.located.passage.ordinal for hit in hits]
    first = hits[0].located
    near = range(max(0, min(ordinals) - 1), max(ordinals) + 2)
    found = await app.store.passages.read(Selection(project=project), first.card.id, near)
    return [one for one in found if _is_in_section(one, first)]


async def parts_of(
    app: App, question: str, excerpts: Sequence[Excerpt], scores: Mapping[str, float], cap: int
) -> list[list[Part]]:
    """The sentences of each excerpt's text; ``scores`` are those of the hits, by passage."""
    every = [one for excerpt in excerpts for one in excerpt.passages]
    scored = [Scored(one, scores.get(one.passage.id, 0.0)) for one in every]
    weighed = iter(await weigh(app, question, scored, cap))
    return [_placed(excerpt, [next(weighed) for _ in excerpt.passages]) for excerpt in excerpts]


def _placed(excerpt: Excerpt, passages: Sequence[Sequence[Part]]) -> list[Part]:
    """Parts of passages as parts of the text they make together."""
    parts, at = [], 0
    for one, some in zip(excerpt.passages, passages, strict=True):
        parts += [Part(at + p.start, at + p.end, p.tokens, p.chance) for p in some]
        at += len(one.passage.text)
    return parts


def core(excerpt: Excerpt, parts: Sequence[Part]) -> Run:
    """The run of parts that was found; what stands around it are neighbours."""
    start = end = at = 0
    for one in excerpt.passages:
        if one.passage.id in excerpt.hits:
            start = start if end else at
            end = at + len(one.passage.text)
        at += len(one.passage.text)
    own = [place for place, part in enumerate(parts) if start <= part.start < end]
    return own[0], own[-1]
