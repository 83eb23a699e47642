"""BibTeX and BibLaTeX: entries, macros, and values in braces, quotation marks or pieces."""

import re
from collections.abc import Iterator, Mapping

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
from commonplace.index.references.latex import plain

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
            references.append(_reference(key, fields))
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


def _reference(key: str, fields: Mapping[str, str]) -> Reference:
    def first(*names: str) -> str:
        return next((fields[name] for name in names if fields.get(name)), "")

    title = plain(first("title"))
    subtitle = plain(first("subtitle"))
    notes = first("note", "extra")
    return Reference(
        citekey=key_in(notes) or key,
        title=f"{title}: {subtitle}" if subtitle else title,
        authors=unique(spoken(plain(name)) for name in _names(first("author", "editor"))),
        year=year_of(first("year", "date", "issued")),
        doi=doi_of(first("doi", "url").replace("\\", "")),
        tags=split_tags(plain(first("keywords", "keyword"))),
        language=first("langid", "language").strip(),
        file=file_name(first("file")),
    )


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
