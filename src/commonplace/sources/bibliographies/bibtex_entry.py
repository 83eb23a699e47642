"""Entries of BibTeX and BibLaTeX: what they inherit, and the records they are."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from commonplace.domain.csl import Item, date, person, said, without_blanks
from commonplace.domain.fields import arxiv_of, doi_of, file_name, key_in, split_tags, year_of
from commonplace.domain.fields import unique as without_twins
from commonplace.domain.reference import Reference
from commonplace.sources.bibliographies.latex import plain

_MOST_PARENTS = 8
_OWN = frozenset(
    ("title", "subtitle", "titleaddon", "shorttitle", "doi", "url", "file", "abstract", "keywords",
     "pages", "note", "crossref", "xdata", "eprint", "ids")
)  # fmt: skip
"""What a parent says of itself alone."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it is written."""

    key: str
    kind: str
    fields: Mapping[str, str]

    def first(self, *names: str) -> str:
        """The first of these fields that says something, as it is written."""
        return next((self.fields[name] for name in names if self.fields.get(name, "").strip()), "")


def whole(entry: Entry, known: Mapping[str, Entry]) -> Entry:
    """The entry with what it has from others: ``xdata`` gives all, ``crossref`` the book it is in.

    ``known`` has all entries by their keys in lower case.
    """
    fields = dict(entry.fields)
    for parent in _parents(entry, "xdata", known):
        fields = {**parent.fields, **fields}
    for parent in _parents(entry, "crossref", known):
        told = {name: value for name, value in parent.fields.items() if name not in _OWN}
        if fields.get("title"):
            told.setdefault("booktitle", parent.first("title"))
        else:
            told["title"] = parent.first("title")
        if fields.get("author") or fields.get("editor"):
            told.pop("author", None)
        fields = {**told, **fields}
    return Entry(entry.key, entry.kind, fields)


def _parents(entry: Entry, field: str, known: Mapping[str, Entry]) -> Iterator[Entry]:
    """Who an entry names, and whom those name, nearest first; one that names itself ends it."""
    seen, waiting = {"", entry.key.lower()}, entry.fields.get(field, "").lower().split(",")
    while waiting and len(seen) < _MOST_PARENTS:
        name = waiting.pop(0).strip()
        parent = None if name in seen else known.get(name)
        seen.add(name)
        if parent is not None:
            yield parent
            waiting += parent.fields.get(field, "").lower().split(",")


def record(entry: Entry) -> Reference:
    """What an entry says of a work."""
    title, subtitle = plain(entry.first("title")), plain(entry.first("subtitle"))
    citekey = key_in(entry.first("note", "extra")) or entry.key
    title = f"{title}: {subtitle}" if subtitle else title
    doi = doi_of(entry.first("doi", "url").replace("\\", ""))
    kind = entry.first("archiveprefix", "eprinttype").lower()
    eprint = f"arXiv:{entry.first('eprint')}" if "arxiv" in kind else ""
    people = _people(entry.first("author", "editor"))
    return Reference(
        citekey=citekey,
        title=title,
        authors=without_twins(said(one) for one in people if one != _OTHERS),
        year=year_of(entry.first("year", "date", "issued")),
        doi=doi,
        arxiv=arxiv_of(eprint, doi, entry.first("url"), entry.first("journal")),
        tags=split_tags(plain(entry.first("keywords", "keyword"))),
        language=entry.first("langid", "language").strip(),
        file=file_name(entry.first("file")),
        csl=_item(entry, {"id": citekey, "title": title, "DOI": doi}),
    )


