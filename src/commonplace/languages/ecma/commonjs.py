"""What a CommonJS module gives: ``module.exports`` and ``exports.x``."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Flow, Import
from commonplace.domain.expr import Expr, attr, mapping, name
from commonplace.languages.ecma.objects import named_value
from commonplace.languages.ecma.requires import module_of, pass_on
from commonplace.languages.walk import Draft, Naming, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

EXPORTS = name("exports")
NAMED = frozenset(("function_expression", "generator_function", "class"))
WHOLE = "="
"""The name under which a module exports one value instead of names."""


def exported(walk: Walk, left: "Node", right: "Node") -> Expr | None:
    """Note an assignment to exports; None when it is another one."""
    label = _outside(walk, left)
    if label is None:
        return None
    walk.is_commonjs = True
    if right.type == "assignment_expression":  # exports = module.exports = …
        inner = right.child_by_field_name("left"), right.child_by_field_name("right")
        if inner[0] is not None and inner[1] is not None:
            found = exported(walk, inner[0], inner[1])
            if found == EXPORTS and label == WHOLE:
                return found
            if found is not None:
                _give(walk, label, inner[1], found)
                return found
    if label == WHOLE and right.type == "object":
        _members(walk, right)
        return EXPORTS
    module = module_of(walk, right)
    if module is not None:
        _pass_on(walk, module, label, right)
        return name(label)
    parent = 0
    is_new = label != WHOLE and label != "default"
    own = right.child_by_field_name("name") if right.type in NAMED else None
    outside = walk.word(own) if own is not None else "exports"
    found = named_value(walk, right, Naming(label if is_new else outside, "Function", parent))
    _give(walk, label, right, found)
    return found


def close(walk: Walk) -> None:
    """What ``exports`` means inside the module: an object of all that was put on it."""
    if walk.is_commonjs:
        given = (pair for pair in walk.exports.items() if pair[0] != WHOLE)
        known = dict.fromkeys(
            draft.name
            for draft in walk.drafts[1:]
            if draft.parent == 0 and "exported" in draft.modifiers
        )
        pairs = {**{label: name(label) for label in known}, **{a: name(b) for a, b in given}}
        walk.flows.append(Flow(0, EXPORTS, mapping(*pairs.items())))
        whole = walk.exports.get(WHOLE)
        if whole is not None and (0, whole) in walk.named:
            pairs.pop(whole, None)
            _put_on(walk, whole, pairs)


def _put_on(walk: Walk, whole: str, pairs: dict[str, Expr]) -> None:
    """``module.exports = f; module.exports.g = g``: members of the one thing the module is."""
    for label, given in pairs.items():
        walk.exports.setdefault(label, label)
        walk.flows.append(Flow(0, attr(name(whole), label), given))


def _outside(walk: Walk, node: "Node") -> str | None:
    """``exports.x`` and ``module.exports.x`` are ``x``, ``module.exports`` is all of it."""
    if node.end_byte - node.start_byte > 200:
        return None
    written = walk.word(node)
    if written == "module.exports" or written == "exports":
        return WHOLE if node.type == "member_expression" or written == "exports" else None
    for prefix in ("module.exports.", "exports."):
        if written.startswith(prefix) and written[len(prefix) :].isidentifier():
            return written[len(prefix) :]
    return None


def _members(walk: Walk, node: "Node") -> None:
    """``module.exports = { a, b: c, d() {} }``: each is exported by its key."""
    found = named_value(walk, node, Naming("", "Function", 0, None, EXPORTS))
    for label, given in found[1]:
        if isinstance(label, str):
            _give(walk, label, node, given)
        elif given[0] == "name":
            pass_on(walk, given[1])


def _give(walk: Walk, label: str, node: "Node", found: Expr) -> None:
    """Export a value; one that is neither a name nor a definition becomes a constant."""
    if found[0] == "name":
        walk.exports[label] = found[1]
        return
    if found[0] == "made":
        draft = walk.drafts[found[1]]
        draft.modifiers.add("exported")
        if draft.kind == "Method":
            draft.kind = "Function"
        if draft.path != label:
            walk.exports[label] = draft.path
        return
    word = "exports" if label in (WHOLE, "default") else label
    if word != label:
        walk.exports[label] = word
    walk.declare(
        Draft(
            kind="Constant",
            name=word,
            path=word,
            parent=0,
            start=node.start_byte,
            end=node.end_byte,
            modifiers={"exported"},
            value=found,
        )
    )


def _pass_on(walk: Walk, module: str, label: str, node: "Node") -> None:
    alias = "exports" if label == WHOLE else label
    walk.imports.append(
        Import(0, module, None, alias, 0, walk.sheet.at(node), frozenset(("export",)))
    )
    if alias != label:
        walk.exports[label] = alias
        everything = Import(0, module, "*", "", 0, walk.sheet.at(node), frozenset(("export",)))
        walk.imports.append(everything)
