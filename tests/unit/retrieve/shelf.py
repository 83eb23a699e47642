"""Small indexed shelves for tests of the read path."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from commonplace.domain.document import Card, Span
from commonplace.domain.graph import Edge, Node
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Located, Passage
from commonplace.embedders.base import Embedder
from commonplace.engines.base import Entry
from commonplace.engines.memory.store import MemoryStore

PROJECT = "shelf"
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


def card(title: str, project: str = PROJECT) -> Card:
    return Card(
        id=stable_id("d", project, title),
        project=project,
        source_id="s",
        uri=f"file:///{title}.md",
        path=f"{title}.md",
        title=title,
        media_type="text/markdown",
        content_hash="0",
        modified_at=MOMENT,
        indexed_at=MOMENT,
    )


def locate(title: str, *texts: str, project: str = PROJECT) -> list[Located]:
    """The passages of a document made of these texts, one after the other."""
    owner, start, located = card(title, project), 0, []
    for ordinal, text in enumerate(texts):
        passage = Passage(
            id=stable_id("p", owner.id, str(ordinal)),
            document_id=owner.id,
            ordinal=ordinal,
            text=text,
            span=Span(start, start + len(text)),
        )
        start += len(text)
        located.append(Located(owner, passage))
    return located


def _tree(passages: Sequence[Passage], project: str) -> tuple[list[Node], list[Edge]]:
    nodes = [
        Node(id=one.id, project=project, kind="Passage", name="", document_id=one.document_id)
        for one in passages
    ]
    edges = [
        Edge(source=one.id, target=other.id, relation="NEXT", project=project)
        for one, other in pairwise(passages)
    ]
    return nodes, edges


async def shelve(
    store: MemoryStore,
    documents: Mapping[str, Sequence[str]],
    embedders: Sequence[Embedder] = (),
    project: str = PROJECT,
) -> None:
    """Write documents, title to texts, with vectors of these models."""
    for title, texts in documents.items():
        located = locate(title, *texts, project=project)
        passages = [one.passage for one in located]
        nodes, edges = _tree(passages, project)
        vectors = {embedder.model: await embedder.embed(list(texts)) for embedder in embedders}
        entry = Entry(
            card=card(title, project), passages=passages, vectors=vectors, nodes=nodes, edges=edges
        )
        await store.passages.write([entry])
