"""A statement's tokens made ready for the parser: what it does not know is taken out and kept."""

from dataclasses import dataclass, field
from itertools import pairwise

from commonplace.sql.names import spell
from commonplace.sql.pieces import Piece, closing, is_name, name_at, word_at
from commonplace.sql.scan import Scanned, Token

_MODIFIERS = frozenset({"IGNORE", "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK"})
_VERBS = frozenset({"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE"})
_AFTER_OUTPUT = frozenset(
    {"VALUES", "SELECT", "FROM", "WHERE", "EXEC", "EXECUTE", "WITH", "DEFAULT"}
)
_AFTER_INTO = frozenset({"FROM", "WHERE", "LIMIT", "FOR", "ORDER", "UNION", ";", "GROUP"})
COMPOSED = "#output"
"""The local table that the OUTPUT of a change in FROM fills."""


@dataclass(slots=True)
class Prepared:
    """The text for the parser and the clauses that were taken out of it."""

    text: str
    returned: str = ""
    """The list of an OUTPUT clause."""
    into: str = ""
    """The table OUTPUT writes to."""
    columns: tuple[str, ...] = ()
    variables: list[str] = field(default_factory=list)
    """Where a routine's SELECT … INTO or RETURNING … INTO puts its columns."""
    executes: int = -1
    """The place of the EXEC that gives an INSERT its rows."""
    composed: tuple[int, int] | None = None
    """The tokens of a change in FROM whose OUTPUT is selected from: it is ``COMPOSED`` there."""


