"""Strings put together from parts: concatenation, formats, builders."""

import re
from collections.abc import Iterable, Sequence

from commonplace.domain.encoding import clean
from commonplace.domain.expr import Expr, text
from commonplace.languages.quoted import merged

_ESCAPE = re.compile(
    r"\\(u+[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{1,4}|[0-7]{1,3}|\r?\n|.)", re.S
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", "a": "\a", "v": "\v"}
_PRINTF = re.compile(r"%(?:\d+\$)?[-#+ 0,(]*\d*(?:\.\d+)?(?:[tT]?[a-zA-Z%])")
_NUMBERED = re.compile(r"\{\{|\}\}|\{(\d+)[^{}]*\}")


def joined(parts: Iterable[Expr | str]) -> Expr:
    """One string of several: strings among them are taken apart, neighbouring literals joined.

    >>> joined([text("a"), ("name", "x"), text("b", "c")])
    ('text', ('a', ('name', 'x'), 'bc'))
    """
    return text(*merged(parts))


def unescaped(raw: str) -> str:
    r"""A literal without its escapes; NUL, which no store keeps, becomes U+FFFD.

    >>> unescaped("a\\n\\u0041")
    'a\nA'
    """
    return clean(_ESCAPE.sub(_escape, raw)) if "\\" in raw else raw


def _escape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code in _PLAIN:
        return _PLAIN[code]
    if code[0] in "uUx" and len(code) > 1:
        number = int(code.lstrip("uUx"), 16)
        is_character = number < 0x110000 and not 0xD800 <= number < 0xE000
        return chr(number) if is_character else "\ufffd"
    if code[0] in "01234567":
        return chr(int(code, 8))
    return "" if code.endswith("\n") else code


def stripped_block(raw: str) -> str:
    r"""The text of a Java text block or C# raw string: common indentation taken off.

    >>> stripped_block("\n    SELECT 1\n      FROM t\n    ")
    'SELECT 1\n  FROM t\n'
    """
    lines = raw.replace("\r\n", "\n").split("\n")
    if len(lines) == 1:
        return raw
    lines = lines[1:]
    full = [line for line in lines[:-1] if line.strip()] + [lines[-1]]
    indent = min(len(line) - len(line.lstrip()) for line in full)
    last = lines[-1][indent:] if lines[-1].strip() else ""
    return "\n".join([*(line[indent:].rstrip() for line in lines[:-1]), last])


def printf(pattern: Expr, arguments: Sequence[Expr]) -> Expr | None:
    """``String.format``: the holes of the pattern filled in order."""
    return _filled(pattern, arguments, _PRINTF)


def numbered(pattern: Expr, arguments: Sequence[Expr]) -> Expr | None:
    """``string.Format``: the holes of the pattern filled by number."""
    return _filled(pattern, arguments, _NUMBERED)


def _filled(pattern: Expr, arguments: Sequence[Expr], hole: re.Pattern[str]) -> Expr | None:
    if pattern[0] != "text" or len(pattern[1]) != 1 or not isinstance(pattern[1][0], str):
        return None
    written, end, used = pattern[1][0], 0, 0
    parts: list[Expr | str] = []
    for match in hole.finditer(written):
        parts.append(written[end : match.start()])
        end = match.end()
        group = match.group()
        if group in ("{{", "}}", "%%", "%n"):
            parts.append({"%n": "\n"}.get(group, group[0]))
            continue
        number = int(match.group(1)) if hole is _NUMBERED else used
        used += 1
        parts.append(arguments[number] if number < len(arguments) else ("value", "unknown"))
    parts.append(written[end:])
    return joined(part for part in parts if part != "")
