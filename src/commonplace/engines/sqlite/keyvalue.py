"""The key-value port: one table, expiry by wall clock because processes share it."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import apsw

from commonplace.engines.analysis import clean
from commonplace.engines.base import PLAIN, Appended, Terms
from commonplace.engines.check import check_texts
from commonplace.engines.sqlite.connection import Connections
from commonplace.engines.sqlite.rows import as_json

Clock = Callable[[], float]

_NO_LIMIT = 1 << 60
# max() of NULL is NULL: a value that lives for ever stays so.
_APPEND = """
    INSERT INTO pairs SELECT :space, :key, :value, :expires_at
        WHERE length(:value) <= :most
            OR EXISTS (SELECT 1 FROM pairs WHERE namespace = :space AND key = :key)
    ON CONFLICT (namespace, key) DO UPDATE SET
        value = CAST(value || :joint || :value AS BLOB),
        expires_at = CASE WHEN :expires_at IS NULL THEN expires_at
            ELSE max(expires_at, :expires_at) END
    WHERE length(value) + length(:joint) + length(:value) <= :most
"""
_PUT = """
    INSERT INTO pairs VALUES (?, ?, ?, ?) ON CONFLICT (namespace, key)
        DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
"""
_MEASURE = "SELECT length(value), expires_at FROM pairs WHERE namespace = :space AND key = :key"
_LIVE = "(expires_at IS NULL OR expires_at > :now)"


class SqliteKeyValue:
    """Small values with an optional time to live; see the port for the promises."""

    def __init__(self, connections: Connections, clock: Clock = time.time) -> None:
        self._connections = connections
        self._clock = clock

    async def get(self, namespace: str, key: str) -> bytes | None:
        """The value, or None when absent or expired."""
        bound = {"space": clean(namespace), "key": clean(key), "now": self._clock()}

        def work(connection: apsw.Connection) -> bytes | None:
            row = connection.execute(
                f"SELECT value FROM pairs WHERE namespace=:space AND key=:key AND {_LIVE}",  # noqa: S608 - our own text
                bound,
            ).fetchone()
            return None if row is None else bytes(row[0])

        return await self._connections.glance(work)

    async def many(self, namespace: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The values of these keys, as far as they are there."""
        bound = {"space": clean(namespace), "keys": as_json(keys), "now": self._clock()}

        def work(connection: apsw.Connection) -> dict[str, bytes]:
            rows: Iterable[tuple[Any, ...]] = connection.execute(
                "SELECT p.key, p.value FROM json_each(:keys) AS asked CROSS JOIN pairs AS p "  # noqa: S608 - our own text
                f"ON p.namespace = :space AND p.key = asked.value WHERE {_LIVE}",
                bound,
            )
            return {key: bytes(value) for key, value in rows}

        return await self._connections.read(work)

    async def put(self, namespace: str, key: str, value: bytes, ttl_s: float | None = None) -> None:
        """Set the value; without ``ttl_s`` it stays until removed."""
        check_texts(key, (namespace, key))
        now = self._clock()
        expires_at = None if ttl_s is None else now + ttl_s

        def work(connection: apsw.Connection) -> None:
            _purge(connection, now)
            connection.execute(_PUT, (namespace, key, value, expires_at))

        await self._connections.write(work)

    async def put_many(self, namespace: str, values: Mapping[str, bytes]) -> None:
        """Set many values, to stay until removed: all or none."""
        for key in values:
            check_texts(key, (namespace, key))
        rows = [(namespace, key, value, None) for key, value in values.items()]

        def work(connection: apsw.Connection) -> None:
            connection.executemany(_PUT, rows)

        await self._connections.write(work)

    async def claim(self, namespace: str, key: str, value: bytes, ttl_s: float) -> bool:
        """Set the value if absent, expired, or already this value: how a lease is taken."""
        check_texts(key, (namespace, key))

        def work(connection: apsw.Connection) -> bool:
            now = self._clock()  # after the wait for the write lock, not before it
            _purge(connection, now)
            connection.execute(
                "INSERT INTO pairs VALUES (?, ?, ?, ?) ON CONFLICT (namespace, key) "
                "DO UPDATE SET expires_at = excluded.expires_at WHERE value = excluded.value",
                (namespace, key, value, now + ttl_s),
            )
            return connection.changes() > 0

        return await self._connections.write(work)

    async def append(
        self, namespace: str, key: str, value: bytes, terms: Terms = PLAIN
    ) -> Appended:
        """Add to the end of the value (absent counts as empty), or change nothing at all."""
        check_texts(key, (namespace, key))

        def work(connection: apsw.Connection) -> Appended:
            now = self._clock()  # after the wait for the write lock, not before it
            _purge(connection, now)
            most = _NO_LIMIT if terms.most_bytes is None else terms.most_bytes
            expires_at = None if terms.ttl_s is None else now + terms.ttl_s
            bound = {"space": namespace, "key": key, "value": value, "joint": terms.joint}
            connection.execute(_APPEND, bound | {"most": most, "expires_at": expires_at})
            is_added = connection.changes() > 0
            size, ends_at = connection.execute(_MEASURE, bound).fetchone() or (0, None)
            left_s = None if ends_at is None else ends_at - now
            return Appended(is_added=is_added, size_bytes=size, ttl_s=left_s)

        return await self._connections.write(work)

    async def keys(self, namespace: str, prefix: str = "") -> list[str]:
        """Live keys with this prefix, sorted."""
        bound = {"space": clean(namespace), "prefix": clean(prefix), "now": self._clock()}

        def work(connection: apsw.Connection) -> list[str]:
            rows = connection.execute(
                f"SELECT key FROM pairs WHERE namespace=:space AND {_LIVE} "  # noqa: S608 - our own text
                "AND substr(key, 1, length(:prefix)) = :prefix",
                bound,
            )
            return sorted(row[0] for row in rows)

        return await self._connections.glance(work)

    async def expire(self, namespace: str, key: str, ttl_s: float = 0.0) -> bool:
        """Let the key live this much longer; 0 removes it. Whether it was there."""

        def work(connection: apsw.Connection) -> bool:
            now = self._clock()
            _purge(connection, now)
            connection.execute(
                "UPDATE pairs SET expires_at = ? WHERE namespace=? AND key=?",
                (now + ttl_s, clean(namespace), clean(key)),
            )
            was_there = connection.changes() > 0
            _purge(connection, now)
            return was_there

        return await self._connections.write(work)


def _purge(connection: apsw.Connection, now: float) -> None:
    connection.execute("DELETE FROM pairs WHERE expires_at <= ?", (now,))
