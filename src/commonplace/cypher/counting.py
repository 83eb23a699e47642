"""Counting without looking: how many of each label or type is a question the engine answers.

``MATCH (n) RETURN labels(n), count(*)`` is what everybody asks first, and walking a million edges
for it would take seconds.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from commonplace.cypher import syntax as s
from commonplace.cypher.evaluate import Row
from commonplace.cypher.plan import HIDDEN
from commonplace.cypher.reading import Reading
from commonplace.cypher.values import Link, Vertex

WEIGHT = f"{HIDDEN}weight"
"""How many rows a row stands for."""
Counted: TypeAlias = Callable[[], Iterator[Row]]


def counted(clauses: tuple[s.Clause, ...], reading: Reading) -> Counted | None:
    """Rows with weights instead of the first clause's, where only labels or types matter."""
    if len(clauses) < 2:
        return None
    match, projection = clauses[0], clauses[1]
    if not isinstance(match, s.Match) or not isinstance(projection, s.Projection):
        return None
    if match.is_optional or match.where is not None or len(match.patterns) != 1:
        return None
    path = match.patterns[0]
    if path.variable or not _is_plain(path) or not _only_counts(projection, path):
        return None
    if not path.edges:
        return lambda: _nodes(path.nodes[0], reading)
    return lambda: _edges(path.edges[0], reading)


def _is_plain(path: s.PathPattern) -> bool:
    """One node, or one directed edge between two different unnamed or unlabelled nodes."""
    parts = [one.properties for one in path.nodes] + [one.properties for one in path.edges]
    if any(part is not None for part in parts) or len(path.edges) > 1:
        return False
    if not path.edges:
        return len(path.nodes[0].labels) <= 1
    edge = path.edges[0]
    if edge.is_long or edge.direction == "both" or any(node.labels for node in path.nodes):
        return False
    names = [node.variable for node in path.nodes if node.variable]
    return len(set(names)) == len(names)


def _only_counts(projection: s.Projection, path: s.PathPattern) -> bool:
    """Whether every column is a count or says nothing but a label or a type."""
    if projection.where is not None or not any(s.has_aggregate(i.value) for i in projection.items):
        return False
    main = path.edges[0].variable if path.edges else path.nodes[0].variable
    values = [item.value for item in projection.items] + [expr for expr, _ in projection.order]
    names = {item.name for item in projection.items}
    return all(_is_countable(value, main, names) for value in values)


def _is_countable(expr: s.Expr, main: str | None, names: set[str]) -> bool:
    if isinstance(expr, s.Call):
        is_main = expr.arguments == (s.Variable(main or ""),)
        if expr.name == "count":
            return expr.is_star or (is_main and not expr.is_distinct)
        return is_main and expr.name in ("labels", "type")
    return isinstance(expr, s.Variable) and expr.name in names and expr.name != main


def _nodes(node: s.NodePattern, reading: Reading) -> Iterator[Row]:
    for labels, count in reading.count_nodes().items():
        if all(label in labels for label in node.labels):
            row = {WEIGHT: count}
            yield {**row, node.variable: Vertex("", labels)} if node.variable else row


def _edges(edge: s.EdgePattern, reading: Reading) -> Iterator[Row]:
    for kind, count in reading.count_edges(edge.types).items():
        row = {WEIGHT: count}
        yield {**row, edge.variable: Link(("", kind, "", ""))} if edge.variable else row
