"""Best passages by BM25, without scoring what can hardly be among them.

FTS5 finds rows fast and scores them slowly: each score reads the row's length. So where many rows
hold a word of the query, they are first put in order by what their words could be worth at most
(the idea of MaxScore: Turtle & Flood, IP&M 31(6), 1995), and the best few hundred are scored.

In a large index, words that a fiftieth of the passages hold are left out while rarer ones are
asked for: they tell little and cost most of the time. Up to ``_SCORED`` rows, what comes back is
what scoring every row gives.
"""

import json
import math
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from commonplace.domain.query import Hit
from commonplace.domain.scope import Selection
from commonplace.engines.analysis import Wanted, expression
from commonplace.engines.bm25 import IDF_LEAST, K1
from commonplace.engines.sqlite.rows import LIMIT_MOST, named, selected
from commonplace.engines.sqlite.schema import lexicon

_TIES = 16  # hits read beyond the limit, to break ties at its edge by id
_LISTED_LEAST = 2000  # rows of one word that are listed, in an index of any size
_LISTED_SHARE = 50  # and in a large one, this part of all rows
_SCORED = 200  # rows scored, at least
_TIED_MOST = 2000  # rows scored when the last of those are worth the same


def lexical(
    connection: apsw.Connection, place: tuple[int, Selection], want: Wanted, limit: int
) -> list[Hit]:
    """Hits best first, ties by id."""
    if want.required:
        return _hits(connection, place, (want, None), limit)
    worth, rare = _worth(connection, place[0], want)
    first = max(_SCORED, 4 * limit)
    held = np.flatnonzero(worth)
    is_small = len(held) <= first or len(rare.optional) == 1
    if is_small or not place[1].is_whole_project:
        return _hits(connection, place, (rare, None), limit)
    values = worth[held]
    last = np.partition(values, -first)[-first]
    best = held[values > last]
    tied = held[values == last][: _TIED_MOST - len(best)]
    return _hits(connection, place, (rare, np.concatenate([best, tied]).tolist()), limit)


def _worth(
    connection: apsw.Connection, project: int, want: Wanted
) -> tuple[npt.NDArray[np.float64], Wanted]:
    """By row, the most its rare words can score; and those words, or all if none is rare."""
    words = lexicon(project)
    total = connection.execute("SELECT passages FROM projects WHERE number=?", (project,)).get
    most_listed = max(_LISTED_LEAST, total // _LISTED_SHARE)
    listing = (
        f"SELECT group_concat(rowid) FROM (SELECT rowid FROM {words} "  # noqa: S608 - our own text
        f"WHERE {words} MATCH ? LIMIT {most_listed + 1})"
    )
    found: list[tuple[float, npt.NDArray[np.int64]]] = []
    rare = []
    for sequence in want.optional:
        match = expression(Wanted(optional=(sequence,)))
        listed = connection.execute(listing, (match,)).get or ""
        rows = np.fromstring(listed, np.int64, sep=",")
        if len(rows) <= most_listed:
            rare.append(sequence)
            found.append((_most(total, len(rows)), rows))
    largest = max((int(rows.max()) for _, rows in found if len(rows)), default=-1)
    worth = np.zeros(largest + 1)
    for most, rows in found:
        worth[rows] += most
    return worth, Wanted(optional=tuple(rare)) if largest >= 0 else want


def _most(total: int, count: int) -> float:
    """The most a word of ``count`` of ``total`` rows can add to a score."""
    return max(math.log((total - count + 0.5) / (count + 0.5)), IDF_LEAST) * (K1 + 1)


def _hits(
    connection: apsw.Connection,
    place: tuple[int, Selection],
    asked: tuple[Wanted, list[int] | None],
    limit: int,
) -> list[Hit]:
    """Best of these rows, or of all, by everything that is wanted."""
    (project, selection), (want, rows) = place, asked
    words = lexicon(project)
    bound: dict[str, Any] = {}
    filters = ""
    if not selection.is_whole_project:
        terms, bound = selected(selection, project)
        filters = (
            f" AND (SELECT document FROM passages WHERE number = {words}.rowid) IN "  # noqa: S608 - our own text
            f"(SELECT number FROM documents AS d WHERE {terms})"
        )
    bound["match"] = expression(want)
    if rows is not None:
        # The plus sign keeps FTS5 from starting anew for every row of the list.
        bound["rows"] = json.dumps(rows)
        filters += " AND +rowid IN (SELECT value FROM json_each(:rows))"
    # FTS5 would score every row before any filter; as an expression it scores what passes only.
    order = "2 DESC" if filters else "rank"
    sql = f"SELECT rowid, -rank FROM {words} WHERE {words} MATCH :match{filters} ORDER BY {order}"  # noqa: S608 - our own text
    size = limit + _TIES
    while True:
        found: list[Any] = connection.execute(f"{sql} LIMIT {size:d}", bound).fetchall()
        is_whole = len(found) < size or found[limit - 1][1] != found[-1][1]
        if is_whole or size > LIMIT_MOST:
            return named(connection, dict(found), "bm25")[:limit]
        size *= 4
