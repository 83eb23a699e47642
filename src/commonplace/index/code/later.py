"""What takes longer and can wait until the graph is ready.

Values are followed from file to file, and containers are summed up. Each says in the store what it
has done, so that it is done once.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b

from commonplace.domain.graph import Edge, Node
from commonplace.domain.scope import Source
from commonplace.engines.base import Entry, Stated
from commonplace.index.code.bind import Drawn, Key, attempt
from commonplace.index.code.changes import Renew
from commonplace.index.code.late import before_late, behind, beside_late, keep_behind
from commonplace.index.code.owed import code_space
from commonplace.index.code.settle import aside
from commonplace.index.code.shelf import Held, keep_bound, open_held, uninterrupted
from commonplace.index.sources import list_sources
from commonplace.index.writer import Writer
from commonplace.link.code.base import Found, Pass
from commonplace.link.code.passes.calls import RELATIONS
from commonplace.link.code.summaries import Summaries, Tie, source_id, summarise
from commonplace.link.code.values.flows import later
from commonplace.link.code.values.solving import FLOWING

_FLOWS = Pass(name="flows", relations=RELATIONS, run=later)
_PAGE = 100
_CONTAINERS = "containers"
_SUMMARISED = "summarised"
_SHARE = 50  # a fiftieth of the files may change before containers are summed up anew


async def follow_values(writer: Writer, project: str, renew: Renew) -> int:
    """Add the edges that only come of following values through calls; documents that gained some.

    To be called while holding the lease of the project's code.
    """
    held = await open_held(writer.shelf, writer.store.keyvalue, project)
    writer.shelf.held = held
    if not behind(held):
        return 0
    writer.shelf.held = None  # who is cancelled leaves it half worked out
    found = await aside(renew, lambda: _follow(held), held.program)
    writer.shelf.held = held
    held.program.memo.clear()  # hundreds of megabytes nobody asks for again
    digests = {one: _digest(drawn) for one, drawn in found.items()}
    changed = [one for one in found if held.late.get(one) != digests[one]]
    store = writer.store
    for start in range(0, len(changed), _PAGE):
        page = changed[start : start + _PAGE]
        entries = await store.passages.entries(project, page)
        async with store.transaction():
            stated = [_stated(entry, found[entry.card.id]) for entry in entries]
            await store.graph.relate(project, RELATIONS, stated)
            held.late |= {one: digests[one] for one in page}
            await keep_bound(store.keyvalue, held, page)
            await keep_behind(store.keyvalue, held)
        await renew()
    return len(changed)


def _follow(held: Held) -> dict[str, Found]:
    """What following values finds in each file; a fault of ours is that of one file."""
    ids = [one for one, unit in held.program.units.items() if unit.facts.language in FLOWING]
    drawn = {one: Drawn() for one in ids}
    with uninterrupted():
        found = attempt(_FLOWS, held.program, ids, drawn)
    return {one: found.get(one, Found()) for one in ids}


def _digest(found: Found) -> str:
    keys = sorted(
        f"{one.source} {one.relation} {one.target} {one.confidence}" for one in found.edges
    )
    return blake2b("\n".join(keys).encode(), digest_size=8).hexdigest()


def _stated(entry: Entry, found: Found) -> Stated:
    """What is stored of these relations, and what following values adds to it or makes surer."""
    edges: dict[Key, Edge] = {}
    for one in map(before_late, entry.edges):
        if one is not None and one.relation in RELATIONS:
            edges[one.relation, one.source, one.target] = one
    for one in found.edges:
        key = (one.relation, one.source, one.target)
        late = beside_late(one, edges.get(key))
        if late is not None:
            edges[key] = late
    shared = {one.id: one for one in entry.nodes if one.document_id is None}
    shared |= {one.id: one for one in found.nodes if one.id not in shared}
    return Stated(document_id=entry.card.id, edges=[*edges.values()], nodes=list(shared.values()))


async def sum_up(writer: Writer, project: str, changed: int, renew: Renew) -> bool:
    """Summaries of containers, when enough files changed since they were last made.

    To be called while holding the lease of the project's code.
    """
    keyvalue, space = writer.store.keyvalue, code_space(project)
    held = await open_held(writer.shelf, keyvalue, project)
    writer.shelf.held = held
    stale = changed + int(await keyvalue.get(space, _SUMMARISED) or 0)
    if stale == 0:
        return False
    if stale * _SHARE < len(held.program.units):
        await keyvalue.put(space, _SUMMARISED, str(stale).encode())
        return False
    nodes, ties = await _survey(writer, held, renew)
    names = {one.id: one for one in await list_sources(keyvalue, project)}
    sources = {
        document_id: _name(names, unit.source_id)
        for document_id, unit in held.program.units.items()
    }
    made = await aside(renew, lambda: summarise(project, nodes.values(), ties, sources))
    await _store(writer, project, nodes, made)
    return True


def _name(sources: Mapping[str, Source], source_id: str) -> str:
    source = sources.get(source_id)
    return source.location.rstrip("/").rpartition("/")[2] if source else source_id


async def _survey(writer: Writer, held: Held, renew: Renew) -> tuple[dict[str, Node], list[Tie]]:
    """All symbols of a project and what connects them."""
    nodes: dict[str, Node] = {}
    ties: list[Tie] = []
    ids = list(held.program.units)
    for start in range(0, len(ids), _PAGE):
        page = await writer.store.passages.entries(held.project, ids[start : start + _PAGE])
        for entry in page:
            nodes |= {one.id: one for one in entry.nodes if "fqn" in one.properties}
            ties += _ties(entry.edges)
        await renew()
    return nodes, ties


def _ties(edges: Iterable[Edge]) -> list[Tie]:
    return [Tie(one.source, one.relation, one.target) for one in edges]


async def _store(writer: Writer, project: str, nodes: Mapping[str, Node], made: Summaries) -> None:
    """Put summaries on nodes that are there, and containers that are no symbols beside them."""
    store, space = writer.store, code_space(project)
    told = [
        replace(nodes[key], properties={**nodes[key].properties, **added})
        for key, added in made.properties.items()
        if key in nodes
    ]
    known: list[str] = json.loads(await store.keyvalue.get(space, _CONTAINERS) or b"[]")
    ids = [one.id for one in made.nodes]
    async with store.transaction():
        gone = [one for one in known if one not in ids and one not in nodes]
        if gone:
            await store.graph.remove(project, gone)
        await store.graph.merge([*told, *made.nodes], [])
        await store.keyvalue.put(space, _CONTAINERS, json.dumps(ids).encode())
        await store.keyvalue.put(space, _SUMMARISED, b"0")


async def forget_container(writer: Writer, source: Source) -> None:
    """Remove the node that sums up a source which is gone, unless another has its name."""
    left = await list_sources(writer.store.keyvalue, source.project)
    name = _name({source.id: source}, source.id)
    if name not in {_name({one.id: one}, one.id) for one in left}:
        await writer.store.graph.remove(source.project, [source_id(source.project, name)])


async def forget_containers(writer: Writer, project: str) -> None:
    """Remove the containers that are no symbols: nothing is left that they could sum up."""
    stored = await writer.store.keyvalue.get(code_space(project), _CONTAINERS)
    await writer.store.graph.remove(project, json.loads(stored or b"[]"))
