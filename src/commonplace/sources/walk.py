"""Walking a folder: one stat per file, ignore rules, links, and every reason for a skip."""

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote_from_bytes

from commonplace.domain.media import is_code_type, media_type_of
from commonplace.sources.base import Listing, Skip
from commonplace.sources.ignore import (
    GIT_RULES,
    OWN_RULES,
    VERSION_CONTROL,
    Rules,
    is_kept,
    is_packed,
    is_vendored,
    read_rules,
    why_ignored,
)

MINIFIED_NAME = "minified code"
SUBMODULE = "submodule that is not checked out"
_SUBMODULES = ".gitmodules"
_SUBMODULE_PATH = re.compile(r"^\s*path\s*=\s*(\S.*?)/?\s*$", re.MULTILINE)
_MOST_DEPTH = 200  # folders in folders; far under every path length limit


@dataclass(frozen=True, slots=True)
class Limits:
    """What a walk may take in."""

    max_file_bytes: int
    follow_symlinks: bool = False
    max_code_bytes: int = 2_000_000
    vendored: bool = False
    """Whether code of vendored and build folders is taken in."""


Entry: TypeAlias = "tuple[str, bool, os.DirEntry[str]]"
"""What its path sorts by, whether it is a folder, and the entry."""


@dataclass(slots=True)
class _Level:
    """A folder on the way."""

    base: str
    rules: tuple[Rules, ...]
    depth: int
    names: set[str]
    ordered: list[Entry]
    """What is left of it, the last first."""
    is_foreign: bool
    told: list[Skip] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """One walk over one folder."""

    root: Path
    limits: Limits
    outer: Sequence[Rules] = ()
    """Rules from above the folder: those of the git work tree it is in."""
    _seen: set[tuple[int, int]] = field(default_factory=set)
    """Device and inode of every folder entered and file listed: links come to each once."""
    _links: list[tuple[str, tuple[Rules, ...]]] = field(default_factory=list)
    _foreign: list[str] = field(default_factory=list)
    """Vendored and build folders on the way, outermost first, each with a slash at its end."""
    _submodules: set[str] = field(default_factory=set)
    """Paths of other repositories within this one."""
    _uri: str = ""
    """The address of the folder."""

    def __post_init__(self) -> None:
        """Write the address once: that of every file begins with it."""
        self._uri = self.root.as_uri().rstrip("/")

    def run(self) -> Iterator[Listing | Skip]:
        """Everything in path order; then what only symbolic links lead to."""
        yield from self._below("", tuple(self.outer), 0)
        while self._links:
            path, rules = self._links.pop(0)
            yield from self._link(path, rules)

    def _below(self, path: str, rules: tuple[Rules, ...], depth: int) -> Iterator[Listing | Skip]:
        """What is in a folder and all below: one generator and plain strings, however deep.

        Walking is most of what a sync costs that finds nothing to do.
        """
        levels: list[_Level] = []
        entered: _Level | Listing | Skip | None = self._enter(path, rules, depth)
        while True:
            if isinstance(entered, _Level):
                levels.append(entered)
                yield from entered.told
            elif entered is not None:
                yield entered
            while levels and not levels[-1].ordered:
                if levels.pop().is_foreign:
                    self._foreign.pop()
            if not levels:
                return
            entered = self._entry(levels[-1], *levels[-1].ordered.pop())

    def _enter(
        self, path: str, rules: tuple[Rules, ...], depth: int, is_foreign: bool = False
    ) -> "_Level | Skip":
        """A folder opened, or why it is not."""
        folder = os.path.join(self.root, path)
        base = f"{path}/" if path else ""
        try:
            seen = os.stat(folder)
            with os.scandir(folder) as entries:
                ordered = sorted((_sortable(one) for one in entries), reverse=True)
        except OSError as exc:
            return Skip(path=base or ".", reason=_reason(exc), is_failure=True)
        self._seen.add((seen.st_dev, seen.st_ino))
        names = {entry.name for _, _, entry in ordered}
        if path and "pyvenv.cfg" in names:
            return Skip(path=base, reason="ignored by a built-in rule: a Python environment")
        level = _Level(base, rules, depth, names, ordered, is_foreign)
        if not names and path in self._submodules:
            reason = f"{SUBMODULE}; run `git submodule update --init`"
            level.told.append(Skip(path=base, reason=reason))
        if _SUBMODULES in names:
            self._submodules |= {base + one for one in _submodules(Path(folder, _SUBMODULES))}
        for name in (GIT_RULES, OWN_RULES):
            if name in names:
                level.rules += tuple(read_rules(Path(folder), base, name))
        if is_foreign:
            self._foreign.append(base)
        return level

    def _entry(
        self, level: "_Level", _order: str, is_folder: bool, entry: "os.DirEntry[str]"
    ) -> "_Level | Listing | Skip | None":
        name = entry.name
        path = level.base + name
        if not _is_storable(path):
            return Skip(path=printable(path), reason="its name is not UTF-8", is_failure=True)
        if name in VERSION_CONTROL:  # a file too: of a submodule or a linked work tree
            return None
        reason = why_ignored(level.rules, path, is_folder)
        if reason:
            return Skip(path=f"{path}/" if is_folder else path, reason=reason)
        if entry.is_symlink():
            self._links.append((path, level.rules))
            return None
        if not is_folder:
            return self._file(entry, path, level.rules)
        if level.depth >= _MOST_DEPTH:
            return Skip(path=f"{path}/", reason="folders nested too deeply", is_failure=True)
        return self._enter(path, level.rules, level.depth + 1, is_vendored(name, level.names))

    def _file(
        self, entry: "os.DirEntry[str]", path: str, rules: tuple[Rules, ...]
    ) -> Listing | Skip:
        media_type = media_type_of(entry.name)
        if media_type is None:
            # No stat: a file nobody reads need not be looked at.
            return Skip(path=path, reason=f"no parser for {_suffix(entry.name)}")
        reason = self._why_foreign(path) if is_code_type(media_type) else None
        if reason and not is_kept(rules, path):
            return Skip(path=path, reason=reason)
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError as exc:
            return Skip(path=path, reason=_reason(exc), is_failure=True)
        return self._listing(path, media_type, found)

    def _why_foreign(self, path: str) -> str | None:
        """Why a file of code is not one of the user's own."""
        if self._foreign and not self.limits.vendored:
            return "vendored or built code; see setting vendored"
        return MINIFIED_NAME if is_packed(path) else None

    def _listing(self, path: str, media_type: str, found: os.stat_result) -> Listing | Skip:
        self._seen.add((found.st_dev, found.st_ino))
        uri = f"{self._uri}/{quote_from_bytes(os.fsencode(path))}"
        return make_listing(uri, path, media_type, (found, self.limits))

    def _link(self, path: str, rules: tuple[Rules, ...]) -> Iterator[Listing | Skip]:
        full = self.root / path
        try:
            target = os.path.realpath(full, strict=True)
            found = os.stat(target)
        except OSError as exc:
            yield Skip(path=path, reason=f"broken link: {_reason(exc)}")
            return
        if not self.limits.follow_symlinks and not is_inside(target, self.root):
            yield Skip(path=path, reason="link leaves the folder; see setting follow_symlinks")
        elif (found.st_dev, found.st_ino) in self._seen:
            yield Skip(path=path, reason="link to what is listed already")
        elif stat.S_ISDIR(found.st_mode):
            yield from self._below(path, rules, path.count("/") + 1)
        else:
            media_type = media_type_of(full.name) or media_type_of(os.path.basename(target))
            if media_type is None:
                yield Skip(path=path, reason=f"no parser for {_suffix(full.name)}")
            else:
                yield self._listing(path, media_type, found)


