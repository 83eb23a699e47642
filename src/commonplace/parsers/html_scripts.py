"""Pages that say nothing before their scripts have run."""

from typing import TYPE_CHECKING

from commonplace.parsers.html_shape import DROPPED

if TYPE_CHECKING:
    from lxml.html import HtmlElement

LEAST_CHARS = 200  # a frame says "Loading…", or that scripts are needed
_PROGRAMS = ("", "module", "text/javascript", "application/javascript")


def is_empty_frame(tree: "HtmlElement") -> bool:
    """Whether a page has scripts and, without them, nearly no words."""
    scripts = (one for one in tree.iter("script") if (one.get("type") or "") in _PROGRAMS)
    if next(scripts, None) is None:
        return False
    body = tree.find("body")
    return body is None or _words(body) < LEAST_CHARS


def _words(body: "HtmlElement") -> int:
    """Characters a reader sees, counted until there are enough."""
    chars = 0
    waiting = [body]
    while waiting and chars < LEAST_CHARS:
        element = waiting.pop()
        chars += len((element.text or "").strip()) if element.tag not in DROPPED else 0
        for child in element:
            chars += len((child.tail or "").strip())
            if child.tag not in DROPPED:
                waiting.append(child)
    return chars
