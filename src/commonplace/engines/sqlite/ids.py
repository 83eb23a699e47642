"""Ids of passages as arrays hold them, beside what is searched: no row is read to name a hit."""

from collections.abc import Iterable
from typing import NamedTuple

import apsw
import numpy as np
import numpy.typing as npt

from commonplace.domain.query import Channel, Hit

Ids = npt.NDArray[np.bytes_]
Numbers = npt.NDArray[np.int64]
_LONGEST_BYTES = 32  # ours have 20; every row of an array takes the room of its longest


class Scored(NamedTuple):
    """Passages found, in any order."""

    numbers: Numbers
    ids: Ids
    """Empty where only the database knows it."""
    scores: npt.NDArray[np.floating]


def packed(ids: Iterable[str]) -> Ids:
    """Ids as an array; one that is too long for it is left empty.

    >>> packed(["p12", "x" * 99]).tolist()
    [b'p12', b'']
    """
    encoded = [one.encode() for one in ids]
    return np.array([one if len(one) <= _LONGEST_BYTES else b"" for one in encoded], np.bytes_)


def unknown(count: int) -> Ids:
    """The ids of rows that were kept without."""
    return np.zeros(count, "S1")


def named(connection: apsw.Connection, found: Scored, channel: Channel) -> list[Hit]:
    """Hits by passage id, best first, ties by id."""
    ids, scores = found.ids.tolist(), found.scores.tolist()
    hits = [
        Hit(one.decode(), score, channel) for one, score in zip(ids, scores, strict=True) if one
    ]
    if len(hits) < len(ids):
        rows = zip(found.numbers.tolist(), ids, scores, strict=True)
        hits += _looked_up(
            connection, {number: score for number, one, score in rows if not one}, channel
        )
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))


def _looked_up(
    connection: apsw.Connection, scores: dict[int, float], channel: Channel
) -> list[Hit]:
    rows = connection.execute(
        "SELECT p.number, p.id FROM json_each(?) AS asked "
        "CROSS JOIN passages AS p INDEXED BY passages_named ON p.number = asked.value",
        (str(list(scores)),),
    )
    return [Hit(passage_id, scores[number], channel) for number, passage_id in rows]
