"""Concepts: an expression with its initials in brackets is the same thing twice."""

import re
from collections.abc import Iterator, Sequence

from commonplace.domain.document import Span
from commonplace.link.entities.found import CONCEPT, SAME_AS, Found, Rule, Tie
from commonplace.link.entities.page import Page
from commonplace.link.entities.vocabulary import HEADS, SMALL

_ABBREVIATED = re.compile(r" \(([A-Z][A-Za-z]{1,7})\)")
_LOOK_BACK = 100
_VENUES = frozenset(
    {"Conference", "Symposium", "Workshop", "Proceedings", "Journal", "Association", "Institute"}
)


def find_abbreviations(page: Page) -> Iterator[Found | Tie]:
    """Both, tied; in capitals only with a last word that concepts have, for names have them too."""
    for place in page.prose:
        if "(" not in place.text:
            continue
        for found in _ABBREVIATED.finditer(place.text):
            words = place.text[max(0, found.start() - _LOOK_BACK) : found.start()].split()
            tail = _matching(words, found[1].removesuffix("s"))
            if not tail or not _VENUES.isdisjoint(words) or _is_name(tail):
                continue
            start = place.text.rfind(tail[0], 0, found.start()) + place.block.span.start
            long = Found(
                kind=CONCEPT,
                name=" ".join(tail),
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


def _is_name(words: Sequence[str]) -> bool:
    """Whether an expression in capitals may be an organisation, a product or a place."""
    if words[-1][0].islower():
        return "-" in words[0] and len(words) == 1
    return words[-1].lower().removesuffix("s") not in HEADS


def _matching(words: list[str], initials: str) -> list[str]:
    """The last words that begin with these letters, small words counted or not.

    >>> _matching("see the write-ahead log".split(), "WAL")
    ['write-ahead', 'log']
    """
    wanted = initials.upper()
    for size in range(1, len(wanted) + 3):
        tail = words[-size:]
        parts = [part for word in tail for part in re.split(r"[-/]", word) if part]
        if not all(part.isalpha() for part in parts) or tail[0].lower() in SMALL:
            continue
        heads = ["".join(p[0] for p in parts), "".join(p[0] for p in parts if p not in SMALL)]
        is_sure = len(wanted) > 2 or all(part[0].isupper() for part in parts)
        if is_sure and len(parts) > 1 and wanted in [head.upper() for head in heads]:
            return tail
    return []


ABBREVIATION = Rule("abbreviation", find_abbreviations)
