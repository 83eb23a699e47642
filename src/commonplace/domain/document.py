"""What is read: a resource is bytes, a document is text with structure, a card tells of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of characters of a document's text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters of ``text`` this span covers.

        >>> Span(1, 3).of("abcd")
        'bc'
        """
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """How the scanned pages of a document are recognised."""

    languages: tuple[str, ...] = ("en", "de")
    """Those asked for, where a catalogue tells none of the document."""
    most_pages: int = 500
    folder: str = ""
    """Where the engine's language files are; empty is where systems keep them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Bytes with an address, as a source delivers them."""

    uri: str
    path: str
    """Path within the source, with forward slashes; what ``path_prefix`` filters."""
    content: bytes
    media_type: str
    modified_at: datetime
    tags: tuple[str, ...] = ()
    document_id: str | None = None
    """Of what has an id of its own; else it is made from the address."""
    language: str = ""
    """As its catalogue tells it, such as Zotero or a bibliography."""
    recognition: Recognition = field(default_factory=Recognition)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and everything under it, up to the next heading of its rank or higher."""

    heading: str
    level: int
    """1 for a document's own title, 2 below it, and so on."""
    span: Span
    """From the first character of the heading to the last of its deepest subsection."""
    anchor: str | None = None
    """The fragment a link to this heading uses, without the ``#``."""


BlockKind = Literal["heading", "paragraph", "list_item", "code", "table", "quote", "math", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The smallest piece of structure: one paragraph, fence, table, list item."""

    kind: BlockKind
    span: Span
    language: str | None = None
    """Of a code block, as its author named it."""
    atoms: tuple[Span, ...] = ()
    """Where a block too long for a passage may be cut: between these (table rows, code lines)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link as written; resolving it is the business of ``link/``."""

    target: str
    text: str
    span: Span
    """Where it stands in the text; empty for one of a sidebar, whose words are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture a document shows: its address as written, what stands for it, and where."""

    target: str
    alt: str
    caption: str
    span: Span
    """Where it stands in the text; empty when nothing is written for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parsed text: every offset of its parts counts characters of ``text``.

    For formats that people write as text (Markdown, reStructuredText, plain text) ``text`` is
    the decoded file itself. For the others (HTML, DOCX, notebooks) it is the text the parser
    rendered, and ``is_rendered`` is true.
    """

    title: str
    text: str
    sections: tuple[Section, ...] = ()
    """In the order of the text; nesting follows from level and span."""
    blocks: tuple[Block, ...] = ()
    """In the order of the text, not overlapping; gaps hold only white space or markup."""
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    """Names that other documents may link to without naming this one, with their anchors."""
    tags: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Front matter and the like, as text."""
    is_rendered: bool = False
    warnings: tuple[str, ...] = ()
    """What the parser could not read; told to the user, never silently dropped."""
    pages: tuple[int, ...] = ()
    """Of paged formats, where in ``text`` each page begins; an empty one where the next does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A document's catalogue card: all that is known of it except its text."""

    id: str
    project: str
    source_id: str
    uri: str
    path: str
    title: str
    media_type: str
    content_hash: str
    tags: tuple[str, ...] = ()
    """Tags of the source first, then the document's own; the first is its ``doc_tag``."""
    repository: str | None = None
    environment: str | None = None
    modified_at: datetime
    indexed_at: datetime
    size_bytes: int = 0

    @property
    def doc_tag(self) -> str:
        """The one tag shown in replies; empty when there is none."""
        return self.tags[0] if self.tags else ""
