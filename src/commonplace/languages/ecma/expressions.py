"""Expressions of JavaScript and TypeScript."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from commonplace.domain.expr import (
    YIELDED,
    Expr,
    attr,
    each,
    one,
    seq,
    star,
    super_,
    typed,
    value,
    wait,
)
from commonplace.languages.ecma import strings
from commonplace.languages.ecma.annotations import type_of
from commonplace.languages.ecma.assignments import assignment, augmented, update
from commonplace.languages.ecma.calls import call, new
from commonplace.languages.ecma.classes import class_expression
from commonplace.languages.ecma.functions import function_expression
from commonplace.languages.ecma.jsx import JSX
from commonplace.languages.ecma.names import identifier, member, subscript
from commonplace.languages.ecma.objects import object_
from commonplace.languages.quoted import joined
from commonplace.languages.walk import UNKNOWN, Evaluate, Walk, operands

if TYPE_CHECKING:
    from tree_sitter import Node

INT, FLOAT, BOOL, NONE, REGEX = (value(kind) for kind in ("int", "float", "bool", "none", "regex"))
EITHER = frozenset(("||", "??"))
CALCULATING = frozenset(("+", "-", "*", "/", "%", "**", "<", ">", "<=", ">="))
TRUTHS = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"))


def _number(walk: Walk, node: "Node") -> Expr:
    written = walk.text[node.start_byte : node.end_byte]
    is_whole = written.isdigit() or written[:2] in ("0x", "0X", "0b", "0B", "0o", "0O")
    return INT if is_whole else FLOAT


def _this(walk: Walk, _: "Node") -> Expr:
    return walk.scope.this


def _super(_walk: Walk, _: "Node") -> Expr:
    return super_()


def _inner(walk: Walk, node: "Node") -> Expr:
    """Brackets, ``x!``, ``x satisfies T``: the value of what is inside."""
    found = walk.each(node.children[:2])
    return found[0] if found else UNKNOWN


def _last(walk: Walk, node: "Node") -> Expr:
    found = walk.each(node.children)
    return found[-1] if found else UNKNOWN


def _parts(walk: Walk, node: "Node") -> Expr:
    """What is calculated of other values, and is not one of them."""
    walk.each(node.children)
    return UNKNOWN


def _cast(walk: Walk, node: "Node") -> Expr:
    """``x as T``; ``as const`` says nothing."""
    first, last = node.children[0], node.children[-1]
    found = walk.expr(first)
    if last.type == "const":
        return found
    type_ = type_of(walk, last)
    if type_[0] == "query":  # one of those like it
        return one(found, typed(type_))
    return found if type_[0] == "value" else typed(type_)


def _satisfies(walk: Walk, node: "Node") -> Expr:
    type_of(walk, node.children[-1])
    return walk.expr(node.children[0])


def _assertion(walk: Walk, node: "Node") -> Expr:
    """``<T>x``."""
    first, last = node.children[0], node.children[-1]
    walk.expr(last)
    types = [type_of(walk, child) for child in first.named_children]
    return typed(types[0]) if types else UNKNOWN


def _array(walk: Walk, node: "Node") -> Expr:
    return seq("list", *walk.each(node.children))


def _spread(walk: Walk, node: "Node") -> Expr:
    found = _last(walk, node)
    if node.parent is not None and node.parent.type in ("array", "arguments"):
        _iterate(walk, found, node)
    return star(found)


def _iterate(walk: Walk, over: Expr, node: "Node") -> None:
    """``...x`` and ``yield* x`` go over an object as a loop does."""
    if over[0] in ("name", "attr", "call", "self"):
        walk.imply_call(attr(over, "[Symbol.iterator]"), node)


def _binary(walk: Walk, node: "Node") -> Expr:
    node, rights = operands(node)
    if not rights:
        return _parts(walk, node)
    found = walk.expr(node)
    for operator, right in reversed(rights):
        tested = walk.expr(right)
        if operator == "instanceof" and found[0] == "name" and tested[0] in ("name", "attr"):
            walk.add_flow(found, typed(tested))  # where it is used, it mostly is one
        if operator == "+" and "text" in (found[0], tested[0]):
            strings.spell(walk, tested if found[0] == "text" else found, right)
        elif walk.is_valued and operator in CALCULATING:
            _value(walk, (found, tested), right)
        found = _operated(operator, found, tested)
    return found


def _operated(operator: str, left: Expr, right: Expr) -> Expr:
    if operator == "+":
        if left[0] == "text" or right[0] == "text" or (_is_constant(left) and _is_constant(right)):
            return joined((left, right))
        return FLOAT
    if operator in EITHER:
        return one(*(left[1] if left[0] == "one" else (left,)), right)
    if operator == "&&":
        return right
    return BOOL if operator in TRUTHS else FLOAT


def _is_constant(found: Expr) -> bool:
    return found[0] in ("name", "attr") and str(found[-1]).isupper()


def _ternary(walk: Walk, node: "Node") -> Expr:
    found = walk.each(node.children)
    return one(*found[-2:]) if len(found) == 3 else UNKNOWN


def _value(walk: Walk, objects: Iterable[Expr], node: "Node") -> None:
    """Objects that are calculated with say what they are worth."""
    for each_ in objects:
        if each_[0] in strings.SPELLED:
            walk.imply_use(attr(each_, "valueOf"), node)
            walk.imply_use(attr(each_, "[Symbol.toPrimitive]"), node)


def _unary(walk: Walk, node: "Node") -> Expr:
    found = walk.each(node.children)
    if walk.is_valued and node.children[0].type in ("+", "-"):
        _value(walk, found, node)
    return BOOL if node.children[0].type == "!" else UNKNOWN


def _await(walk: Walk, node: "Node") -> Expr:
    return wait(_last(walk, node))


def _yield(walk: Walk, node: "Node") -> Expr:
    found = _last(walk, node)
    is_all = len(node.children) > 1 and node.children[1].type == "*"
    if is_all:
        _iterate(walk, found, node)
    walk.add_flow(YIELDED, each(found) if is_all else found)
    return UNKNOWN


def _shorthand(walk: Walk, node: "Node") -> Expr:
    return identifier(walk, node)


def _template(walk: Walk, node: "Node") -> Expr:
    return strings.template(walk, node)


def _string(walk: Walk, node: "Node") -> Expr:
    return strings.string(walk, node)


def _broken(walk: Walk, node: "Node") -> Expr:
    """Half of something: what is in it is read by itself."""
    walk.put_off(node.named_children)
    return UNKNOWN


def _of(found: Expr) -> Evaluate:
    def evaluate(_walk: Walk, _: "Node") -> Expr:
        return found

    return evaluate


EXPRESSIONS: Mapping[str, Evaluate] = {
    "identifier": identifier,
    "member_expression": member,
    "subscript_expression": subscript,
    "call_expression": call,
    "new_expression": new,
    "string": _string,
    "template_string": _template,
    "number": _number,
    "true": _of(BOOL),
    "false": _of(BOOL),
    "null": _of(NONE),
    "undefined": _of(NONE),
    "regex": _of(REGEX),
    "meta_property": _of(UNKNOWN),
    "import": _of(UNKNOWN),
    "this": _this,
    "super": _super,
    "object": object_,
    "array": _array,
    "arrow_function": function_expression,
    "function_expression": function_expression,
    "generator_function": function_expression,
    "class": class_expression,
    "parenthesized_expression": _last,
    "non_null_expression": _inner,
    "as_expression": _cast,
    "satisfies_expression": _satisfies,
    "type_assertion": _assertion,
    "instantiation_expression": _inner,
    "binary_expression": _binary,
    "ternary_expression": _ternary,
    "unary_expression": _unary,
    "update_expression": update,
    "assignment_expression": assignment,
    "augmented_assignment_expression": augmented,
    "sequence_expression": _last,
    "await_expression": _await,
    "yield_expression": _yield,
    "spread_element": _spread,
    "shorthand_property_identifier": _shorthand,
    "ERROR": _broken,
    **JSX,
}
