"""What may be missing from an answer: files not understood, calls nobody could bind."""

from collections.abc import Sequence

from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.tools.app import App
from commonplace.tools.code.kinds import GUESS
from commonplace.tools.code.traverse import Reached

_MOST_FILES = 200


async def doubts(
    app: App, selection: Selection, targets: Sequence[Node], found: Sequence[Reached]
) -> list[str]:
    """Reasons why more may depend on a symbol than was found."""
    told = []
    guesses = sum(1 for one in found if one.sureness <= GUESS)
    if guesses:
        told.append(f"{guesses} of these rest on the name alone")
    near = [one.node for one in found if one.depth == 1]
    files = dict.fromkeys(node.document_id for node in (*targets, *near) if node.document_id)
    documents = await app.store.graph.nodes(selection.project, list(files)[:_MOST_FILES])
    broken = [node for node in documents if node.properties.get("problems")]
    if broken:
        names = ", ".join(str(node.properties.get("file", node.name)) for node in broken[:3])
        told.append(f"{len(broken)} files around it were not fully understood ({names})")
    return told
