"""Which passages hold which words: arrays a search reads, and how they are put together."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from commonplace.engines.sqlite import views
from commonplace.engines.sqlite.codes import Numbers
from commonplace.engines.sqlite.words import RECORD_BYTES

_RECORD = np.dtype([("low", "<u4"), ("high", "<u2"), ("halves", "u1")])

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """Entries of words in rows, in any order."""

    passages: Numbers
    documents: Numbers
    lengths: npt.NDArray[np.uint32]
    words: npt.NDArray[np.uint64]
    """Of each entry."""
    rows: npt.NDArray[np.int32]
    halves: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.passages)


def unpacked(found: views.Stored) -> Postings:
    """The postings of stored rows, in their order."""
    count = len(found)
    records = np.frombuffer(b"".join(row[2] for row in found), _RECORD)
    sizes = np.fromiter((len(row[2]) // RECORD_BYTES for row in found), np.int64, count)
    first = np.cumsum(sizes) - sizes
    is_entry = np.ones(len(records), bool)
    is_entry[first] = False
    entries = records[is_entry]
    return Postings(
        passages=np.fromiter((row[0] for row in found), np.int64, count),
        documents=np.fromiter((row[1] for row in found), np.int64, count),
        lengths=records["low"][first],
        words=entries["low"].astype(np.uint64) | entries["high"].astype(np.uint64) << np.uint64(32),
        rows=np.repeat(np.arange(count, dtype=np.int32), sizes - 1),
        halves=np.ascontiguousarray(entries["halves"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """Postings sorted by word: the entries of ``vocabulary[i]`` begin at ``starts[i]``."""

    passages: Numbers
    documents: Numbers
    lengths: npt.NDArray[np.uint32]
    vocabulary: npt.NDArray[np.uint64]
    starts: Numbers
    rows: npt.NDArray[np.int32]
    halves: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.passages)

    def find(self, word: np.uint64) -> slice:
        """Where the entries of a word stand."""
        at = int(np.searchsorted(self.vocabulary, word))
        if at == len(self.vocabulary) or self.vocabulary[at] != word:
            return slice(0, 0)
        return slice(int(self.starts[at]), int(self.starts[at + 1]))

    def entries(self) -> Postings:
        """The same as plain postings, in the order they are kept."""
        words = np.repeat(self.vocabulary, np.diff(self.starts))
        return Postings(
            passages=self.passages,
            documents=self.documents,
            lengths=self.lengths,
            words=words,
            rows=self.rows,
            halves=self.halves,
        )


def in_order(postings: Postings) -> Base:
    """The same, sorted by word."""
    order = np.argsort(postings.words, kind="stable")
    words = postings.words[order]
    starts = np.flatnonzero(np.concatenate([[True], words[1:] != words[:-1]]))
    return Base(
        passages=postings.passages,
        documents=postings.documents,
        lengths=postings.lengths,
        vocabulary=words[starts],
        starts=np.append(starts, len(words)),
        rows=postings.rows[order],
        halves=postings.halves[order],
    )


def joined(first: Postings, second: Postings) -> Postings:
    """The rows of both, those of the second numbered after the first's."""
    moved = second.rows + np.int32(len(first))
    return Postings(
        passages=np.concatenate([first.passages, second.passages]),
        documents=np.concatenate([first.documents, second.documents]),
        lengths=np.concatenate([first.lengths, second.lengths]),
        words=np.concatenate([first.words, second.words]),
        rows=np.concatenate([first.rows, moved]),
        halves=np.concatenate([first.halves, second.halves]),
    )


def without(postings: Postings, gone: Flags) -> Postings:
    """The postings of the rows that stay, numbered anew."""
    if not gone.any():
        return postings
    stays = ~gone
    numbers = np.cumsum(stays, dtype=np.int32) - 1
    kept = stays[postings.rows]
    return Postings(
        passages=postings.passages[stays],
        documents=postings.documents[stays],
        lengths=postings.lengths[stays],
        words=postings.words[kept],
        rows=numbers[postings.rows[kept]],
        halves=postings.halves[kept],
    )
