"""Types of Java as expressions."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Parameter
from commonplace.domain.expr import Expr, attr, generic, name
from commonplace.languages.typed.walk import MOST_DEPTH, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

ARRAY: Expr = name("Array")
BUILT_IN = frozenset(
    (
        *("Object", "String", "CharSequence", "Number", "Void", "Character", "Boolean", "Byte"),
        *("Short", "Integer", "Long", "Float", "Double"),
    )
)
NOT_TYPES = frozenset(("marker_annotation", "annotation", "line_comment", "block_comment"))


def type_of(walk: Walk, node: "Node") -> Expr:
    """The type written at a node; its names are noted as uses."""
    kind = node.type
    if kind == "type_identifier" or kind == "identifier":
        found = name(walk.word(node))
        if found[1] not in BUILT_IN:
            walk.use_type(found, node)
        return found
    if kind == "generic_type":
        return _generic(walk, node)
    if kind == "array_type":
        return _array(walk, node)
    if kind == "scoped_type_identifier" or kind == "scoped_identifier":
        found = dotted(walk, node)
        walk.use_type(found, node)
        return found
    if kind in ("wildcard", "annotated_type", "catch_type"):
        inner = [child for child in node.named_children if child.type not in NOT_TYPES]
        return type_of(walk, inner[-1]) if inner else name("Object")
    return name(walk.word(node))


def _array(walk: Walk, node: "Node") -> Expr:
    element = node.child_by_field_name("element")
    dimensions = node.child_by_field_name("dimensions")
    found = type_of(walk, element) if element is not None else name("")
    for _ in range(min(walk.text(dimensions).count("["), 8) if dimensions is not None else 1):
        found = generic(ARRAY, found)
    return found


def _generic(walk: Walk, node: "Node") -> Expr:
    parts = [child for child in node.named_children if child.type not in NOT_TYPES]
    if not parts:
        return name("")
    base = type_of(walk, parts[0])
    arguments = parts[-1].named_children if parts[-1].type == "type_arguments" else []
    if walk.depth > MOST_DEPTH or not arguments:
        return base
    walk.depth += 1
    found = [type_of(walk, child) for child in arguments if child.type not in NOT_TYPES]
    walk.depth -= 1
    return generic(base, *found)


def dotted(walk: Walk, node: "Node") -> Expr:
    """``a.b.C`` as attributes, whatever nodes it is made of."""
    written = walk.text(node).split("<")[0]
    first, *rest = "".join(written.split()).split(".")
    found = name(first)
    for one in rest:
        found = attr(found, one)
    return found


def type_list(walk: Walk, node: "Node | None") -> tuple[Expr, ...]:
    """Types in a list, as behind ``implements``."""
    if node is None:
        return ()
    if node.type != "type_list":
        lists = [child for child in node.named_children if child.type == "type_list"]
        node = lists[0] if lists else node
    return tuple(
        type_of(walk, child) for child in node.named_children if child.type not in NOT_TYPES
    )


def type_parameters(walk: Walk, node: "Node | None") -> tuple[Parameter, ...]:
    """``<T extends Order>``: names with their first bound."""
    if node is None:
        return ()
    found = []
    for one in node.named_children:
        if one.type != "type_parameter":
            continue
        label, bound = "", None
        for child in one.named_children:
            if child.type == "type_bound":
                bounds = type_list(walk, child)
                bound = bounds[0] if bounds else None
            elif child.type not in NOT_TYPES:
                label = walk.word(child)
                walk.variables.add(label)
        found.append(Parameter(label, type=bound))
    return tuple(found)
