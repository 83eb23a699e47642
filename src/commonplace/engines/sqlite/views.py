"""What a process knows of all rows of a model, kept in step with the file.

A view is immutable: a base made from many rows at once, also kept as a snapshot, and a delta of
what changed since. Every search first brings it to the ``seq`` its own transaction sees, so an
answer never misses what another process has committed.
"""

import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import apsw
import numpy as np

from commonplace.engines.sqlite import snapshot
from commonplace.engines.sqlite.ids import Numbers
from commonplace.engines.sqlite.vectors import PASSAGE_MASK, Model

DELTA_LEAST = 2000  # rows looked at one by one before a base pays
DELTA_SHARE = 0.05


class View(Protocol):
    """What every view tells of itself."""

    @property
    def seq(self) -> int: ...  # noqa: D102 - where the log stood
    @property
    def is_stale(self) -> bool: ...  # noqa: D102 - whether the base should take the delta in
    def __len__(self) -> int: ...  # how many rows a search looks at


V = TypeVar("V", bound=View)


class Kind(Protocol[V]):
    """How one kind of view is made."""

    suffix: str
    """Of its snapshots' names."""

    def read(self, connection: apsw.Connection, model: Model) -> V:
        """The view of all rows."""
        ...

    def caught_up(self, connection: apsw.Connection, model: Model, view: V, changed: Numbers) -> V:
        """The view at the model's ``seq``, given which passages changed since."""
        ...

    def folded(self, connection: apsw.Connection, model: Model, view: V) -> V:
        """The same rows with an empty delta."""
        ...

    def arrays(self, view: V) -> snapshot.Arrays:
        """What is kept of it; nothing when it has no base."""
        ...

    def revived(self, arrays: snapshot.Arrays, model: Model, seq: int) -> V | None:
        """The view that was kept, if it fits the model."""
        ...


def is_much(changed: int, base: int) -> bool:
    """Whether so many rows changed that a base of this size should take them in."""
    return changed > max(DELTA_LEAST, DELTA_SHARE * base)


class Views(Generic[V]):
    """The views of one process, of one kind, by model."""

    def __init__(self, path: Path, kind: Kind[V]) -> None:
        self._path = path
        self._kind = kind
        self._views: dict[int, V] = {}
        self._lock = threading.Lock()

    def file(self, model: Model) -> Path:
        """Where the snapshot of a model is kept."""
        return self._path.with_name(f"{self._path.name}-{self._kind.suffix}{model.number}")

    def ready(self, model: Model) -> V | None:
        """The view at the model's ``seq``, where nothing must be read for it."""
        known = self._views.get(model.number)
        return known if known is not None and known.seq == model.seq else None

    def current(self, connection: apsw.Connection, model: Model, *, keeps: bool) -> V:
        """The view this transaction sees; ``keeps`` is false for uncommitted ones."""
        known = self.ready(model)
        if known is not None:
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
        self, connection: apsw.Connection, model: Model, known: V | None, *, saves: bool
    ) -> V:
        if known is None or known.seq < model.pruned_seq:
            known = self._loaded(connection, model)
        if known is None:
            view = self._kind.read(connection, model)
        else:
            changed = _changed(connection, model, known.seq)
            view = self._kind.caught_up(connection, model, known, changed)
            if not view.is_stale:
                return view
            view = self._kind.folded(connection, model, view)
        arrays = self._kind.arrays(view) if saves else {}
        if not arrays:
            return view
        path = self.file(model)
        snapshot.remove_parts(path)
        is_saved = snapshot.save(path, arrays, (_token(connection), view.seq))
        # The mapped file is shared among processes and leaves memory when others need it.
        return (self._loaded(connection, model) if is_saved else None) or view

    def _loaded(self, connection: apsw.Connection, model: Model) -> V | None:
        """The snapshot on disk, if the log shows it to be of this history."""
        found = snapshot.load(self.file(model), _token(connection))
        if found is None:
            return None
        arrays, seq = found
        is_ours = (
            seq in (model.seq, model.pruned_seq)
            or connection.execute(
                "SELECT 1 FROM changes WHERE model=? AND seq=?", (model.number, seq)
            ).fetchone()
        )
        if not is_ours or not model.pruned_seq <= seq <= model.seq:
            return None
        return self._kind.revived(arrays, model, seq)


def _token(connection: apsw.Connection) -> str:
    return str(connection.execute("SELECT token FROM store").get)


def _changed(connection: apsw.Connection, model: Model, seq: int) -> Numbers:
    found = connection.execute(
        "SELECT DISTINCT passage FROM changes WHERE model=? AND seq > ?", (model.number, seq)
    ).fetchall()
    return np.fromiter((row[0] for row in found), np.int64, len(found))


Stored = Sequence[tuple[Any, ...]]
"""Rows of (passage, document, what is stored, id)."""


def read_all(connection: apsw.Connection, model: Model, size: int) -> Iterator[Stored]:
    """Every row of a model, so many at a time."""
    rows = connection.execute(
        "SELECT v.key & ?, p.document, v.vector, p.id FROM vectors AS v "
        "JOIN passages AS p ON p.number = v.key & ? WHERE v.key BETWEEN ? AND ?",
        (PASSAGE_MASK, PASSAGE_MASK, model.base, model.base + PASSAGE_MASK),
    )
    while part := list(islice(rows, size)):
        yield part


def read_some(connection: apsw.Connection, model: Model, passages: Numbers) -> Stored:
    """The rows of these passages that still exist."""
    keys = np.sort(passages) + model.base
    return connection.execute(
        "SELECT v.key & ?, p.document, v.vector, p.id FROM carray(?) AS c "
        "CROSS JOIN vectors AS v ON v.key = c.value JOIN passages AS p ON p.number = v.key & ?",
        (PASSAGE_MASK, apsw.carray(keys), PASSAGE_MASK),
    ).fetchall()


def passing(
    connection: apsw.Connection, terms: str, bound: dict[str, Any]
) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """By document number, whether a selection holds it; the last place is always false."""
    rows = connection.execute(f"SELECT d.number FROM documents AS d WHERE {terms}", bound)  # noqa: S608 - our own text
    numbers = np.fromiter((row[0] for row in rows), np.int64)
    flags = np.zeros(int(numbers.max(initial=0)) + 2, bool)
    flags[numbers] = True
    return flags


def places(flags: "np.ndarray[Any, np.dtype[np.bool_]]", documents: Numbers) -> Any:  # noqa: ANN401 - a boolean array
    """Which rows are of a selected document; ``flags`` is what ``passing`` gave."""
    return flags[np.minimum(documents, len(flags) - 1)]
