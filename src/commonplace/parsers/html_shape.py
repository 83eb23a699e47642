"""What the elements of a page are: blocks, headings, things nobody reads."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

DROPPED = frozenset(
    {"script", "style", "noscript", "template", "nav", "footer", "svg", "iframe", "object"}
    | {"button", "input", "select", "textarea", "canvas", "audio", "video", "head", "dialog"}
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCKS = frozenset(
    {*HEADINGS, "p", "pre", "table", "ul", "ol", "menu", "dl", "blockquote", "hr", "div", "section"}
    | {"article", "main", "header", "aside", "figure", "figcaption", "details", "summary", "li"}
    | {"dt", "dd", "form", "fieldset", "address", "center", "body", "tr", "td", "th", "tbody"}
    | {"thead", "tfoot", "caption", "hgroup"}
)
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary", "menu"})
_CLASSES = frozenset(
    {"headerlink", "breadcrumbs", "breadcrumb", "sphinxsidebar", "navbar", "skip-link"}
    | {"anchor-link", "hash-link", "toc-backref", "linenos", "edit-this-page", "mw-editsection"}
    | {"footnote-back", "footnote-backref", "reversefootnote", "fn-backref", "mw-cite-backlink"}
    | {"MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_SVG", "katex-html", "gutter"}
    | {"sr-only", "visually-hidden", "screen-reader-text", "copybtn", "copy-button"}
)
_POINTERS = frozenset("¶#§🔗⚓↑⇧⬆▲↩^")
"""A link that says only this leads to its own heading, or back from a note."""
_UPWARD = re.compile(
    r"\W*(?:(?:back|go|jump|return) to )?(?:the )?top(?: of (?:the )?page)?\W*", re.I
)
_FORMULA = "mwe-math-mathml"  # MediaWiki hides the formula and shows its picture
_NOTES = re.compile(r"note|warn|tip|admon|caution|danger|info|hint|callout|important", re.I)


def classes_of(element: "HtmlElement") -> list[str]:
    """The classes of an element."""
    return (element.get("class") or "").split()


def is_hidden(element: "HtmlElement") -> bool:
    """Whether an element says that it is not shown, or only as ornament."""
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    if not style or "display:none" not in style.replace(" ", "").lower():
        return False
    return not (element.get("class") or "").startswith(_FORMULA)


def is_chrome(element: "HtmlElement", is_main: bool) -> bool:
    """Whether an element surrounds the content instead of being it.

    ``is_main`` is true inside the marked main content, where a header holds the title.
    """
    tag = element.tag
    if not isinstance(tag, str) or tag in DROPPED or is_hidden(element):
        return True
    if tag == "a" and _points(element):
        return True
    classes = classes_of(element)
    role = element.get("role")
    if tag == "aside" or role in _ROLES:
        return not _NOTES.search(" ".join(classes)) and element.get("data-callout") is None
    if tag == "header" and not is_main:
        return not element.xpath(".//h1")
    return role == "doc-backlink" or (bool(classes) and not _CLASSES.isdisjoint(classes))


def _points(link: "HtmlElement") -> bool:
    """Whether a link is a handle of the page itself, such as a heading's sign or "back to top"."""
    target = link.get("href") or ""
    if "#" not in target:
        return False
    said = "".join(link.itertext()).strip()
    if not said:
        pictured = link.find(".//img")
        said = "" if pictured is None else (pictured.get("alt") or "").strip()
    if said.rstrip("\ufe0e\ufe0f") in _POINTERS:
        return True
    return target.startswith("#") and _UPWARD.fullmatch(said) is not None
