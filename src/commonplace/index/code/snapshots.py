"""Snapshots: what every sync that changed code found, kept as what it changed.

A snapshot is a number, a moment, a label and counts; beside it stands the delta from the one
before. Comparing two composes the deltas between them, so storage grows with change and not with
runs. The first snapshot of a source has no delta: there was nothing to differ from.
"""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from commonplace.domain.errors import NotFound
from commonplace.engines.base import KeyValue

SymbolChange = Literal["added", "removed", "changed", "moved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One sync that changed code, or the first."""

    number: int
    """1, 2, … in a project; numbers are never given twice."""
    source_id: str
    made_at: datetime
    label: str = ""
    """What the user called it; may be empty."""
    commit: str = ""
    """The commit a git work tree stood at; empty elsewhere."""
    files: int = 0
    symbols: int = 0
    edges: int = 0
    """Counts of its source at that time."""


class Version(NamedTuple):
    """A symbol as one snapshot knows it."""

    id: str
    kind: str
    name: str
    fqn: str
    file: str
    lines: str
    signature: str
    mark: int = 0
    """Of its own text without its name, by which a moved symbol is known again; even when the
    text is so short that others may have the same."""


class Change(NamedTuple):
    """What became of one symbol between two snapshots."""

    change: SymbolChange
    old: Version | None
    """None when it was added."""
    new: Version | None
    """None when it was removed."""

    @property
    def is_signature_changed(self) -> bool:
        """Whether callers may have to change too."""
        if self.old is None or self.new is None:
            return False
        return self.old.signature != self.new.signature


class Link(NamedTuple):
    """One edge by the ids and full names of its ends."""

    relation: str
    source: str
    target: str
    source_fqn: str
    target_fqn: str


class EdgeChange(NamedTuple):
    """An edge that came or went; one that became surer is neither."""

    change: Literal["added", "removed"]
    link: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """All that changed between two snapshots."""

    before: Snapshot
    after: Snapshot
    symbols: tuple[Change, ...] = ()
    """By file and line of the newer, or else the older, version."""
    edges: tuple[EdgeChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Delta:
    """What one sync changed: each symbol before and after, each edge that came or went."""

    symbols: Sequence[tuple[Version | None, Version | None]] = ()
    added: Sequence[Link] = ()
    removed: Sequence[Link] = ()

    def __bool__(self) -> bool:
        return bool(self.symbols or self.added or self.removed)


def _told(project: str) -> str:
    return f"snapshots/{project}"


def _deltas(project: str) -> str:
    return f"deltas/{project}"


def _key(number: int) -> str:
    return f"{number:010}"


def _decode(value: bytes) -> Snapshot:
    record: dict[str, Any] = json.loads(value)
    return Snapshot(**record | {"made_at": datetime.fromisoformat(record["made_at"])})


async def list_snapshots(
    keyvalue: KeyValue, project: str, source_id: str | None = None
) -> list[Snapshot]:
    """Snapshots of a project, or of one source, oldest first."""
    space = _told(project)
    found = await keyvalue.many(space, await keyvalue.keys(space))
    known = [_decode(found[key]) for key in sorted(found)]
    return [one for one in known if source_id in (None, one.source_id)]


async def is_kept(keyvalue: KeyValue, project: str) -> bool:
    """Whether a project has snapshots: whether it holds code."""
    return bool(await keyvalue.keys(_told(project)))


async def record(keyvalue: KeyValue, project: str, snapshot: Snapshot, delta: Delta) -> Snapshot:
    """Add a snapshot with the next number and what it changed; to be called in a transaction."""
    numbers = await keyvalue.keys(_told(project))
    number = int(numbers[-1]) + 1 if numbers else 1
    content = asdict(snapshot) | {"number": number, "made_at": snapshot.made_at.isoformat()}
    await keyvalue.put(_told(project), _key(number), json.dumps(content).encode())
    if delta:
        rows = [delta.symbols, delta.added, delta.removed]
        packed = zlib.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())
        await keyvalue.put(_deltas(project), _key(number), packed)
    return _decode(json.dumps(content).encode())


async def forget(keyvalue: KeyValue, project: str, source_id: str) -> None:
    """Remove the snapshots of a source that is removed itself."""
    for one in await list_snapshots(keyvalue, project, source_id):
        await keyvalue.expire(_told(project), _key(one.number))
        await keyvalue.expire(_deltas(project), _key(one.number))


async def compare(
    keyvalue: KeyValue,
    project: str,
    before: str | int | None = None,
    after: str | int | None = None,
    source_id: str | None = None,
) -> Difference:
    """What changed from one snapshot to a later one; without names, between the last two.

    A snapshot is named by number, label or the beginning of a commit. With a source, only its
    snapshots count. Raises NotFound listing those there are.
    """
    known = await list_snapshots(keyvalue, project, source_id)
    if not known:
        raise NotFound(f"no snapshots in project {project!r}; index code with `commonplace add`")
    last = _pick(known, after) if after is not None else known[-1]
    earlier = [one for one in known if one.number < last.number] or [last]
    first = _pick(known, before) if before is not None else earlier[-1]
    if first.number > last.number:
        first, last = last, first
    between = [one for one in known if first.number < one.number <= last.number]
    keys = [_key(one.number) for one in between]
    packed = await keyvalue.many(_deltas(project), keys)
    deltas = [_unpack(packed[key]) for key in keys if key in packed]
    symbols = _changes(deltas)
    return Difference(
        before=first, after=last, symbols=symbols, edges=_edge_changes(deltas, _moved(symbols))
    )


def _moved(changes: Iterable[Change]) -> dict[str, str]:
    """The new ids of symbols that moved, by the old ones."""
    return {
        one.old.id: one.new.id for one in changes if one.change == "moved" and one.old and one.new
    }


def _pick(known: Sequence[Snapshot], name: str | int) -> Snapshot:
    """The snapshot of this number or label, or the last whose commit begins so."""
    asked = str(name).strip()
    for one in reversed(known):
        is_commit = len(asked) >= 4 and one.commit.startswith(asked)
        if asked in (str(one.number), one.label) or is_commit:
            return one
    names = ", ".join(f"{one.number} {one.label}".strip() for one in known[-10:])
    raise NotFound(f"no snapshot {asked!r}; the last are: {names}")


def _unpack(value: bytes) -> Delta:
    symbols, added, removed = json.loads(zlib.decompress(value))
    return Delta(
        [(_version(old), _version(new)) for old, new in symbols],
        [Link(*one) for one in added],
        [Link(*one) for one in removed],
    )


def _version(row: Sequence[Any] | None) -> Version | None:
    return Version(*row) if row is not None else None


def _changes(deltas: Iterable[Delta]) -> tuple[Change, ...]:
    """Deltas composed: the oldest version of each symbol and its newest; moves are joined."""
    olds: dict[str, Version | None] = {}
    news: dict[str, Version | None] = {}
    for delta in deltas:
        for old, new in delta.symbols:
            key = old.id if old else new.id if new else ""
            olds.setdefault(key, old)
            news[key] = new
    added = {key: new for key, new in news.items() if new and not olds[key]}
    removed = {key: old for key, old in olds.items() if old and not news[key]}
    pairs = [(old, news[key]) for key, old in olds.items()]
    changes = [
        Change("changed", old, new) for old, new in pairs if old and new and _is_changed(old, new)
    ]
    for gone, came in _moves(removed.values(), added.values()):
        changes.append(Change("moved", gone, came))
        del removed[gone.id], added[came.id]
    changes += [Change("added", None, one) for one in added.values()]
    changes += [Change("removed", one, None) for one in removed.values()]
    return tuple(sorted(changes, key=_place))


def _is_changed(old: Version, new: Version) -> bool:
    """Whether more than its lines changed: an edit above it is none of its own."""
    return old._replace(lines=new.lines) != new


def _place(change: Change) -> tuple[str, int, str]:
    version = change.new or change.old
    assert version is not None  # noqa: S101 - a change has one of the two
    return version.file, int(version.lines.partition("-")[0] or 0), version.fqn


def _moves(
    removed: Iterable[Version], added: Iterable[Version]
) -> Iterable[tuple[Version, Version]]:
    """Pairs of equal text: first those that kept their name, then those found once on each side."""
    left = {one.id: one for one in removed}
    came = {one.id: one for one in added}
    for keeps_name in (True, False):
        here, there = _by_text(left.values(), keeps_name), _by_text(came.values(), keeps_name)
        for key, olds in here.items():
            news = there.get(key, [])
            if len(olds) == len(news) == 1:
                yield olds[0], news[0]
                del left[olds[0].id], came[news[0].id]


def _by_text(
    versions: Iterable[Version], keeps_name: bool
) -> dict[tuple[str, str, int], list[Version]]:
    found: dict[tuple[str, str, int], list[Version]] = {}
    for one in versions:
        if not keeps_name and one.mark % 2 == 0:
            continue
        key = (one.kind, one.name if keeps_name else "", one.mark)
        found.setdefault(key, []).append(one)
    return found


def _edge_changes(deltas: Iterable[Delta], moved: Mapping[str, str]) -> tuple[EdgeChange, ...]:
    """Edges that are there at one end only; one that went and came back did not change.

    Nor did one whose end only moved: the symbol has another id, and means the same.
    """
    balance: dict[tuple[str, ...], int] = {}
    links: dict[tuple[str, ...], Link] = {}
    for delta in deltas:
        for sign, found in ((1, delta.added), (-1, delta.removed)):
            for link in found:
                relation, *ends = link[:3]
                key = (relation, *(moved.get(end, end) for end in ends))
                balance[key] = balance.get(key, 0) + sign
                links[key] = link
    changes = [
        EdgeChange("added" if sign > 0 else "removed", links[key])
        for key, sign in balance.items()
        if sign
    ]
    return tuple(sorted(changes, key=lambda one: (one.link[3], one.link[0], one.link[4])))
