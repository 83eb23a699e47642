"""Symbols by meaning: the passages of code nearest to a question, and what they define."""

import asyncio
from collections.abc import Sequence

from commonplace.domain.course import Finding, Naming
from commonplace.domain.graph import Node
from commonplace.domain.passage import Located
from commonplace.domain.scope import Selection
from commonplace.retrieve.recall import Failure, attempt, merge_models, plan, recall_dense
from commonplace.tools.app import App

_PASSAGES = 60
_LEVEL = 0.25
"""Below every level a name can fit at."""


async def by_meaning(
    app: App, selection: Selection, query: str, kinds: frozenset[str]
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Symbols whose passages are nearest, best first; and why some were not looked at."""
    stats = await app.store.passages.stats(selection.project)
    chosen = plan(app.reader.embedders, stats)
    passages = app.store.passages
    answers = await asyncio.gather(
        *(
            attempt(
                f"dense ({embedder.model})",
                recall_dense(passages, embedder, query, selection, _PASSAGES),
            )
            for embedder, _ in chosen.models
        )
    )
    failed = tuple(str(one) for one in answers if isinstance(one, Failure))
    found = [
        (scores, share)
        for scores, (_, share) in zip(answers, chosen.models, strict=True)
        if not isinstance(scores, Failure)
    ]
    degraded = chosen.degraded + failed
    if not found:
        return (), degraded
    scores = merge_models(found)
    ids = sorted(scores, key=lambda one: (-scores[one], one))
    located = await passages.get(selection, ids)
    return await _symbols(app, selection, located, (scores, kinds)), degraded


async def _symbols(
    app: App,
    selection: Selection,
    located: Sequence[Located],
    wanted: tuple[dict[str, float], frozenset[str]],
) -> tuple[Finding, ...]:
    """What each passage of code defines: the symbol its headings end with."""
    scores, kinds = wanted
    findings: dict[str, Finding] = {}
    for one in located:
        if one.passage.kind != "code" or not one.passage.headings:
            continue
        node = await _defined(app, selection, one, kinds)
        if node is not None and node.id not in findings:
            findings[node.id] = Finding(node, _LEVEL * scores[one.passage.id])
    return tuple(findings.values())


async def _defined(
    app: App, selection: Selection, one: Located, kinds: frozenset[str]
) -> Node | None:
    asked = Naming(text=one.passage.headings[-1], kinds=kinds)
    found = await app.store.graph.find(selection, asked, 20)
    own = (f.node for f in found.found if f.node.document_id == one.card.id)
    return next(own, None)
