"""Which part of a page is its content: what documentation tools mark, else where the prose is.

Nothing is cut out of the tree: the walker is told where to begin and what to leave out, so that
structure, anchors and offsets stay its business alone.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonplace.parsers.drafting import slug
from commonplace.parsers.html_shape import BLOCKS, DROPPED, HEADINGS, is_hidden

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LEAST_CHARS = 40  # a shorter main is a frame that scripts fill
_LEAST_PROSE = 140  # with less in it, a page is no article but a list or a form
_PARAGRAPH = 50  # characters from which a run of words is taken for a sentence
_LINKED = 0.4  # share of linked characters from which it is a menu
_WHOLE = 0.7  # share of the prose one child must hold to be gone into
_KEPT = 0.45  # share of the prose that no name of a class can condemn
# Where documentation tools put the page itself; by class or id, the surest first.
_TOOLS = (
    *(".theme-doc-markdown", ".vp-doc", ".theme-default-content", ".sl-markdown-content"),
    *(".md-content__inner", "#furo-main-content", ".bd-article", ".rst-content", ".td-content"),
    *(".markdown-body", ".mw-parser-output", "#mw-content-text", ".wiki-content", ".doc-content"),
    *(
        ".body[role=main]",
        ".markdown-section",
        ".gitbook-markdown",
        ".nextra-content",
        ".docMainContainer",
    ),
)
# Where an article is by name; around it and even inside it there may be more.
_MARKED = (".entry-content", ".post-content", ".article-body", ".articleBody", "article", "main")
_AROUND = re.compile(
    r"""(?:^|[\s_-])(?:ad|ads|advert\w*|banner|breadcrumbs?|byline|combx|comments?|community|
    cookies?|consent|gdpr|disqus|disclaimer|dsq|extra|feedback|foot|footer|footnav|header|legends?|
    masthead|menu|meta|modal|nav|navbar|navigation|newsletter|outbrain|pager|pagination|
    popup|print|prevnext|promo\w*|recommend\w*|related\w*|remark|replies|respond|rss|share\w*|
    sharing|shoutbox|sidebar\w*|skip\w*|skyscraper|social\w*|sponsor\w*|subscribe|subscription|
    taboola|tags|tagcloud|teaser\w*|toc|toolbar|tools?|trackback|tweet|yom-remote
    )(?=$|[\s_-])|(?:^|\s)widget(?=$|[\s_-])""",
    re.VERBOSE | re.IGNORECASE,
)
# What tools make of the parts of a written document; their ids are names of what they tell.
_PARTS = re.compile(
    r"""(?:^|\s)(?:sect\d|(?:sub)*section|chapter|appendix|preface|part|level\d|outline-\d|ref\w+|
    [a-z]+-level-extent|table|example|figure|variablelist|glossary\w*|note|tip|warning|caution
    )(?=$|\s)""",
    re.VERBOSE,
)
# Tables of contents: where things are told, and nothing of them.
_DIRECTORY = re.compile(
    r"(?:^|\s)(?:toctree-wrapper|contents|toc|table-of-contents|genindextable)(?=$|\s)"
)
_DIRECTORY_LINKS = 20  # a shorter one may be read as a list
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEVER_AROUND = frozenset(
    {*HEADINGS, "html", "body", "main", "article", "pre", "code", "math", "figure", "blockquote"}
)


@dataclass(frozen=True, slots=True)
class Content:
    """Where a page's content begins and what inside it is not part of it."""

    root: "HtmlElement"
    is_marked: bool
    """Whether its author marked it."""
    around: "frozenset[HtmlElement]" = frozenset()
    start: "HtmlElement | None" = None
    """Within which the content was looked for."""

    def beside(self) -> "Iterator[HtmlElement]":
        """What stands beside the content, up to where it was looked for."""
        inner = self.root
        while self.start is not None and inner is not self.start:
            above = inner.getparent()
            yield from (child for child in above if child is not inner)
            inner = above


