"""Contexts into the store: documents of a source of kind memory, through the same writer."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from commonplace.domain.context import Context, Relationship
from commonplace.domain.document import Resource
from commonplace.domain.errors import EmbedError, InvalidArgument, StoreError
from commonplace.domain.ids import document_id, stable_id
from commonplace.domain.media import MARKDOWN
from commonplace.domain.scope import Selection, Source
from commonplace.engines.base import Entry
from commonplace.index.draft import Draft, draft_all, make_recipe
from commonplace.index.embed_text import embed_entries
from commonplace.index.projects import create_project
from commonplace.index.sources import get_kept_source, put_source
from commonplace.index.workers import Workers
from commonplace.index.writer import Writer
from commonplace.link.structure import section_id
from commonplace.memory.duplicates import find_similar
from commonplace.memory.record import from_node, merge, to_edges, to_node, uri_of
from commonplace.memory.render import byline, text_of
from commonplace.retrieve.recall import Failure, attempt
from commonplace.sources.base import Skip
from commonplace.sources.memory import LOCATION, MEMORY

SUCCESS = "success"
_BATCH = 200  # contexts written in one transaction
# Drafted at once, in two or three milliseconds: a thread would take as long to wait for its turn.
# The worst of 768 made-up hostile texts took 1.7 s at twice this length.
_SHORT_BYTES = 4 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What became of a context, read back from the store."""

    context: Context
    is_duplicate: bool
    pending: tuple[str, ...]
    """Targets of relationships that do not exist yet."""
    status: Mapping[str, str]
    """By backend (vector, graph): ``success``, or what is missing and why."""
    degraded: tuple[str, ...] = ()


def source_id(project: str) -> str:
    """The id of the source all contexts of a project belong to."""
    return stable_id("s", project, LOCATION)


async def open_memory(writer: Writer, project: str) -> Source:
    """The source of a project's contexts, registered at the first one."""
    keyvalue = writer.store.keyvalue
    known = await get_kept_source(keyvalue, project, source_id(project))
    if known is not None:
        return known
    source = _source(writer, project)
    await create_project(writer, project)
    await put_source(keyvalue, source)
    return source


def _source(writer: Writer, project: str) -> Source:
    return Source(
        id=source_id(project),
        project=project,
        kind=MEMORY,
        location=LOCATION,
        tags=(MEMORY,),
        added_at=writer.clock(),
    )


def resolve(project: str, relationship: Relationship) -> Relationship:
    """The relationship with an address turned into the id of its document or section."""
    address, _, anchor = relationship.target.partition("#")
    if "://" not in address:
        return relationship
    target = document_id(project, address)
    return replace(relationship, target=section_id(target, anchor) if anchor else target)


def _resource(context: Context) -> Resource:
    return Resource(
        uri=uri_of(context),
        path=f"{context.type}/{context.id}.md",
        content=text_of(context).encode(),
        media_type=MARKDOWN,
        modified_at=context.created_at,
        tags=(context.type,),
        document_id=context.id,
    )


async def _draft(writer: Writer, source: Source, contexts: Sequence[Context]) -> list[Entry]:
    """The documents of contexts without vectors; every passage is headed by whose it is.

    What is long is drafted in a process of its own, where a limit of time holds.
    """
    resources = [_resource(context) for context in contexts]
    # One environment at a time: the recipe tells it.
    recipe = make_recipe(
        replace(source, environment=contexts[0].environment), writer.settings, writer.clock()
    )
    size_bytes = sum(len(resource.content) for resource in resources)
    if size_bytes <= _SHORT_BYTES:
        drafts = draft_all(recipe, resources)
    else:
        async with Workers(writer.settings, size_bytes) as workers:
            drafts = await workers.draft(recipe, resources)
    return [_headed(one, context) for one, context in zip(drafts, contexts, strict=True)]


def _headed(drafted: Draft | Skip, context: Context) -> Entry:
    if isinstance(drafted, Skip):
        raise InvalidArgument(f"content cannot be indexed: {drafted.reason}", field="content")
    entry, line = drafted.entry, byline(context)
    title = entry.card.title
    passages = [
        replace(one, headings=(title, line, *(part for part in one.headings if part != title)))
        for one in entry.passages
    ]
    return replace(entry, passages=passages)


def stated(entry: Entry, context: Context) -> Entry:
    """The entry with the context in the place of its Document node, and its relationships."""
    nodes = [to_node(context) if node.id == context.id else node for node in entry.nodes]
    return replace(entry, nodes=nodes, edges=[*entry.edges, *to_edges(context)])


