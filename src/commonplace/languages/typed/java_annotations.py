"""Annotations of Java as decorators."""

from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, name
from commonplace.languages.typed.java_types import dotted
from commonplace.languages.typed.walk import Evaluate, Walk

if TYPE_CHECKING:
    from tree_sitter import Node


def annotation(walk: Walk, node: "Node") -> Expr:
    """``@Entity`` is a name, ``@Table(name = "orders")`` a call."""
    label = node.child_by_field_name("name")
    if label is None:
        return name("")
    found = dotted(walk, label)
    given = node.child_by_field_name("arguments")
    if given is None:
        return found
    arguments: list[Expr] = []
    keywords: list[tuple[str, Expr]] = []
    for child in given.named_children:
        key, origin = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "element_value_pair" and key is not None and origin is not None:
            keywords.append((walk.word(key), walk.expr(origin)))
        elif not child.is_extra:
            arguments.append(walk.expr(child))
    number = walk.called(found, label, tuple(arguments))
    walk.calls[-1] = walk.calls[-1]._replace(keywords=tuple(keywords))
    return number


ANNOTATIONS: dict[str, Evaluate] = {"marker_annotation": annotation, "annotation": annotation}
