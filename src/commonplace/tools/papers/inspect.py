"""``papers.inspect_collection``: what a project's index really holds."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from commonplace.answer.pack import Form, Page, Tail, pack
from commonplace.answer.render import one_line, quotation, session_note
from commonplace.domain.evidence import Reply
from commonplace.domain.passage import Located
from commonplace.domain.scope import Selection
from commonplace.engines.base import Stats
from commonplace.index.jobs import list_jobs
from commonplace.index.references.keep import Cited, all_cited, references_of
from commonplace.index.sources import list_sources
from commonplace.retrieve.analyse import analyse
from commonplace.tools.app import App, Call
from commonplace.tools.base import Tool, ToolOutput
from commonplace.tools.paging import BudgetedArgs, ResponseTokens, budget, response_tokens
from commonplace.tools.papers.binding import (
    SPARSE_MODEL,
    check_project,
    collection_name,
    lost_vectors,
    model_name,
    tells_index,
)
from commonplace.tools.papers.items import citing
from commonplace.tools.papers.writing import trimmed
from commonplace.tools.scope import Name

_MOST_SAMPLES = 5  # 002
_SAMPLE_CHARS = 240
PAYLOAD_KEYS = (
    *("project_id", "doc_id", "section_id", "section_path", "page_start", "page_end", "citekey"),
    *("doi", "year", "authors", "title", "tags", "source_path", "chunk_text", "heading_chain"),
    *("embed_model", "version"),
)
INDEXES = {
    "keyword": ["project_id", "doc_id", "section_id", "tags"],
    "fulltext": ["title", "section_path", "chunk_text"],
}
"""What the store looks up without reading every passage; a test asks it how it does."""


class InspectCollectionArgs(BudgetedArgs):
    """Arguments of papers.inspect_collection."""

    project: Name
    sample: int = Field(default=0, ge=0, le=_MOST_SAMPLES)
    max_response_tokens: ResponseTokens = 3000


class Covered(ToolOutput):
    """How far a model's vectors are."""

    model: str
    dimension: int
    embedded: int = Field(description="Passages that have a vector.")
    total: int


class Indexes(ToolOutput):
    """What is looked up by key, and what by words."""

    keyword: list[str]
    fulltext: list[str]


class Storage(ToolOutput):
    """Where it is kept."""

    on_disk_vectors: bool
    on_disk_hnsw: bool = Field(description="There is no such graph: codes are scanned.")
    engine: str
    size_bytes: int = Field(description="Of the store, all projects together.")


class Running(ToolOutput):
    """A job of the project."""

    id: str
    state: str
    done: int
    total: int
    message: str


class InspectCollectionReply(ToolOutput):
    """Reply of papers.inspect_collection."""

    project: str
    collection: str
    size: int = Field(description="Passages.")
    documents: int
    cited_documents: int = Field(description="Documents a bibliography tells of.")
    dense_model: str | None
    sparse_model: str
    named_vectors: list[str]
    coverage: list[Covered]
    payload_keys: list[str]
    indexes: Indexes
    storage: Storage
    jobs: list[Running] = Field(default=[], description="The last three, newest first.")
    sample_payloads: list[dict[str, Any]]
    truncated: bool = Field(description="Whether the budget left samples out.")
    session_id: str


DESCRIPTION = """\
Use when you want to know what a project's papers index holds: models, coverage, jobs.
Do not use when you want what the papers say: papers_query.
Returns counts, models, payload keys, indexes, storage, and sample passages.
If you need more, set sample.
Defaults: sample 0. Max: sample 5."""


@tells_index
async def run_inspect_collection(app: App, call: Call, args: InspectCollectionArgs) -> Reply:
    """Look at everything, sample, pack."""
    await check_project(app, args.project)
    stats = await app.store.passages.stats(args.project)
    await _probe(app, args.project, stats)
    samples = await _samples(app, args.project, args.sample)
    known = await all_cited(app.store.keyvalue, args.project)
    facts = await _facts(app, args.project, stats)
    facts["cited_documents"] = sum(one.reference is not None for one in known.values())
    documents = list({one.card.id: None for one in samples})
    records = await references_of(app.store.keyvalue, args.project, documents)
    payloads = [
        _payload(
            one,
            citing(one, records.get(one.card.id)),
            known.get(one.card.id),
            facts["dense_model"],
        )
        for one in samples
    ]

    def shape(entries: Sequence[dict[str, Any]], tail: Tail) -> Form:
        told = {**facts, "sample_payloads": list(entries), "truncated": tail.truncated}
        told |= app.marks(call, ())
        return Form(_text(told), told)

    page = Page(0, max(1, args.sample))
    return pack(payloads, page, budget(app, response_tokens(app, args)), shape)


