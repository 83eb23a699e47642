"""Which lines are headings: those the outline names, else large, bold or numbered ones."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from commonplace.parsers.pdf_lines import Line

_LARGER = 1.1
_SMALLER = 0.85  # bold and numbered: some journals print headings smaller than text
_TITLE = 1.15
_LEAST_ALIKE = 2
_MOST_LINES = 3
_MOST_CHARS = 120
_MOST_BOLD_WORDS = 14
_DECIMAL = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=[\"'“‘„«`]?[^\W\d_])")
_ROMAN = re.compile(r"[IVX]{1,5}((?:\.\d{1,2})*)\.\s+(?=[A-Z])")
_LETTER = re.compile(r"(?:Appendix\s+)?[A-Z](?:\.\d{1,2})*[.:]?\s+(?=[A-Z])")
_CAPITALS = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5})\.?\s+[^a-z]{4,}")
CAPTION = re.compile(r"(?:Figure|Fig\.|Table|Tab\.|Abbildung|Tabelle|Algorithm)\s*\d+\s*[.:–—-]")
_COUNT = re.compile(r"^[\dA-Z]{1,2}(?:\.\d{1,2})*\.?\s+")
_NOT_KEY = re.compile(r"[\W_]+")
_KNOWN = re.compile(
    r"(?:(?:\d{1,2}|[IVX]{1,5})\.?\s+)?(?:abstract|introduction|background|related work|methods?|"
    r"materials and methods|results|discussion|conclusions?|acknowledge?ments?|"
    r"zusammenfassung|einleitung)",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:(?:\d{1,2}|[IVX]{1,5})\.?\s+)?(?:references(?: and notes)?|bibliography|works cited|"
    r"literature cited|literatur(?:verzeichnis)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline."""

    title: str
    level: int
    """From 0."""
    page: int


@dataclass(frozen=True, slots=True)
class Mark:
    """So many lines from here on are a heading of this level."""

    lines: int
    level: int


def is_references(text: str) -> bool:
    """Whether a heading opens the list of cited works.

    >>> is_references("7 References"), is_references("Referencing")
    (True, False)
    """
    return bool(_REFERENCES.fullmatch(text.strip(" .:")))


def body_size(lines: Sequence[Line]) -> float:
    """The size most characters have."""
    chars: Counter[float] = Counter()
    for line in lines:
        chars[line.size] += len(line.text)
    return chars.most_common(1)[0][0] if chars else 0.0


def find_headings(lines: Sequence[Line], outline: Sequence[Entry]) -> dict[int, Mark]:
    """Where headings begin, by index of their first line."""
    told = _from_outline(lines, outline)
    seen = _from_looks(lines)
    if 2 * len(told) < len(outline) or not told:
        return {**seen, **told}
    title = {at: mark for at, mark in seen.items() if mark.level == 1 and at < min(told)}
    title |= {at: mark for at, mark in seen.items() if lines[at].text.lower() == "abstract"}
    works = [at for at in sorted({**seen, **told}) if is_references(lines[at].text)]
    last = {at: seen[at] for at in works[-1:] if not told.keys() & set(works)}
    return {**title, **last, **_alike(lines, seen, told), **told}


def _alike(
    lines: Sequence[Line], seen: Mapping[int, Mark], told: Mapping[int, Mark]
) -> dict[int, Mark]:
    """Headings the outline leaves out, such as thanks: they look as several do that it names.

    Or they have a number of several parts, where it ends above them.
    """
    levels: dict[tuple[float, bool], list[int]] = {}
    for at, mark in told.items():
        levels.setdefault((lines[at].size, lines[at].is_bold), []).append(mark.level)
    inside = {at + step for at, mark in told.items() for step in range(mark.lines)}
    found = {}
    for at, mark in seen.items():
        alike = levels.get((lines[at].size, lines[at].is_bold), [])
        is_inner = at > min(told) and at not in inside
        if is_inner and len(alike) >= _LEAST_ALIKE:
            found[at] = Mark(mark.lines, min(alike))
        elif is_inner and len(_number(lines[at].text)) > 1:
            found[at] = mark
    return found


