"""What a source is: it lists what it has cheaply, and reads one resource when asked."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn, Protocol, runtime_checkable

from commonplace.domain.document import Resource
from commonplace.domain.errors import SourceError
from commonplace.domain.scope import Source

if TYPE_CHECKING:  # worker processes read no settings, and need not load what checks them
    from commonplace.domain.reference import Reference
    from commonplace.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One resource as seen without reading it: one stat."""

    uri: str
    path: str
    media_type: str
    size_bytes: int
    modified_at: datetime
    language: str = ""
    """Told of it by a catalogue; scanned pages are recognised in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Something not indexed, and why: data, not an exception."""

    path: str
    reason: str
    is_failure: bool = False
    """True for what the user would have expected to be read (unreadable, too large)."""
    is_note: bool = False
    """True for what was read all the same."""


class OpenSource(Protocol):
    """A source ready to be walked."""

    def list(self) -> AsyncIterator[Listing | Skip]:
        """Everything indexable, in path order, with what was skipped."""
        ...

    async def read(self, listing: Listing) -> Resource:
        """The bytes; raises SourceError if it vanished or cannot be read."""
        ...


@runtime_checkable
class Peeks(Protocol):
    """A source that can look at one path without walking to it."""

    async def peek(self, path: str) -> Listing | Skip | None:
        """What is at a full path; None when nothing indexable is. Rules are not asked."""
        ...


@runtime_checkable
class ReadsMany(Protocol):
    """A source of many small files: handing each to a thread would cost more than reading it."""

    async def read_many(self, listings: Sequence[Listing]) -> Sequence[Resource | SourceError]:
        """The bytes of each, or why there are none."""
        ...


@runtime_checkable
class Tells(Protocol):
    """A source that knows what a bibliography says of its documents."""

    async def references(self) -> "Sequence[Reference]":
        """The records of its works, each with the addresses of its documents."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceKind:
    """A catalog record: which locations it takes and how to open one."""

    name: str
    accepts: Callable[[str], bool]
    """Whether a location the user typed is of this kind; the first that accepts wins."""
    open: "Callable[[Source, Settings], OpenSource]"
    rank: int = field(default=100)
    """Lower is asked first."""
    syncs: bool = True
    """False for what tools write themselves: there is nothing to list or to watch."""
    is_shared: bool = False
    """Whether any two sources of this kind may hold the same documents, whatever their names."""
    describe: Callable[[str], "Location"]
    """Normalise what the user typed; raises SourceError naming the fix."""
    tells_project: bool = False
    """Whether its records tell of documents of all sources of the project, not only of its own."""
    check: "Callable[[str, Settings], Awaitable[None]] | None" = None
    """Raises SourceError for a normalised location that is not there, where that takes asking."""


def written_kind(name: str, why_not: str) -> SourceKind:
    """The kind of a source that tools write to: nobody adds it, and there is nothing to list.

    ``why_not`` tells who would sync it what it holds and what to do instead.
    """

    def refuse(source: Source, settings: "Settings") -> NoReturn:
        del settings
        raise SourceError(f"{source.location} {why_not}")

    return SourceKind(
        name=name,
        accepts=lambda _location: False,
        open=refuse,
        describe=lambda location: Location(location=location, name=name),
        syncs=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A normalised location and what is known of it without walking."""

    location: str
    name: str
    """Short name: the folder's or file's; the default tag of its documents."""
    repository: str | None = None
