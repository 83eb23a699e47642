"""Pages of the web into the store, and what is known of each: when it came, where it leads."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

from commonplace.domain.document import Image, Link, Resource
from commonplace.domain.errors import EmbedError, ParseError
from commonplace.domain.ids import content_hash, document_id, stable_id
from commonplace.domain.media import HTML
from commonplace.domain.scope import Source
from commonplace.engines.base import Entry, KeyValue
from commonplace.index.draft import Draft, make_recipe
from commonplace.index.embed_text import embed_entries
from commonplace.index.page import SEPARATOR, Lead, Page, Picture, decode, encode, from_record
from commonplace.index.projects import create_project
from commonplace.index.sources import get_kept_source, put_source
from commonplace.index.workers import Workers
from commonplace.index.writer import Writer
from commonplace.sources.base import Skip
from commonplace.sources.fetching.page import Fetched
from commonplace.sources.web import LOCATION, WEB

MOST_LINKS = 2000
"""Of one page; a page with more is an index of everything, and its first links tell as much."""
_MOST_IMAGES = 200
_CONTEXT_CHARS = 160
_TEXT_CHARS = 2000
_MOST_LINKED = 20_000


def _namespace(project: str) -> str:
    return f"web/{project}"


def page_id(project: str, url: str) -> str:
    """The id of a page's document; an address with another fragment is the same page."""
    return document_id(project, urldefrag(url).url)


def source_id(project: str) -> str:
    """The id of the source all pages of a project belong to."""
    return stable_id("s", project, LOCATION)


async def open_web(writer: Writer, project: str) -> Source:
    """The source of a project's pages, registered at the first one."""
    keyvalue = writer.store.keyvalue
    known = await get_kept_source(keyvalue, project, source_id(project))
    if known is not None:
        return known
    source = Source(
        id=source_id(project),
        project=project,
        kind=WEB,
        location=LOCATION,
        tags=(WEB,),
        added_at=writer.clock(),
    )
    await create_project(writer, project)
    await put_source(keyvalue, source)
    return source


async def get_page(writer: Writer, project: str, url: str) -> Page | None:
    """What is known of the page at an address, or at one that led to it."""
    keyvalue, space = writer.store.keyvalue, _namespace(project)
    found = await keyvalue.get(space, page_id(project, url))
    if found is not None and found.startswith(b"d"):  # an address that leads to another
        found = await keyvalue.get(space, found.decode())
    return decode(found) if found is not None else None


async def list_pages(writer: Writer, project: str) -> list[Page]:
    """Every page of a project, the last fetched first."""
    keyvalue, space = writer.store.keyvalue, _namespace(project)
    values = await keyvalue.many(space, await keyvalue.keys(space))
    pages = [decode(value) for value in values.values() if not value.startswith(b"d")]
    return sorted(pages, key=lambda page: (page.fetched_at, page.url), reverse=True)


async def keep_fresh(writer: Writer, project: str, page: Page, fetched: Fetched) -> Page:
    """Note that a page has not changed."""
    kept = replace(page, fetched_at=fetched.fetched_at, fresh_until=fetched.fresh_until)
    await _put(writer, project, kept)
    return kept


async def index_page(writer: Writer, project: str, fetched: Fetched) -> Page:
    """Parse, embed and store a page that was fetched; raises ParseError.

    The page's document, passages and record are written together or not at all.
    """
    source = await open_web(writer, project)
    drafted = await _draft(writer, source, fetched)
    entry, told = await _embedded(writer, drafted.entry)
    page = _page(fetched, drafted, told)
    async with writer.store.transaction():
        await writer.store.passages.write([entry])
        await _put(writer, project, page)
    return page


async def _draft(writer: Writer, source: Source, fetched: Fetched) -> Draft:
    resource = _resource(fetched)
    recipe = replace(make_recipe(source, writer.settings, writer.clock()), keeps_links=True)
    async with Workers(writer.settings, len(resource.content)) as workers:
        (drafted,) = await workers.draft(recipe, [resource])
    if isinstance(drafted, Skip):
        raise ParseError(f"{fetched.url} cannot be read: {drafted.reason}")
    return drafted


def _resource(fetched: Fetched) -> Resource:
    address = urlsplit(fetched.url)
    path = f"{address.netloc}{address.path or '/'}" + (f"?{address.query}" if address.query else "")
    return Resource(
        uri=fetched.url,
        path=path,
        content=fetched.content,
        media_type=fetched.content_type or HTML,
        modified_at=fetched.modified_at or fetched.fetched_at,
    )


