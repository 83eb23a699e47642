"""Which lines are headings: those the outline names, else large, bold or numbered ones."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from unicodedata import category

from commonplace.parsers.pdf_lines import Line
from commonplace.parsers.pdf_numbers import (
    DECIMAL,
    LETTER,
    ROMAN,
    depth_of,
    following,
    is_numbered,
    number_of,
)
from commonplace.parsers.pdf_outline import Entry, Mark, from_outline

_LARGER = 1.1
_SMALLER = 0.85  # bold and numbered: some journals print headings smaller than text
_TITLE = 1.15
_LEAST_ALIKE = 2
_MOST_LINES = 3
_MOST_CHARS = 120
_MOST_BOLD_WORDS = 14
_APART = 1.25  # ems
_CAPITALS = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5})\.?\s+[^a-z]{4,}")
_SHOUTED = re.compile(r"[A-Z][^a-z]{3,}")
_WORD = re.compile(r"[^\W\d_]{3}")
_APPENDIX = re.compile(r"(?:Appendix|Anhang|Annexe)\b", re.IGNORECASE)
CAPTION = re.compile(r"(?:Figure|Fig\.|Table|Tab\.|Abbildung|Tabelle|Algorithm)\s*\d+\s*[.:–—-]")
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo"})  # no marks that stretch over formulas
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
    told = from_outline(lines, outline)
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
        elif is_inner and len(number_of(lines[at].text)) > 1:
            found[at] = mark
    return found


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
    """Lines that look like the body and whose number comes next: 2.1 below 2, B after A.

    Below II and B, also 1 and what follows it in italics.
    """
    tops = {at for at, _ in groups}
    above: tuple[int, ...] = ()
    letter = ""
    third = 0
    for at, line in enumerate(lines):
        number = number_of(line.text)
        is_third = bool(letter) and number == (third + 1,)
        if at in tops:
            above = number or above
            is_upper = bool(ROMAN.match(line.text) or LETTER.match(line.text))
            third = third + 1 if is_third else 0 if is_upper else third
            letter = "@" if ROMAN.match(line.text) else letter  # the one before A
            letter = line.text[0] if letter and LETTER.match(line.text) else letter
            continue
        is_next = len(number) > 1 and number in following(above)
        is_letter = bool(letter) and line.text[:3] == f"{chr(ord(letter) + 1)}. "
        is_below = is_third and line.is_italic
        if (is_next or is_letter or is_below) and _stands_alone(lines, at):
            above = number if is_next else above
            letter = line.text[0] if is_letter else letter
            third = 0 if is_letter else third + is_below
            yield at, 1


def _stands_alone(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is short, ends no sentence, and the one after it begins anew."""
    line = lines[at]
    if len(line.text) > _MOST_CHARS * 0.7 or line.cells > 1 or line.text[-1] in ".,;:-":
        return False
    after = lines[at + 1] if at + 1 < len(lines) else None
    goes_on = after is not None and after.text[:1].islower()
    return not goes_on and is_apart(lines, at)


def is_apart(lines: Sequence[Line], at: int) -> bool:
    """Whether a line stands at the top of its column, or farther below the last than usual."""
    line, before = lines[at], lines[at - 1] if at else None
    is_top = before is None or (before.page, before.column) != (line.page, line.column)
    return is_top or before is None or before.y - line.y > _APART * line.size


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
            end = _end_of_capitals(lines, start, end)
        yield start, end - start
        start = end


def _end_of_capitals(lines: Sequence[Line], start: int, end: int) -> int:
    """Where a heading of the body's size ends: with its first line, unless capitals go on."""
    last = start + 1
    if _CAPITALS.fullmatch(lines[start].text):
        while last < end and _SHOUTED.fullmatch(lines[last].text):
            last += 1
    return last


def is_marked(text: str) -> bool:
    """Whether the words alone make it a heading: a known one, or numbered capitals."""
    bare = text.strip(" .:")
    known = _KNOWN.fullmatch(bare) or _REFERENCES.fullmatch(bare) or _CAPITALS.fullmatch(bare)
    return bool(known) and len(text) <= _MOST_CHARS and text[:1].upper() == text[:1]


def _stands_out(line: Line, body: float, is_bold_body: bool) -> bool:
    least = _SMALLER if is_numbered(line.text) else 0.95
    is_bold = line.is_bold and not is_bold_body and line.size >= body * least
    return line.size >= body * _LARGER or is_bold or is_marked(line.text)


def _goes_on(last: Line, line: Line, is_large: bool) -> bool:
    is_near = last.page == line.page and 0 < last.y - line.y < 2 * last.size
    is_alike = abs(last.size - line.size) < 0.3 and (is_large or last.is_bold == line.is_bold)
    is_next = bool(DECIMAL.match(line.text)) or is_marked(line.text)
    return is_near and is_alike and not is_next


def _is_heading(lines: Sequence[Line], body: float) -> bool:
    text = " ".join(line.text for line in lines)
    if sum(category(char) in _LETTERS for char in text) < 3 or len(text) > _MOST_CHARS * 2:
        return False
    if is_marked(text):
        return True
    if _is_formula(text):
        return False
    is_none = any(line.cells > 1 or line.is_drawn for line in lines)
    is_large = lines[0].size >= body * _TITLE  # programs are written small in titles too
    if is_none or text[-1] in ",;" or (text[:1].islower() and not is_large):
        return False
    if CAPTION.match(text):
        return False
    is_short = len(text.split()) <= _MOST_BOLD_WORDS and not text.endswith(".")
    return is_short or is_large


def _is_formula(text: str) -> bool:
    """Whether a text spells no word, and is no name such as R.

    >>> _is_formula("S = k ln W"), _is_formula("AI"), _is_formula("4.1 R"), _is_formula("摘要 1")
    (True, False, False, False)
    """
    is_spelt = bool(_WORD.search(text)) or any(category(char) == "Lo" for char in text)
    return not is_spelt and not text.replace(" ", "").isalpha() and not is_numbered(text)


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
    real = [at for at, _ in groups if depth_of(lines[at].text) or is_marked(lines[at].text)]
    if title is None or not real or lines[real[0]].page != lines[title].page:
        return list(groups)
    return [(at, count) for at, count in groups if at <= title or at >= real[0]]


def _levelled(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], title: int | None
) -> dict[int, Mark]:
    has_roman = sum(bool(ROMAN.match(lines[at].text)) for at, _ in groups) > 1
    has_letters = has_roman and any(LETTER.match(lines[at].text) for at, _ in groups)
    free = [at for at, _ in groups if at != title and not depth_of(lines[at].text)]
    sizes = sorted({round(lines[at].size) for at in free}, reverse=True)
    found: dict[int, Mark] = {}
    for at, count in groups:
        text = lines[at].text
        level = 2 + min(sizes.index(round(lines[at].size)), 3) if at in free else 1
        if at != title and (is_marked(text) or _APPENDIX.match(text)):
            level = 2
        if at != title and depth_of(text):
            is_third = has_letters and len(number_of(text)) == 1
            level = 4 if is_third else 1 + depth_of(text)
        elif at != title and has_roman and LETTER.match(text) and not _APPENDIX.match(text):
            level = 3
        found[at] = Mark(count, min(level, 6))
    return found
