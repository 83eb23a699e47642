"""Bringing the graph of a project's code up to date with new and gone files; one snapshot a run.

Facts of changed files replace the old ones in the program; passes run for these files and for all
that depended on what changed; then each changed document is written with its facts, and edges of
the others are drawn anew. A mark in the store says that this is under way: a run that was
interrupted is finished by the next, which then binds everything.
"""

import asyncio
import gc
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from commonplace.engines.base import Entry, Stated
from commonplace.index.code import snapshots
from commonplace.index.code.bind import (
    Drawn,
    bind,
    drawn_relations,
    module_names,
    own_graph,
    versions,
)
from commonplace.index.code.changes import (
    Found,
    Renew,
    Work,
    changed_names,
    compare,
    crossing_changed,
    is_crossing,
    is_redrawn,
    late_edges,
    make_delta,
    own_ids,
    take_versions,
)
from commonplace.index.code.classes import keep_classes, load_classes
from commonplace.index.code.facts import USES, decode, fold
from commonplace.index.code.late import keep_behind
from commonplace.index.code.nodes import CONTAINS, containment
from commonplace.index.code.owed import code_space, text_key
from commonplace.index.code.shelf import (
    TOKEN,
    facts_space,
    keep_bound,
    new_token,
    open_held,
    uninterrupted,
)
from commonplace.index.code.snapshots import Delta, Snapshot
from commonplace.index.writer import Writer
from commonplace.link.code.affected import affected
from commonplace.link.code.keeping import keep, let_go, slim
from commonplace.link.code.program import Program, Unit
from commonplace.sources.base import Skip

DUE = "due"
_BATCH = 250  # documents written in one transaction: each writes most pages of the indexes anew
_RENEW_S = 15.0

Result = TypeVar("Result")


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


async def is_due(writer: Writer, project: str) -> bool:
    """Whether a run was interrupted."""
    return await writer.store.keyvalue.get(code_space(project), DUE) is not None


async def settle(writer: Writer, found: Found, renew: Renew) -> Settled:
    """Bind what changed; to be called while holding the lease of the project's code."""
    with uninterrupted():
        return await _settle(writer, found, renew)


async def _settle(writer: Writer, found: Found, renew: Renew) -> Settled:
    project, keyvalue = found.source.project, writer.store.keyvalue
    binds_all = await is_due(writer, project)
    known = writer.shelf.held
    held = await open_held(writer.shelf, keyvalue, project)
    if held is not known and held.program.units:
        await load_classes(keyvalue, held)
    work = Work(writer, held, found, renew, {one.card.id: one for one in found.fresh}, {})
    chosen = await aside(renew, lambda: _take(work, binds_all), held.program)
    snapshot: Snapshot | None = None
    if chosen or found.gone or found.label:
        await (_bind_parts if work.is_first else _bind_changed)(work, chosen)
        if not writer.shelf.keeps:
            for unit in held.program.units.values():
                fold(unit.facts)
        snapshot = await _finish(work)
    held.program.memo.pop("open", None)
    writer.shelf.held = held
    faults = tuple(work.faults)
    return Settled(bound=len(chosen), snapshot=snapshot, faults=faults, names=changed_names(work))


async def _bind_parts(work: Work, chosen: Sequence[str]) -> None:
    """Bind and write a part after another: all edges at once would take the most memory."""
    program = work.held.program
    by_path = sorted(chosen, key=lambda one: program.units[one].path)  # neighbours ask the same
    await _begin(work)
    for start in range(0, len(by_path), _BATCH):
        page = by_path[start : start + _BATCH]
        drawn = await aside(work.renew, lambda page=page: bind(program, page), program)  # type: ignore[misc]
        await _write(work, drawn)
        _note(work, drawn)
        program.memo.pop("open", None)
        for one in page:
            let_go(program.units[one])
            fold(program.units[one].facts, USES)
    slim(program)
    gc.freeze()  # what is held has no cycles, as in ``open_held``


async def _bind_changed(work: Work, chosen: Sequence[str]) -> None:
    """Bind what may have changed and whatever that changes, then write what did."""
    held = work.held
    drawn = await aside(work.renew, lambda: bind(held.program, chosen), held.program)
    await compare(work, drawn)
    if crossing_changed(work, drawn):
        others = [one for one in held.crossing if one in held.program.units]
        left = set(others) - drawn.keys()
        drawn |= await aside(work.renew, lambda: bind(held.program, left), held.program)
        await compare(work, drawn)
    slim(held.program)  # writing needs the memory, and neither solvers nor bodies
    await _begin(work)
    await _write(work, drawn)
    _note(work, drawn)


def _note(work: Work, drawn: Mapping[str, Drawn]) -> None:
    """Remember what is asked of documents later: how many edges they have, and of what kind."""
    held = work.held
    for document_id, one in drawn.items():
        held.edges[document_id] = len(one.edges)
        held.crossing.discard(document_id)
        if is_crossing(one):
            held.crossing.add(document_id)
        if document_id in work.fresh or is_redrawn(work, document_id, one):
            held.late.pop(document_id, None)
        path = held.program.units[document_id].path
        work.faults += [Skip(path=path, reason=f"please report it: {one}") for one in one.faults]
    work.bound += drawn


async def aside(renew: Renew, run: Callable[[], Result], program: Program | None = None) -> Result:
    """Run it in a thread; others keep seeing that we are at work.

    Who is cancelled meanwhile abandons the program, and goes when the thread has stopped.
    """
    task = asyncio.ensure_future(asyncio.to_thread(run))
    try:
        while True:
            done, _ = await asyncio.wait([task], timeout=_RENEW_S)
            if done:
                return task.result()
            await renew()
    except BaseException:
        if program is not None:
            program.is_abandoned = True
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # that it was abandoned is no news
        raise


