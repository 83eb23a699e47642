"""Statements and patterns of C#: where values flow, and how far locals reach."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow, Import
from commonplace.domain.expr import RESULT, YIELDED, Expr, attr, each, seq, typed
from commonplace.languages.typed.csharp_creations import valued
from commonplace.languages.typed.csharp_heads import each_with_doc
from commonplace.languages.typed.csharp_operators import converted, deconstruct
from commonplace.languages.typed.csharp_types import declared_type, type_of
from commonplace.languages.typed.walk import Visit, Walk

if TYPE_CHECKING:
    from tree_sitter import Node


def _variables(walk: Walk, node: "Node") -> list[tuple[Expr, "Node"]]:
    """Locals declared together, each with where its name stands."""
    type_node = node.child_by_field_name("type")
    type_ = declared_type(walk, type_node)
    found: list[tuple[Expr, Node]] = []
    for one in node.named_children:
        if one.type != "variable_declarator" or not one.named_children:
            continue
        label, origin = one.child_by_field_name("name"), one.named_children[-1]
        value = valued(walk, origin, type_) if origin != label else None
        if label is None:
            where = one.named_children[0]
            target = _pattern_names(walk, where)
            if value is not None:
                deconstruct(walk, target, value, where)
        else:
            where = label
            if value is not None and type_ is not None:
                converted(walk, type_, value, origin)
            target = walk.declare_made(walk.word(label), type_, value)
        found.append((target, where))
    return found


def _pattern_names(walk: Walk, node: "Node") -> Expr:
    """``(a, b)`` on the left of a declaration."""
    targets = [
        walk.declare(walk.word(child))
        if child.type == "identifier"
        else _pattern_names(walk, child)
        for child in node.named_children
        if child.type in ("identifier", "tuple_pattern", "discard")
    ]
    return seq("tuple", *targets)


def _declaration(walk: Walk, node: "Node") -> None:
    _variables(walk, node)


def _local(walk: Walk, node: "Node") -> None:
    """``using var x = …`` is disposed of at the end of its block."""
    signs = {child.type for child in node.children}
    for child in node.named_children:
        if child.type == "variable_declaration":
            for target, where in _variables(walk, child):
                if "using" in signs:
                    walk.implied(attr(target, _disposing(signs)), where)


def _disposing(signs: set[str]) -> str:
    return "DisposeAsync" if "await" in signs else "Dispose"


def _using(walk: Walk, node: "Node") -> None:
    names = walk.names
    body = node.child_by_field_name("body")
    disposing = _disposing({child.type for child in node.children})
    for child in node.named_children:
        if child == body:
            walk.visit(child)
        elif child.type == "variable_declaration":
            for target, where in _variables(walk, child):
                walk.implied(attr(target, disposing), where)
        elif not child.is_extra:
            walk.implied(attr(walk.expr(child), disposing), child)
    walk.names = names


def _for_each(walk: Walk, node: "Node") -> None:
    names = walk.names
    label, origin = node.child_by_field_name("left"), node.child_by_field_name("right")
    type_ = declared_type(walk, node.child_by_field_name("type"))
    found = walk.expr(origin) if origin is not None else None
    if label is not None and origin is not None and found is not None:
        if label.type == "identifier":
            target = walk.declare_typed(walk.word(label), type_)
        else:
            target = _pattern_names(walk, label)
        walk.flow(target, each(found))
        if walk.iterates(found):
            is_async = any(child.type == "await" for child in node.children)
            _iterate(walk, origin, found, target, is_async=is_async)
    body = node.child_by_field_name("body")
    if body is not None:
        walk.visit(body)
    walk.names = names


def _iterate(walk: Walk, node: "Node", found: Expr, target: Expr, *, is_async: bool) -> None:
    """What a loop runs of a class of the program."""
    start, step = ("GetEnumerator", "MoveNext")
    if is_async:
        start, step = ("GetAsyncEnumerator", "MoveNextAsync")
    enumerator = walk.implied(attr(found, start), node)
    walk.implied(attr(enumerator, step), node)
    walk.flow(target, walk.used(attr(enumerator, "Current"), node))


def _return(walk: Walk, node: "Node") -> None:
    for child in node.children:
        if child.type not in ("return", ";") and not child.is_extra:
            type_ = walk.symbols[walk.scope].type
            walk.flows.append(Flow(walk.scope, RESULT, valued(walk, child, type_)))


def _yield(walk: Walk, node: "Node") -> None:
    for child in node.children:
        if child.type not in ("yield", "return", "break", ";") and not child.is_extra:
            walk.flows.append(Flow(walk.scope, YIELDED, walk.expr(child)))


def _arrow(walk: Walk, node: "Node") -> None:
    """``=> value`` as the body of a member."""
    for child in node.children:
        if child.type != "=>" and not child.is_extra:
            type_ = walk.symbols[walk.scope].type
            walk.flows.append(Flow(walk.scope, RESULT, valued(walk, child, type_)))


def _catch(walk: Walk, node: "Node") -> None:
    names = walk.names
    for child in node.named_children:
        if child.type == "catch_declaration":
            label = child.child_by_field_name("name")
            type_ = declared_type(walk, child.child_by_field_name("type"))
            if label is not None:
                walk.declare_typed(walk.word(label), type_)
        else:
            walk.visit(child)
    walk.names = names


def _declared_pattern(walk: Walk, node: "Node") -> None:
    """``Circle c``, ``Circle { R: var r } c``, ``var x``."""
    label = node.child_by_field_name("name")
    type_node = node.child_by_field_name("type")
    type_ = declared_type(walk, type_node)
    for child in node.named_children:
        if child.type == "property_pattern_clause" and type_ is not None:
            _read_members(walk, child, typed(type_))
        if child not in (label, type_node):
            walk.visit(child)
    if label is not None and label.type == "identifier":
        walk.declare_typed(walk.word(label), type_)


def _read_members(walk: Walk, node: "Node", matched: Expr) -> None:
    """``{ R: > 1 }`` reads members of what is matched."""
    for child in node.named_children:
        parts = child.named_children
        if len(parts) > 1 and parts[0].type == "identifier":
            walk.used(attr(matched, walk.word(parts[0])), parts[0])


def _var_pattern(walk: Walk, node: "Node") -> None:
    for child in node.named_children:
        if child.type == "identifier":
            walk.declare(walk.word(child))
        elif child.type != "implicit_type":
            _pattern_names(walk, child)


def _constant_pattern(walk: Walk, node: "Node") -> None:
    """A bare name after ``is`` is a type or a constant."""
    for child in node.named_children:
        if child.type in ("identifier", "generic_name", "qualified_name"):
            type_of(walk, child)
        else:
            walk.visit(child)


def _subpattern(walk: Walk, node: "Node") -> None:
    """``R: > 1``: the member's name is one of the matched object's."""
    parts = node.named_children
    for child in parts[1:] if len(parts) > 1 else parts:
        walk.visit(child)


def _is(walk: Walk, node: "Node") -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None:
        walk.expr(left)
    if right is not None:
        type_of(walk, right)


def _directive(walk: Walk, node: "Node") -> None:
    """Both sides of ``#if`` are read; its condition is not code."""
    condition = node.child_by_field_name("condition")
    each_with_doc(walk, [child for child in node.named_children if child != condition])


