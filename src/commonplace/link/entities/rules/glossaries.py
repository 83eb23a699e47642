"""Concepts: the terms of a glossary."""

import re
from collections.abc import Iterator

from commonplace.domain.document import Span
from commonplace.link.entities.found import COMPONENT, CONCEPT, Found, Rule
from commonplace.link.entities.naming import bare, is_phrase, says_software
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
        if re.search(r"[_/.]", found["term"].strip("_*.:")):
            continue
        is_glossary = is_listed or any(map(_GLOSSARY.search, place.headings))
        if not is_glossary or not is_phrase(term) or term.endswith((".", "(optional)")):
            continue
        at = place.block.span.start + place.text.find(found["term"])
        span = Span(at, at + len(found["term"]))
        kind = COMPONENT if _is_software(term, place.text) else CONCEPT
        yield Found(kind=kind, name=term, span=span, confidence=0.95, is_defined=True)


def _is_software(term: str, text: str) -> bool:
    """Whether a term is defined as a program of some sort."""
    said = " ".join(text.strip().split("\n", 1)[1].split()[:7])
    head = re.match(r"(?::\s+)?(?:An?|The) (?:[\w-]+ ){0,4}?(?=\S+)", said)
    return head is not None and says_software(said) and term not in said


TERM = Rule("definition", find_terms)
