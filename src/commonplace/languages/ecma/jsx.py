"""JSX: an element of a component calls it with one object, as what it is compiled to does."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, mapping, seq, text, value
from commonplace.languages.ecma.annotations import dotted
from commonplace.languages.walk import UNKNOWN, Evaluate, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

ELEMENT = value("jsx")


def _element(walk: Walk, node: "Node") -> Expr:
    opened = node.child_by_field_name("open_tag")
    if opened is None:
        walk.put_off(node.named_children)
        return ELEMENT
    inner = [
        child
        for child in node.named_children
        if child.type not in ("jsx_opening_element", "jsx_closing_element", "jsx_text")
    ]
    pairs = _properties(walk, opened)
    children = walk.each(inner)
    if children:
        pairs.append(("children", children[0] if len(children) == 1 else seq("list", *children)))
    return _called(walk, opened, pairs)


def _closed(walk: Walk, node: "Node") -> Expr:
    return _called(walk, node, _properties(walk, node))


def _called(walk: Walk, tag: "Node", pairs: list[tuple[str | int | None, Expr]]) -> Expr:
    """A component's name begins with a capital or has a dot; others are elements of the page."""
    label = tag.child_by_field_name("name")
    if label is None:
        return ELEMENT
    if label.type == "identifier":
        word = walk.word(label)
        if word[:1].islower() and not walk.is_local(word):
            return ELEMENT
        walk.add_call(("name", walk.meant(word)), (mapping(*pairs),), label)
    elif label.type != "jsx_namespace_name":
        walk.add_call(dotted(walk, label), (mapping(*pairs),), label.children[-1])
    return ELEMENT


def _properties(walk: Walk, tag: "Node") -> list[tuple[str | int | None, Expr]]:
    pairs: list[tuple[str | int | None, Expr]] = []
    for child in tag.named_children:
        if child.type == "jsx_attribute":
            parts = child.named_children
            given = walk.each(parts[1:]) if len(parts) > 1 else [value("bool")]
            if parts and given:
                pairs.append((walk.word(parts[0]), given[0]))
        elif child.type == "jsx_expression":  # {...rest}
            pairs += [
                (None, found[1] if found[0] == "star" else found) for found in walk.each([child])
            ]
    return pairs


def _expression(walk: Walk, node: "Node") -> Expr:
    found = walk.each(node.children)
    return found[-1] if found else UNKNOWN


def _text(_walk: Walk, _: "Node") -> Expr:
    return text()


JSX: Mapping[str, Evaluate] = {
    "jsx_element": _element,
    "jsx_self_closing_element": _closed,
    "jsx_expression": _expression,
    "jsx_text": _text,
}
