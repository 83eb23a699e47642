"""Composite literals: structs made by their fields, slices and maps by their members."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Call
from commonplace.domain.expr import Expr, call, mapping, seq, typed
from commonplace.languages.golang import strings
from commonplace.languages.golang.kinds import type_of
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.walk import UNKNOWN

if TYPE_CHECKING:
    from tree_sitter import Node

STRINGS = frozenset(("interpreted_string_literal", "raw_string_literal"))
LISTS = frozenset(("slice_type", "array_type", "implicit_length_array_type"))


def composite(walk: GoWalk, node: "Node") -> Expr:
    """``T{A: 1}`` is a new T with keywords; ``[]T{…}`` a list, ``map[K]V{…}`` a mapping."""
    written, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if written is None or body is None:
        walk.put_off(node.named_children)
        return UNKNOWN
    return _filled(walk, type_of(walk, written), written, body)


def _filled(walk: GoWalk, type_: Expr, written: "Node", body: "Node") -> Expr:
    if written.type in LISTS or written.type == "map_type":
        below = written.child_by_field_name("element") or written.child_by_field_name("value")
        pairs = [_pair(walk, child, below) for child in body.named_children if not child.is_extra]
        if not pairs:
            return typed(type_)
        if written.type == "map_type":
            return mapping(*pairs)
        return seq("list", *(given for _, given in pairs))
    pairs = [_pair(walk, child, None) for child in body.named_children if not child.is_extra]
    if type_[0] == "map":
        return mapping(*pairs)
    at = walk.sheet.at(_name(written))
    keywords = tuple((str(label), given) for label, given in pairs if label is not None)
    arguments = tuple(given for label, given in pairs if label is None)
    walk.calls.append(Call(walk.scope.number, type_, arguments, keywords, at, is_new=True))
    return call(len(walk.calls) - 1)


def _name(node: "Node") -> "Node":
    """The name of a type, without package and arguments."""
    if node.type == "generic_type":
        node = node.named_children[0]
    return node.named_children[-1] if node.type == "qualified_type" else node


def _pair(walk: GoWalk, node: "Node", below: "Node | None") -> tuple[str | int | None, Expr]:
    """One member with its key, if that is a name or a string."""
    label: str | None = None
    given = node
    if node.type == "keyed_element":
        key, last = node.named_children[0], node.named_children[-1]
        label, given = _key(walk, key, is_field=below is None), last
    inner = given.named_children[0] if given.type == "literal_element" else given
    if inner.type != "literal_value":
        return label, walk.expr(inner)
    if below is None or walk.depth > 100:
        return label, walk.expr(inner)
    walk.depth += 1
    while below.type == "pointer_type" and below.named_children:
        below = below.named_children[-1]
    found = _filled(walk, type_of(walk, below), below, inner)
    walk.depth -= 1
    return label, found


def _key(walk: GoWalk, node: "Node", *, is_field: bool) -> str | None:
    inner = (
        node.named_children[0] if node.type == "literal_element" and node.named_children else node
    )
    if inner.type in STRINGS:
        return strings.literal(walk, inner)
    if is_field and inner.type == "identifier":
        return walk.word(inner)
    walk.expr(inner)
    return None


def literal_value(walk: GoWalk, node: "Node") -> Expr:
    """Members of a type that is not written here."""
    pairs = [_pair(walk, child, None) for child in node.named_children if not child.is_extra]
    return mapping(*pairs)
