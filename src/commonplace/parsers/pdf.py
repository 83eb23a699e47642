"""PDF: text in reading order with headings and the pages it stands on; pictures are left out."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from commonplace.domain.document import Block, Document, Resource, Span
from commonplace.domain.errors import ParseError
from commonplace.domain.media import PDF, suffixes_of
from commonplace.parsers.base import Parser
from commonplace.parsers.drafting import Heading, make_sections, make_title
from commonplace.parsers.guard import guarded
from commonplace.parsers.pace import Pace, tell
from commonplace.parsers.pdf_columns import in_order, without_running
from commonplace.parsers.pdf_facts import attributes_of, good_title
from commonplace.parsers.pdf_figures import figures, mark_drawn
from commonplace.parsers.pdf_fonts import ligatures
from commonplace.parsers.pdf_headings import find_headings
from commonplace.parsers.pdf_letters import Fonts
from commonplace.parsers.pdf_lines import MOST_CHARS, Line, read_lines, weighed
from commonplace.parsers.pdf_outline import Entry
from commonplace.parsers.pdf_paragraphs import Paragraph, hyphenated, joint, make_paragraphs
from commonplace.parsers.pdf_run_in import parted
from commonplace.parsers.pdf_scans import Scans, is_scan, read_scans
from commonplace.parsers.pdf_streams import check_streams

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PAGES = 5_000
RECOGNISED = "ocr"
"""The tag of documents with pages that were recognised."""
_MOST_ENTRIES = 10_000  # of an outline; a loop in it has no end
_PAGE_S = 0.25  # a page takes a fiftieth; this for slow machines with long books
_PASSWORD = 4  # pdfium's error code
_PDFIUM = threading.Lock()  # it knows no threads


@dataclass(slots=True)
class Reading:
    """What was found in the file, before it is put in order."""

    pages: list[list[Line]] = field(default_factory=list)
    scans: Scans = field(default_factory=Scans)
    warnings: list[str] = field(default_factory=list)
    outline: list[Entry] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)
    """Metadata."""


@dataclass(slots=True)
class Script:
    """The rendered text so far and its structure."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    blocks: list[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    starts: dict[int, int] = field(default_factory=dict)
    """Of the text of each page."""

    def put(self, text: str) -> None:
        """Append text as it is."""
        self.parts.append(text)
        self.length += len(text)


def _read(resource: Resource) -> Reading:
    import pypdfium2 as pdfium  # noqa: PLC0415 - catalog files load their library late

    try:
        pdf = pdfium.PdfDocument(resource.content)
    except pdfium.PdfiumError as exc:
        if getattr(exc, "err_code", None) == _PASSWORD:
            raise ParseError("it is encrypted; save a copy without a password") from exc
        raise ParseError(
            "it is damaged or no PDF; open it in a viewer and save it again, or name it in "
            ".commonplaceignore"
        ) from exc
    try:
        return _read_all(pdf, resource)
    finally:
        pdf.close()


def _read_all(pdf: "PdfDocument", resource: Resource) -> Reading:
    reading = Reading()
    scans: list[int] = []
    count = len(pdf)
    if count > MOST_PAGES:
        reading.warnings.append(f"only the first {MOST_PAGES} of {count} pages were read")
    reading.told = dict(pdf.get_metadata_dict(skip_empty=True))
    fonts = ligatures(resource.content)
    for number in range(min(count, MOST_PAGES)):
        lines, is_picture = _read_page(pdf, number, reading, fonts)
        reading.pages.append(lines)
        scans += [number] * is_picture
        tell(Pace(number + 1, count, _PAGE_S))
    reading.scans = read_scans(pdf, scans, reading.pages, resource)
    reading.outline = _outline(pdf)
    return reading


