"""A passage is the retrievable piece of a document, with its place in it."""

from dataclasses import dataclass
from typing import Literal

from commonplace.domain.document import Card, Span

PassageKind = Literal["prose", "code", "table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A slice of a document; all passages of a document, joined, are its whole text.

    ``id`` is stable: it depends on project, document address and text, so it survives edits
    elsewhere in the document. Tools call it ``section_id``.
    """

    id: str
    document_id: str
    ordinal: int
    """Place among the passages of its document, from 0 without gaps."""
    text: str
    """Exactly ``document.text[span.start:span.end]``."""
    span: Span
    headings: tuple[str, ...] = ()
    """The chain of headings above it, outermost first."""
    anchor: str | None = None
    kind: PassageKind = "prose"
    tokens: int = 0
    pages: tuple[int, int] | None = None
    """First and last page, for paged formats."""


@dataclass(frozen=True, slots=True)
class Located:
    """A passage together with the card of the document it stands in."""

    card: Card
    passage: Passage