def _import(walk: Walk, node: "Node") -> None:
    label = node.child_by_field_name("name")
    paths = [one for one in node.named_children if one != label and not one.is_extra]
    if not paths:
        return
    written = "".join(walk.text(paths[-1]).split()).removeprefix("global::").partition("<")[0]
    modifiers = {child.type for child in node.children} & {"static", "global"}
    module, taken, alias = written, "*", ""
    if label is not None:
        module, _, taken = written.rpartition(".")
        alias = walk.word(label)
    at = walk.places.at(node)
    walk.imports.append(Import(walk.scope, module, taken, alias, 0, at, frozenset(modifiers)))


def _nothing(walk: Walk, node: "Node") -> None:
    """Names that are labels, comments or directives."""


def _labeled(walk: Walk, node: "Node") -> None:
    for child in node.named_children[1:]:
        walk.visit(child)


STATEMENTS: dict[str, Visit] = {
    "block": Walk.block,
    "for_statement": Walk.block,
    "fixed_statement": Walk.block,
    "switch_section": Walk.block,
    "variable_declaration": _declaration,
    "local_declaration_statement": _local,
    "using_statement": _using,
    "foreach_statement": _for_each,
    "return_statement": _return,
    "yield_statement": _yield,
    "arrow_expression_clause": _arrow,
    "catch_clause": _catch,
    "declaration_pattern": _declared_pattern,
    "recursive_pattern": _declared_pattern,
    "list_pattern": _declared_pattern,
    "var_pattern": _var_pattern,
    "type_pattern": _constant_pattern,
    "constant_pattern": _constant_pattern,
    "subpattern": _subpattern,
    "using_directive": _import,
    "preproc_if": _directive,
    "preproc_elif": _directive,
    "preproc_else": _directive,
    **dict.fromkeys(
        (
            *("comment", "goto_statement", "preproc_region", "preproc_endregion", "preproc_line"),
            *("preproc_pragma", "preproc_nullable", "preproc_error", "preproc_warning"),
            *("preproc_define", "preproc_undef", "attribute_list", "modifier", "discard"),
            *("extern_alias_directive", "global_attribute", "implicit_type"),
        ),
        _nothing,
    ),
    "labeled_statement": _labeled,
}
