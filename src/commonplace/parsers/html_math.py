"""MathML as LaTeX: the source its author left, else what the structure says.

Good for reading and for search, not for typesetting: spaces, sizes and colours are left out.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from commonplace.parsers.drafting import one_line
from commonplace.parsers.html_signs import (
    ACCENTS,
    BIG,
    FENCED_TABLES,
    NAMED,
    SIGNS,
    UNDER_ACCENTS,
    VARIANTS,
)

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MOST_DEPTH = 60
_HIDDEN = frozenset({"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark", ""})
# What needs no braces as the base of an index: one sign, one number, one command, one group.
_ONE = re.compile(r"\\?[A-Za-z]|.|\d+|\\[A-Za-z]+(?:\{[^{}]*\})*|\((?:[^()]*)\)|\[[^\[\]]*\]|'+")
_STYLE = re.compile(r"\{\\(?:displaystyle|textstyle)\s*(.*)\}", re.DOTALL)
_MARKS = (("$$", "$$", True), (r"\[", r"\]", True), (r"\(", r"\)", False), ("$", "$", False))


def latex(element: "HtmlElement") -> str:
    """The formula of a ``math`` element, without the marks around it."""
    written = element.get("alttext") or _annotation(element)
    if not written:
        return one_line(_read(element, 0))
    formula, _ = strip_marks(one_line(written))
    styled = _STYLE.fullmatch(formula)
    return styled[1].strip() if styled else formula


def strip_marks(text: str) -> tuple[str, bool]:
    r"""A formula without the marks around it, and whether they set it on a line of its own.

    >>> strip_marks(r"\(a\)"), strip_marks("$$ b $$"), strip_marks("c")
    (('a', False), ('b', True), ('c', False))
    """
    text = text.strip()
    for opening, closing, is_block in _MARKS:
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening):
            return text[len(opening) : -len(closing)].strip(), is_block
    return text, False


def is_display(element: "HtmlElement") -> bool:
    """Whether a formula stands on a line of its own."""
    return bool(element.get("display") == "block" or element.get("mode") == "display")


def _annotation(element: "HtmlElement") -> str:
    notes = element.xpath(
        ".//*[local-name()='annotation' and contains(translate(@encoding, 'TEX', 'tex'), 'tex')]"
    )
    return "".join(notes[0].itertext()) if notes else ""


def _name(element: "HtmlElement") -> str:
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _children(element: "HtmlElement") -> "list[HtmlElement]":
    return [child for child in element if _name(child) not in _HIDDEN]


def _read(element: "HtmlElement", depth: int) -> str:
    if depth > _MOST_DEPTH:
        return "".join(element.itertext())
    parts = _children(element)
    known = _SHAPES.get(_name(element))
    if known is not None and len(parts) >= known[0]:
        return known[1](element, [_read(part, depth + 1) for part in parts])
    if not parts:
        return _token(element)
    return _row(element, [_read(part, depth + 1) for part in parts])


def _row(_element: "HtmlElement", parts: list[str]) -> str:
    """Parts side by side; brackets around a table become part of it."""
    for place, part in enumerate(parts):
        if not part.startswith(r"\begin{matrix}") or not place:
            continue
        opening, closing = parts[place - 1], parts[place + 1] if place + 1 < len(parts) else ""
        kind = FENCED_TABLES.get((opening, closing)) or FENCED_TABLES.get((opening, ""))
        if kind:
            taken = 2 if (opening, closing) in FENCED_TABLES and closing else 1
            table = part.replace("{matrix}", f"{{{kind}}}")
            parts = [*parts[: place - 1], table, *parts[place + taken :]]
            break
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """Parts side by side; a space where a command would run into a letter."""
    text = ""
    for part in parts:
        is_run = text[-1:].isalpha() and "\\" in text.rpartition(" ")[2] and part[:1].isalpha()
        ends_in_command = is_run and re.search(r"\\[A-Za-z]+$", text) is not None
        text += f" {part}" if ends_in_command else part
    return text


def _token(element: "HtmlElement") -> str:
    said = "".join(element.itertext()).strip()
    name = _name(element)
    if name in {"mtext", "ms"}:
        return rf"\text{{{one_line(said)}}}" if said else ""
    if name == "mspace":
        return ""
    if said in NAMED:
        return rf"\{said}"
    signs = _joined([SIGNS.get(char, char) for char in said])
    variant = VARIANTS.get(element.get("mathvariant") or "")
    if variant and signs:
        return rf"\{variant}{{{signs}}}"
    return rf"\mathrm{{{signs}}}" if name == "mi" and len(said) > 1 and said.isalpha() else signs


def _base(text: str) -> str:
    """Text that an index may follow."""
    return text if _ONE.fullmatch(text) else f"{{{text}}}"


def _fraction(element: "HtmlElement", parts: list[str]) -> str:
    thickness = element.get("linethickness") or "1"
    if not thickness.strip("0.pxemt%"):
        return rf"\binom{{{parts[0]}}}{{{parts[1]}}}"
    if element.get("bevelled") == "true":
        return f"{_base(parts[0])}/{_base(parts[1])}"
    return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"


def _fenced(element: "HtmlElement", parts: list[str]) -> str:
    opening, closing = element.get("open", "("), element.get("close", ")")
    marks = [mark for mark in element.get("separators", ",") if not mark.isspace()]
    inner = parts[0] if parts else ""
    for number, part in enumerate(parts[1:]):
        mark = marks[min(number, len(marks) - 1)] if marks else ""
        inner += f"{mark} {part}" if mark else part
    return _row(element, [SIGNS.get(opening, opening), inner, SIGNS.get(closing, closing)])


def _raised(base: str, index: str) -> str:
    """A base that needs no braces any more, and what stands above it: primes as such."""
    return f"{base}{index}" if index and set(index) == {"'"} else f"{base}^{{{index}}}"


def _over(_element: "HtmlElement", parts: list[str]) -> str:
    base, over = parts[0], parts[1]
    accent = ACCENTS.get(over)
    if accent:
        return rf"\{accent}{{{base}}}"
    if base in BIG or base.startswith((r"\overbrace", r"\underbrace")):
        return f"{base}^{{{over}}}"
    return rf"\overset{{{over}}}{{{base}}}"


def _under(_element: "HtmlElement", parts: list[str]) -> str:
    base, under = parts[0], parts[1]
    accent = UNDER_ACCENTS.get(under)
    if accent:
        return rf"\{accent}{{{base}}}"
    if base in BIG or base.startswith(r"\underbrace") or base[1:] in NAMED:
        return f"{base}_{{{under}}}"
    return rf"\underset{{{under}}}{{{base}}}"


def _table(_element: "HtmlElement", rows: list[str]) -> str:
    inner = r" \\ ".join(rows)
    return rf"\begin{{matrix}}{inner}\end{{matrix}}"


def _scripts(element: "HtmlElement", parts: list[str]) -> str:
    """Indices on both sides of a base, in the pairs MathML gives them."""
    names = [_name(child) for child in _children(element)]
    split = names.index("mprescripts") if "mprescripts" in names else len(names)
    after, before = parts[1:split], parts[split + 1 :]
    left = _pairs(before)
    return (f"{{}}{left}" if left else "") + _base(parts[0]) + _pairs(after)


def _pairs(indices: list[str]) -> str:
    text = ""
    for low, high in zip(indices[::2], indices[1::2], strict=False):
        text += (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    return text


def _enclosed(element: "HtmlElement", parts: list[str]) -> str:
    inner, notation = "".join(parts), element.get("notation") or "longdiv"
    commands = {"box": "boxed", "radical": "sqrt", "top": "overline", "bottom": "underline"}
    for name, command in commands.items():
        if name in notation.split():
            return rf"\{command}{{{inner}}}"
    return rf"\cancel{{{inner}}}" if "strike" in notation else inner


Shape = Callable[["HtmlElement", list[str]], str]
# By element: how many parts it must have, and what they come to.
_SHAPES: Mapping[str, tuple[int, Shape]] = {
    "mfrac": (2, _fraction),
    "msup": (2, lambda _, p: _raised(_base(p[0]), p[1])),
    "msub": (2, lambda _, p: f"{_base(p[0])}_{{{p[1]}}}"),
    "msubsup": (3, lambda _, p: _raised(f"{_base(p[0])}_{{{p[1]}}}", p[2])),
    "munderover": (3, lambda _, p: f"{_base(p[0])}_{{{p[1]}}}^{{{p[2]}}}"),
    "munder": (2, _under),
    "mover": (2, _over),
    "msqrt": (1, lambda _, p: rf"\sqrt{{{_joined(p)}}}"),
    "mroot": (2, lambda _, p: rf"\sqrt[{p[1]}]{{{p[0]}}}"),
    "mfenced": (0, _fenced),
    "mmultiscripts": (1, _scripts),
    "menclose": (1, _enclosed),
    "mtable": (1, _table),
    "mtr": (1, lambda _, p: " & ".join(p)),
    "mlabeledtr": (1, lambda _, p: " & ".join(p[1:])),
    "maction": (1, lambda _, p: p[0]),
    "semantics": (1, lambda _, p: p[0]),
}
