"""Of a symbol indexed twice, which was indexed last: a repository may be added in two places."""

from collections import Counter
from collections.abc import Sequence

from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.tools.app import App
from commonplace.tools.code.cards import fqn

_MOST_DOCUMENTS = 8


async def staleness(app: App, selection: Selection, nodes: Sequence[Node]) -> dict[str, int]:
    """By id, how many fresher ones of its kind and full name there are; 0 is left out."""
    counts = Counter((node.kind, fqn(node)) for node in nodes)
    twice = [node for node in nodes if node.document_id and counts[node.kind, fqn(node)] > 1]
    documents = list(dict.fromkeys(node.document_id for node in twice if node.document_id))
    if len(documents) < 2:
        return {}
    cards = await app.store.passages.entries(selection.project, documents[:_MOST_DOCUMENTS])
    moments = {one.card.id: one.card.indexed_at for one in cards}
    known = [node for node in twice if node.document_id in moments]
    fresher = {
        node.id: sum(
            (other.kind, fqn(other)) == (node.kind, fqn(node))
            and moments[other.document_id or ""] > moments[node.document_id or ""]
            for other in known
        )
        for node in known
    }
    return {key: count for key, count in fresher.items() if count}
