"""A project as lines of JSON: sources, documents with graph, pages, citations; no vectors.

The first line says what follows. Ids are kept, so citations survive the move; vectors are made
anew by whoever imports, since another home may use another model.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from commonplace.domain.context import CONTEXT
from commonplace.domain.document import Card, Span
from commonplace.domain.errors import UserError
from commonplace.domain.graph import Edge, Node
from commonplace.domain.passage import Passage
from commonplace.domain.scope import Source
from commonplace.engines.base import Entry, KeyValue, Store
from commonplace.index.embed_text import embed_text
from commonplace.index.pages import page_records, put_page_record
from commonplace.index.projects import create_project
from commonplace.index.references.carry import paper_records, put_paper_record
from commonplace.index.references.keep import all_cited, label
from commonplace.index.sources import list_sources, put_source
from commonplace.index.writer import Writer
from commonplace.memory.record import from_node, to_edges

FORMAT = 1
_BATCH_DOCUMENTS = 50

Record = Mapping[str, Any]


async def export_project(store: Store, project: str) -> AsyncIterator[str]:
    """The lines of a project, in a fixed order: the same project gives the same lines.

    A page of the web is a document and a line of what is known of it: when it was fetched, what to
    ask its server with, where it leads. Bibliographies and what they were matched to follow.
    """
    stats = await store.passages.stats(project)
    yield _line({"commonplace": FORMAT, "project": project, "documents": stats.documents})
    for source in await list_sources(store.keyvalue, project):
        yield _line({"source": asdict(source)})
        known = await store.passages.fingerprints(project, source.id)
        ids = [fingerprint.document_id for _, fingerprint in sorted(known.items())]
        for start in range(0, len(ids), _BATCH_DOCUMENTS):
            batch = ids[start : start + _BATCH_DOCUMENTS]
            for entry in await store.passages.entries(project, batch):
                yield _line(_record(entry))
    for record in await page_records(store.keyvalue, project):
        yield _line({"page": record})
    async for known_of in paper_records(store.keyvalue, project):
        yield _line({"paper": known_of})


def _record(entry: Entry) -> Record:
    """One document with all that belongs to it."""
    return {
        "document": asdict(entry.card),
        "passages": [asdict(one) for one in entry.passages],
        "nodes": [asdict(one) for one in entry.nodes],
        "edges": [asdict(one) for one in entry.edges],
    }


def _line(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, default=_encode) + "\n"


def _encode(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):  # properties a store reads when they are asked for
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


async def import_project(
    writer: Writer, lines: Iterable[str], tell: Callable[[int, int], None], only: str | None = None
) -> tuple[str, int]:
    """Write what the lines hold; the project and the number of its documents.

    ``only`` is the project it must be of: ids and citations belong to their project. Raises
    UserError naming the line that is not as it should be; what stands before it is kept.
    """
    records = _records(lines)
    head = next(records, None)
    if head is None or head.get("commonplace") != FORMAT:
        raise UserError("line 1: not an export this version reads; make one with `export`")
    project, total = str(head["project"]), int(head["documents"])
    if only is not None and only != project:
        raise UserError(f"the export is of project {project!r}, not {only!r}; omit --project")
    await create_project(writer, project)
    batch: list[Entry] = []
    done = 0
    for number, record in enumerate(records, 2):
        try:
            if await _is_kept(writer.store.keyvalue, project, record):
                continue
            batch.append(_entry(record, project))
        except (KeyError, TypeError, ValueError) as exc:
            raise UserError(f"line {number}: not a source, document or page ({exc!r})") from exc
        if len(batch) >= _BATCH_DOCUMENTS:
            done += await _write(writer, batch)
            tell(done, total)
            batch = []
    done += await _write(writer, batch)
    await label(writer.store, project, await all_cited(writer.store.keyvalue, project))
    tell(done, total)
    return project, done


async def _is_kept(keyvalue: KeyValue, project: str, record: Record) -> bool:
    """Whether a line was one of those kept beside documents."""
    if "source" in record:
        await put_source(keyvalue, _source(record["source"], project))
    elif "page" in record:
        await put_page_record(keyvalue, project, record["page"])
    elif "paper" in record:
        await put_paper_record(keyvalue, project, record["paper"])
    else:
        return False
    return True


def _records(lines: Iterable[str]) -> Iterator[Any]:
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as exc:
            raise UserError(f"line {number} is not JSON ({exc.msg}); export again") from exc
        yield record


async def _write(writer: Writer, entries: list[Entry]) -> int:
    if not entries:
        return 0
    embedded = [await _embedded(writer, entry) for entry in entries]
    await writer.store.passages.write(embedded)
    return len(entries)


async def _embedded(writer: Writer, entry: Entry) -> Entry:
    if not writer.embeds_at_once:
        return entry
    texts = [embed_text(entry.card.title, passage) for passage in entry.passages]
    if not texts:
        return entry
    return replace(entry, vectors={writer.embedder.model: await writer.embedder.embed(texts)})


def _moment(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _source(record: Record, project: str) -> Source:
    times = {name: _moment(record[name]) for name in ("added_at", "synced_at")}
    lists = {name: tuple(record.get(name, ())) for name in ("tags", "ocr_languages")}
    return Source(**{**record, **times, **lists, "project": project})


def _entry(record: Record, project: str) -> Entry:
    card = record["document"]
    nodes = [Node(**{**one, "project": project}) for one in record["nodes"]]
    edges = [Edge(**{**one, "project": project}) for one in record["edges"]]
    # What a context relates to may not exist yet, and is then in no walk of the exporting graph.
    edges += [edge for node in nodes if node.kind == CONTEXT for edge in to_edges(from_node(node))]
    times = {name: _moment(card[name]) for name in ("modified_at", "indexed_at")}
    return Entry(
        card=Card(**{**card, **times, "project": project, "tags": tuple(card["tags"])}),
        passages=[_passage(one) for one in record["passages"]],
        nodes=nodes,
        edges=edges,
    )


def _passage(record: Record) -> Passage:
    pages = tuple(record["pages"]) if record["pages"] else None
    headings = tuple(record["headings"])
    return Passage(
        **{**record, "span": Span(**record["span"]), "headings": headings, "pages": pages}
    )
