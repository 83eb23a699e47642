"""After a sync: what bibliographies say of a source's documents, and which cite each other."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from commonplace.domain.errors import InvalidArgument
from commonplace.domain.reference import Reference
from commonplace.domain.scope import Source
from commonplace.engines.base import KeyValue
from commonplace.index.references.keep import (
    Kept,
    all_cited,
    cite,
    forget_gone,
    keep_records,
    kept_records,
    owed_space,
)
from commonplace.index.references.works import draw_works, works_space
from commonplace.index.sources import list_sources, synced_sources, telling_kinds
from commonplace.index.writer import Records, Writer
from commonplace.sources.base import OpenSource, Tells
from commonplace.sources.bibliographies.base import Reading
from commonplace.sources.bibliographies.find import beside, read_all, read_named, stamp_of
from commonplace.sources.files import is_path, to_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a sync changed."""

    written: Collection[str] = ()
    """Ids of documents that were written."""
    removed: bool = False
    is_owed: bool = False
    """Whether an earlier sync ended before it told what it changed."""

    @property
    def is_any(self) -> bool:
        """Whether citations must be looked at."""
        return self.removed or self.is_owed or bool(self.written)


async def owe_references(keyvalue: KeyValue, source: Source, *, will_change: bool) -> bool:
    """Note that references are to be told, before what they tell of changes; whether they were.

    A process that is killed in between leaves the note, and the next one tells of everything.
    """
    is_owed = await keyvalue.get(owed_space(source.project), source.id) is not None
    if will_change and not is_owed:
        await keyvalue.put(owed_space(source.project), source.id, b"1")
    return is_owed


async def tell_references(
    writer: Writer, source: Source, opened: OpenSource, changes: Changes
) -> Records | None:
    """Read the records of a source again where they changed, match what is new, count.

    Records come from the source itself, from the bibliography that was named for it, or from
    those beside its documents; where there is none any more, those read last are kept. Then come
    those of bibliographies the user added to the project.
    """
    store = writer.store
    known = await kept_records(store.keyvalue, source)
    fresh = await _fresh(writer, source, opened, known)
    is_new = fresh is not None and _told(fresh) != _told(known)
    if is_new:
        await owe_references(store.keyvalue, source, will_change=True)
    if fresh is not None and (is_new or known is None or fresh.stamp != known.stamp):
        await keep_records(store.keyvalue, source, fresh)
    also = await _also(writer, source)
    if is_new or changes.is_owed:
        await cite(store, source, also)
        if source.kind in telling_kinds():
            await cite_others(writer, source)
    elif (also or (known is not None and known.references)) and changes.is_any:
        await cite(store, source, also, changes.written)
        if changes.removed:
            await forget_gone(store, source)
    is_other = is_new or changes.is_any
    if is_other:
        await _lead_works(writer, source.project)
    if await owe_references(store.keyvalue, source, will_change=False):
        await store.keyvalue.expire(owed_space(source.project), source.id)
    is_told = is_other or source.kind in telling_kinds()
    return await _count(writer, source, also) if is_told else None


async def _also(writer: Writer, source: Source) -> list[Reference]:
    """Records of the bibliographies of the project that are sources of their own."""
    found: list[Reference] = []
    for other in await list_sources(writer.store.keyvalue, source.project):
        if other.kind in telling_kinds() and other.id != source.id:
            kept = await kept_records(writer.store.keyvalue, other)
            found += kept.references if kept else ()
    return found


async def cite_others(writer: Writer, source: Source) -> None:
    """Match the documents of all other sources anew: what a bibliography tells them changed."""
    for other in await synced_sources(writer.store.keyvalue, source.project):
        if other.id != source.id and other.kind not in telling_kinds():
            await cite(writer.store, other, await _also(writer, other))


async def count_records(writer: Writer, source: Source) -> Records | None:
    """How many records tell of a source's documents, and of how many."""
    return await _count(writer, source, await _also(writer, source))


