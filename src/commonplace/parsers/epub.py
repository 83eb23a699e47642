"""EPUB books: the chapters in the order of the spine, headed by the table of contents."""

from dataclasses import dataclass, field, replace

from commonplace.domain.document import Block, Document, Image, Link, Resource, Span
from commonplace.domain.encoding import decode
from commonplace.domain.errors import ParseError
from commonplace.domain.media import EPUB, suffixes_of
from commonplace.parsers.archive import Archive, opened
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import Heading, make_sections, make_title
from commonplace.parsers.epub_package import Package, read_package
from commonplace.parsers.guard import guarded
from commonplace.parsers.html import render_html

_TEXTS = (".xhtml", ".html", ".htm", ".xml", ".opf", ".ncx")
_BREAK = "\n\n"
_DEEPEST = 6


@dataclass(slots=True)
class _Book:
    """The text so far and its structure."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    blocks: list[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def put(self, text: str) -> int:
        """Append text after a break; where it begins."""
        if self.length:
            self.parts.append(_BREAK)
            self.length += len(_BREAK)
        start = self.length
        self.parts.append(text)
        self.length += len(text)
        return start


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _target(package: Package, file: str, target: str) -> str:
    """Where a link of a chapter leads: to an anchor of this document, or as written."""
    path, _, fragment = target.partition("#")
    inner = package.resolve(file, path) if path else file
    if inner not in package.spine:
        return target
    return f"#{inner}#{fragment}" if fragment else f"#{inner}"


def _add(book: _Book, package: Package, file: str, chapter: Document) -> None:
    """A chapter, its headings brought to the depth the table of contents gives it."""
    entries = package.contents.get(file, [])
    first = entries[0] if entries else None
    text = chapter.text.rstrip()
    own = chapter.sections
    # What comes before the first heading, or a chapter without any, stands under its entry.
    if first and not (own and own[0].span.start < max(1, len(text) - len(text.lstrip()) + 1)):
        start = book.put(first.title)
        book.headings.append(
            Heading(text=first.title, level=_level(first.depth, 0), start=start, anchor=file)
        )
        book.blocks.append(Block(kind="heading", span=Span(start, book.length)))
    if not text:
        return
    by = book.put(text)
    depth, top = (first.depth if first else 0), min((one.level for one in own), default=1)
    below = 1 if first and book.headings and book.headings[-1].anchor == file else 0
    for at, section in enumerate(own):
        anchor = f"{file}#{section.anchor}" if section.anchor else (file if not at else None)
        level = _level(depth + below, section.level - top)
        start = section.span.start + by
        book.headings.append(Heading(text=section.heading, level=level, start=start, anchor=anchor))
    for block in chapter.blocks:
        atoms = tuple(_moved(atom, by) for atom in block.atoms)
        book.blocks.append(replace(block, span=_moved(block.span, by), atoms=atoms))
    for link in chapter.links:
        target = _target(package, file, link.target)
        book.links.append(replace(link, target=target, span=_moved(link.span, by)))
    book.images += [replace(one, span=_moved(one.span, by)) for one in chapter.images]


def _level(depth: int, below: int) -> int:
    """Below the book's own title, as deep as the contents say."""
    return min(2 + depth + below, _DEEPEST)


def _read(archive: Archive, package: Package) -> _Book:
    book = _Book(warnings=list(package.warnings))
    for file in package.spine:
        if file not in archive.names:
            book.warnings.append(f"{file} is in the order of reading, but not in the book")
            continue
        decoded = decode(archive.read(file))
        chapter = render_html(decoded, file)
        book.warnings += [f"{file}: {one}" for one in chapter.warnings]
        _add(book, package, file, chapter)
    return book


def parse_epub(resource: Resource) -> Document:
    """A book as one document; its text is rendered, pictures are left out."""
    with opened(resource.content, _TEXTS, "a program for e-books") as archive:
        package = read_package(archive)
        book = _read(archive, package)
    if not book.length:
        raise ParseError("no chapter of it has text; name it in .commonplaceignore")
    return Document(
        title=make_title(resource.path, package.title),
        text="".join(book.parts) + "\n",
        sections=make_sections(book.headings, book.length + 1),
        blocks=tuple(book.blocks),
        links=tuple(book.links),
        images=tuple(book.images),
        attributes=package.attributes,
        is_rendered=True,
        warnings=tuple(book.warnings),
    )


PARSER = Parser(
    name="epub",
    media_types=(EPUB,),
    suffixes=suffixes_of(EPUB),
    parse=guarded(parse_epub),
)