def _read_page(
    pdf: "PdfDocument", number: int, reading: Reading, fonts: Fonts
) -> tuple[list[Line], bool]:
    """The lines of a page, and whether it is a scan."""
    import pypdfium2 as pdfium  # noqa: PLC0415 - as above

    try:
        page = pdf[number]
        text = page.get_textpage()
        lines = mark_drawn(read_lines(text, number, fonts), figures(page))
        if text.count_chars() > MOST_CHARS:
            reading.warnings.append(f"page {number + 1} was cut after {MOST_CHARS} characters")
        is_picture = is_scan(page, lines)
        text.close()
        page.close()
    except pdfium.PdfiumError as exc:
        reading.warnings.append(f"page {number + 1} cannot be read: {exc}")
        return [], False
    return lines, is_picture


def _outline(pdf: "PdfDocument") -> list[Entry]:
    found: list[Entry] = []
    for entry in pdf.get_toc(max_depth=8):
        place = entry.get_dest()
        page = place.get_index() if place else None
        if page is not None:
            found.append(Entry(entry.get_title(), entry.level, page))
        if len(found) >= _MOST_ENTRIES:
            break
    return found


def _write(paragraphs: Sequence[Paragraph], known: frozenset[str]) -> Script:
    out = Script()
    for one in paragraphs:
        if out.blocks:
            out.put("\n\n")
        start, first = out.length, len(out.parts)
        rows = _write_lines(out, one, known)
        if one.kind == "heading":
            text = "".join(out.parts[first:])
            out.headings.append(Heading(text=text, level=one.level, start=start))
        atoms = tuple(rows) if one.kind == "table" else ()
        out.blocks.append(Block(kind=one.kind, span=Span(start, out.length), atoms=atoms))
    if out.parts:
        out.put("\n")
    return out


def _write_lines(out: Script, one: Paragraph, known: frozenset[str]) -> list[Span]:
    rows: list[Span] = []
    for at, line in enumerate(one.lines):
        start = out.length
        out.starts.setdefault(line.page, start)
        text, between = line.text, ""
        if at + 1 < len(one.lines):
            text, between = joint(line, one.lines[at + 1], known)
            between = "\n" if one.kind == "table" else between
        elif line.is_broken:
            text += "-"
        out.put(text + between)
        rows.append(Span(start, out.length))
    return rows


def _page_starts(starts: dict[int, int], count: int, length: int) -> tuple[int, ...]:
    """Where each page begins; one without text where the next begins."""
    found: list[int] = []
    following = length
    for number in reversed(range(count)):
        following = starts.get(number, following)
        found.append(following)
    return tuple(reversed(found))


def parse_pdf(resource: Resource) -> Document:
    """A PDF as a document; its text is rendered, and ``pages`` tells where each page begins."""
    if not resource.content.strip():
        raise ParseError("it is empty; download it again, or name it in .commonplaceignore")
    check_streams(resource.content)
    with _PDFIUM:
        reading = _read(resource)
    if not any(reading.pages):
        if reading.scans.unread:
            raise ParseError(f"no page has text, they are scans; {reading.scans.reason}")
        if reading.scans.wordless:
            raise ParseError(
                "no page has text, and in their pictures none was recognised; name it in "
                ".commonplaceignore"
            )
        raise ParseError("no page has text; name it in .commonplaceignore")
    kept = without_running(weighed(reading.pages))
    lines = parted([line for page in kept for line in in_order(page)], reading.outline)
    marks = find_headings(lines, reading.outline)
    out = _write(make_paragraphs(lines, marks), hyphenated(lines))
    first = next(page for page in reading.pages if page)
    largest = next((one.text for one in out.headings if one.level == 1), "")
    return Document(
        title=make_title(
            resource.path, good_title(reading.told.get("Title", ""), resource.path), largest
        ),
        text="".join(out.parts),
        sections=make_sections(out.headings, out.length),
        blocks=tuple(out.blocks),
        attributes={
            **attributes_of(reading.told, " ".join(line.text for line in first), resource.path),
            **reading.scans.attributes(),
        },
        tags=(RECOGNISED,) if reading.scans.read else (),
        is_rendered=True,
        warnings=(*reading.warnings, *reading.scans.warnings()),
        pages=_page_starts(out.starts, len(reading.pages), out.length),
    )


PARSER = Parser(
    name="pdf",
    media_types=(PDF,),
    suffixes=suffixes_of(PDF),
    parse=guarded(parse_pdf),
)
