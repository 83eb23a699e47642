"""Where strings that begin as SQL does are written, from the first quote to the last.

They are looked for in the source, not while walking: few files have any, and the walk of every
language would have to carry places through strings that are put together.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from commonplace.domain.code import At, Text

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = (
    "select|insert|update|delete|merge|with|create|alter|drop|truncate|exec|execute|call|replace"
    "|declare|begin|from"
)
_LETTERS = "".join(sorted({verb[0] for verb in _VERBS.split("|")}))
# In one case or the other: disregarding case takes half as long again, of every file. One quote
# for all: a sign is looked for in half of the time that a set of them takes.
_ONE_QUOTE = bytes.maketrans(b'"`', b"''")
_BEGUN = re.compile(
    rf"'(?=[\s(\-{_LETTERS}{_LETTERS.upper()}])"
    rf"((?:\s|--[^\n]*\n|\()*(?:{_VERBS}|{_VERBS.upper()})\s[^']*)".encode()
)
_MOST = 2000  # of one file; what has more is data
_SUMS = frozenset({"binary_operator", "binary_expression"})


def texts_in(root: "Node", source: bytes, at: "Callable[[Node], At]") -> tuple[Text, ...]:
    """Strings of a file that begin as statements do, each as far as it is put together there."""
    found: dict[tuple[int, int], Text] = {}
    for match in _BEGUN.finditer(source.translate(_ONE_QUOTE)):
        node = _string(root.descendant_for_byte_range(match.start(), match.start() + 1))
        if node is not None:
            head = Text.head_of(source[slice(*match.span(1))].decode("utf-8", "replace"))
            found.setdefault((node.start_byte, node.end_byte), Text(head, at(node)))
            if len(found) == _MOST:
                break
    return tuple(found.values())


def _string(node: "Node | None") -> "Node | None":
    """The string a quote is of, with what is added to it; None where it is of a comment."""
    found = None
    while node is not None:
        if "string" in node.type or (found is not None and _is_sum(node, found)):
            found = node
        elif found is not None or node.is_named:
            break
        node = node.parent
    return found


def _is_sum(node: "Node", first: "Node") -> bool:
    """Whether a string is put together there that another one begins."""
    operator = node.child_by_field_name("operator") if node.type in _SUMS else None
    return operator is not None and operator.type == "+" and node.start_byte == first.start_byte
