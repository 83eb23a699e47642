"""Strings of JavaScript: literals without their escapes, templates and sums with their holes."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from commonplace.domain.expr import Expr, text
from commonplace.languages.literals import keep_text

if TYPE_CHECKING:
    from tree_sitter import Node

    from commonplace.languages.ecma.walk import Walk

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))"
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def unescaped(raw: str) -> str:
    r"""A literal without its escapes.

    >>> unescaped(r"a\n\u0041\'")
    "a\nA'"
    """
    return _ESCAPE.sub(_escape, raw) if "\\" in raw else raw


def _escape(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2) or match.group(3)
    if code is not None:
        number = int(code, 16)
        is_character = number < 0x110000 and not 0xD800 <= number < 0xE000
        return chr(number) if is_character else "\ufffd"
    character: str = match.group(4)
    return "" if character in "\n\r\u2028\u2029" else _PLAIN.get(character, character)


def literal(walk: "Walk", node: "Node") -> str:
    """What a string node says."""
    return unescaped(walk.text[node.start_byte + 1 : node.end_byte - 1])


def string(walk: "Walk", node: "Node") -> Expr:
    """A plain string."""
    return text(keep_text(literal(walk, node)))


def template(walk: "Walk", node: "Node") -> Expr:
    """A template: literal parts and what is filled in."""
    parts: list[str | Expr] = []
    end = node.start_byte + 1
    for child in node.named_children:
        if child.type != "template_substitution":
            continue
        parts.append(unescaped(walk.text[end : child.start_byte]))
        inner = walk.each(child.named_children)
        parts.append(inner[-1] if inner else text())
        end = child.end_byte
    parts.append(unescaped(walk.text[end : max(end, node.end_byte - 1)]))
    return joined(text(part) if isinstance(part, str) else part for part in parts if part != "")


def joined(parts: Iterable[Expr]) -> Expr:
    """One string of several: strings among them are taken apart, neighbouring literals joined.

    >>> joined([text("a"), text("b", ("name", "x"))])
    ('text', ('ab', ('name', 'x')))
    """
    found: list[str | Expr] = []
    for part in parts:
        for one in part[1] if part[0] == "text" else (part,):
            last = found[-1] if found else None
            if isinstance(one, str) and isinstance(last, str):
                found[-1] = last + one
            else:
                found.append(one)
    return text(*(keep_text(one) if isinstance(one, str) else one for one in found))
