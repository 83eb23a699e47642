"""Jobs: a record of long work that others can read, and that outlives its process.

A job is not needed to go on after a crash: finished documents are known by their fingerprints.
It tells people and ``status`` what runs, how far it is, and what ended early.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal

from commonplace.domain.errors import CommonplaceError, StoreError
from commonplace.engines.base import KeyValue
from commonplace.index.lease import is_dead, make_owner
from commonplace.index.writer import Writer

_NAMESPACE = "jobs"
_SAVE_EVERY_S = 1.0  # a record a second is enough for a person who watches

State = Literal["running", "done", "failed", "interrupted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of long work and how far it is."""

    id: str
    """``sync/<source id>`` or ``upgrade/<project>``: a new run replaces the last."""
    project: str
    title: str
    state: State
    done: int = 0
    total: int = 0
    failed: int = 0
    message: str = ""
    owner: str
    started_at: datetime
    updated_at: datetime


def _encode(job: Job) -> bytes:
    record = asdict(job)
    record |= {name: record[name].isoformat() for name in ("started_at", "updated_at")}
    return json.dumps(record).encode()


def _decode(value: bytes) -> Job:
    record: dict[str, Any] = json.loads(value)
    for name in ("started_at", "updated_at"):
        record[name] = datetime.fromisoformat(record[name])
    job = Job(**record)
    if job.state == "running" and is_dead(job.owner):
        return replace(job, state="interrupted", message="its process ended; run it again")
    return job


async def list_jobs(keyvalue: KeyValue, project: str | None = None) -> list[Job]:
    """The last run of every job, newest first; one whose process died reads ``interrupted``."""
    values = [await keyvalue.get(_NAMESPACE, key) for key in await keyvalue.keys(_NAMESPACE)]
    jobs = [_decode(value) for value in values if value is not None]
    chosen = [job for job in jobs if project is None or job.project == project]
    return sorted(chosen, key=lambda job: (job.updated_at, job.id), reverse=True)


class Tracker:
    """The running job's own hand: updates the record, at most once a second."""

    def __init__(self, writer: Writer, job: Job) -> None:
        self._writer = writer
        self._saved = 0.0
        self.job = job

    async def update(self, *, done: int, total: int, failed: int = 0) -> None:
        """Note how far the work is."""
        self.job = replace(self.job, done=done, total=total, failed=failed)
        if time.monotonic() - self._saved >= _SAVE_EVERY_S:
            await self.save()

    async def save(self) -> None:
        """Write the record now."""
        self._saved = time.monotonic()
        self.job = replace(self.job, updated_at=self._writer.clock())
        await self._writer.store.keyvalue.put(_NAMESPACE, self.job.id, _encode(self.job))

    async def finish(self, state: State, message: str = "") -> None:
        """Write how it ended."""
        self.job = replace(self.job, state=state, message=message)
        await self.save()


@asynccontextmanager
async def tracked(writer: Writer, job_id: str, project: str, title: str) -> AsyncIterator[Tracker]:
    """Keep a record while the work inside runs; how it leaves decides the job's state."""
    now = writer.clock()
    job = Job(
        id=job_id,
        project=project,
        title=title,
        state="running",
        owner=make_owner(),
        started_at=now,
        updated_at=now,
    )
    tracker = Tracker(writer, job)
    await tracker.save()
    try:
        yield tracker
    except CommonplaceError as exc:
        with suppress(StoreError):  # on a full disk the record cannot be kept either
            await tracker.finish("failed", exc.message)
        raise
    except BaseException:
        await asyncio.shield(tracker.finish("interrupted", "stopped; run it again to go on"))
        raise
    await tracker.finish("done")
