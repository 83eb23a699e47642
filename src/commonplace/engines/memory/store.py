"""One opened memory store: the three ports over the same dicts."""

from contextlib import AbstractAsyncContextManager

from commonplace.engines.memory.graph import MemoryGraph
from commonplace.engines.memory.held import Held
from commonplace.engines.memory.keyvalue import MemoryKeyValue
from commonplace.engines.memory.passages import MemoryPassages


class MemoryStore:
    """All three ports; gone with the process."""

    def __init__(self) -> None:
        self._held = Held()
        self._passages = MemoryPassages(self._held)
        self._graph = MemoryGraph(self._held)
        self._keyvalue = MemoryKeyValue(self._held)

    @property
    def passages(self) -> MemoryPassages:
        """Text and vectors."""
        return self._passages

    @property
    def graph(self) -> MemoryGraph:
        """Nodes and edges."""
        return self._graph

    @property
    def keyvalue(self) -> MemoryKeyValue:
        """Small values."""
        return self._keyvalue

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """Group writes of this task: all or none."""
        return self._held.transaction()

    async def size_bytes(self) -> int:
        """Nothing is on disk."""
        return 0

    async def close(self) -> None:
        """Further calls raise StoreError."""
        self._held.close()
