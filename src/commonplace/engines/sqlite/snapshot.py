"""The snapshot: one-bit codes of a model's vectors in a file beside the database.

A copy for speed, never the truth: it carries the database's token and the log's ``seq`` it was
made at, and a checksum. One that is missing, torn, of another database or of another history is
made anew.
"""

import glob
import logging
import struct
import tempfile
import zlib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

logger = logging.getLogger(__name__)

MAGIC = b"cmplbits"
FORMAT = 1
_HEADER = struct.Struct("<8sII16sQQQQI4x")  # a multiple of 8 bytes: what follows stays aligned

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little")
_CHUNK = 32_768  # rows whose codes are compared at a time: the scratch space stays in cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """The sign of each coordinate less the centre, 64 to a word, one line of words a row-block.

    ``words[w, r]`` is word ``w`` of row ``r``: scanning goes along memory.
    """

    passages: Numbers
    documents: Numbers
    centre: Floats
    words: Words
    trained: int
    """How many rows the centre was the mean of."""

    def __len__(self) -> int:
        return len(self.passages)

    def distances(self, vector: Floats) -> npt.NDArray[np.uint16]:
        """How many signs differ, by row."""
        asked = encode(vector[np.newaxis, :], self.centre)[:, 0]
        total = np.zeros(len(self), np.uint16)
        crossed = np.empty(_CHUNK, np.uint64)
        counted = np.empty(_CHUNK, np.uint8)
        for start in range(0, len(self), _CHUNK):
            part = total[start : start + _CHUNK]
            size = len(part)
            for word, line in zip(asked, self.words, strict=True):
                np.bitwise_xor(line[start : start + size], word, out=crossed[:size])
                np.bitwise_count(crossed[:size], out=counted[:size])
                part += counted[:size]
        return total

    def products(self, vector: Floats, places: Numbers) -> Floats:
        """The vector times the signs of these rows: sharper than distances, and dearer."""
        padded = np.zeros(64 * len(self.words), np.float32)
        padded[: len(vector)] = vector
        # What each byte of a code adds is looked up: a quarter of the time of unpacking bits.
        tables = padded.reshape(-1, 8) @ _BITS.T.astype(np.float32)
        octets = np.take(self.words, places, axis=1).view(np.uint8).reshape(-1, len(places), 8)
        total = np.zeros(len(places), np.float32)
        for place, table in enumerate(tables):
            total += table.take(octets[place >> 3, :, place & 7])
        return total


def encode(rows: npt.NDArray[np.floating], centre: Floats) -> Words:
    """One-bit codes of rows, as words by row.

    >>> encode(np.array([[1.0, -1.0, 2.0]]), np.zeros(3, np.float32)).tolist()
    [[5]]
    """
    width = -(-rows.shape[1] // 64) * 8
    packed = np.packbits(rows > centre, axis=1, bitorder="little")
    padded = np.zeros((len(rows), width), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view("<u8").T).astype(np.uint64, copy=False)


def train(passages: Numbers, documents: Numbers, rows: npt.NDArray[np.floating]) -> Codes:
    """Codes of all these rows, centred on their own mean."""
    centre = rows.mean(axis=0, dtype=np.float32)
    words = encode(rows, centre)
    return Codes(
        passages=passages, documents=documents, centre=centre, words=words, trained=len(rows)
    )


def save(path: Path, codes: Codes, stamp: tuple[str, int]) -> None:
    """Write the snapshot beside its place, then move it there: readers see old or new.

    A folder that cannot be written costs speed, not answers, so it is only logged.
    """
    token, seq = stamp
    body = [codes.words, codes.passages, codes.documents, codes.centre]
    parts = [np.ascontiguousarray(part).view(np.uint8).reshape(-1).data for part in body]
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    header = _HEADER.pack(
        MAGIC,
        FORMAT,
        len(codes.centre),
        token.encode(),
        seq,
        len(codes),
        codes.trained,
        codes.words.shape[0],
        checksum,
    )
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f"{path.name}.", suffix=".part", delete=False
        ) as file:
            try:
                file.writelines([header, *parts])
                file.close()
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as exc:
        logger.warning("vector snapshot %s not written: %s; searches stay slower", path.name, exc)


def load(path: Path, token: str) -> tuple[Codes, int] | None:
    """The codes and the ``seq`` they were made at; None unless whole and of this database."""
    try:
        content = np.asarray(np.memmap(path, np.uint8, "r"))  # a plain view slices faster
    except (OSError, ValueError):  # absent, or empty and so not mappable
        return None
    if len(content) < _HEADER.size:
        return None
    magic, version, dimension, owner, seq, count, trained, width, checksum = _HEADER.unpack(
        content[: _HEADER.size].tobytes()
    )
    if (magic, version, owner) != (MAGIC, FORMAT, token.encode()):
        return None
    # Whole words first, so that every part is aligned.
    sizes = np.cumsum([_HEADER.size, 8 * count * width, 8 * count, 8 * count, 4 * dimension])
    if len(content) != sizes[-1] or zlib.crc32(content[_HEADER.size :].data) != checksum:
        return None
    words, passages, documents, centre = (
        content[start:stop] for start, stop in pairwise(sizes.tolist())
    )
    codes = Codes(
        passages=passages.view(np.int64),
        documents=documents.view(np.int64),
        centre=centre.view(np.float32),
        words=words.view(np.uint64).reshape(width, count),
        trained=trained,
    )
    return codes, seq


def remove_parts(path: Path) -> None:
    """Remove what a killed process left half-written."""
    for part in path.parent.glob(f"{glob.escape(path.name)}.*.part"):
        try:
            part.unlink()
        except OSError as exc:
            logger.debug("cannot remove %s: %s", part.name, exc)
