"""One step of a match: which edge, from where to where, and what must hold."""

from collections.abc import Callable, Iterable, Iterator, Set

from commonplace.cypher import syntax as s
from commonplace.cypher.evaluate import Eval, Evaluator, Row
from commonplace.cypher.nearby import Nearby
from commonplace.cypher.operators import type_fault
from commonplace.cypher.plan import HIDDEN, Named
from commonplace.cypher.values import Link, Path, Value, Vertex, equals

Op = Callable[[Iterable[Row]], Iterator[Row]]
USED = f"{HIDDEN}used"


class Ground:
    """What all matches of a query share: expressions, edges fetched, labels counted."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.guard = evaluator.context.guard
        self.reading = evaluator.context.reading
        self.nearby = Nearby(self.reading, self.guard)
        self._counts: dict[tuple[str, ...], int] | None = None

    def count(self, label: str | None) -> int:
        """How many nodes carry a label; the engine is asked once."""
        if self._counts is None:
            self._counts = self.reading.count_nodes()
        return sum(n for labels, n in self._counts.items() if label is None or label in labels)


def shortest_row(row: Row, path: Named, found: Path, is_forward: bool) -> Row:
    """The row with what a shortest path binds."""
    nodes, links = list(found.nodes), list(found.links)
    target = path.nodes[1 if is_forward else 0]
    end = nodes[-1]
    if not is_forward:
        nodes, links = nodes[::-1], links[::-1]
    made = {**row, target: end}
    made[path.edges[0]] = links if path.pattern.edges[0].is_long else links[0]
    if path.pattern.variable:
        made[path.pattern.variable] = Path(nodes, links)
    return made


class Step:
    """One edge of the plan: its name, where it starts and where it leads."""

    __slots__ = ("direction", "edge", "is_forward", "source", "target")

    def __init__(
        self, edge: str, source: str, target: str, direction: s.Direction, is_forward: bool
    ) -> None:
        self.edge, self.source, self.target = edge, source, target
        self.direction, self.is_forward = direction, is_forward


class Checks:
    """What a step must satisfy."""

    __slots__ = ("edge_bound", "fits", "is_unique", "own", "target_bound")

    def __init__(
        self,
        fits: Callable[[Vertex, Row], bool],
        own: Eval | None,
        edge_bound: bool,
        target_bound: bool,
        is_unique: bool,
    ) -> None:
        self.fits, self.own = fits, own
        self.edge_bound, self.target_bound, self.is_unique = edge_bound, target_bound, is_unique

    def allows(self, row: Row, step: Step, link: Link, vertex: Vertex) -> bool:
        """Whether this edge to this node may follow."""
        if self.is_unique and link.key in row[USED]:
            return False
        if self.edge_bound and not is_same(row[step.edge], link):
            return False
        if self.target_bound and not is_same(row[step.target], vertex):
            return False
        return self.fits(vertex, row)


def is_same(bound: Value, found: Vertex | Link) -> bool:
    """Whether a name bound before stands for this node or edge."""
    if bound is not None and not isinstance(bound, Vertex | Link):
        raise type_fault("a pattern", bound)
    return bound is not None and bound.key == found.key


def bound_node(value: Value) -> tuple[Vertex, ...]:
    """The node a name stands for; none when it is null."""
    if value is None:
        return ()
    if not isinstance(value, Vertex):
        raise type_fault("a node pattern", value)
    return (value,)


def has(owner: Vertex | Link, wanted: Value) -> bool:
    """Whether it has these properties with these values; null is never a match."""
    if not isinstance(wanted, dict):
        raise type_fault("a pattern's properties", wanted)
    own = owner.properties
    return all(equals(own.get(key), value) is True for key, value in wanted.items())


def filtered(holds: Callable[[Row], bool]) -> Op:
    """Only the rows of which this holds."""
    return lambda rows: (row for row in rows if holds(row))


def bind_path(path: Named) -> Op:
    """Rows with the path under its name."""
    name, pattern = path.pattern.variable or "", path.pattern

    def bound(row: Row) -> Path:
        nodes, links = [row[path.nodes[0]]], []
        for place, edge in enumerate(path.edges):
            if pattern.edges[place].is_long:
                links += row[edge]
                nodes += row[f"{edge} between"][1:]
            else:
                links.append(row[edge])
                nodes.append(row[path.nodes[place + 1]])
        return Path(nodes, links)

    return lambda rows: ({**row, name: bound(row)} for row in rows)


def wanted_links(own: Value, used: Set[object]) -> Callable[[Link], bool]:
    """Whether a path may take an edge: not used before, and with these properties."""
    return lambda link: link.key not in used and (not own or has(link, own))
