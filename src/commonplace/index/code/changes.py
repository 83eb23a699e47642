"""What a run changes: symbols before and after, edges that came and went, nodes told otherwise."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.scope import Source
from commonplace.engines.base import Entry
from commonplace.index.code.bind import Drawn, Key, module_names, versions
from commonplace.index.code.extract import Extract
from commonplace.index.code.nodes import CONTAINS, OWN, containment, symbol_nodes
from commonplace.index.code.shelf import Held
from commonplace.index.code.snapshots import Delta, Link, Version
from commonplace.index.writer import Writer
from commonplace.link.structure import HAS_PASSAGE, NEXT

LATE = "late"
"""On edges that only came of following values from file to file: snapshots leave them out."""
_BATCH = 100
_TEXT = frozenset({HAS_PASSAGE, NEXT})
_ALONE = frozenset({"External", "Namespace"})

Renew = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a sync found of a source's code."""

    source: Source
    fresh: Sequence[Extract] = ()
    gone: Sequence[str] = ()
    """Ids of documents that are no longer there."""
    label: str = ""
    commit: str = ""


@dataclass(slots=True)
class Work:
    """One run under way."""

    writer: Writer
    held: Held
    found: Found
    renew: Renew
    fresh: dict[str, Extract]
    names: dict[str, str]
    """What modules were called before."""
    olds: dict[str, Version] = field(default_factory=dict)
    old_edges: dict[str, dict[Key, Edge]] = field(default_factory=dict)
    old_shared: dict[str, dict[str, Node]] = field(default_factory=dict)
    """Shared nodes each document stated, as they are stored."""
    titles: dict[str, str] = field(default_factory=dict)
    """Full names of the ends of edges, by node id."""
    compared: set[str] = field(default_factory=set)
    extra: dict[str, dict[str, Value]] = field(default_factory=dict)
    """What was added to nodes after they were made: summaries."""
    stale: list[Node] = field(default_factory=list)
    """Nodes of documents that did not change themselves, as they are now."""
    added: list[Key] = field(default_factory=list)
    removed: list[Key] = field(default_factory=list)

    @property
    def project(self) -> str:
        """The project of the source."""
        return self.found.source.project


def renamed_documents(work: Work) -> set[str]:
    """Documents whose module is called otherwise since others came or went."""
    now = module_names(work.held.program)
    return {one for one, name in now.items() if work.names.get(one, name) != name}


def renamed_versions(work: Work, document_id: str) -> dict[str, Version]:
    """The symbols of a renamed module under their names until now."""
    new = module_names(work.held.program)[document_id]
    old = work.names[document_id]
    return {
        key: one._replace(fqn=old + one.fqn.removeprefix(new))
        for key, one in versions(work.held, [document_id]).items()
    }


def changed_names(work: Work) -> frozenset[str]:
    """Names of symbols that came, went, or are called otherwise, and of their files."""
    news = versions(work.held, [*work.fresh, *renamed_documents(work)])
    changed = [
        one
        for here, there in ((work.olds, news), (news, work.olds))
        for key, one in here.items()
        if key not in there or there[key].fqn != one.fqn
    ]
    return frozenset(part for one in changed for part in one.fqn.split("."))


async def compare(work: Work, drawn: dict[str, Drawn]) -> None:
    """What edges came and went, document by document."""
    is_first = not work.olds and not work.names
    if is_first:
        return
    ids = [one for one in (*drawn, *work.found.gone) if one not in work.compared]
    work.compared.update(ids)
    for start in range(0, len(ids), _BATCH):
        page = await work.writer.store.passages.entries(work.project, ids[start : start + _BATCH])
        for entry in page:
            work.old_edges[entry.card.id] = {
                (one.relation, one.source, one.target): one
                for one in entry.edges
                if one.relation not in _TEXT and not one.properties.get(LATE)
            }
            shared = {one.id: one for one in entry.nodes if one.document_id is None}
            work.old_shared[entry.card.id] = shared
            _recall(work, entry)
        await work.renew()
    for document_id in ids:
        old = work.old_edges.get(document_id, {})
        new = drawn[document_id].edges if document_id in drawn else {}
        work.added += [key for key in new if key not in old and key[0] != CONTAINS]
        work.removed += [key for key in old if key not in new and key[0] != CONTAINS]
    await _name(work, work.removed)


def _recall(work: Work, entry: Entry) -> None:
    """Keep what was added to nodes of the document; of one not changed itself, nodes that are."""
    for node in entry.nodes:
        added = {key: value for key, value in node.properties.items() if key not in OWN}
        if added and node.document_id is not None:
            work.extra[node.id] = added
    unit = work.held.program.units.get(entry.card.id)
    if unit is None or entry.card.id in work.fresh:
        return
    old = {node.id: node for node in entry.nodes}
    for node in symbol_nodes(work.held.program, unit):
        now = replace(node, properties={**node.properties, **work.extra.get(node.id, {})})
        if old.get(node.id) != now:
            work.stale.append(now)


async def _name(work: Work, keys: Iterable[Key]) -> None:
    """Look up what the ends of these edges are called, while they are there."""
    ends = dict.fromkeys(end for _, source, target in keys for end in (source, target))
    asked = [one for one in ends if one not in work.titles]
    for node in await work.writer.store.graph.nodes(work.project, asked):
        work.titles[node.id] = str(node.properties.get("fqn") or node.name)


def is_redrawn(work: Work, document_id: str, drawn: Drawn) -> bool:
    """Whether other edges, or others' proofs, came of binding it anew."""
    unit = work.held.program.units[document_id]
    inside = {(CONTAINS, one.source, one.target): one for one in containment(unit)}
    if work.old_edges.get(document_id, {}) != {**inside, **drawn.edges}:
        return True
    return _shared(drawn.nodes) != _shared(work.old_shared.get(document_id, {}))


def _shared(nodes: Mapping[str, Node]) -> dict[str, Node]:
    """What languages share: tables, columns, routes; not libraries, which nobody defines."""
    return {key: one for key, one in nodes.items() if one.kind not in _ALONE}


def is_crossing(drawn: Drawn) -> bool:
    """Whether a document states something other languages may state too."""
    return bool(_shared(drawn.nodes))


def crossing_changed(work: Work, drawn: Mapping[str, Drawn]) -> bool:
    """Whether changed or gone files state other tables, columns or routes than before."""
    for one in (*work.fresh, *work.found.gone):
        now = _shared(drawn[one].nodes) if one in drawn else {}
        if now != _shared(work.old_shared.get(one, {})):
            return True
    return False


async def make_delta(work: Work, renamed: Collection[str]) -> Delta:
    """What the run changed, ready to be kept with its snapshot."""
    news = versions(work.held, [*work.fresh, *renamed])
    pairs = [(work.olds.get(key), news.get(key)) for key in dict.fromkeys((*work.olds, *news))]
    await _name(work, work.added)
    both = set(work.added) & set(work.removed)  # proved by another document now
    return Delta(
        [pair for pair in pairs if _differs(*pair)],
        [_link(work, key) for key in work.added if key not in both],
        [_link(work, key) for key in work.removed if key not in both],
    )


def _differs(old: Version | None, new: Version | None) -> bool:
    if old is None or new is None:
        return True
    return old._replace(lines=new.lines) != new


def _link(work: Work, key: Key) -> Link:
    relation, source, target = key
    titles = work.titles
    return Link(relation, source, target, titles.get(source, ""), titles.get(target, ""))
