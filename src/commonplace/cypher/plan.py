"""The order a pattern is matched in: start where least can be, check conditions when they can."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeVar

from commonplace.cypher import syntax as s

Part = TypeVar("Part", s.NodePattern, s.EdgePattern)
HIDDEN = " "
"""Names that start so are ours: no query can spell them."""


@dataclass(frozen=True, slots=True)
class Named:
    """A path in which every node and edge has a name."""

    pattern: s.PathPattern
    nodes: tuple[str, ...]
    edges: tuple[str, ...]


def name_all(patterns: Sequence[s.PathPattern]) -> list[Named]:
    """Names for all that have none; unique within the query by where they stand."""
    found = []
    for number, path in enumerate(patterns):
        nodes = [
            node.variable or f"{HIDDEN}n{number}.{place}.{node.at}"
            for place, node in enumerate(path.nodes)
        ]
        edges = [
            edge.variable or f"{HIDDEN}e{number}.{place}.{edge.at}"
            for place, edge in enumerate(path.edges)
        ]
        found.append(Named(path, tuple(nodes), tuple(edges)))
    return found


def settle(paths: list[Named]) -> tuple[list[Named], list[s.Expr]]:
    """The paths, and as conditions the property maps that name other parts of the pattern.

    Such a map can only be checked when what it names has been found.
    """
    own = {name for path in paths for name in (*path.nodes, *path.edges)}
    conditions: list[s.Expr] = []

    def settled(name: str, part: Part) -> Part:
        if not isinstance(part.properties, s.MapOf) or not names_in(part.properties) & own:
            return part
        for key, value in part.properties.members:
            owner = s.Property(s.Variable(name, at=part.at), key, at=part.at)
            conditions.append(s.Comparison(owner, (("=", value),), at=part.at))
        return replace(part, properties=None)

    found = []
    for path in paths:
        nodes = tuple(map(settled, path.nodes, path.pattern.nodes))
        edges = tuple(
            edge if edge.is_long else settled(name, edge)
            for name, edge in zip(path.edges, path.pattern.edges, strict=True)
        )
        found.append(replace(path, pattern=replace(path.pattern, nodes=nodes, edges=edges)))
    return found, conditions


def conjuncts(where: s.Expr | None) -> list[s.Expr]:
    """What must hold, each alone."""
    if where is None:
        return []
    if isinstance(where, s.Logic) and where.operator == "AND":
        return [one for operand in where.operands for one in conjuncts(operand)]
    return [where]


def names_in(tree: object) -> set[str]:
    """Every variable named anywhere in it, those it binds itself included."""
    found = {tree.name} if isinstance(tree, s.Variable) else set()
    variable = getattr(tree, "variable", None)
    if isinstance(variable, str):
        found.add(variable)
    for one in s.children(tree):
        found |= names_in(one)
    return found


@dataclass(frozen=True, slots=True)
class Pin:
    """A value a node's id or name must have, or one of several."""

    key: str
    value: s.Expr
    is_list: bool


def pins_of(
    name: str, node: s.NodePattern, conditions: Iterable[s.Expr], known: Set[str]
) -> list[Pin]:
    """What is known of a node's id and name before it is looked for."""
    found = []
    if isinstance(node.properties, s.MapOf):
        found += [Pin(k, v, False) for k, v in node.properties.members if k in ("id", "name")]
    for one in conditions:
        pin = _pin(name, one)
        if pin is not None:
            found.append(pin)
    return [pin for pin in found if names_in(pin.value) <= known]


def _pin(name: str, condition: s.Expr) -> Pin | None:
    if isinstance(condition, s.Comparison) and [op for op, _ in condition.rest] == ["="]:
        for left, right in (
            (condition.first, condition.rest[0][1]),
            (condition.rest[0][1], condition.first),
        ):
            key = _pinned_key(name, left)
            if key:
                return Pin(key, right, False)
    if isinstance(condition, s.Binary) and condition.operator == "IN":
        key = _pinned_key(name, condition.left)
        if key:
            return Pin(key, condition.right, True)
    return None


def _pinned_key(name: str, expr: s.Expr) -> str:
    if isinstance(expr, s.Property) and expr.target == s.Variable(name):
        return expr.key if expr.key in ("id", "name") else ""
    if isinstance(expr, s.Call) and expr.name in ("id", "elementid"):
        return "id" if expr.arguments == (s.Variable(name),) else ""
    return ""


def labels_of(name: str, node: s.NodePattern, conditions: Iterable[s.Expr]) -> tuple[str, ...]:
    """Labels the node must carry, by pattern or by condition."""
    found = list(node.labels)
    for one in conditions:
        if isinstance(one, s.HasLabels) and one.target == s.Variable(name):
            found += one.labels
    return tuple(dict.fromkeys(found))


def held_of(name: str, conditions: Iterable[s.Expr]) -> tuple[str, ...]:
    """Properties the node must have, of those its writer gave it."""
    return tuple(
        one.operand.key
        for one in conditions
        if isinstance(one, s.Unary)
        and one.operator == "IS NOT NULL"
        and isinstance(one.operand, s.Property)
        and one.operand.target == s.Variable(name)
        and one.operand.key.isidentifier()
        and one.operand.key not in ("id", "kind", "name", "document_id")
    )
