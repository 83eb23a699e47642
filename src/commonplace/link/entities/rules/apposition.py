"""Any kind: inline code beside the noun that says what it is: the ``x`` setting, option ``x``."""

import re
from collections.abc import Iterator, Mapping, Sequence

from commonplace.link.entities.found import (
    COMMAND,
    COMPONENT,
    CONFIGURATION,
    ERROR,
    PARAMETER,
    Found,
    Rule,
)
from commonplace.link.entities.naming import (
    flags,
    has_humps,
    is_command,
    is_error,
    is_key,
    is_loud,
    is_word,
    last_part,
)
from commonplace.link.entities.page import Code, Page
from commonplace.link.entities.shell import calls
from commonplace.link.entities.vocabulary import NOT_NAMES

_NOUNS: Mapping[str, str] = {
    **dict.fromkeys(("command", "subcommand", "sub-command"), COMMAND),
    **dict.fromkeys(("parameter", "argument", "option"), PARAMETER),
    **dict.fromkeys(
        ("setting", "configuration option", "config option", "config key"), CONFIGURATION
    ),
    **dict.fromkeys(("environment variable", "env variable", "env var"), CONFIGURATION),
    **dict.fromkeys(("configuration setting", "configuration key"), CONFIGURATION),
    **dict.fromkeys(("exception",), ERROR),
    **dict.fromkeys(("class", "module", "package", "library", "plugin", "extension"), COMPONENT),
    **dict.fromkeys(("middleware", "service", "framework", "backend"), COMPONENT),
}
_NOUN = "|".join(sorted(_NOUNS, key=len, reverse=True))
_JUST_AFTER = re.compile(rf"\s+({_NOUN})(s|es)?\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\b({_NOUN})(s|es)?(?: called| named)?\s+$", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|and|or|,? and|,? or|/|&)\s*(?:the\s+)?$")
_MOST_BEFORE = 40


def find_apposed(page: Page) -> Iterator[Found]:
    """Code with its noun next to it; of several joined by commas, the plural holds for all."""
    for place in page.places:
        if not place.codes or place.block.kind == "heading":
            continue
        base = place.block.span.start
        nouns = [_noun(place.text, code, base) for code in place.codes]
        _spread(place.text, place.codes, nouns, base)
        for code, noun in zip(place.codes, nouns, strict=True):
            if noun is None or code.role:
                continue
            kind, name = _named(_NOUNS[noun[0]], code.text)
            if name:
                yield Found(kind=kind, name=name, span=code.span, confidence=0.85)


def _noun(text: str, code: Code, base: int) -> tuple[str, bool] | None:
    """The noun of one code and whether it is plural."""
    start, end = code.outer.start - base, code.outer.end - base
    found = _JUST_AFTER.match(text, end)
    if not found:
        found = _BEFORE.search(text[max(0, start - _MOST_BEFORE) : start])
        if found and found[2]:
            return None
    return (found[1].lower(), bool(found[2])) if found else None


def _spread(
    text: str, codes: Sequence[Code], nouns: list[tuple[str, bool] | None], base: int
) -> None:
    """Give the plural noun after the last of a joined list to all of it."""
    for number in range(len(codes) - 2, -1, -1):
        following = nouns[number + 1]
        between = text[codes[number].outer.end - base : codes[number + 1].outer.start - base]
        if nouns[number] is None and following and following[1] and _JOINED.fullmatch(between):
            nouns[number] = following


def _named(kind: str, written: str) -> tuple[str, str]:
    """The kind and name, or no name when it cannot be one."""
    if kind == PARAMETER:
        listed = flags(written)
        name = listed[0][0] if listed else written.partition("=")[0].strip()
        if is_loud(name):
            return CONFIGURATION, name
        return kind, name if listed or (is_word(name) and not name[0].isupper()) else ""
    if kind == CONFIGURATION:
        name = written.partition("=")[0].strip().removeprefix("$")
        return kind, name if is_key(name) and not has_humps(name) else ""
    if kind == COMMAND:
        called = next(calls(written), None)
        name = called.name if called and " " in written else written
        return kind, name if is_command(name) and len(name) > 1 else ""
    name = last_part(written.partition("(")[0]) if written[:1].isupper() else written
    if is_error(last_part(name)):
        return ERROR, last_part(name)
    if kind == ERROR:
        return kind, ""
    return kind, name if is_key(name) and name not in NOT_NAMES else ""


APPOSED = Rule("apposition", find_apposed)
