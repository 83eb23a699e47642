"""What stands inside a line of a page: formulas, images, code, raised and lowered words."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from commonplace.parsers.drafting import one_line
from commonplace.parsers.html_math import is_display, latex, strip_marks
from commonplace.parsers.html_shape import classes_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

CODE = frozenset({"code", "kbd", "samp", "tt"})
# What stands around the words of an element.
WRAPPED: Mapping[str, tuple[str, str]] = {
    "q": ("“", "”"),
    **dict.fromkeys(("del", "s", "strike"), ("~~", "~~")),
}
_TICKS = re.compile("`+")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "re", "e", "o", "a", "tm", "®", "™", "º", "ª"})
_REFERENCES = frozenset({"footnote-ref", "footnote-reference", "footnoteref", "noteref", "fn-ref"})
_TO_NOTE = re.compile(r"#(?:fn|footnote|cite_note|_ftn|note-|user-content-fn)", re.IGNORECASE)
_BRACKETED = re.compile(r"\[.{1,12}\]")
_MATH = frozenset({"math", "arithmatex"})


def code_span(words: str) -> str:
    """Words as code; the marks are longer than any inside.

    >>> code_span("a`b"), code_span("x"), code_span("`")
    ('``a`b``', '`x`', '`` ` ``')
    """
    longest = max((len(found) for found in _TICKS.findall(words)), default=0)
    marks = "`" * (longest + 1)
    space = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{marks}{space}{words}{space}{marks}" if words else ""


def written(element: "HtmlElement", before: str) -> str | None:
    """What is written for an element instead of its words; None for most elements.

    ``before`` is the character it follows.
    """
    known = _WRITTEN.get(str(element.tag))
    if known is not None:
        return known(element, before)
    return None if _MATH.isdisjoint(classes_of(element)) else _formula(element)


def image_target(element: "HtmlElement") -> str:
    """The address of an image as written, also of one that loads late; empty for none."""
    for name in ("data-src", "data-original", "src"):
        target = (element.get(name) or "").strip()
        if target and not target.startswith("data:"):
            return target
    named = (element.get("srcset") or element.get("data-srcset") or "").split()
    return named[0].rstrip(",") if named and not named[0].startswith("data:") else ""


def _words(element: "HtmlElement") -> str:
    return one_line("".join(element.itertext()))


def _formula(element: "HtmlElement") -> str | None:
    """LaTeX in a span of class math, as Sphinx, pandoc and MkDocs write it."""
    if element.find(".//math") is not None:
        return None
    formula, is_block = strip_marks(_words(element))
    mark = "$$" if is_block or element.tag == "div" else "$"
    return f"{mark}{formula}{mark}" if formula else ""


def _image(element: "HtmlElement", _before: str) -> str:
    if any("math" in one for one in classes_of(element)):
        return ""  # the picture of a formula that stands beside it
    return element.get("alt") or ""


def _math(element: "HtmlElement", _before: str) -> str:
    formula = latex(element)
    mark = "$$" if is_display(element) else "$"
    return f"{mark}{formula}{mark}" if formula else ""


def _script(element: "HtmlElement", _before: str) -> str:
    """LaTeX that MathJax 2 keeps in a script."""
    formula = one_line(element.text or "")
    mark = "$$" if "mode=display" in (element.get("type") or "") else "$"
    return f"{mark}{formula}{mark}" if formula else ""


def is_formula_script(element: "HtmlElement") -> bool:
    """Whether a script is a formula and no program."""
    return element.tag == "script" and (element.get("type") or "").startswith("math/tex")


def _raised(element: "HtmlElement", before: str) -> str | None:
    said = _words(element)
    links = element.findall(".//a")
    if any(is_note_reference(link) for link in links):
        return None
    if said.lower() in _ORDINALS or not said or not (before.isalnum() or before in ")]}"):
        return said
    return f"^{said}" if _is_short(said) else f"^({said})"


def _lowered(element: "HtmlElement", before: str) -> str:
    said = _words(element)
    if not said or not (before.isalnum() or before in ")]}") or said.isdigit():
        return said  # H2O is what people write and look for
    return f"_{said}" if _is_short(said) else f"_({said})"


def _is_short(said: str) -> bool:
    return said.lstrip("+-−").isalnum()


def is_note_reference(link: "HtmlElement") -> bool:
    """Whether a link is the number of a footnote."""
    target = link.get("href") or ""
    named = link.get("role") == "doc-noteref" or not _REFERENCES.isdisjoint(classes_of(link))
    is_number = len(_words(link)) <= 6
    return target.startswith("#") and is_number and (named or bool(_TO_NOTE.match(target)))


def _link(element: "HtmlElement", _before: str) -> str | None:
    if not is_note_reference(element):
        return None
    said = _words(element)
    return said if _BRACKETED.fullmatch(said) else f"[{said}]"


_Written = Callable[["HtmlElement", str], str | None]
_WRITTEN: Mapping[str, _Written] = {
    "img": _image,
    "math": _math,
    "script": _script,
    "sup": _raised,
    "sub": _lowered,
    "a": _link,
}