class _Editor:
    """Tokens of one statement, some of them dropped or replaced."""

    def __init__(self, piece: Piece, is_body: bool) -> None:
        self.scanned: Scanned = piece.scanned
        self.tokens: list[Token] = piece.scanned.tokens
        self.low, self.high = piece.low, piece.high
        self.is_body = is_body
        self.dropped: set[int] = set()
        self.replaced: dict[int, str] = {}
        self.found = Prepared("")
        self.verb = ""
        self.conflicts: list[int] = []
        """Where its ON CONFLICT begin."""

    def run(self, dialect: str) -> Prepared:
        depth = 0
        place = self.low
        while place < self.high:
            word = self.tokens[place].word
            if word == "(" and dialect == "tsql" and self._is_composed(place):
                place = self._compose(place)
            elif word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
            elif depth == 0 and self.tokens[place].kind == "word":
                place = self._word(word, place, dialect)
            elif word == "=" and dialect == "tsql":
                self._equals(place)
            place += 1
        self._one_conflict()
        self.found.text = self._text()
        return self.found

    def _is_composed(self, place: int) -> bool:
        """``FROM (DELETE … OUTPUT …) AS d``."""
        return (
            word_at(self.tokens, place - 1) == "FROM"
            and word_at(self.tokens, place + 1) in _VERBS
            and self.found.composed is None
        )

    def _compose(self, place: int) -> int:
        close = closing(self.tokens, place, self.high)
        self.found.composed = (place + 1, close)
        self.replaced[place] = COMPOSED
        return self._drop(place + 1, close + 1)

    def _one_conflict(self) -> None:
        """SQLite takes several ON CONFLICT, the parser one: that which updates."""
        starts = [*self.conflicts, self.high]
        spans = list(pairwise(starts))
        if len(spans) > 1:
            words = [{one.word for one in self.tokens[low:high]} for low, high in spans]
            kept = next((n for n, one in enumerate(words) if "UPDATE" in one), 0)
            for number, (low, high) in enumerate(spans):
                if number != kept:
                    self._drop(low, high)

    def _word(self, word: str, place: int, dialect: str) -> int:
        if word in _VERBS and (not self.verb or self.verb == "WITH"):
            self.verb = word
            return self._modifiers(place, dialect)
        if word in {"SELECT", "WITH"} and self.verb in {"", "WITH"}:  # a hint comes later
            self.verb = word
            if word_at(self.tokens, place + 1) == "XMLNAMESPACES":
                return self._namespaces(place)
        elif word == "OVERRIDING" and self.verb == "INSERT":
            return self._drop(place, place + 3)
        elif word == "CYCLE" and word_at(self.tokens, place - 1) == ")" and self.verb == "WITH":
            return self._drop(place, self._after_using(place) + 1)
        elif word == "ON" and word_at(self.tokens, place + 1) == "CONFLICT":
            self.conflicts.append(place)
        elif word == "INTO" and dialect != "tsql" and self._is_into_variables(place):
            return self._into(place)
        elif dialect == "tsql":
            return self._tsql(word, place)
        return place

    def _equals(self, place: int) -> None:
        """``a += b`` as ``a = b``."""
        is_added = word_at(self.tokens, place - 1) in {"+", "-", "*", "/"}
        if is_added and self.verb in {"SELECT", "UPDATE", "MERGE"}:
            self.dropped.add(place - 1)

    def _tsql(self, word: str, place: int) -> int:
        if word == "OUTPUT" and self.verb in _VERBS:
            return self._output(place)
        is_hint = word == "WITH" and self.verb == "INSERT"
        if (word == "OPTION" or is_hint) and word_at(self.tokens, place + 1) == "(":
            return self._drop(place, closing(self.tokens, place + 1, self.high) + 1)
        if word in {"EXEC", "EXECUTE"} and self.verb == "INSERT" and self.found.executes < 0:
            self.found.executes = place
        return place

    def _drop(self, low: int, high: int) -> int:
        self.dropped.update(range(low, min(high, self.high)))
        return min(high, self.high) - 1

    def _modifiers(self, place: int, dialect: str) -> int:
        """Words between the verb and its table that change nothing about what is written."""
        if self.verb == "REPLACE":
            self.replaced[place] = "INSERT"
        after = place + 1
        while word_at(self.tokens, after) in _MODIFIERS and dialect == "mysql":
            self._drop(after, after + 1)
            after += 1
        if word_at(self.tokens, after) == "OR" and self.verb == "UPDATE":
            self._drop(after, after + 2)
        if word_at(self.tokens, after) == "TOP" and dialect == "tsql":
            is_bracket = word_at(self.tokens, after + 1) == "("
            end = closing(self.tokens, after + 1, self.high) + 1 if is_bracket else after + 2
            self._drop(after, end + (word_at(self.tokens, end) == "PERCENT"))
            after = end
        if self.verb == "DELETE" and dialect == "tsql" and word_at(self.tokens, after) == "FROM":
            _names, end = name_at(self.scanned, after + 1, self.high)
            if word_at(self.tokens, end) == "FROM":
                self._drop(after, after + 1)
        return place

    def _namespaces(self, place: int) -> int:
        end = closing(self.tokens, place + 2, self.high) + 1
        if word_at(self.tokens, end) == ",":
            return self._drop(place + 1, end + 1)
        self.verb = ""
        return self._drop(place, end)

    def _output(self, place: int) -> int:
        """OUTPUT … [INTO table (columns)]: the parser knows it in some statements only."""
        depth = 0
        end = into = place + 1
        while end < self.high:
            word = self.tokens[end].word
            depth += (word == "(") - (word == ")")
            if depth == 0 and (word in _AFTER_OUTPUT or word == "INTO"):
                break
            end += 1
        self.found.returned = self.scanned.written(into, end)
        if word_at(self.tokens, end) == "INTO" and end < self.high:
            names, end = name_at(self.scanned, end + 1, self.high)
            self.found.into = spell(*names)
            if word_at(self.tokens, end) == "(" and self.verb != "INSERT":
                close = closing(self.tokens, end, self.high)
                self.found.columns = names_between(self.scanned, end + 1, close)
                end = close + 1
            elif word_at(self.tokens, end) == "(":
                end = self._insert_columns(end)
        return self._drop(place, end)

    def _insert_columns(self, place: int) -> int:
        """After INSERT … OUTPUT … INTO t a bracket names columns, unless it is the rows' query."""
        close = closing(self.tokens, place, self.high)
        if word_at(self.tokens, place + 1) in {"SELECT", "("}:
            return place
        self.found.columns = names_between(self.scanned, place + 1, close)
        return close + 1

    def _after_using(self, place: int) -> int:
        """``CYCLE a, b SET found USING path``: the place of what it ends with."""
        while place < self.high and self.tokens[place].word != "USING":
            place += 1
        return place + 1

    def _is_into_variables(self, place: int) -> bool:
        """In a routine, or MySQL's ``INTO @x`` anywhere."""
        return self.is_body or word_at(self.tokens, place + 1).startswith("@")

    def _into(self, place: int) -> int:
        """``INTO a, b`` of a routine's SELECT: its variables."""
        if self.verb in {"INSERT", "MERGE", "REPLACE"} and not self._has_returned(place):
            return place
        end = place + 1
        if word_at(self.tokens, end) == "STRICT":
            end += 1
        while end < self.high and is_name(self.tokens[end]):
            names, end = name_at(self.scanned, end, self.high)
            self.found.variables.append(spell(*names))
            if word_at(self.tokens, end) != ",":
                break
            end += 1
        return self._drop(place, end)

    def _has_returned(self, place: int) -> bool:
        depth = 0
        for one in self.tokens[self.low : place]:  # not that of a change inside the WITH
            depth += (one.word == "(") - (one.word == ")")
            if one.word == "RETURNING" and depth == 0:
                return True
        return False

    def _text(self) -> str:
        pieces: list[str] = []
        end = -1
        for place in range(self.low, self.high):
            token = self.tokens[place]
            if place in self.dropped:
                continue
            pieces.append("" if token.start == end else " ")
            pieces.append(self.replaced.get(place) or self.scanned.text[token.start : token.end])
            end = token.end
        return "".join(pieces).strip()


def names_between(scanned: Scanned, low: int, high: int) -> tuple[str, ...]:
    """Names in a bracket, by commas."""
    found: list[str] = []
    place = low
    while place < high:
        if is_name(scanned.tokens[place]):
            names, place = name_at(scanned, place, high)
            found.append(names[-1])
            while place < high and scanned.tokens[place].word != ",":
                place += 1
        place += 1
    return tuple(found)


def prepare(piece: Piece, dialect: str, is_body: bool) -> Prepared:
    """The statement for the parser; ``is_body`` when it stands in a routine."""
    return _Editor(piece, is_body).run(dialect)
