"""Bringing the graph of a project's code up to date with new and gone files; one snapshot a run.

Facts of changed files replace the old ones in the program; passes run for these files and for all
that depended on what changed; then each changed document is written with its facts, and edges of
the others are drawn anew. A mark in the store says that this is under way: a run that was
interrupted is finished by the next, which then binds everything.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from commonplace.domain.graph import Edge, Node, Value
from commonplace.domain.scope import Source
from commonplace.engines.base import Entry, Stated
from commonplace.index.code import snapshots
from commonplace.index.code.bind import (
    Drawn,
    Key,
    bind,
    drawn_relations,
    module_names,
    own_graph,
    versions,
)
from commonplace.index.code.extract import Extract
from commonplace.index.code.facts import decode, fold
from commonplace.index.code.nodes import CONTAINS, OWN, containment, symbol_nodes
from commonplace.index.code.owed import code_space, text_key
from commonplace.index.code.shelf import (
    TOKEN,
    Held,
    facts_space,
    keep_bound,
    new_token,
    open_held,
    uninterrupted,
)
from commonplace.index.code.snapshots import Delta, Link, Snapshot, Version
from commonplace.index.writer import Writer
from commonplace.link.code.affected import affected
from commonplace.link.code.program import Program, Unit
from commonplace.link.structure import HAS_PASSAGE, NEXT
from commonplace.sources.base import Skip

DUE = "due"
LATE = "late"
"""On edges that only came of following values from file to file: snapshots leave them out."""
_BATCH = 100  # documents written in one transaction
_RENEW_S = 15.0
# With more changed files than that, binding all others costs less than finding out which.
_FEW, _SHARE = 50, 5
_TEXT = frozenset({HAS_PASSAGE, NEXT})

Result = TypeVar("Result")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What became of it."""

    bound: int
    """Documents whose names were bound anew."""
    snapshot: Snapshot | None
    """None when nothing changed."""
    faults: tuple[Skip, ...] = ()
    """Documents a pass failed on: faults of ours."""
    names: frozenset[str] = frozenset()
    """Names that are defined otherwise now, or no longer: prose may mean another symbol."""


@dataclass(slots=True)
class _Work:
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
    titles: dict[str, str] = field(default_factory=dict)
    """Full names of the ends of edges, by node id."""
    extra: dict[str, dict[str, Value]] = field(default_factory=dict)
    """What was added to nodes after they were made: summaries."""
    stale: list[Node] = field(default_factory=list)
    """Nodes of documents that did not change themselves, as they are now."""
    added: list[Key] = field(default_factory=list)
    removed: list[Key] = field(default_factory=list)

    @property
    def project(self) -> str:
        return self.found.source.project


async def is_due(writer: Writer, project: str) -> bool:
    """Whether a run was interrupted."""
    return await writer.store.keyvalue.get(code_space(project), DUE) is not None


async def settle(writer: Writer, found: Found, renew: Renew) -> Settled:
    """Bind what changed; to be called while holding the lease of the project's code."""
    project, keyvalue = found.source.project, writer.store.keyvalue
    binds_all = await is_due(writer, project)
    held = await open_held(writer.shelf, keyvalue, project)
    work = _Work(writer, held, found, renew, {one.card.id: one for one in found.fresh}, {})
    chosen = await aside(renew, lambda: _take(work, binds_all))
    snapshot: Snapshot | None = None
    faults: tuple[Skip, ...] = ()
    if chosen or found.gone or found.label:
        drawn = await aside(renew, lambda: bind(held.program, chosen))
        await _begin(work)
        await _compare(work, drawn)
        await _write(work, drawn)
        snapshot = await _finish(work, drawn)
        faults = tuple(
            Skip(path=held.program.units[one].path, reason=f"please report it: {fault}")
            for one, found_here in drawn.items()
            for fault in found_here.faults
        )
    if not writer.shelf.keeps:
        for unit in held.program.units.values():
            fold(unit.facts)
    writer.shelf.held = held
    return Settled(bound=len(chosen), snapshot=snapshot, faults=faults, names=_names(work))


def _names(work: _Work) -> frozenset[str]:
    """Names of symbols that came, went, or are called otherwise, and of their files."""
    news = versions(work.held, [*work.fresh, *_renamed(work)])
    changed = [
        one
        for here, there in ((work.olds, news), (news, work.olds))
        for key, one in here.items()
        if key not in there or there[key].fqn != one.fqn
    ]
    return frozenset(part for one in changed for part in one.fqn.split("."))


