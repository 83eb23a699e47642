"""Definitions of C#: namespaces and types."""

from itertools import takewhile
from typing import TYPE_CHECKING

from commonplace.domain.code import Call, Symbol
from commonplace.domain.expr import Expr, super_
from commonplace.languages.typed.csharp_calls import arguments_of, parameters_of
from commonplace.languages.typed.csharp_heads import each_with_doc
from commonplace.languages.typed.csharp_members import (
    MEMBERS,
    begin,
    primary_member,
    signature,
)
from commonplace.languages.typed.csharp_types import type_of, type_parameters
from commonplace.languages.typed.walk import Inside, Visit, Walk, simple_name

if TYPE_CHECKING:
    from tree_sitter import Node

KINDS = {
    "class_declaration": "Class",
    "struct_declaration": "Struct",
    "interface_declaration": "Interface",
    "enum_declaration": "Enum",
    "record_declaration": "Record",
}
NAMESPACES = frozenset(("namespace_declaration", "file_scoped_namespace_declaration"))
_DIRECTIVES = frozenset(("preproc_if", "preproc_elif", "preproc_else"))
HOLDERS = frozenset(("field_declaration", "event_field_declaration"))


def _unit(walk: Walk, node: "Node") -> None:
    """The file: what all its namespaces begin with is its own, the rest are symbols."""
    found: set[str] = set()
    _namespaces(walk, node, "", found)
    columns = zip(*(one.split(".") for one in found), strict=False)
    parts = [column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)]
    walk.namespace = ".".join(parts)
    each_with_doc(walk, node.named_children)


def _namespaces(walk: Walk, node: "Node", outer: str, found: set[str]) -> None:
    """Full names of the namespaces that hold types."""
    is_file = False
    for child in node.named_children:
        if child.type in NAMESPACES:
            inner = _joined(outer, _written(walk, child))
            body = child.child_by_field_name("body")
            is_file = is_file or body is None
            if body is None:
                found.add(inner)
            elif inner.count(".") < 50:
                _namespaces(walk, body, inner, found)
        elif child.type in _DIRECTIVES:
            _namespaces(walk, child, outer, found)
        elif not is_file and (child.type in KINDS or child.type == "delegate_declaration"):
            found.add(outer)


def _joined(outer: str, inner: str) -> str:
    return f"{outer}.{inner}" if outer and inner else outer or inner


def _written(walk: Walk, node: "Node") -> str:
    label = node.child_by_field_name("name")
    return "".join(walk.text(label).split()) if label is not None else ""


def _namespace(walk: Walk, node: "Node") -> None:
    body = node.child_by_field_name("body")
    if body is None:
        return
    above = walk.symbols[walk.scope]
    outer = walk.outer
    walk.outer = _joined(outer, _written(walk, node))
    rest = walk.outer.removeprefix(walk.namespace).lstrip(".")
    if not rest or not walk.outer.startswith(walk.namespace):
        each_with_doc(walk, body.named_children)
    else:
        number = walk.reserve()
        walk.symbols[number] = Symbol(
            kind="Namespace",
            name=rest.removeprefix(above.path).lstrip("."),
            path=rest,
            parent=walk.scope,
            at=walk.places.at(node),
            signature=f"namespace {walk.outer}",
        )
        with Inside(walk, number):
            each_with_doc(walk, body.named_children)
    walk.outer = outer


def _type(walk: Walk, node: "Node") -> None:
    label, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if label is None:
        walk.children(node)
        return
    kind = KINDS[node.type]
    if kind == "Record" and any(child.type == "struct" for child in node.children):
        kind = "Struct"
    member = begin(walk, node, kind, walk.word(label))
    number, path, parent = walk.reserve(), walk.path(member.label), walk.scope
    walk.classes.append((member.label, {}))
    with Inside(walk, number):
        generics = type_parameters(walk, node.named_children)
        given = _part(node, "parameter_list")
        parameters = parameters_of(walk, given)
        bases, interfaces = _supertypes(walk, node, kind)
        if node.type == "record_declaration":
            member.head.modifiers.add("record")
        walk.symbols[number] = Symbol(
            kind=kind,
            name=member.label,
            path=path,
            parent=parent,
            at=walk.places.between(member.first, node),
            signature=signature(walk, member.head, node, body),
            doc=member.doc,
            visibility=member.head.visibility,
            modifiers=frozenset(member.head.modifiers),
            parameters=parameters,
            type_parameters=generics,
            bases=bases,
            interfaces=interfaces,
            decorators=tuple(member.head.decorators),
        )
        _primary(walk, node, given)
        if body is not None:
            _members(walk, body)
    walk.classes.pop()


