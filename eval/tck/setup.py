"""The graph a scenario starts from: an interpreter of its CREATE statements, for the TCK only.

It extends the reading language with CREATE and DELETE over a board of its own; the product has
neither. What is on the board is then loaded through the graph port.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.cypher import syntax as s
from commonplace.cypher.check import Checker
from commonplace.cypher.evaluate import Row
from commonplace.cypher.functions import Context
from commonplace.cypher.guard import Guard, Limits
from commonplace.cypher.parse import Parser
from commonplace.cypher.reading import Wanted
from commonplace.cypher.run import Runner
from commonplace.cypher.steps import Op
from commonplace.cypher.temporal import Duration, Temporal
from commonplace.cypher.values import Link, Vertex
from commonplace.domain.graph import Edge, Node


@dataclass(frozen=True, slots=True)
class Create(s.Clause):
    """CREATE patterns."""

    patterns: tuple[s.PathPattern, ...]


@dataclass(frozen=True, slots=True)
class Delete(s.Clause):
    """DELETE values."""

    values: tuple[s.Expr, ...]


class SetupParser(Parser):
    """The reading grammar with CREATE and DELETE."""

    starts = (*Parser.starts, "CREATE", "DELETE", "DETACH")

    def clause(self) -> s.Clause:
        """One clause."""
        at = self.token.at
        if self.words("CREATE"):
            return Create(self.patterns(), at=at)
        if self.words("DELETE") or self.words("DETACH", "DELETE"):
            values = [self.expression()]
            while self.symbol(","):
                values.append(self.expression())
            return Delete(tuple(values), at=at)
        return super().clause()

    def check_end(self, last: s.Clause, is_inner: bool) -> None:
        """A setup may end with CREATE or DELETE."""
        if not isinstance(last, Create | Delete):
            super().check_end(last, is_inner)


class SetupChecker(Checker):
    """The checks with CREATE and DELETE."""

    def clause(self, clause: s.Clause, known: dict[str, str]) -> tuple[s.Clause, dict[str, str]]:
        """The clause, and the names after it."""
        if isinstance(clause, Create):
            return clause, self.declare(clause.patterns, known)
        if isinstance(clause, Delete):
            return clause, known
        return super().clause(clause, known)


class Board:
    """A small graph that can be written to."""

    def __init__(self) -> None:
        self.vertices: dict[str, Vertex] = {}
        self.links: dict[tuple[str, str, str, str], Link] = {}

    def nodes(self, node_ids: Sequence[str]) -> Iterable[Vertex]:
        """These nodes."""
        return [self.vertices[one] for one in node_ids]

    def scan(self, wanted: Wanted) -> Iterator[Vertex]:
        """All nodes that fit."""
        for one in list(self.vertices.values()):
            if wanted.label is None or wanted.label in one.labels:
                yield one

    def edges(
        self, node_ids: Sequence[str], *, is_out: bool, types: Sequence[str]
    ) -> Iterable[tuple[str, Link, Vertex]]:
        """Edges of these nodes."""
        for link in list(self.links.values()):
            near, far = (link.source, link.target)[:: 1 if is_out else -1]
            if near in node_ids and (not types or link.type in types):
                yield near, link, self.vertices[far]

    def count_nodes(self) -> dict[tuple[str, ...], int]:
        """How many there are with each set of labels."""
        return dict(Counter(one.labels for one in self.vertices.values()))

    def count_edges(self, types: Sequence[str]) -> dict[str, int]:
        """Not asked for by a setup."""
        return dict.fromkeys(types, 1)

    def add_node(self, labels: tuple[str, ...], own: dict[str, Any]) -> Vertex:
        """A new node."""
        made = Vertex(f"n{len(self.vertices)}", labels, extra=own)
        self.vertices[made.id] = made
        return made

    def add_link(self, ends: tuple[str, str, str], own: dict[str, Any]) -> Link:
        """A new edge."""
        made = Link((*ends, f"e{len(self.links)}"), extra=own)
        self.links[made.key] = made
        return made


class SetupRunner(Runner):
    """Runs CREATE and DELETE on a board; each takes in all rows before it goes on."""

    def __init__(self, board: Board) -> None:
        guard = Guard(Limits())
        super().__init__(Context(reading=board, guard=guard, parameters={}))
        self._board = board

    def clause(self, clause: s.Clause) -> Op:
        """One clause as an operation."""
        if isinstance(clause, Create):
            return self._create(clause.patterns)
        if isinstance(clause, Delete):
            return self._delete(clause.values)
        return super().clause(clause)

    def _create(self, patterns: tuple[s.PathPattern, ...]) -> Op:
        def op(rows: Iterable[Row]) -> Iterator[Row]:
            made = []
            for row in list(rows):
                found = dict(row)
                for path in patterns:
                    self._make(path, found)
                made.append(found)
            return iter(made)

        return op

    def _make(self, path: s.PathPattern, row: dict[str, Any]) -> None:
        nodes = [self._node(node, row) for node in path.nodes]
        for place, edge in enumerate(path.edges):
            ends = [nodes[place].id, nodes[place + 1].id]
            source, target = ends[::-1] if edge.direction == "in" else ends
            own = self._own(edge.properties, row)
            made = self._board.add_link((source, edge.types[0], target), own)
            if edge.variable:
                row[edge.variable] = made

    def _node(self, node: s.NodePattern, row: dict[str, Any]) -> Vertex:
        if node.variable in row:
            return row[node.variable]  # type: ignore[no-any-return]
        made = self._board.add_node(node.labels, self._own(node.properties, row))
        if node.variable:
            row[node.variable] = made
        return made

    def _own(self, expr: s.Expr | None, row: Row) -> dict[str, Any]:
        found = {} if expr is None else self.evaluator.compile(expr)(row)
        return {key: one for key, one in found.items() if one is not None}

    def _delete(self, values: tuple[s.Expr, ...]) -> Op:
        def op(rows: Iterable[Row]) -> Iterator[Row]:
            kept = list(rows)
            for row in kept:
                for value in values:
                    gone = self.evaluator.compile(value)(row)
                    if isinstance(gone, Link):
                        self._board.links.pop(gone.key, None)
            return iter(kept)

        return op


def build(statements: Iterable[str]) -> Board:
    """The board after these statements."""
    board = Board()
    for text in statements:
        query = SetupChecker(text).query(SetupParser(text).whole(), {})
        for _ in SetupRunner(board).compile(query)({}):
            pass
    return board


def stored(board: Board, project: str) -> tuple[list[Node], list[Edge]]:
    """What is on the board as nodes and edges of a project."""
    nodes = []
    for vertex in board.vertices.values():
        own = _plain(vertex, "kind")
        name = own.pop("name") if own.get("name") and isinstance(own["name"], str) else ""
        kind = ":".join(vertex.labels)
        nodes.append(Node(id=vertex.id, project=project, kind=kind, name=name, properties=own))
    edges = [
        Edge(
            source=link.source,
            target=link.target,
            relation=link.type,
            project=project,
            document_id=link.key[3],  # keeps parallel edges apart
            properties=_plain(link, "type"),
        )
        for link in board.links.values()
    ]
    return nodes, edges


def _plain(entity: Vertex | Link, default: str) -> dict[str, Any]:
    facts = entity.facts.keys() - {"name"} | {default}
    return {key: _storable(one) for key, one in entity.properties.items() if key not in facts}


def _storable(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Temporal | Duration):
        return {f"@{type(value).__name__.lower()}": str(value)}
    return [_storable(one) for one in value] if isinstance(value, list) else value
