"""The passages port: text, words and vectors of documents in one file."""

from collections.abc import Sequence
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
from commonplace.engines.sqlite.connection import Connections
from commonplace.engines.sqlite.rows import (
    LIMIT_MOST,
    LOCATED,
    as_json,
    locate,
    moment_of,
    named,
    project_number,
    selected,
)

if TYPE_CHECKING:
    from commonplace.engines.sqlite.dense import Views

_BIG = 1 << 60


class SqlitePassages:
    """Text and vectors of all projects in one file; see the port for the promises."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._views: Views | None = None

    async def write(self, entries: Sequence[Entry]) -> None:
        """Replace these documents and all that belongs to them, atomically."""
        for entry in entries:
            check_entry(entry)

        def work(connection: apsw.Connection) -> None:
            for entry in entries:
                write.write_entry(connection, entry)

        if entries:
            await self._connections.write(work)

    async def remove(self, project: str, document_ids: Sequence[str]) -> None:
        """Remove documents and all that belongs to them, atomically. Unknown ids are ignored."""
        if document_ids:
            await self._connections.write(
                lambda connection: write.remove_documents(connection, project, document_ids)
            )

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

        return await self._connections.read(work) if passage_ids else []

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
        from commonplace.engines.sqlite.lexical import lexical  # noqa: PLC0415 - it needs numpy

        want = wanted(query)
        limit = min(limit, LIMIT_MOST)
        if want.is_empty or limit <= 0:
            return []

        def work(connection: apsw.Connection) -> list[Hit]:
            project = project_number(connection, selection.project)
            if project is None:
                return []
            return lexical(connection, (project, selection), want, limit)

        return await self._connections.read(work)

    async def dense(
        self, model: str, vector: Vectors, selection: Selection, limit: int
    ) -> list[Hit]:
        """Nearest passages by cosine among those with a vector of ``model``, best first."""
        from commonplace.engines.sqlite import dense  # noqa: PLC0415 - the first to need numpy

        asked = unit(vector)
        limit = min(limit, LIMIT_MOST)
        if self._views is None:
            self._views = dense.Views(self._connections.path)
        views, keeps = self._views, not self._connections.in_transaction

        def work(connection: apsw.Connection) -> list[Hit]:
            project = project_number(connection, selection.project)
            found = None if project is None else stored.find_model(connection, project, model)
            if project is None or found is None:
                return []
            stored.check_dimension(model, found, len(asked))
            view = views.current(connection, found, keeps=keeps)
            passing = None
            if not selection.is_whole_project:
                passing = dense.passing(connection, *selected(selection, project))
            scores = dict(dense.nearest(connection, (found, view), asked, passing, limit))
            return named(connection, scores, "vector")[:limit]

        return await self._connections.read(work) if limit > 0 else []

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

    async def pending(self, project: str, model: str, limit: int) -> list[Located]:
        """Passages without a vector of ``model``, most recently written first."""

        def work(connection: apsw.Connection) -> list[Located]:
            number = project_number(connection, project)
            found = None if number is None else stored.find_model(connection, number, model)
            if number is None or _is_complete(connection, number, found):
                return []
            base = -_BIG if found is None else found.base
            rows = connection.execute(
                f"SELECT {LOCATED} FROM documents AS d CROSS JOIN passages AS p "  # noqa: S608 - our own text
                "ON p.document = d.number WHERE d.project = ? AND NOT EXISTS "
                "(SELECT 1 FROM vectors WHERE key = ? + p.number) "
                "ORDER BY d.written DESC, p.ordinal LIMIT ?",
                (number, base, max(0, min(limit, LIMIT_MOST))),
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
            known = dict(
                connection.execute(
                    "SELECT p.id, p.number FROM json_each(?) AS asked CROSS JOIN passages AS p "
                    "ON p.project = ? AND p.id = asked.value",
                    (as_json(passage_ids), number),
                )
            )
            places = {known[key]: at for at, key in enumerate(passage_ids) if key in known}
            if number is not None:
                rows = vectors[list(places.values())]
                stored.put(connection, number, model, list(places), rows)

        await self._connections.write(work)

    async def stats(self, project: str) -> Stats:
        """How much the project holds; all zeros for a project never written to."""
        size_bytes = self._connections.size_bytes()

        def work(connection: apsw.Connection) -> Stats:
            row = connection.execute(
                "SELECT documents, passages, generation, updated_at, number FROM projects "
                "WHERE name=?",
                (clean(project),),
            ).fetchone()
            if row is None:
                return Stats(documents=0, passages=0, generation=0, size_bytes=size_bytes)
            return _stats(connection, row, size_bytes)

        return await self._connections.read(work)

    async def projects(self) -> list[str]:
        """Projects with at least one document, sorted."""

        def work(connection: apsw.Connection) -> list[str]:
            rows = connection.execute("SELECT name FROM projects WHERE documents > 0")
            return sorted(row[0] for row in rows)

        return await self._connections.read(work)


def _is_complete(connection: apsw.Connection, project: int, model: stored.Model | None) -> bool:
    """Whether every passage has its vector: told by two counters, without a look at any row."""
    total = connection.execute("SELECT passages FROM projects WHERE number=?", (project,)).get
    return model is not None and model.embedded == total


def _stats(connection: apsw.Connection, row: tuple[Any, ...], size_bytes: int) -> Stats:
    documents, passages, generation, updated_at, number = row
    models = connection.execute(
        "SELECT name, dimension, embedded FROM models WHERE project=? AND embedded > 0 "
        "ORDER BY name",
        (number,),
    )
    return Stats(
        documents=documents,
        passages=passages,
        generation=generation,
        coverage=tuple(
            Coverage(model=name, dimension=dimension, embedded=embedded, total=passages)
            for name, dimension, embedded in models
        ),
        size_bytes=size_bytes,
        updated_at=None if updated_at is None else moment_of(updated_at),
    )
