"""What made graphs share: cards, edges, and how they are written."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from commonplace.domain.document import Card
from commonplace.domain.graph import Edge, Value
from commonplace.engines.base import Entry, Store

PROJECT = "default"
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 100
Link = tuple[str, str, str, float]
"""Source, relation, target, confidence."""


def card(document_id: str, number: int, path: str, tag: str) -> Card:
    """A document nobody wrote."""
    return Card(
        id=document_id,
        project=PROJECT,
        source_id="bench",
        uri=f"file:///bench/{path}",
        path=path,
        title=path,
        media_type="text/x-python" if path.endswith(".py") else "text/markdown",
        content_hash=str(number),
        tags=(tag,),
        modified_at=MOMENT,
        indexed_at=MOMENT,
    )


def edges(
    card: Card, links: Sequence[Link], properties: Mapping[str, Value] | None = None
) -> list[Edge]:
    """Links as a document states them."""
    return [
        Edge(
            source=source,
            relation=relation,
            target=target,
            project=PROJECT,
            document_id=card.id,
            confidence=confidence,
            properties=dict(properties or {}),
        )
        for source, relation, target, confidence in links
    ]


async def write(store: Store, entries: Iterable[Entry]) -> tuple[int, float]:
    """Write documents as the index does; their edges, and how long it took."""
    began, written, batch = time.perf_counter(), 0, []
    for entry in entries:
        batch.append(entry)
        written += len(entry.edges)
        if len(batch) == BATCH:
            await store.passages.write(batch)
            batch = []
    await store.passages.write(batch)
    return written, time.perf_counter() - began
