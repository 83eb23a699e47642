"""RIS: one tag a line, from TY to ER."""

import re
from collections.abc import Mapping

from commonplace.domain.reference import Reference
from commonplace.index.references.base import Format, Reading
from commonplace.index.references.fields import (
    doi_of,
    file_name,
    key_in,
    split_tags,
    spoken,
    unique,
    year_of,
)

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
    return Reference(
        citekey=key_in(notes) or first("ID"),
        title=first("TI", "T1", "CT", "BT"),
        authors=unique(map(spoken, people)),
        year=year_of(first("PY", "Y1", "DA")),
        doi=doi_of(first("DO") or first("UR")),
        tags=unique(tag for words in record.get("KW", ()) for tag in split_tags(words)),
        language=first("LA"),
        file=file_name(first("L1")),
    )


RIS = Format(name="ris", suffixes=(".ris",), read=read)
