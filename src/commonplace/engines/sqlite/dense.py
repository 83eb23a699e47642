"""Nearest vectors: a scan of one-bit codes, an exact scan of what changed since, exact scores.

What a process knows of a model is one immutable ``View``; every search first brings it to the
``seq`` its own transaction sees, so an answer never misses what another process has committed.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from commonplace.engines.sqlite import snapshot
from commonplace.engines.sqlite.snapshot import Codes, Floats, Numbers
from commonplace.engines.sqlite.vectors import PASSAGE_MASK, Model

DELTA_LEAST = 2000  # rows compared exactly before codes pay: 2000 x 256 floats take 0.1 ms
DELTA_SHARE = 0.05
RETRAIN = 2  # the centre is computed anew when the rows have doubled since
# How many rows each step keeps. Real questions on 60,677 passages of the open sets, 256-d static
# vectors: 300 nearest codes hold .95 of the true ten, 4000 hold .997; 300 of those, chosen by
# the product of the signs with the question itself, still hold .993.
CODES_LEAST, CODES_EACH = 4000, 40
EXACT_LEAST, EXACT_EACH = 300, 3

Halves = npt.NDArray[np.float16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Vectors with the passages and documents they are of."""

    passages: Numbers
    documents: Numbers
    vectors: Halves

    def __len__(self) -> int:
        return len(self.passages)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A model's vectors at one ``seq``: codes, and the rows since, which hide theirs."""

    seq: int
    codes: Codes | None
    hidden: Numbers
    """Places in the codes whose passage changed or went."""
    delta: Rows

    @property
    def coded(self) -> int:
        """How many rows the codes hold."""
        return 0 if self.codes is None else len(self.codes)

    @property
    def is_stale(self) -> bool:
        """Whether so much changed that the codes should take it in."""
        return len(self.delta) + len(self.hidden) > max(DELTA_LEAST, DELTA_SHARE * self.coded)


def _rows(found: Sequence[tuple[Any, ...]], dimension: int) -> Rows:
    count = len(found)
    joined = b"".join(row[2] for row in found)
    return Rows(
        passages=np.fromiter((row[0] for row in found), np.int64, count),
        documents=np.fromiter((row[1] for row in found), np.int64, count),
        vectors=np.frombuffer(joined, np.float16).reshape(count, dimension),
    )


def _read_all(connection: apsw.Connection, model: Model) -> Rows:
    found = connection.execute(
        "SELECT v.key & ?, p.document, v.vector FROM vectors AS v "
        "JOIN passages AS p ON p.number = v.key & ? WHERE v.key BETWEEN ? AND ?",
        (PASSAGE_MASK, PASSAGE_MASK, model.base, model.base + PASSAGE_MASK),
    ).fetchall()
    return _rows(found, model.dimension)


def _read_some(connection: apsw.Connection, model: Model, passages: Numbers) -> Rows:
    keys = np.sort(passages) + model.base
    found = connection.execute(
        "SELECT v.key & ?, p.document, v.vector FROM carray(?) AS c "
        "CROSS JOIN vectors AS v ON v.key = c.value JOIN passages AS p ON p.number = v.key & ?",
        (PASSAGE_MASK, apsw.carray(keys), PASSAGE_MASK),
    ).fetchall()
    return _rows(found, model.dimension)


def _changed(connection: apsw.Connection, model: Model, seq: int) -> Numbers:
    found = connection.execute(
        "SELECT DISTINCT passage FROM changes WHERE model=? AND seq > ?", (model.number, seq)
    ).fetchall()
    return np.fromiter((row[0] for row in found), np.int64, len(found))


