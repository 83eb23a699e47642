"""A line made shorter without cutting a word."""

import re

_WORD_END = re.compile(r"\w+$")
_MARKS = " ,;:.([{=<|&-\"'"


def clip(line: str, most: int) -> str:
    """The beginning of a line, ended between words with a sign that there is more.

    >>> clip("LEVELS = [one, two, three]", 20), clip("short", 20), clip("one two three", 9)
    ('LEVELS = [one, two…', 'short', 'one two…')
    """
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    if line[most - 1].isalnum() or line[most - 1] == "_":
        cut = _WORD_END.sub("", cut).rstrip(_MARKS) or cut  # unless it is the first
    return cut.rstrip(_MARKS) + "…"
