"""What rows of a list have in common is told once, before them.

Full names begin with the same package, paths with the same folder, and most rows are of one kind:
repeated in every row, that was half of a reply. ``spreading`` makes rows whole again.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import Field

from commonplace.answer.render import one_line
from commonplace.tools.base import ToolOutput
from commonplace.tools.code.rows import MARKS, Row

SAME = ("hops", "via", "confidence")
"""Told once only where all rows agree, because a row without it means something else; but for hops,
which every row has."""
_FIELD_CHARS = len('"prefix":"",')
LINES = re.compile(r"[\d,-]+")
_MARK = re.compile(r"[./]")
_HEADED = {
    "file": "in {} unless told",
    "kind": "each {} unless told",
    "prefix": "names continue `{}`",
    "folder": "files in {}",
}


class Shared(ToolOutput):
    """What stands before some rows, so that they need not repeat it."""

    kind: str | None = Field(default=None, description="Of all that tell none.")
    prefix: str | None = Field(default=None, description="Begins names that begin with . or /")
    file: str | None = Field(
        default=None, description="Where lines stand that tell no path; else that of the symbol."
    )
    folder: str | None = Field(default=None, description="Begins every other path.")


def share(
    rows: Sequence[Row], same: Sequence[str] = SAME, base: Row | None = None
) -> tuple[Row, list[Row]]:
    """What is told once, and the rows without it; ``base`` is told before them anyway.

    >>> rows = [{"kind": "C", "fqn": f"shop.orders.{n}", "at": f"shop/{n}.py:1"} for n in "abcd"]
    >>> told, left = share(rows)
    >>> told, left[0]
    ({'kind': 'C', 'prefix': 'shop.orders', 'folder': 'shop/'}, {'name': '.a', 'at': 'a.py:1'})
    """
    told: Row = {}
    left = [dict(row) for row in rows]
    if len(left) > 1:
        for name in same:
            (_share_hops if name == "hops" else partial(_share_same, name))(told, left)
        _share_kind(told, left)
    if len(left) > 1 or base:
        left = _share_prefix(told, left, base or {})
        _share_place(told, left, file_of(str((base or {}).get("at", ""))))
    return told, left


def _share_same(name: str, told: Row, rows: Sequence[Row]) -> None:
    value = rows[0].get(name)
    if value is not None and all(row.get(name) == value for row in rows):
        told[name] = value
        for row in rows:
            del row[name]


def _share_hops(told: Row, rows: Sequence[Row]) -> None:
    """How far most rows are, where the others, who then tell theirs, are fewer; 1 is not told."""
    counted = Counter(row.get("hops", 1) for row in rows)
    hops, count = counted.most_common(1)[0]
    if hops == 1 or count <= counted[1] + 1:
        return
    told["hops"] = hops
    for row in rows:
        if row.setdefault("hops", 1) == hops:
            del row["hops"]


def _share_kind(told: Row, rows: Sequence[Row]) -> None:
    """The kind most rows have; the others keep theirs."""
    counted = Counter(row["kind"] for row in rows if row.get("kind"))
    if not counted:
        return
    kind, count = counted.most_common(1)[0]
    if count > 1 and counted.total() == len(rows):
        told["kind"] = kind
        for row in rows:
            if row["kind"] == kind:
                del row["kind"]


def _share_prefix(told: Row, rows: Sequence[Row], base: Row) -> list[Row]:
    """The beginning of full names that saves most; rows without it keep theirs whole."""
    names = [str(row["fqn"]) for row in rows]
    if any(name.startswith(MARKS) or ".." in name for name in names):
        return list(rows)
    own, best = str(base.get("fqn", "")), _worth(names)
    ways = [("", names), *((one, continued(names, one)) for one in (own, best) if one)]
    unpaid = ("", own)
    prefix, left = min(
        ways,
        key=lambda way: sum(map(len, way[1])) + (way[0] not in unpaid) * (len(best) + _FIELD_CHARS),
    )
    if prefix not in unpaid:
        told["prefix"] = prefix
    return [
        {"name": name, **_without(row, "fqn")} if name.startswith(MARKS) else row
        for name, row in zip(left, rows, strict=True)
    ]


def continued(names: Sequence[str], prefix: str) -> list[str]:
    """Full names as they go on behind a prefix, or with a dot more behind one of them.

    >>> continued(["a.b.C", "a.b.C.d", "a.b.C.e", "a.b.f", "x.y"], "a.b")
    ['.C', '..d', '..e', '.f', 'x.y']
    """
    above = [prefix]
    left = []
    for name in names:
        if not (name.startswith(prefix) and name[len(prefix) :].startswith(MARKS)):
            left.append(name)
            continue
        while len(above) > 1 and not name.startswith(f"{above[-1]}."):
            above.pop()
        left.append("." * (len(above) - 1) + name[len(above[-1]) :])
        above.append(name)
    return left


def completed(names: Sequence[str], prefix: str) -> list[str]:
    """Full names again.

    >>> completed(['.C', '..d', '..e', '.f', 'x.y'], "a.b")
    ['a.b.C', 'a.b.C.d', 'a.b.C.e', 'a.b.f', 'x.y']
    """
    above = [prefix]
    full = []
    for name in names:
        if name.startswith(MARKS):
            dots = max(1, len(name) - len(name.lstrip(".")))
            del above[dots:]
            above.append(above[-1] + name[dots - 1 :])
        full.append(above[-1] if name.startswith(MARKS) else name)
    return full


def _share_place(told: Row, rows: Sequence[Row], own: str) -> None:
    """The file many rows stand in, and the folder of the others; or the folder of all of them.

    Rows that stand in ``own``, the file of what is told before, need not tell it.
    """
    placed = [row for row in rows if row.get("at")]
    if not placed or any(LINES.fullmatch(row["at"]) for row in placed):
        return
    files = Counter(file for row in placed if (file := file_of(row["at"])) != row["at"])
    file, count = next(iter(files.most_common(1)), ("", 0))
    ways = [
        ("", *_folder(placed)),
        _in_file(placed, file, len(file) * (count - 1) - _FIELD_CHARS),
        _in_file(placed, own, len(own) * files[own] if own else 0),
    ]
    file, folder, _ = max(ways, key=lambda way: way[2])
    if file and file != own:
        told["file"] = file
    if folder:
        told["folder"] = folder
    for row in placed:
        row["at"] = row["at"].removeprefix(f"{file}:" if _is_in(row["at"], file) else folder)


def _is_in(place: str, file: str) -> bool:
    """Whether these are lines of the file."""
    return bool(file) and file_of(place) == file != place


def _in_file(rows: Sequence[Row], file: str, saved: int) -> tuple[str, str, int]:
    """The file, the folder of who stands elsewhere, and what both save."""
    if saved <= 0:
        return "", "", 0
    folder, more = _folder([row for row in rows if not _is_in(row["at"], file)])
    return file, folder, saved + more


def _folder(rows: Sequence[Row]) -> tuple[str, int]:
    """The folder of all these places and what telling it once saves; none where that is nothing."""
    folder = _common([file_of(row["at"]) for row in rows]) if rows else ""
    saved = len(folder) * (len(rows) - 1) - _FIELD_CHARS
    is_clear = not any(LINES.fullmatch(row["at"].removeprefix(folder)) for row in rows)
    return (folder, saved) if saved > 0 and is_clear else ("", 0)


def file_of(place: str) -> str:
    """The path of a place.

    >>> file_of("src/a.py:3-9"), file_of("src/a.py")
    ('src/a.py', 'src/a.py')
    """
    path, colon, lines = place.rpartition(":")
    return path if colon and LINES.fullmatch(lines) else place


def _worth(names: Sequence[str]) -> str:
    """The beginning, up to a mark, that is worth most to be told once; none if none is."""
    counted: Counter[str] = Counter()
    for name in names:
        counted.update(name[: mark.start()] for mark in _MARK.finditer(name, 1, len(name) - 1))
    saved = {one: len(one) * (count - 1) - _FIELD_CHARS for one, count in counted.items()}
    best = max(saved, key=lambda one: (saved[one], one), default="")
    return best if best and saved[best] > 0 else ""


def _common(paths: Sequence[str]) -> str:
    """The folder all paths begin with."""
    first, last = min(paths), max(paths)
    size = next((n for n, one in enumerate(first) if last[n : n + 1] != one), len(first))
    return first[: first.rfind("/", 0, size) + 1]


def _without(row: Row, name: str) -> Row:
    return {key: value for key, value in row.items() if key != name}


def heading(told: Mapping[str, Any]) -> str:
    """What is told once, as text behind the heading of a list.

    >>> heading({"kind": "CLASS", "prefix": "shop", "folder": "src/"})
    ', each CLASS unless told, names continue `shop`, files in src/'
    """
    return "".join(f", {note}" for note in said(told, _HEADED))


def said(row: Mapping[str, Any], words: Mapping[str, str]) -> list[str]:
    """What a row tells of these fields, each in its words.

    >>> said({"hops": 2, "confidence": 1.0}, {"hops": "{} hops", "confidence": "confidence {}"})
    ['2 hops', 'confidence 1']
    """
    told = ((form, row[name]) for name, form in words.items() if row.get(name) is not None)
    return [
        form.format(f"{one:g}" if isinstance(one, float) else one_line(str(one)))
        for form, one in told
    ]


def called(row: Mapping[str, Any]) -> str:
    """The name of a row as text: whole, or as it continues what is told before."""
    return one_line(row.get("fqn") or row["name"])
