"""Expressions of Java."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow
from commonplace.domain.expr import (
    Expr,
    attr,
    generic,
    item,
    name,
    self_,
    seq,
    super_,
    text,
    typed,
)
from commonplace.languages.literals import keep_text
from commonplace.languages.typed.java_annotations import ANNOTATIONS
from commonplace.languages.typed.java_calls import CALLS
from commonplace.languages.typed.java_types import ARRAY, type_of
from commonplace.languages.typed.operators import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    NONE,
    added,
    arithmetic,
    binary,
    shown,
    ternary,
)
from commonplace.languages.typed.strings import joined, stripped_block, unescaped
from commonplace.languages.typed.walk import UNKNOWN, Evaluate, Walk

if TYPE_CHECKING:
    from tree_sitter import Node


def _string(walk: Walk, node: "Node") -> Expr:
    raw = walk.text(node)
    if raw.startswith('"""'):
        return text(keep_text(unescaped(stripped_block(raw[3:].removesuffix('"""')))))
    return text(keep_text(unescaped(raw[1:].removesuffix('"'))))


def _parenthesized(walk: Walk, node: "Node") -> Expr:
    while node.type == "parenthesized_expression":
        inner = [child for child in node.named_children if not child.is_extra]
        if not inner:
            return UNKNOWN
        node = inner[0]
    return walk.expr(node)


def _binary(walk: Walk, node: "Node") -> Expr:
    return binary(walk, node, _operated)


def _operated(walk: Walk, operator: "Node", left: Expr, right: Expr) -> Expr:
    if operator.type == "+":
        found = added(walk, left, right)
        if found[0] == "text":
            shown(walk, operator, "toString", left, right)
        return found
    return arithmetic(operator.type, left, right)


def _assignment(walk: Walk, node: "Node") -> Expr:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        walk.children(node)
        return UNKNOWN
    target = _target(walk, left)
    found = walk.expr(right)
    if operator.type == "=":
        walk.flows.append(Flow(walk.scope, target, found))
    elif operator.type == "+=" and (found[0] == "text" or walk.type_name(target) == "String"):
        found = joined((target, found))
        walk.flows.append(Flow(walk.scope, target, found))
    return found


def _target(walk: Walk, node: "Node") -> Expr:
    """What is written to; a bare name that is no local is a field."""
    if node.type == "identifier":
        return walk.write_name(node)
    if node.type == "field_access":
        base, field = node.child_by_field_name("object"), node.child_by_field_name("field")
        if base is not None and field is not None:
            target = attr(walk.expr(base), walk.word(field))
            walk.written(target, field)
            return target
    return walk.expr(node)


def _update(walk: Walk, node: "Node") -> Expr:
    for child in node.named_children:
        _target(walk, child)
    return INT


def _field_access(walk: Walk, node: "Node") -> Expr:
    base, field = node.child_by_field_name("object"), node.child_by_field_name("field")
    if base is None or field is None:
        walk.children(node)
        return UNKNOWN
    if field.type == "this":
        return typed(name(walk.word(base)))
    if field.type == "super":
        return super_()
    return walk.used(attr(walk.expr(base), walk.word(field)), field)


def _array_access(walk: Walk, node: "Node") -> Expr:
    base, index = node.child_by_field_name("array"), node.child_by_field_name("index")
    if base is None or index is None:
        walk.children(node)
        return UNKNOWN
    found = walk.expr(base)
    walk.expr(index)
    return item(found)


def _cast(walk: Walk, node: "Node") -> Expr:
    type_, inner = node.child_by_field_name("type"), node.child_by_field_name("value")
    found = walk.expr(inner) if inner is not None else UNKNOWN
    if type_ is None or found[0] == "made":
        return found
    if type_.type in PRIMITIVES and walk.text(type_) != "long":
        return PRIMITIVES[type_.type]
    return typed(type_of(walk, type_))


def _integer(walk: Walk, node: "Node") -> Expr:
    return LONG if walk.text(node)[-1] in "lL" else INT


def _array_creation(walk: Walk, node: "Node") -> Expr:
    type_, filled = node.child_by_field_name("type"), node.child_by_field_name("value")
    found = type_of(walk, type_) if type_ is not None else name("Object")
    for child in node.named_children[:8]:
        if child.type == "dimensions_expr":
            walk.children(child)
            found = generic(ARRAY, found)
        elif child.type == "dimensions":
            for _ in range(min(walk.text(child).count("["), 8)):
                found = generic(ARRAY, found)
    return walk.expr(filled) if filled is not None else typed(found)


def _members(walk: Walk, node: "Node") -> Expr:
    return seq("list", *(walk.expr(child) for child in node.named_children if not child.is_extra))


def _class_literal(walk: Walk, node: "Node") -> Expr:
    inner = node.named_children
    return type_of(walk, inner[0]) if inner else UNKNOWN


def _unary(walk: Walk, node: "Node") -> Expr:
    operand = node.child_by_field_name("operand")
    found = walk.expr(operand) if operand is not None else UNKNOWN
    return found if found[0] == "value" else INT


def _boolean(walk: Walk, node: "Node") -> Expr:
    for child in node.named_children:
        walk.expr(child)
    return BOOL


def _template(walk: Walk, node: "Node") -> Expr:
    walk.children(node)
    return text(UNKNOWN)


LONG = typed(name("long"))
PRIMITIVES = {"integral_type": INT, "floating_point_type": FLOAT, "boolean_type": BOOL}

EXPRESSIONS: dict[str, Evaluate] = {
    **CALLS,
    **ANNOTATIONS,
    "identifier": Walk.read_name,
    "this": lambda _walk, _node: self_(),
    "super": lambda _walk, _node: super_(),
    "string_literal": _string,
    "character_literal": lambda _walk, _node: CHAR,
    "decimal_integer_literal": _integer,
    "hex_integer_literal": _integer,
    "octal_integer_literal": _integer,
    "binary_integer_literal": _integer,
    "decimal_floating_point_literal": lambda _walk, _node: FLOAT,
    "hex_floating_point_literal": lambda _walk, _node: FLOAT,
    "true": lambda _walk, _node: BOOL,
    "false": lambda _walk, _node: BOOL,
    "null_literal": lambda _walk, _node: NONE,
    "parenthesized_expression": _parenthesized,
    "binary_expression": _binary,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "unary_expression": _unary,
    "field_access": _field_access,
    "array_access": _array_access,
    "cast_expression": _cast,
    "ternary_expression": ternary,
    "array_creation_expression": _array_creation,
    "array_initializer": _members,
    "element_value_array_initializer": _members,
    "class_literal": _class_literal,
    "template_expression": _template,
}