async def _embedded(writer: Writer, entry: Entry) -> tuple[Entry, tuple[str, ...]]:
    try:
        (embedded,) = await embed_entries(writer.embedder, [entry])
    except EmbedError as exc:
        return entry, (f"no vectors, only words: {exc.message}",)
    return embedded, ()


def _page(fetched: Fetched, drafted: Draft, told: Sequence[str]) -> Page:
    entry = drafted.entry
    return Page(
        document_id=entry.card.id,
        url=fetched.url,
        title=entry.card.title,
        passages=len(entry.passages),
        tokens=sum(passage.tokens for passage in entry.passages),
        fetched_at=fetched.fetched_at,
        fresh_until=fetched.fresh_until,
        known=fetched.known,
        content_hash=content_hash(fetched.content),
        aliases=tuple({one: None for one in (fetched.asked, *fetched.hops) if one != fetched.url}),
        leads=tuple(_leads(fetched.url, drafted)),
        pictures=tuple(_pictures(fetched.url, drafted.images)),
        warnings=(*fetched.warnings, *drafted.warnings, *told),
        linked=tuple(_linked(fetched.url, drafted.links)),
    )


def _linked(base: str, links: Sequence[Link]) -> list[tuple[int, int]]:
    own = [one for one in links if _absolute(base, one.target) is not None]
    return sorted((one.span.start, one.span.end) for one in own)[:_MOST_LINKED]


def _leads(base: str, drafted: Draft) -> list[Lead]:
    """The pages a page links to, each once."""
    passages = drafted.entry.passages
    found: dict[str, Lead] = {}
    place = 0
    for link in drafted.links:
        url = _absolute(base, link.target)
        if url is None or len(found) >= MOST_LINKS:
            continue
        while place + 1 < len(passages) and passages[place].span.end <= link.span.start:
            place += 1
        passage = passages[place] if passages else None
        lead = Lead(
            url=url,
            text=" ".join(link.text.split())[:_CONTEXT_CHARS],
            context=_around(link, passage.text, passage.span.start) if passage else "",
            heading=" ".join(passage.headings[-2:]) if passage else "",
        )
        known = found.get(url)
        found[url] = lead if known is None else _joined(known, lead)
    return list(found.values())


def _joined(known: Lead, other: Lead) -> Lead:
    """One lead of two to the same page; where it is said at more length stays."""
    texts = dict.fromkeys((*known.text.split(SEPARATOR), other.text))
    text = SEPARATOR.join(one for one in texts if one)
    longest = max((known, other), key=lambda one: len(one.context))
    return replace(longest, text=text if len(text) <= _TEXT_CHARS else known.text)


def _absolute(base: str, target: str) -> str | None:
    """The page a link leads to; None for the same page and for what is no page."""
    try:
        url = urldefrag(urljoin(base, target.strip())).url
        scheme = urlsplit(url).scheme
    except ValueError:
        return None
    return url if scheme in ("http", "https") and url != urldefrag(base).url else None


def _around(link: Link, text: str, start: int) -> str:
    first = max(0, link.span.start - start - _CONTEXT_CHARS // 2)
    last = max(0, link.span.end - start + _CONTEXT_CHARS // 2)
    return " ".join(text[first:last].split())


def _pictures(base: str, images: Sequence[Image]) -> list[Picture]:
    pictures = []
    for image in images[:_MOST_IMAGES]:
        url = urljoin(base, image.target.strip())
        if urlsplit(url).scheme in ("http", "https"):
            pictures.append(
                Picture(url=url, alt=image.alt, caption=image.caption, place=image.span.start)
            )
    return pictures


async def _put(writer: Writer, project: str, page: Page) -> None:
    await _keep(writer.store.keyvalue, project, page)


async def _keep(keyvalue: KeyValue, project: str, page: Page) -> None:
    space = _namespace(project)
    await keyvalue.put(space, page.document_id, encode(page))
    for alias in page.aliases:
        alias_id = page_id(project, alias)
        if alias_id != page.document_id:
            await keyvalue.put(space, alias_id, page.document_id.encode())


async def page_records(keyvalue: KeyValue, project: str) -> list[dict[str, Any]]:
    """What is known of every page, as JSON can say it, by address."""
    space = _namespace(project)
    values = await keyvalue.many(space, await keyvalue.keys(space))
    records = [json.loads(value) for value in values.values() if not value.startswith(b"d")]
    return sorted(records, key=lambda record: str(record["url"]))


async def put_page_record(keyvalue: KeyValue, project: str, record: Mapping[str, Any]) -> None:
    """Keep such a record; raises KeyError, TypeError or ValueError for what is none."""
    await _keep(keyvalue, project, from_record(record))
