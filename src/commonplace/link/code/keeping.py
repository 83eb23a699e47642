"""What was worked out about a program and an edit leaves as it was.

Indexes over all files take longer to make than one file takes to bind. An edit empties the memo;
what it cannot have changed is put back, by who watches and sees edit after edit.
"""

from collections.abc import Mapping
from typing import Any

from commonplace.domain.code import Facts
from commonplace.link.code.affected import saying_any
from commonplace.link.code.aspects import ASKS_ROUTES, ASKS_TABLES, said
from commonplace.link.code.lineage.schema import MEMO as SCHEMA
from commonplace.link.code.names.visible import difference
from commonplace.link.code.program import Program, Unit
from commonplace.link.code.values.solving import FLOWING, outside

# By what must stay the same for them; what is in none of these is made anew.
_OF_IMPORTS = frozenset(
    {"modules", "definitions", "spaces", "methods", "extensions", "usings", "dialect", "web.used"}
)
_OF_CLASSES = frozenset({"descent"})
_OF_TABLES = frozenset(
    {"orm.mapped", "orm.django.names", "orm.proven", "orm.spring", "jpql.entities", SCHEMA}
)
_OF_ROUTES = frozenset({"web.django", "web.routes"})
_OWN = ("chains", "decorated")
_SOLVED = ("outside", "inside", "whole", "whole typed", "made", "made typed", "look", "sites")


def keep(program: Program, memo: Mapping[str, Any], before: Mapping[str, Facts]) -> None:
    """Put back what these edits leave as it was; ``before`` is what the files said."""
    units = [program.units[one] for one in before if one in program.units]
    if len(units) != len(before):
        return
    kept = {one for one in memo if one in _OF_IMPORTS}
    for unit in units:
        kept &= _OF_IMPORTS if _imports_alike(before[unit.document_id], unit.facts) else set()
    if kept and all(_is_unseen(program, before[one.document_id], one) for one in units):
        says = set[str]().union(
            *(said(facts) for unit in units for facts in (before[unit.document_id], unit.facts))
        )
        kept |= _OF_CLASSES
        kept |= _OF_TABLES if ASKS_TABLES not in says else set()
        kept |= _OF_ROUTES if ASKS_ROUTES not in says else set()
    program.memo.update({key: one for key, one in memo.items() if key in kept})
    _renew(program)


def slim(program: Program) -> None:
    """Let go of what solving one edit needed."""
    for key in _SOLVED:
        program.memo.pop(key, None)
    _renew(program)


def let_go(unit: Unit) -> None:
    """Forget what only the passes over this very file ask."""
    for key in _OWN:
        unit.notes.pop(key, None)


def _renew(program: Program) -> None:
    """Who stands below whom stays known; what is asked of single classes is asked anew."""
    descent = program.memo.get("descent")
    if descent is not None:
        descent.move(outside(program))


def _imports_alike(old: Facts, new: Facts) -> bool:
    """Whether files and names of modules mean what they meant."""
    if old.language != new.language or new.language not in FLOWING:
        return False
    before, after = ([(*one[:5], one.modifiers) for one in facts.imports] for facts in (old, new))
    return before == after


def _is_unseen(program: Program, old: Facts, unit: Unit) -> bool:
    """Whether no other file can see the edit, and classes are what and where they were."""
    found = difference(old, unit)
    if found.names is None or found.is_of_classes:
        return False
    return not saying_any(program, found.names, unit.document_id)
