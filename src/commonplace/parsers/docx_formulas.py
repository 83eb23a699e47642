"""Formulas of Word documents as TeX, in the place where they stand: mammoth leaves them out."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from commonplace.parsers.archive import Archive

if TYPE_CHECKING:
    from lxml.etree import _Element

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MOST_DEPTH = 60  # of formulas in formulas; people stop at ten
_OPERATORS = {"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∬": r"\iint", "∮": r"\oint"}
_ACCENTS = {"\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0305": r"\bar"}
_ACCENTS |= {"\u0307": r"\dot", "\u0308": r"\ddot", "\u20d7": r"\vec", "\u030c": r"\check"}


def with_formulas(content: bytes, archive: Archive) -> bytes:
    """The archive with a run of text in the place of each formula; the same if it has none."""
    parts = {one.filename: archive.read(one.filename) for one in archive.texts}
    written = {name: _rewritten(part) for name, part in parts.items() if b":oMath" in part}
    if not written:
        return content
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as packed:
        for name in sorted(archive.names):
            # Pictures are not shown: an empty one is as good.
            packed.writestr(name, written.get(name) or parts.get(name) or b"")
    return made.getvalue()


def _rewritten(part: bytes) -> bytes:
    from lxml import etree  # noqa: PLC0415 - parsers load their library late

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(part, parser)
    for mark, wanted in (("$$", f"{_MATH}oMathPara"), ("$", f"{_MATH}oMath")):
        for formula in list(root.iter(wanted)):
            parent = formula.getparent()
            if parent is None:
                continue
            run = etree.Element(f"{_WORD}r")
            text = etree.SubElement(run, f"{_WORD}t")
            text.text = f"{mark}{tex(formula)}{mark}"
            text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            run.tail = formula.tail
            parent.replace(formula, run)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def tex(element: "_Element", depth: int = 0) -> str:
    """A formula, or a part of one, as TeX."""
    name = str(element.tag).removeprefix(_MATH)
    if name == "t":
        return element.text or ""
    if depth > _MOST_DEPTH or name.endswith("Pr"):
        return ""
    read = [(str(child.tag).removeprefix(_MATH), tex(child, depth + 1)) for child in element]
    found: dict[str, list[str]] = {}
    for part, text in read:
        found.setdefault(part, []).append(text)
    if name in _FORMS:
        return _FORMS[name](element, {key: found[key][0] for key in found})
    if name in ("d", "eqArr", "m", "mr"):
        return _row(name, element, found)
    return "".join(text for _, text in read).strip()


def _row(name: str, element: "_Element", found: Mapping[str, list[str]]) -> str:
    """What stands in brackets, in a line of a matrix, or in lines."""
    if name == "d":
        opening, closing = _set(element, "begChr", "("), _set(element, "endChr", ")")
        inner = _set(element, "sepChr", "|").join(found.get("e", []))
        return f"{opening}{inner}{closing}"
    if name == "mr":
        return " & ".join(found.get("e", []))
    return r" \\ ".join(found.get("mr", []) or found.get("e", []))


def _set(element: "_Element", name: str, usual: str) -> str:
    """A character the formula's properties set."""
    given = element.find(f"{_MATH}{str(element.tag).removeprefix(_MATH)}Pr/{_MATH}{name}")
    return usual if given is None else given.get(f"{_MATH}val") or ""


def _scripts(_element: "_Element", parts: Mapping[str, str]) -> str:
    low = f"_{{{parts['sub']}}}" if parts.get("sub") else ""
    high = f"^{{{parts['sup']}}}" if parts.get("sup") else ""
    return f"{parts.get('e', '')}{low}{high}"


def _prescripts(element: "_Element", parts: Mapping[str, str]) -> str:
    return f"{{}}{_scripts(element, {**parts, 'e': ''})}{parts.get('e', '')}"


def _sum(element: "_Element", parts: Mapping[str, str]) -> str:
    sign = _set(element, "chr", "∫")
    return f"{_scripts(element, {**parts, 'e': _OPERATORS.get(sign, sign)})} {parts.get('e', '')}"


def _accent(element: "_Element", parts: Mapping[str, str]) -> str:
    return f"{_ACCENTS.get(_set(element, 'chr', chr(0x302)), chr(92) + 'hat')}{{{parts['e']}}}"


_FORMS: Mapping[str, Callable[["_Element", Mapping[str, str]], str]] = {
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _prescripts,
    "nary": _sum,
    "acc": _accent,
    "f": lambda _, parts: rf"\frac{{{parts.get('num', '')}}}{{{parts.get('den', '')}}}",
    "rad": lambda _, parts: (
        rf"\sqrt{'[' + parts['deg'] + ']' if parts.get('deg') else ''}{{{parts.get('e', '')}}}"
    ),
    "func": lambda _, parts: f"{parts.get('fName', '')} {parts.get('e', '')}",
    "limLow": lambda _, parts: f"{parts.get('e', '')}_{{{parts.get('lim', '')}}}",
    "limUpp": lambda _, parts: f"{parts.get('e', '')}^{{{parts.get('lim', '')}}}",
    "bar": lambda _, parts: rf"\overline{{{parts.get('e', '')}}}",
}
