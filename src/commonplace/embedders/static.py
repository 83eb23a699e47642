"""Static embeddings: a weighted sum of token vectors; thousands of passages a second."""

import asyncio
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonplace.embedders.base import EmbedderKind, Vectors
from commonplace.settings import Settings

if TYPE_CHECKING:
    from commonplace.embedders.models.supercat import Supercat

_BATCH = 256
_INLINE = 8  # so few texts, if short, take less time than a hop to a thread
_INLINE_CHARS = 16_384


class StaticEmbedder:
    """Word-piece vectors added up; English first, no network, no start-up cost to speak of."""

    model = "wordllama-l2-supercat-256@0.4"
    dimension = 256
    texts_per_s = 3000.0  # texts of 120 words on one core

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Supercat | None = None

    def _loaded(self) -> "Supercat":
        from commonplace.embedders.models import supercat  # noqa: PLC0415 - loads at first use

        with self._lock:
            if self._model is None:
                self._model = supercat.load()
            return self._model

    async def _ready(self) -> "Supercat":
        if self._model is None:
            return await asyncio.to_thread(self._loaded)
        return self._model

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:  # noqa: ARG002 - queries and passages are alike to it
        """One unit-length row per text; zeros for an empty one."""
        model = await self._ready()
        if len(texts) <= _INLINE and sum(map(len, texts)) <= _INLINE_CHARS:
            return model.rows(texts)
        starts = range(0, len(texts), _BATCH)
        batches = [texts[start : start + _BATCH] for start in starts]
        return model.joined([await asyncio.to_thread(model.rows, batch) for batch in batches])


def _make(_: Settings) -> StaticEmbedder:
    return StaticEmbedder()


STATIC = EmbedderKind("static", _make)
