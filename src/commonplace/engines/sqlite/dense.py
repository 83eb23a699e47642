"""Nearest vectors: a scan of one-bit codes, an exact scan of what changed since, exact scores."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from commonplace.engines.sqlite import snapshot, views
from commonplace.engines.sqlite.codes import (
    WIDENED,
    Codes,
    Floats,
    Halves,
    encode,
    train,
    widened,
)
from commonplace.engines.sqlite.ids import Ids, Numbers, Scored, packed, unknown
from commonplace.engines.sqlite.vectors import Model
from commonplace.engines.sqlite.views import DELTA_LEAST

_READ = 50_000  # rows read at a time
RETRAIN = 2  # the centre is computed anew when the rows have doubled since
# How many rows each step keeps. Real questions on 60,677 passages of the open sets, 256-d static
# vectors: 300 nearest codes hold .95 of the true ten, 4000 hold .997; 300 of those, chosen by
# the product of the signs with the question itself, still hold .993.
CODES_LEAST, CODES_EACH = 4000, 40
EXACT_LEAST, EXACT_EACH = 300, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Vectors with the passages and documents they are of."""

    passages: Numbers
    documents: Numbers
    ids: Ids
    vectors: Halves

    def __len__(self) -> int:
        return len(self.passages)


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorView:
    """A model's vectors at one ``seq``: codes, and the rows since, which hide theirs."""

    seq: int
    codes: Codes | None
    hidden: Numbers
    """Places in the codes whose passage changed or went."""
    delta: Rows

    def __len__(self) -> int:
        return len(self.delta) + (0 if self.codes is None else len(self.codes))

    @property
    def is_stale(self) -> bool:
        """Whether so much changed that the codes should take it in."""
        coded = 0 if self.codes is None else len(self.codes)
        return views.is_much(len(self.delta) + len(self.hidden), coded)


def _rows(found: views.Stored, dimension: int) -> Rows:
    count = len(found)
    joined = b"".join(row[2] for row in found)
    return Rows(
        passages=np.fromiter((row[0] for row in found), np.int64, count),
        documents=np.fromiter((row[1] for row in found), np.int64, count),
        ids=packed(row[3] for row in found),
        vectors=np.frombuffer(joined, np.float16).reshape(count, dimension),
    )


def _joined(parts: Sequence[Rows], dimension: int) -> Rows:
    parts = parts or [_rows([], dimension)]
    return Rows(
        passages=np.concatenate([part.passages for part in parts]),
        documents=np.concatenate([part.documents for part in parts]),
        ids=np.concatenate([part.ids for part in parts]),
        vectors=np.concatenate([part.vectors for part in parts]),
    )


def _coded(codes: Codes, seq: int) -> VectorView:
    return VectorView(
        seq=seq,
        codes=codes,
        hidden=np.empty(0, np.int64),
        delta=_rows([], len(codes.centre)),
    )