async def aside(renew: Renew, run: Callable[[], Result]) -> Result:
    """Run it in a thread; others keep seeing that we are at work."""
    task = asyncio.ensure_future(asyncio.to_thread(run))
    while True:
        done, _ = await asyncio.wait([task], timeout=_RENEW_S)
        if done:
            return task.result()
        await renew()


def _take(work: _Work, binds_all: bool) -> list[str]:
    """Put the changes into the program; the documents that are to be bound anew."""
    held, program = work.held, work.held.program
    touched = [*work.fresh, *work.found.gone]
    with uninterrupted():
        work.names = module_names(program)
        work.olds = versions(held, touched)
        before = {one: program.units[one] for one in touched if one in program.units}
        for document_id, extract in work.fresh.items():
            held.put(document_id, decode(extract.packed))
        held.remove(work.found.gone)
        others = set(program.units) if binds_all else _affected(program, before, touched)
        renamed = _renamed(work)
        for document_id in renamed - work.fresh.keys():
            work.olds |= _renamed_versions(work, document_id)
    return sorted((others | renamed | work.fresh.keys()) & program.units.keys())


def _affected(program: Program, before: Mapping[str, Unit], touched: Collection[str]) -> set[str]:
    """Documents whose names may mean something else now."""
    others = program.units.keys() - set(touched)
    if not others or len(touched) > max(_FEW, len(program.units) // _SHARE):
        return set(program.units)
    found: set[str] = set()
    for one in touched:
        old, new = before.get(one), program.units.get(one)
        path = new.path if new else old.path if old else ""
        facts = (old.facts if old else None, new.facts if new else None)
        found |= affected(program, *facts, one, path)
    return found


def _renamed(work: _Work) -> set[str]:
    """Documents whose module is called otherwise since others came or went."""
    now = module_names(work.held.program)
    return {one for one, name in now.items() if work.names.get(one, name) != name}


def _renamed_versions(work: _Work, document_id: str) -> dict[str, Version]:
    """The symbols of a renamed module under their names until now."""
    new = module_names(work.held.program)[document_id]
    old = work.names[document_id]
    return {
        key: one._replace(fqn=old + one.fqn.removeprefix(new))
        for key, one in versions(work.held, [document_id]).items()
    }


async def _begin(work: _Work) -> None:
    """From here on the store is behind the files until ``_finish``."""
    keyvalue = work.writer.store.keyvalue
    async with work.writer.store.transaction():
        await keyvalue.put(code_space(work.project), DUE, b"1")
        await keyvalue.put(code_space(work.project), TOKEN, new_token())


async def _compare(work: _Work, drawn: dict[str, Drawn]) -> None:
    """What edges came and went, document by document."""
    is_first = not work.olds and not work.names
    if is_first:
        return
    ids = [*drawn, *work.found.gone]
    for start in range(0, len(ids), _BATCH):
        page = await work.writer.store.passages.entries(work.project, ids[start : start + _BATCH])
        for entry in page:
            work.old_edges[entry.card.id] = {
                (one.relation, one.source, one.target): one
                for one in entry.edges
                if one.relation not in _TEXT and not one.properties.get(LATE)
            }
            _recall(work, entry)
        await work.renew()
    for document_id in ids:
        old = work.old_edges.get(document_id, {})
        new = drawn[document_id].edges if document_id in drawn else {}
        work.added += [key for key in new if key not in old and key[0] != CONTAINS]
        work.removed += [key for key in old if key not in new and key[0] != CONTAINS]
    await _name(work, work.removed)


def _recall(work: _Work, entry: Entry) -> None:
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


async def _name(work: _Work, keys: Iterable[Key]) -> None:
    """Look up what the ends of these edges are called, while they are there."""
    ends = dict.fromkeys(end for _, source, target in keys for end in (source, target))
    asked = [one for one in ends if one not in work.titles]
    for node in await work.writer.store.graph.nodes(work.project, asked):
        work.titles[node.id] = str(node.properties.get("fqn") or node.name)


async def _write(work: _Work, drawn: dict[str, Drawn]) -> None:
    """Changed documents as wholes with their facts, then edges of the others."""
    store = work.writer.store
    changed = [one for one in drawn if one in work.fresh]
    for start in range(0, len(changed), _BATCH):
        page = changed[start : start + _BATCH]
        entries = await aside(work.renew, lambda page=page: _entries(work, page, drawn))  # type: ignore[misc]
        async with store.transaction():
            await store.passages.write(entries)
            for document_id in page:
                packed = work.fresh[document_id].packed
                await store.keyvalue.put(facts_space(work.project), document_id, packed)
            await _owe_text(work, page)
        await work.renew()
    others = [one for one in drawn if one not in work.fresh and _is_redrawn(work, one, drawn[one])]
    relations, units = drawn_relations() | {CONTAINS}, work.held.program.units
    for start in range(0, len(others), _BATCH):
        stated = [
            Stated(
                document_id=one,
                # Passes draw CONTAINS too: what a file contains itself is stated with it.
                edges=[*containment(units[one]), *drawn[one].edges.values()],
                nodes=list(drawn[one].nodes.values()),
            )
            for one in others[start : start + _BATCH]
        ]
        await store.graph.relate(work.project, relations, stated)
        await work.renew()


def _is_redrawn(work: _Work, document_id: str, drawn: Drawn) -> bool:
    """Whether other edges, or others' proofs, came of binding it anew."""
    unit = work.held.program.units[document_id]
    inside = {(CONTAINS, one.source, one.target): one for one in containment(unit)}
    return work.old_edges.get(document_id, {}) != {**inside, **drawn.edges}


def _entries(work: _Work, page: Sequence[str], drawn: dict[str, Drawn]) -> list[Entry]:
    entries = []
    for document_id in page:
        program = work.held.program
        nodes, edges = own_graph(program, program.units[document_id], drawn[document_id])
        nodes = [
            replace(one, properties={**one.properties, **work.extra[one.id]})
            if one.id in work.extra
            else one
            for one in nodes
        ]
        card = work.fresh[document_id].card
        entries.append(Entry(card=card, passages=(), nodes=nodes, edges=edges, part="graph"))
    return entries


async def _owe_text(work: _Work, page: Sequence[str]) -> None:
    key = text_key(work.found.source.id, page[0])
    await work.writer.store.keyvalue.put(code_space(work.project), key, "\n".join(page).encode())


async def _finish(work: _Work, drawn: dict[str, Drawn]) -> Snapshot | None:
    """Remove what is gone, rename what is called otherwise, note what was bound; all is settled."""
    store, held, project = work.writer.store, work.held, work.project
    renamed = _renamed(work) - work.fresh.keys()
    for document_id, one in drawn.items():
        held.edges[document_id] = len(one.edges)
        if document_id in work.fresh or _is_redrawn(work, document_id, one):
            held.late.pop(document_id, None)
    token = new_token()
    async with store.transaction():
        await store.passages.remove(project, work.found.gone)
        for document_id in work.found.gone:
            await store.keyvalue.expire(facts_space(project), document_id)
        if work.stale:
            await store.graph.merge(work.stale, [])
        await keep_bound(store.keyvalue, held, [*drawn, *work.found.gone])
        snapshot = await _record(work, renamed)
        await store.keyvalue.expire(code_space(project), DUE)
        await store.keyvalue.put(code_space(project), TOKEN, token)
    held.token = token
    return snapshot


async def _record(work: _Work, renamed: Collection[str]) -> Snapshot | None:
    """One more snapshot, unless nothing changed and there is one."""
    source, keyvalue = work.found.source, work.writer.store.keyvalue
    known = await snapshots.list_snapshots(keyvalue, work.project, source.id)
    delta = await _delta(work, renamed) if known else Delta()
    if known and not delta and not work.found.label:
        return None
    units = [one for one in work.held.program.units.values() if one.source_id == source.id]
    snapshot = Snapshot(
        number=0,
        source_id=source.id,
        made_at=work.writer.clock(),
        label=work.found.label,
        commit=work.found.commit,
        files=len(units),
        symbols=sum(len(one.facts.symbols) - 1 for one in units),
        edges=sum(work.held.edges.get(one.document_id, 0) for one in units),
    )
    return await snapshots.record(keyvalue, work.project, snapshot, delta)


async def _delta(work: _Work, renamed: Collection[str]) -> Delta:
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


def _link(work: _Work, key: Key) -> Link:
    relation, source, target = key
    titles = work.titles
    return Link(relation, source, target, titles.get(source, ""), titles.get(target, ""))
