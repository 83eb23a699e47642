"""Vectors of a better or slower model for passages that lack them, in the background.

Of several processes on one store one works, the others leave it to it. What that process showed
lately comes first (hits of other processes do not count), then the most recently written.
Resumable by nature: what is embedded is stored, what is not is still pending.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from commonplace.domain.passage import Located
from commonplace.embedders.base import Embedder
from commonplace.index.embed_text import embed_texts
from commonplace.index.jobs import tracked
from commonplace.index.lease import Lease, take
from commonplace.index.writer import Progress, Writer, silent

_PAGE = 512  # pending passages asked for at a time; the question costs a scan, so it is not small
_BATCH = 32  # embedded and stored at a time: at 20 a second and core, a loss of a second or two
_WAIT_S = 0.1


def _nothing(_project: str) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Pace:
    """When to stop and when to wait."""

    seconds: float | None = None
    """Work at most this long; None is until done."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    """Set it to end after the batch at hand."""
    is_busy: "asyncio.Event | None" = None
    """While set, foreground work goes first."""
    recent: "Callable[[str], Sequence[str]]" = _nothing
    """Passages of a project that were shown lately, the last first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgrade:
    """How far the vectors of a model are."""

    model: str
    embedded: int
    """Passages embedded in this run."""
    remaining: int
    is_elsewhere: bool = False
    """Whether another process is at it, so that this run did nothing."""


async def upgrade(
    writer: Writer,
    project: str,
    embedder: Embedder,
    pace: Pace | None = None,
    progress: Progress = silent,
) -> Upgrade:
    """Embed what is pending until done, stopped, or out of time; raises EmbedError."""
    pace = pace or Pace()
    total = await _remaining(writer, project, embedder)
    if total == 0:
        return Upgrade(model=embedder.model, embedded=0, remaining=0)
    name = f"upgrade/{project}/{embedder.model}"
    lease = await take(writer.store.keyvalue, name)
    if lease is None:
        return Upgrade(model=embedder.model, embedded=0, remaining=total, is_elsewhere=True)
    try:
        return await _run(_Work(writer, project, embedder, pace, progress, lease, total), name)
    finally:
        await asyncio.shield(lease.give_back())


@dataclass(frozen=True, slots=True)
class _Work:
    writer: Writer
    project: str
    embedder: Embedder
    pace: Pace
    progress: Progress
    lease: Lease
    total: int


async def _remaining(writer: Writer, project: str, embedder: Embedder) -> int:
    """Passages without a vector of the model."""
    stats = await writer.store.passages.stats(project)
    embedded = sum(one.embedded for one in stats.coverage if one.model == embedder.model)
    return max(0, stats.passages - embedded)


async def _run(work: _Work, name: str) -> Upgrade:
    done = 0
    until = time.monotonic() + work.pace.seconds if work.pace.seconds is not None else None
    model = work.embedder.model
    async with (
        tracked(work.writer, name, work.project, f"vectors of {model}") as tracker,
        aclosing(_batches(work)) as batches,
    ):
        async for batch in batches:
            if not await _may_go_on(work, until):
                left = await _remaining(work.writer, work.project, work.embedder)
                return Upgrade(model=model, embedded=done, remaining=left)
            done += await _embed(work, batch)
            total = max(work.total, done)
            await tracker.update(done=done, total=total)
            await work.progress(done, total, f"vectors of {model}")
    return Upgrade(model=model, embedded=done, remaining=0)


async def _batches(work: _Work) -> AsyncGenerator[list[Located], None]:
    """What is pending; before each batch, what was shown since the last and has no vector yet."""
    passages, model = work.writer.store.passages, work.embedder.model
    last: set[str] = set()
    ahead: set[str] = set()
    shown: Sequence[str] = ()
    while page := await passages.pending(work.project, model, _PAGE):
        ids = {one.passage.id for one in page}
        if ids <= last:  # a store that keeps no vector for some passage must not hold us
            return
        last = ids
        for start in range(0, len(page), _BATCH):
            before, shown = shown, work.pace.recent(work.project)
            first = shown and shown != before
            hits = await passages.pending(work.project, model, _PAGE, shown) if first else []
            for at in range(0, len(hits), _BATCH):
                yield hits[at : at + _BATCH]
            ahead.update(one.passage.id for one in hits)
            batch = [one for one in page[start : start + _BATCH] if one.passage.id not in ahead]
            if batch:
                yield batch


async def _may_go_on(work: _Work, until: float | None) -> bool:
    """Wait for foreground work; then whether there is time, nobody said stop, and it is ours."""
    while work.pace.is_busy is not None and work.pace.is_busy.is_set():
        if work.pace.stop.is_set():
            break
        await asyncio.sleep(_WAIT_S)
    if work.pace.stop.is_set() or (until is not None and time.monotonic() >= until):
        return False
    return await work.lease.renew()


async def _embed(work: _Work, page: list[Located]) -> int:
    rows = await work.embedder.embed(embed_texts(page))
    ids = [one.passage.id for one in page]
    await work.writer.store.passages.embed(work.project, work.embedder.model, ids, rows)
    return len(page)
