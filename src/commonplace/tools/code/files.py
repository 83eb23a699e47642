"""Which indexed file a path means, and which file a symbol stands in."""

import re
from collections.abc import Iterable
from urllib.parse import quote

from commonplace.domain.errors import InvalidArgument, NotFound
from commonplace.domain.graph import Node
from commonplace.domain.ids import document_id
from commonplace.domain.scope import Selection
from commonplace.index.sources import list_sources
from commonplace.tools.app import App

MOST_LINES = 10_000_000
_LINES = re.compile(r"(\d+)-(\d+)")
_MOST_NAMED = 5


def count_files(nodes: Iterable[Node]) -> int:
    """In how many files symbols stand; what scripts define belongs to no one document."""
    places = (node.properties.get("file") or node.document_id for node in nodes)
    return len({place for place in places if place})


async def home(app: App, selection: Selection, node: Node) -> tuple[Node, int, int]:
    """The file a symbol stands in and its lines; raises NotFound for what stands in none."""
    found = _LINES.fullmatch(str(node.properties.get("lines", "")))
    first, last = (int(found[1]), int(found[2])) if found else (1, MOST_LINES)
    if node.document_id is not None:
        documents = await app.store.graph.describe(selection, [node.document_id])
        if documents:
            return documents[0].node, first, last
    path = node.properties.get("file")
    if not path:
        raise NotFound(f"{node.name} stands in no indexed file; see code_find_usages")
    return await find_file(app, selection, str(path)), first, last


async def find_file(app: App, selection: Selection, path: str) -> Node:
    """The document of a path within its source, or of the end of one.

    Raises NotFound, or InvalidArgument when it is the end of several.
    """
    found = await find_files(app, selection, path)
    if not found:
        raise NotFound(
            f"no indexed file {path[:100]!r}; use `at` of a code reply, without the lines"
        )
    if len(found) > 1:
        names = ", ".join(str(node.properties.get("file")) for node in found[:_MOST_NAMED])
        raise InvalidArgument(f"{path[:100]!r} is the end of several: {names}", field="path")
    return found[0]


async def find_files(app: App, selection: Selection, path: str) -> list[Node]:
    """The documents a path may mean; none that the selection does not see."""
    asked = path.replace("\\", "/").removeprefix("./").strip("/")
    sources = await list_sources(app.store.keyvalue, selection.project)
    roots = [f"file://{quote(one.location)}" for one in sources]
    exact = [f"{root}/{quote(asked)}" for root in roots]
    exact += [root for root in roots if root.endswith(f"/{quote(asked)}")]
    ids = [document_id(selection.project, uri) for uri in exact]
    found = await app.store.graph.describe(selection, ids)
    if not found:
        found = await app.store.graph.describe(selection, await _ending(app, selection, asked))
    return [one.node for one in found]


async def _ending(app: App, selection: Selection, path: str) -> list[str]:
    """Documents whose address ends so."""
    ending = f"/{quote(path)}"
    found = []
    for source in await list_sources(app.store.keyvalue, selection.project):
        known = await app.store.passages.fingerprints(selection.project, source.id)
        found += [one.document_id for uri, one in known.items() if uri.endswith(ending)]
    return found
