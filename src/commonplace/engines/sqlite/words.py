"""Words as rows: what a passage holds, counted, in the document's transaction.

A passage's words are kept where its vectors are, as those of a model of their own: one log tells
readers what changed of either. A word is known by 48 bits of its hash: no dictionary to keep in
step, and among a million words the chance that any two are taken for each other is 1 in 500.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b

import apsw

from commonplace.engines.analysis import Counted, columns, count
from commonplace.engines.sqlite import vectors

WORDS = ""
"""The name of the model; no embedder can have it."""
HASH_BYTES = 6
RECORD_BYTES = 7
"""A word's hash and what it counts, in halves. The first record of a row is its length."""
_BYTES = [bytes([number]) for number in range(256)]


@lru_cache(maxsize=1 << 17)
def hashed(word: str) -> bytes:
    """What a word is known by."""
    return blake2b(word.encode(), digest_size=HASH_BYTES).digest()


def pack(counted: Counted) -> bytes:
    """The words of a passage as one value.

    >>> len(pack(Counted({"pool": 2, "size": 3}, 4))) == 3 * RECORD_BYTES
    True
    """
    length = counted.length.to_bytes(HASH_BYTES, "little") + b"\0"
    return length + b"".join(
        [hashed(word) + _BYTES[halves] for word, halves in counted.halves.items()]
    )


def put(
    connection: apsw.Connection,
    project: int,
    title: str,
    passages: Iterable[tuple[int, Sequence[str], str]],
) -> None:
    """Set the words of passages: their numbers, headings and texts."""
    rows = {
        number: pack(count(columns(title, headings, text))) for number, headings, text in passages
    }
    vectors.put_rows(connection, (project, WORDS, 0), rows)
