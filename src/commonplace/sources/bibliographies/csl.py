"""CSL-JSON, as Zotero, Pandoc and CrossRef write it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from commonplace.domain.csl import Item, date, person, said
from commonplace.domain.fields import (
    arxiv_of,
    doi_of,
    file_name,
    key_in,
    split_tags,
    unique,
    year_of,
)
from commonplace.domain.reference import Reference
from commonplace.sources.bibliographies.base import Format, Reading

_MARKUP = re.compile(r"</?(?:i|b|sub|sup|sc|span)(?:\s[^<>]*)?>")  # all that CSL titles may have
_HOLDERS = ("items", "references")
_ROLES = frozenset({"author", "editor", "translator", "container-author", "collection-editor"})
_DATES = frozenset({"issued", "accessed", "original-date", "event-date", "submitted"})


def read(text: str) -> Reading:
    """A list of items, alone or in an object, or one item; whatever else JSON holds is none."""
    try:
        held = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as exc:
        return Reading(problems=(f"not JSON: {str(exc)[:120]}",))
    if isinstance(held, dict):
        one = [held] if held.get("title") and held.get("type") else held
        held = next((held[name] for name in _HOLDERS if isinstance(held.get(name), list)), one)
    if not isinstance(held, list):
        return Reading(problems=("no list of CSL items",))
    read_items = (_reference(one) for one in held if isinstance(one, dict))
    references = tuple(one for one in read_items if one.title)
    lost = len(held) - len(references)
    problems = (f"{lost} items without a title were left out",) if lost else ()
    return Reading(references, problems)


def _reference(item: Mapping[str, Any]) -> Reference:
    item = _mended(item)
    url = _text(item, "URL")
    doi = doi_of(_text(item, "DOI", "doi") or url)
    return Reference(
        citekey=_citekey(item),
        title=" ".join(_MARKUP.sub("", _text(item, "title")).split()),
        authors=unique(_people(item.get("author")) or _people(item.get("editor"))),
        year=_year(item.get("issued")),
        doi=doi,
        arxiv=arxiv_of(_text(item, "number"), doi, _text(item, "note"), url),
        tags=_tags(item),
        language=_text(item, "language"),
        file=file_name(_text(item, "file")),
        csl=item,
    )


def _mended(item: Mapping[str, Any]) -> Item:
    """The item with names and dates in the form a style reads, also where they are plain text."""
    made = dict(item)
    for role in _ROLES & item.keys():
        told = [item[role]] if isinstance(item[role], str | dict) else item[role]
        people = told if isinstance(told, list) else []
        named = (person(one) if isinstance(one, str) else one for one in people)
        made[role] = [one for one in named if isinstance(one, dict)]
    for name in _DATES & item.keys():
        if isinstance(item[name], str | int):
            made[name] = date(str(item[name]))
    return made


def _text(item: Mapping[str, Any], *names: str) -> str:
    """The first of these that says something; Crossref has lists where CSL has one."""
    values = (item.get(name) for name in names)
    single = (one[0] if isinstance(one, list) and one else one for one in values)
    return next((str(one).strip() for one in single if isinstance(one, str | int)), "")


def _citekey(item: Mapping[str, Any]) -> str:
    """Better BibTeX's own field, then what it pins in a note, then an id that can be a key."""
    named = _text(item, "citation-key", "citationKey")
    pinned = named or key_in(_text(item, "note")) or key_in(_text(item, "extra"))
    own = _text(item, "id")
    return pinned or ("" if "/" in own or own.isdigit() else own)


def _people(names: object) -> list[str]:
    return [said(name) for name in names] if isinstance(names, list) else []


def _year(issued: object) -> int | None:
    """From date-parts or from a date as written."""
    return year_of(json.dumps(issued)) if issued else None


def _tags(item: Mapping[str, Any]) -> tuple[str, ...]:
    tags = item.get("tags")
    if not isinstance(tags, list):
        return split_tags(_text(item, "keyword", "keywords"))
    return unique(_text(one, "tag") if isinstance(one, dict) else str(one) for one in tags)


CSL = Format(name="csl", suffixes=(".json",), read=read)
