"""A Zotero library as its local API tells it; the database is read into the same shape."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from commonplace.domain.errors import SourceError

ATTACHMENT, NOTE, ANNOTATION = "attachment", "note", "annotation"
OWN = "library"
_DEPTH = 4  # an annotation of an attachment of a work is two below it
_PARTS = frozenset({ATTACHMENT, NOTE, ANNOTATION})


@dataclass(frozen=True, slots=True)
class Item:
    """A work, an attached file, a note or an annotation: the ``data`` of the API."""

    data: Mapping[str, Any]
    file: str = ""
    """Of an attachment, the path of its file where Zotero told it."""

    @property
    def key(self) -> str:
        """Eight letters and digits; it never changes."""
        return self.text("key")

    @property
    def kind(self) -> str:
        """What Zotero calls it: ``journalArticle``, ``attachment``."""
        return self.text("itemType")

    @property
    def parent(self) -> str:
        """Key of the item it belongs to; empty for one of its own."""
        return self.text("parentItem")

    @property
    def tags(self) -> tuple[str, ...]:
        """As written, in their order."""
        told = self.data.get("tags")
        listed = told if isinstance(told, list) else ()
        found = (one.get("tag") for one in listed if isinstance(one, dict))
        return tuple(dict.fromkeys(str(tag).strip() for tag in found if tag))

    @property
    def collections(self) -> tuple[str, ...]:
        """Keys of the collections it was put in."""
        told = self.data.get("collections")
        return tuple(str(one) for one in told) if isinstance(told, list) else ()

    @property
    def modified_at(self) -> datetime:
        """When it was last changed, as Zotero has it."""
        try:
            moment = datetime.fromisoformat(self.text("dateModified").replace("Z", "+00:00"))
        except ValueError:
            return datetime.fromtimestamp(0, UTC)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def text(self, name: str) -> str:
        """A field as text; empty when it is not there."""
        value = self.data.get(name)
        return str(value).strip() if isinstance(value, str | int) else ""


@dataclass(frozen=True, slots=True)
class Collection:
    """A folder of items, perhaps in another."""

    key: str
    name: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """A saved search: conditions, each with an operator and a value."""

    name: str
    conditions: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Library:
    """All of one library that is not in the trash."""

    items: tuple[Item, ...] = ()
    collections: tuple[Collection, ...] = ()
    state: str = field(default="", compare=False)
    """Differs when something in it changed."""
    home: str = OWN
    """Where its addresses begin: ``library``, or ``groups/42``."""
    searches: tuple[Search, ...] = field(default=(), compare=False)
    """Saved ones, where Zotero is not there to run them."""

    @cached_property
    def by_key(self) -> dict[str, Item]:
        """Items by their key."""
        return {item.key: item for item in self.items}

    @cached_property
    def children(self) -> dict[str, list[Item]]:
        """Items by the key of the one they belong to."""
        found: defaultdict[str, list[Item]] = defaultdict(list)
        for item in self.items:
            if item.parent:
                found[item.parent].append(item)
        return dict(found)

    @cached_property
    def _tops(self) -> dict[str, Item]:
        """What each item belongs to in the end, by key."""
        known = self.by_key
        above = {item.key: item.parent for item in self.items}
        found: dict[str, Item] = {}
        for item in self.items:
            here = item.key
            for _ in range(_DEPTH):
                if above[here] not in known:
                    break
                here = above[here]
            found[item.key] = known[here]
        return found

    def top(self, item: Item) -> Item:
        """The item that stands in collections: itself, or the one it belongs to."""
        return self._tops[item.key]

    def work(self, item: Item) -> Item | None:
        """What is cited when this is: the item above that is no file, note or annotation."""
        top = self.top(item)
        return None if top.kind in _PARTS else top

    def paths(self) -> dict[str, str]:
        """Paths of all collections by key, names joined with a slash."""
        known = {one.key: one for one in self.collections}
        return {one.key: "/".join(reversed(list(_names(one, known)))) for one in self.collections}

    def within(self, path: str) -> frozenset[str]:
        """Keys of the collection of this path, name or key, and of all below it.

        Raises SourceError, naming those there are.
        """
        paths = self.paths()
        wanted = path.strip("/").casefold()
        plain = {key: one.casefold() for key, one in paths.items()}
        found = [key for key, one in plain.items() if wanted in (one, key.casefold())]
        found = found or [key for key, one in plain.items() if one.endswith(f"/{wanted}")]
        if len(found) != 1:
            known = ", ".join(sorted(paths[key] for key in found or paths)[:20]) or "none"
            why = "several collections are named" if found else "there is no collection"
            raise SourceError(f"Zotero: {why} {path!r}; write one of: {known}")
        chosen = set(found)
        for _ in self.collections:
            more = {one.key for one in self.collections if one.parent in chosen} - chosen
            if not more:
                break
            chosen |= more
        return frozenset(chosen)


def group_home(groups: Mapping[str, str], wanted: str) -> str:
    """Where a group is, of names by number; raises SourceError, naming those there are.

    >>> group_home({"42": "Our Lab"}, "our lab")
    'groups/42'
    """
    plain = wanted.strip().casefold()
    found = [key for key, name in groups.items() if plain in (key, name.casefold())]
    if len(found) != 1:
        known = ", ".join(sorted(f"{name} ({key})" for key, name in groups.items())[:20]) or "none"
        why = "several groups are named" if found else "there is no group"
        raise SourceError(f"Zotero: {why} {wanted!r}; write the name or number of: {known}")
    return f"groups/{found[0]}"


def _names(one: Collection, known: Mapping[str, Collection]) -> Iterator[str]:
    for _ in range(len(known)):
        yield one.name
        if one.parent not in known:
            return
        one = known[one.parent]


def chosen(
    library: Library, path: str, tags: Iterable[str], keys: Iterable[str] | None = None
) -> list[Item]:
    """Items of a collection, or of all, whose work or own top item has all these tags.

    With ``keys`` only those that belong to the same work as one of these.
    """
    within = library.within(path) if path.strip("/") else None
    wanted = {tag.casefold() for tag in tags}
    found = None
    if keys is not None:
        known = library.by_key
        found = {library.top(known[key]).key for key in keys if key in known}
    if within is None and not wanted and found is None:
        return list(library.items)

    def is_wanted(top: Item) -> bool:
        is_inside = within is None or not within.isdisjoint(top.collections)
        is_found = found is None or top.key in found
        return is_inside and is_found and wanted <= {tag.casefold() for tag in top.tags}

    kept = {item.key for item in library.items if not item.parent and is_wanted(item)}
    return [item for item in library.items if library.top(item).key in kept]


def encode(library: Library) -> str:
    """A library as one text."""
    held = {
        "state": library.state,
        "items": [[item.data, item.file] for item in library.items],
        "collections": [[one.key, one.name, one.parent] for one in library.collections],
        "home": library.home,
        "searches": [[one.name, one.conditions] for one in library.searches],
    }
    return json.dumps(held, ensure_ascii=False)


def decode(text: str) -> Library:
    """The library of a text that ``encode`` made; raises ValueError, KeyError or TypeError."""
    held = json.loads(text)
    return Library(
        tuple(Item(data, file) for data, file in held["items"]),
        tuple(Collection(*one) for one in held["collections"]),
        held["state"],
        held["home"],
        tuple(Search(name, tuple(map(_three, some))) for name, some in held["searches"]),
    )


def _three(told: Sequence[object]) -> tuple[str, str, str]:
    condition, operator, value = map(str, told)
    return condition, operator, value