async def _count(writer: Writer, source: Source, also: Sequence[Reference]) -> Records | None:
    kept = await kept_records(writer.store.keyvalue, source)
    known = len(kept.references if kept else ()) + len(also)
    if not known:
        return None
    told = (await all_cited(writer.store.keyvalue, source.project)).values()
    is_shared = source.kind in telling_kinds()
    counted = [one for one in told if (one.source_id == source.id) != is_shared]
    matched = sum(one.reference is not None for one in counted)
    return Records(known=known, matched=matched, documents=len(counted))


def _told(kept: Kept | None) -> list[object]:
    """All that records say; CSL is no part of what makes two of them equal."""
    return [(one, one.csl) for one in kept.references] if kept else []


async def _lead_works(writer: Writer, project: str) -> None:
    """Draw which documents of a project cite which."""
    if not await writer.store.keyvalue.keys(works_space(project)):
        return  # no document of it tells of works
    known = await all_cited(writer.store.keyvalue, project)
    references = {document_id: one.reference for document_id, one in known.items()}
    await draw_works(writer.store, project, references)


async def _fresh(
    writer: Writer, source: Source, opened: OpenSource, known: Kept | None
) -> Kept | None:
    """Records that may differ from those kept; None where nothing was read."""
    if known is not None and known.path:
        return await _again(writer, [known.path], known)
    if isinstance(opened, Tells):
        return Kept(references=tuple(await opened.references()))
    paths = await asyncio.to_thread(beside, source.location)
    return await _again(writer, [str(path) for path in paths], known) if paths else None


async def _again(writer: Writer, names: list[str], known: Kept | None) -> Kept | None:
    paths = [to_path(name) for name in names]
    stamp = await asyncio.to_thread(stamp_of, paths)
    if not stamp or (known is not None and stamp == known.stamp):
        return None
    reading = await asyncio.to_thread(read_all, paths, writer.settings)
    if not reading.references and known is not None and known.references:
        return None
    # What holds none is remembered too: a folder of JSON is not read at every sync.
    path = known.path if known is not None else ""
    return Kept(references=reading.references, path=path, stamp=stamp)


@dataclass(frozen=True, slots=True)
class Matched:
    """What became of a bibliography."""

    problems: Sequence[str]
    """What of it could not be read."""
    unmatched: Sequence[str]
    """Paths of documents that no record tells of."""
    records: Records | None


async def unname(writer: Writer, source: Source) -> None:
    """Let no named bibliography tell of a source any more; its records stay until the next sync."""
    known = await kept_records(writer.store.keyvalue, source)
    if known is not None and known.path:
        kept = replace(known, path="", stamp={})
        await keep_records(writer.store.keyvalue, source, kept)


async def cite_with(writer: Writer, source: Source, location: str | None) -> Matched:
    """Let this bibliography tell of a source; without one, what lies beside or the source tells.

    Raises for one that cannot be read at all; what was kept stays where there is nothing now.
    """
    if source.kind in telling_kinds():
        if location:
            raise InvalidArgument(
                f"{source.location} is a bibliography itself; omit references_path",
                field="options.references_path",
            )
        return Matched((), (), await _count(writer, source, ()))
    problems: Sequence[str] = ()
    if location or is_path(source.location):
        problems = (await _named(writer, source, location)).problems
    also = await _also(writer, source)
    unmatched = await cite(writer.store, source, also)
    await _lead_works(writer, source.project)
    return Matched(problems, unmatched, await _count(writer, source, also))


async def _named(writer: Writer, source: Source, location: str | None) -> Reading:
    if location:
        paths = [to_path(location)]
        reading = await asyncio.to_thread(read_named, location, writer.settings)
    else:
        paths = await asyncio.to_thread(beside, source.location)
        reading = await asyncio.to_thread(read_all, paths, writer.settings)
    if reading.references:
        stamp = await asyncio.to_thread(stamp_of, paths)
        path = str(paths[0]) if location else ""
        kept = Kept(references=reading.references, path=path, stamp=stamp)
        await keep_records(writer.store.keyvalue, source, kept)
    return reading
