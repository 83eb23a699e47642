"""Any kind: the first column of a table whose head says what it lists."""

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
    Found,
    Rule,
)
from commonplace.link.entities.naming import (
    bare,
    flags,
    is_command,
    is_error,
    is_key,
    is_loud,
    is_phrase,
)
from commonplace.link.entities.page import Page, Place

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


def find_tabled(page: Page) -> Iterator[Found]:
    """The first column of a table whose head says what it lists."""
    for place in page.places:
        if place.block.kind != "table" or "|" not in place.text:
            continue
        rows = place.text.split("\n")
        cells = _SPLIT.split(rows[0].strip().strip("|"))
        kind = _HEADS.get(bare(cells[0]).lower().removesuffix("s"))
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
    words = bare(cell) if "`" not in cell else cell.split("`")[1].strip()
    listed = flags(words)
    if listed:
        return listed[0][0], PARAMETER
    if is_error(words):
        return words, ERROR
    if kind == CONCEPT:
        return (words, kind) if is_phrase(words) else ("", kind)
    if kind == COMMAND:
        return (words, kind) if is_command(words) else ("", kind)
    if is_loud(words):
        return words, CONFIGURATION
    return (words, kind) if "`" in cell and is_key(words) else ("", kind)


TABLED = Rule("table", find_tabled)
