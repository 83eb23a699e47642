"""Strings of Go."""

from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, text
from commonplace.languages.literals import keep_text
from commonplace.languages.quoted import unescaped

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.golang.walk import GoWalk


def literal(walk: "GoWalk", node: "Node") -> str:
    """What a string node says, of either form."""
    inner = walk.text[node.start_byte + 1 : node.end_byte - 1]
    return inner if node.type == "raw_string_literal" else unescaped(inner)


def string(walk: "GoWalk", node: "Node") -> Expr:
    """A string in quotes or backquotes."""
    return text(keep_text(literal(walk, node)))