_TYPES = {
    "article": "article-journal",
    "book": "book",
    "booklet": "pamphlet",
    "collection": "book",
    "conference": "paper-conference",
    "dataset": "dataset",
    "inbook": "chapter",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "manual": "book",
    "mastersthesis": "thesis",
    "misc": "document",
    "mvbook": "book",
    "online": "webpage",
    "patent": "patent",
    "phdthesis": "thesis",
    "proceedings": "book",
    "report": "report",
    "software": "software",
    "techreport": "report",
    "thesis": "thesis",
    "unpublished": "manuscript",
}
_VARIABLES = {
    "container-title": ("journaltitle", "journal", "booktitle", "maintitle"),
    "collection-title": ("series",),
    "publisher": ("publisher", "institution", "school", "organization"),
    "publisher-place": ("location", "address"),
    "event-title": ("eventtitle",),
    "volume": ("volume",),
    "edition": ("edition",),
    "genre": ("type",),
    "ISBN": ("isbn",),
    "ISSN": ("issn",),
    "abstract": ("abstract",),
    "language": ("langid", "language"),
}


def _item(entry: Entry, known: Mapping[str, str]) -> Item:
    """The entry as an item of CSL-JSON."""
    number = "issue" if entry.kind == "article" else "number"
    month = "" if entry.first("date") else entry.first("month")
    item = {
        "type": _TYPES.get(entry.kind, "document"),
        **{name: plain(entry.first(*told)) for name, told in _VARIABLES.items()},
        **known,
        "URL": _address(entry),
        "page": plain(entry.first("pages")).replace("–", "-"),
        number: plain(entry.first("number", "issue")),
        "issued": date(plain(f"{month} {entry.first('date', 'year', 'issued')}")),
        "accessed": date(entry.first("urldate")),
        **{role: _people(entry.first(role)) for role in ("author", "editor", "translator")},
    }
    return without_blanks(item)


def _address(entry: Entry) -> str:
    """Where it is: in an address dashes and tildes are themselves, only its escapes go."""
    found = _ADDRESS.search(entry.first("url", "howpublished").replace("\\", ""))
    return found.group() if found else ""


_ADDRESS = re.compile(r"https?://[^\s{}]+")
_OTHERS = {"literal": "others"}  # what BibTeX has for "et al."
_PARTS = {
    "family": "family",
    "given": "given",
    "prefix": "non-dropping-particle",
    "suffix": "suffix",
}
_PART = re.compile(r"\s*([a-z-]+)\s*=\s*(.*)", re.IGNORECASE | re.DOTALL)


def _people(field: str) -> list[Item]:
    return [_person(name) for name in _names(field) if plain(name)]


def _person(name: str) -> Item:
    """A name as CSL has it; one in braces is that of an institution, and stays whole.

    >>> _person("{World Health Organization}"), _person("{van} Gogh, Vincent")
    ({'literal': 'World Health Organization'}, {'family': 'van Gogh', 'given': 'Vincent'})
    >>> _person("family=Gogh, given=Vincent, prefix=van")
    {'family': 'Gogh', 'given': 'Vincent', 'non-dropping-particle': 'van'}
    """
    name = name.strip()
    if _is_braced(name):
        return {"literal": plain(name)}
    told = [_PART.fullmatch(part) for part in _split(name, ",")]
    if any(one and one[1].lower() == "family" for one in told):
        named = {one[1].lower(): plain(one[2]).strip('"') for one in told if one}
        return without_blanks({_PARTS[part]: named[part] for part in _PARTS if part in named})
    return person(plain(name))


def _is_braced(name: str) -> bool:
    """Whether all of a name is in one pair of braces, and no accent of one letter."""
    depth = 0
    for at, char in enumerate(name):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0:
            return at > 0 and at == len(name) - 1
    return False


def _names(field: str) -> list[str]:
    """Names between the words ``and`` that stand in no braces."""
    return _split(field, r"\s+and\s+")


def _split(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that stand in no braces."""
    depth, last, parts = 0, 0, []
    for found in re.finditer(rf"[{{}}]|{mark}", text, re.IGNORECASE):
        if found.group() in "{}":
            depth += 1 if found.group() == "{" else -1
        elif depth == 0:
            parts.append(text[last : found.start()])
            last = found.end()
    return [*parts, text[last:]]
