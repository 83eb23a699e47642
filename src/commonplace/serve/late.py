"""The store of a server, which lives longer than an index may.

Clients show a server that ends as "disconnected". One that lists its tools can tell in every reply
what is wrong with the index and how to mend it, and answers as soon as that is done. And who moves
an index away and adds sources again would go on with answers from the old one, for days.
"""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from commonplace.domain.errors import StoreError
from commonplace.engines.base import Graph, KeyValue, Passages, Store
from commonplace.serve.build import open_store
from commonplace.settings import Settings

log = logging.getLogger(__name__)

_LOOK_S = 1.0  # between two looks whether the file is still the same


class LateStore:
    """Opens its store when it is first asked for something; raises what keeps it from that."""

    def __init__(self, opening: Callable[[], Store], file: Path | None = None) -> None:
        self._opening = opening
        self._file = file
        self._store: Store | None = None
        self._opened_file: tuple[int, int] | None = None
        self._left: list[Store] = []
        """Stores of files that are no longer there; calls may still be at work on them."""
        self._look_at = 0.0

    @property
    def passages(self) -> Passages:
        """Text and vectors."""
        return self.opened().passages

    @property
    def graph(self) -> Graph:
        """Nodes and edges."""
        return self.opened().graph

    @property
    def keyvalue(self) -> KeyValue:
        """Small values."""
        return self.opened().keyvalue

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """Group writes of this task."""
        return self.opened().transaction()

    async def size_bytes(self) -> int:
        """How much the store takes on disk."""
        return await self.opened().size_bytes()

    async def close(self) -> None:
        """Release what was opened."""
        for store in (*self._left, *([self._store] if self._store else [])):
            await store.close()

    def opened(self) -> Store:
        """The store of the file that is there now; raises StoreError naming the fix."""
        if self._store is not None and self._is_replaced():
            log.info("another index has taken the place of the one that was open")
            self._left.append(self._store)
            self._store = None
        if self._store is None:
            self._store = self._opening()
            self._opened_file = self._identity()
        return self._store

    def _is_replaced(self) -> bool:
        now = time.monotonic()
        if now < self._look_at:
            return False
        self._look_at = now + _LOOK_S
        found = self._identity()
        # A file that is gone is not replaced yet: opening would make an empty one in its place.
        return found is not None and found != self._opened_file

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self._file.stat() if self._file else None
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found else None


def open_late(settings: Settings) -> Store:
    """The store the settings name, or one that tells why there is none until there is."""
    file = None if settings.store else settings.home / "index.db"
    store = LateStore(partial(open_store, settings), file)
    try:
        store.opened()
    except StoreError as exc:
        log.error("every call will say so until it is mended: %s", exc.message)
    return store
