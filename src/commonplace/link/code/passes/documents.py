"""DOCUMENTS: from a passage of prose to the symbols it names as code.

A name is bound when it can mean one symbol only: a full name, the end of one that no other has, or
a bare name that is defined once in the project and is no plain word.
"""

from collections.abc import Collection, Iterable

from commonplace.domain.graph import Edge
from commonplace.link.code.base import Found, Pass
from commonplace.link.code.mentions import Mention
from commonplace.link.code.names.modules import qualified
from commonplace.link.code.program import Place, Program

DOCUMENTS = "DOCUMENTS"
_FULL, _END, _BARE = 0.95, 0.9, 0.7
_SMALL = frozenset({"Field", "Variable", "Parameter", "Column", "Index", "File"})
"""Of a bare name these are too likely to be another thing of the same name."""


def run(program: Program, document_ids: Collection[str]) -> dict[str, Found]:
    """Edges of these documents as far as they are prose."""
    found: dict[str, Found] = {}
    for document_id in document_ids:
        written = program.mentions.get(document_id)
        if written:
            found[document_id] = Found(edges=list(_edges(program, document_id, written)))
    return found


def _edges(program: Program, document_id: str, written: Iterable[Mention]) -> Iterable[Edge]:
    drawn: dict[tuple[str, str], Edge] = {}
    for mention in written:
        bound = meant(program, mention)
        if bound is None:
            continue
        place, confidence, how = bound
        pair = (mention.passage_id, program.node_id(place))
        if pair not in drawn or drawn[pair].confidence < confidence:
            drawn[pair] = Edge(
                source=pair[0],
                target=pair[1],
                relation=DOCUMENTS,
                project=program.units[place.document_id].project,
                document_id=document_id,
                confidence=confidence,
                properties={"how": how, "start": mention.start, "end": mention.end},
            )
    return drawn.values()


def meant(program: Program, mention: Mention) -> tuple[Place, float, str] | None:
    """The one symbol a mention can mean, how surely, and why; None when several fit, or none."""
    last = mention.path.rpartition(".")[2]
    places = program.named.get(last)
    if mention.path in (names := _modules(program)):
        return Place(names[mention.path], 0), _FULL, "fqn"
    if not places:
        return None
    if last == mention.path:
        return _bare(program, mention, places)
    ended = [
        (name, place)
        for place in places
        for name in (qualified(program, place),)
        if name == mention.path or name.endswith(f".{mention.path}")
    ]
    exact = [place for name, place in ended if name == mention.path]
    if len(exact) == 1:
        return exact[0], _FULL, "fqn"
    return (ended[0][1], _END, "name") if len(ended) == 1 else None


def _bare(
    program: Program, mention: Mention, places: Collection[Place]
) -> tuple[Place, float, str] | None:
    if mention.is_plain or len(places) != 1:
        return None
    (place,) = places
    return None if program.symbol(place).kind in _SMALL else (place, _BARE, "name")


def _modules(program: Program) -> dict[str, str]:
    """Documents by the full name of their file, of several parts only: a word alone is a word."""
    known = program.memo.get("documents.modules")
    if known is None:
        named = ((qualified(program, Place(one, 0)), one) for one in program.units)
        known = {name: one for name, one in named if "." in name}
        program.memo["documents.modules"] = known
    found: dict[str, str] = known
    return found


DOCUMENTS_PASS = Pass(name="documents", relations=frozenset({DOCUMENTS}), run=run)