def _caught_up(connection: apsw.Connection, model: Model, view: View) -> View:
    """The view with every change since its ``seq`` in the delta."""
    changed = _changed(connection, model, view.seq)
    if not len(changed):
        return replace(view, seq=model.seq)
    fresh = _read_some(connection, model, changed)
    stays = ~np.isin(view.delta.passages, changed)
    delta = Rows(
        passages=np.concatenate([view.delta.passages[stays], fresh.passages]),
        documents=np.concatenate([view.delta.documents[stays], fresh.documents]),
        vectors=np.concatenate([view.delta.vectors[stays], fresh.vectors]),
    )
    hidden = view.hidden
    if view.codes is not None:
        places = np.flatnonzero(np.isin(view.codes.passages, changed))
        hidden = np.union1d(hidden, places)
    return View(seq=model.seq, codes=view.codes, hidden=hidden, delta=delta)


def _no_rows(dimension: int) -> Rows:
    return _rows([], dimension)


def _folded(view: View) -> View:
    """The view with its delta taken into the codes, centred as they are."""
    codes, delta = view.codes, view.delta
    if codes is None:
        raise ValueError("no codes to fold into")
    stays = np.ones(len(codes), bool)
    stays[view.hidden] = False
    merged = Codes(
        passages=np.concatenate([codes.passages[stays], delta.passages]),
        documents=np.concatenate([codes.documents[stays], delta.documents]),
        centre=codes.centre,
        words=np.concatenate(
            [codes.words[:, stays], snapshot.encode(delta.vectors, codes.centre)], axis=1
        ),
        trained=codes.trained,
    )
    return _coded(merged, view.seq)


def _coded(codes: Codes, seq: int) -> View:
    return View(
        seq=seq,
        codes=codes,
        hidden=np.empty(0, np.int64),
        delta=_no_rows(len(codes.centre)),
    )


def _read_view(connection: apsw.Connection, model: Model) -> View:
    rows = _read_all(connection, model)
    if len(rows) <= DELTA_LEAST:
        return View(seq=model.seq, codes=None, hidden=np.empty(0, np.int64), delta=rows)
    codes = snapshot.train(rows.passages, rows.documents, rows.vectors)
    return _coded(codes, model.seq)


