"""Destructuring: which name gets which part of a value."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from commonplace.domain.expr import Expr, attr, item, one, tail
from commonplace.languages.ecma import strings

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.walk import Walk

Part: TypeAlias = "tuple[Node, Expr]"
SMALL = frozenset(("name", "call", "made", "value", "self"))
GETTING = frozenset(("name", "call", "attr", "self"))
"""Values that may be objects with getters."""
MOST_REPEATED = 200  # characters of a value written out once for each of its parts


def bindings(walk: "Walk", pattern: "Node", found: Expr) -> "Iterator[Part]":
    """Every target of a pattern with the part it gets; defaults are options."""
    stack = [(pattern, found)]
    while stack:
        node, part = stack.pop()
        apart = APART.get(node.type)
        if apart is not None:
            stack += reversed(apart(walk, node, part))
        elif node.type == "shorthand_property_identifier_pattern":
            yield node, _read(walk, part, walk.word(node), node)
        elif node.type == "object_assignment_pattern":
            target, default = node.child_by_field_name("left"), node.child_by_field_name("right")
            if target is not None and default is not None:
                taken = _read(walk, part, walk.word(target), target)
                yield target, one(taken, walk.expr(default))
        elif not node.is_extra:
            yield node, part


def _read(walk: "Walk", part: Expr, label: str, node: "Node") -> Expr:
    """A member that is taken out, which may be a getter; not so one of a module."""
    found = attr(part, label)
    if part[0] in GETTING and part != ("name", ""):
        walk.imply_use(found, node)
    return found


def compact(walk: "Walk", found: Expr) -> Expr:
    """A value small enough to be written once for each of its parts."""
    if found[0] in SMALL:
        return found
    if found[0] in ("attr", "item", "wait", "each", "tail") and len(str(found)) < MOST_REPEATED:
        return found
    return walk.fresh("value", found)


def _members(walk: "Walk", node: "Node", part: Expr) -> "list[Part]":
    part = compact(walk, part)
    return [(child, part) for child in node.named_children]


def _elements(walk: "Walk", node: "Node", part: Expr) -> "list[Part]":
    part, number, found = compact(walk, part), 0, []
    for child in node.children:
        if child.type == ",":
            number += 1
        elif child.is_named:
            is_rest = child.type == "rest_pattern"
            found.append((child, tail(part, number) if is_rest else item(part, number)))
    return found


def _pair(walk: "Walk", node: "Node", part: Expr) -> "list[Part]":
    label, target = node.child_by_field_name("key"), node.child_by_field_name("value")
    if label is None or target is None:
        return []
    if label.type == "computed_property_name":
        walk.each(label.children)
        return [(target, item(part))]
    key = strings.literal(walk, label) if label.type == "string" else walk.word(label)
    return [(target, _read(walk, part, key, label))]


def _default(walk: "Walk", node: "Node", part: Expr) -> "list[Part]":
    target, default = node.child_by_field_name("left"), node.child_by_field_name("right")
    if target is None or default is None:
        return []
    return [(target, one(part, walk.expr(default)))]


def _rest(_walk: "Walk", node: "Node", part: Expr) -> "list[Part]":
    return [(child, part) for child in node.named_children]


APART: Mapping[str, "Callable[[Walk, Node, Expr], list[Part]]"] = {
    "object_pattern": _members,
    "array_pattern": _elements,
    "pair_pattern": _pair,
    "assignment_pattern": _default,
    "rest_pattern": _rest,
}
