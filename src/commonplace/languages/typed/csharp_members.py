"""Members of C# types: fields, properties, events, methods, operators, constructors."""

from typing import TYPE_CHECKING, NamedTuple

from commonplace.domain.code import Call, Parameter, Symbol, Visibility
from commonplace.domain.expr import Expr, name, self_, super_
from commonplace.languages.typed.csharp_calls import arguments_of, parameters_of
from commonplace.languages.typed.csharp_creations import valued
from commonplace.languages.typed.csharp_heads import doc_of, head_of
from commonplace.languages.typed.csharp_types import type_of, type_parameters
from commonplace.languages.typed.walk import Head, Inside, Visit, Walk, bind_parameters

if TYPE_CHECKING:
    from tree_sitter import Node

TYPES = frozenset(("Class", "Struct", "Record", "Enum"))


def default_visibility(walk: Walk) -> Visibility:
    """What a member or type without a word for it is."""
    kind = walk.symbols[walk.scope].kind
    if kind in TYPES:
        return "private"
    if kind == "Interface":
        return "public"
    return "internal" if kind in ("File", "Namespace") else "local"


class Member(NamedTuple):
    """What the members of a type have in common."""

    node: "Node"
    first: "Node"
    doc: str
    head: Head
    label: str
    kind: str


def begin(walk: Walk, node: "Node", kind: str, label: str) -> Member:
    """The head of a member."""
    first, doc = doc_of(walk, node)
    return Member(node, first, doc, head_of(walk, node, default_visibility(walk)), label, kind)


def _function(walk: Walk, member: Member, type_: "Node | None", parameters: "Node | None") -> None:
    """Anything that takes parameters and has a body."""
    node, head = member.node, member.head
    body = node.child_by_field_name("body")
    number, path, parent = walk.reserve(), walk.path(member.label), walk.scope
    with Inside(walk, number):
        parts = node.named_children
        generics = type_parameters(walk, parts)
        taken = parameters_of(walk, parameters)
        if taken and taken[0].flavour == "receiver":
            head.modifiers.add("extension")
        walk.symbols[number] = Symbol(
            kind="Test" if "test" in head.modifiers else member.kind,
            name=member.label,
            path=path,
            parent=parent,
            at=walk.places.between(member.first, node),
            signature=signature(walk, head, node, body),
            doc=member.doc,
            visibility=head.visibility,
            modifiers=frozenset(head.modifiers),
            parameters=taken,
            type_parameters=generics,
            type=_returned(walk, type_),
            decorators=tuple(head.decorators),
        )
        bind_parameters(walk, taken)
        if member.kind == "Constructor":
            _initializer(walk, node, parts)
        if body is not None:
            walk.visit(body)


def _returned(walk: Walk, type_: "Node | None") -> Expr | None:
    if type_ is None or (type_.type == "predefined_type" and walk.text(type_) == "void"):
        return None
    return type_of(walk, type_)


def signature(walk: Walk, head: Head, node: "Node", body: "Node | None") -> str:
    """One line without body."""
    end = body.start_byte if body is not None else node.end_byte
    return walk.places.line(head.start, end).rstrip(";{ ")


def _initializer(walk: Walk, node: "Node", parts: "list[Node]") -> None:
    """What else a constructor calls: ``: this(…)``, ``: base(…)``, or its base without a word."""
    owner = walk.symbols[walk.symbols[walk.scope].parent]
    is_explicit = any(child.type == "constructor_initializer" for child in parts)
    if owner.bases and not is_explicit:
        walk.implied(super_(), node.child_by_field_name("name") or node, is_new=True)
    for child in parts:
        if child.type != "constructor_initializer":
            continue
        given = [one for one in child.named_children if one.type == "argument_list"]
        arguments, keywords = arguments_of(walk, given[0] if given else None)
        words = [one for one in child.children if one.type in ("this", "base")]
        if words:
            callee = self_() if words[0].type == "this" else super_()
            at = walk.places.at(words[0])
            walk.calls.append(Call(walk.scope, callee, arguments, keywords, at, is_new=True))


def _method(walk: Walk, node: "Node") -> None:
    label = node.child_by_field_name("name")
    if label is None:
        walk.children(node)
        return
    is_local = node.type == "local_function_statement"
    member = begin(walk, node, "Function" if is_local else "Method", walk.word(label))
    if any(child.type == "explicit_interface_specifier" for child in node.named_children):
        member.head.modifiers.add("explicit")
    if walk.symbols[walk.scope].kind == "Interface" and node.child_by_field_name("body") is None:
        member.head.modifiers.add("abstract")
    type_ = node.child_by_field_name("returns") or node.child_by_field_name("type")
    _function(walk, member, type_, node.child_by_field_name("parameters"))


def _constructor(walk: Walk, node: "Node") -> None:
    label = node.child_by_field_name("name")
    if label is None:
        walk.children(node)
        return
    member = begin(walk, node, "Constructor", walk.word(label))
    if node.type == "destructor_declaration":
        member = member._replace(kind="Method", label=f"~{member.label}")
    elif "static" in member.head.modifiers:
        member = member._replace(kind="Method", label=walk.nameless("static"))
    _function(walk, member, None, node.child_by_field_name("parameters"))


def _operator(walk: Walk, node: "Node") -> None:
    sign, type_ = node.child_by_field_name("operator"), node.child_by_field_name("type")
    written = sign.type if sign is not None else walk.text(type_) if type_ is not None else ""
    member = begin(walk, node, "Method", f"operator {written}")
    member.head.modifiers.add("operator")
    _function(walk, member, type_, node.child_by_field_name("parameters"))


