"""One sync under way, and how it reads."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from commonplace.domain.document import Resource
from commonplace.domain.errors import SourceError
from commonplace.domain.ids import content_hash
from commonplace.domain.scope import Source
from commonplace.index.code.settle import Settled
from commonplace.index.draft import Draft, Recipe
from commonplace.index.jobs import Tracker
from commonplace.index.lease import Lease
from commonplace.index.plan import Plan
from commonplace.index.seen import Seen, stamp_of
from commonplace.index.workers import Workers
from commonplace.index.writer import Progress, Records, Report, Writer
from commonplace.sources.base import Listing, OpenSource, ReadsMany, Skip


@dataclass(slots=True)
class Run:
    """One sync under way."""

    writer: Writer
    source: Source
    recipe: Recipe
    opened: OpenSource
    plan: Plan
    seen: Seen
    seen_before: Seen
    lease: Lease
    tracker: Tracker
    progress: Progress
    added: int = 0
    changed: int = 0
    touched: int = 0
    passages: int = 0
    warnings: list[Skip] = field(default_factory=list)
    listings: dict[str, Listing] = field(default_factory=dict)
    """Of resources being drafted, by path."""
    batch: list[Draft] = field(default_factory=list)
    workers: Workers | None = None
    """Set while there is something to draft."""
    owed: dict[str, str] = field(default_factory=dict)
    """Content hashes of code files whose symbols are stored and whose text is not, by address."""
    missing: set[str] = field(default_factory=set)
    """Addresses of code that is indexed and has no facts."""
    prose: list[str] = field(default_factory=list)
    """Documents of prose written in this run."""
    symbols: int = 0
    settled: Settled | None = None
    given_up: dict[str, str] = field(default_factory=dict)
    """Documents whose resource disappeared, by the hash of their content: one may be renamed."""
    records: Records | None = None
    vector_fault: str = ""
    """Why the embedder gave no vectors; words are searchable without."""

    @property
    def done(self) -> int:
        """Resources that need no more work."""
        written = self.added + self.changed + self.touched
        return self.plan.unchanged + written + len(self.plan.failures)

    @property
    def total(self) -> int:
        """Resources there are."""
        return max(self.plan.total, self.done)

    async def keep(self) -> None:
        """Renew the lease and the job's record."""
        await self.lease.renew()
        failed = len(self.plan.failures)
        await self.tracker.update(done=self.done, total=self.total, failed=failed)

    async def tell(self, message: str) -> None:
        """Renew the lease, keep the job's record, report progress."""
        await self.keep()
        await self.progress(self.done, self.total, message)

    def report(self, elapsed_s: float, removed: int) -> Report:
        """What was done."""
        return Report(
            source_id=self.source.id,
            added=self.added,
            changed=self.changed,
            unchanged=self.plan.unchanged + self.touched,
            removed=removed,
            passages=self.passages,
            symbols=self.symbols,
            bound=self.settled.bound if self.settled else 0,
            snapshot=self.settled.snapshot.number
            if self.settled and self.settled.snapshot
            else None,
            failures=tuple(self.plan.failures),
            skips=tuple(self.plan.skips),
            warnings=(*self.plan.notes, *self.warnings),
            elapsed_s=elapsed_s,
            records=self.records,
        )


async def read(run: Run, chunk: Sequence[Listing]) -> list[Resource]:
    """The resources whose bytes are not those indexed."""
    resources: list[Resource] = []
    for listing, resource in zip(chunk, await _read_many(run.opened, chunk), strict=True):
        if isinstance(resource, SourceError):
            reason = resource.message
            run.plan.failures.append(Skip(path=listing.path, reason=reason, is_failure=True))
        elif _is_wanted(run, listing, content_hash(resource.content)):
            run.listings[listing.path] = listing
            resources.append(resource)
    return resources


async def _read_many(
    opened: OpenSource, chunk: Sequence[Listing]
) -> Sequence[Resource | SourceError]:
    if isinstance(opened, ReadsMany):
        return await opened.read_many(chunk)
    found: list[Resource | SourceError] = []
    for listing in chunk:
        try:
            found.append(await opened.read(listing))
        except SourceError as exc:
            found.append(exc)
    return found


def _is_wanted(run: Run, listing: Listing, found: str) -> bool:
    """Whether these bytes are to be drafted; those that are indexed are noted as seen."""
    if listing.uri in run.owed:
        # What changed since its symbols were read is for the next sync, which sees it.
        return run.owed[listing.uri] == found
    known = run.plan.known.get(listing.uri)
    if listing.uri in run.missing:
        return True
    is_other = known is None or known.content_hash != found
    if known is None or is_other or run.seen.recipe != run.recipe.key or run.seen.is_stale(listing):
        return True
    run.seen.touched[listing.uri] = [*stamp_of(listing), known.content_hash]
    run.touched += 1
    return False