@dataclass(slots=True)
class _Sum:
    """What an element holds."""

    chars: int = 0
    linked: int = 0
    own: int = 0
    """Of its own and its inline children's words, those of inner blocks left out."""
    own_linked: int = 0
    prose: int = 0
    """Of blocks that read like sentences."""


def find_content(tree: "HtmlElement") -> Content:
    """The content of a page."""
    body = tree.find("body")
    body = tree if body is None else body
    places = _named(body)
    tool = _only(places, _TOOLS)
    if tool is not None:
        return _but_directories(tool, is_marked=True)
    marked = _only(places, _MARKED)
    sums = _sums(body, ())
    if marked is not None and sums[marked].prose < _KEPT * sums[body].prose:
        marked = None
    start = body if marked is None else marked
    if sums[start].prose < _LEAST_PROSE:
        return _but_directories(start, is_marked=marked is not None)
    around = {*_directories(start), *_named_around(start, sums)}
    sums = _sums(start, around)
    root = _descend(start, sums)
    around.update(_linked_around(root, sums, around))
    around.update(_bare_headings(root, around))
    return Content(root, marked is not None, frozenset(around), start)


def _named(body: "HtmlElement") -> "dict[str, list[HtmlElement]]":
    """The elements that tools and authors name as content, by that name."""
    wanted = frozenset((*_TOOLS, *_MARKED))
    places: dict[str, list[HtmlElement]] = {}
    for element in body.iter("div", "article", "main", "section", "td"):
        names = [f".{one}" for one in (element.get("class") or "").split()]
        names += (f"#{element.get('id') or ''}", element.tag)
        if element.get("role") == "main" and element.tag != "main":
            names += (".body[role=main]" if ".body" in names else "main",)
        for name in wanted.intersection(names):
            places.setdefault(name, []).append(element)
    return places


def _only(places: "dict[str, list[HtmlElement]]", names: Iterable[str]) -> "HtmlElement | None":
    """The first named place that is there once and says something."""
    for name in names:
        found = places.get(name, ())
        if len(found) == 1 and _has_words(found[0]):
            return found[0]
    return None


def _has_words(element: "HtmlElement") -> bool:
    return len(str(element.text_content()).strip()) >= _LEAST_CHARS


def _sums(root: "HtmlElement", around: "Iterable[HtmlElement]") -> "dict[HtmlElement, _Sum]":
    """What every element under ``root`` holds, what is around left out; children come first."""
    left = set(around)
    sums: dict[HtmlElement, _Sum] = {}
    for element in reversed(list(root.iter())):
        one = _Sum()
        sums[element] = one
        if not isinstance(element.tag, str) or element.tag in DROPPED or element in left:
            continue
        one.chars = one.own = _length(element.text)
        for child in element:
            inner = sums[child]
            tail = _length(child.tail)
            one.chars += inner.chars + tail
            one.linked += inner.linked
            one.own += tail
            one.prose += inner.prose
            if child.tag not in BLOCKS:
                one.own += inner.own
                one.own_linked += inner.own_linked
        if element.tag == "a":
            one.linked, one.own_linked = one.chars, one.own
        if element.tag in BLOCKS and one.own >= _PARAGRAPH and one.own_linked < _LINKED * one.own:
            one.prose += one.own
    return sums


def _length(text: str | None) -> int:
    return len(text.strip()) if text else 0


def _named_around(root: "HtmlElement", sums: "dict[HtmlElement, _Sum]") -> "Iterator[HtmlElement]":
    """What by its class or id surrounds the content, unless nearly half of the prose is in it."""
    most = _KEPT * sums[root].prose
    for element in root.iter():
        if element is root or not isinstance(element.tag, str) or element.tag in _NEVER_AROUND:
            continue
        is_aside = element.tag in {"aside", "nav", "footer"} or is_hidden(element)
        if (is_aside or _is_named_around(element)) and sums[element].prose < most:
            yield element


