"""A bibliography the user added: its records tell of the papers of all sources of the project.

A record with an abstract is a document too, so that a work can be found whose file is not here.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from urllib.parse import quote

from commonplace.domain.document import Resource
from commonplace.domain.errors import SourceError
from commonplace.domain.fields import folded
from commonplace.domain.media import HTML
from commonplace.domain.reference import Reference
from commonplace.domain.scope import Source
from commonplace.settings import Settings
from commonplace.sources.base import Listing, OpenSource, Skip, SourceKind
from commonplace.sources.bibliographies.base import Reading
from commonplace.sources.bibliographies.find import is_bibliography, read_one
from commonplace.sources.files import accepts_file, describe_path, make_resource, to_path

_MARKUP = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>")
_MOST_NAME_CHARS = 80


@dataclass(slots=True)
class Bibliography:
    """An opened bibliography; it is read once."""

    path: Path
    settings: Settings
    _reading: Reading | None = None
    _abstracts: dict[str, bytes] = field(default_factory=dict)
    """What there is to read of works, by address."""

    async def list(self) -> AsyncIterator[Listing | Skip]:
        """Every abstract, with what of the file could not be read."""
        reading = await self._load()
        changed_at = await asyncio.to_thread(lambda: self.path.stat().st_mtime)
        moment = datetime.fromtimestamp(changed_at, UTC)
        for uri, name, content in _abstracts(self.path, reading.references):
            self._abstracts[uri] = content
            yield Listing(
                uri=uri, path=name, media_type=HTML, size_bytes=len(content), modified_at=moment
            )
        for problem in reading.problems:
            yield Skip(path=self.path.name, reason=problem, is_failure=True)
        for note in reading.notes:
            yield Skip(path=self.path.name, reason=note, is_note=True)

    async def read(self, listing: Listing) -> Resource:
        """An abstract that was listed."""
        if listing.uri not in self._abstracts:
            raise SourceError(f"{listing.path} was not listed; sync the source again")
        return make_resource(listing, self._abstracts[listing.uri])

    async def references(self) -> Sequence[Reference]:
        """All records; each with the address of its abstract."""
        reading = await self._load()
        named = _named(self.path, reading.references)
        return [replace(one, uris=(uri,)) for uri, _, one in named]

    async def _load(self) -> Reading:
        if self._reading is None:
            self._reading = await asyncio.to_thread(read_one, self.path, self.settings)
        if not self._reading.references:
            why = "; ".join(self._reading.problems[:3]) or "it is empty"
            raise SourceError(
                f"{self.path} has no record that can be read: {why}; mend it, or forget it with "
                f"`commonplace remove {self.path}`"
            )
        return self._reading


def _named(path: Path, references: Sequence[Reference]) -> Iterator[tuple[str, str, Reference]]:
    """Every record with its address and its name; of two with one key the first has the key."""
    taken: set[str] = set()
    for number, one in enumerate(references, 1):
        name = one.citekey or one.doi or folded(one.title)[:_MOST_NAME_CHARS]
        name = name if name not in taken else f"{name}-{number}"
        taken.add(name)
        yield f"{path.as_uri()}#{quote(name, safe='')}", f"{path.name}#{name}", one


def _abstracts(path: Path, references: Sequence[Reference]) -> Iterator[tuple[str, str, bytes]]:
    for uri, name, one in _named(path, references):
        told = one.csl.get("abstract")
        words = _MARKUP.sub(" ", told).strip() if isinstance(told, str) else ""
        if words:
            yield uri, name, _page(one, words)


def _page(one: Reference, abstract: str) -> bytes:
    """The title, who wrote it when, and the abstract."""
    year = f" ({one.year})" if one.year else ""
    parts = [f"<h1>{escape(one.title)}</h1>", f"<p>{escape(', '.join(one.authors))}{year}</p>"]
    blocks = (" ".join(block.split()) for block in re.split(r"\n\s*\n", abstract))
    parts += [f"<p>{escape(block)}</p>" for block in blocks if block]
    return "\n".join(parts).encode("utf-8", "replace")


def accepts(location: str) -> bool:
    """Whether this is the path of a bibliography."""
    return accepts_file(location) and is_bibliography(to_path(location))


def open_bibliography(source: Source, settings: Settings) -> OpenSource:
    """A bibliography ready to be read."""
    return Bibliography(Path(source.location), settings)


BIBLIOGRAPHY = SourceKind(
    name="bibliography",
    accepts=accepts,
    open=open_bibliography,
    describe=describe_path,
    rank=10,
    tells_project=True,
)
