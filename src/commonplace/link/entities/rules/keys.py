"""Configuration: the keys of blocks in TOML, INI, YAML and dotenv."""

import re
from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import CONFIGURATION, Found, Rule
from commonplace.link.entities.naming import is_key, is_placeholder
from commonplace.link.entities.page import Page, Place
from commonplace.link.entities.vocabulary import OWN_TABLES

_SECTIONED = frozenset({"toml", "ini", "cfg", "conf", "dosini", "properties", "editorconfig"})
_YAML = frozenset({"yaml", "yml"})
_DOTENV = frozenset({"dotenv", "env", ".env"})
_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")
_PAIR = re.compile(r"([ \t]*)([A-Za-z_][\w.-]*)\s*[=:](?![=/])")
_YAML_PAIR = re.compile(r"([ ]*)([A-Za-z_][\w.-]*):(?:\s|$)")
_SAYS_CONFIGURED = re.compile(r"config|settings?\b|\.ya?ml\b|\.yml\b|option", re.IGNORECASE)
_MOST_KEYS = 40  # of one block: more is data


def find_keys(page: Page) -> Iterator[Found]:
    """Keys with the sections they stand in.

    YAML is data as often as settings: of its two outer levels, the keys that the text speaks of.
    """
    told = {code.text for place in page.places for code in place.codes}
    for place in page.programs:
        language = (place.block.language or "").lower()
        if language in _SECTIONED | _DOTENV:
            found = list(_sectioned(place))
        elif language in _YAML and _SAYS_CONFIGURED.search(f"{place.heading} {place.lead}"):
            found = [key for key in _yaml(place) if not told.isdisjoint(_forms(key.name))]
        else:
            continue
        if len(found) <= _MOST_KEYS:
            yield from found


def _forms(name: str) -> set[str]:
    """How a text may speak of a key."""
    return {name, f"{name}:", name.rpartition(".")[2]}


def _lines(place: Place) -> Iterator[tuple[str, int]]:
    at = place.block.span.start
    for line in place.text.split("\n"):
        yield line, at
        at += len(line) + 1


def _key(name: str, start: int, length: int) -> Found:
    span = Span(start, start + length)
    return Found(kind=CONFIGURATION, name=name, span=span, confidence=0.85)


def _sectioned(place: Place) -> Iterator[Found]:
    section = ""
    for line, at in _lines(place):
        header = _HEADER.match(line)
        pair = _PAIR.match(line)
        if header:
            name = header[1].strip().replace('"', "").replace(" ", "")
            is_own = not OWN_TABLES.isdisjoint(name.split(".")) or not is_key(name)
            section = "?" if is_own else name
        elif pair and section != "?" and _is_setting(line[pair.end() :]):
            key = f"{section}.{pair[2]}" if section else pair[2]
            if is_key(key) and not any(map(is_placeholder, key.split("."))):
                yield _key(key, at + pair.start(2), len(pair[2]))


def _is_setting(value: str) -> bool:
    """Whether a value is one, and not a table of the user's own or left out."""
    return not value.strip().startswith(("{", "...", '"..."', ":"))


def _yaml(place: Place) -> Iterator[Found]:
    outer = ""
    inner = 0
    for line, at in _lines(place):
        pair = _YAML_PAIR.match(line)
        if not pair:
            continue
        indent = len(pair[1])
        if not indent:
            outer, inner = pair[2], 0
            yield _key(outer, at, len(outer))
        elif outer and indent == (inner or indent):
            inner = indent
            yield _key(f"{outer}.{pair[2]}", at + indent, len(pair[2]))


KEY = Rule("configuration-block", find_keys)
