"""Sections that a question names: where the name of an entry is asked for, the entry is meant.

Words alone do not tell: a neighbour may mention the name more often than the entry itself does.
"""

import re
from collections.abc import Sequence

from commonplace.domain.passage import Passage
from commonplace.domain.query import Hit
from commonplace.domain.scope import Selection
from commonplace.engines.base import Passages
from commonplace.retrieve.analyse import analyse, identifiers, pieces

LIFT = 0.3
"""What a section gains that the question names; the best score is mostly about 1."""
OPENING_LIFT = 0.2
"""What the passage gains beside it that begins with the name and so tells what it is."""
ALONE_LIFT = 0.4
"""The same where nothing is asked but the name."""
LOOKED_AT = 16
"""Hits whose headings are looked at: as many for any limit, so that a larger one only extends."""
_MARKS = re.compile(r"\W+")
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


async def lift_named(
    passages: Passages, question: str, selection: Selection, hits: Sequence[Hit]
) -> Sequence[Hit]:
    """The hits, best first again after sections gained that the question names."""
    query = analyse(question)
    if not query.identifiers:
        return hits
    named = {word for name in query.identifiers for word in (name.lower(), *pieces(name))}
    opening = ALONE_LIFT if named.issuperset(query.terms) else OPENING_LIFT
    best = {hit.passage_id: hit for hit in hits[:LOOKED_AT]}
    for located in await passages.get(selection, list(best)):
        gain = _gain(query.text, located.passage, opening)
        if gain:
            hit = best[located.passage.id]
            best[hit.passage_id] = Hit(hit.passage_id, hit.score + gain, hit.channel, hit.parts)
    ordered = sorted(best.values(), key=lambda hit: (-hit.score, hit.passage_id))
    return [*ordered, *hits[LOOKED_AT:]]


def _gain(question: str, passage: Passage, opening: float) -> float:
    heading = " ".join(passage.headings[-1:])
    if not is_said(question, heading):
        return 0.0
    return LIFT + (opening if _begins(passage.text, heading) else 0.0)


def _begins(text: str, heading: str) -> bool:
    """Whether a text begins with a heading, whatever marks either has before it.

    >>> _begins("**`work_mem` (`integer`)**: Sets", "work_mem"), _begins("See work_mem", "work_mem")
    (True, False)
    """
    name = _MARKS.sub("", heading, count=1) if _MARKS.match(heading) else heading
    opening = _MARKS.match(text)
    return text.startswith(name, opening.end() if opening else 0)
