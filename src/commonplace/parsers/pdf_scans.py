"""Scanned pages of a PDF: which they are, and the lines recognised on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from commonplace.domain.document import Recognition, Resource
from commonplace.domain.errors import ParseError
from commonplace.parsers.pace import Pace, tell
from commonplace.parsers.pdf_letters import mended
from commonplace.parsers.pdf_lines import Line
from commonplace.parsers.recognition import (
    DPI,
    SCANNED,
    Picture,
    Written,
    choose,
    code_of,
    recognize,
)

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

_FEW_CHARS = 200  # a stamp of a library, a page number
_COVERED = 0.6  # of the page, by one picture
_MOST_DOTS = 40_000_000  # a page of A2 at 300 to the inch; Tesseract takes ten bytes for one
_PAGE_S = 30.0  # of time granted, should the machine be busy
_SURE = 0.4  # less is what dots of a photograph were taken for
_DOUBTFUL = 0.75
_ALIKE = 0.1  # sizes of one font, as they are measured
_POINTS = 72
_NEAR_EM = 0.94  # of a font's size, what Tesseract calls the height of a row


@dataclass(slots=True)
class Scans:
    """What became of the scanned pages."""

    unread: list[int] = field(default_factory=list)
    wordless: list[int] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)
    read: dict[int, float] = field(default_factory=dict)
    """Confidence by page."""
    languages: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Languages that were told first and cannot be recognised here."""
    reason: str = ""
    """Why some are unread, and what to do."""

    @property
    def confidence(self) -> float:
        """The mean over pages."""
        return sum(self.read.values()) / max(1, len(self.read))

    def attributes(self) -> dict[str, str]:
        """Which pages are scans; of those recognised, how surely, and in which languages."""
        pages = ranges([*self.read, *self.unread, *self.wordless])
        if not self.read:
            return {SCANNED: pages} if pages else {}
        return {
            SCANNED: pages,
            "ocr_pages": ranges(self.read),
            "ocr_confidence": f"{self.confidence:.2f}",
            "ocr_languages": ", ".join(self.languages),
        }

    def warnings(self) -> list[str]:
        """What a reader should know."""
        found = []
        if self.read:
            found.append(
                f"scanned pages were recognised ({'+'.join(self.languages)}, confidence "
                f"{self.confidence:.2f}): {ranges(self.read)}"
            )
        if self.read and self.missing:
            found.append(
                f"no language file for {', '.join(self.missing)}: letters of its own may be wrong; "
                "install it, then `commonplace remove` and add the source again"
            )
        if self.doubtful:
            found.append(f"hard to recognise, check before you quote: page {ranges(self.doubtful)}")
        if self.wordless:
            found.append(f"pages are pictures without words: {ranges(self.wordless)}")
        if self.unread:
            found.append(f"scanned pages have no text: {ranges(self.unread)}; {self.reason}")
        return found


def ranges(pages: Iterable[int]) -> str:
    """Page numbers in few words.

    >>> ranges([1, 2, 3, 7])
    '1-3, 7'
    """
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(one) if one == last else f"{one}-{last}" for one, last in runs)


def is_scan(page: "PdfPage", lines: Sequence[Line]) -> bool:
    """Whether a page is a picture of a page: little text or none, and one picture over most."""
    chars = sum(len(line.text) for line in lines)
    if chars > _FEW_CHARS:
        return False
    import pypdfium2.raw as raw  # noqa: PLC0415 - catalog files load their library late

    area = page.get_width() * page.get_height()
    for picture in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        if not chars:
            return True
        left, bottom, right, top = picture.get_bounds()
        if (right - left) * (top - bottom) >= _COVERED * area:
            return True
    return False


def read_scans(
    pdf: "PdfDocument", numbers: Sequence[int], pages: list[list[Line]], resource: Resource
) -> Scans:
    """Recognise pages, numbered from 0, in place; what cannot be is told."""
    scans = Scans()
    asked = resource.recognition
    if not numbers:
        return scans
    try:
        scans.languages = choose(asked, resource.language)
    except ParseError as exc:
        scans.unread, scans.reason = [number + 1 for number in numbers], exc.message
        return scans
    told = (resource.language,) if resource.language else asked.languages
    if told != Recognition().languages:  # nobody asked for both of these
        scans.missing = tuple(one for one in told if code_of(one) not in scans.languages)
    for number in numbers[: asked.most_pages]:
        _read(pdf, number, pages, (scans, asked.folder))
    rest = numbers[asked.most_pages :]
    if rest:
        scans.unread += [number + 1 for number in rest]
        scans.reason = f"only {asked.most_pages} are recognised; raise ocr_max_pages"
    return scans


def _read(pdf: "PdfDocument", number: int, pages: list[list[Line]], to: tuple[Scans, str]) -> None:
    scans, folder = to
    tell(Pace(number + 1, len(pages), _PAGE_S))
    page = pdf[number]
    scale = _scale(page)
    try:
        picture = _picture(page, scale)
        written = list(recognize(picture, scans.languages, folder))
    except ParseError as exc:
        scans.unread.append(number + 1)
        scans.reason = exc.message
        return
    finally:
        page.close()
    sure = [one for one in written if one.confidence >= _SURE]
    lines = _lines(sure, number, picture.height, scale)
    if sum(len(line.text) for line in lines) <= sum(len(line.text) for line in pages[number]):
        scans.wordless += [number + 1] * (not pages[number])
        return
    pages[number] = lines
    chars = sum(len(one.text) for one in sure)
    scans.read[number + 1] = sum(one.confidence * len(one.text) for one in sure) / chars
    if scans.read[number + 1] < _DOUBTFUL:
        scans.doubtful.append(number + 1)


def _scale(page: "PdfPage") -> float:
    """Dots a point: as many as the engine likes, fewer on a page of a poster."""
    area = page.get_width() * page.get_height()
    return float(min(DPI / _POINTS, (_MOST_DOTS / max(area, 1.0)) ** 0.5))


def _picture(page: "PdfPage", scale: float) -> Picture:
    import pypdfium2 as pdfium  # noqa: PLC0415 - as above

    try:
        bitmap = page.render(scale=scale, grayscale=True)
    except (pdfium.PdfiumError, ValueError, OSError) as exc:
        raise ParseError(f"it cannot be drawn: {exc}") from exc
    try:
        return Picture(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride)
    finally:
        bitmap.close()


def _lines(written: Sequence[Written], page: int, height: int, scale: float) -> list[Line]:
    """Recognised lines where they stand on the page, sizes evened out."""
    found: list[Line] = []
    usual = median(one.height for one in written) if written else 0.0
    for row, one in enumerate(written):
        text = mended(one.text)
        if not text:
            continue
        size = usual if abs(one.height - usual) <= _ALIKE * usual else one.height
        found.append(
            Line(
                text=text,
                x0=one.left / scale,
                x1=one.right / scale,
                y=(height - one.baseline) / scale,
                size=float(round(size / scale / _NEAR_EM)),
                is_bold=False,
                page=page,
                row=row,
            )
        )
    return found
