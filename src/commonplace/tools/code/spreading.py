"""Replies with every row whole again, for programs that take rows one by one."""

from collections.abc import Mapping, Sequence
from typing import Any

from commonplace.tools.code.rows import LISTS, Row, unfold
from commonplace.tools.code.sharing import LINES, SAME, completed, file_of

_TOLD = ("kind", "prefix", "file", "folder", "relation", "flow", *SAME)
_FIRST = ("id", "kind", "fqn", "at")
_GROUPS = ("groups", "tiers")
_TOP = tuple(name for name in LISTS if name not in ("symbols", "usages", "changes", "edges"))


def spread(reply: Mapping[str, Any]) -> dict[str, Any]:
    """A reply of a code tool with its rows by the names of their fields, and each of them whole.

    >>> spread({"prefix": "a", "results": [["s1", ".b", "a.py:3", {"hops": 2}]]})
    {'results': [{'id': 's1', 'fqn': 'a.b', 'at': 'a.py:3', 'hops': 2}]}
    """
    base = reply.get("symbol") or {}
    listed = [name for name in _TOP if reply.get(name)]
    told = {name: reply[name] for name in _TOLD if name in reply} if listed else {}
    whole = {name: value for name, value in reply.items() if name not in told}
    for name in listed:
        whole[name] = _whole(name, reply[name], told, base)
    for name in _GROUPS:
        if name in whole:
            whole[name] = [_spread_group(group, base) for group in whole[name]]
    return whole


def _spread_group(group: Mapping[str, Any], base: Mapping[str, Any]) -> Row:
    """A group; its relation is its own and not what its rows share."""
    told = {name: group[name] for name in _TOLD if name in group and name != "relation"}
    whole = {
        name: _whole(name, value, told, base) if name in LISTS else value
        for name, value in group.items()
        if name not in told
    }
    shown = sum(len(value) for name, value in whole.items() if name in LISTS)
    return {"total": shown, **whole}


def _whole(
    field: str, rows: Sequence[Any], told: Mapping[str, Any], base: Mapping[str, Any]
) -> list[Row]:
    """The rows of a list, each with what is told once for all of them."""
    by_name = [unfold(row, LISTS[field]) for row in rows]
    begun = str(told.get("prefix", base.get("fqn", "")))
    names = completed([str(row.get("name") or "") for row in by_name], begun)
    made = []
    for row, name in zip(by_name, names, strict=True):
        own = {key: told[key] for key in (*_same(told), "kind") if key in told} | row
        if "hops" in told and own["hops"] == 1:
            del own["hops"]
        if own.pop("name", None):
            own["fqn"] = name
        first = {key: own[key] for key in _FIRST if key in own}
        made.append(_placed(first | own, told, base))
    return made


def _same(told: Mapping[str, Any]) -> list[str]:
    return [name for name in (*SAME, "relation", "flow") if name in told]


def _placed(row: Row, told: Mapping[str, Any], base: Mapping[str, Any]) -> Row:
    """A row with its whole path."""
    place = row.get("at")
    file = told.get("file") or file_of(str(base.get("at", "")))
    if place and file and LINES.fullmatch(place):
        row["at"] = f"{file}:{place}"
    elif place and "folder" in told:
        row["at"] = told["folder"] + place
    return row
