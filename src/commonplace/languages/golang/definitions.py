"""What a Go file defines: types with their members, constants, variables, functions, imports."""

import re
from typing import TYPE_CHECKING

from commonplace.domain.code import Import, Visibility
from commonplace.domain.expr import Expr, item, text, value
from commonplace.languages.golang import strings
from commonplace.languages.golang.functions import (
    function,
    parameters,
    receiver_type,
    signature,
)
from commonplace.languages.golang.kinds import members, result, type_of, type_parameters
from commonplace.languages.golang.walk import GoWalk
from commonplace.languages.walk import Draft, Lead, Naming, Scope

if TYPE_CHECKING:
    from tree_sitter import Node

KINDS = {"struct_type": "Struct", "interface_type": "Interface"}
TESTS = ("Test", "Benchmark", "Fuzz", "Example")
_VERSION = re.compile(r"v\d+")
_SUFFIX = re.compile(r"\.v\d+$")


def visibility(label: str) -> Visibility:
    """Names that begin with a capital are for other packages."""
    return "public" if label[:1].isupper() else "internal"


def import_spec(walk: GoWalk, node: "Node") -> None:
    """One import; without a name of its own it is called by the end of its path."""
    label, path = node.child_by_field_name("name"), node.child_by_field_name("path")
    if path is None:
        return
    module = strings.literal(walk, path)
    word = walk.word(label) if label is not None else package_name(module)
    taken = "*" if word == "." else None
    modifiers = frozenset(("effect",)) if word == "_" else frozenset()
    alias = "" if word in (".", "_") else word
    at = walk.sheet.at(node)
    walk.imports.append(Import(walk.scope.number, module, taken, alias, 0, at, modifiers))


def package_name(module: str) -> str:
    """What a package is most likely called.

    >>> package_name("gopkg.in/yaml.v3"), package_name("github.com/go-chi/chi/v5")
    ('yaml', 'chi')
    """
    parts = module.split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    last = _SUFFIX.sub("", parts[-1])
    return last.removeprefix("go-").removesuffix("-go").rpartition("-")[2] or last


def declared_function(walk: GoWalk, node: "Node") -> None:
    """A function of the package; tests are known by their names."""
    label = node.child_by_field_name("name")
    lead = walk.take_lead(node)
    if label is None:
        walk.put_off(node.named_children)
        return
    word = walk.word(label)
    rest = next((word[len(start) :] for start in TESTS if word.startswith(start)), None)
    is_test = walk.is_test and rest is not None and not rest[:1].islower()
    number = function(walk, node, Naming(word, "Test" if is_test else "Function", lead=lead))
    draft = walk.drafts[number]
    draft.visibility = visibility(word)
    draft.modifiers |= {"test"} if is_test else {"init"} if word == "init" else set()


def declared_method(walk: GoWalk, node: "Node") -> None:
    """A method, below its type if that is in the same file."""
    label, owner = node.child_by_field_name("name"), receiver_type(walk, node)
    lead = walk.take_lead(node)
    if label is None:
        walk.put_off(node.named_children)
        return
    word = walk.word(label)
    parent = walk.named.get((0, owner), 0)
    number = function(walk, node, Naming(word, "Method", parent, owner or None, lead=lead))
    walk.drafts[number].visibility = visibility(word)


def declare_types(walk: GoWalk, node: "Node") -> None:
    """The types of a declaration, before methods ask for them; their members come later."""
    start, doc = walk.documented(node)
    specs = [child for child in node.named_children if child.type in ("type_spec", "type_alias")]
    for child in node.named_children:
        if child.type == "comment":
            walk.comment = child
        if child not in specs:
            continue
        label, written = child.child_by_field_name("name"), child.child_by_field_name("type")
        if label is None:
            continue
        own, said = walk.documented(child)
        word = walk.word(label)
        is_only = len(specs) == 1
        draft = Draft(
            kind=KINDS.get(written.type, "Type") if written is not None else "Type",
            name=word,
            path=walk.below(walk.scope.number, word),
            parent=walk.scope.number,
            start=start if is_only else own,
            end=node.end_byte if is_only else child.end_byte,
            doc=said or (doc if is_only else ""),
            visibility=visibility(word),
            modifiers={"alias"} if child.type == "type_alias" else set(),
        )
        body = written.start_byte if written is not None else child.end_byte
        end = min(child.end_byte, body + 10) if draft.kind != "Type" else child.end_byte
        draft.signature = f"type {signature(walk, child.start_byte, end)}".partition("{")[
            0
        ].rstrip()
        number = walk.declare(draft)
        walk.pending.append((Scope(number, walk.scope), [child], False))


def type_spec(walk: GoWalk, node: "Node") -> None:
    """What is in a type: fields, methods, what it embeds."""
    draft = walk.drafts[walk.scope.number]
    written = node.child_by_field_name("type")
    draft.type_parameters = type_parameters(walk, node)
    if written is None:
        return
    if written.type == "struct_type":
        for child in members(written):
            _field(walk, child, draft)
    elif written.type == "interface_type":
        for child in written.named_children:
            _element(walk, child, draft)
    else:
        draft.type = type_of(walk, written)


