"""Sections that a question names: where the name of an entry is asked for, the entry is meant.

Words alone do not tell: a neighbour may mention the name more often than the entry itself does.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from commonplace.domain.passage import Passage
from commonplace.domain.query import Hit
from commonplace.domain.scope import Selection
from commonplace.engines.base import Passages
from commonplace.retrieve.analyse import analyse, identifiers, pieces

LIFT = 0.3
"""What a passage gains of an entry that the question names; the best score is mostly about 1."""
OPENING_LIFT = 0.2
"""What it gains besides where it has the term itself and so tells what that is."""
ALONE_LIFT = 0.4
"""The same where nothing is asked but the name."""
LOOKED_AT = 16
"""Hits whose headings are looked at: as many for any limit, so that a larger one only extends."""
_OPENING_CHARS = 200  # labels may stand above a heading
_PARTS = re.compile(r"\.|::|->|/")
_NAME_WORDS = 2  # `class Popen`


def is_said(question: str, heading: str) -> bool | None:
    """Whether a question has the name of code that a heading is; None where it is words.

    >>> is_said("The default of work_mem?", "work_mem"), is_said("Make a class", "Classes")
    (True, None)
    >>> is_said("The default of work_mem?", "maintenance_work_mem")
    False
    """
    code = identifiers(heading) if len(heading.split()) <= _NAME_WORDS else ()
    if not code:
        return None
    last = _PARTS.split(code[-1])[-1]
    is_word = last.isalpha() and last.islower()  # run, filter: said of other things too
    name = re.escape(code[-1] if is_word else last)
    if re.search(rf"(?<!\w){name}(?!\w)", question, re.IGNORECASE):
        return True
    return None if is_word else False


class Asked(NamedTuple):
    """The names of code in a question, where it has some."""

    term: re.Pattern[str]
    """One of them as the term of an entry: a line that begins with it in bold, or its heading."""
    is_alone: bool
    """Whether nothing else is asked."""


@lru_cache(maxsize=64)  # the read path and the quotes of a reply ask with the same question
def asked_names(question: str) -> Asked | None:
    r"""The names of code that a question has.

    >>> asked_names("What does sys.version do?").is_alone, asked_names("What is a version?")
    (True, None)
    >>> bool(asked_names("sys.version").term.search("Sets it.\n\n**sys.version**: A string."))
    True
    """
    query = analyse(question)
    if not query.identifiers:
        return None
    known = {word for name in query.identifiers for word in (name.lower(), *pieces(name))}
    either = "|".join(map(re.escape, query.identifiers))
    term = rf"^(?:[^\w\n]*\*\*|#+ )[^\w\n]*(?:\w+ )?(?:\w+\.)*(?:{either})(?!\w)"
    return Asked(re.compile(term, re.IGNORECASE | re.MULTILINE), known.issuperset(query.terms))


async def lift_named(
    passages: Passages, question: str, selection: Selection, hits: Sequence[Hit]
) -> Sequence[Hit]:
    """The hits, best first again after passages gained that tell what the question names."""
    asked = asked_names(question)
    if asked is None:
        return hits
    best = {hit.passage_id: hit for hit in hits[:LOOKED_AT]}
    for located in await passages.get(selection, list(best)):
        gain = _gain(question, asked, located.passage)
        if gain:
            hit = best[located.passage.id]
            best[hit.passage_id] = Hit(hit.passage_id, hit.score + gain, hit.channel, hit.parts)
    ordered = sorted(best.values(), key=lambda hit: (-hit.score, hit.passage_id))
    return [*ordered, *hits[LOOKED_AT:]]


def _gain(question: str, asked: Asked, passage: Passage) -> float:
    is_term = asked.term.search(passage.text) is not None
    is_named = bool(is_said(question, " ".join(passage.headings[-1:])))
    if not is_term and not is_named:
        return 0.0
    opening = ALONE_LIFT if asked.is_alone else OPENING_LIFT
    return LIFT + (opening if is_term or is_opening(passage) else 0.0)


def is_opening(passage: Passage) -> bool:
    """Whether a passage begins its section: its heading is one of its first lines."""
    lines = passage.text[:_OPENING_CHARS].splitlines()
    heading = _bare(" ".join(passage.headings[-1:]))
    return bool(heading) and heading in map(_bare, lines)


def _bare(line: str) -> str:
    return line.strip("#*`=~ \t").casefold()
