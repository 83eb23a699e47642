"""What a run changes: symbols before and after, edges that came and went, nodes told otherwise."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.scope import Source
from commonplace.engines.base import Entry
from commonplace.index.code.bind import Drawn, Key, module_names, versions
from commonplace.index.code.extract import Extract
from commonplace.index.code.late import before_late, beside_late, still
from commonplace.index.code.nodes import CONTAINS, OWN, containment, symbol_nodes
from commonplace.index.code.shelf import Held
from commonplace.index.code.snapshots import Delta, Link, Version
from commonplace.index.writer import Writer
from commonplace.link.code.program import Unit
from commonplace.link.code.shared import is_shared
from commonplace.link.structure import HAS_PASSAGE, NEXT
from commonplace.sources.base import Skip

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
    """Symbols of changed files as they were, and as they are now."""
    news: dict[str, Version] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    """Nodes of symbols that are no longer there."""
    renamed: set[str] = field(default_factory=set)
    """Documents that did not change and whose module is called otherwise now."""
    old_edges: dict[str, dict[Key, Edge]] = field(default_factory=dict)
    old_late: dict[str, list[Edge]] = field(default_factory=dict)
    """What following values from file to file had found."""
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
    bound: list[str] = field(default_factory=list)
    """Documents whose names were bound."""
    faults: list[Skip] = field(default_factory=list)
    """Documents a pass failed on: faults of ours."""

    @property
    def is_first(self) -> bool:
        """Whether nothing was stored before."""
        return not self.olds and not self.names

    @property
    def project(self) -> str:
        """The project of the source."""
        return self.found.source.project


def take_versions(work: Work) -> None:
    """Symbols of changed files as they are now; of files only called otherwise, also as they were.

    Modules are named by what came or went beside them.
    """
    now = module_names(work.held.program)
    renamed = {one for one, name in now.items() if work.names.get(one, name) != name}
    work.renamed = renamed - work.fresh.keys()
    if not work.is_first:  # of what there was nothing to differ from
        work.news = versions(work.held, [*work.fresh, *work.renamed])
    for document_id in work.renamed:
        old, new = work.names[document_id], now[document_id]
        for key, one in versions(work.held, [document_id]).items():
            work.olds[key] = one._replace(fqn=old + one.fqn.removeprefix(new))


def own_ids(units: Iterable[Unit]) -> set[str]:
    """Nodes that are these files' own: those of shared symbols others may state too."""
    return {
        one
        for unit in units
        for number, one in enumerate(unit.ids)
        if number and not is_shared(unit.facts, number)
    }


def changed_names(work: Work) -> frozenset[str]:
    """Names of symbols that came, went, or are called otherwise, and of their files."""
    if work.is_first:
        units = work.held.program.units.values()
        paths = {symbol.path for unit in units for symbol in unit.facts.symbols}
        called = {*module_names(work.held.program).values(), *paths}
        return frozenset(part for one in called for part in one.split("."))
    changed = [
        one
        for here, there in ((work.olds, work.news), (work.news, work.olds))
        for key, one in here.items()
        if key not in there or there[key].fqn != one.fqn
    ]
    return frozenset(part for one in changed for part in one.fqn.split("."))


async def compare(work: Work, drawn: dict[str, Drawn]) -> None:
    """What edges came and went, document by document."""
    if work.is_first:
        return
    ids = [one for one in (*drawn, *work.found.gone) if one not in work.compared]
    work.compared.update(ids)
    for start in range(0, len(ids), _BATCH):
        page = await work.writer.store.passages.entries(work.project, ids[start : start + _BATCH])
        for entry in page:
            _sort(work, entry)
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


def _sort(work: Work, entry: Entry) -> None:
    """Edges as they are stored: those of passes, and those that came later."""
    drawn = work.old_edges[entry.card.id] = {}
    late = work.old_late[entry.card.id] = []
    for one in entry.edges:
        before = before_late(one)
        if before is not one:
            late.append(one)
        if before is not None and one.relation not in _TEXT:
            drawn[one.relation, one.source, one.target] = before


def late_edges(work: Work, document_id: str, drawn: Drawn) -> list[Edge]:
    """What had been found by following values and still holds; the rest is found again later."""
    late = work.old_late.get(document_id, ())
    if document_id in work.fresh:
        late = [one for one in late if one.source != document_id]  # of the file's own lines
    found = still(late, work.olds, work.news) if late else ()
    edges = drawn.edges
    beside = (beside_late(one, edges.get((one.relation, one.source, one.target))) for one in found)
    return [one for one in beside if one is not None]


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
    """Whether files that were bound anew or are gone state other tables or routes than before.

    One that was not changed itself may: it maps a class of another.
    """
    for one in (*drawn, *work.found.gone):
        now = _shared(drawn[one].nodes) if one in drawn else {}
        if now != _shared(work.old_shared.get(one, {})):
            return True
    return False


async def make_delta(work: Work) -> Delta:
    """What the run changed, ready to be kept with its snapshot."""
    olds, news = work.olds, work.news
    pairs = [(olds.get(key), news.get(key)) for key in dict.fromkeys((*olds, *news))]
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
