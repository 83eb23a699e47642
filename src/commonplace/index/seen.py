"""What is known of a source's resources beside their fingerprints, so that they need no reading.

Three cases: a file touched but not changed, one that cannot be parsed as it is, and one with
scanned pages, which are recognised anew when their language or the engine is another.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime

from commonplace.domain.scope import Source
from commonplace.engines.base import KeyValue
from commonplace.sources.base import Listing

_STALE = "?"  # no language


@dataclass(frozen=True, slots=True)
class Seen:
    """One record per source: the recipe its documents were made by, and stats by address."""

    recipe: str = ""
    touched: dict[str, list[str | int]] = field(default_factory=dict)
    """Size, time and content hash of resources whose bytes are those indexed."""
    broken: dict[str, list[str | int]] = field(default_factory=dict)
    """Size, time and reason of resources no parser could read."""
    scans: str = ""
    """How scanned pages were recognised."""
    scanned: dict[str, str] = field(default_factory=dict)
    """The language told of documents with scanned pages, when they were recognised."""

    def is_stale(self, listing: Listing) -> bool:
        """Whether scanned pages are to be recognised anew though their bytes are the same."""
        return self.scanned.get(listing.uri, listing.language) != listing.language

    def rescanned(self, scans: str) -> "Seen":
        """As known when scans are recognised in another way: those, and what failed, are stale."""
        if scans == self.scans:
            return self
        stale = dict.fromkeys(self.scanned, _STALE)
        return replace(self, scans=scans, scanned=stale, broken={})


def stamp(size_bytes: int, modified_at: datetime) -> list[str | int]:
    """Size and time as they are kept.

    >>> from datetime import UTC
    >>> stamp(3, datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    [3, '1970-01-01T00:00:01+00:00']
    """
    return [size_bytes, modified_at.isoformat()]


def stamp_of(listing: Listing) -> list[str | int]:
    """The stamp of a listed resource."""
    return stamp(listing.size_bytes, listing.modified_at)


def _namespace(source: Source) -> str:
    return f"seen/{source.project}"


async def load(keyvalue: KeyValue, source: Source) -> Seen:
    """The record of a source; empty when it has none."""
    value = await keyvalue.get(_namespace(source), source.id)
    return Seen(**json.loads(value)) if value else Seen()


async def save(keyvalue: KeyValue, source: Source, record: Seen) -> None:
    """Replace the record of a source."""
    await keyvalue.put(_namespace(source), source.id, json.dumps(asdict(record)).encode())


async def forget(keyvalue: KeyValue, source: Source) -> None:
    """Remove the record of a source."""
    await keyvalue.expire(_namespace(source), source.id)
