"""Import and export statements in all their forms."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from commonplace.domain.code import Import
from commonplace.domain.expr import Expr
from commonplace.languages.ecma import strings
from commonplace.languages.ecma.annotations import dotted
from commonplace.languages.ecma.classes import decorated
from commonplace.languages.ecma.commonjs import WHOLE
from commonplace.languages.ecma.objects import named_value
from commonplace.languages.walk import Draft, Lead, Leave, Naming, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

TYPE, EXPORT, DEFAULT = frozenset(("type",)), frozenset(("export",)), frozenset(("default",))
NONE: frozenset[str] = frozenset()


def import_statement(walk: Walk, node: "Node") -> None:
    """``import d, { a as b } from "m"``, ``import * as ns``, ``import x = require("m")``."""
    source = node.child_by_field_name("source")
    is_type = any(child.type == "type" for child in node.children)
    modifiers = TYPE if is_type else NONE
    clauses = [child for child in node.named_children if child.type.startswith("import_")]
    clauses = [child for child in clauses if child.type != "import_attribute"]
    for clause in clauses:
        if clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
    if source is None:
        return
    module = strings.literal(walk, source)
    if not clauses:
        _bring(walk, (module, None, ""), source, frozenset(("effect",)))
    for clause in clauses:
        _clause(walk, clause, module, modifiers)


def _bring(
    walk: Walk, what: tuple[str, str | None, str], node: "Node", modifiers: frozenset[str]
) -> None:
    module, taken, alias = what
    walk.imports.append(
        Import(walk.scope.number, module, taken, alias, 0, walk.sheet.at(node), modifiers)
    )


def _clause(walk: Walk, clause: "Node", module: str, modifiers: frozenset[str]) -> None:
    for child in clause.named_children:
        if child.type == "identifier":
            is_whole = clause.type == "import_require_clause"
            taken = None if is_whole else "default"
            mark = modifiers if is_whole else modifiers | DEFAULT
            _bring(walk, (module, taken, walk.word(child)), child, mark)
        elif child.type == "namespace_import":
            label = child.named_children[-1]
            _bring(walk, (module, None, walk.word(label)), label, modifiers)
        elif child.type == "named_imports":
            for one in child.named_children:
                _specifier(walk, one, module, modifiers)


def _specifier(walk: Walk, node: "Node", module: str, modifiers: frozenset[str]) -> None:
    """One name of ``{ a as b }``, of an import or a re-export."""
    label, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if label is None:
        return
    if any(child.type == "type" for child in node.children if not child.is_named):
        modifiers |= TYPE
    taken = _plain(walk, label)
    if taken == "default":
        modifiers |= DEFAULT
    _bring(walk, (module, taken, _plain(walk, alias) if alias else taken), label, modifiers)


def _plain(walk: Walk, node: "Node") -> str:
    return strings.literal(walk, node) if node.type == "string" else walk.word(node)


def export_statement(walk: Walk, node: "Node") -> "Iterable[Node | Leave] | None":
    """A definition that is exported, a list of names, or everything of another module."""
    words = {child.type for child in node.children if not child.is_named}
    source = node.child_by_field_name("source")
    if source is not None:
        _pass_on(walk, node, strings.literal(walk, source), words)
        return None
    declaration = node.child_by_field_name("declaration")
    if declaration is not None:
        return _declared(walk, node, declaration, is_default="default" in words)
    given = node.child_by_field_name("value")
    if given is not None:
        _give_default(walk, node, given)
        return None
    for child in node.named_children:
        if child.type == "export_clause":
            for one in child.named_children:
                _listed(walk, one)
        elif child.type == "identifier" and "=" in words:
            walk.exports[WHOLE] = walk.word(child)
        elif "=" in words:
            _give(walk, node, walk.expr(child), WHOLE)
        elif child.type == "identifier" and "namespace" not in words:
            walk.expr(child)
    return None


def _pass_on(walk: Walk, node: "Node", module: str, words: set[str]) -> None:
    modifiers = EXPORT | TYPE if "type" in words else EXPORT
    if "*" in words:
        _bring(walk, (module, "*", ""), node, modifiers)
    for child in node.named_children:
        if child.type == "namespace_export":
            label = child.children[-1]  # also the word default, which has no name in the grammar
            _bring(walk, (module, None, _plain(walk, label)), label, modifiers)
        elif child.type == "export_clause":
            for one in child.named_children:
                _specifier(walk, one, module, modifiers)


def _declared(
    walk: Walk, node: "Node", declaration: "Node", *, is_default: bool
) -> "Iterable[Node | Leave] | None":
    """Hand a definition on, with what belongs to it."""
    start, doc = walk.documented(node)
    decorators = decorated(walk, node.children_by_field_name("decorator"))
    words = {"exported", "default"} if is_default else {"exported"}
    walk.lead = Lead(start, doc, frozenset(words), decorators)
    before = len(walk.drafts)
    visit = walk.visits.get(declaration.kind_id)
    below = visit(walk, declaration) if visit is not None else None
    walk.lead = None
    if is_default and len(walk.drafts) > before:
        walk.exports["default"] = walk.drafts[before].name
    return below


def _give_default(walk: Walk, node: "Node", given: "Node") -> None:
    start, doc = walk.documented(node)
    if given.type == "identifier":
        walk.exports["default"] = walk.expr(given)[1]
        return
    lead = Lead(start, doc, frozenset(("exported", "default")))
    before = len(walk.drafts)
    is_object = given.type == "object"
    this = ("name", "default") if is_object else None
    found = named_value(walk, given, Naming("default", lead=lead, this=this))
    if found[0] == "made" and found[1] == before:
        walk.exports["default"] = walk.drafts[before].name
        return
    _give(walk, node, found, "default")


def _give(walk: Walk, node: "Node", found: Expr, outside: str) -> None:
    """A value that has no name of its own."""
    label = "default" if outside == "default" else "exports"
    if label != outside:
        walk.exports[outside] = label
    walk.declare(
        Draft(
            kind="Constant",
            name=label,
            path=walk.below(walk.scope.number, label),
            parent=walk.scope.number,
            start=node.start_byte,
            end=node.end_byte,
            modifiers={"exported", "default"},
            value=found,
        )
    )


def _listed(walk: Walk, node: "Node") -> None:
    label, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if label is None:
        return
    inside = _plain(walk, label)
    walk.exports[_plain(walk, alias) if alias is not None else inside] = inside


def import_alias(walk: Walk, node: "Node") -> None:
    """``import X = A.B``: another name for something."""
    lead = walk.take_lead(node)
    first, *rest = node.named_children
    if not rest:
        return
    label = walk.word(first)
    walk.declare(
        Draft(
            kind="Variable",
            name=label,
            path=walk.below(walk.scope.number, label),
            parent=walk.scope.number,
            start=lead.start,
            end=node.end_byte,
            modifiers={*lead.modifiers, "alias"},
            value=dotted(walk, rest[-1]),
        )
    )
