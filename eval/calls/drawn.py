"""The edges we draw for a program."""

from collections.abc import Iterator, Mapping

from commonplace.domain.code import Facts
from commonplace.domain.graph import Edge
from commonplace.domain.ids import stable_id
from commonplace.domain.media import media_type_of
from commonplace.languages import language_for
from commonplace.link.code.base import Found
from commonplace.link.code.names.modules import qualified
from commonplace.link.code.passes.calls import CALLS
from commonplace.link.code.program import Place, Program, Unit
from commonplace.link.code.values.flows import is_needed, later
from eval.calls.cases import Expected

RELATIONS = frozenset({"CALLS", "INSTANTIATES"})


def facts_of(path: str, text: str) -> Facts | None:
    """What a file says, if it is code."""
    language = language_for(media_type_of(path.rpartition("/")[2]) or "")
    return None if language is None else language.extract(text, path)


def program_of(files: Mapping[str, str]) -> Program:
    """All files of one source as a program; what is not code is left out."""
    program = Program()
    for path, text in files.items():
        facts = facts_of(path, text)
        if facts is not None:
            unit = Unit(document_id=stable_id("d", path), source_id="case", path=path, facts=facts)
            program.put(unit)
    return program


def places_of(program: Program) -> dict[str, Place]:
    """Every symbol by the id of its node."""
    return {
        node_id: Place(unit.document_id, number)
        for unit in program.units.values()
        for number, node_id in enumerate(unit.ids)
    }


def edges_of(program: Program) -> Iterator[Edge]:
    """The call edges that are stored in the end, those of libraries included.

    First what the pass draws, then, where a program is too large for both at once, what following
    values adds; of two the surer stays.
    """
    ids = list(program.units)
    stages = [CALLS.run(program, ids), later(program, ids) if is_needed(program) else {}]
    edges: dict[tuple[str, str, str], Edge] = {}
    for edge in (edge for found in stages for edge in _calls(found)):
        key = (edge.source, edge.relation, edge.target)
        if key not in edges or edges[key].confidence < edge.confidence:
            edges[key] = edge
    yield from edges.values()


def first_edges(program: Program) -> Iterator[Edge]:
    """Those that are stored when symbols are ready, as of a program too large for both at once."""
    program.memo["size"] = program.scale.calls_at_once + 1
    yield from _calls(CALLS.run(program, list(program.units)))


def _calls(found: Mapping[str, Found]) -> Iterator[Edge]:
    for one in found.values():
        yield from (edge for edge in one.edges if edge.relation in RELATIONS)


def names_of(program: Program, numbered: frozenset[str] = frozenset()) -> dict[str, str]:
    """Full names by the ids of nodes; with a number where one has to be told apart."""
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for unit in program.units.values():
        for number, node_id in enumerate(unit.ids):
            name = qualified(program, Place(unit.document_id, number))
            counts[name] = count = counts.get(name, 0) + 1
            found[node_id] = f"{name}#{count}" if name in numbered else name
    return found


def drawn(
    files: Mapping[str, str], min_confidence: float, numbered: frozenset[str] = frozenset()
) -> dict[Expected, float]:
    """Edges between definitions of these files, with the confidence of each."""
    program = program_of(files)
    names = names_of(program, numbered)
    found: dict[Expected, float] = {}
    for edge in edges_of(program):
        source, target = names.get(edge.source), names.get(edge.target)
        if source is None or target is None or edge.confidence < min_confidence:
            continue
        one = Expected(source, edge.relation, target)
        found[one] = max(edge.confidence, found.get(one, 0.0))
    return found
