"""Concepts: the terms of a glossary."""

import re
from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import CONCEPT, Found, Rule
from commonplace.link.entities.naming import bare, is_phrase
from commonplace.link.entities.page import Page

_TERM = re.compile(r"(?P<term>[A-Za-z][^\n]{1,80})\n(?P<in>[ \t]+)\S")
_COLON = re.compile(r"(?P<term>[A-Za-z*][^\n:]{1,80})\n:[ \t]+\S")
_GLOSSARY = re.compile(r"glossary|terminology|\bterms\b|definitions|vocabulary|concepts", re.I)


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
        term = bare(found["term"]).rstrip(":")
        is_glossary = is_listed or any(map(_GLOSSARY.search, place.headings))
        if not is_glossary or not is_phrase(term) or term.endswith((".", "(optional)")):
            continue
        at = place.block.span.start + place.text.find(found["term"])
        span = Span(at, at + len(found["term"]))
        yield Found(kind=CONCEPT, name=term, span=span, confidence=0.95, is_defined=True)


TERM = Rule("definition", find_terms)
