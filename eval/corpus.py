"""A set becomes an index, made by the product's own parsers, splitter, embedders and store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from commonplace.domain.document import Resource
from commonplace.domain.media import MARKDOWN
from commonplace.domain.scope import Selection
from commonplace.embedders.base import Embedder
from commonplace.engines.base import Entry
from commonplace.engines.sqlite.store import SqliteStore
from commonplace.index.draft import Recipe, draft
from commonplace.index.embed_text import embed_text
from commonplace.retrieve.search import Reader
from commonplace.serve.build import build
from commonplace.settings import Settings
from commonplace.tools.app import App
from eval.sets import JudgedSet, Page

PROJECT = "eval"
SELECTION = Selection(project=PROJECT)
_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
_BATCH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """A set in a store, ready to be asked."""

    judged: JudgedSet
    store: SqliteStore
    reader: Reader
    pages: Mapping[str, Page]
    """By document id."""
    by_uri: Mapping[str, Page]
    address: str
    home: Path


def _recipe() -> Recipe:
    settings = Settings()
    return Recipe(
        project=PROJECT,
        source_id="eval",
        tags=(),
        repository=None,
        environment=None,
        passage_tokens=settings.passage_tokens,
        tokenizer=settings.tokenizer,
        indexed_at=_MOMENT,
    )


def _resource(page: Page) -> Resource:
    return Resource(
        uri=f"eval:///{page.id}.md",
        path=f"{page.id}.md",
        content=page.body.encode("utf-8", "surrogatepass"),
        media_type=MARKDOWN,
        modified_at=_MOMENT,
    )


async def _embedded(entry: Entry, embedders: Sequence[Embedder]) -> Entry:
    texts = [embed_text(entry.card.title, passage) for passage in entry.passages]
    vectors = {embedder.model: await embedder.embed(texts) for embedder in embedders if texts}
    return replace(entry, vectors=vectors)


def _fresh_address(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{name}.db*"):
        if old.is_file():
            old.unlink()
    return f"sqlite://{(folder / name).absolute()}.db"


async def index(judged: JudgedSet, folder: Path, embedders: Sequence[Embedder]) -> Indexed:
    """Index a set into a fresh store in ``folder``."""
    address = _fresh_address(folder, judged.name)
    store = SqliteStore.open(address)
    pages: dict[str, Page] = {}
    by_uri: dict[str, Page] = {}
    entries: list[Entry] = []
    recipe = _recipe()
    for page in judged.pages:
        entry = draft(recipe, _resource(page)).entry
        pages[entry.card.id] = by_uri[entry.card.uri] = page
        entries.append(await _embedded(entry, embedders))
        if len(entries) >= _BATCH:
            await store.passages.write(entries)
            entries = []
    await store.passages.write(entries)
    reader = Reader(passages=store.passages, graph=store.graph, embedders=tuple(embedders))
    return Indexed(
        judged=judged,
        store=store,
        reader=reader,
        pages=pages,
        by_uri=by_uri,
        address=address,
        home=folder / "home",
    )


def application(indexed: Indexed) -> App:
    """The product over the indexed set, with the very same models."""
    settings = Settings(
        home=indexed.home,
        store=indexed.address,
        default_project=PROJECT,
        rate_limit_per_minute=0,
        tool_timeout_s=3600,
    )
    names = (settings.upgrade_embedder, settings.embedder)[-len(indexed.reader.embedders) :]
    embedders = dict(zip(names, indexed.reader.embedders, strict=True))
    return replace(build(settings), store=indexed.store, embedders=embedders)
