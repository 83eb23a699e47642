"""Sessions: who is asking, and what they have already seen (DESIGN §4).

A session is the process on stdio, the ``Mcp-Session-Id`` on legacy HTTP, and on stateless HTTP an
explicit ``session_id`` the server minted. The first two have a connection to be found by, so their
ids are short (they are paid in tokens in every scratch URI) and never open a session from
elsewhere; the third is found by its id alone, so the id is a UUIDv4, bound to its principal.
"""

import secrets
import threading
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from commonplace.domain.errors import InvalidArgument

_SHORT_IDS = 10**9  # nine digits are three tokens; useless without the connection it belongs to
_MOST_SESSIONS = 10_000  # as many as the SDK's own HTTP manager keeps open
_MOST_SEEN = 2_000  # passages remembered as shown; older ones may be shown again
_MOST_QUERIES = 20
_MOST_LOOKED_AT = 12
_MOST_LISTS = 50


class Sighting(NamedTuple):
    """Something a conversation asked for by name."""

    id: str
    name: str
    document_id: str | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Session:
    """What one conversation has asked and seen; forgotten some time after its last call."""

    id: str
    principal: str
    started_at: datetime
    _seen: OrderedDict[str, None] = field(default_factory=OrderedDict, repr=False)
    _queries: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_QUERIES), repr=False)
    _trail: OrderedDict[str, Sighting] = field(default_factory=OrderedDict, repr=False)
    _lists: OrderedDict[str, tuple[str, ...]] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def trail(self) -> tuple[Sighting, ...]:
        """What was asked for by name lately, the last one last, each once."""
        with self._lock:
            return tuple(self._trail.values())

    def look(self, sighting: Sighting) -> None:
        """Remember what the conversation is about."""
        with self._lock:
            self._trail[sighting.id] = sighting
            self._trail.move_to_end(sighting.id)
            while len(self._trail) > _MOST_LOOKED_AT:
                self._trail.popitem(last=False)

    def focus(self, of_list: str, *, goes_on: bool) -> tuple[str, ...]:
        """Documents the conversation is about, as they were when a list was begun.

        A page that goes on with a list must see it in the order the first page saw.
        """
        with self._lock:
            known = self._lists.get(of_list)
            if goes_on:
                return known or ()
            documents = {one.document_id for one in self._trail.values() if one.document_id}
            self._lists[of_list] = tuple(sorted(documents))
            self._lists.move_to_end(of_list)
            while len(self._lists) > _MOST_LISTS:
                self._lists.popitem(last=False)
            return self._lists[of_list]

    @property
    def queries(self) -> tuple[str, ...]:
        """The last questions, oldest first."""
        with self._lock:
            return tuple(self._queries)

    def ask(self, query: str) -> None:
        """Remember a question."""
        with self._lock:
            self._queries.append(query)

    def see(self, passage_ids: Iterable[str]) -> None:
        """Remember passages, by stable id, as shown."""
        with self._lock:
            for passage_id in passage_ids:
                self._seen[passage_id] = None
                self._seen.move_to_end(passage_id)
            while len(self._seen) > _MOST_SEEN:
                self._seen.popitem(last=False)

    def has_seen(self, passage_id: str) -> bool:
        """Whether the passage was shown before."""
        with self._lock:
            return passage_id in self._seen

    def seen_of(self, prefix: str) -> list[str]:
        """What was seen whose name begins so, the last first."""
        with self._lock:
            return [name for name in reversed(self._seen) if name.startswith(prefix)]


@dataclass(slots=True)
class _Entry:
    session: Session
    connection: str | None
    used_at: float


class Sessions:
    """Every live session; bounded in number and age, safe to use from any task or thread."""

    def __init__(
        self, ttl_s: float, clock: Callable[[], float], most: int = _MOST_SESSIONS
    ) -> None:
        self._ttl_s = ttl_s
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._of_connection: dict[str, str] = {}

    def resolve(self, explicit_id: str | None, connection: str | None, principal: str) -> Session:
        """The session a call belongs to; a new one when the call names none.

        Raises InvalidArgument for an id that is unknown, expired or someone else's, always in
        the same words.
        """
        with self._lock:
            now = self._clock()
            self._sweep(now)
            if explicit_id is None:
                entry = self._own(connection, principal) or self._open(connection, principal, now)
            else:
                found = self._find(explicit_id, connection, principal)
                if found is None:
                    raise InvalidArgument(
                        "unknown or expired session_id; omit it to start a new one",
                        field="session_id",
                    )
                entry = found
            return self._use(entry, now)

    def find(self, session_id: str, connection: str | None, principal: str) -> Session | None:
        """The live session of this id if this caller may enter it."""
        with self._lock:
            now = self._clock()
            self._sweep(now)
            entry = self._find(session_id, connection, principal)
            return self._use(entry, now) if entry else None

    def __len__(self) -> int:
        with self._lock:
            self._sweep(self._clock())
            return len(self._entries)

    def _own(self, connection: str | None, principal: str) -> _Entry | None:
        if connection is None:
            return None
        entry = self._entries.get(self._of_connection.get(connection, ""))
        return entry if entry and entry.session.principal == principal else None

    def _find(self, session_id: str, connection: str | None, principal: str) -> _Entry | None:
        entry = self._entries.get(session_id)
        if entry is None or entry.session.principal != principal:
            return None
        return entry if entry.connection == connection else None

    def _open(self, connection: str | None, principal: str, now: float) -> _Entry:
        session_id = uuid.uuid4().hex if connection is None else self._short_id()
        session = Session(id=session_id, principal=principal, started_at=datetime.now(UTC))
        entry = _Entry(session, connection, now)
        self._entries[session_id] = entry
        if connection is not None:
            self._of_connection[connection] = session_id
        while len(self._entries) > self._most:
            self._close(next(iter(self._entries)))
        return entry

    def _short_id(self) -> str:
        while True:
            session_id = f"{secrets.randbelow(_SHORT_IDS):09}"
            if session_id not in self._entries:
                return session_id

    def _use(self, entry: _Entry, now: float) -> Session:
        entry.used_at = now
        self._entries.move_to_end(entry.session.id)
        return entry.session

    def _sweep(self, now: float) -> None:
        while self._entries:
            session_id, entry = next(iter(self._entries.items()))
            if now - entry.used_at < self._ttl_s:
                return
            self._close(session_id)

    def _close(self, session_id: str) -> None:
        entry = self._entries.pop(session_id)
        if entry.connection and self._of_connection.get(entry.connection) == session_id:
            del self._of_connection[entry.connection]
