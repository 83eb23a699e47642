"""Best passages by BM25, every passage that holds a word scored.

Words are looked up in lists of the rows that hold them, sorted once and kept as a snapshot, as
search engines do; what changed since is scanned. The arithmetic is that of ``engines/bm25``.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import cast

import apsw
import numpy as np
import numpy.typing as npt

from commonplace.engines.analysis import Wanted, columns, holds
from commonplace.engines.bm25 import K1, B, rarity
from commonplace.engines.sqlite import snapshot, views
from commonplace.engines.sqlite.ids import Ids, Numbers, Scored, unknown
from commonplace.engines.sqlite.postings import (
    Base,
    Postings,
    in_order,
    joined,
    merged,
    unpacked,
    without,
)
from commonplace.engines.sqlite.vectors import Model
from commonplace.engines.sqlite.views import DELTA_LEAST
from commonplace.engines.sqlite.words import hashed

_SORTED = 50_000  # passages whose words are sorted at a time
_CHECKED = 64  # texts read at a time to see whether they hold a phrase
_GROUP = 64  # scores of which only the best is looked at first

Scores = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int32]
Halves = npt.NDArray[np.uint8]
Phrases = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class WordView:
    """A project's words at one ``seq``."""

    seq: int
    base: Base | None
    hidden: Flags
    """By row of the base: its passage changed or went."""
    delta: Postings

    def __len__(self) -> int:
        return len(self.passages)

    @property
    def is_stale(self) -> bool:
        """Whether so much changed that the base should take it in."""
        held = 0 if self.base is None else len(self.base)
        return views.is_much(len(self.delta) + int(self.hidden.sum()), held)

    @cached_property
    def passages(self) -> Numbers:
        """The passage of each row: those of the base, then those of the delta."""
        base = [] if self.base is None else [self.base.passages]
        return np.concatenate([*base, self.delta.passages])

    @cached_property
    def documents(self) -> Numbers:
        """The document of each row."""
        base = [] if self.base is None else [self.base.documents]
        return np.concatenate([*base, self.delta.documents])

    @cached_property
    def ids(self) -> Ids:
        """The id of the passage of each row."""
        base = [] if self.base is None else [self.base.ids]
        return np.concatenate([*base, self.delta.ids])

    @cached_property
    def total(self) -> int:
        """How many rows count."""
        return len(self.passages) - int(self.hidden.sum())

    @cached_property
    def damps(self) -> Scores:
        """By row, how much its length holds a count down, in halves as counts are."""
        base = [] if self.base is None else [self.base.lengths]
        lengths = np.concatenate([*base, self.delta.lengths]).astype(np.float64)
        held = lengths[: len(self.hidden)][self.hidden].sum()
        average = max(1e-9, (lengths.sum() - held) / max(1, self.total))
        damps: Scores = 2 * (K1 * (1 - B + B * lengths / average))
        return damps

    @cached_property
    def _has_hidden(self) -> bool:
        return bool(self.hidden.any())

    def holding(self, word: str) -> tuple[Rows, Halves]:
        """The rows that hold a word and what it counts there, in halves."""
        number = np.uint64(int.from_bytes(hashed(word), "little"))
        base, delta = self.base, self.delta
        old = slice(0, 0) if base is None else base.find(number)
        if base is not None and not self._has_hidden and not len(delta):
            return base.rows[old], base.halves[old]
        here = np.flatnonzero(delta.words == number)
        rows, halves = delta.rows[here], delta.halves[here]
        if base is None:
            return rows, halves
        seen = ~self.hidden[base.rows[old]]
        moved = rows + np.int32(len(base))
        return (
            np.concatenate([base.rows[old][seen], moved]),
            np.concatenate([base.halves[old][seen], halves]),
        )

    def scores(self, words: Mapping[str, float]) -> Scores:
        """By row, what its words are worth; zero where it holds none."""
        held = [(*self.holding(word), weight) for word, weight in words.items()]
        if not held:
            return np.zeros(len(self))
        counts = [len(rows) for rows, _, _ in held]
        rows = np.concatenate([rows for rows, _, _ in held], dtype=np.intp)
        gain = np.concatenate([halves for _, halves, _ in held], dtype=np.float64)
        worth = [
            weight * rarity(self.total, count) * (K1 + 1) if count else 0.0
            for count, (_, _, weight) in zip(counts, held, strict=True)
        ]
        # All words at once and in place: large arrays are dear to allocate, small ones to call.
        damped = self.damps.take(rows)
        damped += gain
        for end, count, each in zip(accumulate(counts), counts, worth, strict=True):
            gain[end - count : end] *= each
        gain /= damped
        return cast("Scores", np.bincount(rows, gain, len(self)))


