"""What may be missing from an answer: files not understood, calls nobody could bind."""

from collections.abc import Mapping, Sequence

from commonplace.answer.render import one_line
from commonplace.cypher.reading import Inquiry
from commonplace.domain.graph import Node
from commonplace.domain.scope import Selection
from commonplace.index.code.status import code_status
from commonplace.tools.app import App
from commonplace.tools.code.cards import fqn
from commonplace.tools.code.files import find_files
from commonplace.tools.code.kinds import GUESS
from commonplace.tools.code.traverse import Reached

_MOST_GAPS = 5
_GAPS = f"""MATCH (f) WHERE f.unread IS NOT NULL
    RETURN f.file, f.problems, f.unread ORDER BY f.problems DESC, f.file LIMIT {_MOST_GAPS}"""
MOST_DOCUMENTS = 3000
"""With more, looking at every symbol would take longer than an answer may."""
_MOST_FILES = 200
_MOST_SCRIPTS = 10
_MOST_OPEN = 200
_MOST_NAMED = 3
_NOT_LOOKED = "calls that could not be bound were not looked through: there are too many files"
_CALLED = frozenset({"Method", "Function", "Constructor", "Property", "Procedure"})
_CALLING = ("Function", "Method", "Test", "Constructor", "Module")


async def not_understood(app: App, selection: Selection) -> list[str]:
    """What was not read, by what it is: how often, and where first."""
    if not selection.is_whole_project:
        return await _gaps(app, selection)
    told = (await code_status(app.store.keyvalue, selection.project)).get("sources", {})
    found = []
    for source in told.values():
        places = source.get("places", {})
        for gaps in (source.get("problems", {}), source.get("left_out", {})):
            for what, count in gaps.items():
                found.append((count, f"{count:,} × {what}{_first(places.get(what, ()))}"))
    found.sort(key=lambda one: (-one[0], one[1]))
    more = [f"{len(found) - _MOST_GAPS} other kinds"] if len(found) > _MOST_GAPS else []
    return [one_line(text) for _, text in found[:_MOST_GAPS]] + more


def _first(places: Sequence[str]) -> str:
    """The first place, and whether there are more: ``status`` has some of them.

    >>> _first(["a.py:1-1", "b.py:2-2"])
    ' (a.py:1-1, …)'
    """
    return f" ({places[0]}{', …' if len(places) > 1 else ''})" if places else ""


async def _gaps(app: App, selection: Selection) -> list[str]:
    """The same of what a narrower scope sees, by file."""
    answer = await app.store.graph.query(selection, Inquiry(text=_GAPS))
    return [one_line(f"{file}: {count} ({places})") for file, count, places in answer.rows]


async def doubts(
    app: App, selection: Selection, targets: Sequence[Node], found: Sequence[Reached]
) -> list[str]:
    """Reasons why more may depend on a symbol than was found."""
    told = []
    unsure = [one for one in found if one.sureness <= GUESS]
    by_id = {one.node.id: one for one in found}
    idle = sum(1 for one in unsure if not _is_by_name(one, by_id))
    if len(unsure) > idle:
        count = len(unsure) - idle
        told.append(f"{count} of these rest{'s' if count == 1 else ''} on the name alone")
    if idle:
        runs = "runs" if idle == 1 else "run"
        told.append(f"{idle} of these {runs} on a class of which no object is known to be made")
    near = [one.node for one in found if one.depth == 1]
    files = dict.fromkeys(node.document_id for node in (*targets, *near) if node.document_id)
    documents = await app.store.graph.nodes(selection.project, list(files)[:_MOST_FILES])
    # What scripts define is shared by documents and belongs to none: its file tells.
    shared = [node for node in (*targets, *near) if not node.document_id]
    scripts = {str(node.properties["file"]) for node in shared if node.properties.get("file")}
    for path in sorted(scripts)[:_MOST_SCRIPTS]:
        documents = [*documents, *await find_files(app, selection, path)]
    around = {node.id: node for node in documents}.values()
    broken = [node for node in around if node.properties.get("problems")]
    if broken:
        names = ", ".join(str(node.properties.get("file", node.name)) for node in broken[:3])
        told.append(f"{len(broken)} files around it were not fully understood ({names})")
    return told


def _is_by_name(one: Reached, by_id: Mapping[str, Reached]) -> bool:
    """Whether what makes it unsure, on the way to it, is a guess by name."""
    for _ in range(one.depth):
        if one.edge.confidence <= GUESS or one.previous not in by_id:
            break
        one = by_id[one.previous]
    return one.edge.properties.get("how") == "name"


async def unbound(
    app: App,
    selection: Selection,
    targets: Sequence[Node],
    found: Sequence[Reached],
    *,
    is_quiet: bool,
) -> list[str]:
    """Whether calls of its name are left that nobody could bind: every symbol is looked at.

    That there are too many to look at is told only where little was found otherwise.
    """
    name = targets[0].name
    if targets[0].kind not in _CALLED:
        return []
    if (await app.store.passages.stats(selection.project)).documents > MOST_DOCUMENTS:
        return [_NOT_LOOKED] if is_quiet else []
    callers: dict[str, Node] = {}
    for kind in _CALLING:
        for node in await app.store.graph.matching(
            selection.project, kind, [f"{name.lower()}:"], _MOST_OPEN
        ):
            if name in open_names(node):
                callers[node.id] = node
    known = {one.node.id for one in found}
    left = [key for key in callers if key not in known]
    if left and not selection.is_whole_project:
        left = [one.node.id for one in await app.store.graph.describe(selection, left)]
    if not left:
        return []
    first = ", ".join(one_line(fqn(callers[key])) for key in left[:_MOST_NAMED])
    more = ", …" if len(left) > _MOST_NAMED else ""
    count = f"{len(left)} symbol{'s call' if len(left) > 1 else ' calls'}"
    return [f"{count} something named {name} that could not be bound ({first}{more})"]


def open_names(node: Node) -> list[str]:
    """Names a symbol calls of which no definition is known.

    >>> open_names(Node(id="", project="", kind="", name="", properties={"open": "save:2 x:1"}))
    ['save', 'x']
    """
    told = str(node.properties.get("open", ""))
    return [one.rpartition(":")[0] for one in told.split()]