class Views:
    """The views of one process, by model."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._views: dict[int, View] = {}
        self._lock = threading.Lock()

    def file(self, model: Model) -> Path:
        """Where the snapshot of a model is kept."""
        return self._path.with_name(f"{self._path.name}-bits{model.number}")

    def current(self, connection: apsw.Connection, model: Model, *, keeps: bool) -> View:
        """The view this transaction sees; ``keeps`` is false for uncommitted ones."""
        known = self._views.get(model.number)
        if known is not None and known.seq == model.seq:
            return known
        with self._lock:
            known = self._views.get(model.number)
            if known is not None and known.seq > model.seq and keeps:
                return known  # a later transaction was faster; what it knows is committed too
            view = self._renewed(connection, model, known, saves=keeps)
            if keeps:
                self._views[model.number] = view
            return view

    def _renewed(
        self, connection: apsw.Connection, model: Model, known: View | None, *, saves: bool
    ) -> View:
        if known is None or known.seq < model.pruned_seq:
            known = self._loaded(connection, model)
        if known is None:
            view = _read_view(connection, model)
            if view.codes is None:
                return view
        else:
            view = _caught_up(connection, model, known)
            if not view.is_stale:
                return view
            codes = view.codes
            is_grown = codes is None or model.embedded > RETRAIN * codes.trained
            view = _read_view(connection, model) if is_grown else _folded(view)
        if saves and view.codes is not None:
            path = self.file(model)
            snapshot.remove_parts(path)
            snapshot.save(path, view.codes, (_token(connection), view.seq))
        return view

    def _loaded(self, connection: apsw.Connection, model: Model) -> View | None:
        """The snapshot on disk, if the log shows it to be of this history."""
        found = snapshot.load(self.file(model), _token(connection))
        if found is None:
            return None
        codes, seq = found
        is_ours = (
            seq in (model.seq, model.pruned_seq)
            or connection.execute(
                "SELECT 1 FROM changes WHERE model=? AND seq=?", (model.number, seq)
            ).fetchone()
        )
        if not is_ours or len(codes.centre) != model.dimension or seq < model.pruned_seq:
            return None
        return _coded(codes, seq)


def _token(connection: apsw.Connection) -> str:
    return str(connection.execute("SELECT token FROM store").get)


def _places(passing: npt.NDArray[np.bool_] | None, documents: Numbers) -> npt.NDArray[np.bool_]:
    """Which rows are of a selected document; ``passing`` is indexed by document number."""
    if passing is None:
        return np.ones(len(documents), bool)
    known = np.minimum(documents, len(passing) - 1)
    return passing[known]


def _near(view: View, vector: Floats, passing: npt.NDArray[np.bool_] | None, limit: int) -> Numbers:
    """Passages worth an exact score: the nearest codes, or all of a small selection."""
    codes = view.codes
    if codes is None:
        return np.empty(0, np.int64)
    allowed = _places(passing, codes.documents) if passing is not None else None
    if allowed is not None:
        allowed[view.hidden] = False
        places = np.flatnonzero(allowed)
        if len(places) <= DELTA_LEAST:
            return codes.passages[places]
    distances = codes.distances(vector)
    furthest = len(codes.centre)
    distances[view.hidden if allowed is None else ~allowed] = furthest + 1
    counts = np.bincount(distances, minlength=furthest + 2)[:-1].cumsum()
    wanted = max(CODES_LEAST, CODES_EACH * limit)
    reach = min(int(np.searchsorted(counts, wanted)), furthest)
    places = np.flatnonzero(distances <= reach)
    exact = max(EXACT_LEAST, EXACT_EACH * limit)
    if exact < len(places):
        products = codes.products(vector, places)
        places = places[np.argpartition(products, -exact)[-exact:]]
    return codes.passages[places]


def nearest(
    connection: apsw.Connection,
    place: tuple[Model, View],
    vector: Floats,
    passing: npt.NDArray[np.bool_] | None,
    limit: int,
) -> list[tuple[int, float]]:
    """Passage numbers and cosines, best first, with every tie of the last one."""
    model, view = place
    coded = _scored(connection, model, _near(view, vector, passing, limit))
    chosen = _places(passing, view.delta.documents)
    passages = np.concatenate([coded.passages, view.delta.passages[chosen]])
    if not len(passages):
        return []
    delta = view.delta.vectors if passing is None else view.delta.vectors[chosen]
    halves = np.concatenate([coded.vectors, delta]) if len(coded) else delta
    # Not the product of BLAS: its threads cost milliseconds on a busy machine for so few rows.
    scores = np.einsum("ij,j->i", halves.astype(np.float32), vector)
    least = np.partition(scores, -limit)[-limit] if limit < len(scores) else -np.inf
    best = np.flatnonzero(scores >= least)
    return [(int(passages[at]), float(scores[at])) for at in best]


def _scored(connection: apsw.Connection, model: Model, passages: Numbers) -> Rows:
    if not len(passages):
        return _no_rows(model.dimension)
    keys = np.sort(passages) + model.base
    found = connection.execute(
        "SELECT v.key & ?, 0, v.vector FROM carray(?) AS c "
        "CROSS JOIN vectors AS v ON v.key = c.value",
        (PASSAGE_MASK, apsw.carray(keys)),
    ).fetchall()
    return _rows(found, model.dimension)


def passing(
    connection: apsw.Connection, terms: str, bound: dict[str, Any]
) -> npt.NDArray[np.bool_]:
    """By document number, whether a selection holds it; the last place is always false."""
    rows = connection.execute(f"SELECT d.number FROM documents AS d WHERE {terms}", bound)  # noqa: S608 - our own text
    numbers = np.fromiter((row[0] for row in rows), np.int64)
    flags = np.zeros(int(numbers.max(initial=0)) + 2, bool)
    flags[numbers] = True
    return flags
