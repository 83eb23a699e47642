"""Edges that came of following values from file to file, through edits that leave them standing.

Following values takes a look at the whole program; after a small edit it waits. Until then what it
found before still holds for every function whose text is the same.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from commonplace.domain.graph import Edge
from commonplace.engines.base import KeyValue
from commonplace.index.code.owed import code_space
from commonplace.index.code.shelf import Held
from commonplace.index.code.snapshots import Version
from commonplace.link.code.values.flows import is_needed
from commonplace.link.code.values.solving import FLOWING

LATE = "late"
"""On edges that came of following values: true where passes drew none, else what they did, as JSON.
Snapshots and comparisons go by what passes drew."""
_BEHIND = "behind"
_LINE = re.compile(r"(\d+)(?=:)")


def behind(held: Held) -> int:
    """Files whose values are to be followed again."""
    units = held.program.units.items()
    due = sum(unit.facts.language in FLOWING and one not in held.late for one, unit in units)
    return due if due and is_needed(held.program) else 0


def is_worth(held: Held) -> bool:
    """Whether so much has changed that following values should not wait."""
    return behind(held) * held.program.scale.behind_part >= len(held.program.units)


async def keep_behind(keyvalue: KeyValue, held: Held) -> None:
    """Note how many files that is; to be called in a transaction."""
    space, due = code_space(held.project), behind(held)
    if due:
        await keyvalue.put(space, _BEHIND, str(due).encode())
    elif await keyvalue.get(space, _BEHIND) is not None:
        await keyvalue.expire(space, _BEHIND)


async def files_behind(keyvalue: KeyValue, project: str) -> int:
    """The same, as it is stored."""
    return int(await keyvalue.get(code_space(project), _BEHIND) or 0)


def still(
    late: Sequence[Edge], before: Mapping[str, Version], after: Mapping[str, Version]
) -> Iterator[Edge]:
    """Of late edges those whose ends are there and whose source reads as it did.

    ``before`` and ``after`` have the symbols of all files that changed, by node id.
    """
    for edge in late:
        if any(end in before and end not in after for end in (edge.source, edge.target)):
            continue
        old, new = before.get(edge.source), after.get(edge.source)
        if old is None or new is None:
            yield edge
        elif old.mark == new.mark:
            yield _moved(edge, _first(new) - _first(old))


def before_late(edge: Edge) -> Edge | None:
    """An edge as passes drew it, before values were followed; None when they did not."""
    late = edge.properties.get(LATE)
    if not late:
        return edge
    if not isinstance(late, str):
        return None
    confidence, properties = json.loads(late)
    return replace(edge, confidence=confidence, properties=properties)


def beside_late(late: Edge, drawn: Edge | None) -> Edge | None:
    """What came of following values, in place of what passes drew; None where that is as sure."""
    if drawn is not None and drawn.confidence >= late.confidence:
        return None
    before = True if drawn is None else json.dumps([drawn.confidence, dict(drawn.properties)])
    return replace(late, properties={**late.properties, LATE: before})


def _first(version: Version) -> int:
    return int(version.lines.partition("-")[0])


def _moved(edge: Edge, lines: int) -> Edge:
    """The edge with its places so many lines further down."""
    at = edge.properties.get("at")
    if not lines or not isinstance(at, str):
        return edge
    moved = _LINE.sub(lambda found: str(int(found[1]) + lines), at)
    return replace(edge, properties={**edge.properties, "at": moved})
