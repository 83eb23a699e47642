"""Strings as programs write them: without escapes, and put together from parts."""

import re
from collections.abc import Iterable

from commonplace.domain.encoding import clean
from commonplace.domain.expr import Expr, text
from commonplace.languages.literals import keep_parts

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})"
    r"|([0-7]{1,3})|(\r\n|[\s\S]))"
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a"}


def unescaped(raw: str) -> str:
    r"""A literal without its escapes; NUL, which no store keeps, becomes U+FFFD.

    >>> unescaped(r"a\n\u0041\'")
    "a\nA'"
    """
    return clean(_ESCAPE.sub(_escape, raw)) if "\\" in raw else raw


def _escape(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2) or match.group(3) or match.group(4)
    if code is not None:
        number = int(code, 16)
        is_character = number < 0x110000 and not 0xD800 <= number < 0xE000
        return chr(number) if is_character else "\ufffd"
    if match.group(5) is not None:
        return chr(int(match.group(5), 8))
    character: str = match.group(6)
    return (
        "" if character in ("\n", "\r\n", "\u2028", "\u2029") else _PLAIN.get(character, character)
    )


def joined(parts: Iterable[Expr]) -> Expr:
    """One string of several: strings among them are taken apart, neighbouring literals joined.

    >>> joined([text("a"), text("b", ("name", "x"))])
    ('text', ('ab', ('name', 'x')))
    """
    return text(*keep_parts(merged(parts)))


def merged(parts: Iterable[Expr | str]) -> list[Expr | str]:
    """The parts of strings one after the other, neighbouring literals made one."""
    found: list[Expr | str] = []
    for part in parts:
        is_text = not isinstance(part, str) and part[0] == "text"
        for one in part[1] if is_text else (part,):
            last = found[-1] if found else None
            if isinstance(one, str) and isinstance(last, str):
                found[-1] = last + one
            else:
                found.append(one)
    return found
