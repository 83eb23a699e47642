"""Concepts and components: sentences that begin with a name and say what it is."""

import re
from collections.abc import Iterator
from itertools import pairwise

from commonplace.domain.document import Span
from commonplace.link.entities.found import COMPONENT, CONCEPT, Found, Rule
from commonplace.link.entities.naming import is_phrase, says_software
from commonplace.link.entities.page import Page, Place
from commonplace.link.entities.vocabulary import HOW_TO, IMPERATIVES, PLAIN_HEADINGS

_BOLD = re.compile(
    r"\s*(?:[-*+] +)?(?:An? |The )?\*\*([^*\n`]{3,50}?)\*\*,? ((?:is|are|means) (?:\S+\s+){1,10})"
)
_MARKS = re.compile(
    r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?|:[\w:]+:`([^`<]*?)(?: <[^`]*)?`|[*`_]+"
)
_HEADING = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,2}|[A-Z][a-z]+(?: [A-Z][a-z]+){1,2}")
_NOT_SAID = (
    r"(?:also|now|not|no|only|still|already|currently|usually|enabled|disabled|available|"
    r"implemented|required|supported|deprecated|removed|configured|set|recommended|optional|"
    r"important|another|stored|located|found|listed|described|placed|kept|exposed|great|at|in|on|from|always|often)\b"
)
_VAGUE = re.compile(
    r"(?:different|types?|kinds?|benefits?|advantages?|requirements?|the|some|my|your|new|it|known|"
    r"current|all|these|those|this|that)\b|(?:\S+ ){4}",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?i:an? |the )?(?:[A-Z]\w+ )?")
_VERB = re.compile(rf"s? ((?:is|are) (?!{_NOT_SAID}))", re.IGNORECASE)
_LOOK_AHEAD = 300  # characters of a paragraph that may define its heading
_NEVER = re.compile(rf"(?:is|are|means) {_NOT_SAID}")
_WHAT_IS = re.compile(r"what (?:is|are) (?:an? |the )?(.{3,50}?)\??$", re.IGNORECASE)


def find_topics(page: Page) -> Iterator[Found]:
    """A heading whose first sentence says what it is: ``Spiders``, then "Spiders are …"."""
    for above, place in pairwise(page.places):
        if above.block.kind != "heading" or place.block.kind != "paragraph":
            continue
        asked = _WHAT_IS.match(above.heading)
        name = (asked[1] if asked else above.heading).strip()
        if not name or _VAGUE.match(name):
            continue
        if not asked and not _is_topic(name):
            continue
        said = _said(name, place)
        if not asked and not said:
            continue
        kind = _kind(page, name, said)  # last, for it reads the whole page
        if not kind:
            continue
        at = page.text.find(name, above.block.span.start, above.block.span.end)
        start = at if at >= 0 else above.block.span.start
        span = Span(start, start + len(name))
        yield Found(kind=kind, name=name, span=span, confidence=0.8, is_defined=True)


def find_bold(page: Page) -> Iterator[Found]:
    """A paragraph or item that opens with a bold term and says what it is."""
    for place in page.prose:
        found = _BOLD.match(place.text)
        if not found or not is_phrase(found[1]) or _NEVER.match(found[2]):
            continue
        if re.search(r"[_/.]", found[1]):
            continue
        name = found[1].removeprefix("The ")
        kind = _kind(page, name, found[2])
        if kind:
            at = place.block.span.start + found.end(1) - len(name)
            span = Span(at, at + len(name))
            yield Found(kind=kind, name=name, span=span, confidence=0.8, is_defined=True)


def _kind(page: Page, name: str, said: str) -> str:
    """A name of its own is a component if it is said to be software, else nothing we know."""
    small = " " + name.lower().removesuffix("s")
    is_common = name[0].islower() or said.startswith("are")
    is_common = is_common or any(small in place.words for place in page.prose)
    if is_common and not re.search(r"[a-z][A-Z]", name):
        return CONCEPT
    return COMPONENT if says_software(said) else ""


def _said(name: str, place: Place) -> str:
    """What the paragraph says the name is, if it begins by defining it."""
    begin = place.text[:_LOOK_AHEAD]
    bare = " ".join(_MARKS.sub(lambda found: found[1] or found[2] or "", begin).split())
    term = name.lower().removesuffix("s")
    at = bare.lower().find(term)
    if at < 0 or not _BEFORE.fullmatch(bare, 0, at):
        return ""
    verb = _VERB.match(bare, at + len(term))
    return " ".join(bare[verb.start(1) :].split()[:11]) if verb else ""


def _is_topic(heading: str) -> bool:
    if not _HEADING.fullmatch(heading) or len(heading) < 4:
        return False
    words = heading.lower().split()
    if words[0] in HOW_TO | IMPERATIVES or words[0] in {"a", "an", "the", "other", "more", "some"}:
        return False
    return not any(word in PLAIN_HEADINGS for word in (words[0], words[-1]))


TOPIC = Rule("topic-heading", find_topics)
BOLD = Rule("bold-term", find_bold)
