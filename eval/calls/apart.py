"""Cases of one file written apart, a type a file: as people write Java and C#."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from commonplace.domain.code import At, Facts
from eval.calls.cases import Case
from eval.calls.drawn import facts_of

_TYPES = frozenset({"Class", "Interface", "Enum", "Struct", "Record", "Delegate"})


def apart(chosen: Iterable[Case]) -> Iterator[Case]:
    """Those that can be: one file, without a package, and nothing but types in it."""
    for case in chosen:
        if len(case.files) == 1:
            ((path, text),) = case.files.items()
            facts = facts_of(path, text)
            if facts is not None and facts.language in ("java", "csharp"):
                files = _files(PurePosixPath(path).suffix, text, facts)
                if len(files) > 1:
                    yield replace(case, files=files)


def _files(suffix: str, text: str, facts: Facts) -> dict[str, str]:
    outer = [one for one in facts.symbols[1:] if one.parent == 0]
    is_plain = all(one.kind in _TYPES for one in outer) and not facts.namespace
    is_one_each = len({one.name for one in outer}) == len(outer)
    if not is_plain or not is_one_each or any(one.scope == 0 for one in facts.calls):
        return {}
    lines = text.splitlines(keepends=True)
    head = "".join(lines[one.at.line - 1] for one in facts.imports)
    return {f"{one.name}{suffix}": f"{head}{_piece(lines, one.at)}\n" for one in outer}


def _piece(lines: list[str], at: At) -> str:
    """The text of a definition."""
    taken = lines[at.line - 1 : at.end_line]
    taken[-1] = taken[-1][: at.end_column]
    taken[0] = taken[0][at.column :]
    return "".join(taken)
