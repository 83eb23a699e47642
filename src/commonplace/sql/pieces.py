"""What a script is split into, and small questions about its tokens."""

from dataclasses import dataclass, field

from commonplace.sql.names import bare
from commonplace.sql.scan import Scanned, Token

ROUTINES = {
    "PROC": "Procedure",
    "PROCEDURE": "Procedure",
    "FUNCTION": "Function",
    "TRIGGER": "Trigger",
    "EVENT": "Procedure",
    "PACKAGE": "Procedure",
}
_BEFORE_KIND = frozenset({"OR", "REPLACE", "ALTER", "DEFINER", "TEMP", "TEMPORARY", "CONSTRAINT"})
_HEAD_TOKENS = 16
MAKING = frozenset({"CREATE", "ALTER"})


@dataclass(slots=True)
class Piece:
    """A statement, a condition, a declaration or a whole routine: tokens from low to high."""

    kind: str
    """statement, condition, loop, declare, routine, block."""
    scanned: Scanned
    low: int
    high: int
    routine: str = ""
    """Procedure, Function, Trigger."""
    header: int = 0
    """Where the head of a routine ends."""
    body: list["Piece"] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """Its tokens as words in capitals; names in quotes and strings are empty."""
        return [one.word for one in self.scanned.tokens[self.low : self.high]]

    @property
    def text(self) -> str:
        """Its text without comments."""
        return self.scanned.written(self.low, self.high)

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the text."""
        tokens = self.scanned.tokens
        if self.high <= self.low:
            return (0, 0)
        return (tokens[self.low].start, tokens[self.high - 1].end)


def word_at(tokens: list[Token], place: int) -> str:
    """The word at a place, empty outside."""
    return tokens[place].word if 0 <= place < len(tokens) else ""


def is_name(token: Token) -> bool:
    """Whether a token may be part of a name."""
    return token.kind in {"word", "quoted"}


def name_at(scanned: Scanned, place: int, high: int) -> tuple[list[str], int]:
    """The parts of the dotted name at a place, and where it ends."""
    tokens = scanned.tokens
    found: list[str] = []
    while place < high and is_name(tokens[place]):
        found.append(bare(scanned.raw(place)))
        place += 1
        while place < high and tokens[place].word == ".":
            place += 1
            if place < high and tokens[place].word == ".":
                found.append("")
        if tokens[place - 1].word != ".":
            break
    return found, place


def closing(tokens: list[Token], place: int, high: int) -> int:
    """The place of the bracket that closes the one at ``place``; the end when none does."""
    depth = 0
    for here in range(place, high):
        word = tokens[here].word
        if word == "(":
            depth += 1
        elif word == ")":
            depth -= 1
            if depth == 0:
                return here
    return high


def routine_at(tokens: list[Token], low: int, high: int) -> tuple[str, int]:
    """The kind of routine a CREATE or ALTER at ``low`` makes, and the place after that word."""
    if word_at(tokens, low) not in MAKING:
        return "", low
    place = low + 1
    while place < min(high, low + _HEAD_TOKENS):
        word = tokens[place].word
        if word in ROUTINES:
            return ROUTINES[word], place + 1
        if word == "RULE" and [one.word for one in tokens[place + 2 : place + 4]] == ["AS", "ON"]:
            return "Trigger", place + 1
        if word == "DEFINER":  # DEFINER = `root`@`localhost`
            place += 2
            while place < high and (tokens[place].kind != "word" or word_at(tokens, place) == "@"):
                place += 1
            while place < high and tokens[place].word not in ROUTINES and place < low + 14:
                place += 1
            continue
        if word not in _BEFORE_KIND:
            break
        place += 1
    return "", low


def split_commas(piece: Piece, low: int) -> list[tuple[int, int]]:
    """Token ranges between the commas outside brackets, from ``low`` to the piece's end."""
    found: list[tuple[int, int]] = []
    depth, start = 0, low
    for place in range(low, piece.high):
        word = piece.scanned.tokens[place].word
        depth += (word == "(") - (word == ")")
        if word == "," and depth == 0:
            found.append((start, place))
            start = place + 1
    found.append((start, piece.high))
    return [one for one in found if one[0] < one[1]]
