"""PL/pgSQL, bodies of MySQL routines and of SQLite triggers into statements."""

from commonplace.sql.pieces import Piece, word_at
from commonplace.sql.scan import Scanned

_PASSED = frozenset({"BEGIN", "ELSE", "LOOP", "EXCEPTION", "REPEAT", "THEN", "DO", "ATOMIC"})
_UNTIL: dict[str, tuple[str, frozenset[str]]] = {
    "IF": ("condition", frozenset({"THEN"})),
    "ELSIF": ("condition", frozenset({"THEN"})),
    "ELSEIF": ("condition", frozenset({"THEN"})),
    "WHEN": ("condition", frozenset({"THEN"})),
    "CASE": ("condition", frozenset({"THEN"})),
    "WHILE": ("condition", frozenset({"LOOP", "DO"})),
    "UNTIL": ("condition", frozenset({"END"})),
    "FOR": ("loop", frozenset({"LOOP", "DO"})),
    "FOREACH": ("loop", frozenset({"LOOP", "DO"})),
}
_AFTER_END = frozenset({"IF", "LOOP", "CASE", "WHILE", "REPEAT", "FOR"})


class BlockSplitter:
    """A body whose statements end with semicolons."""

    def __init__(self, scanned: Scanned, low: int, high: int, is_pg: bool) -> None:
        self.scanned = scanned
        self.tokens = scanned.tokens
        self.place = low
        self.high = high
        self.is_pg = is_pg
        self.is_declaring = False
        self.is_handling = False
        self.pieces: list[Piece] = []

    def run(self) -> list[Piece]:
        """The pieces of the body, in order."""
        while self.place < self.high:
            token = self.tokens[self.place]
            if token.word == ";" or token.kind == "end":
                self.place += 1
            elif not self._control(token.word):
                self._simple("declare" if self.is_declaring else "statement")
        return self.pieces

    def _control(self, word: str) -> bool:
        """Pass over a word of control flow; whether it was one."""
        if word == "<" or (word_at(self.tokens, self.place + 1) == ":" and self._is_label()):
            self._label()
        elif word == "DECLARE" and self.is_pg:
            self.is_declaring = True
            self.place += 1
        elif word == "DECLARE" and word_at(self.tokens, self.place + 2) == "HANDLER":
            self._handler()
        elif word == "END":
            self._end()
        elif word in _PASSED:
            self.is_declaring = False if word == "BEGIN" else self.is_declaring
            self.is_handling = word == "EXCEPTION"
            self.place += 1
        elif word in _UNTIL and not self.is_declaring:
            self._guard(*_UNTIL[word])
        else:
            return False
        return True

    def _handler(self) -> None:
        """``DECLARE EXIT HANDLER FOR SQLSTATE '02000', NOT FOUND``: what follows is a statement."""
        self.place += 4
        while self.place < self.high:
            if word_at(self.tokens, self.place) in {"NOT", "SQLSTATE"}:
                self.place += 1
            if word_at(self.tokens, self.place) == "VALUE":
                self.place += 1
            self.place += 1
            if word_at(self.tokens, self.place) != ",":
                return
            self.place += 1

    def _end(self) -> None:
        """``END``, ``END IF``, ``END LOOP label``."""
        self.place += 1
        if word_at(self.tokens, self.place) in _AFTER_END:
            self.place += 1
        if word_at(self.tokens, self.place + 1) == ";":
            self.place += 1

    def _is_label(self) -> bool:
        return word_at(self.tokens, self.place + 2) in {"LOOP", "WHILE", "REPEAT", "BEGIN", "FOR"}

    def _label(self) -> None:
        if self.tokens[self.place].word != "<":
            self.place += 2
            return
        while self.place < self.high and self.tokens[self.place].word != ">":
            self.place += 1
        while self.place < self.high and self.tokens[self.place].word == ">":
            self.place += 1

    def _guard(self, kind: str, ends: frozenset[str]) -> None:
        """A condition or the head of a loop, up to the word that opens what it guards."""
        low = self.place + (self.tokens[self.place].word != "CASE")
        self._advance(ends)
        if self.place > low and not self.is_handling:
            self.pieces.append(Piece(kind, self.scanned, low, self.place))
        self.place += 1

    def _simple(self, kind: str) -> None:
        low = self.place
        self._advance(frozenset())
        if self.place > low:
            self.pieces.append(Piece(kind, self.scanned, low, self.place))
        self.place += 1

    def _advance(self, ends: frozenset[str]) -> None:
        """Move to the end of a statement or to one of these words, outside brackets and CASE."""
        depth = cases = 0
        self.place += 1
        while self.place < self.high:
            token = self.tokens[self.place]
            word = token.word
            if word == ";" or token.kind == "end":
                return
            if word in ends and depth <= 0 and not cases:
                return
            depth += (word == "(") - (word == ")")
            cases += (word == "CASE") - (word == "END" and cases > 0)
            self.place += 1
