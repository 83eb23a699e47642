"""Saved searches, run here when Zotero is not there to run them: the conditions people use most."""

from collections.abc import Callable, Mapping

from commonplace.domain.errors import SourceError
from commonplace.sources.zotero.items import Item, Library, Search

_OPERATORS: Mapping[str, Callable[[str, str], bool]] = {
    "is": lambda held, wanted: held == wanted,
    "isNot": lambda held, wanted: held != wanted,
    "contains": lambda held, wanted: wanted in held,
    "doesNotContain": lambda held, wanted: wanted not in held,
    "beginsWith": lambda held, wanted: held.startswith(wanted),
}
_NEGATIVE = frozenset({"isNot", "doesNotContain"})
_HOW = frozenset({"joinMode", "noChildren", "recursive", "includeParentsAndChildren", "deleted"})
_MANY = frozenset({"tag", "creator", "author", "editor", "bookAuthor", "collection"})
_UNKNOWN = frozenset(
    [
        "savedSearch",
        "fulltextContent",
        "fulltextWord",
        "quicksearch-titleCreatorYear",
        "quicksearch-fields",
        "quicksearch-everything",
        "dateAdded",
        "dateModified",
        "date",
        "accessDate",
        "year",
        "anyField",
        "field",
        "fileTypeID",
        "itemTypeID",
        "tagID",
        "lastName",
        "childNote",
        "annotationText",
        "annotationComment",
        "lastRead",
    ]
)


def named(searches: tuple[Search, ...], name: str) -> Search:
    """The search of this name; raises SourceError, naming those there are."""
    found = next((one for one in searches if one.name.casefold() == name.casefold()), None)
    if found is None:
        known = ", ".join(sorted(one.name for one in searches)[:20]) or "none"
        raise SourceError(f"Zotero: there is no saved search {name!r}; write one of: {known}")
    return found


def run(library: Library, search: Search) -> frozenset[str]:
    """Keys of the items that fit; raises SourceError for conditions only Zotero can judge."""
    tests = [one for one in search.conditions if one[0] not in _HOW]
    for condition, operator, _ in tests:
        # Zotero writes how to read a value behind the name: fulltextContent/regexp.
        if "/" in condition or condition in _UNKNOWN or operator not in _OPERATORS:
            raise SourceError(
                f"Zotero: the search {search.name!r} asks for {condition} {operator}, which only "
                "Zotero itself can judge; start it"
            )
    joined = any if ("joinMode", "any", "") in search.conditions else all
    is_deep = any(name == "recursive" and how == "true" for name, how, _ in search.conditions)
    return frozenset(
        item.key
        for item in library.items
        if tests and joined(_fits(library, item, one, is_deep) for one in tests)
    )


def _fits(library: Library, item: Item, test: tuple[str, str, str], is_deep: bool) -> bool:
    condition, operator, value = test
    if condition == "collection":
        key = value.rpartition("_")[2]
        wanted = library.within(key) if is_deep else {key}
        return (not wanted.isdisjoint(item.collections)) == (operator == "is")
    judge, wanted_text = _OPERATORS[operator], value.casefold()
    held = [one.casefold() for one in _values(item, condition)]
    every = all if operator in _NEGATIVE else any
    return every(judge(one, wanted_text) for one in held)


def _values(item: Item, condition: str) -> list[str]:
    """What an item has of a field; one that may have many, all of them."""
    if condition == "tag":
        return list(item.tags)
    if condition in _MANY:
        told = item.data.get("creators")
        people = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
        return [_name(one) for one in people if condition in ("creator", one.get("creatorType"))]
    return [item.text(condition)]


def _name(person: Mapping[str, object]) -> str:
    names = [str(person.get(part, "")) for part in ("firstName", "lastName", "name")]
    return " ".join(name for name in names if name)
