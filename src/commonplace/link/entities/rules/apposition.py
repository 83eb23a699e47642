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
    is_class,
    is_command,
    is_error,
    is_key,
    is_loud,
    is_placeholder,
    is_word,
    last_part,
)
from commonplace.link.entities.page import Code, Page, Place
from commonplace.link.entities.shell import calls
from commonplace.link.entities.vocabulary import CONFIGURED, NOT_NAMES, TYPES

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
_BEFORE = re.compile(
    rf"(\b(?:an?|the|this|new|optional|keyword) )?(?<![\w-])({_NOUN})(s|es)?"
    r"(?: called| named)?\s+$",
    re.IGNORECASE,
)
_LAST_WORDS = frozenset({"called", "named"}) | {
    noun.rpartition(" ")[2] + ending for noun in _NOUNS for ending in ("", "s", "es")
}
_JOINED = re.compile(r"\s*(?:,|and|or|,? and|,? or|/|&)\s*(?:the\s+)?$")
_CONFIGURED = re.compile(r"config|settings\b|\.(?:toml|ini|cfg|ya?ml|json)\b", re.IGNORECASE)
_MOST_BEFORE = 40
_WORDS = re.compile(r"[a-z][a-z_-]*(?: [a-z][a-z_-]*){0,3}")


def find_apposed(page: Page) -> Iterator[Found]:
    """Code with its noun next to it; of several joined by commas, the plural holds for all."""
    for place in page.places:
        if not place.codes or place.block.kind == "heading":
            continue
        base = place.block.span.start
        nouns = _nouns(place.text, place.codes, base)
        for code, noun in zip(place.codes, nouns, strict=True):
            if noun is None or code.role:
                continue
            kind, name = _named(noun[0], code.text)
            if noun[0] == "option" and kind == PARAMETER and not name.startswith("-"):
                kind = CONFIGURATION if _is_configured(page, place, name) else PARAMETER
            if name and not is_placeholder(name) and name not in page.made:
                yield Found(kind=kind, name=name, span=code.span, confidence=0.85)


def _is_configured(page: Page, place: Place, name: str) -> bool:
    """Whether an option is of a configuration, as its place or a block of the page shows."""
    if _CONFIGURED.search(f"{' '.join(place.headings)} {page.card.path} {place.text}"):
        return True
    key = re.compile(rf"^\s*[\"']?{re.escape(name)}[\"']?\s*[=:]", re.MULTILINE)
    blocks = (one for one in page.programs if (one.block.language or "").lower() in CONFIGURED)
    return any(key.search(one.text) for one in blocks)


def _noun(text: str, code: Code, base: int) -> tuple[str, bool] | None:
    """The noun of one code and whether it is plural."""
    start, end = code.outer.start - base, code.outer.end - base
    found = _JUST_AFTER.match(text, end)
    if not found:
        before = text[max(0, start - _MOST_BEFORE) : start]
        if _LAST_WORDS.isdisjoint(before.lower().split()[-1:]):
            return None  # most code stands beside no noun, and the pattern is slow
        found = _BEFORE.search(before)
        if found and (found[3] or (found[2].lower() == "setting" and not found[1])):
            return None
        return (found[2].lower(), False) if found else None
    return found[1].lower(), bool(found[2])


def _nouns(text: str, codes: Sequence[Code], base: int) -> list[tuple[str, bool] | None]:
    """The noun of each code; a plural one is of several joined codes, never of one alone."""
    nouns = [_noun(text, code, base) for code in codes]
    for number in range(len(codes) - 2, -1, -1):
        following = nouns[number + 1]
        between = text[codes[number].outer.end - base : codes[number + 1].outer.start - base]
        is_joined = _JOINED.fullmatch(between) is not None
        if nouns[number] is None and following and following[1] and is_joined:
            nouns[number] = following
    return [
        noun if not noun or not noun[1] or _has_twin(nouns, n) else None
        for n, noun in enumerate(nouns)
    ]


def _has_twin(nouns: Sequence[tuple[str, bool] | None], number: int) -> bool:
    """Whether the code before or after this one has the same noun."""
    near = (nouns[number - 1] if number else None, *nouns[number + 1 : number + 2])
    return nouns[number] in near


def _named(noun: str, written: str) -> tuple[str, str]:
    """The kind and name, or no name when it cannot be one."""
    kind = _NOUNS[noun]
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
        called = None if _WORDS.fullmatch(written) else next(calls(written), None)
        name = called.name if called else written
        return kind, name if is_command(name) and len(name) > 1 else ""
    name = last_part(written.partition("(")[0]) if written[:1].isupper() else written
    if noun == "class" and not is_class(last_part(name)):
        return kind, ""
    if is_error(last_part(name)):
        return ERROR, last_part(name)
    if kind == ERROR or is_loud(name):
        return kind, ""
    return kind, name if is_key(name) and name not in NOT_NAMES | TYPES else ""


APPOSED = Rule("apposition", find_apposed)