def _property(walk: Walk, node: "Node") -> None:
    """A property, an indexer or an event with accessors; ``auto`` when it has no code."""
    label = node.child_by_field_name("name")
    written = walk.word(label) if label is not None else "this[]"
    member = begin(walk, node, "Property", written)
    head, accessors = member.head, node.child_by_field_name("accessors")
    value = node.child_by_field_name("value")
    type_ = node.child_by_field_name("type")
    is_arrow = value is not None and value.type == "arrow_expression_clause"
    bodies = [] if accessors is None else accessors.named_children
    has_code = is_arrow or any(one.child_by_field_name("body") is not None for one in bodies)
    if node.type == "event_declaration":
        head.modifiers.add("event")
    elif not has_code:
        head.modifiers.add("auto")
    shown = accessors or value
    number, path, parent = walk.reserve(), walk.path(written), walk.scope
    declared = type_of(walk, type_) if type_ is not None else None
    origin = valued(walk, value, declared) if value is not None and not is_arrow else None
    with Inside(walk, number):
        taken = parameters_of(walk, node.child_by_field_name("parameters"))
        walk.symbols[number] = Symbol(
            kind="Property",
            name=written,
            path=path,
            parent=parent,
            at=walk.places.between(member.first, node),
            signature=signature(walk, head, node, shown),
            doc=member.doc,
            visibility=head.visibility,
            modifiers=frozenset(head.modifiers),
            parameters=taken,
            type=declared,
            decorators=tuple(head.decorators),
            value=origin,
        )
        bind_parameters(walk, taken)
        if is_arrow and value is not None:
            walk.visit(value)
        for one in bodies:
            _accessor(walk, one, declared)


def _accessor(walk: Walk, node: "Node", type_: Expr | None) -> None:
    """``value`` is what a setter is given; a setter gives nothing back."""
    body, which = node.child_by_field_name("body"), node.child_by_field_name("name")
    if body is None:
        return
    names = walk.names
    if which is not None and which.type == "get":
        walk.visit(body)
    else:
        walk.declare_typed("value", type_)
        for child in body.named_children:
            walk.visit(child)
    walk.names = names


def _field(walk: Walk, node: "Node") -> None:
    first, doc = doc_of(walk, node)
    head = head_of(walk, node, default_visibility(walk))
    if node.type == "event_field_declaration":
        head.modifiers.add("event")
    is_constant = "const" in head.modifiers or {"static", "readonly"} <= head.modifiers
    for declaration in node.named_children:
        if declaration.type != "variable_declaration":
            continue
        type_ = declaration.child_by_field_name("type")
        declared = type_of(walk, type_) if type_ is not None else None
        shown = walk.places.line(head.start, (type_ or declaration).end_byte)
        for one in declaration.named_children:
            label = one.child_by_field_name("name")
            if one.type != "variable_declarator" or label is None:
                continue
            number, origin = walk.reserve(), one.named_children[-1]  # its name, if nothing else
            walk.symbols[number] = Symbol(
                kind="Constant" if is_constant else "Field",
                name=walk.word(label),
                path=walk.path(walk.word(label)),
                parent=walk.scope,
                at=walk.places.between(first, node),
                signature=f"{shown} {walk.word(label)}",
                doc=doc,
                visibility=head.visibility,
                modifiers=frozenset(head.modifiers),
                type=declared,
                decorators=tuple(head.decorators),
                value=valued(walk, origin, declared) if origin != label else None,
            )


def _enum_member(walk: Walk, node: "Node") -> None:
    label, origin = node.child_by_field_name("name"), node.child_by_field_name("value")
    if label is None:
        return
    member = begin(walk, node, "Constant", walk.word(label))
    number = walk.reserve()
    walk.symbols[number] = Symbol(
        kind="Constant",
        name=member.label,
        path=walk.path(member.label),
        parent=walk.scope,
        at=walk.places.between(member.first, node),
        signature=walk.places.line(member.head.start, node.end_byte),
        doc=member.doc,
        modifiers=frozenset(("static", "const")),
        type=name(walk.classes[-1][0] if walk.classes else ""),
        decorators=tuple(member.head.decorators),
        value=walk.expr(origin) if origin is not None else None,
    )


def primary_member(walk: Walk, parameter: Parameter, node: "Node", *, is_record: bool) -> None:
    """What a primary constructor takes is seen by all members; of a record, by everyone."""
    walk.symbols.append(
        Symbol(
            kind="Property" if is_record else "Field",
            name=parameter.name,
            path=walk.path(parameter.name),
            parent=walk.scope,
            at=walk.places.at(node),
            signature=walk.places.line(node.start_byte, node.end_byte),
            visibility="public" if is_record else "private",
            modifiers=frozenset(("auto", "component")),
            type=parameter.type,
            decorators=tuple(head_of(walk, node, "public").decorators),
        )
    )


MEMBERS: dict[str, Visit] = {
    "method_declaration": _method,
    "local_function_statement": _method,
    "constructor_declaration": _constructor,
    "destructor_declaration": _constructor,
    "operator_declaration": _operator,
    "conversion_operator_declaration": _operator,
    "property_declaration": _property,
    "indexer_declaration": _property,
    "event_declaration": _property,
    "field_declaration": _field,
    "event_field_declaration": _field,
    "enum_member_declaration": _enum_member,
}
