"""The passages port over dicts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from functools import lru_cache

from commonplace.domain.document import Card
from commonplace.domain.errors import EmbeddingMismatch, InvalidArgument, StoreError
from commonplace.domain.passage import Located
from commonplace.domain.query import Hit, Query
from commonplace.domain.scope import Selection
from commonplace.engines import bm25
from commonplace.engines.analysis import Columns, columns, count, holds, wanted
from commonplace.engines.base import Coverage, Entry, Fingerprint, Stats, Vectors
from commonplace.engines.check import check_entry, check_texts, half, unit
from commonplace.engines.memory.held import Held, Project, edge_key


def selects(selection: Selection, card: Card, project: Project) -> bool:
    """Whether a document is one of those a query may see."""
    tags = project.labels.get(card.id, frozenset()).union(card.tags)
    after = selection.updated_after
    if after is not None and after.tzinfo is None:
        raise InvalidArgument(f"{after.isoformat()} has no time zone; add one, such as +00:00")
    return (
        all(choice & tags for choice in selection.tags)
        and (card.uri if selection.is_prefix_of_address else card.path).startswith(
            selection.path_prefix or ""
        )
        and (after is None or card.modified_at > after)
        and (not selection.repositories or card.repository in selection.repositories)
        and (selection.environment is None or card.environment in (None, selection.environment))
        and (selection.documents is None or card.id in selection.documents)
    )


@lru_cache(maxsize=4096)
def _cut(title: str, headings: tuple[str, ...], text: str) -> Columns:
    return columns(title, headings, text)


def _columns(place: Located) -> Columns:
    return _cut(place.card.title, tuple(place.passage.headings), place.passage.text)


def _best(hits: Iterable[Hit], limit: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))[: max(0, limit)]


class MemoryPassages:
    """Text and vectors; see the port for the promises."""

    def __init__(self, held: Held) -> None:
        self._held = held

    async def write(self, entries: Sequence[Entry]) -> None:
        """Replace these documents and all that belongs to them, atomically."""
        for entry in entries:
            check_entry(entry)
        async with self._held.transaction():
            for entry in entries:
                self._write(self._held.projects.setdefault(entry.card.project, Project()), entry)

    def _write(self, project: Project, entry: Entry) -> None:
        card = replace(
            entry.card,
            modified_at=entry.card.modified_at.astimezone(UTC),
            indexed_at=entry.card.indexed_at.astimezone(UTC),
        )
        before = project.documents.get(card.id)
        project.drop(card.id, entry.part)
        if entry.part == "graph":
            entry = replace(entry, passages=before.passages if before else (), vectors={})
        taken = project.located().keys() & {passage.id for passage in entry.passages}
        if taken:
            raise StoreError(f"another document holds the passages {sorted(taken)}")
        project.documents[card.id] = replace(entry, card=card, vectors={}, part="whole")
        project.forget()
        for model, rows in entry.vectors.items():
            _embed(project, model, [passage.id for passage in entry.passages], rows)
        project.nodes |= {node.id: node for node in entry.nodes}
        project.edges |= {edge_key(edge): edge for edge in entry.edges}
        shared = frozenset(node.id for node in entry.nodes if node.document_id is None)
        if shared and entry.part != "text":
            project.stated[card.id] = shared
        project.generation += 1
        project.updated_at = max(project.updated_at or card.indexed_at, card.indexed_at)

    async def remove(self, project: str, document_ids: Sequence[str]) -> None:
        """Remove documents and all that belongs to them, atomically. Unknown ids are ignored."""
        async with self._held.transaction():
            held = self._held.project(project)
            for document_id in document_ids:
                held.generation += document_id in held.documents
                if document_id in held.documents:
                    held.drop(document_id)
            held.forget()

    async def label(self, project: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Let documents be selected by these tags beside those of their cards, atomically."""
        for document_id, tags in labels.items():
            check_texts(document_id, tags)
        async with self._held.transaction():
            held = self._held.project(project)
            for document_id in labels.keys() & held.documents.keys():
                own = held.documents[document_id].card.tags
                given = frozenset(labels[document_id]).difference(own)
                if given != held.labels.get(document_id, frozenset()):
                    held.labels[document_id] = given
                    held.generation += 1

    async def inherit(self, project: str, heirs: Mapping[str, str]) -> None:
        """Give passages the vectors of others, of every model they have none of, atomically."""
        async with self._held.transaction():
            held = self._held.project(project)
            known = held.located().keys()
            for rows in held.vectors.values():
                given = {
                    heir: rows[other]
                    for heir, other in heirs.items()
                    if other in rows and heir in known and heir not in rows
                }
                rows |= given

    def _selected(self, selection: Selection) -> dict[str, Located]:
        held = self._held.project(selection.project)
        located = held.located().items()
        return {key: place for key, place in located if selects(selection, place.card, held)}

    async def get(self, selection: Selection, passage_ids: Sequence[str]) -> list[Located]:
        """These passages in the order asked; unknown or unselected ones are left out."""
        found = self._selected(selection)
        return [found[key] for key in dict.fromkeys(passage_ids) if key in found]

    async def read(self, selection: Selection, document_id: str, ordinals: range) -> list[Located]:
        """Passages of one document by ordinal, in order; absent ordinals are left out."""
        found = [
            place
            for place in self._selected(selection).values()
            if place.card.id == document_id and place.passage.ordinal in ordinals
        ]
        return sorted(found, key=lambda place: place.passage.ordinal)

    async def lexical(self, query: Query, selection: Selection, limit: int) -> list[Hit]:
        """Best passages by BM25 over title, headings, body and split identifiers, best first."""
        held = self._held.project(selection.project)
        located = held.located()
        want = wanted(query)
        rows = [_columns(place) for place in located.values()]
        scores = bm25.rank([count(row) for row in rows], want)
        places = list(located.values())
        hits = (
            Hit(places[at].passage.id, score, "bm25")
            for at, score in scores.items()
            if selects(selection, places[at].card, held) and holds(rows[at], want.phrases)
        )
        return _best(hits, limit)

    async def dense(
        self, model: str, vector: Vectors, selection: Selection, limit: int
    ) -> list[Hit]:
        """Nearest passages by cosine among those with a vector of ``model``, best first."""
        asked = unit(vector)
        held = self._held.project(selection.project)
        if model in held.dimensions:
            _check_dimension(held, model, len(asked))
        selected = self._selected(selection)
        rows = held.vectors.get(model, {}).items()
        hits = (Hit(key, float(row @ asked), "vector") for key, row in rows if key in selected)
        return _best(hits, limit)

    async def fingerprints(self, project: str, source_id: str) -> dict[str, Fingerprint]:
        """What is indexed of a source, by resource URI."""
        cards = (entry.card for entry in self._held.project(project).documents.values())
        return {
            card.uri: Fingerprint(card.id, card.content_hash, card.size_bytes, card.modified_at)
            for card in cards
            if card.source_id == source_id
        }

    async def entries(self, project: str, document_ids: Sequence[str]) -> list[Entry]:
        """Everything but vectors of these documents, in the order asked."""
        held = self._held.project(project)
        known = (held.documents.get(one) for one in dict.fromkeys(document_ids))
        return [_as_written(held, entry) for entry in known if entry is not None]

    async def pending(
        self, project: str, model: str, limit: int, among: Sequence[str] | None = None
    ) -> list[Located]:
        """Passages without a vector of ``model``, most recently written first."""
        held = self._held.project(project)
        has = held.vectors.get(model, {})
        if among is not None:
            located = held.located()
            asked = (key for key in dict.fromkeys(among) if key in located and key not in has)
            return [located[key] for key in asked][: max(0, limit)]
        found = [
            Located(entry.card, passage)
            for entry in reversed(held.documents.values())
            for passage in sorted(entry.passages, key=lambda passage: passage.ordinal)
            if passage.id not in has
        ]
        return found[: max(0, limit)]

    async def embed(
        self, project: str, model: str, passage_ids: Sequence[str], vectors: Vectors
    ) -> None:
        """Add vectors to passages that still exist; does not change the generation's meaning."""
        check_texts(model, (model,))
        half(vectors, len(passage_ids))
        async with self._held.transaction():
            held = self._held.project(project)
            known = held.located()
            places = [at for at, key in enumerate(passage_ids) if key in known]
            _embed(held, model, [passage_ids[at] for at in places], vectors[places])

    async def forget(self, project: str, model: str) -> None:
        """Remove all vectors of a model."""
        async with self._held.transaction():
            self._held.project(project).vectors.pop(model, None)

    async def prepare(self, project: str) -> None:
        """Searches read what is written."""

    async def stats(self, project: str) -> Stats:
        """How much the project holds; all zeros for a project never written to."""
        held = self._held.project(project)
        passages = len(held.located())
        coverage = (
            Coverage(
                model=model, dimension=held.dimensions[model], embedded=len(rows), total=passages
            )
            for model, rows in sorted(held.vectors.items())
            if rows
        )
        return Stats(
            documents=len(held.documents),
            passages=passages,
            generation=held.generation,
            coverage=tuple(coverage),
            updated_at=held.updated_at,
        )

    async def projects(self) -> list[str]:
        """Projects with at least one document, sorted."""
        self._held.check_open()
        return sorted(name for name, held in self._held.projects.items() if held.documents)


