"""Folders and single files on this machine."""

import asyncio
import os
import re
import stat
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit

from commonplace.domain.document import Resource
from commonplace.domain.errors import SourceError
from commonplace.domain.media import PLAIN, is_text, media_type_of
from commonplace.domain.scope import Source
from commonplace.settings import Settings
from commonplace.sources.base import Listing, Location, OpenSource, Skip, SourceKind
from commonplace.sources.walk import Limits, Walk, is_inside, make_listing, printable

_BATCH = 256  # listings per hop to a thread: the event loop stays free, hops stay cheap
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_PROBE_BYTES = 8192  # where git looks for a NUL too
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


def to_path(location: str) -> Path:
    """What the user typed as an absolute path: ``~`` and ``file:`` addresses are understood.

    >>> str(to_path("file:///docs/a%20b"))
    '/docs/a b'
    """
    if location.startswith("file:"):
        location = unquote(urlsplit(location).path)
    try:
        return Path(os.path.abspath(os.path.expanduser(location)))
    except ValueError as exc:
        raise SourceError(f"not a path: {printable(location)!r}") from exc


def is_path(location: str) -> bool:
    """Whether a location is written as a path or a ``file:`` address."""
    is_plain = _SCHEME.match(location) is None or location.startswith("file:")
    return is_plain and bool(location) and "\0" not in location


def accepts_folder(location: str) -> bool:
    """Any path that no other kind takes, so that a typing error is named as one."""
    return is_path(location)


def accepts_file(location: str) -> bool:
    """Whether this is a path of something that is there and no folder."""
    try:
        return is_path(location) and to_path(location).exists() and not to_path(location).is_dir()
    except OSError:
        return False


def describe_path(location: str) -> Location:
    """The absolute path and its name; raises SourceError when there is nothing."""
    path = to_path(location)
    try:
        mode = path.stat().st_mode
        printable(str(path)).encode("utf-8")
        str(path).encode("utf-8")
    except UnicodeEncodeError as exc:
        raise SourceError(f"{printable(str(path))}: the name is not UTF-8; rename it") from exc
    except OSError as exc:
        raise SourceError(
            f"cannot open {path}: {exc.strerror}; check the spelling and your permission to read it"
        ) from exc
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise SourceError(f"{path} is neither a folder nor a regular file; name one of those")
    return Location(location=str(path), name=path.name or str(path))


@dataclass(frozen=True, slots=True)
class Files:
    """An opened folder: a walk to list it, one guarded read per resource."""

    walk: Walk

    async def list(self) -> AsyncIterator[Listing | Skip]:
        """Everything indexable in path order, with what was skipped."""
        found = self._found()
        while batch := await asyncio.to_thread(lambda: [*islice(found, _BATCH)]):
            for one in batch:
                yield one

    def _found(self) -> Iterator[Listing | Skip]:
        walk = self.walk
        return Walk(walk.root, walk.limits, walk.outer).run()

    async def peek(self, path: str) -> Listing | Skip | None:
        """What is at a full path within the folder; None for links and what is no file."""
        return await asyncio.to_thread(self._peek, Path(path))

    def _peek(self, full: Path) -> Listing | Skip | None:
        media_type = media_type_of(full.name)
        try:
            found = full.lstat()
        except OSError:
            return None
        is_file = stat.S_ISREG(found.st_mode) and full.is_relative_to(self.walk.root)
        if media_type is None or not is_file:
            return None
        path = full.relative_to(self.walk.root).as_posix()
        return make_listing(full.as_uri(), path, media_type, (found, self.walk.limits))

    async def read(self, listing: Listing) -> Resource:
        """The bytes of a listed file."""
        return await asyncio.to_thread(self._read, listing, set())

    async def read_many(self, listings: Sequence[Listing]) -> Sequence[Resource | SourceError]:
        """The bytes of each, or why there are none, in one hop to a thread."""
        return await asyncio.to_thread(self._read_many, listings)

    def _read_many(self, listings: Sequence[Listing]) -> Sequence[Resource | SourceError]:
        inside: set[str] = set()
        found: list[Resource | SourceError] = []
        for listing in listings:
            try:
                found.append(self._read(listing, inside))
            except SourceError as exc:
                found.append(exc)
        return found

    def _read(self, listing: Listing, inside: set[str]) -> Resource:
        root, limits = self.walk.root, self.walk.limits
        path = os.path.join(root, listing.path)
        return make_resource(listing, read_file(path, root, limits, inside))


