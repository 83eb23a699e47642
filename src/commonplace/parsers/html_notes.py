"""Notes and warnings in HTML: recognised by the classes documentation tools give them."""

from typing import TYPE_CHECKING

from commonplace.parsers.drafting import one_line

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LABELS = {
    "note": "ℹ️ NOTE",
    "info": "ℹ️ INFO",
    "hint": "💡 HINT",
    "tip": "💡 TIP",
    "important": "❗ IMPORTANT",
    "attention": "⚠️ ATTENTION",
    "warning": "⚠️ WARNING",
    "caution": "⚠️ CAUTION",
    "danger": "🛑 DANGER",
    "error": "🛑 ERROR",
    "seealso": "ℹ️ SEE ALSO",
}
_ELEMENTS = frozenset({"div", "aside", "section", "blockquote"})
_MARKS = frozenset({"admonition", "markdown-alert", "callout", "alert"})
_TITLES = frozenset({"admonition-title", "markdown-alert-title", "callout-title", "alert-heading"})


def note_kind(element: "HtmlElement") -> str:
    """What kind of note an element is: of Sphinx, MkDocs, Docusaurus or GitHub; empty for none."""
    if element.tag not in _ELEMENTS:
        return ""
    classes = (element.get("class") or "").lower().split()
    words = [word for one in classes for word in (one, one.rpartition("-")[2])]
    names = [word for word in words if word in _LABELS]
    if names and (len(classes) == 1 or not _MARKS.isdisjoint(classes)):
        return names[0]
    return "admonition" if "admonition" in classes else ""


def take_label(element: "HtmlElement") -> str:
    """What stands before the words of a note; its own title is taken out of it."""
    kind = note_kind(element)
    label = _LABELS.get(kind, "ℹ️ NOTE")
    title = next((one for one in element.iter() if _is_title(one)), None)
    if title is None:
        return label
    said = one_line("".join(title.itertext())).strip(" :")
    title.drop_tree()
    if not said or said.lower().replace(" ", "") == kind:
        return label
    return f"{label} ({said})"


def _is_title(element: "HtmlElement") -> bool:
    return not _TITLES.isdisjoint((element.get("class") or "").split())
