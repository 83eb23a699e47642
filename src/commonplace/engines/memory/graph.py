"""The graph port over dicts."""

import string
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from pydantic_core import to_json

from commonplace.cypher.reading import Answer, Inquiry
from commonplace.domain.course import Course, Finding, Findings, Followed, Naming
from commonplace.domain.course import Step as FollowedStep
from commonplace.domain.graph import Edge, Neighbour, Node
from commonplace.domain.scope import Selection
from commonplace.domain.walk import (
    MOST_COMPLETED,
    MOST_COUNTED,
    Described,
    Expansion,
    Reach,
    Reached,
    Trail,
    Trails,
    Way,
)
from commonplace.engines.base import Stated
from commonplace.engines.check import check_graph
from commonplace.engines.expand import expand
from commonplace.engines.follow import follow
from commonplace.engines.memory.cypher import run_query
from commonplace.engines.memory.held import Held, Project, edge_key
from commonplace.engines.memory.terrain import MemoryTerrain
from commonplace.engines.naming import is_symbol, telling
from commonplace.engines.naming import score as rate
from commonplace.engines.paths import find_paths
from commonplace.engines.terrain import Starts, Step, Survey
from commonplace.engines.walk import walk

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class MemoryGraph:
    """Nodes and edges; see the port for the promises."""

    def __init__(self, held: Held) -> None:
        self._held = held

    async def merge(self, nodes: Sequence[Node], edges: Sequence[Edge]) -> None:
        """Add or replace nodes by id and edges by (source, relation, target, document)."""
        check_graph(nodes, edges)
        async with self._held.transaction():
            for node in nodes:
                self._held.projects.setdefault(node.project, Project()).nodes[node.id] = node
            for edge in edges:
                self._held.projects.setdefault(edge.project, Project()).edges[edge_key(edge)] = edge
            for name in {node.project for node in nodes} | {edge.project for edge in edges}:
                self._held.projects[name].generation += 1

    async def relate(
        self, project: str, relations: Collection[str], stated: Sequence[Stated]
    ) -> None:
        """Replace the edges of these relations that each of these documents states."""
        for one in stated:
            check_graph(one.nodes or (), one.edges)
        async with self._held.transaction():
            held = self._held.projects.setdefault(project, Project())
            for one in stated:
                held.relate(relations, one)
            held.generation += 1

    async def remove(self, project: str, node_ids: Sequence[str]) -> None:
        """Remove nodes and the edges that touch them."""
        async with self._held.transaction():
            held = self._held.project(project)
            gone = set(node_ids)
            held.nodes = {key: node for key, node in held.nodes.items() if key not in gone}
            held.edges = {
                key: edge
                for key, edge in held.edges.items()
                if not {edge.source, edge.target} & gone
            }
            held.generation += 1

    async def nodes(self, project: str, node_ids: Sequence[str]) -> list[Node]:
        """These nodes in the order asked; unknown ones are left out."""
        held = self._held.project(project).nodes
        return [held[key] for key in dict.fromkeys(node_ids) if key in held]

    async def complete(self, project: str, beginnings: Sequence[str]) -> dict[str, list[str]]:
        """Ids of nodes that begin so, sorted; a beginning no node has is left out."""
        known = sorted(self._held.project(project).nodes)
        found = {one: [key for key in known if key.startswith(one)] for one in beginnings}
        return {one: ids[:MOST_COMPLETED] for one, ids in found.items() if ids}

    async def neighbours(
        self, project: str, node_ids: Sequence[str], relations: Sequence[str], hops: int
    ) -> list[Neighbour]:
        """What can be reached within ``hops`` along either direction; no relation means any."""
        held = self._held.project(project)

        def touching(frontier: Sequence[str]) -> Iterable[tuple[str, Edge, Node]]:
            for edge in held.edges.values():
                if relations and edge.relation not in relations:
                    continue
                for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
                    if near in frontier and far in held.nodes:
                        yield near, edge, held.nodes[far]

        return walk(touching, [key for key in dict.fromkeys(node_ids) if key in held.nodes], hops)

    async def matching(
        self, project: str, kind: str, words: Sequence[str], limit: int
    ) -> list[Node]:
        """Nodes of a kind that hold any of these words, those with most first."""
        found: list[tuple[int, str, Node]] = []
        for node in self._held.project(project).nodes.values():
            text = f"{node.name} {to_json(dict(node.properties)).decode()}"
            held = sum(word in text.translate(_LOWER) for word in words)
            if node.kind == kind and held:
                found.append((-held, node.id, node))
        return [node for _, _, node in sorted(found)[: max(0, limit)]]

    async def describe(self, selection: Selection, node_ids: Sequence[str]) -> list[Described]:
        """These nodes with their edges counted, in the order asked; unseen ones are left out."""
        held = self._held.project(selection.project)
        terrain = MemoryTerrain(held, selection, Reach())

        def counted(key: str, way: Way) -> dict[str, int]:
            counts = Counter(step.relation for step in terrain.touching(key, way))
            return {name: min(count, MOST_COUNTED) for name, count in sorted(counts.items())}

        return [
            Described(
                node=held.nodes[key], edges_out=counted(key, "out"), edges_in=counted(key, "in")
            )
            for key, _ in _starts(terrain, node_ids)
        ]

    async def expand(
        self, selection: Selection, node_ids: Sequence[str], reach: Reach
    ) -> Expansion:
        """What can be reached from these nodes, best first."""
        held = self._held.project(selection.project)
        terrain = MemoryTerrain(held, selection, reach)
        survey = Survey(terrain, reach)
        starts = _starts(terrain, node_ids)
        reached = tuple(
            Reached(
                node=held.nodes[one.step.far],
                edge=_edge(held, one.near, one.step),
                way=one.step.way,
                hops=one.hops,
                origins=one.origins,
                score=one.score,
            )
            for one in expand(survey, starts)
        )
        begun = tuple(held.nodes[key] for key, _ in starts)
        return Expansion(starts=begun, reached=reached, is_capped=survey.is_capped)

    async def find(self, selection: Selection, naming: Naming, limit: int) -> Findings:
        """Symbols by name, best first."""
        held = self._held.project(selection.project)
        terrain = MemoryTerrain(held, selection, Reach())
        found = [
            Finding(node, score)
            for node in held.nodes.values()
            if is_symbol(node) and terrain.sees(node.id) and (score := rate(naming, node))
        ]
        least = telling(one.score for one in found)
        found = [one for one in found if one.score > least]
        found.sort(key=lambda one: (-one.score, one.node.id))
        return Findings(tuple(found[: max(0, limit)]), len(found))

    async def follow(
        self, selection: Selection, node_ids: Sequence[str], course: Course
    ) -> Followed:
        """Every node reached along a course, nearest first."""
        held = self._held.project(selection.project)
        terrain = MemoryTerrain(held, selection, Reach(relations=course.all_relations))
        starts = _starts(terrain, node_ids)
        taken, is_capped = follow(terrain, starts, course)
        degrees = terrain.degrees([one.step.far for one in taken])
        steps = tuple(
            FollowedStep(
                node=held.nodes[one.step.far],
                edge=_edge(held, one.near, one.step),
                depth=one.depth,
                way=one.step.way,
                degree=degrees[one.step.far],
            )
            for one in taken
        )
        return Followed(tuple(held.nodes[key] for key, _ in starts), steps, is_capped)

    async def paths(
        self, selection: Selection, starts: Sequence[str], goals: Sequence[str], reach: Reach
    ) -> Trails:
        """Paths from one of the starts to one of the goals, best first."""
        held = self._held.project(selection.project)
        terrain = MemoryTerrain(held, selection, reach)
        survey = Survey(terrain, reach)
        begins, ends = _starts(terrain, starts), _starts(terrain, goals)
        found = find_paths(survey, begins, ends)
        trails = tuple(
            Trail(
                nodes=tuple(held.nodes[key] for key in path.keys),
                edges=tuple(
                    _edge(held, near, step)
                    for near, step in zip(path.keys, path.steps, strict=False)
                ),
                ways=tuple(step.way for step in path.steps),
                score=path.score,
            )
            for path in found
        )
        return Trails(
            starts=tuple(held.nodes[key] for key, _ in begins),
            goals=tuple(held.nodes[key] for key, _ in ends),
            trails=trails,
            is_capped=survey.is_capped,
        )

    async def query(self, selection: Selection, inquiry: Inquiry) -> Answer:
        """The rows of a read-only Cypher query."""
        return await run_query(self._held.project(selection.project), selection, inquiry)


def _starts(terrain: MemoryTerrain, node_ids: Sequence[str]) -> Starts:
    return [(key, key) for key in dict.fromkeys(node_ids) if terrain.sees(key)]


def _edge(held: Project, near: str, step: Step) -> Edge:
    source, target = (near, step.far) if step.way == "out" else (step.far, near)
    return held.edges[source, step.relation, target, step.document]
