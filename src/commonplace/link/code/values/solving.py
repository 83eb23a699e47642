"""Solvers for a program, made once per state of it."""

from typing import cast

from commonplace.domain.code import Facts
from commonplace.link.code.names.modules import DECLARING, PYTHON, SCRIPTS
from commonplace.link.code.names.scopes import CLASSES, scopes
from commonplace.link.code.program import Program
from commonplace.link.code.values.equations import EQUATIONS
from commonplace.link.code.values.solver import ONLOOKER, Key, Solver

FLOWING = frozenset({PYTHON, *SCRIPTS})
"""Languages without declared types to go by: values are followed from file to file."""
_KEPT = 4  # solvers of single files kept for whoever asks next


def outside(program: Program) -> Solver:
    """What files see of one another."""
    found = program.memo.get("outside")
    if found is None:
        found = program.memo["outside"] = Solver(program, EQUATIONS)
    return cast("Solver", found)


def inside(program: Program, document_id: str) -> Solver:
    """All that flows within one file, and what it sees of others."""
    kept = cast("dict[str, Solver]", program.memo.setdefault("inside", {}))
    found = kept.get(document_id)
    if found is None:
        found = Solver(program, EQUATIONS, outside(program), document_id)
        found.start(_keys(program, document_id))
        while len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        kept[document_id] = found
    return found


def onlooking(program: Program) -> Solver:
    """What a file's names mean before values are followed: no call hands anything over."""
    return Solver(program, EQUATIONS, outside(program), ONLOOKER)


def whole(program: Program, kin: frozenset[str] = FLOWING) -> Solver:
    """All that flows between the files of a program, of languages that are followed alike."""
    key = "whole" if kin is FLOWING else "whole typed"
    found = program.memo.get(key)
    if found is None:
        found = program.memo[key] = Solver(program, EQUATIONS, is_whole=True)
        keys: list[Key] = []
        for document_id in sorted(program.units):
            if program.units[document_id].facts.language in kin:
                keys.extend(_keys(program, document_id))
        found.start(keys)
    return cast("Solver", found)


def size(facts: Facts | None, kin: frozenset[str] = FLOWING) -> int:
    """What a file adds to the work of following values from file to file."""
    return facts.call_count if facts is not None and facts.language in kin else 0


def is_small(program: Program, kin: frozenset[str] = FLOWING) -> bool:
    """Whether the files of a program in these languages are followed as a whole at once."""
    key = "size" if kin is FLOWING else "size typed"
    found = program.memo.get(key)
    if found is None:
        found = program.memo[key] = sum(size(one.facts, kin) for one in program.units.values())
    return bool(found <= program.scale.calls_at_once)


def is_followed(program: Program, language: str, is_whole: bool = False) -> bool:
    """Whether values of a file are followed through others: where it is asked for, or at once."""
    if language in FLOWING:
        return is_whole or is_small(program)
    return language in DECLARING and is_small(program, DECLARING)


def _keys(program: Program, document_id: str) -> list[Key]:
    """Everything in a file that hands values on."""
    unit = program.units[document_id]
    facts = unit.facts
    keys: list[Key] = [("C", document_id, number) for number in range(len(facts.calls))]
    keys.extend(("W", document_id, number) for number in range(len(scopes(unit).others)))
    keys.extend(
        ("N", document_id, number)
        for number, symbol in enumerate(facts.symbols)
        if symbol.decorators
    )
    if program.named.get("__init_subclass__") and facts.language == PYTHON:
        keys.extend(
            ("D", document_id, number)
            for number, symbol in enumerate(facts.symbols)
            if symbol.kind in CLASSES and symbol.bases
        )
    return keys
