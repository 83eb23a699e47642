"""Inline Markdown, read where it stands: links with exact offsets, and headings as plain words.

A scanner of our own, because markdown-it gives inline tokens no offsets; every repetition is
bounded, so hostile brackets cost linear time.
"""

import html
import re
from collections.abc import Mapping

from commonplace.domain.document import Link, Span
from commonplace.parsers.drafting import one_line

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.{0,4000}?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(
    r"""(?P<image>!?)\[(?P<text>(?:[^\[\]\\]|\\.|!?\[[^\[\]]{0,400}\]){0,1000})\]
    (?:\([ \t\n\r]{0,40}
        (?P<target><[^<>\n\r]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()]{0,400}\)[^\s()]{0,400}){0,4})
        (?:\s{1,40}(?:"[^"]{0,400}"|'[^']{0,400}'|\([^()]{0,400}\)))?\s{0,40}\)
    |\[(?P<label>[^\[\]]{0,400})\])?""",
    re.VERBOSE | re.DOTALL,
)
_PICTURE = re.compile(
    r"!\[([^\[\]]{0,400})\]|<img\s[^<>]{0,1000}?\balt=[\"']([^\"'<>]{0,400})", re.I
)
_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]{1,2000}")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>|<!--.{0,1000}?-->", re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|~~")


def plain(markup: str) -> str:
    """The words of inline Markdown without its marks.

    >>> plain("The `set_up` *step*, see [the guide](g.md)")
    'The set_up step, see the guide'
    >>> plain("dotenv [![version](v.svg)](https://npmjs.com) ![downloads](d.svg)")
    'dotenv'
    """
    if not any(mark in markup for mark in "`*_[<\\&~"):
        return one_line(markup)
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(markup):
        parts += (_words(markup[at : code.start()]), code[2])
        at = code.end()
    parts.append(_words(markup[at:]))
    return one_line("".join(parts))


def picture_words(markup: str) -> str:
    """What the first picture says that has words: of a heading which is nothing but a logo.

    >>> picture_words("[![Fastify](logo.svg)](https://fastify.dev)")
    'Fastify'
    """
    found = ((match[1] or match[2] or "").strip() for match in _PICTURE.finditer(markup))
    return next((plain(words) for words in found if words), "")


def _words(markup: str) -> str:
    words = markup
    for _ in range(2):  # a link may hold a picture, as badges do
        words = _LINK.sub(lambda link: "" if link["image"] else link["text"], words)
    words = _EMPHASIS.sub("", _TAG.sub("", words))
    return html.unescape(_ESCAPED.sub(r"\1", words))


def _mask(source: str) -> str:
    """Code spans and tags as blanks of the same length, so that nothing in them is a link."""
    if "`" not in source:
        return source
    return _CODE.sub(lambda code: " " * len(code[0]), source)


def _reference(references: Mapping[str, str], link: re.Match[str]) -> str | None:
    label = " ".join((link["label"] or link["text"]).split()).upper()
    return references.get(label)


def find_links(source: str, base: int, references: Mapping[str, str]) -> list[Link]:
    """Links of a stretch of Markdown that starts at character ``base`` of its document.

    ``references`` are the link definitions of the document by upper-case label.

    >>> [(link.target, link.text) for link in find_links("see [a](b.md) or <http://c.d>", 0, {})]
    [('b.md', 'a'), ('http://c.d', 'http://c.d')]
    """
    if "[" not in source and "://" not in source:
        return []
    masked = _mask(source)
    links: list[Link] = []
    for found in _LINK.finditer(masked):
        target = found["target"]
        target = _reference(references, found) if target is None else target.strip("<>")
        if target and not found["image"]:
            span = Span(base + found.start(), base + found.end())
            text = plain(source[found.start("text") : found.end("text")])
            links.append(Link(target=html.unescape(target), text=text, span=span))
    return sorted(links + _bare(masked, base, links), key=lambda link: link.span)


def _bare(masked: str, base: int, known: list[Link]) -> list[Link]:
    taken = iter(known)
    near = next(taken, None)
    links: list[Link] = []
    for found in _URL.finditer(masked):
        url = found[0].rstrip(".,;:!?*_~")
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1]
        start = base + found.start()
        while near and near.span.end <= start:
            near = next(taken, None)
        if len(url) > len("https://") and not (near and near.span.start <= start):
            links.append(Link(target=url, text=url, span=Span(start, start + len(url))))
    return links
