"""Headings by styles of one's own: firms name their own, based on Word's or with a level."""

import re
from typing import TYPE_CHECKING

from commonplace.parsers.archive import Archive

if TYPE_CHECKING:
    from lxml.etree import _Element

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_DEEPEST = 6  # of HTML
_BODY = 9  # the level Word gives to what is no heading
_MOST_BASES = 20  # styles may be based on each other in a circle


def heading_styles(archive: Archive) -> list[str]:
    """Rules of mammoth for paragraph styles that are headings and not called so."""
    if "word/styles.xml" not in archive.names:
        return []
    from lxml import etree  # noqa: PLC0415 - parsers load their library late

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(archive.read("word/styles.xml"), parser)
    styles = {
        one.get(f"{_WORD}styleId") or "": one
        for one in root.iter(f"{_WORD}style")
        if one.get(f"{_WORD}type") == "paragraph"
    }
    rules = []
    for style in styles.values():
        name, level = _value(style, "name"), _level(style, styles)
        if name and level and "\n" not in name:
            quoted = name.replace("\\", "\\\\").replace("'", "\\'")
            rules.append(f"p[style-name='{quoted}'] => h{min(level, _DEEPEST)}:fresh")
    return rules


def _level(style: "_Element", styles: "dict[str, _Element]") -> int | None:
    """1 for the highest; None for what is no heading."""
    for _ in range(_MOST_BASES):
        if match := _HEADING.fullmatch(_value(style, "name")):
            return int(match.group(1))
        outline = _value(style, f"pPr/{_WORD}outlineLvl")
        if outline.isdecimal():
            return int(outline) + 1 if int(outline) < _BODY else None
        base = styles.get(_value(style, "basedOn"))
        if base is None:
            return None
        style = base
    return None


def _value(style: "_Element", path: str) -> str:
    found = style.find(f"{_WORD}{path}")
    return "" if found is None else found.get(f"{_WORD}val") or ""
