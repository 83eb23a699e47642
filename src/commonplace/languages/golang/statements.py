"""Statements of Go: what they declare and where values go; the rest is walked as it comes."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from commonplace.domain.code import Flow
from commonplace.domain.expr import RESULT, Expr, each, item, one, seq, typed, value
from commonplace.languages.golang.definitions import (
    declare_types,
    declared_function,
    declared_method,
    declared_values,
    import_spec,
    part,
    type_spec,
)
from commonplace.languages.golang.expressions import EXPRESSIONS
from commonplace.languages.golang.functions import function
from commonplace.languages.golang.kinds import TYPES, type_of
from commonplace.languages.golang.names import target
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.quoted import joined
from commonplace.languages.walk import UNKNOWN, Leave, Naming, Visit

if TYPE_CHECKING:
    from tree_sitter import Node


def _comment(walk: GoWalk, node: "Node") -> None:
    walk.comment = node


def _block(walk: GoWalk, node: "Node") -> "list[Node | Leave]":
    return walk.block(node.named_children)


def _short(walk: GoWalk, node: "Node") -> None:
    """``a, b := f()``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        walk.put_off(node.named_children)
        return
    labels = [child for child in left.named_children if not child.is_extra]
    _declare(walk, labels, [child for child in right.named_children if not child.is_extra])


def _declare(walk: GoWalk, labels: "list[Node]", given: "list[Node]") -> None:
    """New locals; a function takes the name it is given to."""
    if len(labels) == 1 and len(given) == 1 and given[0].type == "func_literal":
        _declare_function(walk, walk.word(labels[0]), given[0])
        return
    found = walk.each(given)
    for number, label in enumerate(labels):
        gets = part(found, number, len(labels))
        if label.type != "identifier" or walk.word(label) == "_":
            continue
        goal = walk.declared(walk.word(label))
        if gets is not None:
            walk.flows.append(Flow(walk.scope.number, goal, gets))


def _declare_function(walk: GoWalk, label: str, node: "Node") -> None:
    """It is called by the local, unless the name means something else before and after."""
    if walk.is_hidden(label):
        found = walk.expr(node)
        walk.flows.append(Flow(walk.scope.number, walk.declared(label), found))
    else:
        function(walk, node, Naming(walk.local(label)[1]))


def _assign(walk: GoWalk, node: "Node") -> None:
    """``a, b = b, a`` and ``s += "x"``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        walk.put_off(node.named_children)
        return
    goals = [target(walk, child) for child in left.named_children if not child.is_extra]
    found = walk.each(right.named_children)
    if operator.type == "=":
        for number, goal in enumerate(goals):
            gets = part(found, number, len(goals))
            if gets is not None and goal[0] in ("name", "attr", "item"):
                walk.add_flow(goal, gets)
    elif operator.type == "+=" and goals and found and found[0][0] in ("text", "name", "attr"):
        walk.add_flow(goals[0], joined((goals[0], found[0])))


def _variables(walk: GoWalk, node: "Node") -> None:
    """``var x T = y``: symbols of the package, locals elsewhere."""
    if walk.scope.is_open:
        declared_values(walk, node)
        return
    for spec in node.named_children:
        for child in spec.named_children if spec.type == "var_spec_list" else [spec]:
            _variable(walk, child)


def _variable(walk: GoWalk, node: "Node") -> None:
    written, given = node.child_by_field_name("type"), node.child_by_field_name("value")
    labels = [label for label in node.children_by_field_name("name") if label.is_named]
    type_ = type_of(walk, written) if written is not None else None
    _declare(walk, labels, given.named_children if given is not None else [])
    if type_ is None or type_[0] == "value":
        return
    for label in labels:
        goal = ("name", walk.meant(walk.word(label)))
        walk.flows.append(Flow(walk.scope.number, goal, typed(type_)))


def _types(walk: GoWalk, node: "Node") -> None:
    if not walk.scope.is_open:  # those of the package were declared ahead
        declare_types(walk, node)


def _return(walk: GoWalk, node: "Node") -> None:
    found: list[Expr] = []
    for child in node.named_children:
        found += walk.each(child.named_children if child.type == "expression_list" else [child])
    if not found:
        found = walk.results.get(walk.scope.number, [])
    if found:
        gives = found[0] if len(found) == 1 else seq("tuple", *found)
        walk.flows.append(Flow(walk.scope.number, RESULT, gives))


def _range(walk: GoWalk, node: "Node") -> None:
    """``for k, v := range xs``: v is an element whatever the key; a function is called."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    over = walk.expr(right) if right is not None else UNKNOWN
    if right is not None and over[0] in ("name", "attr", "call"):
        walk.implied(over, right)
    if left is None:
        return
    labels = [child for child in left.named_children if not child.is_extra]
    gets = [each(over)] if len(labels) == 1 else [value("int"), item(over)]
    is_new = any(child.type == ":=" for child in node.children)
    for label, found in zip(labels, gets, strict=False):
        if label.type == "identifier" and walk.word(label) == "_":
            continue
        if is_new:
            goal = walk.declared(walk.word(label))
            walk.flows.append(Flow(walk.scope.number, goal, found))
        else:
            walk.add_flow(target(walk, label), found)


