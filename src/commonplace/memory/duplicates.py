"""Whether a context says what another one says already, by its words; no model decides."""

from dataclasses import replace
from itertools import pairwise

from commonplace.domain.context import Context, Similar
from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry, Store
from commonplace.memory.record import from_node
from commonplace.memory.render import text_of

NEAR = 0.7
"""Least share of common word pairs: of each text's own pairs four in five are then the other's."""
_CANDIDATES = 8
_MOST_SIMILAR = 3
_LEAST_COSINE = 0.8  # a sieve: the words decide


def similarity(one: str, other: str) -> float:
    """The share of word pairs two texts have in common.

    >>> similarity("a b c", "A  b c"), similarity("a b c", "a b d")
    (1.0, 0.5)
    """
    first, second = _pairs(one), _pairs(other)
    return len(first & second) / max(1, len(first | second))


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(("", *text.casefold().split())))


async def find_similar(
    store: Store, context: Context, entry: Entry, model: str
) -> tuple[Similar, ...]:
    """Contexts whose content is nearly this one's, the most similar first.

    The vector of its first passage finds the candidates; the words of the contents are compared.
    """
    rows = entry.vectors.get(model)
    if rows is None or not len(rows):
        return ()
    selection = Selection(project=context.project)
    hits = await store.passages.dense(model, rows[0], selection, _CANDIDATES)
    near = [hit.passage_id for hit in hits if hit.score >= _LEAST_COSINE]
    located = await store.passages.get(selection, near)
    ids = {one.card.id for one in located if one.card.source_id == entry.card.source_id}
    text = _said(context)
    found = [
        (node.id, similarity(text, _said(from_node(node))))
        for node in await store.graph.nodes(context.project, sorted(ids - {context.id}))
    ]
    ranked = sorted(found, key=lambda pair: (-pair[1], pair[0]))
    alike = [Similar(id=key, similarity=round(share, 3)) for key, share in ranked if share >= NEAR]
    return tuple(alike[:_MOST_SIMILAR])


def _said(context: Context) -> str:
    """What it says, whoever says it and whatever it relates to."""
    return text_of(replace(context, metadata={}, relationships=()))
