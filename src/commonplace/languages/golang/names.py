"""Names, members and elements."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Use
from commonplace.domain.expr import Expr, attr, generic, item
from commonplace.languages.golang import strings
from commonplace.languages.golang.kinds import BUILT_IN

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.golang.walk import GoWalk


def identifier(walk: "GoWalk", node: "Node") -> Expr:
    """A bare name that is read."""
    label = walk.meant(walk.word(node))
    if label not in BUILT_IN and not walk.is_local(label):
        walk.uses.append(Use(walk.scope.number, ("name", label), walk.sheet.at(node)))
    return ("name", label)


def base(walk: "GoWalk", node: "Node") -> Expr:
    """What a member is taken of, or what is called: a bare name is no use of its own."""
    if node.type == "identifier":
        return ("name", walk.meant(walk.word(node)))
    return walk.expr(node)


def _member(walk: "GoWalk", node: "Node") -> "tuple[Expr, Node]":
    """A member, and the node of its name."""
    children = node.children
    return attr(base(walk, children[0]), walk.word(children[-1])), children[-1]


def selector(walk: "GoWalk", node: "Node") -> Expr:
    """A member that is read."""
    found, last = _member(walk, node)
    walk.uses.append(Use(walk.scope.number, found, walk.sheet.at(last)))
    return found


def callee(walk: "GoWalk", node: "Node") -> "tuple[Expr, Node]":
    """What is called, and the node of its name."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    if node.type == "selector_expression":
        return _member(walk, node)
    key = node.child_by_field_name("index") if node.type == "index_expression" else None
    operand = node.child_by_field_name("operand")
    if key is not None and operand is not None and _may_be_type(key):
        called, at = callee(walk, operand)
        return generic(called, walk.expr(key)), at
    return base(walk, node), node


def _may_be_type(node: "Node") -> bool:
    """Whether what stands in brackets is a type, for all that can be seen: ``New[*Order]()``."""
    if node.type == "unary_expression":
        return node.children[0].type == "*"
    return node.type in ("identifier", "selector_expression")


def index(walk: "GoWalk", node: "Node") -> Expr:
    """``xs[i]``; of keys, strings and whole numbers are known."""
    operand, key = node.child_by_field_name("operand"), node.child_by_field_name("index")
    if operand is None or key is None:
        walk.put_off(node.named_children)
        return ("value", "unknown")
    found = base(walk, operand)
    if key.type in ("interpreted_string_literal", "raw_string_literal"):
        return item(found, strings.literal(walk, key))
    walk.expr(key)
    written = walk.text[key.start_byte : key.end_byte]
    return item(found, int(written) if written.isdecimal() and len(written) < 10 else None)


def target(walk: "GoWalk", node: "Node") -> Expr:
    """What is written to: a name, member or element; a pointer is what it points to."""
    while node.type in ("parenthesized_expression", "unary_expression") and node.named_children:
        node = node.named_children[-1]
    if node.type == "selector_expression":
        found, last = _member(walk, node)
        walk.uses.append(Use(walk.scope.number, found, walk.sheet.at(last), "write"))
        return found
    if node.type == "identifier":
        label = walk.meant(walk.word(node))
        if not walk.is_local(label):
            walk.uses.append(Use(walk.scope.number, ("name", label), walk.sheet.at(node), "write"))
        return ("name", label)
    return walk.expr(node)
