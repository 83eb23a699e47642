"""On which pages paragraphs stand: what a document says against the words of each page.

A page's words are those pdfium finds on it, in whatever order: which page they are on is no matter
of reading. Three words in a row that stand on one page only name it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from commonplace.domain.document import Document
from eval.pdf.score import words_of

_GRAM = 3

Gram = tuple[str | None, ...]


def grams(tokens: Sequence[str | None]) -> list[Gram]:
    """Three neighbouring words each."""
    return [tuple(tokens[at : at + _GRAM]) for at in range(len(tokens) - _GRAM + 1)]


class Pages:
    """Which threes of words stand on which page, counted from 1."""

    def __init__(self, content: bytes) -> None:
        self._on: dict[Gram, set[int]] = {}
        for number, text in enumerate(_texts(content), 1):
            for gram in grams(words_of(text)):
                self._on.setdefault(gram, set()).add(number)

    def first(self, tokens: Sequence[str | None]) -> int | None:
        """The page a paragraph begins on; None where its first words stand on several or none."""
        return self._named(grams(tokens)[:1])

    def last(self, tokens: Sequence[str | None]) -> int | None:
        """The page it ends on."""
        return self._named(grams(tokens)[-1:])

    def _named(self, some: Sequence[Gram]) -> int | None:
        found = [number for gram in some for number in self._on.get(gram, ())]
        return found[0] if len(found) == 1 else None


def _texts(content: bytes) -> Iterator[str]:
    import pypdfium2  # noqa: PLC0415 - heavy

    pdf = pypdfium2.PdfDocument(content)
    for page in pdf:
        text = page.get_textpage()
        yield text.get_text_bounded()
        text.close()
        page.close()
    pdf.close()


def told_pages(document: Document) -> list[int]:
    """The page a document says each of its words is on."""
    spots = [found.span() for found in re.finditer(r"\S+", document.text)]
    counted = [(start, len(words_of(document.text[start:end]))) for start, end in spots]
    return [bisect_right(document.pages, start) for start, count in counted for _ in range(count)]
