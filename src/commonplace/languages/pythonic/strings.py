"""Strings of Python: literal parts, and expressions where something is filled in."""

import ast
import re
from typing import TYPE_CHECKING

from commonplace.domain import expr
from commonplace.domain.encoding import clean
from commonplace.domain.expr import Expr
from commonplace.languages.literals import keep_parts, keep_text
from commonplace.languages.pythonic.notes import UNKNOWN, Notes, Reader
from commonplace.languages.quoted import merged

if TYPE_CHECKING:
    from tree_sitter import Node

STR = expr.value("str")
BYTES = expr.value("bytes")
MOST_PARTS = 200  # of one string; beyond it is a table, not a text
_PERCENT = re.compile(
    r"%(?:\((\w*)\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?([diouxXeEfFgGcrsa%])"
)
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}!:]*)(?:![rsa])?(?::[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}")
_FORMATTED = re.compile(r"[rR]?[fFtT]")
_OPENING = re.compile(r"([a-zA-Z]*)(\"\"\"|'''|\"|')")


def is_text(value: Expr) -> bool:
    """Whether it is a string with known parts."""
    return bool(value[0] == "text")


def literal(written: str) -> str | None:
    r"""The characters a string token stands for; None for bytes.

    >>> literal("'a'"), literal('r"\\d"'), literal("b'x'")
    ('a', '\\d', None)
    """
    match = _OPENING.match(written)
    if match is None:
        return written
    prefix, quote = match.group(1).lower(), match.group(2)
    if "b" in prefix:
        return None
    end = len(written) - len(quote) if written.endswith(quote, match.end()) else len(written)
    inside = written[match.end() : end]
    return inside if "r" in prefix or "\\" not in inside else unescaped(inside)


def unescaped(inside: str) -> str:
    r"""A string's content with its escapes replaced; as written where they are not valid.

    NUL and lone surrogates, which no store keeps, become U+FFFD.

    >>> unescaped(r"Exif\x00")
    'Exif�'
    """
    quoted = inside.replace("\r\n", "\n").replace('"', '\\"').replace('\\\\"', '\\"')
    try:
        found = ast.literal_eval(f'"""{quoted}"""')
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return inside
    return clean(found) if isinstance(found, str) else inside


def string(notes: Notes, node: "Node") -> Expr:
    """A string, with holes if it is a formatted one."""
    written = notes.text(node)
    start = written[0]
    if start in "\"'":
        inside = written[3:-3] if written.startswith(start * 3) else written[1:-1]
        return expr.text(keep_text(unescaped(inside) if "\\" in inside else inside))
    if _FORMATTED.match(written) is not None:
        return expr.text(*_formatted(notes, node))
    found = literal(written)
    return BYTES if found is None else expr.text(keep_text(found))


def _formatted(notes: Notes, node: "Node") -> list[str | Expr]:
    is_raw = b"r" in notes.source[node.start_byte : node.start_byte + 2].lower()
    parts: list[str | Expr] = []
    for child in node.named_children:
        if child.type == "string_content":
            inside = notes.text(child).replace("{{", "{").replace("}}", "}")
            parts.append(inside if is_raw or "\\" not in inside else unescaped(inside))
        elif child.type == "interpolation":
            parts.append(_hole(notes, child))
    return keep_parts(parts[:MOST_PARTS])


def _hole(notes: Notes, node: "Node") -> Expr:
    inner = node.named_children
    found = notes.value(inner[0]) if inner else UNKNOWN
    function = "format"
    for child in inner[1:]:
        if child.type == "format_specifier":
            for nested in child.named_children:
                notes.value(nested)
        elif child.type == "type_conversion":
            function = "repr" if notes.text(child) == "!r" else "str"
    notes.asked(function, found, node)
    return found


def concatenated(notes: Notes, node: "Node") -> Expr:
    """``"a" "b"``."""
    found = [notes.value(child) for child in notes.parts(node)]
    if any(not is_text(one) for one in found):
        return BYTES
    return joined(*found)


def joined(*values: Expr) -> Expr:
    """Strings one after the other, neighbouring literal parts made one."""
    return expr.text(*merged(values)[:MOST_PARTS])


def filled(template: Expr, arguments: Expr) -> Expr:
    """``template % arguments``."""
    given = list(arguments[2]) if arguments[0] == "seq" else [arguments]
    named = dict(arguments[1]) if arguments[0] == "map" else {}
    turn = iter(given)

    def hole(match: re.Match[str]) -> str | Expr:
        if match.group(2) == "%":
            return "%"
        if match.group(1) is not None:
            found: Expr = named.get(match.group(1), expr.item(arguments, match.group(1)))
            return found
        return next(turn, UNKNOWN)

    return _fill(template, _PERCENT, hole)


def method_of_text(
    base: Expr, method: str, positional: list[Expr], keywords: list[tuple[str, Expr]]
) -> Expr:
    """What a method of a literal string gives: ``format`` and ``join`` are followed."""
    if method == "join" and len(positional) == 1:
        return _join(base, positional[0])
    if method == "format":
        named = dict(keywords)
        turn = iter(positional)

        def hole(match: re.Match[str]) -> str | Expr:
            if match.group(1) is None:
                return match.group()[0]
            field = re.split(r"[.\[]", match.group(1), maxsplit=1)[0]
            if field.isdecimal():
                place = int(field) if len(field) < 4 else len(positional)
                return positional[place] if place < len(positional) else UNKNOWN
            return named.get(field, UNKNOWN) if field else next(turn, UNKNOWN)

        return _fill(base, _BRACES, hole)
    if method in ("strip", "lstrip", "rstrip"):
        return base
    return expr.seq("list", STR) if method in ("split", "splitlines") else STR


def _fill(template: Expr, holes: re.Pattern[str], hole: "object") -> Expr:
    parts: list[Expr] = []
    for part in template[1]:
        if not isinstance(part, str):
            parts.append(part)
            continue
        end = 0
        for match in holes.finditer(part):
            if match.start() > end:
                parts.append(expr.text(part[end : match.start()]))
            found = hole(match)  # type: ignore[operator]
            parts.append(expr.text(found) if isinstance(found, str) else found)
            end = match.end()
        parts.append(expr.text(part[end:]))
    return joined(*parts)


def _join(separator: Expr, members: Expr) -> Expr:
    if members[0] != "seq" or members[1] not in ("list", "tuple"):
        one = expr.each(members)
        return joined(one, separator, one)  # what stands between two of them
    parts: list[Expr] = []
    for number, one in enumerate(members[2]):
        if number:
            parts.append(separator)
        parts.append(expr.each(one[1]) if one[0] == "star" else one)
    return joined(*parts)


STRINGS: dict[str, Reader] = {"string": string, "concatenated_string": concatenated}
