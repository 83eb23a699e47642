"""Ids of nodes as replies show them: the beginning that tells a node from all others.

A caller sends back what was shown, or a whole id. Two nodes may come to begin alike: then rows show
whole ids, and a beginning that fits several is answered with all of them, never with one (ADR 58).
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from commonplace.domain.errors import InvalidArgument
from commonplace.domain.ids import brief_id, is_beginning
from commonplace.domain.scope import Selection
from commonplace.tools.app import App

_QUOTED = re.compile(r"(['\"])([a-z][0-9]{9,17})\1")
"""Text of a query that may be the beginning of an id, and nothing else."""


async def meant(app: App, selection: Selection, sent: Iterable[str]) -> dict[str, list[str]]:
    """Whole ids by what was sent: of a beginning those in sight that have it, else itself."""
    ids = {one: [one] for one in sent}
    begun = [one for one in ids if is_beginning(one)]
    known = await app.store.graph.complete(selection.project, begun) if begun else {}
    for one, whole in known.items():
        if one not in whole:
            ids[one] = whole if len(whole) == 1 else await _in_sight(app, selection, whole) or [one]
    return ids


async def _in_sight(app: App, selection: Selection, ids: Sequence[str]) -> list[str]:
    return [one.node.id for one in await app.store.graph.describe(selection, ids)]


async def whole_ids(app: App, selection: Selection, sent: Iterable[str]) -> dict[str, str]:
    """The one id each stands for; raises InvalidArgument with all where there are several."""
    found = {}
    for one, ids in (await meant(app, selection, sent)).items():
        if len(ids) > 1:
            raise InvalidArgument(f"{len(ids)} ids begin with {one}; send one: {', '.join(ids)}")
        found[one] = ids[0]
    return found


async def alike(app: App, selection: Selection, ids: Sequence[str]) -> frozenset[str]:
    """Those of these ids whose beginning, as replies show it, other nodes have too."""
    shown = {one: brief_id(one) for one in ids}
    begun = sorted({begin for one, begin in shown.items() if begin != one})
    known = await app.store.graph.complete(selection.project, begun) if begun else {}
    return frozenset(one for one, begin in shown.items() if set(known.get(begin, ())) - {one})


async def asked_whole(
    app: App, selection: Selection, query: str, parameters: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    """A query and its parameters with whole ids in the place of their beginnings."""
    sent = {found[2] for found in _QUOTED.finditer(query)} | set(_texts(parameters))
    begun = sorted(one for one in sent if is_beginning(one))
    if not begun:
        return query, parameters
    ids = await whole_ids(app, selection, begun)
    told = _QUOTED.sub(lambda found: f"{found[1]}{ids[found[2]]}{found[1]}", query)
    return told, {name: _replaced(value, ids) for name, value in parameters.items()}


def _texts(parameters: dict[str, Any]) -> Iterable[str]:
    for value in parameters.values():
        yield from (one for one in (value if isinstance(value, list) else [value]) if _text(one))


def _replaced(value: object, ids: dict[str, str]) -> object:
    """A value of a parameter with whole ids.

    >>> _replaced(["s123456789", 3], {"s123456789": "s123456789000000001"})
    ['s123456789000000001', 3]
    """
    if isinstance(value, list):
        return [_replaced(one, ids) for one in value]
    return ids.get(value, value) if isinstance(value, str) else value


def _text(value: object) -> bool:
    return isinstance(value, str)