def _key(text: str) -> str:
    numbered = _DECIMAL.match(text) or _ROMAN.match(text) or _LETTER.match(text)
    return _NOT_KEY.sub("", text[numbered.end() :] if numbered else text).lower()


def _from_outline(lines: Sequence[Line], outline: Sequence[Entry]) -> dict[int, Mark]:
    by_page: dict[int, list[int]] = {}
    for at, line in enumerate(lines):
        by_page.setdefault(line.page, []).append(at)
    found: dict[int, Mark] = {}
    for entry in outline:
        wanted = {_key(entry.title), _NOT_KEY.sub("", entry.title).lower()} - {""}
        if len(entry.title) > _MOST_CHARS:  # word processors list numbered paragraphs too
            continue
        for at in by_page.get(entry.page, ()):
            count = 0 if at in found else _matching(lines, at, wanted)
            if count:
                found[at] = Mark(count, min(entry.level + 2, 6))
                break
    return found


def _matching(lines: Sequence[Line], at: int, wanted: set[str]) -> int:
    """How many lines from here on spell a wanted title; 0 when none do."""
    text = ""
    for count, line in enumerate(lines[at : at + _MOST_LINES], 1):
        text = f"{text} {line.text}".strip()
        is_alone = " " not in lines[at].text  # the end of a sentence: in Table 2.
        bare = text if is_alone else _COUNT.sub("", text)
        if {_key(text), *(_NOT_KEY.sub("", one).lower() for one in (text, bare))} & wanted:
            return count
    return 0


def _from_looks(lines: Sequence[Line]) -> dict[int, Mark]:
    body = body_size(lines)
    bold = sum(len(line.text) for line in lines if line.is_bold)
    is_bold_body = bold * 2 > sum(len(line.text) for line in lines)
    groups = [
        (at, count)
        for at, count in _groups(lines, body, is_bold_body)
        if count <= _MOST_LINES and _is_heading(lines[at : at + count], body)
    ]
    title = _title(lines, groups, body)
    groups = _without_authors(lines, groups, title)
    groups = sorted({*groups, *_counted(lines, groups)})
    return _levelled(lines, groups, title)


