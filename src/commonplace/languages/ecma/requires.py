"""Modules brought in by a call: ``require("./x")`` and ``import("./x")``."""

from typing import TYPE_CHECKING

from commonplace.domain.code import Import
from commonplace.domain.expr import Expr, name
from commonplace.languages.ecma import strings

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.walk import Walk


def module_of(walk: "Walk", node: "Node") -> str | None:
    """The module a ``require("./x")`` or ``import("./x")`` names; None for any other node."""
    if node.type != "call_expression":
        return None
    first, arguments = node.children[0], node.children[-1]
    is_import = first.type == "import"
    if not is_import and not (first.type == "identifier" and walk.word(first) == "require"):
        return None
    given = arguments.named_children
    if not given or given[0].type not in ("string", "template_string"):
        return None
    if given[0].type == "template_string" and given[0].named_child_count > 1:
        return None
    return strings.literal(walk, given[0])


def required(walk: "Walk", first: "Node", arguments: "Node") -> Expr | None:
    """A module as a value, under a name of its own; None when its name is not a literal."""
    parent = first.parent
    module = module_of(walk, parent) if parent is not None else None
    if module is None:
        return None
    word = "import" if first.type == "import" else "require"
    label = walk.counted(0, word)
    walk.imports.append(Import(walk.scope.number, module, None, label, 0, walk.sheet.at(arguments)))
    return name(label)


def bring(walk: "Walk", module: str, taken: str | None, label: str, node: "Node") -> None:
    """Note an import made by a declaration: ``const { a: b } = require("./x")``."""
    if not walk.scope.is_open or walk.is_block:
        walk.local(label)
    walk.imports.append(Import(walk.scope.number, module, taken, label, 0, walk.sheet.at(node)))


def pass_on(walk: "Walk", label: str) -> None:
    """Everything of a module that was required is exported too: ``...require("./x")``."""
    for index, known in enumerate(walk.imports):
        if known.alias == label and known.name is None:
            walk.imports[index] = known._replace(
                name="*", alias="", modifiers=known.modifiers | {"export"}
            )
