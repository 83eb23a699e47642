"""reStructuredText: sections, blocks and links with offsets into the file itself."""

import re
from collections.abc import Iterator, Mapping

from commonplace.domain.document import Block, Document, Link, Resource, Span
from commonplace.domain.media import RESTRUCTURED, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import fill_gaps, make_sections, make_title, one_line, trimmed
from commonplace.parsers.encoding import Decoded, decode
from commonplace.parsers.guard import guarded
from commonplace.parsers.rst_lines import read_lines
from commonplace.parsers.rst_scan import Scan, make_id, normal_name

_LITERAL = re.compile(r"``(?:[^`]|`(?!`)){1,2000}?``")
_REFERENCE = re.compile(
    r"(?::(?P<role>[A-Za-z][\w:+.-]{0,60}):)?`(?P<text>[^`<]{0,400}?)\s*"
    r"(?:<(?P<target>[^<>`]{1,2000})>)?`(?P<mark>_{0,2})"
    r"|(?<![\w`*])(?P<word>[A-Za-z0-9][\w.+-]{0,100})(?P<bare>__?)(?![\w`])"
)
_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]{1,2000}")
_DIRECTIVE = re.compile(r"^\.\. [A-Za-z][\w:-]*::|^\.\. _[\w .-]+:|:(?:doc|ref|class|func):`", re.M)
_TITLE = re.compile(r"^\S.*\n(=|-|\*|#|~){4,}\s*$", re.MULTILINE)
_ROLES = frozenset({"doc", "ref", "any", "download", "numref", "std:ref", "std:doc"})


def looks_like_rst(text: str) -> bool:
    r"""Whether a file that says nothing of its format is reStructuredText.

    >>> looks_like_rst("Title\n=====\n\n.. note:: Hi\n"), looks_like_rst("Title\n=====\n\nHi\n")
    (True, False)
    """
    head = text[:20_000].replace("\r\n", "\n")
    return _DIRECTIVE.search(head) is not None and _TITLE.search(head) is not None


def _target(found: re.Match[str], targets: Mapping[str, str]) -> str | None:
    """Where a reference leads, if it is one."""
    if found["word"]:
        return targets.get(normal_name(found["word"]))
    role, text, target = found["role"], found["text"], found["target"]
    if role:
        if role not in _ROLES:
            return None
        named = target or text
        return f"#{make_id(named)}" if role.endswith("ref") else named
    if not found["mark"]:
        return None
    if target and target.endswith("_"):
        return targets.get(normal_name(target[:-1]))
    return target or targets.get(normal_name(text))


def _links(text: str, block: Block, targets: Mapping[str, str]) -> Iterator[Link]:
    source = block.span.of(text)
    if "_" not in source and "`" not in source and "://" not in source:
        return
    masked = _LITERAL.sub(lambda found: " " * len(found[0]), source)
    base = block.span.start
    references: list[tuple[int, int]] = []
    for found in _REFERENCE.finditer(masked):
        target = _target(found, targets)
        if found["mark"]:
            references.append(found.span())
        if target:
            words = one_line(found["word"] or found["text"] or target)
            yield Link(target=one_line(target), text=words, span=_moved(base, found.span()))
    taken = 0
    for url in _URL.finditer(masked):
        while taken < len(references) and references[taken][1] <= url.start():
            taken += 1
        if taken < len(references) and references[taken][0] <= url.start():
            continue
        address = url[0].rstrip(".,;:!?)*_")
        span = _moved(base, (url.start(), url.start() + len(address)))
        yield Link(target=address, text=address, span=span)


def _moved(base: int, span: tuple[int, int]) -> Span:
    return Span(base + span[0], base + span[1])


def read_rst(decoded: Decoded, path: str) -> Document:
    """The structure of a reStructuredText."""
    text = decoded.text
    scan = Scan(text, read_lines(text)).run()
    blocks = fill_gaps(text, scan.blocks)
    links = [
        link
        for block in blocks
        if block.kind not in {"code", "math"}
        for link in _links(text, block, scan.targets)
    ]
    for entry, span in scan.documents:
        words, _, named = entry.partition("<")
        target = named.strip("> ") or words.strip()
        links.append(Link(target=target, text=words.strip(), span=trimmed(text, *_ends(span))))
    return Document(
        title=make_title(path, scan.headings[0].text if scan.headings else ""),
        text=text,
        sections=make_sections(scan.headings, len(text)),
        blocks=blocks,
        links=tuple(sorted(links, key=lambda link: link.span)),
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
