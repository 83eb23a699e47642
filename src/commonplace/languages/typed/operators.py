"""Operators and conditionals, as both languages have them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, attr, one, value
from commonplace.languages.typed.strings import joined
from commonplace.languages.typed.walk import COLLECTIONS, UNKNOWN, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

INT, FLOAT, BOOL, NONE, CHAR = (value(kind) for kind in ("int", "float", "bool", "none", "char"))
FRACTIONS = frozenset(("float", "double", "decimal", "Float", "Double"))
NUMBERS = FRACTIONS | {
    *("int", "long", "short", "byte", "char", "Integer", "Long", "Short", "Byte", "Character"),
    *("uint", "ulong", "ushort", "sbyte", "nint"),
}
STRINGS = frozenset(("String", "string"))
PLAIN = NUMBERS | STRINGS | COLLECTIONS | {"bool", "boolean", "object", "Object", "var", ""}
ARITHMETIC = frozenset(("-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^"))


def binary(walk: Walk, node: "Node", operated: Callable[[Walk, "Node", Expr, Expr], Expr]) -> Expr:
    """The left side is walked in a loop: a thousand strings may be joined by ``+``."""
    rights: list[tuple[Node, Node]] = []
    while node.type == "binary_expression":
        operator, right = node.child_by_field_name("operator"), node.child_by_field_name("right")
        left = node.child_by_field_name("left")
        if operator is None or right is None or left is None:
            break
        rights.append((operator, right))
        node = left
    if node.type == "binary_expression":
        walk.children(node)
        found = UNKNOWN
    else:
        found = walk.expr(node)
    for operator, right in reversed(rights):
        found = operated(walk, operator, found, walk.expr(right))
    return found


def arithmetic(operator: str, left: Expr, right: Expr) -> Expr:
    """What an operator of numbers gives."""
    if operator in ARITHMETIC:
        return FLOAT if FLOAT in (left, right) else INT
    return BOOL


def added(walk: Walk, left: Expr, right: Expr) -> Expr:
    """A string when either side is one; two constants of unknown type may well be strings."""
    if left[0] == "text" or right[0] == "text":
        return joined((left, right))
    kinds = (walk.type_name(left), walk.type_name(right))
    if not STRINGS.isdisjoint(kinds):
        return joined((left, right))
    if left[0] == "value" or right[0] == "value" or not NUMBERS.isdisjoint(kinds):
        return FLOAT if FLOAT in (left, right) or not FRACTIONS.isdisjoint(kinds) else INT
    return joined((left, right)) if _is_constant(left) and _is_constant(right) else INT


def _is_constant(found: Expr) -> bool:
    return found[0] in ("name", "attr") and str(found[-1]).isupper()


def is_own(walk: Walk, found: Expr) -> bool:
    """Whether a value is declared as something that may be a class of the program."""
    return found[0] == "self" or walk.type_name(found) not in PLAIN


def shown(walk: Walk, node: "Node", method: str, *parts: Expr) -> None:
    """What is put into a string is asked for one."""
    for part in parts:
        if part[0] in ("name", "attr") and is_own(walk, part):
            walk.implied(attr(part, method), node)


def ternary(walk: Walk, node: "Node") -> Expr:
    """One of what it chooses from; the last of a row may be a choice again."""
    kind = node.type
    options: list[Expr] = []
    while node.type == kind:
        condition = node.child_by_field_name("condition")
        consequence = node.child_by_field_name("consequence")
        alternative = node.child_by_field_name("alternative")
        if condition is None or consequence is None or alternative is None:
            walk.children(node)
            return UNKNOWN
        walk.expr(condition)
        options.append(walk.expr(consequence))
        node = alternative
    options.append(walk.expr(node))
    return one(*options)
