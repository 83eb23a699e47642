"""What is known of a page of the web, beside its text: when it came, where it leads."""

import json
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from commonplace.sources.fetching.page import Known

SEPARATOR = " · "


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A page another one links to, and what stands around the link."""

    url: str
    text: str
    """Of all its links to it, parted by ``SEPARATOR``: links to sections tell what it holds."""
    context: str
    heading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image of a page, by its full address, and the characters of the page it stands at."""

    url: str
    alt: str
    caption: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is known of a page that was indexed."""

    document_id: str
    url: str
    title: str
    passages: int
    tokens: int
    fetched_at: datetime
    fresh_until: datetime
    known: Known
    content_hash: str
    aliases: tuple[str, ...] = ()
    """Addresses that led here: as asked, and redirects."""
    leads: tuple[Lead, ...] = ()
    pictures: tuple[Picture, ...] = ()
    warnings: tuple[str, ...] = ()
    linked: tuple[tuple[int, int], ...] = ()
    """Characters of the page that are links to other pages, in order."""

    def without_links(self, text: str, start: int) -> str:
        """A stretch of the page that starts at a character, less what links to other pages."""
        end, kept, at = start + len(text), [], start
        begins = max(0, bisect_left(self.linked, (start, 0)) - 1)  # one may reach into it
        for first, last in self.linked[begins:]:
            if first >= end:
                break
            kept.append(text[at - start : max(at, first) - start])
            at = max(at, last)
        return " ".join([*kept, text[at - start :]])


def encode(page: Page) -> bytes:
    """The record of a page."""
    return json.dumps(
        {
            "document_id": page.document_id,
            "url": page.url,
            "title": page.title,
            "passages": page.passages,
            "tokens": page.tokens,
            "fetched_at": page.fetched_at.isoformat(),
            "fresh_until": page.fresh_until.isoformat(),
            "known": [page.known.etag, page.known.last_modified],
            "content_hash": page.content_hash,
            "aliases": page.aliases,
            "leads": [[one.url, one.text, one.context, one.heading] for one in page.leads],
            "pictures": [[one.url, one.alt, one.caption, one.place] for one in page.pictures],
            "warnings": page.warnings,
            "linked": page.linked,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode("utf-8", "replace")


def decode(value: bytes) -> Page:
    """The page of a record."""
    return from_record(json.loads(value))


def from_record(record: Mapping[str, Any]) -> Page:
    """The page of a record that was read as JSON."""
    etag, last_modified = record["known"]
    return Page(
        **{
            **record,
            "fetched_at": datetime.fromisoformat(record["fetched_at"]),
            "fresh_until": datetime.fromisoformat(record["fresh_until"]),
            "known": Known(etag=etag, last_modified=last_modified),
            "aliases": tuple(record["aliases"]),
            "warnings": tuple(record["warnings"]),
            "linked": tuple((first, last) for first, last in record.get("linked", ())),
            "leads": tuple(
                Lead(url=url, text=text, context=context, heading=heading)
                for url, text, context, heading in record["leads"]
            ),
            "pictures": tuple(
                Picture(url=url, alt=alt, caption=caption, place=place)
                for url, alt, caption, place in record["pictures"]
            ),
        }
    )
