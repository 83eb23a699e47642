"""What the embedders share: weight files found and checked, texts made safe, rows of unit length.

Weight wheels are data: they are located without being imported and pinned by SHA-256, so a
changed file is an error and never a silently different model.
"""

import hashlib
import importlib.util
import os
from functools import lru_cache
from pathlib import Path

import numpy as np

from commonplace.domain.errors import EmbedError
from commonplace.embedders.base import Vectors


def locate(package: str, *parts: str) -> Path:
    """A data file inside an installed package, without running the package's code."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbedError(f"package {package} is missing; run `make setup` or reinstall commonplace")
    return Path(spec.submodule_search_locations[0]).joinpath(*parts)


@lru_cache(maxsize=16)
def _digest(path: Path, size: int, modified_ns: int) -> str:  # noqa: ARG001 - part of the key
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def checked(path: Path, sha256: str) -> Path:
    """The path itself when the file is the pinned one; hashed once a process and version."""
    try:
        stat = path.stat()
        digest = _digest(path, stat.st_size, stat.st_mtime_ns)
    except OSError as exc:
        raise EmbedError(
            f"cannot read {path.name}: {exc.strerror}; reinstall commonplace's requirements"
        ) from exc
    if digest != sha256:
        raise EmbedError(
            f"{path.name} is not the pinned model file (SHA-256 {digest[:12]}…, expected "
            f"{sha256[:12]}…); install the versions of requirements/run.txt"
        )
    return path


def encodable(text: str, max_chars: int) -> str:
    r"""The first ``max_chars`` characters, with lone surrogates replaced so tokenizers take it.

    >>> encodable("a\ud800bc", 3)
    'a?b'
    """
    return text[:max_chars].encode("utf-8", "replace").decode("utf-8")


def unit_rows(rows: Vectors) -> Vectors:
    """Each row divided by its length; rows of zeros stay zeros.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def core_count(threads: int) -> int:
    """The cores to use: as set, or all this process may run on."""
    if threads:
        return threads
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
