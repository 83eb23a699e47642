"""Definitions of Java: types and their members."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Parameter, Symbol, Visibility
from commonplace.domain.expr import Expr, generic, made, name, super_, typed
from commonplace.languages.typed.comments import doc_text
from commonplace.languages.typed.java_annotations import ANNOTATIONS, annotation
from commonplace.languages.typed.java_calls import anonymous, arguments_of, parameters_of
from commonplace.languages.typed.java_types import (
    ARRAY,
    type_list,
    type_of,
    type_parameters,
)
from commonplace.languages.typed.walk import Head, Inside, Visit, Walk, bind_parameters, simple_name

if TYPE_CHECKING:
    from tree_sitter import Node

KINDS = {
    "class_declaration": "Class",
    "interface_declaration": "Interface",
    "annotation_type_declaration": "Interface",
    "enum_declaration": "Enum",
    "record_declaration": "Record",
}
VISIBLE: dict[str, Visibility] = {
    "public": "public",
    "protected": "protected",
    "private": "private",
}
TESTS = frozenset(
    ("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory")
)
FIELDS = frozenset(("field_declaration", "constant_declaration"))


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


def _type(walk: Walk, node: "Node") -> None:
    label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if label is None:
        walk.children(node)
        return
    first, doc = _doc(walk, node)
    head = head_of(walk, node, _default_visibility(walk))
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
            signature=_signature(walk, head, body, node),
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


def _default_visibility(walk: Walk) -> Visibility:
    kind = walk.symbols[walk.scope].kind
    if kind == "Interface":
        return "public"
    return "internal" if kind in ("File", "Class", "Enum", "Record") else "local"


def _supertypes(walk: Walk, node: "Node") -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    above = node.child_by_field_name("superclass")
    bases = type_list(walk, above)
    interfaces = type_list(walk, node.child_by_field_name("interfaces"))
    if node.type == "interface_declaration":
        for child in node.named_children:
            if child.type == "extends_interfaces":
                bases = type_list(walk, child)
    return bases, interfaces


def _signature(walk: Walk, head: Head, body: "Node | None", node: "Node") -> str:
    end = body.start_byte if body is not None else node.end_byte
    return walk.places.line(head.start, end).rstrip(";{ ")


def _doc(walk: Walk, node: "Node") -> "tuple[Node, str]":
    """Where a definition begins, with its Javadoc, and what that says."""
    comments, walk.doc = walk.doc, None
    if comments is None:
        return node, ""
    return comments[0], doc_text(walk.text(comments[0]))


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
            _initializer(walk, member)
        elif member.type != "line_comment":
            walk.visit(member)
            walk.doc = None


def _method(walk: Walk, node: "Node") -> None:
    label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if label is None:
        walk.children(node)
        return
    first, doc = _doc(walk, node)
    head = head_of(walk, node, _default_visibility(walk))
    number, written = walk.reserve(), walk.word(label)
    path, parent = walk.path(written), walk.scope
    _mark(walk, node, head, written)
    with Inside(walk, number):
        generics = type_parameters(walk, node.child_by_field_name("type_parameters"))
        parameters = parameters_of(walk, node.child_by_field_name("parameters"))
        if node.type == "compact_constructor_declaration":
            parameters = walk.symbols[parent].parameters
        type_ = node.child_by_field_name("type")
        walk.symbols[number] = Symbol(
            kind=_kind(node, head),
            name=written,
            path=path,
            parent=parent,
            at=walk.places.between(first, node),
            signature=_signature(walk, head, body, node),
            doc=doc,
            visibility=head.visibility,
            modifiers=frozenset(head.modifiers),
            parameters=parameters,
            type_parameters=generics,
            type=_returned(walk, type_, node),
            decorators=tuple(head.decorators),
        )
        bind_parameters(walk, parameters)
        _thrown(walk, node)
        if node.type == "constructor_declaration":
            _implied_super(walk, walk.symbols[parent], body, label)
        if body is not None:
            walk.visit(body)


def _kind(node: "Node", head: Head) -> str:
    if "constructor" in node.type:
        return "Constructor"
    return "Test" if "test" in head.modifiers else "Method"


def _implied_super(walk: Walk, owner: Symbol, body: "Node | None", label: "Node") -> None:
    """A constructor that calls no other calls its superclass's first."""
    inner = body.named_children if body is not None else []
    is_explicit = any(one.type == "explicit_constructor_invocation" for one in inner[:3])
    if owner.bases and owner.kind == "Class" and not is_explicit:
        walk.implied(super_(), label, is_new=True)


