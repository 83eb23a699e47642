"""What each reader makes of a file: ours, and the libraries people use."""

import io
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from commonplace.domain.document import Document, Resource
from commonplace.domain.media import PDF
from commonplace.parsers import parser_for


@dataclass(frozen=True, slots=True)
class Extract:
    """The text of a file, and of ours its structure."""

    text: str
    document: Document | None = None


def parse(content: bytes) -> Document:
    """The document our parser gives."""
    resource = Resource(
        uri="file:///paper.pdf",
        path="paper.pdf",
        content=content,
        media_type=PDF,
        modified_at=datetime(2025, 1, 1, tzinfo=UTC),
    )
    return parser_for(PDF).parse(resource)


def ours(content: bytes) -> Extract:
    """Commonplace."""
    document = parse(content)
    return Extract(document.text, document)


def by_pypdf(content: bytes) -> Extract:
    """pypdf, as its documentation shows."""
    import pypdf  # noqa: PLC0415 - a peer; requirements/bench.txt has it

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    reader = pypdf.PdfReader(io.BytesIO(content))
    return Extract("\n".join(page.extract_text() for page in reader.pages))


def by_pdfminer(content: bytes) -> Extract:
    """pdfminer.six, as its documentation shows."""
    from pdfminer.high_level import extract_text  # noqa: PLC0415 - as above

    return Extract(extract_text(io.BytesIO(content)))


def by_pdfium(content: bytes) -> Extract:
    """PDFium alone, which ours is built on."""
    import pypdfium2  # noqa: PLC0415 - as above

    pdf = pypdfium2.PdfDocument(content)
    text = "\n".join(page.get_textpage().get_text_range() for page in pdf)
    pdf.close()
    return Extract(text)


READERS: Mapping[str, Callable[[bytes], Extract]] = {
    "commonplace": ours,
    "pypdfium2": by_pdfium,
    "pypdf": by_pypdf,
    "pdfminer.six": by_pdfminer,
}
