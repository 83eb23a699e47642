"""The skeleton of a document in the graph: document, sections, passages, and their order."""

from collections import Counter
from collections.abc import Sequence

from commonplace.domain.document import Card, Document
from commonplace.domain.graph import PASSAGE, Edge, Node
from commonplace.domain.ids import stable_id
from commonplace.domain.passage import Passage

DOCUMENT = "Document"
SECTION = "Section"
HAS_SECTION = "HAS_SECTION"
PARENT_OF = "PARENT_OF"
HAS_PASSAGE = "HAS_PASSAGE"
NEXT = "NEXT"


def section_id(document_id: str, anchor: str) -> str:
    """The id of a section by the fragment links use for it, so that they need not read it."""
    return stable_id("s", document_id, f"#{anchor}")


def structure(
    document: Document, card: Card, passages: Sequence[Passage]
) -> tuple[list[Node], list[Edge]]:
    """Nodes and edges of one document: its sections as a tree, its passages under them in order.

    A passage hangs on the section its heading chain names, or on the document itself.
    """
    nodes = [_node(card, card.id, DOCUMENT, card.title, 0)]
    edges: list[Edge] = []
    known: dict[tuple[str, ...], str] = {(): card.id}
    chain: list[tuple[int, str, str]] = []
    seen: Counter[tuple[str, ...]] = Counter()
    anchors: set[str] = set()
    waiting = 0
    for number, passage in enumerate(passages):
        while waiting < len(document.sections):
            section = document.sections[waiting]
            if section.span.start >= passage.span.end:
                break
            waiting += 1
            while chain and chain[-1][0] >= section.level:
                chain.pop()
            path = (*(heading for _level, heading, _id in chain), section.heading)
            here = stable_id("s", card.id, *path, str(seen[path]))
            seen[path] += 1
            if section.anchor and section.anchor not in anchors:
                anchors.add(section.anchor)
                here = section_id(card.id, section.anchor)
            nodes.append(_node(card, here, SECTION, section.heading, section.span.start))
            above, relation = (chain[-1][2], PARENT_OF) if chain else (card.id, HAS_SECTION)
            edges.append(_edge(card, above, relation, here))
            chain.append((section.level, section.heading, here))
            known[path] = here
        name = (passage.headings or (card.title,))[-1]
        nodes.append(_node(card, passage.id, PASSAGE, name, passage.span.start))
        home = known.get(passage.headings, card.id)
        edges.append(_edge(card, home, HAS_PASSAGE, passage.id))
        if number:
            edges.append(_edge(card, passages[number - 1].id, NEXT, passage.id))
    return nodes, edges


def _node(card: Card, node_id: str, kind: str, name: str, start: int) -> Node:
    """A part of the document, with its place: what keeps parts in the order they are read."""
    return Node(
        id=node_id,
        project=card.project,
        kind=kind,
        name=name,
        document_id=card.id,
        properties={"start": start},
    )


def _edge(card: Card, source: str, relation: str, target: str) -> Edge:
    return Edge(
        source=source, target=target, relation=relation, project=card.project, document_id=card.id
    )
