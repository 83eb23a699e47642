"""BibTeX and BibLaTeX: entries, macros, and values in braces, quotation marks or pieces."""

import re
from collections.abc import Iterator, Mapping, Sequence

from commonplace.sources.bibliographies.base import Format, Reading
from commonplace.sources.bibliographies.bibtex_entry import Entry, record, whole

_HEAD = re.compile(r"@\s*([A-Za-z]+)\s*[{(]")
_KEY = re.compile(r"\s*([^,{}=\"#%]*[^\s,{}=\"#%])\s*,")
_BETWEEN = r"(?:[\s,]|%[^\n]*\n)*"  # of fields: a comma too many, or one that is commented out
_FIELD = re.compile(rf"{_BETWEEN}([A-Za-z][\w:.+-]*)\s*=\s*")
_END = re.compile(rf"{_BETWEEN}(?:[)}}]|\Z)")
_WORD = re.compile(r"[^\s,#{}\"()]+")
_JOIN = re.compile(r"\s*#\s*")
_MOST_VALUE_CHARS = 200_000  # an abstract has 2,000; a value never closed must not cost the file
_MOST_FAULTS = 100
_NO_ENTRIES = frozenset({"comment", "preamble"})
_NO_WORKS = frozenset({"xdata", "set"})
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class _Fault(Exception):
    """An entry that ends before it should."""


def read(text: str) -> Reading:
    """Every entry with a title; one that is broken is told and the next is read."""
    problems: list[str] = []
    entries = list(_entries(text, problems))
    known: dict[str, Entry] = {}
    for one in entries:
        known.setdefault(one.key.lower(), one)
    works = [whole(one, known) for one in entries if one.kind not in _NO_WORKS]
    references = tuple(record(one) for one in works)
    titled = tuple(one for one in references if one.title)
    if lost := len(references) - len(titled):
        problems.append(f"{lost} entries without a title were left out")
    return Reading(titled, tuple(problems))


def _entries(text: str, problems: list[str]) -> Iterator[Entry]:
    """Entries in their order; what is wrong is added to the problems."""
    macros = {name: name for name in _MONTHS}
    position, faults = 0, 0
    while (head := _HEAD.search(text, position)) and faults < _MOST_FAULTS:
        position, kind = head.end(), head.group(1).lower()
        if kind in _NO_ENTRIES:
            continue
        key = None if kind == "string" else _KEY.match(text, position)
        position = key.end() if key else position
        fields: dict[str, str] = {}
        try:
            for name, value, after in _fields(text, position, macros):
                fields.setdefault(name, value)
                position = after
            _check_end(text, position, list(fields))
            if key is None and kind != "string":
                raise _Fault("it has no key")
        except _Fault as exc:
            faults += 1
            problems.append(f"entry at line {text.count(chr(10), 0, head.start()) + 1}: {exc}")
        if kind == "string":
            macros |= fields
        elif fields:
            yield Entry(key[1] if key else "", kind, fields)
    if head is not None:
        problems.append("too many broken entries; the rest was not read")


def _check_end(text: str, position: int, names: Sequence[str]) -> None:
    if _END.match(text, position) is None:
        place = f"after {names[-1]}" if names else "in it"
        raise _Fault(f"what stands {place} is no field, and was not read")


def _fields(text: str, position: int, macros: Mapping[str, str]) -> Iterator[tuple[str, str, int]]:
    """Names and values, each with where it ends."""
    while found := _FIELD.match(text, position):
        value, position = _value(text, found.end(), macros)
        yield found.group(1).lower(), value, position


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


BIBTEX = Format(name="bibtex", suffixes=(".bib", ".bibtex"), read=read)
