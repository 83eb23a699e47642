"""Strings of JavaScript: plain ones, and templates with their holes."""

from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, attr, text
from commonplace.languages.literals import keep_text
from commonplace.languages.quoted import joined, unescaped

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.walk import Walk

SPELLED = frozenset(("name", "attr", "call", "self"))
"""Expressions that may be objects with a ``toString`` of their own."""


def literal(walk: "Walk", node: "Node") -> str:
    """What a string node says."""
    return unescaped(walk.text[node.start_byte + 1 : node.end_byte - 1])


def string(walk: "Walk", node: "Node") -> Expr:
    """A plain string."""
    return text(keep_text(literal(walk, node)))


def template(walk: "Walk", node: "Node") -> Expr:
    """A template: literal parts and what is filled in, which is turned into text."""
    parts = _parts(walk, node)
    for part in parts:
        spell(walk, part, node)
    return _whole(parts)


def tagged(walk: "Walk", node: "Node") -> list[Expr]:
    """What a template hands to the function before it: its text, and what is filled in."""
    parts = _parts(walk, node)
    return [_whole(parts), *parts[1::2]]


def spell(walk: "Walk", found: Expr, node: "Node") -> None:
    """An object that is turned into text says itself how it is written."""
    if found[0] in SPELLED:
        walk.imply_use(attr(found, "toString"), node)


def _parts(walk: "Walk", node: "Node") -> list[Expr]:
    """Literal parts and what is filled in, by turns."""
    parts: list[Expr] = []
    end = node.start_byte + 1
    for child in node.named_children:
        if child.type == "template_substitution":
            parts.append(text(unescaped(walk.text[end : child.start_byte])))
            parts += walk.each(child.named_children)[-1:] or [text()]
            end = child.end_byte
    parts.append(text(unescaped(walk.text[end : max(end, node.end_byte - 1)])))
    return parts


def _whole(parts: list[Expr]) -> Expr:
    found = joined(parts)
    return text(*(part for part in found[1] if part != "")) if len(found[1]) > 1 else found
