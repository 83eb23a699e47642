"""Containers as a scope narrower than its project sees them.

Summaries that are stored tell of the whole project. Of sources, those that lie in the scope are
shown as they are; schemas and namespaces are told anew by the symbols the scope sees.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection, Source
from commonplace.index.sources import list_sources
from commonplace.link.code.summaries import SOURCE, outline, source_id
from commonplace.tools.app import App

OUTLINED = ("Schema", "Namespace")
"""Kinds that are told by their members."""
MEMBERS = (
    *("Table", "View", "Procedure", "Trigger", "Sequence"),
    *("Module", "Class", "Interface", "Struct", "Record", "Enum"),
)
"""What they are told by."""


async def narrowed(
    app: App, selection: Selection, kinds: Sequence[str], seen: Iterable[Node]
) -> list[Node]:
    """Sources, schemas and namespaces of the scope; ``seen`` are the members it sees."""
    found = [one for one in outline(selection.project, seen) if one.kind in kinds]
    return [*(await _sources(app, selection) if SOURCE in kinds else ()), *found]


async def _sources(app: App, selection: Selection) -> list[Node]:
    """Sources that lie in the scope as wholes; those of one name are one node."""
    named: dict[str, list[Source]] = defaultdict(list)
    for source in await list_sources(app.store.keyvalue, selection.project):
        named[source.location.rstrip("/").rpartition("/")[2]].append(source)
    inside = [name for name, some in named.items() if all(_lies_in(one, selection) for one in some)]
    ids = [source_id(selection.project, name) for name in sorted(inside)]
    return list(await app.store.graph.nodes(selection.project, ids))


def _lies_in(source: Source, selection: Selection) -> bool:
    if selection.path_prefix or selection.updated_after or selection.documents is not None:
        return False
    if selection.repositories and source.repository not in selection.repositories:
        return False
    if selection.environment and source.environment not in (None, selection.environment):
        return False
    return all(some.intersection(source.tags) for some in selection.tags)
