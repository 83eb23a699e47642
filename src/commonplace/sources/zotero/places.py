"""What a user writes to name a library: ``zotero:``, a collection, tags."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from commonplace.domain.errors import SourceError
from commonplace.sources.base import Location

SCHEME = "zotero:"
_QUERY = re.compile(r"\?(?=(?:tag=)|$)")


@dataclass(frozen=True, slots=True)
class Place:
    """A collection, or the whole library, and the tags its items must have all of."""

    collection: str = ""
    tags: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As it is kept: one way to write it.

        >>> str(Place("Reading/2024", ("b", "a c")))
        'zotero:Reading/2024?tag=a+c&tag=b'
        """
        query = urlencode([("tag", tag) for tag in sorted(set(self.tags))])
        return f"{SCHEME}{self.collection.strip('/ ')}" + (f"?{query}" if query else "")


def parse(location: str) -> Place:
    """The place a location names; raises SourceError for what is no filter.

    >>> parse("Zotero:Reading/2024?tag=to%20do&tag=x")
    Place(collection='Reading/2024', tags=('to do', 'x'))
    """
    rest = location[len(SCHEME) :]
    cut = _QUERY.search(rest)
    name, query = (rest[: cut.start()], rest[cut.end() :]) if cut else (rest, "")
    pairs = parse_qsl(query)
    if any(key != "tag" for key, _ in pairs):
        raise SourceError(f"{location!r}: only ?tag=NAME&tag=NAME can follow a collection")
    return Place(name.strip("/ "), tuple(value for _, value in pairs))


def narrowed(location: str, tags: Iterable[str], collection: str = "") -> str:
    """A location with these tags, and this collection where it names none."""
    place = parse(location)
    named = place.collection or collection
    return str(Place(named, tuple(dict.fromkeys((*place.tags, *tags)))))


def accepts(location: str) -> bool:
    """Whether a location is a Zotero library or a part of one."""
    return location[: len(SCHEME)].lower() == SCHEME


def describe(location: str) -> Location:
    """The location as it is kept, named by its collection."""
    place = parse(location)
    return Location(location=str(place), name=place.collection.rpartition("/")[2] or "zotero")
