"""Types of C# as expressions."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Parameter
from commonplace.domain.expr import Expr, attr, generic, name
from commonplace.languages.typed.walk import MOST_DEPTH, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

ARRAY: Expr = name("Array")
INNER = frozenset(("nullable_type", "ref_type", "pointer_type", "scoped_type"))


def type_of(walk: Walk, node: "Node") -> Expr:
    """The type written at a node; its names are noted as uses."""
    kind = node.type
    if kind == "identifier":
        found = name(walk.word(node))
        walk.use_type(found, node)
        return found
    if kind == "predefined_type":
        return name(walk.word(node))
    if walk.depth > MOST_DEPTH:
        return name("")
    walk.depth += 1
    found = _compound(walk, node)
    walk.depth -= 1
    return found


def _compound(walk: Walk, node: "Node") -> Expr:
    kind = node.type
    if kind == "generic_name":
        return generic_name(walk, node)
    if kind == "qualified_name":
        return _qualified(walk, node)
    if kind == "alias_qualified_name":
        inner = node.child_by_field_name("name")
        return type_of(walk, inner) if inner is not None else name("")
    if kind == "tuple_type":
        members = (child.child_by_field_name("type") for child in node.named_children)
        return generic(name("ValueTuple"), *(type_of(walk, one) for one in members if one))
    if kind == "array_type":
        element = node.child_by_field_name("type")
        return generic(ARRAY, type_of(walk, element)) if element is not None else ARRAY
    if kind in INNER:
        inner = node.child_by_field_name("type")
        return type_of(walk, inner) if inner is not None else name("")
    return name(walk.word(node))


def generic_name(walk: Walk, node: "Node") -> Expr:
    """``List<Order>``; ``List<>`` is its base alone."""
    base, arguments = name(""), []
    for child in node.named_children:
        if child.type == "type_argument_list":
            arguments = [type_of(walk, one) for one in child.named_children]
        elif child.type == "identifier":
            base = type_of(walk, child)
    return generic(base, *arguments) if arguments else base


def _qualified(walk: Walk, node: "Node") -> Expr:
    """``Acme.Shop.Order``: dots are followed in a loop, only the whole is a use."""
    parts: list[Node] = []
    while node.type == "qualified_name":
        last, first = node.child_by_field_name("name"), node.child_by_field_name("qualifier")
        if last is None or first is None:
            break
        parts.append(last)
        node = first
    found = name(walk.word(node)) if node.type == "identifier" else type_of(walk, node)
    for part in reversed(parts):
        found = with_member(walk, found, part)
    if parts:
        walk.use_type(found[1] if found[0] == "generic" else found, parts[0])
    return found


def with_member(walk: Walk, base: Expr, node: "Node") -> Expr:
    """A member of something, with type arguments if any are written."""
    if node.type != "generic_name":
        return attr(base, walk.word(node))
    member, arguments = base, []
    for child in node.named_children:
        if child.type == "type_argument_list":
            arguments = [type_of(walk, one) for one in child.named_children]
        elif child.type == "identifier":
            member = attr(base, walk.word(child))
    return generic(member, *arguments) if arguments else member


def declared_type(walk: Walk, node: "Node | None") -> Expr | None:
    """The type of a local; None for ``var``."""
    if node is None or node.type == "implicit_type":
        return None
    return type_of(walk, node)


def type_parameters(walk: Walk, parts: "list[Node]") -> tuple[Parameter, ...]:
    """``<T> where T : Order`` among the parts of a definition: names, each with its first bound."""
    names: list[str] = []
    bounds: dict[str, Expr] = {}
    for child in parts:
        if child.type == "type_parameter_list":
            labels = (one.child_by_field_name("name") for one in child.named_children)
            names = [walk.word(label) for label in labels if label is not None]
            walk.variables.update(names)
        elif child.type == "type_parameter_constraints_clause":
            _bound(walk, child, bounds)
    return tuple(Parameter(label, type=bounds.get(label)) for label in names)


def _bound(walk: Walk, node: "Node", bounds: dict[str, Expr]) -> None:
    label = ""
    for child in node.named_children:
        if child.type == "identifier":
            label = walk.word(child)
        elif child.type == "type_parameter_constraint":
            type_ = child.child_by_field_name("type")
            if type_ is not None:
                bounds.setdefault(label, type_of(walk, type_))
