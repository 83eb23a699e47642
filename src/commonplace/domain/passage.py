"""A passage is the retrievable piece of a document, with its place in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from commonplace.domain.document import Card, Span
from commonplace.domain.fields import folded

_PAGE = re.compile(r"[#?]page=\d+$")

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

    @property
    def address(self) -> str:
        """The document's address; of paged ones with the page, as viewers open it."""
        return page_address(self.card.uri, self.passage.pages)

    @property
    def heading_path(self) -> list[str]:
        """The headings above it, below the title."""
        return below_title(self.card.title, self.passage.headings)


def below_title(title: str, headings: Sequence[str]) -> list[str]:
    """A chain of headings without the title it mostly begins with, which is told beside it.

    >>> below_title("Guide", ["GUIDE", "Install"]), below_title("Guide", ["Install"])
    (['Install'], ['Install'])
    """
    is_title = bool(headings) and (headings[0] == title or _is_alike(headings[0], title))
    return list(headings[1:] if is_title else headings)


def _is_alike(heading: str, title: str) -> bool:
    words = folded(heading)
    return bool(words) and words == folded(title)


def page_address(uri: str, pages: tuple[int, int] | None) -> str:
    """An address with a page: what browsers and viewers understand, and of its own Zotero.

    >>> page_address("file:///a.pdf", (3, 4)), page_address("zotero://open-pdf/x", (3, 4))
    ('file:///a.pdf#page=3', 'zotero://open-pdf/x?page=3')
    """
    if pages is None:
        return uri
    if uri.startswith("zotero:"):
        return f"{uri.replace('/select/', '/open-pdf/')}?page={pages[0]}"
    return f"{uri}#page={pages[0]}"


def without_page(uri: str) -> str:
    """The address of the document alone, as it is stored.

    >>> without_page("file:///a.pdf#page=3"), without_page("zotero://open-pdf/x?page=3")
    ('file:///a.pdf', 'zotero://open-pdf/x')
    """
    return _PAGE.sub("", uri)
