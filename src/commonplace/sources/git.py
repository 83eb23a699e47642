"""Git work trees: a folder whose repository has a name and whose ignore rules reach everywhere."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from commonplace.domain.scope import Source
from commonplace.settings import Settings
from commonplace.sources.base import Location, OpenSource, SourceKind
from commonplace.sources.files import Files, accepts_folder, describe_path, limits_of, to_path
from commonplace.sources.ignore import (
    GIT_RULES,
    OWN_RULES,
    Rules,
    make_rules,
    read_rules,
    why_ignored,
)
from commonplace.sources.walk import Walk

_REMOTE = re.compile(r"^\s*\[remote\s+\"([^\"]+)\"\]\s*$")
_SECTION = re.compile(r"^\s*\[")
_URL = re.compile(r"^\s*url\s*=\s*(\S.*?)\s*$")
_HOSTED = re.compile(r"(?:[a-z][a-z0-9+.-]*://[^/]+/|[^/\s]+@[^/:\s]+:)(.+)", re.IGNORECASE)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MOST_BYTES = 1024 * 1024


def work_tree(path: Path) -> Path | None:
    """The top folder of the work tree a path is in; None outside of any."""
    for folder in (path, *path.parents):
        try:
            if (folder / ".git").exists():
                return folder
        except OSError:
            return None
    return None


def _git_folder(top: Path) -> Path:
    """Where the repository keeps its files; a linked work tree points to it."""
    git = top / ".git"
    if git.is_dir():
        return git
    named = _read(git).partition("gitdir:")[2].strip()
    folder = top / named if named else git
    common = _read(folder / "commondir").strip()
    return folder / common if common else folder


def _read(path: Path) -> str:
    try:
        return path.read_bytes()[:_MOST_BYTES].decode("utf-8", "replace") if path.is_file() else ""
    except OSError:
        return ""


def repository_name(top: Path) -> str:
    """``owner/name`` from the remote, without host and credentials; else the folder's name."""
    urls: dict[str, str] = {}
    remote = ""
    for line in _read(_git_folder(top) / "config").splitlines():
        if _SECTION.match(line):
            found = _REMOTE.match(line)
            remote = found[1] if found else ""
        elif remote and (url := _URL.match(line)):
            urls.setdefault(remote, url[1])
    url_of = urls.get("origin") or next(iter(urls.values()), "")
    return name_of_remote(url_of) or top.name


def name_of_remote(url: str) -> str:
    """What a remote calls the repository.

    >>> name_of_remote("https://token@example.org/team/docs.git")
    'team/docs'
    >>> name_of_remote("git@example.org:team/docs"), name_of_remote("/srv/git/docs.git")
    ('team/docs', 'docs')
    """
    hosted = _HOSTED.fullmatch(url)
    parts = [part for part in (hosted[1] if hosted else url).rstrip("/").split("/") if part]
    kept = parts[-2:] if hosted else parts[-1:]
    return "/".join(kept).removesuffix(".git")


def commit_of(source: Source) -> str:
    """The commit a work tree stands at; empty for what is none, or has none yet."""
    top = work_tree(Path(source.location)) if source.kind == GIT.name else None
    if top is None:
        return ""
    git = top / ".git"
    own = git if git.is_dir() else top / _read(git).partition("gitdir:")[2].strip()
    head = _read(own / "HEAD").strip()
    name = head.removeprefix("ref:").strip()
    if name == head:
        return head if _COMMIT.fullmatch(head) else ""
    shared = _git_folder(top)
    found = _read(own / name).strip() or _read(shared / name).strip()
    for line in () if found else _read(shared / "packed-refs").splitlines():
        commit, _, ref = line.partition(" ")
        found = commit if ref == name else found
    return found if _COMMIT.fullmatch(found) else ""


def _outer_rules(root: Path, top: Path) -> list[Rules]:
    """Rules of the work tree that stand above the added folder, outermost first."""
    below = root.relative_to(top).parts
    exclude = _read(_git_folder(top) / "info" / "exclude").splitlines()
    rules = [_seen_from_above(make_rules("", GIT_RULES, exclude), below)]
    for depth in range(len(below)):
        folder = top.joinpath(*below[:depth])
        found = read_rules(folder, "", GIT_RULES) + read_rules(folder, "", OWN_RULES)
        rules += [_seen_from_above(one, below[depth:]) for one in found]
    # Who adds an ignored folder by name wants it read.
    return [] if below and why_ignored(rules, "", False) else rules


def _seen_from_above(rules: Rules, below: Sequence[str]) -> Rules:
    return replace(rules, above="".join(f"{part}/" for part in below))


def accepts_work_tree(location: str) -> bool:
    """Whether this is a folder inside a git work tree."""
    if not accepts_folder(location):
        return False
    path = to_path(location)
    try:
        return path.is_dir() and work_tree(path) is not None
    except OSError:
        return False


def describe_work_tree(location: str) -> Location:
    """The absolute path, its name and the repository's name."""
    described = describe_path(location)
    top = work_tree(Path(described.location))
    repository = repository_name(top) if top else None
    return Location(location=described.location, name=described.name, repository=repository)


def open_work_tree(source: Source, settings: Settings) -> OpenSource:
    """A work tree, or a folder of one, ready to be walked."""
    root = Path(source.location)
    top = work_tree(root)
    return Files(Walk(root, limits_of(settings), _outer_rules(root, top) if top else ()))


GIT = SourceKind(
    name="git", accepts=accepts_work_tree, open=open_work_tree, describe=describe_work_tree, rank=10
)
