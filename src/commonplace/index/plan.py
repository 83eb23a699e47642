"""What a sync has to do: the source's listing compared with the store's fingerprints."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from commonplace.domain.errors import SourceError
from commonplace.domain.scope import Source
from commonplace.engines.base import Fingerprint
from commonplace.index.seen import Seen, stamp_of
from commonplace.index.sources import shared_kinds, synced_sources
from commonplace.index.writer import Writer
from commonplace.sources.base import Listing, OpenSource, Peeks, Skip

# What one worker takes at a time: large enough to spare hops.
_CHUNK_FILES = 32
_CHUNK_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is wanted of a sync beside bringing a source up to date."""

    vacant: Collection[str] = ()
    """Addresses that an overlapping source gave up: this one takes those it holds."""
    label: str = ""
    """Names the snapshot of its code, which is then made even when nothing changed."""
    paths: Collection[str] | None = None
    """Full paths that changed, where someone watched: if all are files that are indexed, nothing
    else is looked at. None is to look at everything."""


PLAIN = Wish()


@dataclass(slots=True)
class Plan:
    """Filled while the source is listed."""

    known: Mapping[str, Fingerprint]
    """What is indexed of the source, by address."""
    fresh: list[Listing] = field(default_factory=list)
    """To be read: new, changed, or touched."""
    unchanged: int = 0
    skips: list[Skip] = field(default_factory=list)
    failures: list[Skip] = field(default_factory=list)
    notes: list[Skip] = field(default_factory=list)
    """What the source says of resources that are read."""
    listed: dict[str, Listing] = field(default_factory=dict)
    """Everything the source has, by address."""
    is_partial: bool = False
    """Whether only what changed was looked at."""

    def hear(self, told: Skip) -> None:
        """Keep what the source says of a resource, by what it means."""
        kept = self.failures if told.is_failure else self.notes if told.is_note else self.skips
        kept.append(told)

    @property
    def total(self) -> int:
        """Resources the source has."""
        return self.unchanged + len(self.fresh)

    @property
    def addresses(self) -> dict[str, str]:
        """Addresses of the indexed documents, by id."""
        return {one.document_id: uri for uri, one in self.known.items()}

    def gone(self) -> dict[str, str]:
        """Documents whose resource disappeared, by address; not those that only failed to show."""
        if self.is_partial:
            return {}
        failed = [skip.path.strip("/") for skip in self.failures]
        return {
            uri: fingerprint.document_id
            for uri, fingerprint in self.known.items()
            if uri not in self.listed and not any(is_under(uri, path) for path in failed)
        }


def is_under(uri: str, path: str) -> bool:
    """Whether an address may be that of a path in a source, or of something in that folder.

    >>> is_under("file:///docs/a%20b/c.md", "a b"), is_under("file:///docs/ab.md", "b.md")
    (True, False)
    """
    return f"/{path}/" in f"{unquote(uri)}/"


def is_unchanged(listing: Listing, known: Fingerprint | None, seen: Seen) -> bool:
    """Whether the stat alone shows that the indexed bytes are those of the resource."""
    if known is None:
        return False
    if (listing.size_bytes, listing.modified_at) == (known.size_bytes, known.modified_at):
        return True
    return seen.touched.get(listing.uri) == [*stamp_of(listing), known.content_hash]


def overlap(one: str, other: str) -> bool:
    """Whether one location lies within the other.

    >>> overlap("/docs", "/docs/sub"), overlap("/docs/sub", "/docs"), overlap("/docs", "/docs2")
    (True, True, False)
    """
    first, second = (f"{location.rstrip('/')}/" for location in (one, other))
    return first.startswith(second) or second.startswith(first)


async def overlapping(writer: Writer, source: Source) -> list[Source]:
    """Other sources of the project that may hold the same documents."""
    known = await synced_sources(writer.store.keyvalue, source.project)
    others = (other for other in known if other.id != source.id)
    shared = shared_kinds()
    return [
        other
        for other in others
        if (other.kind == source.kind and source.kind in shared)
        or overlap(other.location, source.location)
    ]


async def elsewhere(writer: Writer, source: Source, vacant: Collection[str] = ()) -> dict[str, str]:
    """Addresses indexed by other sources of the project, with their locations.

    A folder may be added twice, alone and within a larger one: its documents belong to the first,
    until that gives them up; those are ``vacant``.
    """
    found: dict[str, str] = {}
    for other in await overlapping(writer, source):
        uris = await writer.store.passages.fingerprints(source.project, other.id)
        found |= {uri: other.location for uri in uris if uri not in vacant}
    return found


async def make_plan(
    writer: Writer,
    source: Source,
    opened: OpenSource,
    seen: Seen | None,
    wish: Wish = PLAIN,
) -> Plan:
    """List the source, one stat a resource. ``seen`` is None when all must be read anew.

    Raises SourceError when the source itself cannot be listed: nothing is then removed.
    """
    plan = Plan(known=await writer.store.passages.fingerprints(source.project, source.id))
    near = await _near(plan, opened, wish) if seen is not None else None
    if near is not None and seen is not None:
        plan.is_partial = True
        plan.unchanged = len(plan.known) - len(near)
        for listing in near:
            _compare(plan, listing, {}, seen)
        return plan
    others = await elsewhere(writer, source, wish.vacant)
    async for found in opened.list():
        if isinstance(found, Skip):
            plan.hear(found)
            if found.is_failure and found.path.strip("/") in ("", "."):
                raise SourceError(
                    f"cannot list {source.location}: {found.reason}; bring it back, or forget it "
                    f"with `commonplace remove {source.location}`"
                )
            continue
        _compare(plan, found, others, seen)
    return plan


async def _near(plan: Plan, opened: OpenSource, wish: Wish) -> list[Listing] | None:
    """Listings of what changed, when that is all there is to look at.

    A new file may be ignored by a rule, a missing one may be a folder's: then all is walked.
    """
    if not wish.paths or not isinstance(opened, Peeks):
        return None
    near = [await opened.peek(path) for path in sorted(wish.paths)]
    known = [one for one in near if isinstance(one, Listing) and one.uri in plan.known]
    return known if len(known) == len(near) else None


def _compare(plan: Plan, listing: Listing, others: Mapping[str, str], seen: Seen | None) -> None:
    known = plan.known.get(listing.uri)
    if known is None and listing.uri in others:
        reason = f"indexed already with {others[listing.uri]}"
        plan.skips.append(Skip(path=listing.path, reason=reason))
        return
    plan.listed[listing.uri] = listing
    if seen is None:
        plan.fresh.append(listing)
    elif is_unchanged(listing, known, seen) and not seen.is_stale(listing):
        plan.unchanged += 1
    elif (broken := seen.broken.get(listing.uri)) and broken[:2] == stamp_of(listing):
        plan.failures.append(Skip(path=listing.path, reason=str(broken[2]), is_failure=True))
    else:
        plan.fresh.append(listing)


def chunks(listings: Sequence[Listing], most: int = _CHUNK_FILES) -> Iterator[list[Listing]]:
    """Listings in their order, cut by number and by bytes."""
    most = min(most, _CHUNK_FILES)
    chunk: list[Listing] = []
    size_bytes = 0
    for listing in listings:
        is_full = len(chunk) >= most or size_bytes + listing.size_bytes > _CHUNK_BYTES
        if chunk and is_full:
            yield chunk
            chunk, size_bytes = [], 0
        chunk.append(listing)
        size_bytes += listing.size_bytes
    if chunk:
        yield chunk
