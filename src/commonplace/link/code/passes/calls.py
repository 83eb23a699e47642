"""Names bound to definitions: calls, bases, overrides, imports, references, tests.

``run`` is tier A: what files declare to one another and, in languages with declared types, what
flows within each file. It needs no knowledge of callers, so a file is bound anew only when
something it looked at has changed (``affected``). ``Program.reads`` is told what that was. Tier B,
what flows through parameters, takes as long again and needs the whole program:
``values/flows.py`` runs it afterwards, except where a program is so small that both are done here.
Of languages with declared types it is done only there (``modules.DECLARING``).
"""

from collections.abc import Collection

from commonplace.link.code.base import Found, Pass
from commonplace.link.code.bind import Binding
from commonplace.link.code.bound import Bounds
from commonplace.link.code.drawing import Drawing, Proof
from commonplace.link.code.exercise import exercised
from commonplace.link.code.names.modules import DECLARING
from commonplace.link.code.program import Place, Program
from commonplace.link.code.relations import Relating
from commonplace.link.code.shared import external_node
from commonplace.link.code.values.accessors import Accessors
from commonplace.link.code.values.solving import (
    FLOWING,
    inside,
    is_followed,
    onlooking,
    outside,
    whole,
)

_new = tuple.__new__  # half the time of what it stands for, tens of thousands of times
RELATIONS = frozenset(
    {
        "CALLS",
        "INSTANTIATES",
        "INHERITS",
        "IMPLEMENTS",
        "OVERRIDES",
        "IMPORTS",
        "REFERENCES",
        "TESTS",
    }
)


def bind(program: Program, document_id: str, is_whole: bool = False) -> tuple[Bounds, Binding]:
    """All edges of one file, lambdas for themselves.

    With what flows between files too where it is asked for, or a program is so small that it
    costs nothing.
    """
    language = program.units[document_id].facts.language
    is_whole = is_followed(program, language, is_whole)
    is_first = language in FLOWING and not is_whole
    solver = onlooking(program) if is_first else inside(program, document_id)
    kin = FLOWING if language in FLOWING else DECLARING
    binding = Binding(solver, document_id, whole(program, kin) if is_whole else None)
    binding.calls()
    binding.decorators()
    binding.subclassings()
    Accessors(binding).properties()
    bounds = binding.bounds
    relating = Relating(solver, document_id, binding.meaning, bounds)
    relating.hierarchy()
    relating.imports()
    relating.references()
    bounds.extend(list(exercised(solver, document_id, bounds)))
    solver.drain()
    program.reads[document_id] = solver.noted()
    if is_first:
        outside(program).forget(document_id)
    program.memo.setdefault("open", {})[document_id, is_whole] = opened(document_id, binding)
    return bounds, binding


def open_calls(program: Program, document_id: str) -> dict[Place, dict[str, int]]:
    """Calls of which no definition is known, by caller: name and how often."""
    return open_after(program, document_id, is_whole=False)


def open_after(program: Program, document_id: str, is_whole: bool) -> dict[Place, dict[str, int]]:
    """The same after ``bind``, done now where it was not yet."""
    language = program.units[document_id].facts.language
    key = (document_id, is_followed(program, language, is_whole))
    known = program.memo.get("open", {})
    if key not in known:
        bind(program, document_id, is_whole)
    found: dict[Place, dict[str, int]] = program.memo["open"][key]
    return found


def opened(document_id: str, binding: Binding) -> dict[Place, dict[str, int]]:
    """The same from a binding at hand."""
    found: dict[Place, dict[str, int]] = {}
    for (scope, name), count in sorted(binding.open.items()):
        names = found.setdefault(Place(document_id, scope), {})
        names[name or "?"] = names.get(name or "?", 0) + count
    return found


def run(program: Program, document_ids: Collection[str]) -> dict[str, Found]:
    """Edges of these files."""
    return {
        unit.document_id: draw(program, unit.document_id, bind(program, unit.document_id)[0])
        for unit in program.chosen(document_ids)
        if unit.facts.language != "sql"
    }


def draw(program: Program, document_id: str, bounds: Bounds) -> Found:
    """Edges as the graph keeps them."""
    unit, units = program.units[document_id], program.units
    drawing, ids = Drawing(unit), unit.ids
    proofs: dict[tuple[str, str, str], list[Proof]] = drawing.proofs
    libraries: dict[str, str] = {}
    for source, relation, target, how, confidence, at in bounds:
        if not isinstance(target, str):
            node_id = units[target[0]].ids[target[1]]
        elif target in libraries:
            node_id = libraries[target]
        else:
            node_id = drawing.node(external_node(unit.project, target))
            libraries[target] = node_id
        key, proof = (ids[source], relation, node_id), _new(Proof, (how, confidence, at, ""))
        if key in proofs:  # as ``Drawing.edge`` does, without a call for each
            proofs[key].append(proof)
        else:
            proofs[key] = [proof]
    return drawing.found()


CALLS = Pass(name="calls", relations=RELATIONS, run=run)
