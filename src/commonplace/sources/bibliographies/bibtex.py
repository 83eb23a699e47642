"""BibTeX and BibLaTeX: entries, macros, and values in braces, quotation marks or pieces."""

import re
from collections.abc import Iterator, Mapping

from commonplace.domain.csl import Item, date, person, without_blanks
from commonplace.domain.fields import (
    arxiv_of,
    doi_of,
    file_name,
    key_in,
    split_tags,
    spoken,
    unique,
    year_of,
)
from commonplace.domain.reference import Reference
from commonplace.sources.bibliographies.base import Format, Reading
from commonplace.sources.bibliographies.latex import plain

_HEAD = re.compile(r"@\s*([A-Za-z]+)\s*[{(]")
_KEY = re.compile(r"\s*([^\s,{}()=\"#%]+)\s*,")
_FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w:.+-]*)\s*=\s*")
_WORD = re.compile(r"[^\s,#{}\"()]+")
_JOIN = re.compile(r"\s*#\s*")
_MOST_VALUE_CHARS = 200_000  # an abstract has 2,000; a value never closed must not cost the file
_MOST_FAULTS = 100
_NO_ENTRIES = frozenset({"comment", "preamble"})
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class _Fault(Exception):
    """An entry that ends before it should."""


def read(text: str) -> Reading:
    """Every entry with a title; one that is broken is told and the next is read."""
    macros = {name: name for name in _MONTHS}
    references: list[Reference] = []
    problems: list[str] = []
    position = 0
    while (head := _HEAD.search(text, position)) and len(problems) < _MOST_FAULTS:
        position = head.end()
        kind = head.group(1).lower()
        if kind in _NO_ENTRIES:
            continue
        try:
            key, position = ("", position) if kind == "string" else _key(text, position)
            fields = dict(_fields(text, position, macros))
        except _Fault as exc:
            line = text.count("\n", 0, head.start()) + 1
            problems.append(f"entry at line {line}: {exc}")
            continue
        if kind == "string":
            macros |= fields
        elif fields.get("title"):
            references.append(_reference(key, kind, fields))
    if head is not None:
        problems.append("too many broken entries; the rest was not read")
    return Reading(tuple(references), tuple(problems))


def _key(text: str, position: int) -> tuple[str, int]:
    found = _KEY.match(text, position)
    if found is None:
        raise _Fault("it has no key")
    return found.group(1), found.end()


def _fields(text: str, position: int, macros: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    while found := _FIELD.match(text, position):
        value, position = _value(text, found.end(), macros)
        yield found.group(1).lower(), value


def _value(text: str, position: int, macros: Mapping[str, str]) -> tuple[str, int]:
    """A value and where it ends: pieces joined with ``#``."""
    pieces = []
    while True:
        piece, position = _piece(text, position, macros)
        pieces.append(piece)
        joint = _JOIN.match(text, position)
        if joint is None:
            return "".join(pieces), position
        position = joint.end()


def _piece(text: str, position: int, macros: Mapping[str, str]) -> tuple[str, int]:
    opening = text[position : position + 1]
    if opening in ("{", '"'):
        end = _closing(text, position)
        return text[position + 1 : end], end + 1
    word = _WORD.match(text, position)
    if word is None:
        raise _Fault("a field has no value")
    return macros.get(word.group().lower(), word.group()), word.end()


_MARK = re.compile(r"\\.|[{}\"]", re.DOTALL)


def _closing(text: str, start: int) -> int:
    """Where the brace or quotation mark at ``start`` is closed."""
    is_quoted, depth = text[start] == '"', 0
    for found in _MARK.finditer(text, start + 1, start + _MOST_VALUE_CHARS):
        mark = found.group()
        if is_quoted and mark == '"' and depth == 0:
            return found.start()
        if mark == "{":
            depth += 1
        elif mark == "}":
            if depth == 0 and not is_quoted:
                return found.start()
            depth -= 1
    raise _Fault("a value is not closed")


def _reference(key: str, kind: str, fields: Mapping[str, str]) -> Reference:
    def first(*names: str) -> str:
        return next((fields[name] for name in names if fields.get(name)), "")

    title = plain(first("title"))
    subtitle = plain(first("subtitle"))
    notes = first("note", "extra")
    citekey = key_in(notes) or key
    whole = f"{title}: {subtitle}" if subtitle else title
    doi = doi_of(first("doi", "url").replace("\\", ""))
    eprint = (
        f"arXiv:{first('eprint')}"
        if "arxiv" in first("archiveprefix", "eprinttype").lower()
        else ""
    )
    return Reference(
        citekey=citekey,
        title=whole,
        authors=unique(spoken(plain(name)) for name in _names(first("author", "editor"))),
        year=year_of(first("year", "date", "issued")),
        doi=doi,
        arxiv=arxiv_of(eprint, doi, first("url"), first("journal")),
        tags=split_tags(plain(first("keywords", "keyword"))),
        language=first("langid", "language").strip(),
        file=file_name(first("file")),
        csl=_item(citekey, kind, fields, {"title": whole, "DOI": doi}),
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
    "volume": ("volume",),
    "edition": ("edition",),
    "genre": ("type",),
    "ISBN": ("isbn",),
    "ISSN": ("issn",),
    "URL": ("url",),
    "abstract": ("abstract",),
    "language": ("langid", "language"),
}


def _item(citekey: str, kind: str, fields: Mapping[str, str], known: Mapping[str, str]) -> Item:
    """The entry as an item of CSL-JSON."""

    def first(*names: str) -> str:
        return next((plain(fields[name]) for name in names if fields.get(name)), "")

    variables = {name: first(*told) for name, told in _VARIABLES.items()}
    number = "issue" if kind == "article" else "number"
    month = fields.get("month", "") if "date" not in fields else ""
    people = {
        role: [person(plain(name)) for name in _names(fields.get(role, "")) if name.strip()]
        for role in ("author", "editor", "translator")
    }
    item = {
        "id": citekey,
        "type": _TYPES.get(kind, "document"),
        **variables,
        **known,
        "page": first("pages").replace("–", "-"),
        number: first("number", "issue"),
        "issued": date(f"{month} {first('date', 'year', 'issued')}"),
        **people,
    }
    return without_blanks(item)


def _names(field: str) -> list[str]:
    """Names between the words ``and`` that stand in no braces."""
    depth, last, names = 0, 0, []
    for found in re.finditer(r"[{}]|\s+and\s+", field):
        if found.group() in "{}":
            depth += 1 if found.group() == "{" else -1
        elif depth == 0:
            names.append(field[last : found.start()])
            last = found.end()
    return [*names, field[last:]]


BIBTEX = Format(name="bibtex", suffixes=(".bib", ".bibtex"), read=read)
