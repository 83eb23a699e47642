"""What a condition proves: ``if isinstance(x, Order):`` and what stands below it."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.notes import Notes

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 8


def narrow(notes: Notes, condition: "Node") -> dict[str, Expr]:
    """From here on names stand for what a condition proves of them; what they stood for before.

    Only names of a function, and classes by the look of their names.
    """
    before = notes.renamed
    if notes.scope.kind != "function":
        return before
    for found, kinds in _proven(notes, condition, _DEEPEST):
        name = found[1]
        if name not in notes.scope.local or name in notes.scope.homes:
            continue
        notes.comprehensions += 1
        own = expr.name(f"{name}~{notes.comprehensions}")
        notes.scope.local.add(own[1])
        notes.flow(own, expr.narrow(notes.meant(found), *kinds))
        notes.renamed = {**notes.renamed, name: own}
    return before


def _proven(notes: Notes, node: "Node", depth: int) -> list[tuple[Expr, list[Expr]]]:
    """Names with their classes, of all that must be so for a condition to hold."""
    kind = node.type
    if not depth or kind not in ("call", "boolean_operator", "parenthesized_expression"):
        return []
    if kind == "call":
        return _asked(notes, node)
    if kind == "boolean_operator" and all(child.type != "and" for child in node.children):
        return []
    return [one for child in notes.parts(node) for one in _proven(notes, child, depth - 1)]


def _asked(notes: Notes, node: "Node") -> list[tuple[Expr, list[Expr]]]:
    """``isinstance(name, Class)``, or one of several classes."""
    function, given = node.children[0], node.children[-1]
    if notes.source[function.start_byte : function.end_byte] != b"isinstance":
        return []
    arguments = notes.parts(given)
    if len(arguments) != 2 or arguments[0].kind_id != notes.identifier:
        return []
    written = notes.parts(arguments[1]) if arguments[1].type == "tuple" else [arguments[1]]
    kinds = [_kind(notes, one) for one in written]
    known = [one for one in kinds if one is not None]
    if not known or len(known) < len(kinds):
        return []
    name = arguments[0]
    return [(notes.words[notes.source[name.start_byte : name.end_byte]], known)]


def _kind(notes: Notes, node: "Node") -> Expr | None:
    """A class by its name; None for what does not look like one."""
    raw = notes.source[node.start_byte : node.end_byte]
    found: Expr | None = None
    if node.kind_id == notes.identifier:
        found = notes.words[raw]
    elif node.type == "attribute":
        found = notes.members[raw]
    return found if found is not None and str(found[-1])[:1].isupper() else None
