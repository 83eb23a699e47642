"""The key-value port over a dict."""

import time
from collections.abc import Mapping, Sequence

from commonplace.engines.base import PLAIN, Appended, Terms
from commonplace.engines.check import check_texts
from commonplace.engines.memory.held import Held


class MemoryKeyValue:
    """Small values; see the port for the promises."""

    def __init__(self, held: Held) -> None:
        self._held = held

    def _live(self, namespace: str, key: str) -> tuple[bytes, float | None] | None:
        self._held.check_open()
        found = self._held.pairs.get((namespace, key))
        if found is None or (found[1] is not None and found[1] <= time.time()):
            return None
        return found

    async def get(self, namespace: str, key: str) -> bytes | None:
        """The value, or None when absent or expired."""
        found = self._live(namespace, key)
        return None if found is None else found[0]

    async def many(self, namespace: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The values of these keys, as far as they are there."""
        found = {key: self._live(namespace, key) for key in keys}
        return {key: pair[0] for key, pair in found.items() if pair is not None}

    async def put(self, namespace: str, key: str, value: bytes, ttl_s: float | None = None) -> None:
        """Set the value; without ``ttl_s`` it stays until removed."""
        check_texts(key, (namespace, key))
        async with self._held.transaction():
            expires_at = None if ttl_s is None else time.time() + ttl_s
            self._held.pairs[namespace, key] = (value, expires_at)

    async def put_many(self, namespace: str, values: Mapping[str, bytes]) -> None:
        """Set many values, to stay until removed: all or none."""
        for key in values:
            check_texts(key, (namespace, key))
        async with self._held.transaction():
            self._held.pairs |= {(namespace, key): (value, None) for key, value in values.items()}

    async def claim(self, namespace: str, key: str, value: bytes, ttl_s: float) -> bool:
        """Set the value if absent, expired, or already this value: how a lease is taken."""
        check_texts(key, (namespace, key))
        async with self._held.transaction():
            found = self._live(namespace, key)
            if found is not None and found[0] != value:
                return False
            self._held.pairs[namespace, key] = (value, time.time() + ttl_s)
            return True

    async def append(
        self, namespace: str, key: str, value: bytes, terms: Terms = PLAIN
    ) -> Appended:
        """Add to the end of the value (absent counts as empty), or change nothing at all."""
        check_texts(key, (namespace, key))
        async with self._held.transaction():
            now, found = time.time(), self._live(namespace, key)
            before, expires_at = found or (b"", None)
            after = before + terms.joint + value if found else value
            is_added = terms.most_bytes is None or len(after) <= terms.most_bytes
            if is_added:
                if terms.ttl_s is not None and (found is None or expires_at is not None):
                    expires_at = max(expires_at or 0.0, now + terms.ttl_s)
                self._held.pairs[namespace, key] = (after, expires_at)
            size_bytes = len(after if is_added else before)
            left_s = None if expires_at is None else expires_at - now
            return Appended(is_added=is_added, size_bytes=size_bytes, ttl_s=left_s)

    async def keys(self, namespace: str, prefix: str = "") -> list[str]:
        """Live keys with this prefix, sorted."""
        return sorted(
            key
            for space, key in self._held.pairs
            if space == namespace and key.startswith(prefix) and self._live(space, key)
        )

    def _purge(self) -> None:
        now, pairs = time.time(), self._held.pairs
        dead = [
            key for key, (_, ends_at) in pairs.items() if ends_at is not None and ends_at <= now
        ]
        for key in dead:
            del pairs[key]

    async def expire(self, namespace: str, key: str, ttl_s: float = 0.0) -> bool:
        """Let the key live this much longer; 0 removes it. Whether it was there."""
        async with self._held.transaction():
            self._purge()
            found = self._live(namespace, key)
            if found is None:
                return False
            self._held.pairs[namespace, key] = (found[0], time.time() + ttl_s)
            return True
