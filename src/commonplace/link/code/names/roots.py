"""What a source that is itself a package of Python is imported by.

Who adds ``django/`` of a release adds a package, and its files import ``django.db``: no path says
that name. The imports do: it is the unknown name under which most of the source's own modules are
asked for.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import cast

from commonplace.link.code.program import Program, Unit

_NOTE = "absolute imports"


def package_names(program: Program) -> dict[str, str]:
    """By source, for those that are packages: the name they go by, where imports tell it."""
    roots = {program.units[one].source_id for one in program.paths.get("__init__.py", ())}
    if not roots:
        return {}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for unit in program.units.values():
        if unit.source_id in roots and unit.facts.language == "python":
            for top, rest in _absolute(unit):
                if _is_module(program, rest) and not _is_module(program, top):
                    counts[unit.source_id][top] += 1
    return {
        source: min(found, key=lambda top: (-found[top], top)) for source, found in counts.items()
    }


def _absolute(unit: Unit) -> list[tuple[str, str]]:
    """First part and rest of what a file imports by an absolute name; kept with the file."""
    if _NOTE not in unit.notes:
        unit.notes[_NOTE] = list(_tops(unit))
    return cast(list[tuple[str, str]], unit.notes[_NOTE])


def _tops(unit: Unit) -> Iterator[tuple[str, str]]:
    for one in unit.facts.imports:
        top, _, rest = one.module.partition(".")
        rest = rest or one.name or ""
        if not one.level and top and rest and top not in sys.stdlib_module_names:
            yield top, rest


def _is_module(program: Program, dotted: str) -> bool:
    path = dotted.replace(".", "/")
    return f"{path}.py" in program.paths or f"{path}/__init__.py" in program.paths
