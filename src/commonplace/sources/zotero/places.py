"""What a user writes to name a library: ``zotero:``, a collection, tags, a group, a search."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from commonplace.domain.errors import SourceError
from commonplace.sources.base import Location

SCHEME = "zotero:"
_ONCE = ("group", "search")
_QUERY = re.compile(r"\?(?=(?:tag|group|search)=|$)")


@dataclass(frozen=True, slots=True)
class Place:
    """A collection, or the whole library, and what narrows it."""

    collection: str = ""
    tags: tuple[str, ...] = ()
    """Its items must have all of them."""
    group: str = ""
    """Name or number of a group; empty for the user's own library."""
    search: str = ""
    """Name of a saved search."""

    def __str__(self) -> str:
        """As it is kept: one way to write it.

        >>> str(Place("Reading/2024", ("b", "a c")))
        'zotero:Reading/2024?tag=a+c&tag=b'
        """
        named = [(key, getattr(self, key)) for key in _ONCE if getattr(self, key)]
        query = urlencode([*named, *(("tag", tag) for tag in sorted(set(self.tags)))])
        return f"{SCHEME}{self.collection.strip('/ ')}" + (f"?{query}" if query else "")


def parse(location: str) -> Place:
    """The place a location names; raises SourceError for what is no filter.

    >>> parse("Zotero:Reading/2024?tag=to%20do&tag=x")
    Place(collection='Reading/2024', tags=('to do', 'x'), group='', search='')
    """
    rest = location[len(SCHEME) :]
    cut = _QUERY.search(rest)
    name, query = (rest[: cut.start()], rest[cut.end() :]) if cut else (rest, "")
    pairs = parse_qsl(query)
    named = [key for key, _ in pairs]
    if {*named} - {"tag", *_ONCE} or any(named.count(key) > 1 for key in _ONCE):
        raise SourceError(
            f"{location!r}: only ?tag=NAME&tag=NAME, one group=NAME and one search=NAME can follow "
            "a collection"
        )
    told = dict(pairs)
    tags = tuple(value for key, value in pairs if key == "tag")
    return Place(name.strip("/ "), tags, told.get("group", ""), told.get("search", ""))


def narrowed(location: str, tags: Iterable[str], collection: str = "") -> str:
    """A location with these tags, and this collection where it names none."""
    place = parse(location)
    named = place.collection or collection
    return str(replace(place, collection=named, tags=tuple(dict.fromkeys((*place.tags, *tags)))))


def accepts(location: str) -> bool:
    """Whether a location is a Zotero library or a part of one."""
    return location[: len(SCHEME)].lower() == SCHEME


def describe(location: str) -> Location:
    """The location as it is kept, named by its collection."""
    place = parse(location)
    name = place.search or place.collection.rpartition("/")[2] or place.group or "zotero"
    return Location(location=str(place), name=name)
