"""Keeping sources in sync while they change: debounced, and through errors.

What the operating system tells only names the sources to sync; the sync itself finds out what
changed. So a lost or doubled event costs a few stats, never a wrong index.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles import Change, awatch

from commonplace.domain.errors import CommonplaceError, SourceError
from commonplace.domain.scope import Source
from commonplace.index.code.stage import rest
from commonplace.index.pipeline import sync_source
from commonplace.index.plan import Wish
from commonplace.index.sources import synced_sources
from commonplace.index.workers import patient
from commonplace.index.writer import Report, Writer
from commonplace.sources.files import is_path

Tell = Callable[[Source, Report | CommonplaceError], Awaitable[None]]
"""Hear of every sync and every failure."""

Place = tuple[int, int]
"""Device and inode: a folder moved away and replaced is another one."""

_DEBOUNCE_MS = 400
_POLL_S = 60.0  # between two questions to a program: a library that did not change costs little
_LOOK_MS = 1000  # how often roots and the register are looked at while nothing happens
_PATIENCE_S = 1800.0  # a worker waits that long for the next edit
_REST_LOOKS = 30  # looks without a change before work is begun that an edit would have to wait for


@dataclass(slots=True)
class _Watch:
    """One watch under way."""

    writer: Writer
    project: str
    tell: Tell
    stop: asyncio.Event
    absent: set[str] = field(default_factory=set)
    """Sources told to be gone, by id."""
    uses_polling: bool = False
    quiet: int = 0
    """Looks since something changed."""


def place_of(location: str) -> Place | None:
    """What is at a path now; None when nothing is.

    >>> place_of("/no/such/folder") is None
    True
    """
    try:
        found = Path(location).stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def affected(sources: Iterable[Source], paths: Iterable[str]) -> list[Source]:
    """The sources in which any of these paths lies."""
    changed = [Path(path) for path in paths]
    return [
        source
        for source in sources
        if any(path.is_relative_to(source.location) for path in changed)
    ]


def _inside(source: Source, paths: Iterable[str]) -> list[str]:
    return [path for path in paths if Path(path).is_relative_to(source.location)]


async def watch(writer: Writer, project: str, tell: Tell, stop: asyncio.Event) -> None:
    """Sync every source of a project now and whenever it changes, until ``stop`` is set.

    Sources added or removed meanwhile are noticed; one whose root disappears is told once, kept
    in the index, and taken up again when it comes back.
    """
    writer.shelf.keeps = True  # who watches sees edit after edit of the same program
    state = _Watch(writer, project, tell, stop)
    poll = asyncio.create_task(_poll(state))
    try:
        with patient(_PATIENCE_S):
            while not stop.is_set():
                present = await _present(state)
                if present:
                    await _follow(state, present)
                else:
                    await _pause(stop)
    finally:
        poll.cancel()
        await asyncio.gather(poll, return_exceptions=True)


async def _pause(stop: asyncio.Event, seconds: float = _LOOK_MS / 1000) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


async def _poll(state: _Watch) -> None:
    """Ask sources that are no paths, such as Zotero, again and again; tell what is new."""
    last: dict[str, str] = {}
    while not state.stop.is_set():
        for source in await synced_sources(state.writer.store.keyvalue, state.project):
            if is_path(source.location):
                continue
            try:
                outcome: Report | CommonplaceError = await sync_source(state.writer, source)
            except CommonplaceError as exc:
                outcome = exc
            told = outcome.message if isinstance(outcome, CommonplaceError) else _news(outcome)
            if told and last.get(source.id) != told:
                await state.tell(source, outcome)
            last[source.id] = told
        await _pause(state.stop, _POLL_S)


def _news(report: Report) -> str:
    """What a sync did, as far as someone who watches wants to hear it; empty when nothing."""
    changed = report.added or report.changed or report.removed
    failures = "; ".join(f"{one.path}: {one.reason}" for one in report.failures)
    return f"{report.elapsed_s} {failures}" if changed else failures


async def _present(state: _Watch) -> list[tuple[Source, Place]]:
    """Sources whose root is there; those that went are told once."""
    found: list[tuple[Source, Place]] = []
    for source in await synced_sources(state.writer.store.keyvalue, state.project):
        if not is_path(source.location):
            continue
        place = await asyncio.to_thread(place_of, source.location)
        if place is not None:
            state.absent.discard(source.id)
            found.append((source, place))
        elif source.id not in state.absent:
            state.absent.add(source.id)
            message = f"{source.location} is gone; it stays indexed and is watched for"
            await state.tell(source, SourceError(message))
    return found


def _roots(sources: Sequence[Source]) -> Mapping[bool, list[str]]:
    """Paths to watch, by whether with all below: a file is watched through its folder.

    Editors replace files instead of writing them, and a watch on the old one would go blind.
    """
    roots: dict[bool, list[str]] = {True: [], False: []}
    for source in sources:
        path = Path(source.location)
        is_folder = path.is_dir()
        roots[is_folder].append(str(path if is_folder else path.parent))
    return roots


async def _follow(state: _Watch, present: list[tuple[Source, Place]]) -> None:
    """Watch these sources until the set of them changes."""
    sources = [source for source, _ in present]
    waiting = {source.id: source for source in sources}
    async with _listening(state, sources) as queue:
        while not state.stop.is_set():
            # The first sync starts when the watch stands, so that no change falls between.
            paths = await _next(queue, state.stop)
            near = {source.id: source for source in affected(sources, paths)}
            for source in (waiting | near).values():
                await _sync(state, source, None if source.id in waiting else paths)
            waiting = {}
            state.quiet = 0 if paths else state.quiet + 1
            if state.quiet >= _REST_LOOKS:
                await _rest(state, sources[0])
            if await _present(state) != present:
                return


@asynccontextmanager
async def _listening(
    state: _Watch, sources: Sequence[Source]
) -> "AsyncIterator[asyncio.Queue[set[str]]]":
    """A queue that receives changed paths, and now and then an empty set."""
    queue: asyncio.Queue[set[str]] = asyncio.Queue()
    ended = asyncio.Event()  # not ``state.stop``: a cancelled awatch sets the event it is given
    tasks = [
        asyncio.create_task(_listen(state, (roots, recursive), queue, ended))
        for recursive, roots in _roots(sources).items()
        if roots
    ]
    try:
        yield queue
    finally:
        ended.set()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _next(queue: "asyncio.Queue[set[str]]", stop: asyncio.Event) -> set[str]:
    """All changed paths there are, waiting for the first; empty when stopped."""
    waits = [asyncio.create_task(queue.get()), asyncio.create_task(stop.wait())]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        done = await asyncio.gather(*waits, return_exceptions=True)
    paths = done[0] if isinstance(done[0], set) else set()
    while not queue.empty():
        paths |= queue.get_nowait()
    return paths


def _is_watched(path: str, home: Path) -> bool:
    """Whether a change counts: not the index itself, nor what git writes for its own use."""
    return not Path(path).is_relative_to(home) and f"{os.sep}.git{os.sep}" not in path


async def _listen(
    state: _Watch,
    what: tuple[Sequence[str], bool],
    queue: "asyncio.Queue[set[str]]",
    ended: asyncio.Event,
) -> None:
    """Put changed paths into the queue; an empty set now and then, so that roots are looked at."""
    roots, recursive = what
    home = state.writer.settings.home

    def counts(_: Change, path: str) -> bool:
        return _is_watched(path, home)

    while not ended.is_set():
        try:
            async for changes in awatch(
                *roots,
                watch_filter=counts,
                debounce=_DEBOUNCE_MS,
                rust_timeout=_LOOK_MS,
                yield_on_timeout=True,
                stop_event=ended,
                recursive=recursive,
                force_polling=state.uses_polling,
                ignore_permission_denied=True,
            ):
                await queue.put({path for _, path in changes})
        except (OSError, RuntimeError):
            # A root went, which is noticed elsewhere; or the system's limit of watches is
            # reached, and then looking again and again still works.
            state.uses_polling = all(place_of(root) for root in roots)
            await queue.put(set())
            await _pause(ended)


async def _rest(state: _Watch, source: Source) -> None:
    """Do what was left for when nothing changes; an error ends nothing."""
    try:
        await rest(state.writer, state.project)
    except CommonplaceError as exc:
        await state.tell(source, exc)


async def _sync(state: _Watch, source: Source, paths: set[str] | None) -> None:
    """Sync one source and tell of it; an error ends nothing. ``paths`` are those that changed."""
    known = await synced_sources(state.writer.store.keyvalue, state.project)
    current = next((one for one in known if one.id == source.id), None)
    if current is None:
        return
    try:
        inside = None if paths is None else _inside(current, paths)
        report = await sync_source(state.writer, current, wish=Wish(paths=inside))
    except CommonplaceError as exc:
        await state.tell(current, exc)
    else:
        await state.tell(current, report)
