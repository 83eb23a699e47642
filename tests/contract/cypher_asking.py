"""Graphs and questions for the Cypher suites."""

from typing import Any

from commonplace.cypher.guard import Limits
from commonplace.cypher.reading import Answer, Inquiry
from commonplace.domain.graph import Edge, Node
from commonplace.domain.scope import Selection
from commonplace.engines.base import Store

WHOLE = Selection(project="default")


async def orchard(store: Store, project: str = "default") -> None:
    """Two documents, three sections in a row, two things they mention; a loose edge."""
    nodes = [
        _node(project, "d1", "Document", "Guide", year=2024),
        _node(project, "d2", "Document", "Recipes", year=2020),
        _node(project, "s1", "Section", "Watering", order=1),
        _node(project, "s2", "Section", "Frost", order=2),
        _node(project, "s3", "Section", "Pruning", order=3),
        _node(project, "c1", "Command", "prune", flags=["--kind", "--depth"]),
        _node(project, "k1", "Concept:Tool", "pump"),
    ]
    edges = [
        _edge(project, "d1", "HAS_SECTION", "s1"),
        _edge(project, "d1", "HAS_SECTION", "s2"),
        _edge(project, "d1", "HAS_SECTION", "s3"),
        _edge(project, "s1", "NEXT", "s2"),
        _edge(project, "s2", "NEXT", "s3"),
        _edge(project, "s3", "MENTIONS", "c1", confidence=0.9),
        _edge(project, "s2", "MENTIONS", "k1", confidence=0.5, rule="bold"),
        _edge(project, "d2", "LINKS_TO", "d1"),
        _edge(project, "s1", "MENTIONS", "nobody"),
    ]
    await store.graph.merge(nodes, edges)


def _node(project: str, node_id: str, kind: str, name: str, **own: Any) -> Node:  # noqa: ANN401
    return Node(id=node_id, project=project, kind=kind, name=name, properties=own)


def _edge(
    project: str,
    source: str,
    relation: str,
    target: str,
    confidence: float = 1.0,
    **own: Any,  # noqa: ANN401
) -> Edge:
    return Edge(
        source=source,
        target=target,
        relation=relation,
        project=project,
        confidence=confidence,
        properties=own,
    )


async def dense(store: Store, size: int, project: str = "default") -> None:
    """Every node points to every other."""
    names = [f"n{place}" for place in range(size)]
    nodes = [_node(project, name, "N", name) for name in names]
    edges = [_edge(project, a, "T", b) for a in names for b in names if a != b]
    await store.graph.merge(nodes, edges)


async def ask(
    store: Store,
    text: str,
    selection: Selection = WHOLE,
    **parameters: Any,  # noqa: ANN401
) -> Answer:
    """The answer to a query, with room enough."""
    inquiry = Inquiry(text=text, parameters=parameters, limits=Limits(timeout_s=20))
    return await store.graph.query(selection, inquiry)


async def rows(
    store: Store,
    text: str,
    selection: Selection = WHOLE,
    **parameters: Any,  # noqa: ANN401
) -> list[Any]:
    """Its rows; of one column, its values."""
    found = await ask(store, text, selection, **parameters)
    return [row[0] if len(found.columns) == 1 else row for row in found.rows]
