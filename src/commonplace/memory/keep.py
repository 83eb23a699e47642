"""What is kept and for how long: listing, forgetting, retention. No model decides any of it."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from commonplace.domain.context import CONTEXT, SUPERSEDED_BY, SUPERSEDES, Context
from commonplace.domain.errors import NotFound
from commonplace.engines.base import KeyValue, Store
from commonplace.index.lease import held
from commonplace.index.sources import remove_documents
from commonplace.index.writer import Writer
from commonplace.memory.record import from_node, type_of
from commonplace.memory.render import title_of
from commonplace.memory.write import source_id

_BATCH = 500
_MOST_TOLD = 1000  # ids a record of a sweep holds; its count is always whole
_RECORD_DAYS = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which contexts are meant; what is left out is not asked."""

    ids: tuple[str, ...] = ()
    type: str | None = None
    agent: str | None = None
    before: datetime | None = None
    superseded: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it would mean every context."""
        return self == Filter()

    def takes(self, context: Context, superseded: Mapping[str, str]) -> bool:
        """Whether a context is meant."""
        return (
            (not self.ids or context.id in self.ids)
            and self.type in (None, context.type)
            and self.agent in (None, context.agent)
            and (self.before is None or context.created_at < self.before)
            and (not self.superseded or context.id in superseded)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What retention removed at one time."""

    at: str
    type: str
    count: int
    days: int
    ids: tuple[str, ...]


async def list_contexts(store: Store, project: str) -> AsyncIterator[Context]:
    """Every context of a project, oldest first."""
    known = await store.passages.fingerprints(project, source_id(project))
    ranked = sorted(known.values(), key=lambda one: (one.modified_at, one.document_id))
    ids = [one.document_id for one in ranked]
    for start in range(0, len(ids), _BATCH):
        for node in await store.graph.nodes(project, ids[start : start + _BATCH]):
            if node.kind == CONTEXT:
                yield from_node(node)


def superseded_by(contexts: Sequence[Context]) -> dict[str, str]:
    """By context, the one that supersedes it; only of those that are there."""
    there = {context.id for context in contexts}
    found: dict[str, str] = {}
    for context in contexts:
        for one in context.relationships:
            if one.relation in SUPERSEDES and one.target in there:
                found[one.target] = context.id
            elif one.relation in SUPERSEDED_BY and one.target in there:
                found[context.id] = one.target
    return found


async def choose(store: Store, project: str, wanted: Filter) -> list[Context]:
    """The contexts a filter means; raises NotFound for ids that are not there."""
    contexts = [context async for context in list_contexts(store, project)]
    missing = set(wanted.ids) - {context.id for context in contexts}
    if missing:
        raise NotFound(
            f"no context {', '.join(sorted(missing)[:5])} in project {project!r}; "
            "see `commonplace memory audit`"
        )
    superseded = superseded_by(contexts)
    return [context for context in contexts if wanted.takes(context, superseded)]


async def forget(writer: Writer, project: str, ids: Sequence[str]) -> None:
    """Remove contexts with all that belongs to them; edges others stated wait for their return."""
    await remove_documents(writer, project, ids)


async def due(writer: Writer, project: str) -> dict[str, list[str]]:
    """By type, the contexts older than their retention allows."""
    days: Mapping[Any, int] = writer.settings.memory_retention_days
    if not any(days.values()):
        return {}
    now = writer.clock()
    known = await writer.store.passages.fingerprints(project, source_id(project))
    found: dict[str, list[str]] = {}
    for uri, one in known.items():
        kind = type_of(uri)
        limit = days.get(kind, 0)
        if limit and one.modified_at < now - timedelta(days=limit):
            found.setdefault(kind, []).append(one.document_id)
    return found


async def sweep(writer: Writer, project: str) -> list[Sweep]:
    """Remove what is due and keep a record of it, which audits show for a year."""
    if not await due(writer, project):
        return []
    days: Mapping[Any, int] = writer.settings.memory_retention_days
    keyvalue, sweeps = writer.store.keyvalue, []
    async with held(keyvalue, f"sweep/{project}"):
        for kind, ids in (await due(writer, project)).items():
            at = writer.clock().astimezone(UTC).isoformat(timespec="microseconds")
            told = tuple(ids[:_MOST_TOLD])
            done = Sweep(at=at, type=kind, count=len(ids), days=days[kind], ids=told)
            # First the record, then the removal: nothing goes that is not told.
            await keyvalue.put(
                _sweeps(project),
                f"{at} {kind}",
                json.dumps(asdict(done)).encode(),
                _RECORD_DAYS * 86_400.0,
            )
            await forget(writer, project, ids)
            sweeps.append(done)
    return sweeps


def _sweeps(project: str) -> str:
    return f"memory-sweeps/{project}"


async def list_sweeps(keyvalue: KeyValue, project: str) -> list[Sweep]:
    """What retention removed within the last year, oldest first."""
    values = [
        await keyvalue.get(_sweeps(project), key) for key in await keyvalue.keys(_sweeps(project))
    ]
    records: list[dict[str, Any]] = [json.loads(value) for value in values if value is not None]
    return [Sweep(**{**record, "ids": tuple(record["ids"])}) for record in records]


async def audit(writer: Writer, project: str) -> dict[str, Any]:
    """All there is to know of a project's memory before anything is kept or forgotten."""
    store = writer.store
    contexts = [context async for context in list_contexts(store, project)]
    superseded = superseded_by(contexts)
    overdue = await due(writer, project)
    titles = {context.id: title_of(context) for context in contexts}
    return {
        "project": project,
        "contexts": len(contexts),
        "types": _types(contexts, overdue, writer.settings.memory_retention_days),
        "agents": dict(Counter(context.agent for context in contexts).most_common()),
        "repeated": [
            {"id": one.id, "title": titles[one.id], "times": 1 + sum(r.times for r in one.repeats)}
            for one in contexts
            if one.repeats
        ],
        "near_duplicates": [
            {"id": one.id, "title": titles[one.id], "of": near.id, "similarity": near.similarity}
            for one in contexts
            for near in one.similar
            if near.id in titles
        ],
        "superseded": [
            {"id": older, "title": titles[older], "by": newer}
            for older, newer in superseded.items()
        ],
        "dangling": await _dangling(store, project, contexts),
        "due": [one for ids in overdue.values() for one in ids],
        "sweeps": [asdict(one) for one in await list_sweeps(store.keyvalue, project)],
    }


def _types(
    contexts: Sequence[Context], overdue: Mapping[str, Sequence[str]], days: Mapping[Any, int]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in sorted({context.type for context in contexts}):
        own = [context for context in contexts if context.type == kind]
        found[kind] = {
            "contexts": len(own),
            "oldest": min(one.created_at for one in own),
            "newest": max(one.created_at for one in own),
            "retention_days": days.get(kind, 0),
            "due": len(overdue.get(kind, ())),
        }
    return found


async def _dangling(
    store: Store, project: str, contexts: Sequence[Context]
) -> list[dict[str, str]]:
    """Relationships to what does not exist, or not yet."""
    rows = [(context.id, one) for context in contexts for one in context.relationships]
    targets = list(dict.fromkeys(one.target for _, one in rows))
    there: set[str] = set()
    for start in range(0, len(targets), _BATCH):
        nodes = await store.graph.nodes(project, targets[start : start + _BATCH])
        there |= {node.id for node in nodes}
    return [
        {"id": context_id, "type": one.type, "target": one.target}
        for context_id, one in rows
        if one.target not in there
    ]
