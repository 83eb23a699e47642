"""One opened SQLite store: the three ports over one file."""

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from commonplace.domain.errors import InvalidArgument, StoreError
from commonplace.engines.sqlite.connection import Connections
from commonplace.engines.sqlite.graph import SqliteGraph
from commonplace.engines.sqlite.keyvalue import SqliteKeyValue
from commonplace.engines.sqlite.passages import SqlitePassages

WAIT_S = 30.0  # the setting writer_wait_s, for addresses that name none


def parse_address(address: str) -> tuple[Path, float]:
    """The file and the writer's longest wait an address names.

    >>> parse_address("sqlite:///var/index.db?wait_s=5")
    (PosixPath('/var/index.db'), 5.0)
    """
    parts = urlsplit(address)
    path = unquote(f"{parts.netloc}{parts.path}")
    given = parse_qs(parts.query).get("wait_s", [str(WAIT_S)])[-1]
    try:
        wait_s = float(given)
    except ValueError:
        wait_s = -1.0
    if not path or not 0 <= wait_s < float("inf"):
        raise InvalidArgument(
            f"{address!r} is no store address; write sqlite:///folder/index.db?wait_s=30"
        )
    return Path(path), wait_s


class SqliteStore:
    """Passages, graph and keyvalue in one file that several processes may open."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._passages = SqlitePassages(connections)
        self._graph = SqliteGraph(connections)
        self._keyvalue = SqliteKeyValue(connections)

    @classmethod
    def open(cls, address: str) -> "SqliteStore":
        """Open or make the file; raises IndexUnavailable or StoreError naming the fix."""
        path, wait_s = parse_address(address)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise StoreError(
                f"cannot make the folder {path.parent}: {exc.strerror}; "
                "make its parent writable, or set `home` to a folder that is"
            ) from exc
        return cls(Connections(path, wait_s))

    @property
    def passages(self) -> SqlitePassages:
        """Text and vectors."""
        return self._passages

    @property
    def graph(self) -> SqliteGraph:
        """Nodes and edges."""
        return self._graph

    @property
    def keyvalue(self) -> SqliteKeyValue:
        """Small values."""
        return self._keyvalue

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """Group writes of this task: all or none."""
        return self._connections.transaction()

    async def size_bytes(self) -> int:
        """How much the database, its log and its snapshots take."""
        return await asyncio.to_thread(self._connections.size_bytes)

    async def close(self) -> None:
        """Release files and threads; further calls raise StoreError."""
        await self._connections.close()
