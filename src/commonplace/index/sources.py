"""The registry of sources: what the user added, one record each in the keyvalue port."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from commonplace import sources
from commonplace.catalog import collect
from commonplace.domain.errors import InvalidArgument, NotFound, SourceError
from commonplace.domain.ids import stable_id
from commonplace.domain.scope import Source, is_project_id
from commonplace.engines.base import KeyValue
from commonplace.index import seen
from commonplace.index.code.documents import forget_mentions
from commonplace.index.lease import held
from commonplace.index.projects import create_project
from commonplace.index.references.keep import forget_references
from commonplace.index.references.works import forget_works
from commonplace.index.writer import Writer
from commonplace.sources.base import OpenSource, SourceKind

_BATCH = 500  # documents removed in one transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """What a user may say of a source; what is left out is derived or kept."""

    tags: tuple[str, ...] = ()
    repository: str | None = None
    environment: str | None = None
    ocr_languages: tuple[str, ...] = ()


def _namespace(project: str) -> str:
    return f"sources/{project}"


def _encode(source: Source) -> bytes:
    record = asdict(source)
    for name in ("added_at", "synced_at"):
        record[name] = record[name].isoformat() if record[name] else None
    return json.dumps(record).encode()


def _decode(value: bytes) -> Source:
    record: dict[str, Any] = json.loads(value)
    for name in ("added_at", "synced_at"):
        record[name] = datetime.fromisoformat(record[name]) if record[name] else None
    lists = {name: tuple(record.get(name, ())) for name in ("tags", "ocr_languages")}
    return Source(**record | lists)


async def put_source(keyvalue: KeyValue, source: Source) -> None:
    """Add the record or replace the one of the same id."""
    await keyvalue.put(_namespace(source.project), source.id, _encode(source))


async def list_sources(keyvalue: KeyValue, project: str) -> list[Source]:
    """All sources of a project, in the order they were added."""
    ids = await keyvalue.keys(_namespace(project))
    values = [await keyvalue.get(_namespace(project), source_id) for source_id in ids]
    found = [_decode(value) for value in values if value is not None]
    return sorted(found, key=lambda source: (source.added_at, source.id))


async def synced_sources(keyvalue: KeyValue, project: str) -> list[Source]:
    """Those that can be listed again: all but what tools write themselves."""
    written = {kind.name for kind in _kinds() if not kind.syncs}
    return [one for one in await list_sources(keyvalue, project) if one.kind not in written]


def shared_kinds() -> frozenset[str]:
    """Names of kinds whose sources may all hold the same documents."""
    return frozenset(kind.name for kind in _kinds() if kind.is_shared)


def telling_kinds() -> frozenset[str]:
    """Names of kinds whose records tell of documents of all sources of a project."""
    return frozenset(kind.name for kind in _kinds() if kind.tells_project)


async def get_kept_source(keyvalue: KeyValue, project: str, source_id: str) -> Source | None:
    """The source of this id, or None."""
    stored = await keyvalue.get(_namespace(project), source_id)
    return _decode(stored) if stored else None


async def get_source(keyvalue: KeyValue, project: str, name: str) -> Source:
    """The source of this id, location or end of one; raises NotFound listing the known ones."""
    known = await list_sources(keyvalue, project)
    for source in known:
        if name in (source.id, source.location):
            return source
    for kind in _kinds():
        if kind.accepts(name):
            try:
                location = kind.describe(name).location
            except SourceError:  # gone from disk; it may still be known by the text given
                continue
            matches = [source for source in known if source.location == location]
            if matches:
                return matches[0]
    # The end of a path is enough where it names one: ``status`` shows it from where the user was.
    ending = [one for one in known if one.location.rstrip("/").endswith(f"/{name.strip('/')}")]
    if len(ending) == 1:
        return ending[0]
    names = ", ".join(source.location for source in ending or known) or "none yet"
    if ending:
        raise NotFound(f"{name!r} is the end of {len(ending)} sources; name one: {names}")
    raise NotFound(f"no source {name!r} in project {project!r}; known: {names}")


@lru_cache(maxsize=1)
def _kinds() -> list[SourceKind]:
    kinds = collect(sources, SourceKind).values()
    return sorted(kinds, key=lambda kind: (kind.rank, kind.name))


def open_source(source: Source, writer: Writer) -> OpenSource:
    """The source ready to be walked; raises SourceError for a kind this version lacks."""
    known = {kind.name: kind for kind in _kinds()}
    if source.kind not in known:
        raise SourceError(
            f"{source.location} is of kind {source.kind!r}, which this version does not read; "
            "upgrade commonplace, or remove the source"
        )
    return known[source.kind].open(source, writer.settings)


async def add_source(
    writer: Writer, location: str, project: str, options: SourceOptions | None = None
) -> Source:
    """Register what the user typed, or update what is registered; indexing is ``sync_source``.

    Raises SourceError when there is no such location, InvalidArgument for an impossible project.
    """
    options = options or SourceOptions()
    if not is_project_id(project):
        raise InvalidArgument(f"{project!r} cannot name a project; use letters, digits, . _ - /")
    kind = next((kind for kind in _kinds() if kind.accepts(location)), None)
    if kind is None:
        raise SourceError(f"{location!r} is nothing that can be indexed; name a folder or a file")
    described = kind.describe(location)
    if kind.check is not None:
        await kind.check(described.location, writer.settings)
    source_id = stable_id("s", project, described.location)
    keyvalue = writer.store.keyvalue
    known = await get_kept_source(keyvalue, project, source_id)
    source = Source(
        id=source_id,
        project=project,
        kind=kind.name,
        location=described.location,
        tags=options.tags or (known.tags if known else (described.name,)),
        repository=options.repository or described.repository,
        environment=options.environment or (known.environment if known else None),
        added_at=known.added_at if known else writer.clock(),
        synced_at=known.synced_at if known else None,
        ocr_languages=options.ocr_languages or (known.ocr_languages if known else ()),
    )
    await create_project(writer, project)
    await put_source(keyvalue, source)
    return source


async def mark_synced(writer: Writer, source: Source) -> None:
    """Note the moment of a complete sync, unless the source was removed meanwhile."""
    keyvalue = writer.store.keyvalue
    stored = await keyvalue.get(_namespace(source.project), source.id)
    if stored is not None:
        await put_source(keyvalue, replace(_decode(stored), synced_at=writer.clock()))


async def remove_source(writer: Writer, source: Source) -> int:
    """Forget a source and everything indexed from it; the number of documents removed."""
    keyvalue = writer.store.keyvalue
    async with held(keyvalue, f"sync/{source.id}"):
        known = await writer.store.passages.fingerprints(source.project, source.id)
        await remove_documents(writer, source.project, [one.document_id for one in known.values()])
        await seen.forget(keyvalue, source)
        await forget_references(keyvalue, source)
        await keyvalue.expire(_namespace(source.project), source.id)
    return len(known)


async def remove_documents(writer: Writer, project: str, ids: Sequence[str]) -> None:
    """Remove documents in transactions of bounded size."""
    for start in range(0, len(ids), _BATCH):
        page = ids[start : start + _BATCH]
        async with writer.store.transaction():
            await writer.store.passages.remove(project, page)
            await forget_mentions(writer.store.keyvalue, project, page)
            await forget_works(writer.store.keyvalue, project, page)
