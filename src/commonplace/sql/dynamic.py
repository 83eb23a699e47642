"""SQL that a routine puts together as text: literals kept, the rest holes."""

import re

from commonplace.sql.pieces import Piece, closing, split_commas, word_at
from commonplace.sql.scan import HOLE, Scanned

_FORMAT = re.compile(r"%(\d+\$)?-?\d*[sIL]")
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
    called = word_at(tokens, low)
    if called in {"FORMAT", "CONCAT"} and closing(tokens, low + 1, high) == high - 1:
        given = [
            folded(scanned, *one, known)
            for one in split_commas(Piece("list", scanned, low + 2, high - 1), low + 2)
        ]
        return ("".join(given) if called == "CONCAT" else _formatted(given))[:_MOST_CHARS]
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


def _formatted(given: list[str]) -> str:
    """PostgreSQL's format: the text with its values filled in, as far as they are known.

    >>> _formatted(["SELECT %I FROM %I WHERE a = %L", "id", "t", "x"])
    "SELECT id FROM t WHERE a = 'x'"
    >>> _formatted(["SELECT f(%L, %L)", HOLE, f"failed: {HOLE}"]).replace(HOLE, "*")
    "SELECT f(*, 'failed: *')"
    """
    values = iter(given[1:])

    def filled(match: re.Match[str]) -> str:
        place = match.group(1)
        number = int(place[:-1]) if place else 0
        value = given[number] if 0 < number < len(given) else HOLE if place else next(values, HOLE)
        is_literal = match.group().endswith("L") and value != HOLE
        return "'" + value.replace("'", "''") + "'" if is_literal else value

    return _FORMAT.sub(filled, given[0]) if given else ""


def is_text(scanned: Scanned, low: int, high: int) -> bool:
    """Whether an expression has a literal in it that may be SQL."""
    return any(one.kind in {"string", "body"} for one in scanned.tokens[low:high])
