"""The text of an indexed file, read where it is and checked against what was indexed.

Only files that are documents of the caller's selection are read, by the address they were indexed
under; nothing a caller sends becomes a path.
"""

from dataclasses import dataclass

from commonplace.domain.document import Card
from commonplace.domain.encoding import decode
from commonplace.domain.errors import NotFound, SourceError
from commonplace.domain.graph import Node
from commonplace.domain.ids import content_hash
from commonplace.domain.scope import Selection
from commonplace.index.sources import get_kept_source, open_source
from commonplace.sources.base import Listing
from commonplace.tools.app import App

_MOST_PASSAGES = 20_000


@dataclass(frozen=True, slots=True)
class Text:
    """The lines of a file, without their ends."""

    path: str
    language: str
    lines: tuple[str, ...]
    note: str = ""
    """What a reader must know: that the file has changed, or is gone."""

    def between(self, first: int, last: int) -> tuple[str, ...]:
        """Lines by number, from 1, both included."""
        return self.lines[max(0, first - 1) : max(0, last)]


async def read_text(app: App, selection: Selection, document: Node) -> Text:
    """The file a document was made of; what was indexed of it when it cannot be read.

    Raises NotFound when neither is there.
    """
    cards = [one.card for one in await app.store.passages.entries(selection.project, [document.id])]
    if not cards:
        raise NotFound(f"no file behind {document.id[:40]!r}; run `commonplace sync`")
    card, language = cards[0], str(document.properties.get("language") or "")
    try:
        content = await _read(app, card)
    except SourceError as exc:
        return await _as_indexed(app, selection, (card, language, exc.message))
    text = decode(content).text
    note = ""
    if content_hash(content) != card.content_hash:
        note = "the file has changed since it was indexed: lines may have moved; `commonplace sync`"
    return Text(card.path, language, _lines(text), note)


async def _read(app: App, card: Card) -> bytes:
    source = await get_kept_source(app.store.keyvalue, card.project, card.source_id)
    if source is None:
        raise SourceError("its source has been removed")
    listing = Listing(
        uri=card.uri,
        path=card.path,
        media_type=card.media_type,
        size_bytes=card.size_bytes,
        modified_at=card.modified_at,
    )
    return (await open_source(source, app.writer).read(listing)).content


async def _as_indexed(app: App, selection: Selection, told: tuple[Card, str, str]) -> Text:
    card, language, why = told
    found = await app.store.passages.read(selection, card.id, range(_MOST_PASSAGES))
    if not found:
        raise NotFound(f"{card.path} cannot be read: {why}")
    text = "".join(one.passage.text for one in found)
    return Text(card.path, language, _lines(text), f"as indexed, because {why}")


def _lines(text: str) -> tuple[str, ...]:
    r"""Lines as compilers and the index count them: a form feed ends none.

    >>> _lines("a\r\nb\fc\n")
    ('a', 'b\x0cc')
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return tuple(lines[:-1] if lines and not lines[-1] else lines)
