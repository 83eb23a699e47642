"""Examples: code blocks that the words before them, or their heading, introduce as such."""

import re
from collections.abc import Iterator

from commonplace.link.entities.found import EXAMPLE, Found, Rule
from commonplace.link.entities.page import Page, Place
from commonplace.link.entities.vocabulary import IMPERATIVES

_SAYS = re.compile(
    r"\bexamples?\b|\bfor instance\b|\be\.g\.|\bhere(?:'s| is) (?:an?|how)\b", re.IGNORECASE
)
_CLEARLY = re.compile(r"\b(?:for|an) (?:example|instance)\b|\be\.g\.|\bfollowing example", re.I)
_FIRST = re.compile(r"[A-Za-z-]+")
_SHOWS = re.compile(r"\blike (?:this|so)\b", re.IGNORECASE)
_NOT_CODE = frozenset(
    {"toctree", "image", "figure", "include", "eval-rst", "note", "admonition", "tip", "warning"}
)
_EXAMPLE = re.compile(r"^(?:\d+\. )?(?:an? |the )?(?:\w+ ){0,3}examples?\b", re.IGNORECASE)
_MARKS = re.compile(r"\*\*|__|``?|:[\w:]+:(?=`)|\[([^\[\]]*)\]\([^()]*\)|^\s*(?:[-*+]|\d+[.)])\s+")
_ADDRESS = re.compile(r"\S*\bexample\.(?:com|org|net)\S*|https?://\S+")
_ASIDE = re.compile(r" \([^()]*\)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONGEST = 120
_LEAST_WORDS = 5  # fewer, as in "Here is an example", tell nothing


def _lead_words(lead: str) -> str:
    """The last sentence before a block, if it introduces it."""
    bare = " ".join(_MARKS.sub(lambda found: found[1] or "", lead).split())
    last = _SENTENCE.split(_ASIDE.sub("", bare))[-1]
    last = _ADDRESS.sub("…", last)
    return last if last.endswith(":") else ""


def _introduces(words: str) -> bool:
    """Whether the words say that an example follows; an order to write the code does not."""
    first = _FIRST.search(words)
    if first and first[0].lower() in IMPERATIVES:
        return _CLEARLY.search(words) is not None
    return bool(_SAYS.search(words) or _SHOWS.search(words))


def _name(place: Place, words: str) -> str:
    told = words.rstrip(": ")
    if len(told.split()) < _LEAST_WORDS and place.heading:
        told = f"Example: {place.heading}"
    return told if len(told) <= _LONGEST else "…" + told[-_LONGEST + 1 :]


def find_examples(page: Page) -> Iterator[Found]:
    """Code after a sentence with a colon that says example, or under a heading that does."""
    for place in page.programs:
        words = _lead_words(place.lead)
        if (place.block.language or "").lower() in _NOT_CODE:
            continue
        is_said = bool(words) and _introduces(words)
        is_headed = _EXAMPLE.search(place.heading) is not None
        if is_said or is_headed:
            yield Found(
                kind=EXAMPLE,
                name=_name(place, words if is_said else ""),
                span=place.block.span,
                confidence=0.9 if is_said else 0.8,
                is_defined=True,
                is_own=True,
            )


SHOWN = Rule("example", find_examples)
