"""Every entity the write path finds in a folder, each with one place that names it."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from commonplace.domain.document import Resource
from commonplace.domain.graph import Edge, Node
from commonplace.domain.media import media_type_of
from commonplace.index.draft import Recipe, draft
from commonplace.link.entities.found import DEFINES, MENTIONS, SURE

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_SKELETON = frozenset({"Document", "Section", "Passage", "Anchor"})


@dataclass(frozen=True, slots=True)
class Entity:
    """One node, and a place that makes it one."""

    kind: str
    name: str
    path: str
    rule: str
    start: int
    end: int


def _recipe() -> Recipe:
    return Recipe(
        project="entities",
        source_id="",
        tags=(),
        repository=None,
        environment=None,
        passage_tokens=256,
        tokenizer="cl100k_base",
        indexed_at=_LONG_AGO,
    )


def _resources(folder: Path) -> Iterator[Resource]:
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        media_type = media_type_of(file.name)
        if media_type:
            yield Resource(
                uri=f"file:///{file.relative_to(folder).as_posix()}",
                path=file.relative_to(folder).as_posix(),
                content=file.read_bytes(),
                media_type=media_type,
                modified_at=_LONG_AGO,
            )


def extract(folder: Path) -> list[Entity]:
    """All entities in the order of their ids; of several places one, by chance but always it."""
    recipe = _recipe()
    nodes: dict[str, Node] = {}
    places: defaultdict[str, list[tuple[Edge, str]]] = defaultdict(list)
    for resource in _resources(folder):
        entry = draft(recipe, resource).entry
        nodes |= {node.id: node for node in entry.nodes if node.kind not in _SKELETON}
        for edge in entry.edges:
            if edge.relation in {DEFINES, MENTIONS} and edge.confidence >= SURE:
                places[edge.target].append((edge, resource.path))
    chance = random.Random(0)
    return [_entity(nodes[key], places[key], chance) for key in sorted(nodes) if places[key]]


def _entity(node: Node, places: Sequence[tuple[Edge, str]], chance: random.Random) -> Entity:
    edge, path = chance.choice(places)
    proof = edge.properties
    start, end = proof["start"], proof["end"]
    return Entity(node.kind, node.name, path, str(proof["rule"]), int(start or 0), int(end or 0))


def sample(entities: Sequence[Entity], per_kind: int, seed: int) -> list[Entity]:
    """Up to so many of each kind, the same for the same seed."""
    chance = random.Random(seed)
    drawn: list[Entity] = []
    for kind in sorted({entity.kind for entity in entities}):
        all_of = [entity for entity in entities if entity.kind == kind]
        drawn += chance.sample(all_of, min(per_kind, len(all_of)))
    return drawn
