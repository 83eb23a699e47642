"""Strings of JavaScript: plain ones, and templates with their holes."""

from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, text
from commonplace.languages.literals import keep_text
from commonplace.languages.quoted import joined, unescaped

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.walk import Walk


def literal(walk: "Walk", node: "Node") -> str:
    """What a string node says."""
    return unescaped(walk.text[node.start_byte + 1 : node.end_byte - 1])


def string(walk: "Walk", node: "Node") -> Expr:
    """A plain string."""
    return text(keep_text(literal(walk, node)))


def template(walk: "Walk", node: "Node") -> Expr:
    """A template: literal parts and what is filled in."""
    parts: list[Expr] = []
    end = node.start_byte + 1
    for child in node.named_children:
        if child.type == "template_substitution":
            parts.append(text(unescaped(walk.text[end : child.start_byte])))
            parts += walk.each(child.named_children)[-1:] or [text()]
            end = child.end_byte
    parts.append(text(unescaped(walk.text[end : max(end, node.end_byte - 1)])))
    found = joined(parts)
    return text(*(part for part in found[1] if part != "")) if len(found[1]) > 1 else found
