"""One-bit codes of vectors: what a scan of all rows reads."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from commonplace.engines.sqlite.ids import Ids, Numbers

Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]
Lines = npt.NDArray[np.uint64]
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little")
_CHUNK = 131_072  # rows compared at a time: a call costs more than leaving the nearest cache
_SUMMED = 3  # words whose differing signs are counted in one byte: 192 at most


WIDENED = np.float32(2.0**112)
"""Exponents of halves count from 15, those of floats from 127."""
_KEPT = np.int32(-0x7000_2000)  # of a widened sign only the first bit


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """The sign of each coordinate less the centre, 64 to a word, one line of words a row-block.

    ``lines[w, r]`` is word ``w`` of row ``r``: scanning goes along memory.
    """

    passages: Numbers
    documents: Numbers
    ids: Ids
    vectors: Halves
    """The rows themselves, for exact scores of the nearest."""
    centre: Floats
    lines: Lines
    trained: int
    """How many rows the centre was the mean of."""

    def __len__(self) -> int:
        return len(self.passages)

    def distances(self, vector: Floats) -> npt.NDArray[np.uint16]:
        """How many signs differ, by row."""
        asked = encode(vector[np.newaxis, :], self.centre)[:, 0]
        total = np.zeros(len(self), np.uint16)
        crossed = np.empty(_CHUNK, np.uint64)
        counted, summed = np.empty((2, _CHUNK), np.uint8)
        for start in range(0, len(self), _CHUNK):
            part = total[start : start + _CHUNK]
            here = slice(len(part))
            for place, (word, line) in enumerate(zip(asked, self.lines, strict=True)):
                np.bitwise_xor(line[start : start + _CHUNK], word, out=crossed[here])
                if place % _SUMMED:
                    summed[here] += np.bitwise_count(crossed[here], out=counted[here])
                    continue
                if place:
                    part += summed[here]
                np.bitwise_count(crossed[here], out=summed[here])
            part += summed[here]
        return total

    def products(self, vector: Floats, places: Numbers) -> Floats:
        """The vector times the signs of these rows: sharper than distances, and dearer."""
        padded = np.zeros(64 * len(self.lines), np.float32)
        padded[: len(vector)] = vector
        # What each byte of a code adds is looked up: a quarter of the time of unpacking bits.
        tables = padded.reshape(-1, 8) @ _BITS.T.astype(np.float32)
        octets = np.take(self.lines, places, axis=1).view(np.uint8).reshape(-1, len(places), 8)
        total, added = np.zeros((2, len(places)), np.float32)
        for place, table in enumerate(tables):
            # Every byte has its place in a table, so nothing is ever clipped; it saves a look.
            table.take(octets[place >> 3, :, place & 7], out=added, mode="clip")
            total += added
        return total


def encode(rows: npt.NDArray[np.floating], centre: Floats) -> Lines:
    """One-bit codes of rows, as words by row.

    >>> encode(np.array([[1.0, -1.0, 2.0]]), np.zeros(3, np.float32)).tolist()
    [[5]]
    """
    width = -(-rows.shape[1] // 64) * 8
    packed = np.packbits(rows > centre, axis=1, bitorder="little")
    padded = np.zeros((len(rows), width), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view("<u8").T).astype(np.uint64, copy=False)


def widened(rows: Halves) -> Floats:
    """Rows as floats, each coordinate divided by ``WIDENED``.

    Bits are moved, which takes a fifth of the time of converting; it halves no precision, for
    the divisor is a power of two.

    >>> (widened(np.array([[0.5, -3.0]], np.float16)) * WIDENED).tolist()
    [[0.5, -3.0]]
    """
    signed = rows.view(np.int16).astype(np.int32) << 13
    return (signed & _KEPT).view(np.float32)


def train(passages: Numbers, documents: Numbers, ids: Ids, rows: Halves) -> Codes:
    """Codes of all these rows, centred on their own mean."""
    centre = rows.mean(axis=0, dtype=np.float32)
    return Codes(
        passages=passages,
        documents=documents,
        ids=ids,
        vectors=rows,
        centre=centre,
        lines=encode(rows, centre),
        trained=len(rows),
    )
