"""The passages port: text, words and vectors of documents in one file."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from commonplace.domain.passage import Located
from commonplace.domain.query import Hit, Query
from commonplace.domain.scope import Selection
from commonplace.engines.analysis import clean, wanted
from commonplace.engines.base import Coverage, Entry, Fingerprint, Stats, Vectors
from commonplace.engines.check import check_entry, check_texts, half, unit
from commonplace.engines.sqlite import vectors as stored
from commonplace.engines.sqlite import write
from commonplace.engines.sqlite.connection import Connections, Lengthy
from commonplace.engines.sqlite.entries import read_entries
from commonplace.engines.sqlite.rows import (
    LIMIT_MOST,
    LOCATED,
    as_json,
    locate,
    moment_of,
    project_number,
    selected,
)
from commonplace.engines.sqlite.words import WORDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from commonplace.engines.sqlite.views import V, Views

_BIG = 1 << 60
_FEW = 200_000
"""Rows that may be looked at on the event loop: half of them take 2.5 ms, two hops to a thread and
back .6 (256-d static vectors and words, busy machine)."""
# Where passages may lack a vector, and in which order: all, or those asked for.
_ANY = (
    "documents AS d CROSS JOIN passages AS p ON p.document = d.number WHERE d.project = :project",
    "d.written DESC, p.ordinal",
)
_AMONG = (
    "json_each(:among) AS asked CROSS JOIN passages AS p ON p.id = asked.value "
    "AND p.project = :project CROSS JOIN documents AS d ON d.number = p.document WHERE 1",
    "asked.key",
)


class _Views:
    """What this process knows of words and of vectors; made late, for it needs numpy."""

    def __init__(self, path: Path) -> None:
        from commonplace.engines.sqlite.dense import VectorKind  # noqa: PLC0415
        from commonplace.engines.sqlite.lexical import WordKind  # noqa: PLC0415
        from commonplace.engines.sqlite.views import Views  # noqa: PLC0415

        self.words = Views(path, WordKind())
        self.vectors = Views(path, VectorKind())


@dataclass(frozen=True, slots=True)
class _Place:
    """The model to look in, and by document whether it is selected; None: all are."""

    model: stored.Model
    passing: "npt.NDArray[np.bool_] | None"


class SqlitePassages:
    """Text and vectors of all projects in one file; see the port for the promises."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    @cached_property
    def _views(self) -> "_Views":
        return _Views(self._connections.path)

    async def write(self, entries: Sequence[Entry]) -> None:
        """Replace these documents and all that belongs to them, atomically."""
        for entry in entries:
            check_entry(entry)

        def work(connection: apsw.Connection) -> None:
            write.write_entries(connection, entries)

        if entries:
            await self._connections.write(work)

    async def remove(self, project: str, document_ids: Sequence[str]) -> None:
        """Remove documents and all that belongs to them, atomically. Unknown ids are ignored."""
        if document_ids:
            await self._connections.write(
                lambda connection: write.remove_documents(connection, project, document_ids)
            )

    async def label(self, project: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Let documents be selected by these tags beside those of their cards, atomically."""
        for document_id, tags in labels.items():
            check_texts(document_id, tags)
        if labels:
            await self._connections.write(
                lambda connection: write.label_documents(connection, project, labels)
            )

    async def inherit(self, project: str, heirs: Mapping[str, str]) -> None:
        """Give passages the vectors of others, of every model they have none of, atomically."""

        def work(connection: apsw.Connection) -> None:
            number = project_number(connection, project)
            known = _numbers(connection, number, {*heirs, *heirs.values()})
            both = ((known.get(heir), known.get(other)) for heir, other in heirs.items())
            if number is not None:
                stored.inherit(connection, number, {a: b for a, b in both if a and b})

        if heirs:
            await self._connections.write(work)

    async def get(self, selection: Selection, passage_ids: Sequence[str]) -> list[Located]:
        """These passages in the order asked; unknown or unselected ones are left out."""

        def work(connection: apsw.Connection) -> list[Located]:
            project = project_number(connection, selection.project)
            terms, bound = selected(selection, project or 0)
            rows = connection.execute(
                f"SELECT {LOCATED} FROM json_each(:ids) AS asked "  # noqa: S608 - our own text
                "CROSS JOIN passages AS p ON p.project = :project AND p.id = asked.value "
                f"JOIN documents AS d ON d.number = p.document WHERE {terms} ORDER BY asked.key",
                bound | {"ids": as_json(dict.fromkeys(passage_ids))},
            )
            return locate(selection.project, rows)

        return await self._connections.glance(work) if passage_ids else []

    async def read(self, selection: Selection, document_id: str, ordinals: range) -> list[Located]:
        """Passages of one document by ordinal, in order; absent ordinals are left out."""
        ends = [*ordinals[:1], *ordinals[-1:]]  # a range may hold more numbers than memory

        def work(connection: apsw.Connection) -> list[Located]:
            project = project_number(connection, selection.project)
            terms, bound = selected(selection, project or 0)
            rows = connection.execute(
                f"SELECT {LOCATED} FROM documents AS d JOIN passages AS p "  # noqa: S608 - our own text
                f"ON p.document = d.number WHERE {terms} AND d.id = :document "
                "AND p.ordinal BETWEEN :first AND :last ORDER BY p.ordinal",
                bound
                | {
                    "document": clean(document_id),
                    "first": max(min(ends), 0),
                    "last": min(max(ends), _BIG),
                },
            )
            found = locate(selection.project, rows)
            return [place for place in found if place.passage.ordinal in ordinals]

        return await self._connections.read(work) if ordinals else []

    async def lexical(self, query: Query, selection: Selection, limit: int) -> list[Hit]:
        """Best passages by BM25 over title, headings, body and split identifiers, best first."""
        want = wanted(query)
        limit = min(limit, LIMIT_MOST)
        keeps = not self._connections.in_transaction

        def work(connection: apsw.Connection) -> list[Hit]:
            from commonplace.engines.sqlite.ids import named  # noqa: PLC0415 - they need numpy
            from commonplace.engines.sqlite.lexical import rank  # noqa: PLC0415

            place = self._place(connection, selection, WORDS)
            if place is None:
                return []
            view = self._view(connection, self._views.words, place.model, keeps=keeps)
            found = rank(connection, view, want, (place.passing, limit))
            return named(connection, found, "bm25")[:limit]

        if not want.words or limit <= 0:
            return []
        is_plain = selection.is_whole_project and not want.phrases
        return await (self._connections.glance if is_plain else self._connections.read)(work)

    async def dense(
        self, model: str, vector: Vectors, selection: Selection, limit: int
    ) -> list[Hit]:
        """Nearest passages by cosine among those with a vector of ``model``, best first."""
        asked = unit(vector)
        limit = min(limit, LIMIT_MOST)
        keeps = not self._connections.in_transaction

        def work(connection: apsw.Connection) -> list[Hit]:
            from commonplace.engines.sqlite.dense import nearest  # noqa: PLC0415 - they need numpy
            from commonplace.engines.sqlite.ids import named  # noqa: PLC0415

            place = self._place(connection, selection, model)
            if place is None:
                return []
            stored.check_dimension(model, place.model, len(asked))
            view = self._view(connection, self._views.vectors, place.model, keeps=keeps)
            found = nearest(view, asked, place.passing, limit)
            return named(connection, found, "vector")[:limit]

        if limit <= 0:
            return []
        is_plain = selection.is_whole_project
        return await (self._connections.glance if is_plain else self._connections.read)(work)

    def _view(
        self, connection: apsw.Connection, views: "Views[V]", model: stored.Model, *, keeps: bool
    ) -> "V":
        """The view this transaction sees; on the event loop only a small one that is at hand."""
        if not self._connections.is_glance(connection):
            return views.current(connection, model, keeps=keeps)
        view = views.ready(model)
        if view is None or len(view) > _FEW:
            raise Lengthy
        return view

    def _place(
        self, connection: apsw.Connection, selection: Selection, model: str
    ) -> "_Place | None":
        """Where to look for rows of a model; None when there are none."""
        project = project_number(connection, selection.project)
        found = None if project is None else stored.find_model(connection, project, model)
        if project is None or found is None:
            return None
        if selection.is_whole_project:
            return _Place(found, None)
        from commonplace.engines.sqlite import views  # noqa: PLC0415 - it needs numpy

        return _Place(found, views.passing(connection, *selected(selection, project)))

    async def fingerprints(self, project: str, source_id: str) -> dict[str, Fingerprint]:
        """What is indexed of a source, by resource URI."""

        def work(connection: apsw.Connection) -> dict[str, Fingerprint]:
            rows = connection.execute(
                "SELECT uri, id, content_hash, size_bytes, modified_at FROM documents "
                "WHERE project=? AND source_id=? ORDER BY written",
                (project_number(connection, project), clean(source_id)),
            )
            return {row[0]: Fingerprint(row[1], row[2], row[3], moment_of(row[4])) for row in rows}

        return await self._connections.read(work)

    async def entries(self, project: str, document_ids: Sequence[str]) -> list[Entry]:
        """Everything but vectors of these documents, in the order asked."""
        return await self._connections.read(
            lambda connection: read_entries(connection, project, document_ids)
        )

    async def pending(
        self, project: str, model: str, limit: int, among: Sequence[str] | None = None
    ) -> list[Located]:
        """Passages without a vector of ``model``, most recently written first."""

        def work(connection: apsw.Connection) -> list[Located]:
            number = project_number(connection, project)
            found = None if number is None else stored.find_model(connection, number, model)
            if number is None or _is_complete(connection, number, found):
                return []
            bound: dict[str, Any] = {
                "project": number,
                "base": -_BIG if found is None else found.base,
            }
            bound["limit"] = max(0, min(limit, LIMIT_MOST))
            if among is not None:
                bound["among"] = as_json(dict.fromkeys(among))
            places, order = _ANY if among is None else _AMONG
            rows = connection.execute(
                f"SELECT {LOCATED} FROM {places} AND NOT EXISTS "  # noqa: S608 - our own text
                "(SELECT 1 FROM vectors WHERE key = :base + p.number) "
                f"ORDER BY {order} LIMIT :limit",
                bound,
            )
            return locate(project, rows)

        return await self._connections.read(work)

    async def embed(
        self, project: str, model: str, passage_ids: Sequence[str], vectors: Vectors
    ) -> None:
        """Add vectors to passages that still exist; does not change the generation's meaning."""
        check_texts(model, (model,))
        half(vectors, len(passage_ids))

        def work(connection: apsw.Connection) -> None:
            number = project_number(connection, project)
            known = _numbers(connection, number, passage_ids)
            places = {known[key]: at for at, key in enumerate(passage_ids) if key in known}
            if number is not None:
                rows = vectors[list(places.values())]
                stored.put(connection, number, model, list(places), rows)

        await self._connections.write(work)

    async def forget(self, project: str, model: str) -> None:
        """Remove all vectors of a model, and the snapshot of them."""

        def work(connection: apsw.Connection) -> stored.Model | None:
            number = project_number(connection, project)
            return None if number is None else stored.forget(connection, number, model)

        gone = await self._connections.write(work)
        if gone is not None:
            with suppress(OSError):  # a copy; left behind it costs room only
                self._views.vectors.file(gone).unlink()

    async def prepare(self, project: str) -> None:
        """Bring the views of words and vectors, and so their snapshots, to what is committed."""

        def work(connection: apsw.Connection) -> None:
            number = project_number(connection, project)
            for model in [] if number is None else stored.find_models(connection, number):
                kind = self._views.vectors if model.dimension else self._views.words
                kind.current(connection, model, keeps=True)

        if not self._connections.in_transaction:
            await self._connections.read(work)
            await self._connections.fold_log()

    async def stats(self, project: str) -> Stats:
        """How much the project holds; all zeros for a project never written to."""

        def work(connection: apsw.Connection) -> Stats:
            row = connection.execute(
                "SELECT documents, passages, generation, updated_at, number FROM projects "
                "WHERE name=?",
                (clean(project),),
            ).fetchone()
            if row is None:
                return Stats(documents=0, passages=0, generation=0)
            return _stats(connection, row)

        return await self._connections.glance(work)

    async def projects(self) -> list[str]:
        """Projects with at least one document, sorted."""

        def work(connection: apsw.Connection) -> list[str]:
            rows = connection.execute("SELECT name FROM projects WHERE documents > 0")
            return sorted(row[0] for row in rows)

        return await self._connections.read(work)


def _numbers(
    connection: apsw.Connection, project: int | None, passage_ids: Iterable[str]
) -> dict[str, int]:
    """The numbers of passages that are there, by id."""
    return dict(
        connection.execute(
            "SELECT p.id, p.number FROM json_each(?) AS asked CROSS JOIN passages AS p "
            "ON p.project = ? AND p.id = asked.value",
            (as_json(passage_ids), project),
        )
    )


def _is_complete(connection: apsw.Connection, project: int, model: stored.Model | None) -> bool:
    """Whether every passage has its vector: told by two counters, without a look at any row."""
    total = connection.execute("SELECT passages FROM projects WHERE number=?", (project,)).get
    return model is not None and model.embedded == total


def _stats(connection: apsw.Connection, row: tuple[Any, ...]) -> Stats:
    documents, passages, generation, updated_at, number = row
    models = connection.execute(
        "SELECT name, dimension, embedded FROM models WHERE project=? AND embedded > 0 "
        "AND name <> ? ORDER BY name",
        (number, WORDS),
    )
    return Stats(
        documents=documents,
        passages=passages,
        generation=generation,
        coverage=tuple(
            Coverage(model=name, dimension=dimension, embedded=embedded, total=passages)
            for name, dimension, embedded in models
        ),
        updated_at=None if updated_at is None else moment_of(updated_at),
    )
