"""Expressions of Go."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, attr, each, generic, made, typed, value
from commonplace.languages.golang import strings
from commonplace.languages.golang.calls import call, spread
from commonplace.languages.golang.functions import function
from commonplace.languages.golang.kinds import type_arguments, type_of
from commonplace.languages.golang.literals import composite, literal_value
from commonplace.languages.golang.names import base, identifier, index, selector
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.quoted import joined
from commonplace.languages.walk import UNKNOWN, Evaluate, Naming, operands

if TYPE_CHECKING:
    from tree_sitter import Node

INT, FLOAT, BOOL, NONE = (value(kind) for kind in ("int", "float", "bool", "none"))
TRUTHS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))


def _of(found: Expr) -> Evaluate:
    def evaluate(_walk: GoWalk, _: "Node") -> Expr:
        return found

    return evaluate


def _last(walk: GoWalk, node: "Node") -> Expr:
    found = walk.each(node.children)
    return found[-1] if found else UNKNOWN


def _unary(walk: GoWalk, node: "Node") -> Expr:
    """Pointers are what they point to; a channel gives its elements."""
    found = _last(walk, node)
    operator = node.children[0].type
    if operator == "<-":
        return each(found)
    return found if operator in ("&", "*") else BOOL if operator == "!" else found


def _binary(walk: GoWalk, node: "Node") -> Expr:
    node, rights = operands(node)
    if not rights:
        return _last(walk, node)
    found = walk.expr(node)
    for operator, right in reversed(rights):
        found = _operated(operator, found, walk.expr(right))
    return found


def _operated(operator: str, left: Expr, right: Expr) -> Expr:
    if operator in TRUTHS:
        return BOOL
    if operator == "+" and (left[0] == "text" or right[0] == "text"):
        return joined((left, right))
    return FLOAT if FLOAT in (left, right) else INT


def _slice(walk: GoWalk, node: "Node") -> Expr:
    found = walk.each(node.children)
    return found[0] if found else UNKNOWN


def _assertion(walk: GoWalk, node: "Node") -> Expr:
    """``x.(T)``."""
    operand, written = node.child_by_field_name("operand"), node.child_by_field_name("type")
    if operand is not None:
        walk.expr(operand)
    return typed(type_of(walk, written)) if written is not None else UNKNOWN


def _conversion(walk: GoWalk, node: "Node") -> Expr:
    """``[]byte(x)``; ``Load[Order](x)`` and ``table[i](x)`` look the same."""
    operand, written = node.child_by_field_name("operand"), node.child_by_field_name("type")
    if written is not None and written.type == "generic_type":
        first = written.named_children[0]
        called = generic(_called(walk, first), *type_arguments(walk, written.named_children[-1]))
        given = [walk.expr(operand)] if operand is not None else []
        return walk.add_call(
            called, given, first.named_children[-1] if first.named_children else first
        )
    if operand is not None:
        walk.expr(operand)
    return typed(type_of(walk, written)) if written is not None else UNKNOWN


def _called(walk: GoWalk, node: "Node") -> Expr:
    """A name or member where the parser saw a type."""
    if node.type == "qualified_type":
        first, last = node.named_children[0], node.named_children[-1]
        return attr(("name", walk.meant(walk.word(first))), walk.word(last))
    return ("name", walk.meant(walk.word(node)))


def _function(walk: GoWalk, node: "Node") -> Expr:
    return made(function(walk, node, Naming(walk.counted(walk.scope.number, "lambda"))))


def _instance(walk: GoWalk, node: "Node") -> Expr:
    """``Map[int, string]`` as a value."""
    first, *rest = node.named_children
    return generic(base(walk, first), *(type_of(walk, node) for node in rest))


def _type(walk: GoWalk, node: "Node") -> Expr:
    """A type where a value stands: the argument of ``make`` or a conversion."""
    return typed(type_of(walk, node))


def _broken(walk: GoWalk, node: "Node") -> Expr:
    """Half of something: what is in it is read by itself."""
    walk.put_off(node.named_children)
    return UNKNOWN


EXPRESSIONS: Mapping[str, Evaluate] = {
    "identifier": identifier,
    "selector_expression": selector,
    "index_expression": index,
    "call_expression": call,
    "interpreted_string_literal": strings.string,
    "raw_string_literal": strings.string,
    "rune_literal": _of(value("char")),
    "int_literal": _of(INT),
    "float_literal": _of(FLOAT),
    "imaginary_literal": _of(FLOAT),
    "iota": _of(INT),
    "true": _of(BOOL),
    "false": _of(BOOL),
    "nil": _of(NONE),
    "blank_identifier": _of(UNKNOWN),
    "composite_literal": composite,
    "literal_value": literal_value,
    "literal_element": _last,
    "func_literal": _function,
    "parenthesized_expression": _last,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "slice_expression": _slice,
    "type_assertion_expression": _assertion,
    "type_conversion_expression": _conversion,
    "type_instantiation_expression": _instance,
    "variadic_argument": spread,
    "slice_type": _type,
    "array_type": _type,
    "map_type": _type,
    "channel_type": _type,
    "function_type": _type,
    "pointer_type": _type,
    "struct_type": _type,
    "interface_type": _type,
    "generic_type": _type,
    "qualified_type": _type,
    "type_identifier": _type,
    "ERROR": _broken,
}
