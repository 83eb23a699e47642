"""Concepts and all that lists define: glossaries, definition lists, tables with a telling head."""

import re
from collections.abc import Iterator, Mapping

from commonplace.domain.document import Span
from commonplace.link.entities.found import (
    COMMAND,
    COMPONENT,
    CONCEPT,
    CONFIGURATION,
    ERROR,
    PARAMETER,
    SAME_AS,
    Found,
    Rule,
    Tie,
)
from commonplace.link.entities.naming import flags, is_command, is_error, is_key, is_loud
from commonplace.link.entities.page import Page, Place

_MARKS = re.compile(r"[*`_]{1,3}|:[\w:]+:(?=`)|\\")
_TERM = re.compile(r"(?P<term>[A-Za-z][^\n]{1,80})\n(?P<in>[ \t]+)\S")
_COLON = re.compile(r"(?P<term>[A-Za-z*][^\n:]{1,80})\n:[ \t]+\S")
_ABBREVIATED = re.compile(r" \(([A-Z][A-Za-z]{1,7})\)")
_LOOK_BACK = 100
_SMALL = frozenset({"a", "an", "and", "as", "for", "in", "of", "on", "or", "the", "to"})
_BOLD = re.compile(
    r"\s*(?:[-*+] +)?(?:An? |The )?\*\*([^*\n`]{3,50}?)\*\*,? (?:is (?:an?|the)|are|means) "
)
_GLOSSARY = re.compile(r"glossary|terminology|\bterms\b|definitions|vocabulary|concepts", re.I)
_PHRASE = re.compile(r"[A-Za-z][\w'/+.-]*(?: [\w'/+.()-]+){0,4}")
_SPLIT = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:+=-]+")
_HEADS: Mapping[str, str] = {
    **dict.fromkeys(("flag", "parameter", "argument", "parameter name"), PARAMETER),
    **dict.fromkeys(("option", "setting", "environment variable", "variable"), CONFIGURATION),
    **dict.fromkeys(
        ("configuration", "env var", "setting name", "config key", "config"), CONFIGURATION
    ),
    **dict.fromkeys(("error", "error code", "exception"), ERROR),
    **dict.fromkeys(("command", "subcommand"), COMMAND),
    **dict.fromkeys(("term", "concept"), CONCEPT),
    **dict.fromkeys(("component", "service", "module", "plugin", "package", "class"), COMPONENT),
}


def _bare(written: str) -> str:
    return " ".join(_MARKS.sub("", written).split())


def find_terms(page: Page) -> Iterator[Found]:
    """Terms of a glossary; elsewhere a definition list has labels as often as terms."""
    is_listed = False  # whether a glossary directive is open
    for place in page.places:
        is_listed = ".. glossary::" in place.text or (is_listed and place.block.kind != "heading")
        if place.block.kind not in {"paragraph", "list_item"}:
            continue
        found = (_TERM if page.is_rst else _COLON).match(place.text.lstrip())
        if not found or "`" in found["term"] or "::" in found["term"]:
            continue
        term = _bare(found["term"]).rstrip(":")
        is_glossary = is_listed or any(map(_GLOSSARY.search, place.headings))
        if not is_glossary or not _PHRASE.fullmatch(term) or term.endswith("."):
            continue
        at = place.block.span.start + place.text.find(found["term"])
        span = Span(at, at + len(found["term"]))
        yield Found(kind=CONCEPT, name=term, span=span, confidence=0.95, is_defined=True)


def find_bold(page: Page) -> Iterator[Found]:
    """A paragraph or item that opens with a bold term and says what it is."""
    for place in page.prose:
        found = _BOLD.match(place.text)
        if found and _PHRASE.fullmatch(found[1]):
            at = place.block.span.start + found.start(1)
            span = Span(at, at + len(found[1]))
            yield Found(kind=CONCEPT, name=found[1], span=span, confidence=0.8, is_defined=True)


def find_abbreviations(page: Page) -> Iterator[Found | Tie]:
    """An expression with its initials in brackets is the same concept twice."""
    for place in page.prose:
        if "(" not in place.text:
            continue
        for found in _ABBREVIATED.finditer(place.text):
            words = place.text[max(0, found.start() - _LOOK_BACK) : found.start()].split()
            tail = _matching(words, found[1].removesuffix("s"))
            if not tail:
                continue
            start = place.text.rfind(tail[0], 0, found.start()) + place.block.span.start
            name = " ".join(tail)
            long = Found(
                kind=CONCEPT,
                name=name,
                span=Span(start, place.block.span.start + found.start()),
                confidence=0.85,
                is_defined=True,
            )
            at = place.block.span.start + found.start(1)
            span = Span(at, at + len(found[1]))
            short = Found(kind=CONCEPT, name=found[1], span=span, confidence=0.85)
            yield long
            yield short
            yield Tie(relation=SAME_AS, source=short, target=long, span=span, confidence=0.9)


def _matching(words: list[str], initials: str) -> list[str]:
    """The last words that begin with these letters, small words counted or not.

    >>> _matching("see the write-ahead log".split(), "WAL")
    ['write-ahead', 'log']
    """
    wanted = initials.upper()
    for size in range(1, len(wanted) + 3):
        tail = words[-size:]
        parts = [part for word in tail for part in re.split(r"[-/]", word) if part]
        if not all(part.isalpha() for part in parts) or tail[0].lower() in _SMALL:
            continue
        heads = ["".join(p[0] for p in parts), "".join(p[0] for p in parts if p not in _SMALL)]
        is_sure = len(wanted) > 2 or all(part[0].isupper() for part in parts)
        if is_sure and len(parts) > 1 and wanted in [head.upper() for head in heads]:
            return tail
    return []


def find_tabled(page: Page) -> Iterator[Found]:
    """The first column of a table whose head says what it lists."""
    for place in page.places:
        if place.block.kind != "table" or "|" not in place.text:
            continue
        rows = place.text.split("\n")
        cells = _SPLIT.split(rows[0].strip().strip("|"))
        kind = _HEADS.get(_bare(cells[0]).lower().removesuffix("s"))
        if kind:
            yield from _rows(place, kind, rows)


def _rows(place: Place, kind: str, rows: list[str]) -> Iterator[Found]:
    at = place.block.span.start + len(rows[0]) + 1
    for row in rows[1:]:
        if not _RULE.fullmatch(row):
            cell = _SPLIT.split(row.strip().strip("|"))[0].strip()
            name, found_kind = _cell_name(kind, cell)
            if name:
                start = at + row.find(cell)
                yield Found(
                    kind=found_kind,
                    name=name,
                    span=Span(start, start + len(cell)),
                    confidence=0.85,
                    is_defined=True,
                )
        at += len(row) + 1


def _cell_name(kind: str, cell: str) -> tuple[str, str]:
    bare = _bare(cell) if "`" not in cell else cell.split("`")[1].strip()
    listed = flags(bare)
    if listed:
        return listed[0][0], PARAMETER
    if is_error(bare):
        return bare, ERROR
    if kind == CONCEPT:
        return (bare, kind) if _PHRASE.fullmatch(bare) else ("", kind)
    if kind == COMMAND:
        return (bare, kind) if is_command(bare) else ("", kind)
    if is_loud(bare):
        return bare, CONFIGURATION
    return (bare, kind) if "`" in cell and is_key(bare) else ("", kind)


BOLD = Rule("bold-term", find_bold)
TERM = Rule("definition", find_terms)
ABBREVIATION = Rule("abbreviation", find_abbreviations)
TABLED = Rule("table", find_tabled)
