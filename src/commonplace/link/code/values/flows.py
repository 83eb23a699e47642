"""Tier B, run after the graph is ready: what flows between files through parameters.

``later`` draws the same relations as the pass ``calls`` (``passes/calls.RELATIONS``) and replaces
its edges: everything ``calls`` knows, and the calls that only become known by following arguments
into the functions that take them, wherever those are. It always looks at the whole program, so
its answer does not depend on what was asked before. How to run it:

- after a sync, when symbols, edges and snapshot are written, and after edits have come to rest,
  ask ``is_needed``; if so, ``later(program, all documents)`` and ``relate`` those that differ;
- then store ``open_calls`` of this module in place of the ones of ``passes/calls``.

A program of up to ``Scale.calls_at_once`` calls needs none of this: ``calls`` has done it already.
"""

from collections.abc import Collection

from commonplace.link.code.base import Found
from commonplace.link.code.passes.calls import bind, draw, open_after
from commonplace.link.code.program import Place, Program
from commonplace.link.code.values.solving import FLOWING, is_small


def is_needed(program: Program) -> bool:
    """Whether ``later`` may know more than ``calls``."""
    return not is_small(program) and any(
        unit.facts.language in FLOWING for unit in program.units.values()
    )


def later(program: Program, document_ids: Collection[str]) -> dict[str, Found]:
    """Edges of these files, of all relations of the pass ``calls``; others are as they were."""
    return {
        unit.document_id: draw(
            program, unit.document_id, bind(program, unit.document_id, is_whole=True)[0]
        )
        for unit in program.chosen(document_ids)
        if unit.facts.language in FLOWING
    }


def open_calls(program: Program, document_id: str) -> dict[Place, dict[str, int]]:
    """Calls of which no definition is known after following everything."""
    return open_after(program, document_id, is_whole=True)
