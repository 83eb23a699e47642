"""Functions without a name belong, for a reader, to the nearest thing around them that has one."""

from dataclasses import replace

from commonplace.domain.graph import Edge
from commonplace.link.code.base import Found
from commonplace.link.code.program import Place, Program


def fold(program: Program, place: Place) -> Place:
    """The symbol itself, or the nearest one around it that has a name."""
    symbols = program.units[place.document_id].facts.symbols
    number = place.number
    while number and "anonymous" in symbols[number].modifiers:
        number = symbols[number].parent
    return Place(place.document_id, number)


def folded(program: Program, found: Found) -> Found:
    """What a pass found, its edges drawn between things that have names.

    Edges that end where they begin and edges stated already by the same thing are left out; the
    surest stays.
    """
    names = program.memo.get("folded")
    if names is None:
        names = program.memo["folded"] = _renamed(program)
    if not names:
        return found
    edges: dict[tuple[str, str, str], int] = {}
    kept: list[Edge] = []
    for edge in found.edges:
        source, target = names.get(edge.source, edge.source), names.get(edge.target, edge.target)
        is_same = source == edge.source and target == edge.target
        if source == target and not is_same:
            continue
        key = (source, edge.relation, target)
        here = edge if is_same else replace(edge, source=source, target=target)
        if key not in edges:
            edges[key] = len(kept)
            kept.append(here)
        elif kept[edges[key]].confidence < here.confidence:
            kept[edges[key]] = here
    return Found(found.nodes, kept)


def _renamed(program: Program) -> dict[str, str]:
    """Node ids of what has no name, with those it is told under."""
    names: dict[str, str] = {}
    for document_id, unit in program.units.items():
        for number, symbol in enumerate(unit.facts.symbols):
            if "anonymous" in symbol.modifiers:
                place = Place(document_id, number)
                names[unit.ids[number]] = program.node_id(fold(program, place))
    return names
