"""RIS: one tag a line, from TY to ER."""

import re
from collections.abc import Iterator

from commonplace.domain.csl import Item, date, person, said, without_blanks
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

_LINE = re.compile(r"([A-Z][A-Z0-9])  ?- ?(.*)")
_OF_PEOPLE = re.compile(r",|\b\w\.")
_AUTHORS = ("AU", "A1", "A2")

Record = dict[str, list[str]]


def read(text: str) -> Reading:
    """Every record with a title; a line that begins with no tag goes on with the last."""
    records = [record for record in _records(text) if record]
    made = [_reference(record) for record in records]
    titled = tuple(one for one in made if one.title)
    lost = len(made) - len(titled)
    problems = (f"{lost} records without a title were left out",) if lost else ()
    return Reading(titled, problems)


def _records(text: str) -> Iterator[Record]:
    """From TY to ER; one that is not ended ends where the next begins."""
    record: Record = {}
    values: list[str] = []
    for line in text.removeprefix("\ufeff").splitlines():
        found = _LINE.match(line)
        if found is None:
            if values and line.strip():
                values[-1] += f" {line.strip()}"
            continue
        if found[1] in ("TY", "ER"):
            yield record
            record, values = {}, []
        if found[1] != "ER":
            values = record.setdefault(found[1], [])
            values.append(found[2].strip())
    yield record


def _first(record: Record, *tags: str) -> str:
    return next((value for tag in tags for value in record.get(tag, ()) if value), "")


def _reference(record: Record) -> Reference:
    notes = "\n".join([*record.get("N1", ()), *record.get("M1", ())])
    own = _first(record, "ID")
    citekey = key_in(notes) or ("" if own.isdigit() else own)
    doi = doi_of(_first(record, "DO") or _first(record, "UR"))
    words = record.get("KW", [])
    return Reference(
        citekey=citekey,
        title=_first(record, "TI", "T1", "CT", "BT"),
        authors=unique(said(one) for one in _people(record, *_AUTHORS)),
        year=year_of(" ".join(_first(record, tag) for tag in ("PY", "Y1", "DA"))),
        doi=doi,
        arxiv=arxiv_of(doi, _first(record, "UR"), notes),
        # A keyword a line is the rule, and then a comma is a part of it.
        tags=unique(words) if len(words) > 1 else split_tags("".join(words)),
        language=_first(record, "LA"),
        file=file_name(_first(record, "L1")),
        csl=_item(citekey, doi, record),
    )


def _people(record: Record, *tags: str) -> list[Item]:
    """The names of the first of these tags there is."""
    names = next((record[tag] for tag in tags if tag in record), [])
    return [_person(name) for name in names if name.strip()]


def _person(name: str) -> Item:
    """A name as CSL has it; three words without comma, initial or particle are an institution's.

    >>> _person("World Health Organization"), _person("J. R. Tolkien"), _person("Evans, Eric")
    ({'literal': 'World Health Organization'}, {'family': 'Tolkien', 'given': 'J. R.'}, \
{'family': 'Evans', 'given': 'Eric'})
    """
    made = person(name)
    is_particle = " " in made.get("family", "")
    is_institution = len(name.split()) > 2 and not is_particle and not _OF_PEOPLE.search(name)
    return {"literal": name.strip()} if is_institution else made


def _issued(record: Record) -> Item:
    """The date where it is of the year told, else the year; EndNote writes dates without one."""
    told, year = _first(record, "DA"), _first(record, "PY", "Y1")
    known = year_of(year)
    if known is not None and year_of(told) not in (known, None):
        told = ""
    return date((told if year_of(told) else f"{told} {year}").strip().rstrip("/"))


_TYPES = {
    "BOOK": "book",
    "CHAP": "chapter",
    "CONF": "paper-conference",
    "CPAPER": "paper-conference",
    "DATA": "dataset",
    "EBOOK": "book",
    "ELEC": "webpage",
    "GEN": "document",
    "JOUR": "article-journal",
    "MGZN": "article-magazine",
    "NEWS": "article-newspaper",
    "RPRT": "report",
    "THES": "thesis",
    "UNPB": "manuscript",
}
_VARIABLES = {
    "title": ("TI", "T1", "CT", "BT"),
    "container-title": ("T2", "JO", "JF", "JA"),
    "collection-title": ("T3",),
    "publisher": ("PB",),
    "publisher-place": ("CY", "PP"),
    "volume": ("VL",),
    "issue": ("IS",),
    "edition": ("ET",),
    "abstract": ("AB", "N2"),
    "URL": ("UR",),
    "language": ("LA",),
}


def _item(citekey: str, doi: str, record: Record) -> Item:
    """The record as an item of CSL-JSON."""
    is_serial = _first(record, "TY") in ("JOUR", "MGZN", "NEWS")
    item = {
        "id": citekey,
        "type": _TYPES.get(_first(record, "TY"), "document"),
        **{name: _first(record, *tags) for name, tags in _VARIABLES.items()},
        "page": "-".join(filter(None, (_first(record, "SP"), _first(record, "EP")))),
        "issued": _issued(record),
        "DOI": doi,
        "ISSN" if is_serial else "ISBN": _first(record, "SN"),
        "author": _people(record, *_AUTHORS),
        "editor": _people(record, "ED"),
    }
    return without_blanks(item)


RIS = Format(name="ris", suffixes=(".ris",), read=read)
