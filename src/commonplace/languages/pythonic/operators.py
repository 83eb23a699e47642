"""Operators of Python: the methods they call, and what they make of strings."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.narrowing import narrow
from commonplace.languages.pythonic.notes import UNKNOWN, Notes, Reader
from commonplace.languages.pythonic.strings import filled, is_text, joined

if TYPE_CHECKING:
    from tree_sitter import Node

BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod",
    "**": "pow", "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
COMPARED = {
    "==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__",
    "<>": "__ne__",
}  # fmt: skip
UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
PLAIN = frozenset({"value", "text", "seq", "map"})
BOOL = expr.value("bool")


def binary(notes: Notes, node: "Node") -> Expr:
    """``a + b + c``: from the left, without descending into the left side for each."""
    spine = []
    while node.type == "binary_operator":
        spine.append(node)
        node = node.children[0]
    left = notes.value(node)
    for one in reversed(spine):
        sign = next((child for child in one.children if not child.is_named), one)
        left = operate(notes, left, sign, notes.value(one.children[-1]))
    return left


def operate(notes: Notes, left: Expr, sign: "Node", right: Expr) -> Expr:
    """What an operator makes of two values."""
    mark = sign.type
    if mark == "+" and (is_text(left) or is_text(right)):
        return joined(left, right)
    if mark == "%" and is_text(left):
        return filled(left, right)
    if mark == "+" and left[0] == right[0] == "seq":
        return expr.seq(left[1], *left[2], *right[2])
    if mark == "|" and left[0] == right[0] == "map":
        return expr.mapping(*left[1], *right[1])
    method = BINARY.get(mark)
    if method is None or (left[0] in PLAIN and right[0] in PLAIN):
        return left
    if left[0] in PLAIN:
        made = notes.call(expr.attr(right, f"__r{method}__"), notes.at(sign), (left,))
        return expr.one(made, left, right) if left[0] == "seq" else made
    made = notes.call(expr.attr(left, f"__{method}__"), notes.at(sign), (right,))
    if mark == "|" and right[0] in ("map", "seq"):
        return expr.one(left, right)
    if mark == "+":
        return expr.one(made, joined(left, right)) if right[0] != "seq" else expr.one(left, right)
    return made


def comparison(notes: Notes, node: "Node") -> Expr:
    """``a < b in c``: each pair calls a method of one of its sides."""
    left: Expr | None = None
    sign: Node | None = None
    for child in node.children:
        if not child.is_named:
            sign = child
            continue
        if child.kind_id in notes.between:
            continue
        right = notes.value(child)
        if left is not None and sign is not None:
            _compare(notes, left, sign, right)
        left = right
    return BOOL


def _compare(notes: Notes, left: Expr, sign: "Node", right: Expr) -> None:
    mark = sign.type
    if mark in ("in", "not in"):
        if right[0] not in PLAIN:
            notes.call(expr.attr(right, "__contains__"), notes.at(sign), (left,))
        return
    method = COMPARED.get(mark)
    if method is not None and left[0] not in PLAIN:
        notes.call(expr.attr(left, method), notes.at(sign), (right,))


def boolean(notes: Notes, node: "Node") -> Expr:
    """``a or b``: one of the two; ``a and b``: mostly the second."""
    around = notes.renamed
    is_and = any(child.type == "and" for child in node.children)
    options = []
    for child in notes.parts(node):
        options.append(notes.value(child))
        if is_and:  # what stands behind it is asked only where it holds
            narrow(notes, child)
    notes.renamed = around
    return expr.one(*options) if options else UNKNOWN


def negation(notes: Notes, node: "Node") -> Expr:
    """``not a``."""
    for child in node.named_children:
        notes.asked("bool", notes.value(child), child)
    return BOOL


def unary(notes: Notes, node: "Node") -> Expr:
    """``-a``."""
    value = notes.value(node.named_children[-1])
    if value[0] in PLAIN:
        return value
    sign = node.children[0]
    method = UNARY.get(sign.type)
    return value if method is None else notes.call(expr.attr(value, method), notes.at(sign))


OPERATORS: dict[str, Reader] = {
    "binary_operator": binary,
    "comparison_operator": comparison,
    "boolean_operator": boolean,
    "not_operator": negation,
    "unary_operator": unary,
}