class VectorKind:
    """How views of vectors are made."""

    suffix = "bits"

    def read(self, connection: apsw.Connection, model: Model) -> VectorView:
        """The view of all rows."""
        found = views.read_all(connection, model, _READ)
        rows = _joined([_rows(part, model.dimension) for part in found], model.dimension)
        if len(rows) <= DELTA_LEAST:
            return VectorView(seq=model.seq, codes=None, hidden=np.empty(0, np.int64), delta=rows)
        return _coded(train(rows.passages, rows.documents, rows.ids, rows.vectors), model.seq)

    def caught_up(
        self, connection: apsw.Connection, model: Model, view: VectorView, changed: Numbers
    ) -> VectorView:
        """The view with every change since its ``seq`` in the delta."""
        if not len(changed):
            return replace(view, seq=model.seq)
        fresh = _rows(views.read_some(connection, model, changed), model.dimension)
        stays = ~np.isin(view.delta.passages, changed)
        kept = Rows(
            passages=view.delta.passages[stays],
            documents=view.delta.documents[stays],
            ids=view.delta.ids[stays],
            vectors=view.delta.vectors[stays],
        )
        delta = _joined([kept, fresh], model.dimension)
        hidden = view.hidden
        if view.codes is not None:
            places = np.flatnonzero(np.isin(view.codes.passages, changed))
            hidden = np.union1d(hidden, places)
        return VectorView(seq=model.seq, codes=view.codes, hidden=hidden, delta=delta)

    def folded(self, connection: apsw.Connection, model: Model, view: VectorView) -> VectorView:
        """The delta taken into the codes, centred as they are unless the rows have doubled."""
        codes, delta = view.codes, view.delta
        if codes is None or model.embedded > RETRAIN * codes.trained:
            return self.read(connection, model)
        stays = np.ones(len(codes), bool)
        stays[view.hidden] = False
        merged = Codes(
            passages=np.concatenate([codes.passages[stays], delta.passages]),
            documents=np.concatenate([codes.documents[stays], delta.documents]),
            ids=np.concatenate([codes.ids[stays], delta.ids]),
            vectors=np.concatenate([codes.vectors[stays], delta.vectors]),
            centre=codes.centre,
            lines=np.concatenate(
                [codes.lines[:, stays], encode(delta.vectors, codes.centre)], axis=1
            ),
            trained=codes.trained,
        )
        return _coded(merged, view.seq)

    def arrays(self, view: VectorView) -> snapshot.Arrays:
        """What is kept: the codes."""
        codes = view.codes
        if codes is None:
            return {}
        return {
            "passages": codes.passages,
            "documents": codes.documents,
            "ids": codes.ids,
            "vectors": codes.vectors,
            "centre": codes.centre,
            "lines": codes.lines,
            "trained": np.array([codes.trained]),
        }

    def revived(self, arrays: snapshot.Arrays, model: Model, seq: int) -> VectorView | None:
        """The view that was kept, if its vectors are as long as the model's."""
        if len(arrays["centre"]) != model.dimension:
            return None
        ids = arrays.get("ids", unknown(len(arrays["passages"])))
        kept: dict[str, Any] = {**arrays, "ids": ids, "trained": int(arrays["trained"][0])}
        return _coded(Codes(**kept), seq)


def _near(
    view: VectorView, vector: Floats, passing: npt.NDArray[np.bool_] | None, limit: int
) -> Numbers:
    """Places in the codes worth an exact score: the nearest, or all of a small selection."""
    codes = view.codes
    if codes is None:
        return np.empty(0, np.int64)
    allowed = None if passing is None else views.places(passing, codes.documents)
    if allowed is not None:
        allowed[view.hidden] = False
        places: Numbers = np.flatnonzero(allowed)
        if len(places) <= DELTA_LEAST:
            return places
    distances = codes.distances(vector)
    furthest = len(codes.centre)
    distances[view.hidden if allowed is None else ~allowed] = furthest + 1
    wanted = max(CODES_LEAST, CODES_EACH * limit)
    # Eight looks at all rows take two thirds of the time of counting each distance.
    reach = bisect_left(
        range(furthest), wanted, key=lambda far: int(np.count_nonzero(distances <= far))
    )
    places = np.flatnonzero(distances <= reach)
    exact = max(EXACT_LEAST, EXACT_EACH * limit)
    if exact < len(places):
        products = codes.products(vector, places)
        places = places[np.argpartition(products, -exact)[-exact:]]
    return places


def nearest(
    view: VectorView, vector: Floats, passing: npt.NDArray[np.bool_] | None, limit: int
) -> Scored:
    """The best by their cosines, with every tie of the last one."""
    near = _near(view, vector, passing, limit)
    delta = view.delta
    chosen = slice(None) if passing is None else views.places(passing, delta.documents)
    passages, ids, vectors = delta.passages[chosen], delta.ids[chosen], delta.vectors[chosen]
    if view.codes is not None:
        passages = np.concatenate([view.codes.passages[near], passages])
        ids = np.concatenate([view.codes.ids[near], ids])
        vectors = np.concatenate([view.codes.vectors[near], vectors])
    # Not the product of BLAS: its threads cost milliseconds on a busy machine for so few rows.
    scores = np.einsum("ij,j->i", widened(vectors), vector * WIDENED)
    least = np.partition(scores, -limit)[-limit] if limit < len(scores) else -np.inf
    best = np.flatnonzero(scores >= least)
    return Scored(passages[best], ids[best], scores[best])
