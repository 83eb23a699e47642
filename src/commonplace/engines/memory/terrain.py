"""The terrain of a walk over dicts: every edge looked at, none remembered."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from commonplace.domain.graph import Edge
from commonplace.domain.scope import Selection
from commonplace.domain.walk import Direction, Reach, Way
from commonplace.engines.memory.held import Project
from commonplace.engines.memory.passages import selects
from commonplace.engines.terrain import MOST_DEGREE, WAYS, Asked, Key, Pair, Step


class MemoryTerrain:
    """Steps of one reach, as one selection of a project sees them; keys are ids."""

    def __init__(self, held: Project, selection: Selection, reach: Reach) -> None:
        self._held = held
        self._is_whole = selection.is_whole_project
        self._reach = reach
        self._documents = {
            document_id
            for document_id, entry in held.documents.items()
            if selects(selection, entry.card, held)
        }

    def sees(self, node_id: str) -> bool:
        """Whether the node is stated where the selection looks."""
        node = self._held.nodes.get(node_id)
        if node is None or self._is_whole:
            return node is not None
        if node.document_id is not None:
            return node.document_id in self._documents
        stated = any(node_id in self._held.stated.get(one, ()) for one in self._documents)
        return stated or any(node_id in (e.source, e.target) for e in self.edges())

    def edges(self) -> Iterator[Edge]:
        """Every edge stated where the selection looks, to whatever end."""
        for edge in self._held.edges.values():
            if self._is_whole or edge.document_id in self._documents:
                yield edge

    def touching(self, here: Key, way: Way) -> Iterator[Step]:
        """Every step of any relation from a node, one way."""
        for edge in self.edges():
            near, far = (edge.source, edge.target)[:: 1 if way == "out" else -1]
            if near == here and self.sees(far):
                kind = self._held.nodes[far].kind
                document = edge.document_id or ""
                yield Step(far, far, kind, edge.relation, way, edge.confidence, document)

    def _wanted(self, here: Key, direction: Direction) -> Iterator[Step]:
        relations = self._reach.relations
        for way in WAYS[direction]:
            for step in self.touching(here, way):
                if not relations or step.relation in relations:
                    yield step

    def steps(
        self, heres: Sequence[Key], asked: Asked
    ) -> tuple[Mapping[Key, Sequence[Step]], bool]:
        """Steps from each of these nodes, and whether there are more than asked for."""
        found: dict[Key, list[Step]] = {}
        is_capped = False
        for here in heres:
            groups: dict[tuple[str, Way], list[Step]] = {}
            for step in self._wanted(here, asked.direction):
                if not asked.kinds or step.far_kind in asked.kinds:
                    groups.setdefault((step.relation, step.way), []).append(step)
            for _, group in sorted(groups.items()):
                group.sort(key=lambda step: (-step.confidence, step.far))
                found.setdefault(here, []).extend(group[: asked.most])
                is_capped |= len(group) > asked.most
        return found, is_capped

    def every(
        self, heres: Sequence[Key], way: Way, relations: frozenset[str], least: float
    ) -> Iterator[tuple[Key, Step]]:
        """All steps one way from these nodes, of at least this confidence; none is left out."""
        for here in heres:
            for step in self._wanted(here, way):
                if step.confidence >= least and (not relations or step.relation in relations):
                    yield here, step

    def fan(self, here: Key, direction: Direction, most: int) -> Mapping[Key, float]:
        """Nodes one step away with the confidence of the surest edge to each."""
        found: dict[Key, float] = {}
        for step in self._wanted(here, direction):
            if step.far in found or len(found) < most:
                found[step.far] = max(step.confidence, found.get(step.far, 0.0))
        return found

    def between(self, pairs: Sequence[Pair], direction: Direction) -> Mapping[Pair, Sequence[Step]]:
        """Every step from the first to the second node of each pair that has one."""
        found: dict[Pair, list[Step]] = {}
        for here, there in pairs:
            steps = [step for step in self._wanted(here, direction) if step.far == there]
            if steps:
                found[here, there] = steps
        return found

    def degrees(self, heres: Sequence[Key]) -> Mapping[Key, int]:
        """How many edges touch each node, counted no further than ``MOST_DEGREE`` each way."""
        outward = Counter(edge.source for edge in self.edges())
        inward = Counter(edge.target for edge in self.edges())
        return {
            here: min(outward[here], MOST_DEGREE) + min(inward[here], MOST_DEGREE) for here in heres
        }
