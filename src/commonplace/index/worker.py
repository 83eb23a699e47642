"""A worker's side: a process of its own that drafts what it is sent, until its parent is gone.

Run by ``workers.py`` as ``python -m commonplace.index.worker``. A request is limits, a recipe
and pickled resources; an answer is one pickle a resource, in order, with the pages of long ones
told between them.

A document that takes too long ends the process; what counts is the processor's time, since a busy
machine is no fault of a document's. The kernel does it, or where it has no alarms a thread of the
interpreter's own: while a regular expression or a C library holds the interpreter's
lock, no handler and no thread of Python's would run. One that takes too much memory ends it too:
a thread looks at what the process holds, and behind it stands the kernel's limit, for what asks
for all at once.
"""

import contextlib
import faulthandler
import gc
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import BinaryIO

from commonplace.domain.document import Resource
from commonplace.domain.media import MARKDOWN
from commonplace.index.draft import Recipe, made
from commonplace.parsers.pace import Pace, heard_by

try:
    import resource as kernel
except ImportError:  # Windows has no such limits
    kernel = None  # type: ignore[assignment]

HAS_ALARM = hasattr(signal, "setitimer")
TOO_LONG = (-signal.SIGPROF, -signal.SIGALRM) if HAS_ALARM else (1,)
"""The exit codes of a worker whose document took too long."""
TOO_LARGE = 4
"""The exit code of a worker whose document took too much memory."""
_ORPHANED = 3
_ASLEEP = 10  # times as long by the clock on the wall, for what waits for ever
_LOOK_S = 0.05  # memory fills at about a gigabyte a second
_TELL_S = 0.5  # between two pages that are told
_MEGA = 1 << 20
_OWN_SPACE_MB = 1024  # of addresses: libraries and stacks, which take no memory
_STATM = "/proc/self/statm"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document may take."""

    seconds: float
    memory_mb: int


Requests = queue.SimpleQueue[tuple[Limits, Recipe, Sequence[bytes]]]


def _receive(stream: BinaryIO, requests: Requests) -> None:
    """Read ahead, so that the parent never waits to write; end with it, whatever is under way."""
    while True:
        try:
            requests.put(pickle.load(stream))  # noqa: S301 - from the process that started us
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(_ORPHANED)


class _Clock:
    """Ends this process when a document takes longer than it was granted."""

    def __init__(self) -> None:
        self._granted = 0.0
        self._started = 0.0

    def start(self, seconds: float) -> None:
        """Grant a document its time."""
        self._started, self._granted = time.process_time(), 0.0
        self.grant(seconds)

    def grant(self, seconds: float) -> None:
        """Add to what is left."""
        self._granted += seconds
        left = self._granted - (time.process_time() - self._started)
        self._arm(max(left, 0.001))

    def stop(self) -> None:
        """The document is done."""
        self._arm(0)

    def _arm(self, seconds: float) -> None:
        if HAS_ALARM:  # a microsecond; the other way takes one thread, nearly a millisecond
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.setitimer(signal.ITIMER_REAL, seconds * _ASLEEP)
        elif seconds:
            faulthandler.dump_traceback_later(seconds, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()


class _Scale:
    """Ends this process when it holds more memory than a document may take."""

    def __init__(self) -> None:
        self._busy = threading.Event()
        self._most_bytes = 0
        with contextlib.suppress(OSError):
            self._pages = open(_STATM, "rb", buffering=0)  # noqa: SIM115 - as long as we live
            threading.Thread(target=self._watch, daemon=True).start()

    def start(self, memory_mb: int) -> None:
        """Watch from now on."""
        self._most_bytes = memory_mb * _MEGA
        self._busy.set()

    def stop(self) -> None:
        """Nothing is under way."""
        self._busy.clear()

    def _watch(self) -> None:
        page_bytes = os.sysconf("SC_PAGE_SIZE")
        while True:
            self._busy.wait()
            held = int(os.pread(self._pages.fileno(), 200, 0).split()[1])
            if held * page_bytes > self._most_bytes:
                os._exit(TOO_LARGE)
            time.sleep(_LOOK_S)


def _confine(memory_mb: int) -> None:
    """The kernel's own limits: on what can be asked for at once, and no dumps of a crash."""
    if kernel is None:
        return
    spaces = (2 * memory_mb + _OWN_SPACE_MB) * _MEGA
    for kind, most in ((kernel.RLIMIT_CORE, 0), (kernel.RLIMIT_AS, spaces)):
        _, hard = kernel.getrlimit(kind)
        if hard != kernel.RLIM_INFINITY:
            most = min(most, hard)
        with contextlib.suppress(ValueError, OSError):  # a platform that keeps no such limit
            kernel.setrlimit(kind, (most, hard))


class _Desk:
    """Where a worker's documents are made: their limits, and the pipe their answers go to."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._clock = _Clock()
        self._scale = _Scale()
        self._told = 0.0

    def make(self, limits: Limits, recipe: Recipe, pickled: bytes) -> None:
        """Make one document and send it."""
        self._clock.start(limits.seconds)
        self._scale.start(limits.memory_mb)
        with heard_by(self._hear):
            resource = pickle.loads(pickled)  # noqa: S301 - as above
            outcome = pickle.dumps(made(recipe, resource))
        self._clock.stop()
        self._scale.stop()
        self._send(outcome)

    def _hear(self, pace: Pace) -> None:
        if pace.grant_s:
            self._clock.grant(pace.grant_s)
        if time.monotonic() - self._told > _TELL_S:
            self._told = time.monotonic()
            self._send(pickle.dumps(pace))

    def _send(self, answer: bytes) -> None:
        self._answers.write(answer)
        self._answers.flush()


@lru_cache(maxsize=1)
def _warm(recipe: Recipe) -> None:
    """Load parsers, splitter and token ranks, which the first document's time is not for."""
    resource = Resource(
        uri="file:///a.md",
        path="a.md",
        content=b"# A\n\nWords.\n",
        media_type=MARKDOWN,
        modified_at=recipe.indexed_at,
    )
    made(recipe, resource)


def main() -> None:
    """Answer requests until the parent ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between the answers
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    desk = _Desk(answers)
    while True:
        limits, recipe, pickled = requests.get()
        _confine(limits.memory_mb)
        if recipe.stage == "text":
            gc.enable()
            _warm(recipe)
        else:
            gc.disable()  # facts are trees of tuples: looking for cycles in them is half the work
        for one in pickled:
            desk.make(limits, recipe, one)


if __name__ == "__main__":
    main()
