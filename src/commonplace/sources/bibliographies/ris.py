"""RIS: one tag a line, from TY to ER."""

import re
from collections.abc import Mapping

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

_LINE = re.compile(r"([A-Z][A-Z0-9])  ?- ?(.*)")
_AUTHORS = ("AU", "A1", "A2")

Record = dict[str, list[str]]


def read(text: str) -> Reading:
    """Every record with a title; a line that begins with no tag goes on with the last."""
    references: list[Reference] = []
    lost = 0
    record: Record = {}
    values: list[str] = []
    for line in [*text.removeprefix("\ufeff").splitlines(), "ER  - "]:
        found = _LINE.match(line)
        if found is None:
            if values and line.strip():
                values[-1] += f" {line.strip()}"
        elif found.group(1) == "ER":
            made = _reference(record)
            references += [made] if made.title else []
            lost += bool(record) and not made.title
            record, values = {}, []
        else:
            values = record.setdefault(found.group(1), [])
            values.append(found.group(2).strip())
    problems = (f"{lost} records without a title were left out",) if lost else ()
    return Reading(tuple(references), problems)


def _reference(record: Mapping[str, list[str]]) -> Reference:
    def first(*tags: str) -> str:
        return next((value for tag in tags for value in record.get(tag, ()) if value), "")

    people = next((record[tag] for tag in _AUTHORS if tag in record), [])
    notes = "\n".join([*record.get("N1", ()), *record.get("M1", ())])
    citekey = key_in(notes) or first("ID")
    doi = doi_of(first("DO") or first("UR"))
    return Reference(
        citekey=citekey,
        title=first("TI", "T1", "CT", "BT"),
        authors=unique(map(spoken, people)),
        year=year_of(first("PY", "Y1", "DA")),
        doi=doi,
        arxiv=arxiv_of(doi, first("UR"), notes),
        tags=unique(tag for words in record.get("KW", ()) for tag in split_tags(words)),
        language=first("LA"),
        file=file_name(first("L1")),
        csl=_item(citekey, doi, record),
    )


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


def _item(citekey: str, doi: str, record: Mapping[str, list[str]]) -> Item:
    """The record as an item of CSL-JSON."""

    def first(*tags: str) -> str:
        return next((value for tag in tags for value in record.get(tag, ()) if value), "")

    number = "ISSN" if first("TY") in ("JOUR", "MGZN", "NEWS") else "ISBN"
    authors = next((record[tag] for tag in _AUTHORS if tag in record), [])
    item = {
        "id": citekey,
        "type": _TYPES.get(first("TY"), "document"),
        **{name: first(*tags) for name, tags in _VARIABLES.items()},
        "page": "-".join(filter(None, (first("SP"), first("EP")))),
        "issued": date(first("DA", "PY", "Y1").rstrip("/")),
        "DOI": doi,
        number: first("SN"),
        "author": [person(name) for name in authors if name.strip()],
        "editor": [person(name) for name in record.get("ED", ()) if name.strip()],
    }
    return without_blanks(item)


RIS = Format(name="ris", suffixes=(".ris",), read=read)