def _receive(walk: GoWalk, node: "Node") -> None:
    """``case v, ok := <-ch``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    found = walk.expr(right) if right is not None else UNKNOWN
    is_new = any(child.type == ":=" for child in node.children)
    for label in left.named_children[:1] if left is not None else ():
        if label.type != "identifier" or walk.word(label) == "_":
            continue
        goal = walk.declared(walk.word(label)) if is_new else target(walk, label)
        walk.add_flow(goal, found)


def _send(walk: GoWalk, node: "Node") -> None:
    """What is sent to a channel is among its elements."""
    channel, given = node.child_by_field_name("channel"), node.child_by_field_name("value")
    if channel is not None and given is not None:
        walk.add_flow(item(walk.expr(channel)), walk.expr(given))


def _type_switch(walk: GoWalk, node: "Node") -> "list[Node | Leave]":
    """``switch v := x.(type)``: in each case v is of its types."""
    alias, over = node.child_by_field_name("alias"), node.child_by_field_name("value")
    below = [child for child in node.named_children if child.type in ("type_case", "default_case")]
    first = node.child_by_field_name("initializer")
    found = walk.expr(over) if over is not None else UNKNOWN
    if alias is not None and alias.named_children:
        label = walk.word(alias.named_children[0])
        walk.switched |= {case.id: (label, found) for case in below}
    return walk.block([first, *below] if first is not None else below)


def _case(walk: GoWalk, node: "Node") -> "list[Node | Leave]":
    types = [child for child in node.children_by_field_name("type") if child.is_named]
    found = [type_of(walk, child) for child in types if child.type in TYPES]
    label, gets = walk.switched.get(node.id, (None, UNKNOWN))
    below = walk.block([child for child in node.named_children if child not in types])
    if label is not None:
        goal = walk.declared(label)
        known = [typed(type_) for type_ in found if type_[0] != "value"]
        if known:
            gets = known[0] if len(known) == 1 else one(*known)
        walk.flows.append(Flow(walk.scope.number, goal, gets))
    return below


def _step(walk: GoWalk, node: "Node") -> None:
    for child in node.named_children:
        target(walk, child)


def _type(walk: GoWalk, node: "Node") -> None:
    type_of(walk, node)


def _list(_walk: GoWalk, node: "Node") -> "Iterable[Node]":
    return reversed(node.named_children)


def _nothing(_walk: GoWalk, _: "Node") -> None:
    return None


STATEMENTS: Mapping[str, Visit] = {
    **{kind: _type for kind in TYPES if kind not in EXPRESSIONS},
    "comment": _comment,
    "package_clause": _nothing,
    "block": _block,
    "if_statement": _block,
    "for_statement": _block,
    "expression_switch_statement": _block,
    "expression_case": _block,
    "default_case": _case,
    "type_switch_statement": _type_switch,
    "type_case": _case,
    "communication_case": _block,
    "receive_statement": _receive,
    "send_statement": _send,
    "short_var_declaration": _short,
    "assignment_statement": _assign,
    "var_declaration": _variables,
    "const_declaration": _variables,
    "type_declaration": _types,
    "type_spec": type_spec,
    "type_alias": type_spec,
    "range_clause": _range,
    "return_statement": _return,
    "inc_statement": _step,
    "dec_statement": _step,
    "import_spec": import_spec,
    "function_declaration": declared_function,
    "method_declaration": declared_method,
    "label_name": _nothing,
    "break_statement": _nothing,
    "continue_statement": _nothing,
    "goto_statement": _nothing,
    "fallthrough_statement": _nothing,
    "empty_statement": _nothing,
    "field_identifier": _nothing,
    "package_identifier": _nothing,
}
