"""Names, members and elements."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow, Parameter, Use
from commonplace.domain.expr import Expr, attr, begins, item, seq, star
from commonplace.languages.ecma import strings

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.walk import Scope, Walk

# Names every program has: reading one refers to nothing of ours.
_BUILT_IN = """
    undefined console window document globalThis global process Object Array String Number Boolean
    Symbol Math JSON Date Promise Map Set WeakMap WeakSet Error TypeError RangeError RegExp Function
    Proxy Reflect BigInt NaN Infinity arguments module exports require Buffer Record Partial
    Readonly Pick Omit Required ReturnType Parameters Exclude Extract NonNullable Awaited
    InstanceType ReadonlyArray Iterable Iterator AsyncIterable Uint8Array HTMLElement Event
"""
BUILT_IN = frozenset(_BUILT_IN.split())
TAKING = frozenset(("Function", "Method", "Constructor", "Property"))
_new = tuple.__new__  # half the time of what it stands for, hundreds of times a file


def identifier(walk: "Walk", node: "Node") -> Expr:
    """A bare name that is read."""
    label = walk.meant(walk.word(node))
    found = ("name", label)
    if label in BUILT_IN:
        if label == "arguments":
            _take_all(walk)
    elif not walk.is_local(label):
        walk.uses.append(_new(Use, (walk.scope.number, found, walk.sheet.at(node), "read")))
    return found


def _take_all(walk: "Walk") -> None:
    """``arguments``: a function that reads it takes whatever it is given."""
    scope: Scope | None = walk.scope
    while scope is not None and "arrow" in walk.drafts[scope.number].modifiers:
        scope = scope.outer
    if scope is None or walk.drafts[scope.number].kind not in TAKING:
        return
    draft = walk.drafts[scope.number]
    if not draft.parameters:
        draft.parameters = (Parameter("arguments", "rest"),)
    elif draft.parameters[-1].name != "arguments":
        whole = seq("list", *(_given(one) for one in draft.parameters))
        walk.flows.append(Flow(scope.number, ("name", "arguments"), whole))
        scope.names["arguments"] = 1


def _given(parameter: Parameter) -> Expr:
    found = ("name", parameter.name)
    return star(found) if parameter.flavour == "rest" else found


def base(walk: "Walk", node: "Node") -> Expr:
    """What a member is taken of, or what is called: a bare name is no use of its own."""
    if node.type == "identifier":
        label = walk.word(node)
        if label == "arguments":
            _take_all(walk)
        return ("name", walk.meant(label))
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
    key = walk.expr(index)
    known = constant(walk, index)
    if known is not None:
        is_member = known[:1] != "[" or index.type == "identifier"  # a string, or a symbol
        return attr(found, known) if is_member else item(found, known)
    if key[0] == "text" and len(key[1]) > 1 and isinstance(key[1][0], str) and len(key[1][0]) > 1:
        return begins(found, key[1][0])
    if key[0] == "name" and _is_key(walk, key[1]):
        return begins(found, "")
    written = walk.text[index.start_byte : index.end_byte]
    return item(found, int(written) if written.isdecimal() and len(written) < 10 else None)


def _is_key(walk: "Walk", label: str) -> bool:
    """Whether a parameter is declared to name a member: ``keyof T``, ``K extends keyof T``."""
    draft = walk.drafts[walk.scope.number]
    bounds = {one.name: one.type for one in draft.type_parameters if one.type is not None}
    for one in draft.parameters:
        if one.name == label and one.type is not None:
            type_ = bounds.get(one.type[1], one.type) if one.type[0] == "name" else one.type
            return bool(type_[0] == "keys")
    return False


def constant(walk: "Walk", node: "Node") -> str | None:
    """A key that is no literal but always the same: a constant's string, or ``[Kind.A]``."""
    if node.type == "identifier":
        return walk.constants.get(walk.word(node))
    if node.type == "member_expression" and node.end_byte - node.start_byte < 60:
        written = walk.text[node.start_byte : node.end_byte]
        if written[:1].isupper() and written.replace(".", "").isidentifier():
            return f"[{written}]"
    return None


def local(walk: "Walk", label: str, word: str) -> Expr:
    """Declare a local with ``const``, ``let``, ``var``; the name it has in facts."""
    is_var = word == "var"
    return walk.local(
        label, is_var=is_var, hides=walk.is_block and not is_var and _hides(walk, label)
    )


def _hides(walk: "Walk", label: str) -> bool:
    """Whether something around the block has the same name."""
    scope: Scope | None = walk.scope
    for one in walk.imports:
        if one.alias == label:
            return True
    while scope is not None:
        is_class = walk.drafts[scope.number].kind == "Class"  # its members are no bare names
        if (scope.number, label) in walk.named and not is_class:
            return True
        if scope is not walk.scope and label in scope.names:
            return True
        scope = scope.outer
    return False


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
    found = walk.expr(node)
    return item(found[1]) if found[0] == "begins" else found
