"""Names, members and elements."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Use
from commonplace.domain.expr import Expr, attr, item
from commonplace.languages.ecma import strings

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.walk import Walk

# Names every program has: reading one refers to nothing of ours.
_BUILT_IN = """
    undefined console window document globalThis global process Object Array String Number Boolean
    Symbol Math JSON Date Promise Map Set WeakMap WeakSet Error TypeError RangeError RegExp Function
    Proxy Reflect BigInt NaN Infinity arguments module exports require Buffer Record Partial
    Readonly Pick Omit Required ReturnType Parameters Exclude Extract NonNullable Awaited
    InstanceType ReadonlyArray Iterable Iterator AsyncIterable Uint8Array HTMLElement Event
"""
BUILT_IN = frozenset(_BUILT_IN.split())
_new = tuple.__new__  # half the time of what it stands for, hundreds of times a file


def identifier(walk: "Walk", node: "Node") -> Expr:
    """A bare name that is read."""
    label = walk.meant(walk.word(node))
    found = ("name", label)
    if label not in BUILT_IN and not walk.is_local(label):
        walk.uses.append(_new(Use, (walk.scope.number, found, walk.sheet.at(node), "read")))
    return found


def base(walk: "Walk", node: "Node") -> Expr:
    """What a member is taken of, or what is called: a bare name is no use of its own."""
    if node.type == "identifier":
        return ("name", walk.meant(walk.word(node)))
    return walk.expr(node)


def _member(walk: "Walk", node: "Node") -> "tuple[Expr, Node]":
    """A member, and the node of its name."""
    children = node.children
    owner, last = children[0], children[-1]
    if owner.type == "identifier":
        return ("attr", ("name", walk.meant(walk.word(owner))), walk.word(last)), last
    return ("attr", walk.expr(owner), walk.word(last)), last


def member(walk: "Walk", node: "Node") -> Expr:
    """A member that is read."""
    found, last = _member(walk, node)
    walk.uses.append(_new(Use, (walk.scope.number, found, walk.sheet.at(last), "read")))
    return found


def callee(walk: "Walk", node: "Node") -> "tuple[Expr, Node]":
    """What is called, and the node of its name."""
    if node.type == "member_expression":
        return _member(walk, node)
    return base(walk, node), node


def subscript(walk: "Walk", node: "Node") -> Expr:
    """``x["name"]`` is ``x.name``; of other keys only whole numbers are known."""
    owner, index = node.child_by_field_name("object"), node.child_by_field_name("index")
    if owner is None or index is None:
        walk.put_off(node.named_children)
        return ("value", "unknown")
    found = base(walk, owner)
    if index.type == "string":
        return attr(found, strings.literal(walk, index))
    walk.expr(index)
    written = walk.text[index.start_byte : index.end_byte]
    return item(found, int(written) if written.isdecimal() and len(written) < 10 else None)


def target(walk: "Walk", node: "Node") -> Expr:
    """What is written to: a name, member or element."""
    kind = node.type
    if kind == "member_expression":
        found, last = _member(walk, node)
        walk.uses.append(Use(walk.scope.number, found, walk.sheet.at(last), "write"))
        return found
    if kind == "identifier" or kind == "shorthand_property_identifier_pattern":
        label = walk.meant(walk.word(node))
        if not walk.is_local(label):
            walk.uses.append(Use(walk.scope.number, ("name", label), walk.sheet.at(node), "write"))
        return ("name", label)
    if kind in ("parenthesized_expression", "non_null_expression", "as_expression"):
        inner = node.named_children
        return target(walk, inner[0]) if inner and walk.depth < 100 else walk.expr(node)
    return walk.expr(node)
