"""Scratch: full texts kept server-side for a session, behind opaque handles (000 §5).

Nothing large goes into a reply; a reply names a handle, and the bounded tools or a resource read
get at the text. Entries leave after a time without use, or oldest first when memory runs short.
"""

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from commonplace.domain.document import Span
from commonplace.domain.errors import NotFound
from commonplace.domain.passage import Located

log = logging.getLogger(__name__)

_HANDLES = 10**9  # nine digits are three tokens; a handle is useless outside its session
_PRESSURE_EVICTIONS = 100  # warn once per this many evictions for lack of memory
_OVERHEAD_BYTES = 1024  # ids, card, bookkeeping of one entry, roughly


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What scratch keeps behind one handle."""

    passage_id: str
    """The handle: opaque, random, of one session."""
    project: str
    located: Located
    created_at: datetime
    size_bytes: int
    window: Span
    """The stretch of the document last shown from it; what ``kb.expand_excerpt`` widens."""


@dataclass(frozen=True, slots=True)
class ScratchStats:
    """Counters for ``status``."""

    entries: int
    bytes: int
    evicted_for_memory: int
    expired: int


class Scratch:
    """An LRU of notes, bounded in bytes and age, in a namespace per session.

    Every method is short and under one lock, so concurrent calls cannot corrupt the order or
    reach another session's notes.
    """

    def __init__(self, max_bytes: int, ttl_s: float, clock: Callable[[], float]) -> None:
        self._max_bytes = max_bytes
        self._ttl_s = ttl_s
        self._clock = clock
        self._lock = threading.Lock()
        self._notes: OrderedDict[tuple[str, str], tuple[float, Note]] = OrderedDict()
        self._handles: dict[tuple[str, str], str] = {}
        self._bytes = 0
        self._evicted = 0
        self._expired = 0

    def put(self, session_id: str, located: Located, window: Span | None = None) -> Note:
        """Keep this passage for the session; the same passage keeps its handle.

        ``window`` is the stretch of the document now shown from it; by default all of it.
        """
        with self._lock:
            now = self._clock()
            self._sweep(now)
            known = self._handles.get((session_id, located.passage.id))
            if known is not None:
                self._drop((session_id, known))
            note = _note(known or self._fresh_handle(session_id), located, window)
            self._notes[session_id, note.passage_id] = (now, note)
            self._handles[session_id, located.passage.id] = note.passage_id
            self._bytes += note.size_bytes + _OVERHEAD_BYTES
            self._shrink()
            return note

    def get(self, session_id: str, passage_id: str) -> Note:
        """The note behind a handle of this session.

        Raises NotFound, in the same words whether it never existed, has gone, or is another
        session's.
        """
        with self._lock:
            now = self._clock()
            self._sweep(now)
            key = (session_id, passage_id)
            if key not in self._notes:
                raise self.missing(passage_id)
            self._touch(key, now)
            return self._notes[key][1]

    def recent(self, project: str, limit: int) -> list[str]:
        """Stable ids of the passages of a project used last, in any session, the last first."""
        with self._lock:
            notes = (note for _, note in reversed(self._notes.values()))
            ids = (note.located.passage.id for note in notes if note.project == project)
            return list(islice(dict.fromkeys(ids), limit))

    @staticmethod
    def missing(passage_id: str) -> NotFound:
        """The one error for every handle that cannot be used here."""
        return NotFound(
            f"no passage {passage_id[:40]!r} in this session; handles last for one session and "
            "expire: search again and use the passage_id and session_id of that reply"
        )

    def stats(self) -> ScratchStats:
        """Size and evictions so far."""
        with self._lock:
            self._sweep(self._clock())
            return ScratchStats(len(self._notes), self._bytes, self._evicted, self._expired)

    def _fresh_handle(self, session_id: str) -> str:
        while True:
            handle = f"{secrets.randbelow(_HANDLES):09}"
            if (session_id, handle) not in self._notes:
                return handle

    def _touch(self, key: tuple[str, str], now: float) -> None:
        self._notes[key] = (now, self._notes[key][1])
        self._notes.move_to_end(key)

    def _drop(self, key: tuple[str, str]) -> None:
        _, note = self._notes.pop(key)
        self._bytes -= note.size_bytes + _OVERHEAD_BYTES
        self._handles.pop((key[0], note.located.passage.id), None)

    def _sweep(self, now: float) -> None:
        while self._notes:
            key, (used_at, _) = next(iter(self._notes.items()))
            if now - used_at < self._ttl_s:
                return
            self._drop(key)
            self._expired += 1

    def _shrink(self) -> None:
        while self._bytes > self._max_bytes and len(self._notes) > 1:
            self._drop(next(iter(self._notes)))
            self._evicted += 1
            if self._evicted % _PRESSURE_EVICTIONS == 0:
                log.warning(
                    "scratch is short of memory: %d texts evicted; raise scratch_bytes (now %d)",
                    self._evicted,
                    self._max_bytes,
                )


def _note(handle: str, located: Located, window: Span | None) -> Note:
    return Note(
        passage_id=handle,
        project=located.card.project,
        located=located,
        created_at=datetime.now(UTC),
        size_bytes=len(located.passage.text.encode("utf-8", "replace")),
        window=window or located.passage.span,
    )


def scratch_uri(session_id: str, passage_id: str) -> str:
    """The resource address of a note.

    >>> scratch_uri("s", "p")
    'commonplace://scratch/s/p'
    """
    return f"commonplace://scratch/{session_id}/{passage_id}"
