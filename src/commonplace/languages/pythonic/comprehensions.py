"""Comprehensions and loops: what iterating gives, and to which names."""

from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.expr import Expr
from commonplace.languages.pythonic.notes import Notes
from commonplace.languages.pythonic.targets import bind

if TYPE_CHECKING:
    from tree_sitter import Node


def comprehension(notes: Notes, node: "Node") -> Expr:
    """A comprehension: its variables are its own, so they are renamed within it."""
    before = notes.renamed
    notes.renamed = dict(before)
    body, *clauses = notes.parts(node)
    for clause in clauses:
        if clause.type == "for_in_clause":
            _loop(notes, clause)
        else:
            notes.value(clause)
    if body.type == "pair":
        key, value = body.named_children[0], body.named_children[-1]
        notes.value(key)
        found = expr.mapping((None, notes.value(value)))
    else:
        kind = node.type.partition("_")[0]
        found = expr.seq(kind, notes.value(body))
    notes.renamed = before
    return found


def _loop(notes: Notes, clause: "Node") -> None:
    parts = notes.parts(clause)
    source = notes.value(parts[-1])
    is_async = clause.children[0].type == "async"
    given = iterate(notes, source, parts[-1], is_async=is_async)
    notes.comprehensions += 1
    bind(notes, parts[0], given, notes.comprehensions)


def iterate(notes: Notes, source: Expr, node: "Node", *, is_async: bool) -> Expr:
    """What iterating gives; the calls it makes are noted unless it is a plain display."""
    if source[0] not in ("seq", "map", "value", "text"):
        first_name, next_name = ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__")
        at = notes.at(node)
        iterator = notes.call(expr.attr(source, first_name), at)
        notes.call(expr.attr(iterator, next_name), at)
    return expr.each(source)
