"""Queries (``from o in orders …``) and what a switch gives, as expressions."""

from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, each, one, seq
from commonplace.languages.typed.csharp_types import declared_type
from commonplace.languages.typed.walk import UNKNOWN, Evaluate, Walk

if TYPE_CHECKING:
    from tree_sitter import Node


def _query(walk: Walk, node: "Node") -> Expr:
    """The variables of a query are locals of it; its value is a list of what it selects."""
    names = walk.names
    found = UNKNOWN
    for child in node.named_children:
        clause = CLAUSES.get(child.type)
        if clause is not None:
            found = clause(walk, child)
        elif child.type == "identifier":  # ``into g``: goes on with what was selected
            walk.flow(walk.declare(walk.word(child)), found)
        else:
            walk.visit(child)
    walk.names = names
    return seq("list", found)


def _from(walk: Walk, node: "Node") -> Expr:
    label = node.child_by_field_name("name")
    origins = [one for one in node.named_children if one != label]
    type_ = declared_type(walk, node.child_by_field_name("type"))
    found = walk.expr(origins[-1]) if origins else UNKNOWN
    if label is not None:
        walk.flow(walk.declare_typed(walk.word(label), type_), each(found))
    return UNKNOWN


def _join(walk: Walk, node: "Node") -> Expr:
    type_ = node.child_by_field_name("type")
    parts = [one for one in node.named_children if one != type_]
    if len(parts) < 2:
        return UNKNOWN
    found = walk.expr(parts[1])
    target = walk.declare_typed(walk.word(parts[0]), declared_type(walk, type_))
    walk.flow(target, each(found))
    for part in parts[2:]:
        if part.type == "join_into_clause" and part.named_children:
            walk.flow(walk.declare(walk.word(part.named_children[0])), found)
        else:
            walk.expr(part)
    return UNKNOWN


def _let(walk: Walk, node: "Node") -> Expr:
    parts = node.named_children
    if len(parts) == 2:
        found = walk.expr(parts[1])
        walk.flow(walk.declare(walk.word(parts[0])), found)
    return UNKNOWN


def _group(walk: Walk, node: "Node") -> Expr:
    found = [walk.expr(child) for child in node.named_children]
    return seq("list", found[0]) if found else UNKNOWN


def _select(walk: Walk, node: "Node") -> Expr:
    found = [walk.expr(child) for child in node.named_children]
    return found[0] if found else UNKNOWN


CLAUSES: dict[str, Evaluate] = {
    "from_clause": _from,
    "join_clause": _join,
    "let_clause": _let,
    "group_clause": _group,
    "select_clause": _select,
    "where_clause": _select,
    "order_by_clause": _select,
}


def _switch(walk: Walk, node: "Node") -> Expr:
    """One of what its arms give."""
    options: list[Expr] = []
    for child in node.named_children:
        if child.type == "switch_expression_arm":
            names = walk.names
            parts = child.named_children
            for part in parts[:-1]:
                walk.visit(part)
            options.extend(walk.expr(part) for part in parts[-1:])
            walk.names = names
        else:
            walk.expr(child)
    return one(*options) if options else UNKNOWN


QUERIES: dict[str, Evaluate] = {"query_expression": _query, "switch_expression": _switch}
