"""Connections and threads: many readers, one writer, every call cancellable.

SQLite calls block, so each runs in a thread with its own connection. Readers share nothing;
writes of this process pass through one thread, and ``BEGIN IMMEDIATE`` with a bounded wait
orders them among processes.
"""

import asyncio
import glob
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw

from commonplace.domain.errors import DeadlineExceeded, IndexUnavailable, StoreError
from commonplace.engines.sqlite import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

READERS = 4  # threads a process reads with; more only queue for the two or four cores people have
_CHECK_STEPS = 20_000  # virtual machine steps between two looks at the cancel flag: below 1 ms
_GLANCE_STEPS = 4000  # between two looks at how long a look-up on the event loop has taken
_GLANCE_S = 0.008  # of the processor; what needs more goes to a thread
_LONG_LOG_BYTES = 4 * 1024 * 1024
_PAUSE_S = 0.05  # longest pause between two tries for the write lock
# The writer's cache holds the b-tree pages a batch touches. Readers live from the system's cache:
# mapping the file won nothing measurable and added its size to the memory of every thread
# (842 MB at 100k passages, against 30), and a truncated file would end the process.
_WRITER_CACHE_KIB, _READER_CACHE_KIB = 32_000, 8000

Result = TypeVar("Result")
Work = Callable[[apsw.Connection], Result]


