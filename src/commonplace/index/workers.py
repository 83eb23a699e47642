"""Where drafting runs: in worker processes for much work, in a thread for little.

Parsing holds the interpreter's lock, so only processes use more than one core. A process takes
some time to start, which a small job never wins back.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType

from commonplace.domain.document import Resource
from commonplace.domain.errors import ParseError
from commonplace.index.draft import Draft, Recipe, draft_all
from commonplace.settings import Settings
from commonplace.sources.base import Skip

# Two workers cost a CPU-second to start (imports .6 s, the token counter's ranks .2 s each), and
# one core drafts 1 to 3 MB of text a second while another embeds and writes.
_WORTH_BYTES = 2_000_000
# Embedding and writing take this process longer than drafting takes one worker, so that more
# workers would only wait for it.
_MOST_WORKERS = 4
_LIMIT_S = 60.0  # a megabyte takes about one
_MODULE = "commonplace.index.draft"


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it even when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        watch = threading.Thread(target=_end_with, args=(parent,), daemon=True)
        watch.start()


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _too_long(*_: object) -> None:
    raise ParseError(f"parsing took more than {_LIMIT_S:g} s; split the file, or ignore it")


def _draft_timed(recipe: Recipe, resources: Sequence[Resource]) -> list[Draft | Skip]:
    """In a worker: a document that takes too long fails instead of holding up the others."""
    if not hasattr(signal, "setitimer"):  # Windows
        return draft_all(recipe, resources)
    signal.signal(signal.SIGALRM, _too_long)
    outcomes: list[Draft | Skip] = []
    for resource in resources:
        signal.setitimer(signal.ITIMER_REAL, _LIMIT_S)
        try:
            outcomes += draft_all(recipe, [resource])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return outcomes


def _make_pool(processes: int) -> ProcessPoolExecutor:
    has_server = "forkserver" in multiprocessing.get_all_start_methods()
    # Never a plain fork: this process has threads, and a forked lock is a dead lock.
    context = multiprocessing.get_context("forkserver" if has_server else "spawn")
    if has_server:
        context.set_forkserver_preload([_MODULE])
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_prepare_worker)


def worker_count(settings: Settings) -> int:
    """Processes to parse with: as set, or one per core this process may use, at most four."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return settings.workers or min(cores, _MOST_WORKERS)


class Workers:
    """Drafts resources, many at once; to be used in ``async with``."""

    def __init__(self, settings: Settings, total_bytes: int) -> None:
        self.count = worker_count(settings)
        self._uses_processes = self.count > 1 and total_bytes >= _WORTH_BYTES
        self._pool: ProcessPoolExecutor | None = None
        self._quarantine = asyncio.Lock()

    async def __aenter__(self) -> "Workers":
        if self._uses_processes:
            self._pool = _make_pool(self.count)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def draft(self, recipe: Recipe, resources: Sequence[Resource]) -> list[Draft | Skip]:
        """A draft or a skip for each resource, in order."""
        if self._pool is None:
            return await asyncio.to_thread(draft_all, recipe, resources)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, _draft_timed, recipe, resources)
        except BrokenProcessPool:
            return await self._draft_each(recipe, resources)

    async def _draft_each(
        self, recipe: Recipe, resources: Sequence[Resource]
    ) -> list[Draft | Skip]:
        """After a worker died: each resource alone, so that only the guilty one fails."""
        loop = asyncio.get_running_loop()
        outcomes: list[Draft | Skip] = []
        async with self._quarantine:
            pool = _make_pool(1)
            for resource in resources:
                try:
                    outcomes += await loop.run_in_executor(pool, _draft_timed, recipe, [resource])
                except BrokenProcessPool:
                    reason = "its parser's process died, perhaps for want of memory"
                    outcomes.append(Skip(path=resource.path, reason=reason, is_failure=True))
                    pool = _make_pool(1)
            pool.shutdown(wait=False)
            if self._pool is not None:
                self._pool = _make_pool(self.count)
        return outcomes