async def _facts(app: App, project: str, stats: Stats) -> dict[str, Any]:
    engine = urlsplit(app.settings.store_url).scheme
    has_vectors = any(one.embedded for one in stats.coverage)
    jobs = await list_jobs(app.store.keyvalue, project)
    return {
        "project": project,
        "collection": collection_name(project),
        "size": stats.passages,
        "documents": stats.documents,
        "dense_model": await model_name(app, project, stats),
        "sparse_model": SPARSE_MODEL,
        "named_vectors": [*(["dense"] if has_vectors else []), "sparse"],
        "coverage": [
            {
                "model": one.model,
                "dimension": one.dimension,
                "embedded": one.embedded,
                "total": one.total,
            }
            for one in stats.coverage
        ],
        "payload_keys": list(PAYLOAD_KEYS),
        "indexes": INDEXES,
        "storage": {
            "on_disk_vectors": engine == "sqlite",
            "on_disk_hnsw": False,
            "engine": engine,
            "size_bytes": await app.store.size_bytes(),
        },
        "jobs": [
            {
                "id": one.id,
                "state": one.state,
                "done": one.done,
                "total": one.total,
                "message": one_line(one.message)[:200],
            }
            for one in jobs[:3]
        ],
    }


async def _probe(app: App, project: str, stats: Stats) -> None:
    """Raises when words, vectors or texts cannot be looked up: counts alone do not tell."""
    import numpy as np  # noqa: PLC0415 - tools are listed before numpy is imported

    whole = Selection(project=project)
    hits = await app.store.passages.lexical(analyse("paper"), whole, 1)
    for one in stats.coverage:
        direction = np.ones(one.dimension, dtype=np.float32)
        nearest = await app.store.passages.dense(one.model, direction, whole, 1)
        if not nearest:
            raise lost_vectors(one.model)
        hits += nearest
    await app.store.passages.get(whole, [hit.passage_id for hit in hits])


async def _samples(app: App, project: str, wanted: int) -> list[Located]:
    """The first passage of each of the first documents, then those that follow in them."""
    documents: list[str] = []
    for source in await list_sources(app.store.keyvalue, project) if wanted else ():
        known = await app.store.passages.fingerprints(project, source.id)
        documents += [one.document_id for one in islice(known.values(), wanted)]
    selection = Selection(project=project)
    opened = [
        await app.store.passages.read(selection, one, range(wanted)) for one in documents[:wanted]
    ]
    turns = chain.from_iterable(zip_longest(*opened))
    return [one for one in turns if one is not None][:wanted]


def _payload(
    located: Located, cite: Mapping[str, Any], found: Cited | None, model: str | None
) -> dict[str, Any]:
    pages = located.passage.pages or (None, None)
    told = {
        "project_id": located.card.project,
        "doc_id": located.card.id,
        "section_id": located.passage.id,
        "page_start": pages[0],
        "page_end": pages[1],
        "tags": list(found.tags if found else located.card.tags),
        "source_path": located.card.path,
        "chunk_text": trimmed(located.passage.text, _SAMPLE_CHARS),
        "heading_chain": list(located.passage.headings),
        "embed_model": model,
        "version": located.card.content_hash,
    }
    return {name: told[name] if name in told else cite[name] for name in PAYLOAD_KEYS}


def _text(told: Mapping[str, Any]) -> str:
    models = ", ".join(
        f"{one['model']} ({one['embedded']}/{one['total']})" for one in told["coverage"]
    )
    lines = [
        f"{told['project']}: {told['documents']} documents ({told['cited_documents']} in a "
        f"bibliography), {told['size']} passages",
        f"vectors: {models or 'none'}; words: {told['sparse_model']}",
        f"payload: {', '.join(told['payload_keys'])}",
        f"by key: {', '.join(told['indexes']['keyword'])}; "
        f"by words: {', '.join(told['indexes']['fulltext'])}",
        f"store: {told['storage']['engine']}, {told['storage']['size_bytes']:,} bytes",
    ]
    lines += [
        f"job {one['id']}: {one['state']}, {one['done']} of {one['total']} {one['message']}".strip()
        for one in told["jobs"]
    ]
    for row in told["sample_payloads"]:
        key = f"[@{one_line(row['citekey'])}] " if row["citekey"] else ""
        lines += [f"- {key}{one_line(row['source_path'])}", quotation(row["chunk_text"])]
    return "\n".join(lines) + session_note(told["session_id"])


INSPECT_COLLECTION = Tool(
    name="papers.inspect_collection",
    description=DESCRIPTION,
    args=InspectCollectionArgs,
    output=InspectCollectionReply,
    run=run_inspect_collection,
    bare="inspect_collection",
    timeout_s=5.0,
)
