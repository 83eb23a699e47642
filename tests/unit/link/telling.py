"""What one document adds to the graph, as tests ask for it."""

from commonplace.domain.graph import Edge, Node
from commonplace.link.graph import make_graph
from commonplace.split.prose import split_prose
from commonplace.tokens import token_counter
from tests.golden.reading import card_of, read

COUNT = token_counter("cl100k_base")
SKELETON = frozenset({"Document", "Section", "Passage", "Anchor"})


def graph_of(text: str, name: str = "a.md", tokens: int = 256) -> tuple[list[Node], list[Edge]]:
    """Nodes and edges of a document of this name."""
    document = read(name, text)
    card = card_of(name, document)
    return make_graph(document, card, split_prose(document, card, COUNT, tokens))


def entities(text: str, name: str = "a.md") -> set[tuple[str, str]]:
    """Kind and name of every entity."""
    nodes, _edges = graph_of(text, name)
    return {(node.kind, node.name) for node in nodes if node.kind not in SKELETON}


def ties(text: str, relation: str, name: str = "a.md") -> set[tuple[str, str]]:
    """Names at both ends of the edges of a relation; an absent end is its id."""
    nodes, edges = graph_of(text, name)
    names = {node.id: node.name for node in nodes}
    return {
        (names.get(edge.source, edge.source), names.get(edge.target, edge.target))
        for edge in edges
        if edge.relation == relation
    }
