"""Where sentences end: a cautious rule that would rather miss an end than invent one."""

import re

# A full stop, closing marks, white space, and something that can begin a sentence; or the
# CJK full stops, which take no space.
_END = re.compile(
    r"[.!?…][\"'”’)\]*_`]{0,4}(?:[ \t]+|[ \t]*(?:\r\n|\r|\n)[ \t]*)(?=[^\sa-z,;:])|[。！？]+\s*"
)
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|cf|vs|Dr|Mr|Mrs|Ms|Prof|St|No|Fig|Eq|Sec|Ch|Vol|pp?|al|approx|[A-Z])\.$"
)


def sentence_ends(text: str) -> list[int]:
    """Offsets just after each sentence and the white space that follows it.

    >>> sentence_ends("Use e.g. Paris. Then go. 3 left")
    [16, 25]
    """
    ends = []
    for found in _END.finditer(text):
        stop = found.start() + 1
        if not _ABBREVIATION.search(text, max(0, stop - 8), stop):
            ends.append(found.end())
    return ends