def _field(walk: GoWalk, node: "Node", owner: Draft) -> None:
    """Fields with one type; one without a name is embedded."""
    if node.type == "comment":
        walk.comment = node
        return
    written, tag = node.child_by_field_name("type"), node.child_by_field_name("tag")
    if written is None:
        return
    type_ = type_of(walk, written)
    labels = [walk.word(label) for label in node.children_by_field_name("name")]
    modifiers: set[str] = set()
    if not labels:
        owner.bases += (type_,)
        plain = type_[1] if type_[0] == "generic" else type_
        labels, modifiers = [str(plain[-1])], {"embedded"}
    start, doc = walk.documented(node)
    for label in labels:
        walk.declare(
            Draft(
                kind="Field",
                name=label,
                path=walk.below(walk.scope.number, label),
                parent=walk.scope.number,
                start=start,
                end=node.end_byte,
                signature=signature(walk, node.start_byte, written.end_byte),
                doc=doc,
                visibility=visibility(label),
                modifiers=set(modifiers),
                type=type_,
                decorators=(text(strings.literal(walk, tag)),) if tag is not None else (),
            )
        )


def _element(walk: GoWalk, node: "Node", owner: Draft) -> None:
    """A method of an interface, or what it embeds."""
    if node.type == "comment":
        walk.comment = node
        return
    label = node.child_by_field_name("name")
    if node.type != "method_elem" or label is None:
        found = type_of(walk, node)
        owner.bases += (found,) if found[0] in ("name", "attr", "generic") else ()
        return
    start, doc = walk.documented(node)
    word = walk.word(label)
    draft = Draft(
        kind="Method",
        name=word,
        path=walk.below(walk.scope.number, word),
        parent=walk.scope.number,
        start=start,
        end=node.end_byte,
        signature=signature(walk, node.start_byte, node.end_byte),
        doc=doc,
        visibility=visibility(word),
        modifiers={"abstract"},
    )
    number = walk.declare(draft)
    outer, walk.scope = walk.scope, Scope(number, walk.scope)
    draft.parameters = tuple(parameters(walk, node))
    draft.type = result(walk, node)
    walk.scope = outer


def declared_values(walk: GoWalk, node: "Node") -> None:
    """Constants and variables of the package; a constant without a value repeats the one above."""
    start, doc = walk.documented(node)
    kind = "Constant" if node.type == "const_declaration" else "Variable"
    specs = _specs(node)
    lead: Lead | None = Lead(start, doc) if len(specs) == 1 else None
    above: Expr | None = None
    for child in specs:
        if child.type == "comment":
            walk.comment = child
            continue
        above = _values(walk, child, kind, lead or Lead(*walk.documented(child)), above)


def _specs(node: "Node") -> "list[Node]":
    found: list[Node] = []
    for child in node.named_children:
        found += child.named_children if child.type == "var_spec_list" else [child]
    return found


def _values(walk: GoWalk, node: "Node", kind: str, lead: Lead, above: Expr | None) -> Expr | None:
    written, given = node.child_by_field_name("type"), node.child_by_field_name("value")
    type_ = type_of(walk, written) if written is not None else None
    if kind == "Constant" and given is None and type_ is None:
        type_ = above
    labels = [label for label in node.children_by_field_name("name") if label.is_named]
    before = len(walk.drafts)
    found = [] if given is None else walk.each(given.children)
    if kind == "Constant" and not found:
        found = [value("int")] * len(labels)
    for number, label in enumerate(labels):
        word = walk.word(label)
        if word == "_":
            continue
        gets = part(found, number, len(labels))
        if gets is not None and gets[0] == "made" and gets[1] >= before:
            _rename(walk, gets[1], word)
            continue
        walk.declare(
            Draft(
                kind=kind,
                name=word,
                path=walk.below(walk.scope.number, word),
                parent=walk.scope.number,
                start=lead.start,
                end=node.end_byte,
                signature=signature(
                    walk, node.start_byte, min(node.end_byte, node.start_byte + 120)
                ),
                doc=lead.doc,
                visibility=visibility(word),
                type=type_,
                value=gets,
            )
        )
    return type_


def _rename(walk: GoWalk, number: int, label: str) -> None:
    """A function that a variable holds is called by it."""
    draft = walk.drafts[number]
    walk.named.pop((draft.parent, draft.name), None)
    draft.name, draft.path = label, walk.below(draft.parent, label)
    draft.modifiers.discard("anonymous")
    draft.visibility = visibility(label)
    walk.named.setdefault((draft.parent, label), number)


def part(found: list[Expr], number: int, count: int) -> Expr | None:
    """Which of several values a name gets: its own, or its part of what one call gives."""
    if len(found) == 1 and count > 1:
        only = found[0]
        if only[0] == "call":
            return item(only, number)
        return only if number == 0 else value("bool")
    return found[number] if number < len(found) else None