def _returned(walk: Walk, type_: "Node | None", node: "Node") -> Expr | None:
    if type_ is None or type_.type == "void_type":
        return None
    found = type_of(walk, type_)
    return generic(ARRAY, found) if node.child_by_field_name("dimensions") is not None else found


def _thrown(walk: Walk, node: "Node") -> None:
    for child in node.named_children:
        if child.type == "throws":
            for inner in child.named_children:
                type_of(walk, inner)


def _mark(walk: Walk, node: "Node", head: Head, written: str) -> None:
    """What its annotations and place make of a method."""
    names = {
        simple_name(walk.calls[one[1]].callee if one[0] == "call" else one)
        for one in head.decorators
    }
    if "Override" in names:
        head.modifiers.add("override")
    above = walk.symbols[walk.scope]
    is_old = written.startswith("test") and any(simple_name(b) == "TestCase" for b in above.bases)
    if is_old or not TESTS.isdisjoint(names):
        head.modifiers.add("test")
    if above.kind == "Interface" and node.child_by_field_name("body") is None:
        head.modifiers.add("abstract")


def _field(walk: Walk, node: "Node") -> None:
    first, doc = _doc(walk, node)
    head = head_of(walk, node, _default_visibility(walk))
    if node.type == "constant_declaration":
        head.modifiers |= {"static", "final"}
    type_ = node.child_by_field_name("type")
    declared = type_of(walk, type_) if type_ is not None else None
    kind = "Constant" if {"static", "final"} <= head.modifiers else "Field"
    for one in node.children_by_field_name("declarator"):
        label, origin = one.child_by_field_name("name"), one.child_by_field_name("value")
        if label is None:
            continue
        number, written = walk.reserve(), walk.word(label)
        own = declared
        if declared is not None and one.child_by_field_name("dimensions") is not None:
            own = generic(ARRAY, declared)
        shown_end = type_.end_byte if type_ is not None else label.start_byte
        walk.symbols[number] = Symbol(
            kind=kind,
            name=written,
            path=walk.path(written),
            parent=walk.scope,
            at=walk.places.between(first, node),
            signature=f"{walk.places.line(head.start, shown_end)} {written}",
            doc=doc,
            visibility=head.visibility,
            modifiers=frozenset(head.modifiers),
            type=own,
            decorators=tuple(head.decorators),
            value=walk.expr(origin) if origin is not None else None,
        )


def _enum_constant(walk: Walk, node: "Node") -> None:
    label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if label is None:
        return
    first, doc = _doc(walk, node)
    head = head_of(walk, node, "public")
    number, written = walk.reserve(), walk.word(label)
    owner = name(walk.classes[-1][0] if walk.classes else "")
    given = node.child_by_field_name("arguments")
    arguments = arguments_of(walk, given)
    made_class = made(anonymous(walk, body, node, owner)) if body is not None else owner
    walk.symbols[number] = Symbol(
        kind="Constant",
        name=written,
        path=walk.path(written),
        parent=walk.scope,
        at=walk.places.between(first, node),
        signature=walk.places.line(head.start, body.start_byte if body else node.end_byte),
        doc=doc,
        modifiers=frozenset(("static", "final")),
        type=owner,
        decorators=tuple(head.decorators),
        value=walk.called(made_class, label, arguments, is_new=True)
        if body is not None or given is not None or walk.has_constructor
        else typed(owner),
    )


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


def _initializer(walk: Walk, node: "Node") -> None:
    """A block that runs when the class is loaded, or an object made."""
    is_static = node.type == "static_initializer"
    label = walk.nameless("static" if is_static else "init")
    walk.symbols.append(
        Symbol(
            kind="Method",
            name=label,
            path=walk.path(label),
            parent=walk.scope,
            at=walk.places.at(node),
            signature="static" if is_static else "",
            visibility="local",
            modifiers=frozenset(("static",) if is_static else ()),
        )
    )
    with Inside(walk, len(walk.symbols) - 1):
        walk.block(node)


def _program(walk: Walk, node: "Node") -> None:
    each_with_doc(walk, node.named_children)


DECLARATIONS: dict[str, Visit] = {
    **dict.fromkeys(KINDS, _type),
    **dict.fromkeys(FIELDS, _field),
    "program": _program,
    "class_body": _body,
    "interface_body": _body,
    "annotation_type_body": _body,
    "enum_body": _enum_body,
    "enum_constant": _enum_constant,
    "static_initializer": _initializer,
    "method_declaration": _method,
    "constructor_declaration": _method,
    "compact_constructor_declaration": _method,
    "annotation_type_element_declaration": _method,
}
