"""The lines of a reStructuredText file and what each can begin, after docutils' patterns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.domain.document import Span
from commonplace.parsers.drafting import line_spans

_PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
ADORNMENT = re.compile(rf"([{_PUNCTUATION}])\1*")
BULLET = re.compile(r"[-+*•‣⁃](?: +|$)")
ENUMERATED = re.compile(r"\(?(?:\d{1,4}|[A-Za-z]|#|[ivxlcdm]{1,8}|[IVXLCDM]{1,8})[.)](?: +|$)")
FIELD = re.compile(r":(?![: ])((?:[^:\\]|\\.|:(?![ `]|$)){1,200}?)(?<! ):(?: +|$)")
OPTION = re.compile(r"(?:-\w|--\w[\w-]*|/[A-Z])(?:[ =,]\S+){0,4}(?: {2,}|$)")
DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]{1,100}\| +)?([A-Za-z][\w.:+-]*?) ?::(?:[ \t]+(.*))?$")
TARGET = re.compile(
    r"\.\. +_(`[^`]{1,400}`|[^:`\\]{0,400}(?:(?:\\.|:(?! |$))[^:\\]{0,400}){0,9}):(?: +(.*))?$"
)
ANONYMOUS = re.compile(r"(?:\.\. +)?__:? +(.*)$")
NOTE = re.compile(r"\.\. +\[[^\]]{1,100}\]")
EXPLICIT = re.compile(r"\.\.(?: +|$)")
GRID = re.compile(r"\+[-=+]+\+ *$")
SIMPLE = re.compile(r"=+(?: +=+)+ *$")
_INDEXING = frozenset({"index", "module", "currentmodule", "highlight"})
DESCRIBING = frozenset(
    {"function", "class", "method", "classmethod", "staticmethod", "attribute", "data", "property"}
    | {"exception", "decorator", "decoratormethod", "describe", "object", "type", "typedef", "var"}
    | {"member", "macro", "struct", "union", "enum", "enumerator", "concept", "alias", "cfunction"}
    | {"option", "cmdoption", "envvar", "confval", "setting", "directive", "role"}
    | {"opcode", "pdbcommand", "django-admin", "templatetag", "templatefilter", "fieldlookup"}
)
"""Directives of Sphinx, and of large projects that use it, that tell of one thing by its name."""
SIMPLE_END = re.compile(r"=+(?: +=+)* *$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: where it is, how far it is indented, what it says without both ends' blanks."""

    span: Span
    indent: int
    text: str


def read_lines(text: str) -> list[Line]:
    r"""All lines; a blank one has indent 0 and no text.

    >>> [(line.indent, line.text) for line in read_lines("a\n\n  b \n")]
    [(0, 'a'), (0, ''), (2, 'b')]
    """
    lines = []
    for span in line_spans(text):
        raw = span.of(text)
        words = raw.strip()
        margin = raw[: len(raw) - len(raw.lstrip())] if words else ""
        lines.append(Line(span, len(margin.expandtabs(8)), words))
    return lines


def adornment_of(line: Line) -> str | None:
    """The character of a line that is nothing but one punctuation mark, two or more times."""
    is_rule = len(line.text) > 1 and not line.indent and ADORNMENT.fullmatch(line.text)
    return line.text[0] if is_rule else None


def title_at(lines: Sequence[Line], at: int) -> tuple[str, str, int] | None:
    """A section title at this line: its style, its words, and how many lines it takes."""
    line = lines[at]
    following = lines[at + 1] if at + 1 < len(lines) else None
    if following is None or not following.text:
        return None
    over = adornment_of(line)
    if over and at + 2 < len(lines) and not adornment_of(following):
        under = lines[at + 2]
        if adornment_of(under) == over and len(under.text) == len(line.text):
            return over * 2, following.text, 3
    mark = adornment_of(following)
    if not mark or over or line.indent or not line.text:
        return None
    # docutils takes a rule that is too short for its title only from four marks on.
    is_long = len(following.text) >= len(line.text) or len(following.text) >= 4
    return (mark, line.text, 2) if is_long else None


def announced_from(lines: Sequence[Line], at: int, words: str) -> int:
    r"""The line a section begins at: labels right above its title belong to it.

    So do marks for an index, and directives without a body that name what the title names.

    >>> lines = read_lines("Text.\n\n.. _age:\n.. setting:: AGE\n\n``AGE``\n=======\n")
    >>> announced_from(lines, 5, "``AGE``")
    2
    """
    first, place = at, at - 1
    while place >= 0:
        line = lines[place]
        if line.text:
            if line.indent or not _announces(line.text, words):
                break
            first = place
        place -= 1
    return first


def _announces(text: str, words: str) -> bool:
    target, directive = TARGET.match(text), DIRECTIVE.match(text)
    if directive is None:
        return target is not None and not target[2]
    name, argument = directive[1].rpartition(":")[2], (directive[2] or "").strip()
    is_name = bool(argument) and not argument[0].isdigit()  # a version is said of what is above
    return name in _INDEXING or (is_name and argument in words)


def region_end(lines: Sequence[Line], at: int, end: int, indent: int) -> int:
    """The first line from ``at`` that is not blank and not indented beyond ``indent``."""
    last = at
    while at < end:
        if lines[at].text:
            if lines[at].indent <= indent:
                break
            last = at + 1
        at += 1
    return last


def paragraph_end(lines: Sequence[Line], at: int, end: int) -> int:
    """The first blank line from ``at``."""
    while at < end and lines[at].text:
        at += 1
    return at


def simple_table_end(lines: Sequence[Line], at: int, end: int) -> int:
    """The line after a simple table: after its last border."""
    borders = 0
    for number in range(at + 1, end):
        if SIMPLE_END.match(lines[number].text):
            borders += 1
            is_last = number + 1 >= end or not lines[number + 1].text
            if borders == 2 or is_last:
                return number + 1
    return paragraph_end(lines, at, end)
