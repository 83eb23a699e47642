"""Files that write a symbol's name where no edge says that it is meant.

`settings.DATABASE_ROUTERS` is read through an object nobody can see into. That nothing was bound
is not that nothing uses it, so whoever finds no usage is told where to look.
"""

import re

from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.retrieve.analyse import analyse
from commonplace.tools.app import App

_LEAST_CHARS = 4
_PASSAGES = 40
_MOST_FILES = 5


async def mentioned(app: App, selection: Selection, node: Node) -> str:
    """A sentence that names them; empty where there are none."""
    if len(node.name) < _LEAST_CHARS:
        return ""
    hits = await app.store.passages.lexical(analyse(node.name), selection, _PASSAGES)
    found = await app.store.passages.get(selection, [hit.passage_id for hit in hits])
    word = re.compile(rf"(?<!\w){re.escape(node.name)}(?!\w)")
    holding = (one.passage for one in found if word.search(one.passage.text))
    ids = dict.fromkeys(one.document_id for one in holding if one.document_id != node.document_id)
    documents = await app.store.graph.nodes(selection.project, list(ids))
    files = [str(one.properties["file"]) for one in documents if one.properties.get("file")]
    if not files:
        return ""
    more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
    named = ", ".join(files[:_MOST_FILES])
    return f"the name is written in {named}{more}, where nothing shows that this is meant"
