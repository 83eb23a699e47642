"""reStructuredText: sections, blocks and links with offsets into the file itself."""

import re

from commonplace.domain.document import Document, Link, Resource, Span
from commonplace.domain.encoding import Decoded, decode
from commonplace.domain.media import RESTRUCTURED, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import fill_gaps, make_sections, make_title, resumed, trimmed
from commonplace.parsers.guard import guarded
from commonplace.parsers.rst_inline import find_references
from commonplace.parsers.rst_lines import read_lines
from commonplace.parsers.rst_scan import Scan

_DIRECTIVE = re.compile(r"^\.\. [A-Za-z][\w:-]*::|^\.\. _[\w .-]+:|:[a-z][\w:+.-]*:`[^`\n]", re.M)
_TITLE = re.compile(r"^\S.*\n(=|-|\*|#|~){4,}\s*$", re.MULTILINE)


def looks_like_rst(text: str) -> bool:
    r"""Whether a file that says nothing of its format is reStructuredText.

    >>> looks_like_rst("Title\n=====\n\n.. note:: Hi\n"), looks_like_rst("Title\n=====\n\nHi\n")
    (True, False)
    >>> looks_like_rst("Title\n=====\n\nFixes :meth:`.QuerySet.update`.\n")
    True
    """
    head = text[:20_000].replace("\r\n", "\n")
    return _DIRECTIVE.search(head) is not None and _TITLE.search(head) is not None


def read_rst(decoded: Decoded, path: str) -> Document:
    """The structure of a reStructuredText."""
    text = decoded.text
    scan = Scan(text, read_lines(text)).run()
    blocks = fill_gaps(text, scan.blocks)
    links = [
        link
        for block in blocks
        if block.kind not in {"code", "math"}
        for link in find_references(text, block, scan.targets)
    ]
    for entry, span in scan.documents:
        words, _, named = entry.partition("<")
        target = named.strip("> ") or words.strip()
        links.append(Link(target=target, text=words.strip(), span=trimmed(text, *_ends(span))))
    return Document(
        title=make_title(path, scan.headings[0].text if scan.headings else ""),
        text=text,
        sections=make_sections(resumed(scan.headings, blocks), len(text)),
        blocks=blocks,
        links=tuple(sorted(links, key=lambda link: link.span)),
        labels=scan.labels,
        attributes=scan.attributes,
        warnings=decoded.warnings,
    )


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def parse_rst(resource: Resource) -> Document:
    """A reStructuredText file as a document; its text is the file's."""
    return read_rst(decode(resource.content), resource.path)


PARSER = Parser(
    name="rst",
    media_types=(RESTRUCTURED, "text/prs.fallenstein.rst", "text/restructured"),
    suffixes=suffixes_of(RESTRUCTURED),
    parse=guarded(parse_rst),
)
