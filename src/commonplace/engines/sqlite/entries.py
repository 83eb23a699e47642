"""Documents read back as they were written."""

from collections.abc import Sequence

import apsw

from commonplace.engines.analysis import clean
from commonplace.engines.base import Entry
from commonplace.engines.sqlite.noderows import EDGE, NODE, edge_of, node_of
from commonplace.engines.sqlite.rows import CARD, LOCATED, card_of, locate, project_number
from commonplace.engines.sqlite.statements import numbers_of

# What a document states: nodes of its own, and those it shares with others.
_NODES = f"""
    SELECT {NODE} FROM nodes AS n WHERE n.document = :document AND n.kind IS NOT NULL
    UNION
    SELECT {NODE} FROM statements AS stated CROSS JOIN nodes AS n ON n.number = stated.node
        WHERE stated.document = :document AND n.kind IS NOT NULL
    ORDER BY 1
"""  # noqa: S608 - our own column names
_EDGES = f"""
    SELECT {EDGE} FROM edges AS e
        CROSS JOIN nodes AS s ON s.number = e.source
        CROSS JOIN nodes AS t ON t.number = e.target
        CROSS JOIN relations AS r ON r.number = e.relation
        WHERE e.document = :document ORDER BY s.id, r.name, t.id
"""  # noqa: S608 - our own column names


def read_entries(
    connection: apsw.Connection, project: str, document_ids: Sequence[str]
) -> list[Entry]:
    """Everything but vectors of these documents, in the order asked; unknown ones are left out."""
    number = project_number(connection, project)
    entries: list[Entry] = []
    for document_id in dict.fromkeys(document_ids):
        row = connection.execute(
            f"SELECT {CARD} FROM documents AS d WHERE d.project = ? AND d.id = ?",  # noqa: S608
            (number, clean(document_id)),
        ).fetchone()
        if row is None or number is None:
            continue
        passages = connection.execute(
            f"SELECT {LOCATED} FROM documents AS d CROSS JOIN passages AS p "  # noqa: S608
            "ON p.document = d.number WHERE d.project = ? AND d.id = ? ORDER BY p.ordinal",
            (number, document_id),
        )
        found = [one.passage for one in locate(project, passages)]
        own = {"document": numbers_of(connection, number, [document_id]).get(document_id)}
        nodes = [node_of(project, one) for one in connection.execute(_NODES, own)]
        edges = [edge_of(project, one) for one in connection.execute(_EDGES, own)]
        card = card_of(project, row)
        entries.append(Entry(card=card, passages=found, nodes=nodes, edges=edges))
    return entries