def _check_dimension(project: Project, model: str, dimension: int) -> None:
    if not project.vectors.get(model):
        project.dimensions[model] = dimension
    if project.dimensions[model] != dimension:
        raise EmbeddingMismatch(
            f"vectors of {model!r} have {project.dimensions[model]} dimensions here, "
            f"not {dimension}; set the embedder back, or `commonplace remove` its "
            "sources and add them again"
        )


def _embed(project: Project, model: str, ids: Sequence[str], rows: Vectors) -> None:
    if ids:
        _check_dimension(project, model, rows.shape[1])
        kept = half(rows, len(ids)).astype("float32")
        project.vectors.setdefault(model, {}).update(zip(ids, kept, strict=True))


def _as_written(held: Project, entry: Entry) -> Entry:
    """The entry with what the graph now holds of it."""
    own = entry.card.id
    shared = held.stated.get(own, frozenset())
    nodes = [one for one in held.nodes.values() if one.document_id == own or one.id in shared]
    edges = sorted((edge_key(one), one) for one in held.edges.values() if one.document_id == own)
    return replace(
        entry,
        passages=sorted(entry.passages, key=lambda passage: passage.ordinal),
        vectors={},
        nodes=sorted(nodes, key=lambda node: node.id),
        edges=[edge for _, edge in edges],
    )
