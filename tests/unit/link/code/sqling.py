"""Scripts to the edges the lineage pass draws, by names one can read."""

from collections.abc import Mapping

from commonplace.domain.graph import Edge, Node
from commonplace.link.code.passes.lineage import LINEAGE
from commonplace.link.code.program import Program, Unit
from commonplace.sql.read import read_script


def program_of(scripts: Mapping[str, str], dialect: str) -> Program:
    """A program of these scripts, by path."""
    program = Program()
    for path, text in scripts.items():
        facts = read_script(text, path, dialect)
        program.put(Unit(document_id=f"d {path}", source_id="s", path=path, facts=facts))
    return program


class Lineage:
    """What the pass draws for all scripts."""

    def __init__(self, scripts: Mapping[str, str] | str, dialect: str = "postgres") -> None:
        given = {"a.sql": scripts} if isinstance(scripts, str) else scripts
        self.program = program_of(given, dialect)
        self.found = LINEAGE.run(self.program, list(self.program.units))
        self.nodes: dict[str, Node] = {}
        self.names: dict[str, str] = {
            unit.document_id: unit.path for unit in self.program.units.values()
        }
        for found in self.found.values():
            self.nodes |= {node.id: node for node in found.nodes}
        self.names |= {one: str(node.properties["fqn"]) for one, node in self.nodes.items()}

    def drawn(self, relation: str) -> list[Edge]:
        """All edges of a relation."""
        edges = [edge for found in self.found.values() for edge in found.edges]
        return [edge for edge in edges if edge.relation == relation]

    def edges(self, relation: str, least: float = 0.9) -> set[tuple[str, str]]:
        """Edges of a relation that are sure enough, by full names."""
        return {
            (self.names[edge.source], self.names[edge.target])
            for edge in self.drawn(relation)
            if edge.confidence >= least
        }

    def edge(self, relation: str, source: str, target: str) -> Edge:
        """The one edge between two names."""
        (found,) = [
            edge
            for edge in self.drawn(relation)
            if (self.names[edge.source], self.names[edge.target]) == (source, target)
        ]
        return found

    def node(self, fqn: str) -> Node:
        """The node of this full name."""
        (found,) = [node for node in self.nodes.values() if node.properties["fqn"] == fqn]
        return found
