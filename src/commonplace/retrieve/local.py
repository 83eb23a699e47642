"""Local search in the graph: the best hits are seeds, and lend score to what is near them.

Near is what speaks of the same things as a seed, and what a seed links to. The graph port bounds
the work, and things that everybody speaks of count little there.
"""

from collections.abc import Sequence

from commonplace.domain.query import Hit
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Reach
from commonplace.engines.base import Graph

SEEDS = 8
LOCAL_WEIGHT = 0.2
"""hotpotqa-200, whose questions need two documents: nDCG@10 .834 to .843, R@10 .938 to .958; ten
other open sets move by less than .004 (docs/evaluation.md)."""

_PASSAGES = frozenset({"Passage"})
_SPOKEN = Reach(
    hops=2,
    relations=frozenset({"MENTIONS", "DEFINES"}),
    kinds=_PASSAGES,
    fan_out=16,
    limit=100,
)
_LINKED = Reach(
    hops=2,  # some links lead through a label
    relations=frozenset({"LINKS_TO"}),
    kinds=frozenset({"Document", "Section"}),
    direction="out",
    fan_out=8,
    limit=16,
)
_HELD = Reach(
    hops=2,  # of a document, the passages of its first sections too
    relations=frozenset({"HAS_SECTION", "HAS_PASSAGE"}),
    kinds=_PASSAGES,
    direction="out",
    fan_out=4,
    limit=64,
)


async def recall_local(graph: Graph, selection: Selection, hits: Sequence[Hit]) -> dict[str, float]:
    """What the best hits lend to passages near them; the nearest gets 1."""
    seeds = {hit.passage_id: hit.score for hit in hits[:SEEDS]}
    if not seeds:
        return {}
    lent = await _lent(graph, selection, seeds, _SPOKEN)
    targets = await _lent(graph, selection, seeds, _LINKED)
    if targets:
        for passage_id, share in (await _lent(graph, selection, targets, _HELD)).items():
            if passage_id not in seeds:
                lent[passage_id] = lent.get(passage_id, 0.0) + share
    most = max(lent.values(), default=0.0)
    return {passage_id: share / most for passage_id, share in lent.items()} if most > 0 else {}


async def _lent(
    graph: Graph, selection: Selection, origins: dict[str, float], reach: Reach
) -> dict[str, float]:
    found = await graph.expand(selection, list(origins), reach)
    return {
        one.node.id: one.score * max(origins[origin] for origin in one.origins)
        for one in found.reached
    }
