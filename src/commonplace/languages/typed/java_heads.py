"""What stands before the name of a Java definition: modifiers, annotations, Javadoc."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Visibility
from commonplace.languages.typed.comments import doc_text
from commonplace.languages.typed.java_annotations import ANNOTATIONS, annotation
from commonplace.languages.typed.walk import Head, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

VISIBLE: dict[str, Visibility] = {
    "public": "public",
    "protected": "protected",
    "private": "private",
}


def head_of(walk: Walk, node: "Node", visibility: Visibility) -> Head:
    """Modifiers and annotations of a definition."""
    head = Head(node.start_byte, visibility)
    first = node.child(0)
    if first is None or first.type != "modifiers":
        return head
    has_word = False
    for child in first.children:
        kind = child.type
        if kind in ANNOTATIONS:
            head.decorators.append(annotation(walk, child))
            if not has_word:
                head.start = child.end_byte
        elif kind in VISIBLE:
            head.visibility = VISIBLE[kind]
            has_word = True
        elif not child.is_extra:
            head.modifiers.add(walk.word(child))
            has_word = True
    return head


def default_visibility(walk: Walk) -> Visibility:
    """What a definition without a word for it is, where the walk stands."""
    kind = walk.symbols[walk.scope].kind
    if kind == "Interface":
        return "public"
    return "internal" if kind in ("File", "Class", "Enum", "Record") else "local"


def signature(walk: Walk, head: Head, body: "Node | None", node: "Node") -> str:
    """One line without body."""
    end = body.start_byte if body is not None else node.end_byte
    return walk.places.line(head.start, end).rstrip(";{ ")


def doc_of(walk: Walk, node: "Node") -> "tuple[Node, str]":
    """Where a definition begins, with its Javadoc, and what that says."""
    comments, walk.doc = walk.doc, None
    if comments is None:
        return node, ""
    return comments[0], doc_text(walk.text(comments[0]))
