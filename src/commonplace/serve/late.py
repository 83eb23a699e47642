"""A store that could not be opened when a server started: it is tried again at every call.

Clients show a server that ends as "disconnected". One that lists its tools can tell in every reply
what is wrong with the index and how to mend it, and answers as soon as that is done.
"""

import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

from commonplace.domain.errors import StoreError
from commonplace.engines.base import Graph, KeyValue, Passages, Store
from commonplace.serve.build import open_store
from commonplace.settings import Settings

log = logging.getLogger(__name__)


class LateStore:
    """Opens its store when it is first asked for something; raises what keeps it from that."""

    def __init__(self, opening: Callable[[], Store]) -> None:
        self._opening = opening
        self._store: Store | None = None

    @property
    def passages(self) -> Passages:
        """Text and vectors."""
        return self._opened().passages

    @property
    def graph(self) -> Graph:
        """Nodes and edges."""
        return self._opened().graph

    @property
    def keyvalue(self) -> KeyValue:
        """Small values."""
        return self._opened().keyvalue

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """Group writes of this task."""
        return self._opened().transaction()

    async def size_bytes(self) -> int:
        """How much the store takes on disk."""
        return await self._opened().size_bytes()

    async def close(self) -> None:
        """Release what was opened."""
        if self._store is not None:
            await self._store.close()

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._opening()
            log.info("the index can be used again")
        return self._store


def open_soon(settings: Settings) -> Store:
    """The store the settings name, or one that tells why there is none until there is."""
    try:
        return open_store(settings)
    except StoreError as exc:
        log.error("every call will say so until it is mended: %s", exc.message)
        return LateStore(partial(open_store, settings))
