"""Notes and warnings in HTML: recognised by the classes documentation tools give them."""

import re
from typing import TYPE_CHECKING

from commonplace.parsers.drafting import one_line
from commonplace.parsers.html_shape import classes_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LABELS = {
    "note": "ℹ️ NOTE",
    "info": "ℹ️ INFO",
    "abstract": "ℹ️ ABSTRACT",
    "example": "ℹ️ EXAMPLE",
    "question": "ℹ️ QUESTION",
    "hint": "💡 HINT",
    "tip": "💡 TIP",
    "success": "💡 SUCCESS",
    "important": "❗ IMPORTANT",
    "attention": "⚠️ ATTENTION",
    "warning": "⚠️ WARNING",
    "caution": "⚠️ CAUTION",
    "danger": "🛑 DANGER",
    "error": "🛑 ERROR",
    "bug": "🛑 BUG",
    "seealso": "ℹ️ SEE ALSO",
}
_ELEMENTS = frozenset({"div", "aside", "section", "blockquote", "details", "p"})
# What tools write beside the kind: Sphinx and MkDocs, GitHub, Docusaurus, Bootstrap and Docsy,
# VuePress, Asciidoctor, Starlight, GitBook, Obsidian.
_MARKS = frozenset(
    {"admonition", "markdown-alert", "theme-admonition", "callout", "alert", "custom-block"}
    | {"admonitionblock", "starlight-aside", "hint", "message", "notification", "note"}
)
_NAMELESS = frozenset({"admonition", "admonitionblock"})
_TITLES = re.compile(
    r"(?:^|\s)(?:admonition-title|markdown-alert-title|callout-title|alert-heading|"
    r"custom-block-title|starlight-aside__title|hint-title|admonitionHeading\w*|icon)(?=$|\s)"
)
_PARTS = re.compile(r"--|-|_")


def note_kind(element: "HtmlElement") -> str:
    """What kind of note an element is; empty for none."""
    if element.tag not in _ELEMENTS:
        return ""
    if element.get("data-callout"):
        return str(element.get("data-callout")).lower()
    classes = [one.lower() for one in classes_of(element)]
    if not classes:
        return ""
    is_marked = not _MARKS.isdisjoint(classes)
    if element.tag in {"details", "p"} and not ("admonition" in classes or len(classes) == 1):
        return ""
    words = [word for one in classes for word in (one, _PARTS.split(one)[-1])]
    names = [word for word in words if word in _LABELS]
    if names and (len(classes) == 1 or is_marked):
        return names[0]
    # AsciiDoc's first program tells the kind only in words.
    return "" if _NAMELESS.isdisjoint(classes) else "admonition"


def take_label(element: "HtmlElement") -> str:
    """What stands before the words of a note; its own title is taken out of it."""
    kind = note_kind(element)
    label = _LABELS.get(kind, "ℹ️ NOTE")
    title = next((one for one in element.iter() if _is_title(one)), None)
    if title is None:
        return label
    said = one_line("".join(title.itertext())).strip(" :")
    title.drop_tree()
    known = said.lower().replace(" ", "")
    if not said or known == kind or known in _LABELS:
        return label if kind in _LABELS else _LABELS.get(known, label)
    return f"{label} ({said})"


def _is_title(element: "HtmlElement") -> bool:
    return element.tag == "summary" or bool(_TITLES.search(element.get("class") or ""))
