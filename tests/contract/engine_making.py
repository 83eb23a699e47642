"""Documents, vectors and queries for the engine suites."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from commonplace.domain.document import Card, Span
from commonplace.domain.graph import Edge, Node
from commonplace.domain.ids import content_hash, stable_id
from commonplace.domain.passage import Passage
from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.engines.base import Entry, Store, Vectors

MOMENT = datetime(2025, 3, 1, 12, 0, 0, 5, tzinfo=UTC)
WHOLE = Selection(project="default")


def make_entry(path: str, texts: Sequence[str], **changes: Any) -> Entry:  # noqa: ANN401 - fields of several types
    """A document of these passages; ``changes`` go to its card or, by name, to the entry."""
    project = changes.get("project", "default")
    document_id = changes.get("id") or stable_id("d", project, path)
    headings = changes.pop("headings", ("Guide",))
    parts = {name: changes.pop(name) for name in ("vectors", "nodes", "edges") if name in changes}
    card = {
        "id": document_id,
        "project": project,
        "source_id": "s1",
        "uri": f"file:///{path}",
        "path": path,
        "title": path,
        "media_type": "text/markdown",
        "content_hash": content_hash("".join(texts).encode("utf-8", "surrogatepass")),
        "modified_at": MOMENT,
        "indexed_at": MOMENT,
        "size_bytes": sum(map(len, texts)),
    }
    passages, start = [], 0
    for ordinal, text in enumerate(texts):
        repeats = str(list(texts[:ordinal]).count(text))
        passages.append(
            Passage(
                id=stable_id("p", project, path, text, repeats),
                document_id=document_id,
                ordinal=ordinal,
                text=text,
                span=Span(start, start + len(text)),
                headings=headings,
                tokens=len(text) // 4,
            )
        )
        start += len(text)
    return Entry(card=Card(**(card | changes)), passages=passages, **parts)


def unit_rows(count: int, dimension: int = 8, seed: int = 0) -> Vectors:
    """Unit vectors, the same for the same arguments."""
    rows = np.random.default_rng(seed).normal(size=(count, dimension))
    units: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return units


def ask(
    *terms: str, phrases: Sequence[Sequence[str]] = (), identifiers: Sequence[str] = ()
) -> Query:
    """A query as the analyser would hand it over."""
    return Query(
        text=" ".join(terms),
        terms=terms,
        phrases=tuple(tuple(phrase) for phrase in phrases),
        identifiers=tuple(identifiers),
    )


def ids(entry: Entry) -> list[str]:
    """The passage ids of an entry, in order."""
    return [passage.id for passage in entry.passages]


def make_node(node_id: str, **changes: Any) -> Node:  # noqa: ANN401 - fields of several types
    """A node of the default project."""
    fields = {"project": "default", "kind": "Thing", "name": node_id}
    return Node(id=node_id, **(fields | changes))


def relate(source: str, target: str, relation: str = "LINKS_TO", **changes: Any) -> Edge:  # noqa: ANN401 - fields of several types
    """An edge of the default project."""
    fields = {"project": "default"}
    return Edge(source=source, target=target, relation=relation, **(fields | changes))


async def reached(store: Store, node_id: str, *relations: str, hops: int = 1) -> list[str]:
    near = await store.graph.neighbours("default", [node_id], relations, hops)
    return [neighbour.node.id for neighbour in near]


async def found(store: Store, query: Query, selection: Selection = WHOLE) -> list[str]:
    """Ids of the best fifty by words."""
    return [hit.passage_id for hit in await store.passages.lexical(query, selection, 50)]