def make_listing(
    uri: str, path: str, media_type: str, seen: tuple[os.stat_result, Limits]
) -> Listing | Skip:
    """The listing of a file from its stat, or why it is not taken."""
    found, limits = seen
    if not stat.S_ISREG(found.st_mode):
        return Skip(path=path, reason="not a regular file", is_failure=True)
    if found.st_size > limits.max_file_bytes:
        reason = f"{found.st_size} bytes, over max_file_bytes = {limits.max_file_bytes}"
        return Skip(path=path, reason=reason, is_failure=True)
    if is_code_type(media_type) and found.st_size > limits.max_code_bytes:
        reason = f"{found.st_size} bytes of code, over max_code_bytes = {limits.max_code_bytes}"
        return Skip(path=path, reason=reason, is_failure=True)
    return Listing(
        uri=uri,
        path=path,
        media_type=media_type,
        size_bytes=found.st_size,
        modified_at=_moment(found.st_mtime_ns),
    )


def is_inside(target: str, root: Path) -> bool:
    """Whether a real path is the folder or in it."""
    real = os.path.realpath(root)
    return target == real or target.startswith(real.rstrip(os.sep) + os.sep)


def printable(path: str) -> str:
    r"""A path that can be shown and stored, whatever bytes its name has.

    >>> printable("caf\udce9.md")
    'caf\\xe9.md'
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _submodules(path: Path) -> list[str]:
    """Where the submodules of a repository are, as it says itself."""
    try:
        text = path.read_text("utf-8", "replace") if path.is_file() else ""
    except OSError:
        return []
    return _SUBMODULE_PATH.findall(text)


def _is_storable(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _sortable(entry: "os.DirEntry[str]") -> Entry:
    is_folder = entry.is_dir(follow_symlinks=False)
    return f"{entry.name}/" if is_folder else entry.name, is_folder, entry


def _suffix(name: str) -> str:
    suffix = os.path.splitext(name)[1]
    return suffix or "files without suffix"


def _reason(exc: OSError) -> str:
    if exc.errno == errno.ELOOP:
        return "links that lead in a circle"
    return exc.strerror or type(exc).__name__


def _moment(time_ns: int) -> datetime:
    """A file's time; one outside the calendar counts as 1970."""
    try:
        return datetime.fromtimestamp(time_ns // 1000 / 1e6, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)
