"""An embedder that remembers: vectors of a slow model are computed once per text."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from commonplace.domain.ids import content_hash
from commonplace.embedders.base import Embedder, Vectors

_BATCH = 64  # saved this often, so that an interrupted run goes on where it was


class RememberingEmbedder:
    """Another embedder's vectors, kept in one file by the hash of the text."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(letter if letter.isalnum() else "-" for letter in inner.model)
        self._file = sqlite3.connect(folder / f"{name}.db", timeout=60)
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, row BLOB)")

    @property
    def model(self) -> str:
        """The inner model's name."""
        return self._inner.model

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        return self._inner.dimension

    @property
    def texts_per_s(self) -> float:
        """The inner model's speed."""
        return self._inner.texts_per_s

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:
        """One unit-length row per text, remembered ones first."""
        keys = [
            content_hash(f"{is_query}{text}".encode("utf-8", "surrogatepass")) for text in texts
        ]
        known = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        order = sorted(missing, key=lambda key: len(missing[key]))
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            rows = await self._inner.embed([missing[key] for key in batch], is_query=is_query)
            known |= dict(zip(batch, rows, strict=True))
            self._write(batch, rows)
        found = [known[key] for key in keys]
        return np.vstack(found) if found else np.zeros((0, self.dimension), np.float32)

    def _read(self, keys: Sequence[str]) -> dict[str, Vectors]:
        known = {}
        for key in keys:
            row = self._file.execute("SELECT row FROM vectors WHERE key=?", (key,)).fetchone()
            if row:
                known[key] = np.frombuffer(row[0], np.float32)
        return known

    def _write(self, keys: Sequence[str], rows: Vectors) -> None:
        values = [
            (key, row.astype(np.float32).tobytes()) for key, row in zip(keys, rows, strict=True)
        ]
        with self._file:
            self._file.executemany("INSERT OR REPLACE INTO vectors VALUES (?,?)", values)
