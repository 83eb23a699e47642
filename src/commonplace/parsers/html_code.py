"""Code blocks of pages: their lines as written, and the language their highlighter names."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from commonplace.parsers.drafting import one_line
from commonplace.parsers.html_shape import DROPPED, classes_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# Prism, highlight.js, Rouge, Chroma, Shiki, prettify, Sphinx, GitHub, SyntaxHighlighter, Crayon,
# MediaWiki, Org: what stands before the language in one of their classes.
_PREFIXED = re.compile(
    r"""(?:^|\s)(?:language|lang|highlight-source|highlight-text|mw-highlight-lang|highlight|src|
    brush|enlighter-l)[-:]\s*([\w+#.-]+)""",
    re.VERBOSE,
)
_ATTRIBUTES = ("data-lang", "data-language", "data-enlighter-language", "data-code-lang")
_PARAMETERS = "data-syntaxhighlighter-params"  # Confluence
# Classes beside which a bare word is a language: highlight.js, pandoc, SyntaxHighlighter.
_BARE = frozenset({"hljs", "sourcecode", "syntaxhighlighter", "programlisting", "prettyprint"})
_NO_LANGUAGE = frozenset(
    {"default", "none", "text", "source", "plaintext", "notranslate", "nohighlight", "plain", "txt"}
    | {"copy", "undefined", "auto", "linenums", "numberlines", "numbersource", "nogutter", "lines"}
)
_NUMBERS = frozenset(
    {"linenos", "lineno", "linenodiv", "gutter", "rouge-gutter", "line-numbers-rows", "lnt", "ln"}
    | {"hljs-ln-numbers", "linenumber", "line-number", "react-syntax-highlighter-line-number"}
)
_ROWS = frozenset({"tr", "div", "li", "p"})


def code_text(element: "HtmlElement") -> str:
    """The lines of a code block, without line numbers and the buttons that copy it."""
    return "".join(_pieces(element))


def _pieces(element: "HtmlElement") -> Iterator[str]:
    """Text in order; a stack of its own, since highlighters nest without limit."""
    waiting: list[HtmlElement | str] = [element]
    last = "\n"
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if one == _ROW_END:
                one = "" if last.endswith("\n") else "\n"
            last = one or last
            yield one
            continue
        if one is not element:
            waiting.append(one.tail or "")
            if not isinstance(one.tag, str) or one.tag in DROPPED or _is_number(one):
                continue
            if one.tag in _ROWS:
                waiting.append(_ROW_END)
        if one.tag == "br":
            waiting.append("\n")
        waiting.extend(reversed(one))
        waiting.append(one.text or "")


_ROW_END = "\0row"


def _is_number(element: "HtmlElement") -> bool:
    return not _NUMBERS.isdisjoint(classes_of(element))


def code_language(element: "HtmlElement") -> str | None:
    """The language of a code block: named on it, inside it or on what wraps it."""
    near = [*element.iter("code"), element, *islice(element.iterancestors(), 4)]
    for one in near:
        language = _named(one)
        if language:
            return language
    return None


def _named(element: "HtmlElement") -> str:
    for name in _ATTRIBUTES:
        language = _checked(element.get(name) or "")
        if language:
            return language
    written = f"{element.get('class') or ''} {element.get(_PARAMETERS) or ''}"
    for found in _PREFIXED.finditer(written):
        language = _checked(found[1])
        if language:
            return language
    classes = [one.lower() for one in classes_of(element)]
    if _BARE.isdisjoint(classes):
        return ""
    return next((one for one in classes if one not in _BARE and _is_bare(one)), "")


def _checked(language: str) -> str:
    """The language without the flags some write behind it; empty when it names none.

    >>> _checked("rust,ignore"), _checked("python3"), _checked("Text"), _checked("html-basic")
    ('rust', 'python3', '', 'html')
    """
    named = one_line(language).strip(".").partition(",")[0].removesuffix("-basic")[:40]
    return "" if named.lower() in _NO_LANGUAGE else named


def _is_bare(word: str) -> bool:
    return word.isalnum() and bool(_checked(word)) and not word.startswith(("hljs", "line"))
