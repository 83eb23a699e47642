"""What rows of a list have in common is told once, before them; and rows made whole again.

Full names begin with the same package, paths with the same folder, and most rows are of one kind:
repeated in every row, that was half of a reply.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pydantic import Field

from commonplace.answer.render import one_line
from commonplace.tools.base import ToolOutput

Row = dict[str, Any]

_SAME = ("hops", "via", "confidence")
"""Told once only where all rows agree, because a row without it means something else; but for hops,
which every row has."""
_TOLD = ("kind", "prefix", "file", "folder", *_SAME)
_FIELD_CHARS = len('"prefix":"",')
_LINES = re.compile(r"[\d,-]+")
_MARKS = re.compile(r"[./]")
_LISTS = ("symbols", "usages", "changes")
_HEADED = {
    "file": "in {} unless told",
    "kind": "each {} unless told",
    "prefix": "… is `{}`",
    "folder": "files in {}",
}


class Shared(ToolOutput):
    """What stands before some rows, so that they need not repeat it."""

    kind: str | None = Field(default=None, description="Of all that tell none.")
    prefix: str | None = Field(default=None, description="Full names are this and `name`.")
    file: str | None = Field(default=None, description="Of all whose `at` is lines only.")
    folder: str | None = Field(default=None, description="Begins every path of `at`.")


def share(rows: Sequence[Row], same: Sequence[str] = _SAME) -> tuple[Row, list[Row]]:
    """What is told once, and the rows without it.

    >>> rows = [{"kind": "C", "fqn": f"shop.orders.{n}", "at": f"shop/{n}.py:1"} for n in "abcd"]
    >>> told, left = share(rows)
    >>> told, left[0]
    ({'kind': 'C', 'prefix': 'shop.orders.', 'folder': 'shop/'}, {'name': 'a', 'at': 'a.py:1'})
    """
    told: Row = {}
    left = [dict(row) for row in rows]
    if len(left) < 2:
        return told, left
    for name in same:
        (_share_hops if name == "hops" else partial(_share_same, name))(told, left)
    _share_kind(told, left)
    left = _share_prefix(told, left)
    _share_place(told, left)
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


def _share_prefix(told: Row, rows: Sequence[Row]) -> list[Row]:
    """The beginning of full names that saves most; rows without it keep theirs whole."""
    prefix = _worth([str(row["fqn"]) for row in rows])
    if not prefix:
        return list(rows)
    told["prefix"] = prefix
    return [
        {"name": row["fqn"].removeprefix(prefix), **_without(row, "fqn")}
        if row["fqn"].startswith(prefix)
        else row
        for row in rows
    ]


def _share_place(told: Row, rows: Sequence[Row]) -> None:
    """The file many rows stand in, and the folder of the others; or the folder of all of them."""
    placed = [row for row in rows if row.get("at")]
    if not placed or any(_LINES.fullmatch(row["at"]) for row in placed):
        return
    files = Counter(file for row in placed if (file := _file(row["at"])) != row["at"])
    file, count = next(iter(files.most_common(1)), ("", 0))
    others = [row for row in placed if _file(row["at"]) != file]
    folder, saved = _folder(placed)
    other_folder, other_saved = _folder(others)
    own_saved = len(file) * (count - 1) - _FIELD_CHARS
    if own_saved > 0 and own_saved + other_saved > saved:
        told["file"], folder = file, other_folder
        for row in placed:
            row["at"] = row["at"].removeprefix(f"{file}:")
        placed = others
    if folder:
        told["folder"] = folder
        for row in placed:
            row["at"] = row["at"].removeprefix(folder)


def _folder(rows: Sequence[Row]) -> tuple[str, int]:
    """The folder of all these places and what telling it once saves; none where that is nothing."""
    folder = _common([_file(row["at"]) for row in rows]) if rows else ""
    saved = len(folder) * (len(rows) - 1) - _FIELD_CHARS
    is_clear = not any(_LINES.fullmatch(row["at"].removeprefix(folder)) for row in rows)
    return (folder, saved) if saved > 0 and is_clear else ("", 0)


def _file(place: str) -> str:
    """The path of a place.

    >>> _file("src/a.py:3-9"), _file("src/a.py")
    ('src/a.py', 'src/a.py')
    """
    path, colon, lines = place.rpartition(":")
    return path if colon and _LINES.fullmatch(lines) else place


def _worth(names: Sequence[str]) -> str:
    """The beginning, up to a mark, that is worth most to be told once; none if none is."""
    counted: Counter[str] = Counter()
    for name in names:
        counted.update(name[: mark.end()] for mark in _MARKS.finditer(name, 0, len(name) - 1))
    saved = {one: len(one) * (count - 1) - count - _FIELD_CHARS for one, count in counted.items()}
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

    >>> heading({"kind": "CLASS", "prefix": "shop.", "folder": "src/"})
    ', each CLASS unless told, … is `shop.`, files in src/'
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
    """The name of a row as text: whole, or behind the sign of what is told before."""
    return one_line(row["fqn"]) if row.get("fqn") else f"…{one_line(row['name'])}"


def spread(reply: Mapping[str, Any]) -> dict[str, Any]:
    """A reply with every row whole again, for programs that take rows one by one.

    >>> spread({"prefix": "a.", "results": [{"name": "b"}]})
    {'results': [{'fqn': 'a.b'}]}
    """
    whole = dict(reply)
    for field in ("results", "steps"):
        if field in whole:
            told = {name: whole.pop(name) for name in _TOLD if name in whole}
            whole[field] = [_spread(row, told) for row in whole[field]]
    for field in ("groups", "tiers"):
        if field in whole:
            whole[field] = [_spread_group(group) for group in whole[field]]
    return whole


def _spread_group(group: Mapping[str, Any]) -> Row:
    told = {name: group[name] for name in _TOLD if name in group}
    return {
        name: [_spread(row, told) for row in value] if name in _LISTS else value
        for name, value in group.items()
        if name not in told
    }


def _spread(row: Mapping[str, Any], told: Mapping[str, Any]) -> Row:
    whole = {name: told[name] for name in ("kind", *_SAME) if name in told} | dict(row)
    if "hops" in told and whole["hops"] == 1:
        del whole["hops"]
    if "prefix" in told and "name" in whole:
        whole["fqn"] = told["prefix"] + whole.pop("name")
    place = whole.get("at")
    if place and "file" in told and _LINES.fullmatch(place):
        whole["at"] = f"{told['file']}:{place}"
    elif place and "folder" in told:
        whole["at"] = told["folder"] + place
    return whole