def _take(work: Work, binds_all: bool) -> list[str]:
    """Put the changes into the program; the documents that are to be bound anew."""
    held, program = work.held, work.held.program
    touched = [*work.fresh, *work.found.gone]
    work.names = module_names(program)
    work.olds = versions(held, touched)
    before = {one: program.units[one] for one in touched if one in program.units}
    memo = dict(program.memo)
    for document_id, extract in work.fresh.items():
        held.put(document_id, decode(extract.packed))
    held.remove(work.found.gone)
    if len(before) == len(touched):
        keep(program, memo, {one: unit.facts for one, unit in before.items()})
    others = set(program.units) if binds_all else _affected(program, before, touched)
    take_versions(work)
    if before:
        after = (program.units[one] for one in touched if one in program.units)
        work.gone = own_ids(before.values()) - own_ids(after)
    return sorted((others | work.renamed | work.fresh.keys()) & program.units.keys())


def _affected(program: Program, before: Mapping[str, Unit], touched: Collection[str]) -> set[str]:
    """Documents whose names may mean something else now."""
    others, scale = program.units.keys() - set(touched), program.scale
    if not others or len(touched) > max(scale.few, len(program.units) // scale.few_part):
        return set(program.units)
    found: set[str] = set()
    for one in touched:
        old, new = before.get(one), program.units.get(one)
        path = new.path if new else old.path if old else ""
        facts = (old.facts if old else None, new.facts if new else None)
        found |= affected(program, *facts, one, path)
    return found


async def _begin(work: Work) -> None:
    """From here on the store is behind the files until ``_finish``."""
    keyvalue = work.writer.store.keyvalue
    async with work.writer.store.transaction():
        await keyvalue.put(code_space(work.project), DUE, b"1")
        await keyvalue.put(code_space(work.project), TOKEN, new_token())


async def _write(work: Work, drawn: dict[str, Drawn]) -> None:
    """Changed documents as wholes with their facts, then edges of the others."""
    store = work.writer.store
    changed = [one for one in drawn if one in work.fresh]
    for start in range(0, len(changed), _BATCH):
        page = changed[start : start + _BATCH]
        entries = await aside(work.renew, lambda page=page: _entries(work, page, drawn))  # type: ignore[misc]
        async with store.transaction():
            await store.passages.write(entries)
            facts = {one: work.fresh[one].packed for one in page}
            await store.keyvalue.put_many(facts_space(work.project), facts)
            await _owe_text(work, page)
        await work.renew()
    others = [one for one in drawn if one not in work.fresh and is_redrawn(work, one, drawn[one])]
    relations, units = drawn_relations() | {CONTAINS}, work.held.program.units
    for start in range(0, len(others), _BATCH):
        stated = [
            Stated(
                document_id=one,
                # Passes draw CONTAINS too: what a file contains itself is stated with it.
                edges=[
                    *containment(units[one]),
                    *drawn[one].edges.values(),
                    *late_edges(work, one, drawn[one]),
                ],
                nodes=list(drawn[one].nodes.values()),
            )
            for one in others[start : start + _BATCH]
        ]
        await store.graph.relate(work.project, relations, stated)
        await work.renew()


def _entries(work: Work, page: Sequence[str], drawn: dict[str, Drawn]) -> list[Entry]:
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
        edges += late_edges(work, document_id, drawn[document_id])
        card = work.fresh[document_id].card
        entries.append(Entry(card=card, passages=(), nodes=nodes, edges=edges, part="graph"))
    return entries


async def _owe_text(work: Work, page: Sequence[str]) -> None:
    """Note them beside those that a run owed which was interrupted and began with the same one."""
    keyvalue, space = work.writer.store.keyvalue, code_space(work.project)
    key = text_key(work.found.source.id, page[0])
    before = await keyvalue.get(space, key)
    owed = dict.fromkeys([*(before.decode().split("\n") if before else ()), *page])
    await keyvalue.put(space, key, "\n".join(owed).encode())


async def _finish(work: Work) -> Snapshot | None:
    """Remove what is gone, rename what is called otherwise, note what was bound; all is settled."""
    store, held, project = work.writer.store, work.held, work.project
    token = new_token()
    async with store.transaction():
        await store.passages.remove(project, work.found.gone)
        for document_id in work.found.gone:
            await store.keyvalue.expire(facts_space(project), document_id)
        if work.gone:  # what following values found of them stands in files nobody changed
            await store.graph.remove(project, sorted(work.gone))
        if work.stale:
            await store.graph.merge(work.stale, [])
        await keep_bound(store.keyvalue, held, [*work.bound, *work.found.gone])
        await keep_behind(store.keyvalue, held)
        await keep_classes(store.keyvalue, held, token)
        snapshot = await _record(work)
        await store.keyvalue.expire(code_space(project), DUE)
        await store.keyvalue.put(code_space(project), TOKEN, token)
    held.token = token
    return snapshot


async def _record(work: Work) -> Snapshot | None:
    """One more snapshot, unless nothing changed and there is one."""
    source, keyvalue = work.found.source, work.writer.store.keyvalue
    known = await snapshots.list_snapshots(keyvalue, work.project, source.id)
    if known and work.is_first:  # all was gone and comes back
        work.news = versions(work.held, work.fresh)
    delta = await make_delta(work) if known else Delta()
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
