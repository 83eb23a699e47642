"""Symbols by meaning: the passages of code nearest to a question, and what they define."""

import asyncio

from commonplace.domain.course import Course, Finding
from commonplace.domain.scope import Selection
from commonplace.retrieve.recall import Failure, attempt, merge_models, plan, recall_dense
from commonplace.tools.app import App

HAS_PASSAGE = "HAS_PASSAGE"
MOST_MEANT = 200
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
    return await _symbols(app, selection, scores, kinds), degraded


async def _symbols(
    app: App, selection: Selection, scores: dict[str, float], kinds: frozenset[str]
) -> tuple[Finding, ...]:
    """What the passages define: a symbol leads to the passages that hold it."""
    course = Course(relations=frozenset({HAS_PASSAGE}), direction="in", limit=MOST_MEANT)
    found = await app.store.graph.follow(selection, list(scores), course)
    findings = [
        Finding(step.node, round(_LEVEL * scores[step.edge.target], 6))
        for step in found.steps
        if "fqn" in step.node.properties and (not kinds or step.node.kind in kinds)
    ]
    return tuple(sorted(findings, key=lambda one: (-one.score, one.node.id)))
