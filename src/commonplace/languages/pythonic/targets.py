"""Where values go: names, attributes, items, and patterns of them."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.code import Use
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.notes import DEEPEST, UNKNOWN, Notes

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"}
)
SPLATS = frozenset({"list_splat_pattern", "list_splat"})


def bind(notes: Notes, node: "Node", value: Expr, comprehension: int = 0) -> None:
    """Note that a value goes to a target; in a comprehension its names are the comprehension's."""
    notes.flow(target_of(notes, node, comprehension), value)


def target_of(notes: Notes, node: "Node", comprehension: int = 0) -> Expr:
    """What is assigned to; names become local, attributes are noted as written."""
    number = node.kind_id
    if number == notes.kinds.identifier:
        return _named(notes, node, comprehension)
    if number == notes.kinds.attribute:
        return _member(notes, node)
    kind = node.type
    if notes.depth > DEEPEST:
        notes.too_deep(node)
        return UNKNOWN
    notes.depth += 1
    found = _compound(notes, node, kind, comprehension)
    notes.depth -= 1
    return found


def _compound(notes: Notes, node: "Node", kind: str, comprehension: int) -> Expr:
    inner = notes.parts(node)
    if kind in PATTERNS:
        return expr.seq("tuple", *(target_of(notes, one, comprehension) for one in inner))
    if kind in SPLATS:
        return expr.star(target_of(notes, inner[0], comprehension)) if inner else UNKNOWN
    if kind == "subscript":
        base = notes.value(inner[0])
        keys = tuple(notes.value(one) for one in inner[1:])
        notes.call(expr.attr(base, "__setitem__"), notes.at(inner[0]), keys)
        return expr.item(base, key_of(notes, inner[1], keys[0]) if len(keys) == 1 else None)
    if kind in ("parenthesized_expression", "as_pattern_target"):
        return target_of(notes, inner[0], comprehension) if inner else UNKNOWN
    return notes.value(node)


def key_of(notes: Notes, node: "Node", value: Expr) -> str | int | None:
    """A key that is written out or a constant, given the node and what it was read as."""
    if value[0] == "name":
        return notes.constant(value[1])
    if value[0] == "text" and len(value[1]) == 1 and isinstance(value[1][0], str):
        return value[1][0]
    if value == ("value", "int"):
        digits = notes.text(node)
        if len(digits) < 10 and digits.lstrip("-").isdecimal():
            return int(digits)
    return None


def _named(notes: Notes, node: "Node", comprehension: int) -> Expr:
    found = notes.words[notes.source[node.start_byte : node.end_byte]]
    if comprehension:
        own = expr.name(f"{found[1]}~{comprehension}")
        notes.renamed[found[1]] = own
        return own
    scope = notes.scope
    if found[1] in notes.renamed:  # set anew: what was proven of it is behind it
        notes.renamed = {key: one for key, one in notes.renamed.items() if key != found[1]}
    is_new = found[1] not in scope.local
    if found[1] not in scope.homes:
        scope.local.add(found[1])
    else:
        notes.scopes[0].constants[found[1]] = None
    if found[1] in scope.constants:
        scope.constants[found[1]] = None
    return found if is_new or found[1] in scope.homes else notes.renew(found)


def _member(notes: Notes, node: "Node") -> Expr:
    parts = node.children
    found = expr.attr(notes.value(parts[0]), notes.word(parts[-1]))
    scope = notes.scope
    at = notes.at_last(node, found[2])
    notes.uses.append(tuple.__new__(Use, (scope.number, found, at, "write")))
    if scope.receiver and found[1] == ("name", scope.receiver) and scope.owner is not None:
        scope.owner.members.setdefault(found[2], node)
    return found
