"""All that one document adds to the graph: its skeleton, its links, its entities."""

from collections.abc import Sequence

from commonplace.domain.document import Card, Document
from commonplace.domain.graph import Edge, Node
from commonplace.domain.passage import Passage
from commonplace.link.entities.gather import gather
from commonplace.link.references import references
from commonplace.link.structure import structure
from commonplace.link.titles import titles


def make_graph(
    document: Document, card: Card, passages: Sequence[Passage]
) -> tuple[list[Node], list[Edge]]:
    """Nodes and edges of one document; nodes without a document are shared with others."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    for make in (structure, references, titles, gather):
        more_nodes, more_edges = make(document, card, passages)
        nodes += more_nodes
        edges += more_edges
    return nodes, edges
