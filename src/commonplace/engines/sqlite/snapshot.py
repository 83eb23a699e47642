"""Snapshots: what a process has computed of many rows, as arrays in a file beside the database.

A copy for speed, never the truth: it carries the database's token and the log's ``seq`` it was
made at, and a checksum. One that is missing, torn, of another database or of another history is
made anew.
"""

import glob
import json
import logging
import struct
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

logger = logging.getLogger(__name__)

MAGIC = b"cmplsnap"
FORMAT = 3
_READABLE = {2, FORMAT}  # the one before had no ids of passages
_HEADER = struct.Struct("<8sII16sQQ")
"""Magic, format, checksum of all that follows it, token, seq, length of the table of contents."""
_ALIGNED = 64
_READ_BYTES = 1 << 22

Arrays = Mapping[str, npt.NDArray[Any]]


def _padding(size: int) -> bytes:
    return bytes(-size % _ALIGNED)


def _checksum(token: bytes, seq: int) -> int:
    return zlib.crc32(token + seq.to_bytes(8, "little"))


def save(path: Path, arrays: Arrays, stamp: tuple[str, int]) -> bool:
    """Write the snapshot beside its place, then move it there: readers see old or new.

    A folder that cannot be written costs speed, not answers, so it is only logged.
    """
    token, seq = stamp[0].encode(), stamp[1]
    listed = [[name, part.dtype.str, part.shape] for name, part in arrays.items()]
    contents = json.dumps(listed).encode()
    parts: list[Any] = [contents, _padding(_HEADER.size + len(contents))]
    for part in arrays.values():
        parts += [np.ascontiguousarray(part).view(np.uint8).reshape(-1).data]
        parts += [_padding(part.nbytes)]
    checksum = _checksum(token, seq)
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    header = _HEADER.pack(MAGIC, FORMAT, checksum, token, seq, len(contents))
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
        logger.warning("snapshot %s not written: %s; searches stay slower", path.name, exc)
        return False
    return True


def load(path: Path, token: str) -> tuple[Arrays, int] | None:
    """The arrays, mapped, and the ``seq`` they were made at; None unless whole and ours."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                return None
            magic, version, checksum, owner, seq, size = _HEADER.unpack(header)
            if (magic, owner) != (MAGIC, token.encode()) or version not in _READABLE:
                return None
            found = _checksum(owner, seq)
            # Read, not mapped: what is only checked need not stay in this process's memory.
            while part := file.read(_READ_BYTES):
                found = zlib.crc32(part, found)
        if found != checksum:
            return None
        content = np.asarray(np.memmap(path, np.uint8, "r"))  # a plain view slices faster
    except (OSError, ValueError):  # absent, unreadable, or empty and so not mappable
        return None
    return _arrays(content, size), seq


def _arrays(content: npt.NDArray[np.uint8], size: int) -> Arrays:
    at = _HEADER.size + size
    listed = json.loads(content[_HEADER.size : at].tobytes())
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, kind, shape in listed:
        at += -at % _ALIGNED
        dtype = np.dtype(kind)
        end = at + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        arrays[name] = content[at:end].view(dtype).reshape(shape)
        at = end
    return arrays


def remove_parts(path: Path) -> None:
    """Remove what a killed process left half-written."""
    for part in path.parent.glob(f"{glob.escape(path.name)}.*.part"):
        try:
            part.unlink()
        except OSError as exc:
            logger.debug("cannot remove %s: %s", part.name, exc)
