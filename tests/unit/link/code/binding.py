"""Programs written in tests, and their edges by full names."""

from collections.abc import Mapping

from commonplace.domain.graph import Edge
from commonplace.domain.media import media_type_of
from commonplace.languages import language_for
from commonplace.link.code.base import Found
from commonplace.link.code.names.modules import qualified
from commonplace.link.code.passes.calls import CALLS
from commonplace.link.code.program import Place, Program, Scale, Unit, words_in

Told = tuple[str, str, str]

ANY_SIZE = Scale()
LARGE = Scale(calls_at_once=-1)
"""As if every program were too large to be followed at once."""


def unit_of(path: str, text: str) -> Unit:
    language = language_for(media_type_of(path.rpartition("/")[2]) or "")
    assert language is not None
    facts = language.extract(text, path)
    words = words_in(text)
    return Unit(document_id=f"d:{path}", source_id="s", path=path, facts=facts, words=words)


def program_of(files: Mapping[str, str], scale: Scale = ANY_SIZE) -> Program:
    program = Program(scale=scale)
    for path, text in files.items():
        program.put(unit_of(path, text))
    return program


def names_of(program: Program) -> dict[str, str]:
    """Full names by node id."""
    return {
        node_id: qualified(program, Place(unit.document_id, number))
        for unit in program.units.values()
        for number, node_id in enumerate(unit.ids)
    }


def edges_of(program: Program) -> dict[Told, Edge]:
    """Every edge by the names of its ends."""
    found = CALLS.run(program, list(program.units))
    return told(program, found)


def told(program: Program, found: Mapping[str, Found]) -> dict[Told, Edge]:
    names = names_of(program)
    for one in found.values():
        names.update({node.id: f"<{node.properties['fqn']}>" for node in one.nodes})
    return {
        (names[edge.source], edge.relation, names[edge.target]): edge
        for one in found.values()
        for edge in one.edges
    }


def calls_of(files: Mapping[str, str], surer_than: float = 0.3) -> set[tuple[str, str]]:
    """Callers and callees of a program."""
    return {
        (source, target)
        for (source, relation, target), edge in edges_of(program_of(files)).items()
        if relation == "CALLS" and edge.confidence > surer_than
    }
