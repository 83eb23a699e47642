"""One resource to one entry: parse, split, link. Pure, so it can run in any process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, TypeVar

from commonplace.domain.document import Card, Document, Image, Link, Recognition, Resource
from commonplace.domain.errors import CommonplaceError
from commonplace.domain.ids import content_hash, document_id, stable_id
from commonplace.domain.scope import Source
from commonplace.index.code.facts import LAYOUT
from commonplace.parsers import parser_for
from commonplace.parsers.recognition import SCANNED, can_recognize
from commonplace.sources.base import Skip
from commonplace.tokens import TokenCounter, token_counter

if TYPE_CHECKING:  # see sources/base.py
    from commonplace.domain.reference import Account
    from commonplace.engines.base import Entry, Part
    from commonplace.index.code.extract import Extract
    from commonplace.link.code.mentions import Mention
    from commonplace.settings import Settings

Made = TypeVar("Made")

# Raised when parsers, splitters or rules change what they make of the same bytes: every document
# is then made anew at its next sync.
_VERSION = "14"

FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a fault of ours in one document may raise; the others go on and the report names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything beside its bytes that decides what becomes of a resource."""

    project: str
    source_id: str
    tags: tuple[str, ...]
    repository: str | None
    environment: str | None
    passage_tokens: int
    tokenizer: str
    indexed_at: datetime
    stage: Literal["facts", "text"] = "text"
    """Of code, its facts or its text; of everything else there is one thing to make."""
    recognition: Recognition = field(default_factory=Recognition)
    recognizes: bool = False
    """Whether scanned pages can be recognised here."""
    keeps_links: bool = False
    """Whether drafts tell the links and images of their documents, as pages of the web need."""

    @property
    def key(self) -> str:
        """Differs when documents must be made anew although their bytes are the same."""
        told = (self.repository or "", self.environment or "", str(self.passage_tokens))
        return stable_id("r", _VERSION, LAYOUT, *told, self.tokenizer, *self.tags)

    @property
    def scans_key(self) -> str:
        """Differs when documents with scanned pages must be made anew."""
        scans = self.recognition
        ocr = (*scans.languages, str(scans.most_pages)) if self.recognizes else ()
        return stable_id("o", *ocr)


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry without vectors, and what its parser could not read."""

    entry: "Entry"
    warnings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    """Where asked for: what a page leads to, as written."""
    images: tuple[Image, ...] = ()
    mentions: tuple["Mention", ...] = ()
    """Names of code in prose."""
    works: "Account | None" = None
    """What it tells of works, itself and those it cites."""
    is_scanned: bool = False
    """Whether pages of it are scans, recognised or not."""


def make_recipe(source: Source, settings: "Settings", indexed_at: datetime) -> Recipe:
    """The recipe of a source under these settings."""
    recognition = Recognition(
        languages=source.ocr_languages or settings.ocr_languages,
        most_pages=settings.ocr_max_pages,
        folder=settings.ocr_folder,
    )
    return Recipe(
        project=source.project,
        source_id=source.id,
        tags=source.tags,
        repository=source.repository,
        environment=source.environment,
        passage_tokens=settings.passage_tokens,
        tokenizer=settings.tokenizer,
        indexed_at=indexed_at,
        recognition=recognition,
        recognizes=can_recognize(recognition),
    )


def make_card(recipe: Recipe, resource: Resource, document: Document) -> Card:
    """The catalogue card: tags of the source first, then the document's own."""
    tags = dict.fromkeys((*recipe.tags, *resource.tags, *document.tags))
    return Card(
        id=resource.document_id or document_id(recipe.project, resource.uri),
        project=recipe.project,
        source_id=recipe.source_id,
        uri=resource.uri,
        path=resource.path,
        title=document.title.strip() or PurePosixPath(resource.path).name,
        media_type=resource.media_type,
        content_hash=content_hash(resource.content),
        tags=tuple(tag for tag in tags if tag),
        repository=recipe.repository,
        environment=recipe.environment,
        modified_at=resource.modified_at,
        indexed_at=recipe.indexed_at,
        size_bytes=len(resource.content),
    )


@lru_cache(maxsize=2)
def _counter(name: str) -> TokenCounter:
    return token_counter(name)


def draft(recipe: Recipe, resource: Resource) -> Draft:
    """The entry of one resource; raises ParseError."""
    # Loaded where documents are drafted, in workers: a server lists its tools without them.
    from commonplace.engines.base import Entry  # noqa: PLC0415
    from commonplace.index.code.extract import facts_of, is_unread  # noqa: PLC0415
    from commonplace.index.code.text import outlined, passage_graph  # noqa: PLC0415
    from commonplace.link.code.mentions import mentions  # noqa: PLC0415
    from commonplace.link.graph import make_graph  # noqa: PLC0415
    from commonplace.link.works import account, work_graph  # noqa: PLC0415
    from commonplace.split.prose import split_prose  # noqa: PLC0415

    resource = replace(resource, recognition=recipe.recognition)
    document = parser_for(resource.media_type).parse(resource)
    card = make_card(recipe, resource, document)
    count = _counter(recipe.tokenizer)
    facts = facts_of(document, resource)
    if facts is not None:
        document = outlined(document, facts)
    is_text = facts is None or not is_unread(facts)
    passages = split_prose(document, card, count, recipe.passage_tokens) if is_text else []
    if facts is not None:
        nodes, edges = passage_graph(card, facts, document.text, passages)
    else:
        nodes, edges = make_graph(document, card, passages)
    works = account(document, card) if facts is None else None
    if works is not None:
        more_nodes, more_edges = work_graph(card, works)
        nodes, edges = [*nodes, *more_nodes], [*edges, *more_edges]
    part: Part = "whole" if facts is None else "text"
    entry = Entry(card=card, passages=passages, nodes=nodes, edges=edges, part=part)
    named = () if facts else tuple(mentions(passages))
    scanned = SCANNED in document.attributes
    drafted = Draft(entry, document.warnings, mentions=named, works=works, is_scanned=scanned)
    if recipe.keeps_links:
        return replace(drafted, links=document.links, images=document.images)
    return drafted


def extract(recipe: Recipe, resource: Resource) -> "Extract":
    """The facts of one resource of code; raises ParseError for what is none."""
    from commonplace.index.code.extract import as_document, pack  # noqa: PLC0415 - as above

    return pack(make_card(recipe, resource, as_document(resource.path)), resource)


def made(recipe: Recipe, resource: Resource) -> "Draft | Extract | Skip":
    """What the stage of the recipe asks for, or why there is none."""
    if recipe.stage == "facts":
        return _attempt(extract, recipe, resource)
    return _attempt(draft, recipe, resource)


def draft_all(recipe: Recipe, resources: Sequence[Resource]) -> list[Draft | Skip]:
    """A draft, or why there is none, for each resource in order."""
    return [_attempt(draft, recipe, resource) for resource in resources]


def _attempt(
    make: Callable[[Recipe, Resource], Made], recipe: Recipe, resource: Resource
) -> Made | Skip:
    try:
        return make(recipe, resource)
    except CommonplaceError as exc:
        return Skip(path=resource.path, reason=exc.message, is_failure=True)
    except MemoryError:
        reason = "parsing took too much memory; split the file, ignore it, or raise parse_memory_mb"
        return Skip(path=resource.path, reason=reason, is_failure=True)
    except FAULTS as exc:
        reason = f"a fault of commonplace, please report it: {type(exc).__name__}: {exc}"
        return Skip(path=resource.path, reason=reason[:300], is_failure=True)
