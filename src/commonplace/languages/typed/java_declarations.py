"""Definitions of Java: types and what they hold."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Parameter, Symbol
from commonplace.domain.expr import Expr
from commonplace.languages.typed.java_calls import parameters_of
from commonplace.languages.typed.java_heads import default_visibility, doc_of, head_of, signature
from commonplace.languages.typed.java_members import MEMBERS, initializer
from commonplace.languages.typed.java_types import type_list, type_parameters
from commonplace.languages.typed.walk import Inside, Visit, Walk, simple_name

if TYPE_CHECKING:
    from tree_sitter import Node

KINDS = {
    "class_declaration": "Class",
    "interface_declaration": "Interface",
    "annotation_type_declaration": "Interface",
    "enum_declaration": "Enum",
    "record_declaration": "Record",
}
FIELDS = frozenset(("field_declaration", "constant_declaration"))


def _type(walk: Walk, node: "Node") -> None:
    label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if label is None:
        walk.children(node)
        return
    first, doc = doc_of(walk, node)
    head = head_of(walk, node, default_visibility(walk))
    if node.type == "annotation_type_declaration":
        head.modifiers.add("annotation")
    number, written = walk.reserve(), walk.word(label)
    path, parent = walk.path(written), walk.scope
    walk.classes.append((written, {}))
    with Inside(walk, number):
        generics = type_parameters(walk, node.child_by_field_name("type_parameters"))
        bases, interfaces = _supertypes(walk, node)
        parameters = parameters_of(walk, node.child_by_field_name("parameters"))
        walk.symbols[number] = Symbol(
            kind=KINDS[node.type],
            name=written,
            path=path,
            parent=parent,
            at=walk.places.between(first, node),
            signature=signature(walk, head, body, node),
            doc=doc,
            visibility=head.visibility,
            modifiers=frozenset(head.modifiers),
            parameters=parameters,
            type_parameters=generics,
            bases=bases,
            interfaces=interfaces,
            decorators=tuple(head.decorators),
        )
        if node.type == "record_declaration":
            _components(walk, node, parameters)
        if body is not None:
            walk.visit(body)
    walk.classes.pop()


def _supertypes(walk: Walk, node: "Node") -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    above = node.child_by_field_name("superclass")
    bases = type_list(walk, above)
    interfaces = type_list(walk, node.child_by_field_name("interfaces"))
    if node.type == "interface_declaration":
        for child in node.named_children:
            if child.type == "extends_interfaces":
                bases = type_list(walk, child)
    return bases, interfaces


def _components(walk: Walk, node: "Node", parameters: tuple[Parameter, ...]) -> None:
    """A record has a field and a method for each of what it is made of."""
    body = node.child_by_field_name("body")
    own = {
        walk.text(label)
        for child in (body.named_children if body is not None else ())
        if child.type == "method_declaration"
        and (label := child.child_by_field_name("name")) is not None
    }
    given = node.child_by_field_name("parameters")
    nodes = [
        child for child in (given.named_children if given else ()) if "parameter" in child.type
    ]
    for component, parameter in zip(nodes, parameters, strict=False):
        decorators = tuple(head_of(walk, component, "private").decorators)
        shown = walk.places.line(component.start_byte, component.end_byte)
        walk.classes[-1][1][parameter.name] = simple_name(parameter.type) if parameter.type else ""
        for kind in ("Field",) if parameter.name in own else ("Field", "Method"):
            walk.symbols.append(
                Symbol(
                    kind=kind,
                    name=parameter.name,
                    path=walk.path(parameter.name),
                    parent=walk.scope,
                    at=walk.places.at(component),
                    signature=shown if kind == "Field" else f"{shown}()",
                    visibility="private" if kind == "Field" else "public",
                    modifiers=frozenset(("final", "component")),
                    type=parameter.type,
                    decorators=decorators if kind == "Field" else (),
                )
            )


def _body(walk: Walk, node: "Node") -> None:
    """Members in order; fields are known to all of them."""
    members = node.named_children
    fields = walk.classes[-1][1] if walk.classes else {}
    for member in members:
        if member.type in FIELDS:
            type_ = member.child_by_field_name("type")
            simple = walk.text(type_) if type_ is not None else ""
            for one in member.children_by_field_name("declarator"):
                label = one.child_by_field_name("name")
                if label is not None:
                    fields[walk.word(label)] = simple
    each_with_doc(walk, members)


def each_with_doc(walk: Walk, members: "list[Node]") -> None:
    """Definitions, each with the Javadoc right before it."""
    for member in members:
        if member.type == "block_comment":
            walk.doc = (member, member) if walk.text(member).startswith("/**") else None
        elif member.type == "block":
            initializer(walk, member)
        elif member.type != "line_comment":
            walk.visit(member)
            walk.doc = None


def _enum_body(walk: Walk, node: "Node") -> None:
    inner = [child for child in node.named_children if child.type == "enum_body_declarations"]
    has_constructor, walk.has_constructor = (
        walk.has_constructor,
        any(
            one.type == "constructor_declaration" for child in inner for one in child.named_children
        ),
    )
    each_with_doc(walk, [child for child in node.named_children if child not in inner])
    walk.has_constructor = has_constructor
    for child in inner:
        _body(walk, child)


def _program(walk: Walk, node: "Node") -> None:
    each_with_doc(walk, node.named_children)


DECLARATIONS: dict[str, Visit] = {
    **dict.fromkeys(KINDS, _type),
    **MEMBERS,
    "program": _program,
    "class_body": _body,
    "interface_body": _body,
    "annotation_type_body": _body,
    "enum_body": _enum_body,
}
