"""Operators of C# that classes define: arithmetic, conversions, taking apart, showing."""

from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, attr, name, one
from commonplace.languages.typed.operators import (
    BOOL,
    NONE,
    NUMBERS,
    PLAIN,
    STRINGS,
    added,
    arithmetic,
    binary,
    is_own,
    shown,
)
from commonplace.languages.typed.strings import joined
from commonplace.languages.typed.walk import Walk, simple_name

if TYPE_CHECKING:
    from tree_sitter import Node

COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
LOGICAL = frozenset(("&&", "||", "is", "as"))
OPERANDS = frozenset(("name", "attr", "call", "typed", "item", "self"))


def binary_expression(walk: Walk, node: "Node") -> Expr:
    """``a + b``."""
    return binary(walk, node, operated)


def operated(walk: Walk, operator: "Node", left: Expr, right: Expr) -> Expr:
    """Of what may be objects, a call of the operator the class of either defines."""
    written = operator.type
    if written == "??":
        return one(left, right)
    is_text = "text" in (left[0], right[0])
    if written in LOGICAL or is_text or not _may_be_defined(walk, left, right):
        if written != "+":
            return arithmetic(written, left, right)
        found = added(walk, left, right)
        if found[0] == "text":
            shown(walk, operator, "ToString", left, right)
        return found
    compared = written in COMPARISONS  # of functions too: what is compared is not given away
    given = () if compared else (left, right)
    owner = left
    if right != left and is_own(walk, right):
        owner = one(left, right) if left[0] in OPERANDS else right
    called = walk.implied(attr(owner, f"operator {written}"), operator, *given)
    if written == "+" and _may_be_text(left) and _may_be_text(right):
        return one(called, joined((left, right)))
    return BOOL if compared else called


def _may_be_defined(walk: Walk, left: Expr, right: Expr) -> bool:
    if NONE in (left, right):  # ``x == null`` is everywhere, and hardly ever defined
        return False
    if is_own(walk, left) or is_own(walk, right):
        return True
    known = {walk.type_name(left), walk.type_name(right)}
    is_plain = not NUMBERS.isdisjoint(known) or not STRINGS.isdisjoint(known)
    return left[0] in OPERANDS and right[0] in OPERANDS and not is_plain


def _may_be_text(found: Expr) -> bool:
    return found[0] in ("name", "attr") and str(found[-1])[:1].isupper()


def updated(walk: Walk, node: "Node", sign: str, *operands: Expr) -> Expr | None:
    """``-x``, ``x++``, ``x += y`` of an object; None of what is none."""
    if not is_own(walk, operands[0]):
        return None
    return walk.implied(attr(operands[0], f"operator {sign}"), node, *operands)


def cast(walk: Walk, type_: Expr, found: Expr, node: "Node") -> None:
    """``(double)price``: a conversion the class of either defines."""
    wanted = simple_name(type_)
    if wanted and is_own(walk, found):
        walk.implied(attr(found, f"operator {wanted}"), node, found)


def converted(walk: Walk, type_: Expr, found: Expr, node: "Node") -> None:
    """``Money price = 3``: a conversion nobody writes."""
    wanted = simple_name(type_)
    is_literal = found[0] in ("value", "text") and found[-1] != "none"
    if type_[0] == "name" and wanted not in PLAIN and is_literal:
        walk.implied(attr(name(wanted), f"operator {wanted}"), node, found)


def deconstruct(walk: Walk, target: Expr, found: Expr, node: "Node") -> None:
    """``var (a, b) = point`` takes apart a tuple, or what a class says of itself."""
    walk.flow(target, found)
    if found[0] in ("name", "attr", "call"):
        walk.implied(attr(found, "Deconstruct"), node, *target[2])
