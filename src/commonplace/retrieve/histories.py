"""Histories of releases mention everything a manual tells of, and in more places.

A question that does not ask what changed is better answered by the manual, so what stands in a
history counts for less beside it.
"""

import re
from pathlib import PurePosixPath

from commonplace.domain.passage import Located
from commonplace.domain.query import Hit

WEIGHT = 0.8
"""What is left of a score. Of 33 questions to four manuals, asked by hand, that do not ask what
changed, release notes answered three first; with this, two."""

_HISTORY = re.compile(
    r"(?:change[-_ ]?logs?|changes|history|news|release[-_ ]?notes?|what.?s[-_ ]?new)"
    r"(?:[-_ ]?v?\d[\w.]*)?",
    re.IGNORECASE,
)
_BEYOND = re.compile(r"[?#]")
_RELEASE = re.compile(r"\d\.\d|\b\d{4}-\d\d|\bunreleased\b", re.IGNORECASE)
_ASKED = re.compile(
    r"\b(?:added|chang\w+|deprecat\w+|dropped|fixed|history|introduced|migrat\w+|new|news|releas\w+"
    r"|remov\w+|since|upgrad\w+|versions?|when)\b|\d\.\d",
    re.IGNORECASE,
)


def is_history(located: Located) -> bool:
    """Whether a passage tells of one release among others: by its document's name and a heading."""
    card = located.card
    stem = PurePosixPath(_BEYOND.split(card.uri)[0]).stem
    if all(_HISTORY.fullmatch(name) is None for name in (stem, card.title)):
        return False
    return any(_RELEASE.search(heading) for heading in (card.title, *located.passage.headings))


def asks_for_history(question: str) -> bool:
    """Whether a question may be about what changed, and when.

    >>> asks_for_history("What changed in 2.6?"), asks_for_history("Where do I put a proxy?")
    (True, False)
    """
    return _ASKED.search(question) is not None


def lowered(hit: Hit, located: Located) -> Hit:
    """The hit, with a lower score where it stands in a history."""
    return hit._replace(score=WEIGHT * hit.score) if is_history(located) else hit