class WordKind:
    """How views of words are made."""

    suffix = "words"

    def read(self, connection: apsw.Connection, model: Model) -> WordView:
        """The view of all rows, sorted in parts that are then merged."""
        if model.embedded <= DELTA_LEAST:
            rows = [row for part in views.read_all(connection, model, _SORTED) for row in part]
            return _view(model.seq, unpacked(rows))
        parts = views.read_all(connection, model, _SORTED)
        return _based(model.seq, merged([in_order(unpacked(rows)) for rows in parts]))

    def caught_up(
        self, connection: apsw.Connection, model: Model, view: WordView, changed: Numbers
    ) -> WordView:
        """The view with every change since its ``seq`` in the delta."""
        if not len(changed):
            return replace(view, seq=model.seq)
        fresh = unpacked(views.read_some(connection, model, changed))
        kept = without(view.delta, np.isin(view.delta.passages, changed))
        hidden = view.hidden
        if view.base is not None:
            hidden = hidden | np.isin(view.base.passages, changed)
        return WordView(seq=model.seq, base=view.base, hidden=hidden, delta=joined(kept, fresh))

    def folded(self, connection: apsw.Connection, model: Model, view: WordView) -> WordView:  # noqa: ARG002 - as the kind asks
        """The delta taken into the base."""
        if view.base is None:
            return _view(view.seq, view.delta)
        kept = view.base.without(view.hidden)
        return _based(view.seq, merged([kept, in_order(view.delta)]))

    def arrays(self, view: WordView) -> snapshot.Arrays:
        """What is kept: the base."""
        base = view.base
        if base is None:
            return {}
        return {name: getattr(base, name) for name in Base.__slots__}

    def revived(self, arrays: snapshot.Arrays, model: Model, seq: int) -> WordView | None:  # noqa: ARG002 - as the kind asks
        """The view that was kept."""
        ids = arrays.get("ids", unknown(len(arrays["passages"])))
        return _based(seq, Base(**{**arrays, "ids": ids}))


def _based(seq: int, base: Base) -> WordView:
    return WordView(seq=seq, base=base, hidden=np.zeros(len(base), bool), delta=unpacked([]))


def _view(seq: int, postings: Postings) -> WordView:
    if len(postings) > DELTA_LEAST:
        return _based(seq, in_order(postings))
    return WordView(seq=seq, base=None, hidden=np.zeros(0, bool), delta=postings)


def best(scores: Scores, limit: int) -> Numbers:
    """Places of the highest scores above zero, with every tie of the last one.

    >>> best(np.array([0.0, 2.0, 1.0, 2.0, 1.0]), 3).tolist()
    [1, 2, 3, 4]
    """
    whole = len(scores) // _GROUP * _GROUP
    if whole > 4 * _GROUP * limit:
        # The lowest of so many groups' best is no more than the score that is looked for. Those of
        # a group stand far apart: line above line they are compared in half the time.
        highest = scores[:whole].reshape(_GROUP, -1).max(axis=0)
        least = np.partition(highest, -limit)[-limit]
        places: Numbers = np.flatnonzero(scores >= max(least, np.nextafter(0, 1)))
    else:
        places = np.flatnonzero(scores)
    if len(places) > limit:
        values = scores[places]
        places = places[values >= np.partition(values, -limit)[-limit]]
    return places


def rank(
    connection: apsw.Connection,
    view: WordView,
    want: Wanted,
    bounds: tuple[Flags | None, int],
) -> Scored:
    """The best by their scores, with every tie of the last one."""
    passing, limit = bounds
    scores = view.scores(want.words)
    if passing is not None:
        scores[~views.places(passing, view.documents)] = 0.0
    if want.phrases:
        scores = _with_phrases(connection, view, (want, scores), limit)
    places = best(scores, limit)
    return Scored(view.passages[places], view.ids[places], scores[places])


def _with_phrases(
    connection: apsw.Connection, view: WordView, asked: tuple[Wanted, Scores], limit: int
) -> Scores:
    """The scores of rows that hold every phrase; the rest, and what cannot matter, is zero."""
    want, scores = asked
    for word in {word for phrase in want.phrases for word in phrase}:
        lacks = np.ones(len(scores), bool)
        lacks[view.holding(word)[0]] = False
        scores[lacks] = 0.0
    places = np.flatnonzero(scores)
    places = places[np.argsort(-scores[places], kind="stable")]
    kept = np.zeros(len(scores))
    found, least = 0, 0.0
    for start in range(0, len(places), _CHECKED):
        batch = places[start : start + _CHECKED]
        if found >= limit and scores[batch[0]] < least:
            break
        for place in _holding(connection, view, batch, want.phrases):
            kept[place] = least = scores[place]
            found += 1
    return kept


def _holding(
    connection: apsw.Connection, view: WordView, places: Numbers, phrases: Phrases
) -> list[int]:
    """Those of the places whose text holds every phrase, in their order."""
    numbers = view.passages[places].tolist()
    rows = connection.execute(
        "SELECT p.number, d.title, p.headings, p.text FROM json_each(?) AS asked "
        "CROSS JOIN passages AS p ON p.number = asked.value "
        "JOIN documents AS d ON d.number = p.document",
        (str(numbers),),
    )
    held = {
        number
        for number, title, headings, text in rows
        if holds(columns(title, json.loads(headings), text), phrases)
    }
    return [place for place, number in zip(places.tolist(), numbers, strict=True) if number in held]
