"""A Zotero library as a source: asked while Zotero runs, else read from its data folder."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from commonplace.domain.document import Resource
from commonplace.domain.errors import SourceError
from commonplace.domain.ids import stable_id
from commonplace.domain.reference import Reference
from commonplace.domain.scope import Source
from commonplace.settings import Settings
from commonplace.sources.base import Listing, OpenSource, Skip, SourceKind
from commonplace.sources.files import limits_of, to_path
from commonplace.sources.zotero import database
from commonplace.sources.zotero.files import Document, Folders, documents, opening, showing
from commonplace.sources.zotero.items import ATTACHMENT, Item, Library, chosen, decode, encode
from commonplace.sources.zotero.places import Place, accepts, describe, parse
from commonplace.sources.zotero.records import reference
from commonplace.sources.zotero.running import NotRunning, Running
from commonplace.sources.zotero.searches import named, run


@dataclass(slots=True)
class Zotero:
    """An opened library, or a collection of it."""

    place: Place
    settings: Settings
    _held: dict[str, Document] = field(default_factory=dict)
    """What was listed, by address."""
    _library: Library | None = None
    _searched: frozenset[str] | None = None
    """Keys of what the saved search finds."""

    @property
    def _folder(self) -> Path:
        return to_path(self.settings.zotero_folder)

    @property
    def _cache(self) -> Path:
        told = f"-{stable_id('group', self.place.group.casefold())}" if self.place.group else ""
        return self.settings.home / "zotero" / f"library{told}.json"

    async def list(self) -> AsyncIterator[Listing | Skip]:
        """Every document, with what is missing; a library that did not change is not read again."""
        library, items = await self._items()
        linked = self.settings.zotero_linked_folder
        limits = limits_of(self.settings)
        folders = Folders(self._folder, to_path(linked) if linked else None, limits)
        found = await asyncio.to_thread(lambda: [*documents(library, items, folders)])
        for one in found:
            if isinstance(one, Document):
                self._held[one.listing.uri] = one
                yield one.listing
            else:
                yield one

    async def read(self, listing: Listing) -> Resource:
        """The bytes of a listed document."""
        one = self._held.get(listing.uri)
        if one is None:
            raise SourceError(f"{listing.path} was not listed; sync the source again")
        return await asyncio.to_thread(one.read, limits_of(self.settings))

    async def references(self) -> Sequence[Reference]:
        """What Zotero tells of the works; each with the addresses of its documents."""
        library, items = await self._items()
        return [*_references(library, items)]

    async def _items(self) -> tuple[Library, Sequence[Item]]:
        if self._library is None:
            self._library = await self._load()
        place = self.place
        return self._library, chosen(self._library, place.collection, place.tags, self._searched)

    async def _load(self) -> Library:
        """From the running Zotero, else from its data folder; as known where nothing changed."""
        known = await asyncio.to_thread(self._cached)
        try:
            async with Running(self.settings.zotero_url, self.place.group) as running:
                state = await running.state()
                if self.place.search:
                    self._searched = await running.search(self.place.search)
                if known.state == state:
                    return known
                library = await running.library(state)
        except NotRunning as exc:
            library = await asyncio.to_thread(self._offline, known, exc)
            if self.place.search:
                self._searched = run(library, named(library.searches, self.place.search))
        if library is not known:
            await asyncio.to_thread(self._keep, library)
        return library

    def _offline(self, known: Library, fault: NotRunning) -> Library:
        if not (self._folder / database.NAME).exists():
            raise SourceError(
                f"{fault.message}, or name its data folder in the setting zotero_folder: there is "
                f"no {database.NAME} in {self._folder}"
            ) from fault
        if known.state == database.state_of(self._folder):
            return known
        return database.read_library(self._folder, self.place.group)

    def _cached(self) -> Library:
        with suppress(OSError, ValueError, KeyError, TypeError):  # it is only a shortcut
            return decode(self._cache.read_text("utf-8"))
        return Library()

    def _keep(self, library: Library) -> None:
        self._cache.parent.mkdir(parents=True, exist_ok=True)
        made = self._cache.with_name(f"{self._cache.name}.{os.getpid()}")
        made.touch(mode=0o600)
        made.write_text(encode(library), "utf-8")
        made.replace(self._cache)


def _references(library: Library, items: Iterable[Item]) -> Iterable[Reference]:
    uris: dict[str, list[str]] = {}
    for item in items:
        work = library.work(item)
        if work is not None:
            held = uris.setdefault(work.key, [])
            held += [opening(library, item)] if item.kind == ATTACHMENT else []
            held += [showing(library, item)] if item is not work else []
    for key in sorted(uris):
        made = reference(library.by_key[key], uris[key])
        if made.title:
            yield made


def open_library(source: Source, settings: Settings) -> OpenSource:
    """A library ready to be listed."""
    return Zotero(parse(source.location), settings)


async def check(location: str, settings: Settings) -> None:
    """Raises SourceError unless the library answers and has the collection."""
    await Zotero(parse(location), settings)._items()


ZOTERO = SourceKind(
    name="zotero",
    accepts=accepts,
    open=open_library,
    describe=describe,
    check=check,
    is_shared=True,
    rank=5,
)
