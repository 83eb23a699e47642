"""SQL that a routine puts together as text: literals kept, the rest holes."""

import re

from commonplace.sql.pieces import closing, word_at
from commonplace.sql.scan import HOLE, Scanned

_FORMAT = re.compile(r"%(?:\d+\$)?-?\d*[sIL]")
_JOINING = frozenset({"+", "|"})
_MOST_CHARS = 50_000


def unquoted(written: str) -> str:
    """The content of a string literal.

    >>> unquoted("N'it''s'"), unquoted("$x$a$x$")
    ("it's", 'a')
    """
    if written.startswith("$"):
        mark = written.index("$", 1) + 1
        return written[mark:-mark]
    first = min((i for i in (written.find("'"), written.find('"')) if i >= 0), default=-1)
    if first < 0:
        return written
    quote = written[first]
    inner = written[first + 1 : -1] if written.endswith(quote) else written[first + 1 :]
    return inner.replace(quote * 2, quote)


def folded(scanned: Scanned, low: int, high: int, known: dict[str, str]) -> str:
    """An expression of text as the text it makes, with a hole for whatever is not a literal."""
    tokens = scanned.tokens
    while word_at(tokens, low) == "(" and closing(tokens, low, high) == high - 1:
        low, high = low + 1, high - 1
    if word_at(tokens, low) == "FORMAT" and low + 2 < high:
        inner = low + 2
        if tokens[inner].kind in {"string", "body"}:
            return _FORMAT.sub(HOLE, unquoted(scanned.raw(inner)))[:_MOST_CHARS]
    pieces: list[str] = []
    place = low
    while place < high:
        token = tokens[place]
        if token.kind in {"string", "body"}:
            pieces.append(unquoted(scanned.raw(place)))
        elif token.word.lower() in known:
            pieces.append(known[token.word.lower()])
        elif token.word == "(":
            place = closing(tokens, place, high)
        elif token.word not in _JOINING and pieces[-1:] != [HOLE]:
            pieces.append(HOLE)
        place += 1
    return "".join(pieces)[:_MOST_CHARS]


def is_text(scanned: Scanned, low: int, high: int) -> bool:
    """Whether an expression has a literal in it that may be SQL."""
    return any(one.kind in {"string", "body"} for one in scanned.tokens[low:high])
