"""Expressions of C#."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow
from commonplace.domain.expr import Expr, attr, name, self_, seq, super_, text, typed, wait
from commonplace.languages.literals import keep_parts, keep_text
from commonplace.languages.typed.csharp_calls import CALLS, arguments_of
from commonplace.languages.typed.csharp_creations import CREATIONS, valued
from commonplace.languages.typed.csharp_operators import (
    binary_expression,
    cast,
    updated,
)
from commonplace.languages.typed.csharp_queries import QUERIES
from commonplace.languages.typed.csharp_types import declared_type, type_of, with_member
from commonplace.languages.typed.operators import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    NONE,
    STRINGS,
    shown,
    ternary,
)
from commonplace.languages.typed.strings import joined, stripped_block, unescaped
from commonplace.languages.typed.walk import UNKNOWN, Evaluate, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

LONG, DECIMAL = typed(name("long")), typed(name("decimal"))


def _string(walk: Walk, node: "Node") -> Expr:
    raw = walk.text(node).removesuffix("u8")
    return text(keep_text(unescaped(raw[1:].removesuffix('"'))))


def _verbatim(walk: Walk, node: "Node") -> Expr:
    raw = walk.text(node).removeprefix("@").removeprefix('"').removesuffix('"')
    return text(keep_text(raw.replace('""', '"')))


def _raw(walk: Walk, node: "Node") -> Expr:
    inner = [child for child in node.named_children if child.type == "raw_string_content"]
    return text(keep_text(stripped_block(walk.text(inner[0])))) if inner else text("")


def _interpolated(walk: Walk, node: "Node") -> Expr:
    children = node.named_children
    is_plain = (
        bool(children)
        and "@" not in walk.text(children[0])
        and not any(child.type == "interpolation_quote" for child in children)
    )
    parts: list[Expr | str] = []
    for child in children:
        if child.type == "interpolation":
            inner = [one for one in child.named_children if one.type in walk.expressions]
            found = walk.expr(inner[0]) if inner else UNKNOWN
            shown(walk, child, "ToString", found)
            parts.append(found)
        elif child.type in ("string_content", "escape_sequence"):
            raw = walk.text(child).replace("{{", "{").replace("}}", "}")
            parts.append(unescaped(raw) if is_plain else raw.replace('""', '"'))
    return joined(keep_parts(_merged(parts)))


def _merged(parts: list[Expr | str]) -> list[Expr | str]:
    found = joined(parts)
    return list(found[1])


def _parenthesized(walk: Walk, node: "Node") -> Expr:
    while node.type == "parenthesized_expression":
        inner = [child for child in node.children if child.type not in ("(", ")")]
        inner = [child for child in inner if not child.is_extra]
        if not inner:
            return UNKNOWN
        node = inner[0]
    return walk.expr(node)


def _assignment(walk: Walk, node: "Node") -> Expr:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        walk.children(node)
        return UNKNOWN
    target = target_of(walk, left)
    kind = walk.type_name(target)
    found = valued(walk, right, name(kind) if kind else None)
    if operator.type in ("=", "??="):
        walk.flows.append(Flow(walk.scope, target, found))
    elif operator.type == "+=":
        found = updated(walk, operator, "+", target, found) or found
        found = _appended(walk, target, found)
    elif operator.type.removesuffix("=") in "-*/%":
        updated(walk, operator, operator.type[:-1], target, found)
    return found


def _appended(walk: Walk, target: Expr, found: Expr) -> Expr:
    """A string grows; an event gets one more to call."""
    if found[0] == "text" or walk.type_name(target) in STRINGS:
        found = joined((target, found))
    elif found[0] == "value":
        return found
    walk.flows.append(Flow(walk.scope, target, found))
    return found


def target_of(walk: Walk, node: "Node") -> Expr:
    """What is written to; a bare name that is no local is a field or property."""
    if node.type == "identifier":
        return walk.write_name(node)
    if node.type == "member_access_expression":
        base, member = node.child_by_field_name("expression"), node.child_by_field_name("name")
        if base is not None and member is not None:
            target = with_member(walk, walk.expr(base), member)
            walk.written(target, member)
            return target
    if node.type == "tuple_expression":
        parts = (child.named_children[-1] for child in node.named_children if child.named_children)
        return seq("tuple", *(target_of(walk, part) for part in parts))
    return walk.expr(node)


def _updated(walk: Walk, node: "Node") -> Expr:
    """``x!`` is x, ``x++`` writes x."""
    inner = [child for child in node.children if child.is_named or child.type in ("this", "base")]
    signs = {child.type for child in node.children}
    if not inner:
        return UNKNOWN
    if "++" in signs or "--" in signs:
        target = target_of(walk, inner[0])
        return updated(walk, node, "++" if "++" in signs else "--", target) or INT
    found = walk.expr(inner[0])
    if node.type == "prefix_unary_expression":
        sign = node.children[0].type
        called = updated(walk, node, sign, found) if sign in ("-", "+", "!", "~") else None
        return BOOL if sign == "!" else called or found
    return found


def _cast(walk: Walk, node: "Node") -> Expr:
    type_, inner = node.child_by_field_name("type"), node.child_by_field_name("value")
    found = walk.expr(inner) if inner is not None else UNKNOWN
    if type_ is None or found[0] == "made":
        return found
    wanted = type_of(walk, type_)
    cast(walk, wanted, found, node)
    return typed(wanted)


def _as(walk: Walk, node: "Node") -> Expr:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None:
        walk.expr(left)
    return typed(type_of(walk, right)) if right is not None else UNKNOWN


def _await(walk: Walk, node: "Node") -> Expr:
    inner = [child for child in node.children if child.type != "await" and not child.is_extra]
    return wait(walk.expr(inner[0])) if inner else UNKNOWN


def _inner(walk: Walk, node: "Node") -> Expr:
    """``ref x``, ``checked(x)``, ``throw x``: the value of its last part."""
    found = UNKNOWN
    for child in node.named_children:
        found = walk.expr(child)
    return found


def _type_value(walk: Walk, node: "Node") -> Expr:
    type_ = node.child_by_field_name("type")
    return type_of(walk, type_) if type_ is not None else UNKNOWN


def _default(walk: Walk, node: "Node") -> Expr:
    type_ = node.child_by_field_name("type")
    return typed(type_of(walk, type_)) if type_ is not None else NONE


def _declaration(walk: Walk, node: "Node") -> Expr:
    """``out var x``, ``(int a, var b) = …``."""
    label = node.child_by_field_name("name")
    type_ = declared_type(walk, node.child_by_field_name("type"))
    if label is None or label.type != "identifier":
        walk.children(node)
        return UNKNOWN
    return walk.declare_typed(walk.word(label), type_)


def _tuple(walk: Walk, node: "Node") -> Expr:
    arguments, keywords = arguments_of(walk, node)
    return seq("tuple", *arguments, *(found for _, found in keywords))


def _with(walk: Walk, node: "Node") -> Expr:
    """A copy with other members."""
    parts = node.named_children
    found = walk.expr(parts[0]) if parts else UNKNOWN
    for child in parts[1:]:
        inner = child.named_children
        if child.type == "with_initializer" and len(inner) == 2:
            target = attr(found, walk.word(inner[0]))
            walk.written(target, inner[0])
            walk.flow(target, walk.expr(inner[1]))
        else:
            walk.visit(child)
    return found


def _number(walk: Walk, node: "Node") -> Expr:
    """Its last letters tell the type: ``1L``, ``2.5m``, ``3f``."""
    written = walk.text(node).lower()
    is_hex = written.startswith("0x")
    if "l" in written[-2:]:
        return LONG
    if written[-1] == "m" and not is_hex:
        return DECIMAL
    return FLOAT if node.type == "real_literal" or (written[-1] in "fd" and not is_hex) else INT


def _boolean(walk: Walk, node: "Node") -> Expr:
    for child in node.named_children:
        walk.visit(child)
    return BOOL


EXPRESSIONS: dict[str, Evaluate] = {
    **CALLS,
    **CREATIONS,
    **QUERIES,
    "identifier": Walk.read_name,
    "this": lambda _walk, _node: self_(),
    "base": lambda _walk, _node: super_(),
    "string_literal": _string,
    "verbatim_string_literal": _verbatim,
    "raw_string_literal": _raw,
    "interpolated_string_expression": _interpolated,
    "character_literal": lambda _walk, _node: CHAR,
    "integer_literal": _number,
    "real_literal": _number,
    "boolean_literal": lambda _walk, _node: BOOL,
    "null_literal": lambda _walk, _node: NONE,
    "predefined_type": type_of,
    "generic_name": type_of,
    "qualified_name": type_of,
    "alias_qualified_name": type_of,
    "parenthesized_expression": _parenthesized,
    "binary_expression": binary_expression,
    "assignment_expression": _assignment,
    "postfix_unary_expression": _updated,
    "prefix_unary_expression": _updated,
    "conditional_expression": ternary,
    "cast_expression": _cast,
    "as_expression": _as,
    "is_expression": _boolean,
    "is_pattern_expression": _boolean,
    "await_expression": _await,
    "checked_expression": _inner,
    "ref_expression": _inner,
    "throw_expression": _inner,
    "typeof_expression": _type_value,
    "sizeof_expression": lambda _walk, _node: INT,
    "default_expression": _default,
    "declaration_expression": _declaration,
    "tuple_expression": _tuple,
    "with_expression": _with,
}
