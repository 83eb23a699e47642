"""Where drafting runs: in processes of their own, one for little work, several for much.

A process, because a hostile document can hold the interpreter's lock for hours, or end the
process that parses it: so a limit holds for every document, and only the guilty one fails. A
small job costs it little: the worker loads parsers and the token counter, which this process then
need not. One that is done waits a while for more, so that watching and serving start none a change.
"""

import asyncio
import atexit
import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from types import TracebackType
from typing import BinaryIO, cast

from commonplace.domain.document import Resource
from commonplace.domain.errors import ParseError
from commonplace.index.code.extract import Extract
from commonplace.index.draft import Draft, Recipe
from commonplace.index.worker import TOO_LARGE, TOO_LONG, Limits
from commonplace.parsers.pace import Pace
from commonplace.settings import Settings
from commonplace.sources.base import Skip

# A worker costs a third of a CPU-second to start, and one core drafts 1 to 3 MB of text a second
# while another embeds and writes.
_WORTH_BYTES = 2_000_000
# Embedding and writing take this process longer than drafting takes one worker, so that more
# workers would only wait for it.
_MOST_WORKERS = 4
_LIMIT_S = 60.0  # a megabyte takes about one
_IDLE_S = 30.0
_END_S = 1.0  # from the end of its pipe to the end of a process
_MODULE = "commonplace.index.worker"

Outcome = Draft | Extract | Skip


class _Worker:
    """One process and its two pipes; used by one thread at a time."""

    def __init__(self) -> None:
        self.made = 0  # documents, since it was started
        self.pace = ""
        self.limits = Limits(_LIMIT_S, 0)
        # -P: a folder the user stands in must not provide modules. A group of its own: Ctrl-C is
        # for this process, which ends its workers.
        command = [sys.executable, "-P", "-m", _MODULE]
        group = 0 if os.name == "posix" else None
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=group
            )
        except OSError as exc:
            raise ParseError(f"cannot start a process to parse with: {exc.strerror}") from exc
        self._requests = cast("BinaryIO", self._process.stdin)
        self._answers = cast("BinaryIO", self._process.stdout)

    @property
    def is_alive(self) -> bool:
        """Whether it can be given work."""
        return self._process.poll() is None

    def work(self, recipe: Recipe, resources: Sequence[Resource]) -> list[Outcome]:
        """An outcome for each resource, in order; its process ended at the first without."""
        outcomes: list[Outcome] = []
        pickled = [pickle.dumps(one) for one in resources]
        try:
            pickle.dump((self.limits, recipe, pickled), self._requests)
            self._requests.flush()
            while len(outcomes) < len(resources):
                answer = pickle.load(self._answers)  # noqa: S301 - from our own process
                if isinstance(answer, Pace):
                    self.pace = f"{resources[len(outcomes)].path}, {answer}"
                    continue
                outcomes.append(answer)
                self.made += 1
                self.pace = ""
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            try:
                self._process.wait(_END_S)
            except subprocess.TimeoutExpired:
                self.kill()
        return outcomes

    @property
    def was_too_large(self) -> bool:
        """Whether it ended because it held too much memory."""
        return self._process.returncode == TOO_LARGE

    def why_ended(self) -> str:
        """What to tell of the document it was at when it ended."""
        if self._process.returncode in TOO_LONG:
            return f"parsing took more than {self.limits.seconds:g} s; split the file, or ignore it"
        if self.was_too_large:
            return (
                f"parsing took more than {self.limits.memory_mb} MB of memory; split the file, "
                "ignore it, or raise parse_memory_mb"
            )
        return "its parser's process died, perhaps for want of memory"

    def kill(self) -> None:
        """End it, whatever it does; the thread that reads from it finds the end of its pipe."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Kill it and close its pipes; nobody may be reading."""
        self.kill()
        for pipe in (self._requests, self._answers):
            with contextlib.suppress(OSError):  # what could not be written to a dead process
                pipe.close()


class _Spare:
    """The worker of this process that waits for more work, for a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._timer: threading.Timer | None = None
        self.patience_s = 0.0
        """How long it waits at least."""
        atexit.register(self.drop)

    def take(self) -> _Worker | None:
        """The one that waits, if it still lives."""
        with self._lock:
            worker, self._worker = self._worker, None
            if self._timer is not None:
                self._timer.cancel()
        if worker is not None and not worker.is_alive:
            worker.close()
            return None
        return worker

    def keep(self, worker: _Worker) -> None:
        """Let it wait, unless another does."""
        with self._lock:
            if self._worker is None:
                self._worker = worker
                self._timer = threading.Timer(max(_IDLE_S, self.patience_s), self.drop)
                self._timer.daemon = True
                self._timer.start()
                return
        worker.close()

    def drop(self) -> None:
        """End the one that waits."""
        worker = self.take()
        if worker is not None:
            worker.close()


@lru_cache(maxsize=1)
def _spare() -> _Spare:
    return _Spare()


@contextlib.contextmanager
def patient(seconds: float) -> Iterator[None]:
    """The worker that is done waits at least so long: starting one takes longer than an edit."""
    spare = _spare()
    before, spare.patience_s = spare.patience_s, seconds
    try:
        yield
    finally:
        spare.patience_s = before


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
        self.count = worker_count(settings) if total_bytes >= _WORTH_BYTES else 1
        self._memory_mb = settings.parse_memory_mb
        self._threads = ThreadPoolExecutor(self.count, "drafting")  # each waits for one worker
        self._free: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._is_closed = False

    async def __aenter__(self) -> "Workers":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_closed = True
        for worker in list(self._busy):
            worker.kill()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        for worker in self._free:
            _spare().keep(worker)

    def release(self) -> None:
        """End the processes that wait; new ones start when there is more to do."""
        while self._free:
            self._free.pop().close()

    @property
    def pace(self) -> str:
        """Which page of which long document is being read; empty when none is."""
        return next((worker.pace for worker in list(self._busy) if worker.pace), "")

    async def draft(self, recipe: Recipe, resources: Sequence[Resource]) -> list[Draft | Skip]:
        """A draft or a skip for each resource, in order."""
        return cast("list[Draft | Skip]", await self._run(recipe, resources))

    async def extract(self, recipe: Recipe, resources: Sequence[Resource]) -> list[Extract | Skip]:
        """The facts or a skip for each resource of code, in order."""
        facts = replace(recipe, stage="facts")
        return cast("list[Extract | Skip]", await self._run(facts, resources))

    async def _run(self, recipe: Recipe, resources: Sequence[Resource]) -> list[Outcome]:
        if not resources:
            return []
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._work, recipe, resources)

    def _work(self, recipe: Recipe, resources: Sequence[Resource]) -> list[Outcome]:
        """After a worker's end the next one goes on, so that only the guilty document fails."""
        outcomes: list[Outcome] = []
        while len(outcomes) < len(resources) and not self._is_closed:
            worker = self._free.pop() if self._free else (_spare().take() or _Worker())
            worker.limits = Limits(_LIMIT_S, self._memory_mb)
            self._busy.add(worker)
            outcomes += worker.work(recipe, resources[len(outcomes) :])
            self._busy.remove(worker)
            if len(outcomes) == len(resources):
                self._free.append(worker)
                continue
            # Memory that others left behind must not make this one guilty: it is tried alone.
            if not (worker.was_too_large and worker.made):
                guilty = resources[len(outcomes)].path
                outcomes.append(Skip(path=guilty, reason=worker.why_ended(), is_failure=True))
            worker.close()
        return outcomes
