"""Running the passes over documents of a program, and what became of symbols. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonplace.domain.graph import Edge, Node
from commonplace.index.code.nodes import containment, lines_of, symbol_nodes
from commonplace.index.code.shelf import Held, uninterrupted
from commonplace.index.code.snapshots import Version
from commonplace.index.draft import FAULTS
from commonplace.link.code.base import Found, Pass
from commonplace.link.code.names.modules import modules, qualified
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
    faults: list[str] = field(default_factory=list)
    """Of passes that failed on it: faults of ours, to be told and reported."""


def drawn_relations() -> frozenset[str]:
    """Every relation a pass draws."""
    return frozenset().union(*(one.relations for one in passes().values()))


def bind(program: Program, document_ids: Collection[str]) -> dict[str, Drawn]:
    """What all passes state for these documents, each in the program as it is now."""
    drawn = {one: Drawn() for one in document_ids}
    with uninterrupted():
        for one in passes().values():
            add(drawn, attempt(one, program, document_ids, drawn))
    return drawn


def add(drawn: dict[str, Drawn], found: Mapping[str, Found]) -> None:
    """Add what a pass found."""
    for document_id, one in found.items():
        into = drawn.setdefault(document_id, Drawn())
        for node in one.nodes:
            _add_node(into, node)
        for edge in one.edges:
            _add_edge(into, edge)


def attempt(
    one: Pass, program: Program, document_ids: Collection[str], drawn: dict[str, Drawn]
) -> dict[str, Found]:
    """What a pass finds; after a fault of ours each document is tried alone."""
    try:
        return one.run(program, document_ids)
    except FAULTS as exc:
        if len(document_ids) == 1:
            (guilty,) = document_ids
            drawn[guilty].faults.append(f"pass {one.name}: {type(exc).__name__}: {exc}"[:300])
            return {}
    found: dict[str, Found] = {}
    for document_id in document_ids:
        found |= attempt(one, program, [document_id], drawn)
    return found


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