def _but_directories(root: "HtmlElement", *, is_marked: bool) -> Content:
    """All of an element but tables of contents in it."""
    around = set(_directories(root))
    around.update(_bare_headings(root, around))
    return Content(root, is_marked, frozenset(around))


def _directories(root: "HtmlElement") -> "Iterator[HtmlElement]":
    """Long lists of links that are named a table of contents."""
    for element in root.iter("div", "nav", "ul", "table"):
        if element is root or not _DIRECTORY.search(element.get("class") or ""):
            continue
        links, linked, chars = _linked(element)
        if links < _DIRECTORY_LINKS or linked < _LINKED * chars:
            continue
        counted = map(_linked, element.iter("p"))
        if all(inner - said < _PARAGRAPH for _, said, inner in counted):
            yield element


def _linked(element: "HtmlElement") -> tuple[int, int, int]:
    """How many links an element has, of how many of its characters."""
    links = [sum(map(_length, link.itertext())) for link in element.iter("a")]
    return len(links), sum(links), sum(map(_length, element.itertext()))


def _is_named_around(element: "HtmlElement") -> bool:
    named = element.get("class") or ""
    if element.get("id") and not _is_part(element):
        named += f" {element.get('id')}"
    return bool(named) and bool(_AROUND.search(_CAMEL.sub("-", named)))


def _is_part(element: "HtmlElement") -> bool:
    """Whether an element is a part of what was written: its id says what it tells of."""
    if element.tag in {"dt", "dd"} or _PARTS.search(element.get("class") or ""):
        return True
    heading = next((child for child in element if child.tag in HEADINGS), None)
    if element.tag != "section" or heading is None:
        return False
    return bool(slug(str(heading.text_content())) == element.get("id"))


def _descend(root: "HtmlElement", sums: "dict[HtmlElement, _Sum]") -> "HtmlElement":
    """The smallest element that still holds most of the prose."""
    while len(root):
        best = max(root, key=lambda child: sums[child].prose)
        whole, inner = sums[root], sums[best]
        if not _is_container(best) or inner.prose < _WHOLE * whole.prose:
            break
        rest, linked = whole.chars - inner.chars, whole.linked - inner.linked
        if whole.prose - inner.prose > 0.7 * rest and linked < 0.1 * rest:
            break  # what stands beside it reads like its beginning or its end
        root = best
    return root


_CONTAINERS = frozenset(
    {"div", "section", "article", "main", "tbody", "tr", "td", "form"} | {"aside"}
)


def _is_container(element: "HtmlElement") -> bool:
    if element.tag == "table":
        return bool(element.xpath("boolean(.//td//p | .//td/div | .//td//table) and not(.//th)"))
    return element.tag in _CONTAINERS


def _linked_around(
    root: "HtmlElement", sums: "dict[HtmlElement, _Sum]", around: "set[HtmlElement]"
) -> "Iterator[HtmlElement]":
    """Blocks that are menus by what they hold: little but links."""
    for element in root.iter("div", "section", "ul", "ol", "table", "dl", "header"):
        one = sums[element]
        if element is root or element in around or not one.chars or _defines(element):
            continue
        if one.linked > 0.55 * one.chars and one.prose < 0.3 * one.chars:
            yield element


def _defines(element: "HtmlElement") -> bool:
    """Whether an element is a list of terms and what is said of them, be that only a link."""
    classes = (element.get("class") or "").split()
    return not {"variablelist", "glossary", "glosslist"}.isdisjoint(classes)


def _bare_headings(root: "HtmlElement", around: "set[HtmlElement]") -> "Iterator[HtmlElement]":
    """Headings under which nothing is left."""
    for heading in root.iter(*HEADINGS):
        after = heading.getnext()
        if heading.tag == "h1" or after is None or after not in around:
            continue
        while after is not None and after in around:
            after = after.getnext()
        if after is None or after.tag in HEADINGS:
            yield heading