@dataclass(frozen=True, slots=True)
class OneFile:
    """A single file the user named: read as plain text when its suffix says nothing."""

    path: Path
    limits: Limits

    async def list(self) -> AsyncIterator[Listing | Skip]:
        """The file, or why it cannot be read."""
        name = self.path.name
        media_type = media_type_of(name) or PLAIN
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return
        except OSError as exc:
            yield Skip(path=name, reason=exc.strerror or type(exc).__name__, is_failure=True)
            return
        yield make_listing(self.path.as_uri(), name, media_type, (found, self.limits))

    async def read(self, listing: Listing) -> Resource:
        """The bytes of the file."""
        # The user named this very file, so where a link of that name leads is their business.
        limits = replace(self.limits, follow_symlinks=True)
        content = await asyncio.to_thread(read_file, self.path, self.path.parent, limits)
        return make_resource(listing, content)


def read_file(
    path: str | Path, root: Path, limits: Limits, inside: set[str] | None = None
) -> bytes:
    """The bytes of a regular file inside ``root``; raises SourceError for everything else.

    Checked on the open file, because it may have changed since it was listed: no pipe can block
    us, no link lead out, no growth fill the memory. ``inside`` takes up folders that lead nowhere
    else, for those who read many files at once.
    """
    try:
        if not limits.follow_symlinks and not _stays(
            path, root, set() if inside is None else inside
        ):
            raise SourceError(f"{path} now leads out of {root}; see setting follow_symlinks")
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
        )
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise SourceError(f"{path} is not a regular file")
            content = file.read(limits.max_file_bytes + 1)
    except OSError as exc:
        raise SourceError(f"cannot read {path}: {exc.strerror or exc}") from exc
    if len(content) > limits.max_file_bytes:
        raise SourceError(f"{path} is over max_file_bytes = {limits.max_file_bytes}")
    return content


def _stays(path: str | Path, root: Path, inside: set[str]) -> bool:
    """Whether a path leads to a place in ``root``; a folder is followed once for all its files."""
    folder = os.path.dirname(path)
    if folder not in inside:
        if not is_inside(os.path.realpath(folder), root):
            return False
        inside.add(folder)
    return not os.path.islink(path) or is_inside(os.path.realpath(path), root)


def make_resource(listing: Listing, content: bytes) -> Resource:
    """The resource; raises SourceError when bytes that should be text are not."""
    probe = content[:_PROBE_BYTES]
    if is_text(listing.media_type) and b"\0" in probe and not probe.startswith(_WIDE_MARKS):
        raise SourceError(f"{listing.path} holds binary data, not {listing.media_type}")
    return Resource(
        uri=listing.uri,
        path=listing.path,
        content=content,
        media_type=listing.media_type,
        modified_at=listing.modified_at,
    )


def limits_of(settings: Settings) -> Limits:
    """What the settings allow a walk."""
    return Limits(
        max_file_bytes=settings.max_file_bytes,
        follow_symlinks=settings.follow_symlinks,
        max_code_bytes=settings.max_code_bytes,
        vendored=settings.vendored,
    )


def open_folder(source: Source, settings: Settings) -> OpenSource:
    """A folder ready to be walked."""
    return Files(Walk(Path(source.location), limits_of(settings)))


def open_file(source: Source, settings: Settings) -> OpenSource:
    """A single file ready to be read."""
    return OneFile(Path(source.location), limits_of(settings))


FOLDER = SourceKind(
    name="folder", accepts=accepts_folder, open=open_folder, describe=describe_path, rank=90
)
FILE = SourceKind(
    name="file", accepts=accepts_file, open=open_file, describe=describe_path, rank=20
)
