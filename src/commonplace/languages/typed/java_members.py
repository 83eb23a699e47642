"""Members of Java types: fields, constants, constructors, methods, initialisers."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Symbol
from commonplace.domain.expr import Expr, generic, made, name, super_, typed
from commonplace.languages.typed.java_calls import anonymous, arguments_of, parameters_of
from commonplace.languages.typed.java_heads import default_visibility, doc_of, head_of, signature
from commonplace.languages.typed.java_types import ARRAY, type_of, type_parameters
from commonplace.languages.typed.walk import Head, Inside, Visit, Walk, bind_parameters, simple_name

if TYPE_CHECKING:
    from tree_sitter import Node

TESTS = frozenset(
    ("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory")
)


def _method(walk: Walk, node: "Node") -> None:
    label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if label is None:
        walk.children(node)
        return
    first, doc = doc_of(walk, node)
    head = head_of(walk, node, default_visibility(walk))
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
            signature=signature(walk, head, body, node),
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
    first, doc = doc_of(walk, node)
    head = head_of(walk, node, default_visibility(walk))
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
    first, doc = doc_of(walk, node)
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


def initializer(walk: Walk, node: "Node") -> None:
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


MEMBERS: dict[str, Visit] = {
    "field_declaration": _field,
    "constant_declaration": _field,
    "enum_constant": _enum_constant,
    "static_initializer": initializer,
    "method_declaration": _method,
    "constructor_declaration": _method,
    "compact_constructor_declaration": _method,
    "annotation_type_element_declaration": _method,
}
