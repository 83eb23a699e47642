"""Questions the tests put to a store."""

from pathlib import Path

from commonplace.domain.query import Query
from commonplace.domain.scope import Selection
from commonplace.index.pipeline import sync_source
from commonplace.index.sources import add_source
from commonplace.index.writer import Report, Writer

WHOLE = Selection(project="default")


async def index(writer: Writer, location: Path) -> Report:
    """Add a location and sync it."""
    source = await add_source(writer, str(location), "default")
    return await sync_source(writer, source)


async def found(writer: Writer, word: str) -> list[str]:
    """Paths of documents with this word, best first."""
    hits = await writer.store.passages.lexical(Query(text=word, terms=(word,)), WHOLE, 10)
    located = await writer.store.passages.get(WHOLE, [hit.passage_id for hit in hits])
    return [one.card.path for one in located]


async def near(writer: Writer, text: str) -> str:
    """Path of the document whose passage is nearest in meaning."""
    (vector,) = await writer.embedder.embed([text], is_query=True)
    hits = await writer.store.passages.dense(writer.embedder.model, vector, WHOLE, 1)
    (located,) = await writer.store.passages.get(WHOLE, [hit.passage_id for hit in hits])
    return located.card.path


async def texts(writer: Writer, source_id: str) -> dict[str, str]:
    """Every stored document of a source by path, its passages joined."""
    known = await writer.store.passages.fingerprints("default", source_id)
    stored: dict[str, str] = {}
    for fingerprint in known.values():
        located = await writer.store.passages.read(WHOLE, fingerprint.document_id, range(10_000))
        if located:
            stored[located[0].card.path] = "".join(one.passage.text for one in located)
    return stored
