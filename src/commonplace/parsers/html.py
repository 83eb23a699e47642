"""HTML: the main content rendered as Markdown-like text, forgiving of what people write.

Headings, lists, fenced code, tables and definition lists keep their form; menus, scripts and
comments are left out.
"""

import contextlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from commonplace.domain.document import Document, Resource
from commonplace.domain.encoding import Decoded, clean, decode
from commonplace.domain.media import HTML, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import make_sections, make_title, one_line, resumed
from commonplace.parsers.guard import guarded
from commonplace.parsers.html_main import Content, find_content
from commonplace.parsers.html_scripts import is_empty_frame
from commonplace.parsers.html_walk import Walker
from commonplace.parsers.pdf_facts import find_doi

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_CHARSET = re.compile(rb"<meta[^>]{0,400}?charset=[\"'\s]*([\w-]{1,40})", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"<\?xml[^>]{0,200}?encoding=[\"']([\w-]{1,40})")
_HEADER_CHARSET = re.compile(r"charset=[\"']?([\w-]{1,40})", re.IGNORECASE)
_NEEDS_SCRIPTS = (
    "nearly no text until its scripts have run, which they have not; for pages of the web set "
    'web_render = "auto" and install Chromium'
)
_XML_HEAD = re.compile(r"^\s*<\?xml[^>]{0,200}\?>")


def _charset(content: bytes, media_type: str) -> str | None:
    """The charset: of the server's header, else of the document's first kilobytes."""
    header = _HEADER_CHARSET.search(media_type)
    if header:
        return header[1]
    head = content[:2048]
    found = _XML_CHARSET.search(head) or _CHARSET.search(head)
    return found[1].decode("ascii") if found else None


def _apply_base(tree: "HtmlElement") -> None:
    """Make addresses full where the page says from where they count; fragments stay as they are."""
    base = str(tree.xpath("string(//head/base/@href)")).strip()
    if not base:
        return
    for element in tree.iter("a", "img"):
        for name in ("href", "src", "data-src"):
            target = (element.get(name) or "").strip()
            if target and not target.startswith(("#", "data:")):
                with contextlib.suppress(ValueError):  # not an address: stays as written
                    element.set(name, clean(urljoin(base, target)))


def _page_title(tree: "HtmlElement") -> str:
    """What the page calls itself; of "Pools - Site" only the heading, where there is one."""
    title = one_line(str(tree.xpath("string(//head/title)")))
    found = tree.xpath("//h1")
    heading = one_line("".join(found[0].itertext())) if len(found) == 1 else ""
    return heading if heading and heading in title else title


def _told(tree: "HtmlElement", *names: str) -> Iterator[str]:
    """What the head says under these names, in any case."""
    for element in tree.iterfind(".//meta"):
        if (element.get("name") or element.get("property") or "").lower() in names:
            yield element.get("content") or ""


def _attributes(tree: "HtmlElement") -> dict[str, str]:
    found = {
        # Highwire's, Dublin Core's and PRISM's names: what publishers' pages and Zotero go by.
        "doi": find_doi(
            _told(tree, "citation_doi", "dc.identifier", "dc.identifier.doi", "prism.doi")
        ),
        "arxiv": next(_told(tree, "citation_arxiv_id"), ""),
        "description": tree.xpath("string(//meta[@name='description']/@content)"),
        "canonical": tree.xpath("string(//link[@rel='canonical']/@href)"),
        "lang": tree.get("lang") or "",
    }
    return {name: one_line(str(value)) for name, value in found.items() if value}


def _read_tree(decoded: Decoded) -> "tuple[HtmlElement | None, tuple[str, ...]]":
    """The tree of a page and what of it was not read; None for white space and comments."""
    from lxml import etree, html  # noqa: PLC0415 - catalog files load their library late

    markup = _XML_HEAD.sub("", decoded.text).encode("utf-8")
    reader = html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        tree = html.document_fromstring(markup, parser=reader, ensure_head_body=True)
    except etree.LxmlError:
        return None, ()
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in reader.error_log):
        return tree, ("nested too deeply: what follows the 2048th level was not read",)
    return tree, ()


def needs_scripts(content: bytes, media_type: str) -> bool:
    """Whether a page says nearly nothing until its scripts have run."""
    if b"<script" not in content.lower():
        return False
    tree, _ = _read_tree(decode(content, _charset(content, media_type)))
    return tree is not None and is_empty_frame(tree)


def render_html(decoded: Decoded, path: str, is_page: bool = False) -> Document:
    """The document an HTML text renders to; ``path`` names it when it has no title.

    Of a page of a site only the content is taken, of anything else all that is not hidden.
    """
    tree, told = _read_tree(decoded)
    if tree is None:
        return Document(title=make_title(path), text="", is_rendered=True)
    warnings = decoded.warnings + told
    if is_page and is_empty_frame(tree):
        warnings += (_NEEDS_SCRIPTS,)
    _apply_base(tree)
    whole = Content(tree.find("body"), is_marked=True)
    writer = Walker(find_content(tree) if is_page else whole).writer
    first = next((one.text for one in writer.headings if one.level == 1), "")
    return Document(
        title=make_title(path, first, _page_title(tree)),
        text=writer.text,
        sections=make_sections(resumed(writer.headings, writer.blocks), len(writer.text)),
        blocks=tuple(writer.blocks),
        links=tuple(sorted(writer.links, key=lambda link: link.span)),
        images=tuple(writer.images),
        attributes=_attributes(tree),
        is_rendered=True,
        warnings=warnings,
    )


def parse_html(resource: Resource) -> Document:
    """An HTML page as a document; its text is rendered."""
    decoded = decode(resource.content, _charset(resource.content, resource.media_type))
    return render_html(decoded, resource.path, is_page=True)


PARSER = Parser(
    name="html",
    media_types=(HTML, "application/xhtml+xml"),
    suffixes=suffixes_of(HTML),
    parse=guarded(parse_html),
)
