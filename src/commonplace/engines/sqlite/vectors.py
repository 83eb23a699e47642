"""Vectors as rows: half-precision floats in the document's transaction, and a log of changes.

The rows are the truth. The log tells a reader which passages changed since the ``seq`` it knows;
``dense`` reads it. ``seq`` grows with the clock, so two histories of one file (a restored copy)
never agree on one by chance.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from commonplace.domain.errors import EmbeddingMismatch
from commonplace.engines.analysis import clean
from commonplace.engines.base import Vectors
from commonplace.engines.check import half

PASSAGE_BITS = 40  # a key is model << 40 | passage: one integer b-tree, no second index
PASSAGE_MASK = (1 << PASSAGE_BITS) - 1
LOG_LEAST = 20_000  # changes kept before the log is cut; a reader further behind reads all rows


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a project, and where the log of its vectors stands."""

    number: int
    dimension: int
    embedded: int
    seq: int
    pruned_seq: int
    logged: int

    @property
    def base(self) -> int:
        """What is added to a passage's number to give the key of its vector."""
        return self.number << PASSAGE_BITS


def find_model(connection: apsw.Connection, project: int, name: str) -> Model | None:
    """The model of a project, or None when it has no vector there."""
    row = connection.execute(
        "SELECT number, dimension, embedded, seq, pruned_seq, logged FROM models "
        "WHERE project=? AND name=?",
        (project, clean(name)),
    ).fetchone()
    return None if row is None else Model(*row)


def find_models(connection: apsw.Connection, project: int) -> list[Model]:
    """Every model of a project, that of words included."""
    rows: list[tuple[Any, ...]] = connection.execute(
        "SELECT number, dimension, embedded, seq, pruned_seq, logged FROM models WHERE project=?",
        (project,),
    ).fetchall()
    return [Model(*row) for row in rows]


def check_dimension(name: str, model: Model, dimension: int) -> None:
    """Refuse vectors of another length than the stored ones."""
    if model.embedded and model.dimension != dimension:
        raise EmbeddingMismatch(
            f"vectors of {clean(name)!r} have {model.dimension} dimensions here, not {dimension}; "
            "set the embedder back, or `commonplace remove` its sources and add them again"
        )


def put(
    connection: apsw.Connection, project: int, name: str, numbers: Sequence[int], rows: Vectors
) -> None:
    """Set the vectors of these passages."""
    stored = half(rows, len(numbers))
    kept = {number: row.tobytes() for number, row in zip(numbers, stored, strict=True)}
    put_rows(connection, (project, name, stored.shape[1]), kept)


def put_rows(
    connection: apsw.Connection, place: tuple[int, str, int], rows: Mapping[int, bytes]
) -> None:
    """Set what is stored of these passages for a model: its project, name and dimension."""
    project, name, dimension = place
    if not rows:
        return
    model = find_model(connection, project, name)
    if model is not None and not model.embedded and model.dimension != dimension:
        # Nothing is left of the old length: a new number, so that no view is mistaken for it.
        _remove_model(connection, model)
        model = None
    if model is None:
        model = _make_model(connection, project, name, dimension)
    check_dimension(name, model, dimension)
    kept = [(model.base + number, row) for number, row in rows.items()]
    known = connection.execute(
        "SELECT count(*) FROM vectors WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps([key for key, _ in kept]),),
    ).get
    connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", kept)
    _log(connection, model, list(rows), len(rows) - known)


def inherit(connection: apsw.Connection, project: int, heirs: Mapping[int, int]) -> None:
    """Give passages the vectors of others, of every model they have none of."""
    asked = json.dumps(list(heirs.items()))
    for model in find_models(connection, project):
        if not model.dimension:
            continue  # words are counted, not given
        rows = connection.execute(
            "SELECT asked.value ->> 0, v.vector FROM json_each(:asked) AS asked "
            "CROSS JOIN vectors AS v ON v.key = :base + (asked.value ->> 1) "
            "WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE key = :base + (asked.value ->> 0))",
            {"asked": asked, "base": model.base},
        )
        given: dict[Any, Any] = dict(list(rows))
        connection.executemany(
            "INSERT INTO vectors VALUES (?, ?)",
            [(model.base + number, row) for number, row in given.items()],
        )
        if given:
            _log(connection, model, list(given), len(given))


def drop(connection: apsw.Connection, project: int, numbers: Sequence[int]) -> None:
    """Remove the vectors of these passages, of every model."""
    for model in find_models(connection, project):
        before = connection.total_changes()
        connection.executemany(
            "DELETE FROM vectors WHERE key=?", [(model.base + number,) for number in numbers]
        )
        removed = connection.total_changes() - before
        if removed:
            _log(connection, model, numbers, -removed)


def forget(connection: apsw.Connection, project: int, name: str) -> Model | None:
    """Remove a model with all its vectors; None where there is none. Words are no model."""
    model = find_model(connection, project, name)
    if model is None or not model.dimension:
        return None
    keys = (model.base, model.base + PASSAGE_MASK)
    connection.execute("DELETE FROM vectors WHERE key BETWEEN ? AND ?", keys)
    _remove_model(connection, model)
    return model


def _remove_model(connection: apsw.Connection, model: Model) -> None:
    connection.execute("DELETE FROM changes WHERE model=?", (model.number,))
    connection.execute("DELETE FROM models WHERE number=?", (model.number,))


def _make_model(connection: apsw.Connection, project: int, name: str, dimension: int) -> Model:
    connection.execute(
        "INSERT INTO models (project, name, dimension) VALUES (?, ?, ?)",
        (project, name, dimension),
    )
    return Model(connection.last_insert_rowid(), dimension, 0, 0, 0, 0)


def _log(connection: apsw.Connection, model: Model, numbers: Sequence[int], added: int) -> None:
    seq = max(model.seq + 1, time.time_ns() // 1000)
    logged, pruned_seq = model.logged, model.pruned_seq
    if logged > max(LOG_LEAST, model.embedded // 2):
        connection.execute("DELETE FROM changes WHERE model=?", (model.number,))
        logged, pruned_seq = 0, model.seq
    connection.executemany(
        "INSERT INTO changes VALUES (?, ?, ?)",
        [(model.number, seq, number) for number in numbers],
    )
    connection.execute(
        "UPDATE models SET embedded = embedded + ?, seq = ?, pruned_seq = ?, logged = ? "
        "WHERE number = ?",
        (added, seq, pruned_seq, logged + len(numbers), model.number),
    )