def _counted(lines: Sequence[Line], groups: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Lines that look like the body and whose number comes next: 2.1 below 2, B after A."""
    tops = {at for at, _ in groups}
    above: tuple[int, ...] = ()
    letter = ""
    for at, line in enumerate(lines):
        number = _number(line.text)
        if at in tops:
            above = number or above
            letter = "@" if _ROMAN.match(line.text) else letter  # the one before A
            letter = line.text[0] if letter and _LETTER.match(line.text) else letter
            continue
        is_next = bool(number) and len(number) > 1 and number in _following(above)
        is_letter = bool(letter) and line.text[:3] == f"{chr(ord(letter) + 1)}. "
        if (is_next or is_letter) and _stands_alone(lines, at):
            above = number if is_next else above
            letter = line.text[0] if is_letter else letter
            yield at, 1


def _number(text: str) -> tuple[int, ...]:
    """The number of a heading, by its parts.

    >>> _number("2.1. Data"), _number("Data")
    ((2, 1), ())
    """
    found = _DECIMAL.match(text)
    return tuple(map(int, found[1].split("."))) if found else ()


def _following(number: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The numbers a heading may have after this one.

    >>> sorted(_following((2, 1)))
    [(2, 1, 1), (2, 2), (3,)]
    """
    after = {(*number[:end], number[end] + 1) for end in range(len(number))}
    return {*after, (*number, 1)} if number else after


def _stands_alone(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is short, ends no sentence, and the one after it begins anew."""
    line = lines[at]
    if len(line.text) > _MOST_CHARS * 0.7 or line.cells > 1 or line.text[-1] in ".,;:-":
        return False
    after = lines[at + 1] if at + 1 < len(lines) else None
    before = lines[at - 1] if at else None
    if after is not None and after.text[:1].islower():
        return False
    is_apart = before is None or (before.page, before.column) != (line.page, line.column)
    return is_apart or before is None or before.y - line.y > 1.25 * line.size


def _groups(lines: Sequence[Line], body: float, is_bold_body: bool) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring lines that look the same and unlike the body: start, count."""
    start = 0
    while start < len(lines):
        first = lines[start]
        if not _stands_out(first, body, is_bold_body):
            start += 1
            continue
        end = start + 1
        is_large = first.size >= body * _TITLE  # one word of a title may be of another font
        while end < len(lines) and _goes_on(lines[end - 1], lines[end], is_large):
            end += 1
        if is_marked(first.text) and first.size < body * _LARGER and not first.is_bold:
            end = start + 1
        yield start, end - start
        start = end


def is_marked(text: str) -> bool:
    """Whether the words alone make it a heading: a known one, or numbered capitals."""
    bare = text.strip(" .:")
    known = _KNOWN.fullmatch(bare) or _REFERENCES.fullmatch(bare) or _CAPITALS.fullmatch(bare)
    return bool(known) and len(text) <= _MOST_CHARS and text[:1].upper() == text[:1]


def _stands_out(line: Line, body: float, is_bold_body: bool) -> bool:
    least = _SMALLER if _is_numbered(line.text) else 0.95
    is_bold = line.is_bold and not is_bold_body and line.size >= body * least
    return line.size >= body * _LARGER or is_bold or is_marked(line.text)


def _is_numbered(text: str) -> bool:
    return bool(_DECIMAL.match(text) or _ROMAN.match(text) or _LETTER.match(text))


def _goes_on(last: Line, line: Line, is_large: bool) -> bool:
    is_near = last.page == line.page and 0 < last.y - line.y < 2 * last.size
    is_alike = abs(last.size - line.size) < 0.3 and (is_large or last.is_bold == line.is_bold)
    is_next = bool(_DECIMAL.match(line.text)) or is_marked(line.text)
    return is_near and is_alike and not is_next


def _is_heading(lines: Sequence[Line], body: float) -> bool:
    text = " ".join(line.text for line in lines)
    if sum(char.isalpha() for char in text) < 3 or len(text) > _MOST_CHARS * 2:
        return False
    if is_marked(text):
        return True
    is_none = any(line.cells > 1 or line.is_drawn for line in lines)
    is_large = lines[0].size >= body * _TITLE  # programs are written small in titles too
    if is_none or text[-1] in ",;" or (text[:1].islower() and not is_large):
        return False
    if CAPTION.match(text):
        return False
    is_short = len(text.split()) <= _MOST_BOLD_WORDS and not text.endswith(".")
    return is_short or is_large


def _title(lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: float) -> int | None:
    """The index of the first of the largest lines, if they stand on the first page only."""
    if not lines:
        return None
    largest = max((lines[at].size for at, _ in groups), default=0.0)
    alike = [at for at, _ in groups if lines[at].size > largest - 0.3]
    if largest < body * _TITLE or any(lines[at].page != lines[0].page for at in alike):
        return None
    return alike[0]


def _without_authors(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], title: int | None
) -> list[tuple[int, int]]:
    """The groups without names and addresses between the title and the first real heading."""
    real = [at for at, _ in groups if _depth(lines[at].text) or is_marked(lines[at].text)]
    if title is None or not real or lines[real[0]].page != lines[title].page:
        return list(groups)
    return [(at, count) for at, count in groups if at <= title or at >= real[0]]


def _depth(text: str) -> int:
    """How deep a heading's number says it stands; 0 without number."""
    decimal = _DECIMAL.match(text)
    if decimal:
        return decimal[1].count(".") + 1
    roman = _ROMAN.match(text)
    return 1 + roman[1].count(".") if roman else 0


def _levelled(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], title: int | None
) -> dict[int, Mark]:
    has_roman = sum(bool(_ROMAN.match(lines[at].text)) for at, _ in groups) > 1
    free = [at for at, _ in groups if at != title and not _depth(lines[at].text)]
    sizes = sorted({round(lines[at].size) for at in free}, reverse=True)
    found: dict[int, Mark] = {}
    for at, count in groups:
        text = lines[at].text
        level = 2 + min(sizes.index(round(lines[at].size)), 3) if at in free else 1
        if at != title and is_marked(text):
            level = 2
        if at != title and _depth(text):
            level = 1 + _depth(text)
        elif at != title and has_roman and _LETTER.match(text):
            level = 3
        found[at] = Mark(count, min(level, 6))
    return found