@contextmanager
def translated(path: Path, wait_s: float) -> "Iterator[None]":
    """Turn what SQLite raises into the error tree, each message with its fix."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError) as exc:
        raise IndexUnavailable(
            f"the index {path} is damaged ({exc}); move it away and add your sources again "
            "with `commonplace add`"
        ) from exc
    except (apsw.BusyError, apsw.LockedError) as exc:
        raise StoreError(
            f"another process has been writing to {path} for more than {wait_s:g} s; "
            "wait for it to end, or raise the setting `writer_wait_s`"
        ) from exc
    except (apsw.FullError, apsw.NoMemError, apsw.IOError) as exc:
        raise StoreError(
            f"cannot write {path}: {exc}; free space on its disk and try again, nothing was changed"
        ) from exc
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError) as exc:
        raise StoreError(
            f"cannot open {path} for reading and writing: {exc}; "
            "make its folder writable, or set `home` to one that is"
        ) from exc
    except apsw.InterruptError as exc:
        raise DeadlineExceeded("the query was cancelled; ask for less or allow more time") from exc
    except (apsw.ConnectionClosedError, apsw.CursorClosedError) as exc:
        raise StoreError("the store is closed; open it again") from exc
    except apsw.Error as exc:
        raise StoreError(f"{path}: {exc}; run `commonplace doctor`") from exc


class Lengthy(Exception):
    """Raised by a look-up that finds itself too long for the event loop."""


class _Job:
    """Whether the caller of a running piece of work still waits for it."""

    is_cancelled = False


class Lane:
    """One connection and the job that runs on it now."""

    def __init__(self, path: Path, wait_s: float, *, writes: bool) -> None:
        self.job = _Job()
        self._wait_s = wait_s
        self._waiting_since = 0.0
        self._glance_end: float | None = None
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        self.connection = apsw.Connection(
            str(path), flags=flags if writes else apsw.SQLITE_OPEN_READONLY
        )
        self.connection.set_busy_handler(self._wait)
        self.connection.set_progress_handler(lambda: self.job.is_cancelled, _CHECK_STEPS)
        cache = _WRITER_CACHE_KIB if writes else _READER_CACHE_KIB
        self.connection.execute(f"PRAGMA cache_size=-{cache}; PRAGMA temp_store=MEMORY")

    def prepare(self, path: Path) -> None:
        """Make this the writing connection: write-ahead log, current tables."""
        # One statement at a time: what stands behind a pragma that gives a row is not run.
        self.connection.execute("PRAGMA journal_mode=WAL")
        # What was acknowledged outlives a power cut; NORMAL would save 1 to 4 ms of a slow write.
        self.connection.execute("PRAGMA synchronous=FULL")
        # A checkpoint waits for the disk too. By default one comes after 1000 pages, which are
        # twenty small documents: that was one write in twenty, and twice as long.
        self.connection.execute("PRAGMA wal_autocheckpoint=8000")
        self.connection.execute("PRAGMA journal_size_limit=67108864")
        schema.migrate(self.connection, str(path))

    def fold(self) -> None:
        """Write the log into the database and cut it, waiting for nobody."""
        self.connection.set_busy_handler(None)
        try:
            self.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError):
            pass  # another process reads or writes; its own checkpoint will come
        finally:
            self.connection.set_busy_handler(self._wait)

    def prepare_reads(self) -> None:
        """Make this a reading connection."""
        self.connection.execute("PRAGMA query_only=1; PRAGMA mmap_size=0")

    def prepare_glances(self) -> None:
        """Make this a reading connection that waits for nobody and gives up early."""
        self.prepare_reads()
        self.connection.set_busy_handler(None)
        # By time, not by steps: SQLite counts these over all runs of a kept statement.
        self.connection.set_progress_handler(self._is_long, _GLANCE_STEPS)

    def begin_glance(self) -> apsw.Connection:
        """The connection, from now on for a short time."""
        self._glance_end = None
        return self.connection

    def _is_long(self) -> bool:
        """Whether a glance takes too long, from the first time it is asked: most never are."""
        now = time.thread_time()
        if self._glance_end is None:
            self._glance_end = now + _GLANCE_S
        return now > self._glance_end

    def _wait(self, tries: int) -> bool:
        now = time.monotonic()
        if tries == 0:
            self._waiting_since = now
        if self.job.is_cancelled or now - self._waiting_since >= self._wait_s:
            return False
        time.sleep(min(_PAUSE_S, 0.001 * (tries + 1)))
        return True


class _Transaction:
    """The write transaction a task is in; closed ones no longer count."""

    def __init__(self, owner: "Connections") -> None:
        self.owner = owner
        self.is_open = True


_CURRENT: ContextVar[_Transaction | None] = ContextVar("sqlite_transaction", default=None)


class Connections:
    """All connections of one process to one file."""

    def __init__(self, path: Path, wait_s: float) -> None:
        self.path = path
        self.wait_s = wait_s
        self._is_closed = False
        self._lanes: list[Lane] = []
        self._glances: Lane | None = None
        self._local = threading.local()
        self._lock = asyncio.Lock()
        with translated(path, wait_s):
            self._writer = Lane(path, wait_s, writes=True)
            try:
                self._writer.prepare(path)
            except BaseException:
                self._writer.connection.close()
                raise
        self._lanes.append(self._writer)
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="sqlite-write")
        self._reading = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite-read")

    @property
    def in_transaction(self) -> bool:
        """Whether the running task is inside ``transaction`` of this store."""
        current = _CURRENT.get()
        return current is not None and current.is_open and current.owner is self

    def check_open(self) -> None:
        """Raise StoreError after ``close``."""
        if self._is_closed:
            raise StoreError("the store is closed; open it again")

    def size_bytes(self) -> int:
        """Of the database, its log and its snapshots."""
        sizes = 0
        for file in self.path.parent.glob(f"{glob.escape(self.path.name)}*"):
            with suppress(FileNotFoundError):  # a snapshot may be replaced under our eyes
                sizes += file.stat().st_size
        return sizes

    def _reader(self) -> Lane:
        lane: Lane | None = getattr(self._local, "lane", None)
        if lane is None:
            lane = Lane(self.path, self.wait_s, writes=False)
            lane.prepare_reads()
            self._local.lane = lane
            self._lanes.append(lane)
        return lane

    def _glancer(self) -> Lane:
        if self._glances is None:
            self._glances = Lane(self.path, self.wait_s, writes=False)
            self._glances.prepare_glances()
            self._lanes.append(self._glances)
        return self._glances

    async def read(self, work: Work[Result]) -> Result:
        """Run reads in one consistent view; inside a transaction they see its own writes."""
        if self.in_transaction:
            return await self._run(self._writing, lambda: self._writer, work)
        return await self._run(self._reading, self._reader, partial(_viewed, work))

    async def glance(self, work: Work[Result]) -> Result:
        """Read a few rows by key at once, on the event loop: a hop to a thread takes longer.

        Whatever is locked or turns out to be long is read in a thread after all.
        """
        if self.in_transaction:
            return await self.read(work)
        self.check_open()
        try:
            return _viewed(work, self._glancer().begin_glance())
        except (apsw.BusyError, apsw.LockedError, apsw.InterruptError, Lengthy):
            return await self.read(work)
        except apsw.Error as exc:
            with translated(self.path, self.wait_s):
                raise exc

    def is_glance(self, connection: apsw.Connection) -> bool:
        """Whether what runs on this connection holds up the event loop."""
        return self._glances is not None and connection is self._glances.connection

    async def write(self, work: Work[Result]) -> Result:
        """Run writes in the task's transaction, or in one of their own."""
        if self.in_transaction:
            return await self._run(self._writing, lambda: self._writer, partial(_as_one, work))
        async with self.transaction():
            return await self._run(self._writing, lambda: self._writer, work)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """All writes of this task, or none; joins a transaction already open."""
        if self.in_transaction:
            yield
            return
        try:
            async with asyncio.timeout(self.wait_s + 1):
                await self._lock.acquire()
        except TimeoutError as exc:
            raise StoreError(
                f"another task has been writing to {self.path} for more than {self.wait_s:g} s; "
                "wait for it to end, or raise the setting `writer_wait_s`"
            ) from exc
        current = _Transaction(self)
        token = _CURRENT.set(current)
        is_done = False
        try:
            try:
                # Whoever is cancelled while it begins has begun, too.
                await self._statement("BEGIN IMMEDIATE")
                yield
                await self._statement("COMMIT")
                is_done = True
            finally:
                current.is_open = False
                _CURRENT.reset(token)
                if not is_done:
                    await asyncio.shield(self._run(self._writing, lambda: self._writer, _roll_back))
        finally:
            self._lock.release()

    async def fold_log(self) -> None:
        """Write a long log into the database and cut it, unless somebody is reading from it."""
        log = self.path.with_name(f"{self.path.name}-wal")
        try:
            is_long = log.stat().st_size > _LONG_LOG_BYTES
        except FileNotFoundError:
            return
        if is_long and not self._lock.locked():
            async with self._lock:
                await self._run(self._writing, lambda: self._writer, lambda _: self._writer.fold())

    async def _statement(self, sql: str) -> None:
        await self._run(self._writing, lambda: self._writer, lambda con: con.execute(sql))

    async def _run(
        self, pool: ThreadPoolExecutor, lane_of: Callable[[], Lane], work: Work[Result]
    ) -> Result:
        self.check_open()
        job = _Job()

        def run() -> Result:
            with translated(self.path, self.wait_s):
                lane = lane_of()
                lane.job = job
                return work(lane.connection)

        future = asyncio.get_running_loop().run_in_executor(pool, run)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            job.is_cancelled = True
            # The thread must be done before the caller may go on, or a rollback could overtake it.
            await asyncio.wait([future])
            if not future.cancelled():
                future.exception()
            raise

    async def close(self) -> None:
        """Wait for running jobs, then release threads and files."""
        if self._is_closed:
            return
        self._is_closed = True
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._reading.shutdown()
        self._writing.shutdown()
        for lane in reversed(self._lanes):
            lane.connection.close()


def _viewed(work: Work[Result], connection: apsw.Connection) -> Result:
    """Do this work in one consistent view."""
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        # Steps are counted over all runs of a kept statement, so even this one may be interrupted.
        with suppress(apsw.InterruptError):
            _roll_back(connection)
        _roll_back(connection)


def _as_one(work: Work[Result], connection: apsw.Connection) -> Result:
    """All of this work or none of it, within a transaction that may go on after a failure."""
    if not connection.in_transaction:  # SQLite itself rolls back on a full disk
        raise StoreError("an earlier write of this transaction failed; begin a new one")
    connection.execute("SAVEPOINT work")
    try:
        value = work(connection)
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO work; RELEASE work")
        raise
    connection.execute("RELEASE work")
    return value


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")
