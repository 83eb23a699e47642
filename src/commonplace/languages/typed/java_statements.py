"""Statements of Java: where values flow, and how far locals reach."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow
from commonplace.domain.expr import RESULT, Expr, attr, each, self_, super_
from commonplace.languages.typed.java_calls import arguments_of
from commonplace.languages.typed.java_types import type_of
from commonplace.languages.typed.walk import Visit, Walk

if TYPE_CHECKING:
    from tree_sitter import Node


def declared_type(walk: Walk, node: "Node | None") -> Expr | None:
    """The type of a local; None for ``var``."""
    if node is None or (node.type == "type_identifier" and walk.text(node) == "var"):
        return None
    return type_of(walk, node)


def _local(walk: Walk, node: "Node") -> None:
    type_ = declared_type(walk, node.child_by_field_name("type"))
    for one in node.children_by_field_name("declarator"):
        label, origin = one.child_by_field_name("name"), one.child_by_field_name("value")
        found = walk.expr(origin) if origin is not None else None
        if label is None:
            continue
        walk.declare_made(walk.word(label), type_, found)


def _for_each(walk: Walk, node: "Node") -> None:
    names = walk.names
    origin, label = node.child_by_field_name("value"), node.child_by_field_name("name")
    type_ = declared_type(walk, node.child_by_field_name("type"))
    found = walk.expr(origin) if origin is not None else None
    if label is not None and found is not None:
        target = walk.declare_typed(walk.word(label), type_)
        walk.flow(target, each(found))
        if origin is not None and walk.iterates(found):
            iterator = walk.implied(attr(found, "iterator"), origin)
            walk.implied(attr(iterator, "hasNext"), origin)
            walk.flow(target, walk.implied(attr(iterator, "next"), origin))
    body = node.child_by_field_name("body")
    if body is not None:
        walk.visit(body)
    walk.names = names


def _if(walk: Walk, node: "Node") -> None:
    """A long row of ``else if`` is a loop here, not a depth."""
    following: Node | None = node
    while following is not None and following.type == "if_statement":
        condition = following.child_by_field_name("condition")
        consequence = following.child_by_field_name("consequence")
        if condition is not None:
            walk.expr(condition)
        if consequence is not None:
            walk.visit(consequence)
        following = following.child_by_field_name("alternative")
    if following is not None:
        walk.visit(following)


def _return(walk: Walk, node: "Node") -> None:
    for child in node.named_children:
        if not child.is_extra:
            walk.flows.append(Flow(walk.scope, RESULT, walk.expr(child)))


def _yield(walk: Walk, node: "Node") -> None:
    for child in node.named_children:
        found = walk.expr(child)
        if walk.yields:
            walk.yields[-1].append(found)


def _rule(walk: Walk, node: "Node") -> None:
    names = walk.names
    for child in node.named_children:
        if child.type == "expression_statement" and walk.yields:
            walk.yields[-1].extend(walk.expr(inner) for inner in child.named_children[:1])
        else:
            walk.visit(child)
    walk.names = names


def _label(walk: Walk, node: "Node") -> None:
    """Names of enum constants in a label say nothing by themselves."""
    for child in node.named_children:
        if child.type != "identifier":
            walk.visit(child)


def _type_pattern(walk: Walk, node: "Node") -> None:
    """``Circle c``, in a switch or as a component of a record."""
    parts = [child for child in node.named_children if child.type != "modifiers"]
    if len(parts) == 2:
        type_ = declared_type(walk, parts[0])
        if parts[1].type == "identifier":
            walk.declare_typed(walk.word(parts[1]), type_)
    else:
        walk.children(node)


def _record_pattern(walk: Walk, node: "Node") -> None:
    for child in node.named_children:
        if child.type == "record_pattern_body":
            walk.children(child)
        elif child.type in ("identifier", "type_identifier", "generic_type"):
            type_of(walk, child)
        else:
            walk.visit(child)


def _resource(walk: Walk, node: "Node") -> None:
    """Closed at the end, so ``close`` is called."""
    label, origin = node.child_by_field_name("name"), node.child_by_field_name("value")
    if label is None or origin is None:
        for child in node.named_children:
            walk.implied(attr(walk.expr(child), "close"), child)
        return
    type_ = declared_type(walk, node.child_by_field_name("type"))
    found = walk.expr(origin)
    target = walk.declare_typed(walk.word(label), type_)
    walk.flow(target, found)
    walk.implied(attr(target, "close"), label)


def _catch(walk: Walk, node: "Node") -> None:
    names = walk.names
    for child in node.named_children:
        if child.type == "catch_formal_parameter":
            _caught(walk, child)
        else:
            walk.visit(child)
    walk.names = names


def _caught(walk: Walk, node: "Node") -> None:
    label = node.child_by_field_name("name")
    types: list[Expr] = []
    for child in node.named_children:
        if child.type == "catch_type":
            types.extend(type_of(walk, inner) for inner in child.named_children)
    if label is None:
        return
    target = walk.declare_typed(walk.word(label), types[0] if types else None)
    for type_ in types[1:]:
        walk.flow(target, ("typed", type_))


def _constructor_call(walk: Walk, node: "Node") -> None:
    """Another constructor of the same object: ``this(…)``, ``super(…)``."""
    called = node.child_by_field_name("constructor")
    arguments = arguments_of(walk, node.child_by_field_name("arguments"))
    if called is not None:
        callee = self_() if called.type == "this" else super_()
        walk.called(callee, called, arguments, is_new=True)


def _nothing(walk: Walk, node: "Node") -> None:
    """Names that are labels, modules or comments."""


def _labeled(walk: Walk, node: "Node") -> None:
    for child in node.named_children[1:]:
        walk.visit(child)


def _import(walk: Walk, node: "Node") -> None:
    from_path = next((one for one in node.named_children if "identifier" in one.type), None)
    if from_path is None:
        return
    written = "".join(walk.text(from_path).split())
    is_static = any(child.type == "static" for child in node.children)
    has_all = any(child.type == "asterisk" for child in node.named_children)
    module, _, last = ("", "", "") if has_all else written.rpartition(".")
    walk.bring(written if has_all else module, "*" if has_all else last, node, is_static=is_static)


def _package(walk: Walk, node: "Node") -> None:
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            walk.namespace = "".join(walk.text(child).split())


STATEMENTS: dict[str, Visit] = {
    "block": Walk.block,
    "constructor_body": Walk.block,
    "for_statement": Walk.block,
    "switch_block_statement_group": Walk.children,
    "try_statement": Walk.block,
    "try_with_resources_statement": Walk.block,
    "local_variable_declaration": _local,
    "enhanced_for_statement": _for_each,
    "if_statement": _if,
    "return_statement": _return,
    "yield_statement": _yield,
    "switch_rule": _rule,
    "switch_label": _label,
    "type_pattern": _type_pattern,
    "record_pattern": _record_pattern,
    "record_pattern_component": _type_pattern,
    "resource": _resource,
    "catch_clause": _catch,
    "explicit_constructor_invocation": _constructor_call,
    "import_declaration": _import,
    "package_declaration": _package,
    "module_declaration": _nothing,
    "break_statement": _nothing,
    "continue_statement": _nothing,
    "labeled_statement": _labeled,
    "line_comment": _nothing,
    "block_comment": _nothing,
    "marker_annotation": _nothing,
    "annotation": _nothing,
    "modifiers": _nothing,
}