async def _embed(writer: Writer, entries: Sequence[Entry]) -> tuple[list[Entry], str]:
    """The entries with vectors, or why there are none; a slow model's are made later."""
    if not writer.embeds_at_once:
        return list(entries), "vectors follow in the background; words are searchable now"
    try:
        return await embed_entries(writer.embedder, entries), ""
    except EmbedError as exc:
        return list(entries), f"no vectors, only words: {exc.message}"


async def _made(writer: Writer, source: Source, context: Context) -> tuple[Entry, str]:
    [embedded], fault = await _embed(writer, await _draft(writer, source, [context]))
    return embedded, fault


async def store(writer: Writer, context: Context) -> Stored:
    """Remember a context, or note that it is known already; what is told was read back.

    Raises StoreError when it could not be stored.
    """
    ports = writer.store
    # Without its record the source is not listed; what is stored can be found nevertheless.
    source = _source(writer, context.project)
    opened = await attempt("keyvalue", open_memory(writer, context.project))
    entry, fault = await _made(writer, source, context)
    model = writer.embedder.model
    similar = await attempt("near duplicates", find_similar(ports, context, entry, model))
    if not isinstance(similar, Failure):
        context = replace(context, similar=similar)
    async with ports.transaction():
        known = await attempt("graph", ports.graph.nodes(context.project, [context.id]))
        if isinstance(known, Failure):
            # What is there may know more than this call does, and cannot be read: it stays.
            first = [passage.id for passage in entry.passages[:1]]
            is_known = bool(await ports.passages.get(Selection(project=context.project), first))
        else:
            is_known = bool(known)
            for node in known:
                context = merge(from_node(node), context)
                entry, fault = await _made(writer, source, context)
        if not (is_known and isinstance(known, Failure)):
            await ports.passages.write([stated(entry, context)])
    faults = [str(one) for one in (opened, similar, known) if isinstance(one, Failure)]
    return await _read_back(writer, (context, entry, is_known), [*faults, fault])


async def _read_back(
    writer: Writer, written: tuple[Context, Entry, bool], faults: Sequence[str]
) -> Stored:
    """What a later call will find; raises StoreError when that is nothing."""
    context, entry, is_known = written
    ids = [passage.id for passage in entry.passages[:1]]
    targets = [one.target for one in context.relationships]
    selection = Selection(project=context.project)
    text, nodes = await asyncio.gather(
        attempt("vector", writer.store.passages.get(selection, ids)),
        attempt("graph", writer.store.graph.nodes(context.project, [context.id, *targets])),
    )
    if isinstance(text, Failure) and isinstance(nodes, Failure):
        raise text.error
    there = set() if isinstance(nodes, Failure) else {node.id for node in nodes}
    if not isinstance(nodes, Failure) and context.id not in there and not text:
        raise StoreError(f"{context.id} was written and is not there; store it again")
    status = {
        "vector": _status(text, faults[-1]),
        "graph": _status(nodes, "" if context.id in there else "not there"),
    }
    pending = () if isinstance(nodes, Failure) else tuple(t for t in targets if t not in there)
    told = [*faults, *(str(one) for one in (text, nodes) if isinstance(one, Failure))]
    return Stored(
        context=context,
        is_duplicate=is_known,
        pending=tuple(dict.fromkeys(pending)),
        status=status,
        degraded=tuple(dict.fromkeys(one for one in told if one)),
    )


def _status(read: object, fault: str) -> str:
    if isinstance(read, Failure):
        return f"failed: {read.error.message}"
    return fault or SUCCESS


async def store_all(writer: Writer, project: str, contexts: Sequence[Context]) -> int:
    """Write contexts as they are, united with those of the same id; how many are new."""
    source = await open_memory(writer, project)
    ranked = sorted(contexts, key=lambda one: one.environment or "")
    new = 0
    for _, group in groupby(ranked, key=lambda one: one.environment):
        alike = list(group)
        for start in range(0, len(alike), _BATCH):
            new += await _write(writer, source, alike[start : start + _BATCH])
    return new


async def _write(writer: Writer, source: Source, batch: Sequence[Context]) -> int:
    async with writer.store.transaction():
        ids = [context.id for context in batch]
        nodes = await writer.store.graph.nodes(source.project, ids)
        known = {node.id: from_node(node) for node in nodes}
        united = [merge(known[one.id], one) if one.id in known else one for one in batch]
        entries, _ = await _embed(writer, await _draft(writer, source, united))
        pairs = zip(entries, united, strict=True)
        await writer.store.passages.write([stated(entry, context) for entry, context in pairs])
    return len(batch) - len(known)
