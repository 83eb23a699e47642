"""Running the passes over documents of a program, and what became of symbols. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from commonplace.domain.graph import Edge, Node
from commonplace.index.code.nodes import containment, lines_of, symbol_nodes
from commonplace.index.code.shelf import Held, uninterrupted
from commonplace.index.code.snapshots import Version
from commonplace.link.code.modules import modules, qualified
from commonplace.link.code.passes import passes
from commonplace.link.code.program import Place, Program, Unit

Key = tuple[str, str, str]
"""Relation, source and target of an edge."""


@dataclass(slots=True)
class Drawn:
    """What passes state for one document."""

    nodes: dict[str, Node] = field(default_factory=dict)
    """Shared ones, by id."""
    edges: dict[Key, Edge] = field(default_factory=dict)


def drawn_relations() -> frozenset[str]:
    """Every relation a pass draws."""
    return frozenset().union(*(one.relations for one in passes().values()))


def bind(program: Program, document_ids: Collection[str]) -> dict[str, Drawn]:
    """What all passes state for these documents, each in the program as it is now."""
    drawn = {one: Drawn() for one in document_ids}
    with uninterrupted():
        for one in passes().values():
            for document_id, found in one.run(program, document_ids).items():
                into = drawn.setdefault(document_id, Drawn())
                for node in found.nodes:
                    _add_node(into, node)
                for edge in found.edges:
                    _add_edge(into, edge)
    return drawn


def _add_node(into: Drawn, node: Node) -> None:
    """Two passes may know different things of one shared node."""
    known = into.nodes.get(node.id)
    if known is not None:
        node = replace(known, properties={**known.properties, **node.properties})
    into.nodes[node.id] = node


def _add_edge(into: Drawn, edge: Edge) -> None:
    """Of two proofs the surer counts."""
    key = (edge.relation, edge.source, edge.target)
    known = into.edges.get(key)
    if known is None or edge.confidence > known.confidence:
        into.edges[key] = edge


def own_graph(program: Program, unit: Unit, drawn: Drawn) -> tuple[list[Node], list[Edge]]:
    """All that a document states: its symbols, what contains what, and what passes drew."""
    nodes = {node.id: node for node in symbol_nodes(program, unit)}
    nodes |= {key: node for key, node in drawn.nodes.items() if key not in nodes}
    return list(nodes.values()), [*containment(unit), *drawn.edges.values()]


def module_names(program: Program) -> dict[str, str]:
    """What each file's symbols are called under."""
    index = modules(program)
    return {document_id: index.name(unit) for document_id, unit in program.units.items()}


def versions(held: Held, document_ids: Iterable[str]) -> dict[str, Version]:
    """The symbols of these documents as they are now, by node id; files themselves left out."""
    found: dict[str, Version] = {}
    for document_id in document_ids:
        unit = held.program.units.get(document_id)
        if unit is not None:
            found |= _versions(held, unit, held.marks.get(document_id, ()))
    return found


def _versions(held: Held, unit: Unit, marks: Sequence[int]) -> dict[str, Version]:
    found: dict[str, Version] = {}
    for number, symbol in enumerate(unit.facts.symbols[1:], 1):
        found[unit.ids[number]] = Version(
            id=unit.ids[number],
            kind=symbol.kind,
            name=symbol.name,
            fqn=qualified(held.program, Place(unit.document_id, number)),
            file=unit.path,
            lines=lines_of(symbol),
            signature=symbol.signature,
            mark=marks[number] if number < len(marks) else 0,
        )
    return found
