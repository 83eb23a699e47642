"""A line made shorter without cutting a word."""

_MARKS = " ,;:.([{=<|&-\"'"


def clip(line: str, most: int) -> str:
    """The beginning of a line, ended between words with a sign that there is more.

    >>> clip("LEVELS = [one, two, three]", 20), clip("short", 20), clip("one two three", 9)
    ('LEVELS = [one, two…', 'short', 'one two…')
    """
    if len(line) <= most:
        return line
    end = most - 1
    while end and _is_of_word(line[end]) and _is_of_word(line[end - 1]):
        end -= 1
    cut = line[:end].rstrip(_MARKS) or line[: most - 1]  # unless it is the first
    return cut.rstrip(_MARKS) + "…"


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
