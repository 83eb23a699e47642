"""Best passages by BM25, without scoring what cannot be among them.

FTS5 finds rows fast and scores them slowly: each score reads the row's length. So rows are first
ordered by the most they could score, which follows from the words they hold; the best few hundred
are scored, and then only those whose bound still exceeds the last place asked for (the idea of
MaxScore: Turtle & Flood, IP&M 31(6), 1995). What comes back is what scoring every row gives.
"""

import json
import math
from typing import Any

import apsw

from commonplace.domain.query import Channel, Hit
from commonplace.domain.scope import Selection
from commonplace.engines.analysis import Wanted, expression
from commonplace.engines.bm25 import IDF_LEAST, K1
from commonplace.engines.sqlite.rows import selected
from commonplace.engines.sqlite.schema import lexicon

LIMIT_MOST = 10_000  # more hits than any page of any tool asks for
_TIES = 16  # hits read beyond the limit, to break ties at its edge by id
_LISTED_MOST = 4000  # rows of one word that are listed; rows of commoner words are only counted
_SCORED = 300  # rows scored at first


def lexical(
    connection: apsw.Connection, place: tuple[int, Selection], want: Wanted, limit: int
) -> list[Hit]:
    """Hits best first, ties by id."""
    first = max(_SCORED, 4 * limit)
    if want.required or not place[1].is_whole_project:
        return _hits(connection, place, (want, None), limit)
    bounds, others = _bounds(connection, place[0], want)
    if len(bounds) <= first:
        return _hits(connection, place, (want, None), limit)
    rows = sorted(bounds, key=bounds.__getitem__, reverse=True)
    hits = _hits(connection, place, (want, rows[:first]), limit)
    least = hits[-1].score - others if len(hits) == limit else -1.0
    if bounds[rows[first]] < least:
        return hits
    needed = [row for row in rows if bounds[row] >= least]
    return _hits(connection, place, (want, needed if least > 0 else None), limit)


def _bounds(
    connection: apsw.Connection, project: int, want: Wanted
) -> tuple[dict[int, float], float]:
    """The most each listed row can score by its listed words, and the most by all other words."""
    words = lexicon(project)
    total = connection.execute("SELECT passages FROM projects WHERE number=?", (project,)).get
    bounds: dict[int, float] = {}
    others = 0.0
    for sequence in want.optional:
        bound = {"match": expression(Wanted(optional=(sequence,)))}
        sql = f"FROM {words} WHERE {words} MATCH :match"
        listing = f"SELECT rowid {sql} LIMIT {_LISTED_MOST + 1}"
        rows: list[Any] = connection.execute(listing, bound).fetchall()
        if len(rows) <= _LISTED_MOST:
            most = _most(total, len(rows))
            for (row,) in rows:
                bounds[row] = bounds.get(row, 0.0) + most
        else:
            others += _most(total, connection.execute(f"SELECT count(*) {sql}", bound).get)
    return bounds, others


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


def named(connection: apsw.Connection, scores: dict[int, float], channel: Channel) -> list[Hit]:
    """Hits by passage id, best first, ties by id."""
    rows = connection.execute(
        "SELECT p.number, p.id FROM json_each(?) AS asked "
        "CROSS JOIN passages AS p ON p.number = asked.value",
        (str(list(scores)),),
    )
    hits = [Hit(passage_id, scores[number], channel) for number, passage_id in rows]
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))