def _part(node: "Node", kind: str) -> "Node | None":
    return next((child for child in node.named_children if child.type == kind), None)


def _supertypes(walk: Walk, node: "Node", kind: str) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """C# does not tell base and interfaces apart; the habit of naming does (``IOrder``)."""
    listed = _part(node, "base_list")
    bases: list[Expr] = []
    interfaces: list[Expr] = []
    for child in listed.named_children if listed is not None else ():
        inner = child.child_by_field_name("type")
        if child.type == "argument_list":
            continue
        found = type_of(walk, inner if inner is not None else child)
        written = simple_name(found)
        is_interface = written[:1] == "I" and written[1:2].isupper()
        if kind != "Interface" and (is_interface or kind == "Struct"):
            interfaces.append(found)
        elif kind != "Enum":
            bases.append(found)
    return tuple(bases), tuple(interfaces)


def _primary(walk: Walk, node: "Node", given: "Node | None") -> None:
    """What a primary constructor takes, and what it passes on to its base."""
    if given is None:
        return
    is_record = node.type == "record_declaration"
    nodes = [child for child in given.named_children if child.type == "parameter"]
    parameters = walk.symbols[walk.scope].parameters
    for one, parameter in zip(nodes, parameters, strict=False):
        simple = simple_name(parameter.type) if parameter.type else ""
        walk.classes[-1][1][parameter.name] = simple
        primary_member(walk, parameter, one, is_record=is_record)
    listed = _part(node, "base_list")
    for child in listed.named_children if listed is not None else ():
        passed = child if child.type == "argument_list" else _part(child, "argument_list")
        if passed is not None:
            arguments, keywords = arguments_of(walk, passed)
            if listed is not None:
                at = walk.places.at(listed.named_children[0])
                walk.calls.append(Call(walk.scope, super_(), arguments, keywords, at, is_new=True))


def _members(walk: Walk, node: "Node") -> None:
    """Members in order; fields and properties are known to all of them."""
    fields = walk.classes[-1][1]
    for member in node.named_children:
        if member.type in HOLDERS:
            declaration = _part(member, "variable_declaration")
            for one in declaration.named_children if declaration is not None else ():
                _known(walk, fields, declaration, one)
        elif member.type == "property_declaration":
            _known(walk, fields, member, member)
    each_with_doc(walk, node.named_children)


def _known(walk: Walk, fields: dict[str, str], typed: "Node | None", labelled: "Node") -> None:
    type_ = typed.child_by_field_name("type") if typed is not None else None
    label = labelled.child_by_field_name("name")
    if label is not None and type_ is not None:
        fields[walk.word(label)] = walk.text(type_).rstrip("?").partition("<")[0]


def _delegate(walk: Walk, node: "Node") -> None:
    """A type of functions."""
    label, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
    if label is None:
        return
    member = begin(walk, node, "Type", walk.word(label))
    number, path, parent = walk.reserve(), walk.path(member.label), walk.scope
    with Inside(walk, number):
        generics = type_parameters(walk, node.named_children)
        walk.symbols[number] = Symbol(
            kind="Type",
            name=member.label,
            path=path,
            parent=parent,
            at=walk.places.between(member.first, node),
            signature=signature(walk, member.head, node, None),
            doc=member.doc,
            visibility=member.head.visibility,
            modifiers=frozenset((*member.head.modifiers, "delegate")),
            parameters=parameters_of(walk, node.child_by_field_name("parameters")),
            type_parameters=generics,
            type=type_of(walk, type_) if type_ is not None else None,
            decorators=tuple(member.head.decorators),
        )


def _error(walk: Walk, node: "Node") -> None:
    """A file that is no file as a whole still has its parts."""
    if walk.depth == 1:
        _unit(walk, node)
    else:
        walk.children(node)


DECLARATIONS: dict[str, Visit] = {
    **MEMBERS,
    **dict.fromkeys(KINDS, _type),
    **dict.fromkeys(NAMESPACES, _namespace),
    "compilation_unit": _unit,
    "ERROR": _error,
    "delegate_declaration": _delegate,
    "declaration_list": lambda walk, node: each_with_doc(walk, node.named_children),
}
