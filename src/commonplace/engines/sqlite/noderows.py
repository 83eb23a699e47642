"""Rows to nodes and edges."""

import json
from collections.abc import Sequence
from typing import Any

from commonplace.domain.graph import Edge, Node

NODE = "n.id, n.kind, n.name, (SELECT id FROM nodes WHERE number = n.document), n.properties"
"""The columns ``node_of`` reads, of ``nodes AS n``."""
EDGE = """s.id, t.id, r.name, (SELECT id FROM nodes WHERE number = e.document), e.confidence,
    e.properties"""
"""The columns ``edge_of`` reads, of ``edges AS e``, nodes ``s`` and ``t``, ``relations AS r``."""


def node_of(project: str, row: Sequence[Any]) -> Node:
    """A node from the columns ``NODE``."""
    return Node(
        id=row[0],
        project=project,
        kind=row[1],
        name=row[2],
        document_id=row[3],
        properties=json.loads(row[4]) if row[4] else {},
    )


def edge_of(project: str, row: Sequence[Any]) -> Edge:
    """An edge from the columns ``EDGE``."""
    return Edge(
        source=row[0],
        target=row[1],
        relation=row[2],
        project=project,
        document_id=row[3],
        confidence=row[4],
        properties=json.loads(row[5]) if row[5] else {},
    )
