"""Heads of routines: name, parameters, what comes back, the table of a trigger."""

from dataclasses import dataclass, field

from commonplace.domain.clip import clip
from commonplace.sql.define import Defined, Definer
from commonplace.sql.names import spell
from commonplace.sql.pieces import Piece, closing, is_name, name_at, routine_at, word_at
from commonplace.sql.scan import Scanned

_MODES = frozenset({"IN", "OUT", "INOUT", "VARIADIC"})
_OUT = frozenset({"OUT", "INOUT", "OUTPUT"})
_MOST_SIGNATURE = 300


@dataclass(slots=True)
class Head:
    """What the head of a routine says."""

    kind: str
    name: str
    signature: str
    parameters: list[tuple[str, str]] = field(default_factory=list)
    outs: tuple[str, ...] = ()
    """Parameters that give something back."""
    returned: tuple[str, ...] = ()
    """Columns of the table a function gives."""
    returned_table: str = ""
    """The table variable a T-SQL function fills."""
    on: str = ""
    """The table of a trigger."""
    runs: str = ""
    """The function a trigger of PostgreSQL runs."""
    rows: tuple[str, ...] = ()
    """What a trigger of PostgreSQL calls the rows its statement changed."""


def read_head(piece: Piece) -> Head:
    """The head of a routine's piece."""
    scanned, high = piece.scanned, piece.header or piece.high
    tokens = scanned.tokens
    kind, place = routine_at(tokens, piece.low, piece.high)
    while word_at(tokens, place) in {"IF", "NOT", "EXISTS"}:
        place += 1
    names, place = name_at(scanned, place, high)
    end = next((i for i in range(piece.low, high) if tokens[i].kind == "body"), high)
    signature = clip(scanned.written(piece.low, end), _MOST_SIGNATURE)
    head = Head(kind, spell(*names), " ".join(signature.split()))
    if kind == "Trigger":
        _trigger(head, scanned, place, high)
        return head
    if word_at(tokens, place) == "(":
        close = closing(tokens, place, high)
        head.parameters, head.outs = _parameters(scanned, place + 1, close)
        place = close + 1
    else:
        head.parameters, head.outs = _bare_parameters(scanned, place, high)
    _returns(head, piece, place, high)
    return head


def _trigger(head: Head, scanned: Scanned, place: int, high: int) -> None:
    tokens = scanned.tokens
    while place < high and tokens[place].word != "ON":
        place += 1
    place += 2 if word_at(tokens, place + 2) == "TO" else 0  # a rule: ON UPDATE TO t
    names, place = name_at(scanned, place + 1, high)
    head.on = spell(*names)
    for here in range(place, high - 2):
        if tokens[here].word == "TABLE" and tokens[here - 1].word in {"NEW", "OLD"}:
            named = here + 1 + (tokens[here + 1].word == "AS")
            head.rows = (*head.rows, *name_at(scanned, named, high)[0])
        if tokens[here].word == "EXECUTE" and tokens[here + 1].word in {"FUNCTION", "PROCEDURE"}:
            head.runs = spell(*name_at(scanned, here + 2, high)[0])


def _parameters(
    scanned: Scanned, low: int, high: int
) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """Parameters in a bracket, ``IN a int, OUT b text``, ``@a int = 1``; those that give back."""
    found: list[tuple[str, str]] = []
    outs: list[str] = []
    for start, end in Definer(Piece("list", scanned, low - 1, high)).listed(low, high):
        place = start
        while place < end and scanned.tokens[place].word in _MODES and place + 1 < end:
            place += 1
        if is_name(scanned.tokens[place]):
            name = name_at(scanned, place, end)[0][-1]
            found.append((name, _type(scanned, place + 1, end)))
            if _OUT & {scanned.tokens[start].word, *_last_words(scanned, end)}:
                outs.append(name)
    return found, tuple(outs)


def _last_words(scanned: Scanned, end: int) -> set[str]:
    """``@a int OUTPUT``, and ``@a int OUT READONLY``."""
    return {scanned.tokens[end - 1].word, scanned.tokens[end - 2].word} if end > 1 else set()


def _type(scanned: Scanned, low: int, high: int) -> str:
    end = low
    while end < high and scanned.tokens[end].word not in {
        "=",
        "DEFAULT",
        ":",
        "OUTPUT",
        "OUT",
        "READONLY",
    }:
        end += 1
    kind = scanned.written(low, end)
    return kind[3:] if kind[:3].upper() == "AS " else kind


def _bare_parameters(
    scanned: Scanned, low: int, high: int
) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """T-SQL's parameters without brackets, up to WITH or AS."""
    end = low
    tokens = scanned.tokens
    while end < high and tokens[end].word not in {"WITH", "RETURNS", "FOR"}:
        if tokens[end].word == "AS" and not word_at(tokens, end - 1).startswith("@"):
            break
        end += 1
    if low >= end or not tokens[low].word.startswith("@"):
        return [], ()
    return _parameters(scanned, low, end)


def _returns(head: Head, piece: Piece, place: int, high: int) -> None:
    scanned, tokens = piece.scanned, piece.scanned.tokens
    while place < high and tokens[place].word != "RETURNS":
        place += 1
    place += 1
    if word_at(tokens, place).startswith("@"):
        head.returned_table = scanned.raw(place)
        place += 1
    if word_at(tokens, place) == "TABLE" and word_at(tokens, place + 1) == "(":
        found = Defined("CREATE", "Table", head.name)
        close = closing(tokens, place + 1, high)
        Definer(Piece("list", scanned, place, close)).items(found, place + 2, close)
        head.returned = tuple(op[1] for op in found.ops if op[0] == "add")
