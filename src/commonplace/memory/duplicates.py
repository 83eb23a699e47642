"""Whether a context says what another one says already, by its words; no model decides."""

from collections.abc import Sequence
from itertools import pairwise

from commonplace.domain.context import Similar
from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry, Passages

NEAR = 0.7
"""Least share of common word pairs: one changed sentence of four leaves .6 to .75."""
_CANDIDATES = 8
_MOST_SIMILAR = 3
_LEAST_COSINE = 0.85  # texts that share .7 of their word pairs have never been found further apart


def similarity(one: str, other: str) -> float:
    """The share of word pairs two texts have in common.

    >>> similarity("a b c", "A  b c"), similarity("a b c", "a b d")
    (1.0, 0.3333333333333333)
    """
    first, second = _pairs(one), _pairs(other)
    return len(first & second) / max(1, len(first | second))


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(("", *text.casefold().split())))


async def find_similar(passages: Passages, entry: Entry, model: str) -> tuple[Similar, ...]:
    """Contexts that say nearly what the entry says, the most similar first.

    Its first passage finds the candidates; the whole texts are compared.
    """
    rows = entry.vectors.get(model)
    if rows is None or not len(rows):
        return ()
    selection = Selection(project=entry.card.project)
    hits = await passages.dense(model, rows[0], selection, _CANDIDATES)
    near = [hit.passage_id for hit in hits if hit.score >= _LEAST_COSINE]
    text = "".join(passage.text for passage in entry.passages)
    found: dict[str, float] = {}
    for located in await passages.get(selection, near):
        card = located.card
        is_other = card.source_id == entry.card.source_id and card.id != entry.card.id
        if not is_other or card.id in found or not _is_sized(card.size_bytes, len(text.encode())):
            continue
        ordinals = range(2 * len(entry.passages))
        parts = await passages.read(selection, card.id, ordinals)
        found[card.id] = similarity(text, "".join(one.passage.text for one in parts))
    return _best(list(found.items()))


def _is_sized(one_bytes: int, other_bytes: int) -> bool:
    """Whether texts of these sizes can share that many pairs at all."""
    return NEAR * max(one_bytes, other_bytes) <= min(one_bytes, other_bytes) * 1.2


def _best(found: Sequence[tuple[str, float]]) -> tuple[Similar, ...]:
    ranked = sorted(found, key=lambda pair: (-pair[1], pair[0]))
    near = [Similar(id=key, similarity=round(share, 3)) for key, share in ranked if share >= NEAR]
    return tuple(near[:_MOST_SIMILAR])
