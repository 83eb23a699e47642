"""What the write path works with, and what it gives back."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from commonplace.embedders.base import Embedder
from commonplace.engines.base import Store
from commonplace.index.code.shelf import Shelf
from commonplace.settings import Settings
from commonplace.sources.base import Skip

Progress = Callable[[float, float | None, str], Awaitable[None]]
"""Report (done, total, message); what is reported done is stored and searchable."""

INSTANT_TEXTS_PER_S = 1000.0  # a slower embedder would hold up the documents it is to embed


def utc_now() -> datetime:
    """The moment, with its zone."""
    return datetime.now(UTC)


async def silent(done: float, total: float | None, message: str) -> None:
    """A progress that nobody watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The store, the settings, and the embedder that makes new documents searchable at once."""

    store: Store
    settings: Settings
    embedder: Embedder
    clock: Callable[[], datetime] = utc_now
    shelf: Shelf = field(default_factory=Shelf)
    """The program of the project's code, where it is kept between syncs."""
    batch_documents: int = 200
    """Most documents of one transaction: large enough to spare commits, small enough that Ctrl-C
    and other writers wait for less than a second."""

    @property
    def embeds_at_once(self) -> bool:
        """Whether vectors are made before a document is stored, or filled in after it."""
        return self.embedder.texts_per_s >= INSTANT_TEXTS_PER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """How far bibliographic records tell of documents."""

    known: int
    """Records that may tell of them."""
    matched: int
    """Documents one of them tells of."""
    documents: int
    """Of so many: those of the source; of a bibliography, those of all other sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one sync of one source did."""

    source_id: str
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    passages: int = 0
    """Written in this run."""
    symbols: int = 0
    """Of the code files that were read in this run."""
    bound: int = 0
    """Code files whose names were bound in this run: those read, and those that depend on them."""
    snapshot: int | None = None
    """The number of the snapshot this run made of the source's code."""
    failures: tuple[Skip, ...] = ()
    """What the user would have expected to be indexed and is not, each with its reason."""
    skips: tuple[Skip, ...] = ()
    """What was left out by rule."""
    warnings: tuple[Skip, ...] = ()
    """Documents that are indexed, but with something missing."""
    elapsed_s: float = 0.0
    records: Records | None = None
    """What bibliographies tell, where they or the documents changed and there are any."""

    @property
    def documents(self) -> int:
        """How many documents of the source are indexed and up to date."""
        return self.added + self.changed + self.unchanged
