"""How far the code of a project is understood: counted when it is bound, told by ``status``."""

import json
from collections import Counter
from typing import Any

from commonplace.engines.base import KeyValue
from commonplace.index.code.late import files_behind
from commonplace.index.code.owed import code_space, text_owed
from commonplace.index.code.settle import DUE
from commonplace.index.code.shelf import Held

_MOST_PROBLEMS = 5
_MOST_PLACES = 3
_KEY = "status/"


def count(held: Held, source_id: str) -> dict[str, Any]:
    """Files, symbols and problems of a source by language; kinds of problems, and some places."""
    languages: dict[str, Counter[str]] = {}
    problems: Counter[str] = Counter()
    places: dict[str, list[str]] = {}
    generated = 0
    for unit in held.program.units.values():
        if unit.source_id != source_id:
            continue
        facts, unread = unit.facts, held.program.problems(unit)
        row = languages.setdefault(facts.language, Counter())
        row["files"] += 1
        row["symbols"] += len(facts.symbols) - 1
        row["problems"] += len(unread)
        row["files_with_problems"] += bool(unread)
        generated += facts.is_generated
        for one in unread:
            what = one.what.partition(":")[0][:80]
            problems[what] += 1
            if problems[what] <= _MOST_PLACES:
                places.setdefault(what, []).append(f"{unit.path}:{one.at.line}-{one.at.end_line}")
    told = dict(problems.most_common(_MOST_PROBLEMS))
    return {
        "languages": {name: dict(row) for name, row in sorted(languages.items())},
        "problems": told,
        "places": {what: places[what] for what in told},
        "generated_files": generated,
    }


async def keep(keyvalue: KeyValue, project: str, source_id: str, told: dict[str, Any]) -> None:
    """Add to what is told of a source, replacing what was told of the same."""
    space, key = code_space(project), f"{_KEY}{source_id}"
    before = await keyvalue.get(space, key)
    known: dict[str, Any] = json.loads(before) if before else {}
    if {**known, **told} != known:
        await keyvalue.put(space, key, json.dumps({**known, **told}).encode())


async def forget(keyvalue: KeyValue, project: str, source_id: str) -> None:
    """Remove what is told of a source."""
    await keyvalue.expire(code_space(project), f"{_KEY}{source_id}")


async def code_status(keyvalue: KeyValue, project: str) -> dict[str, Any]:
    """What is known of a project's code by source; empty for a project without any."""
    space = code_space(project)
    found = await keyvalue.many(space, await keyvalue.keys(space, _KEY))
    sources = {}
    for key, value in sorted(found.items()):
        source_id = key.removeprefix(_KEY)
        owed = await text_owed(keyvalue, project, source_id)
        sources[source_id] = {**json.loads(value), "files_without_text": len(owed)}
    if not sources:
        return {}
    is_due = await keyvalue.get(space, DUE) is not None
    behind = await files_behind(keyvalue, project)
    return {"is_bound": not is_due, "files_behind": behind, "sources": sources}
