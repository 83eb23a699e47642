"""Objects, arrays and collections made in C#, with what their initialisers set."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr, attr, item, mapping, seq, star, typed
from commonplace.languages.typed.csharp_calls import arguments_of
from commonplace.languages.typed.csharp_types import type_of
from commonplace.languages.typed.walk import UNKNOWN, Evaluate, Walk

if TYPE_CHECKING:
    from tree_sitter import Node


def _creation(walk: Walk, node: "Node") -> Expr:
    type_ = node.child_by_field_name("type")
    if type_ is None:
        walk.children(node)
        return UNKNOWN
    if type_.type == "array_type":
        return _array(walk, node)
    uses = len(walk.uses)
    found = type_of(walk, type_)
    del walk.uses[uses : uses + 1]  # the call says it
    return created(walk, node, found, type_)


def created(walk: Walk, node: "Node", type_: Expr, where: "Node") -> Expr:
    """An object made, with what its initialiser sets as keywords."""
    given = filled = None
    for child in node.named_children:
        if child.type == "argument_list":
            given = child
        elif child.type == "initializer_expression":
            filled = child
    arguments, keywords = arguments_of(walk, given)
    number = len(walk.calls)
    walk.calls.append(Call(walk.scope, type_, arguments, keywords, walk.places.at(where), True))
    if filled is not None:
        keywords += initialize(walk, filled, ("call", number))
        walk.calls[number] = walk.calls[number]._replace(keywords=keywords)
    return ("call", number)


def initialize(walk: Walk, node: "Node", target: Expr) -> tuple[tuple[str, Expr], ...]:
    """What is set in an object, or added to a collection, where it is made."""
    keywords: list[tuple[str, Expr]] = []
    for child in node.named_children:
        left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
        if child.type == "assignment_expression" and left is not None and right is not None:
            if left.type != "identifier":
                walk.visit(left)
                walk.flow(item(target), walk.expr(right))
                continue
            member = attr(target, walk.word(left))
            walk.written(member, left)
            if right.type == "initializer_expression":
                initialize(walk, right, member)
                continue
            found = valued(walk, right, None)
            walk.flow(member, found)
            keywords.append((walk.word(left), found))
        elif not child.is_extra:
            added = [walk.expr(one) for one in _entries(child)]
            walk.implied(attr(target, "Add"), child, *added)
    return tuple(keywords)


def _entries(node: "Node") -> "list[Node]":
    return node.named_children if node.type == "initializer_expression" else [node]


def valued(walk: Walk, node: "Node", type_: Expr | None) -> Expr:
    """A value where a type is expected: ``new()`` makes one of that type."""
    if node.type == "implicit_object_creation_expression":
        return created(walk, node, type_ or UNKNOWN, node.child(0) or node)
    if node.type == "initializer_expression" and type_ is not None:
        return seq("list", *(walk.expr(one) for one in node.named_children))
    return walk.expr(node)


def _untyped_creation(walk: Walk, node: "Node") -> Expr:
    return created(walk, node, UNKNOWN, node.child(0) or node)


def _array(walk: Walk, node: "Node") -> Expr:
    """``new Order[] { a, b }``, ``new[] { a }``, ``new Order[3]``."""
    type_ = node.child_by_field_name("type")
    declared = type_of(walk, type_) if type_ is not None else None
    for child in node.named_children:
        if child.type == "initializer_expression":
            return seq("list", *(walk.expr(one) for one in child.named_children))
    return typed(declared) if declared is not None else UNKNOWN


def _members(walk: Walk, node: "Node") -> Expr:
    return seq("list", *(walk.expr(child) for child in node.named_children if not child.is_extra))


def _collection(walk: Walk, node: "Node") -> Expr:
    members: list[Expr] = []
    for child in node.named_children:
        for part in child.named_children if child.type == "collection_element" else [child]:
            found = [walk.expr(inner) for inner in part.named_children]
            members.extend(star(one) for one in found) if "spread" in part.type else members.extend(
                found
            )
    return seq("list", *members)


def _anonymous_object(walk: Walk, node: "Node") -> Expr:
    """``new { X = 1, order.Total }``: names are those written or of the members taken."""
    pairs: list[tuple[str | int | None, Expr]] = []
    label: str | None = None
    children = node.children
    for place, child in enumerate(children):
        if place + 1 < len(children) and children[place + 1].type == "=":
            label = walk.word(child)
        elif child.is_named and not child.is_extra:
            found = walk.expr(child)
            key = label or (str(found[-1]) if found[0] in ("name", "attr") else None)
            pairs.append((key, found))
            label = None
    return mapping(*pairs)


CREATIONS: dict[str, Evaluate] = {
    "object_creation_expression": _creation,
    "implicit_object_creation_expression": _untyped_creation,
    "array_creation_expression": _array,
    "implicit_array_creation_expression": _array,
    "stackalloc_expression": _array,
    "initializer_expression": _members,
    "collection_expression": _collection,
    "anonymous_object_creation_expression": _anonymous_object,
}
