"""Which passages hold which words: arrays a search reads, and how they are put together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from commonplace.engines.sqlite import views
from commonplace.engines.sqlite.ids import Ids, Numbers, packed
from commonplace.engines.sqlite.words import RECORD_BYTES

_RECORD = np.dtype([("low", "<u4"), ("high", "<u2"), ("halves", "u1")])
_MOVED = 1 << 22  # entries moved at a time

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """Entries of words in rows, in any order."""

    passages: Numbers
    documents: Numbers
    ids: Ids
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
        ids=packed(row[3] for row in found),
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
    ids: Ids
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

    def without(self, gone: Flags) -> "Base":
        """The rows that stay, numbered anew."""
        if not gone.any():
            return self
        stays = ~gone
        numbers = np.cumsum(stays, dtype=np.int32) - 1
        kept = stays[self.rows]
        before = np.concatenate([[0], np.cumsum(kept)])
        return Base(
            passages=self.passages[stays],
            documents=self.documents[stays],
            ids=self.ids[stays],
            lengths=self.lengths[stays],
            vocabulary=self.vocabulary,
            starts=before[self.starts],
            rows=numbers[self.rows[kept]],
            halves=self.halves[kept],
        )


def in_order(postings: Postings) -> Base:
    """The same, sorted by word."""
    order = np.argsort(postings.words, kind="stable")
    words = postings.words[order]
    starts = np.flatnonzero(np.concatenate([[True], words[1:] != words[:-1]]))
    return Base(
        passages=postings.passages,
        documents=postings.documents,
        ids=postings.ids,
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
        ids=np.concatenate([first.ids, second.ids]),
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
        ids=postings.ids[stays],
        lengths=postings.lengths[stays],
        words=postings.words[kept],
        rows=numbers[postings.rows[kept]],
        halves=postings.halves[kept],
    )


def merged(bases: Sequence[Base]) -> Base:
    """All rows, those of each base numbered after the ones before it."""
    vocabulary = np.unique(np.concatenate([base.vocabulary for base in bases]))
    places = [np.searchsorted(vocabulary, base.vocabulary) for base in bases]
    counts = np.zeros(len(vocabulary), np.int64)
    for base, place in zip(bases, places, strict=True):
        counts[place] += np.diff(base.starts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    rows = np.empty(starts[-1], np.int32)
    halves = np.empty(starts[-1], np.uint8)
    free, offset = starts[:-1].copy(), 0
    for base, place in zip(bases, places, strict=True):
        for first, last in _stretches(base.starts):
            sizes = np.diff(base.starts[first : last + 1])
            begin, end = base.starts[first], base.starts[last]
            shift = np.repeat(free[place[first:last]] - base.starts[first:last], sizes)
            to = shift + np.arange(begin, end)
            rows[to] = base.rows[begin:end] + np.int32(offset)
            halves[to] = base.halves[begin:end]
        free[place] += np.diff(base.starts)
        offset += len(base)
    return Base(
        passages=np.concatenate([base.passages for base in bases]),
        documents=np.concatenate([base.documents for base in bases]),
        ids=np.concatenate([base.ids for base in bases]),
        lengths=np.concatenate([base.lengths for base in bases]),
        vocabulary=vocabulary,
        starts=starts,
        rows=rows,
        halves=halves,
    )


def _stretches(starts: Numbers) -> Iterator[tuple[int, int]]:
    """Runs of words of a few million entries each: what is moved at a time fits in memory."""
    marks = np.searchsorted(starts, np.arange(0, starts[-1] + _MOVED, _MOVED))
    yield from pairwise(np.unique(np.minimum(marks, len(starts) - 1)).tolist())
