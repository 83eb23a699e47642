"""T-SQL into statements: they need no semicolon, so words decide where the next one begins."""

from commonplace.sql.pieces import Piece, closing, routine_at, word_at
from commonplace.sql.scan import Scanned, Token

_HARD = frozenset(
    [
        "SELECT",
        "INSERT",
        "UPDATE",
        "DELETE",
        "MERGE",
        "WITH",
        "DECLARE",
        "SET",
        "IF",
        "WHILE",
        "BEGIN",
        "END",
        "EXEC",
        "EXECUTE",
        "CREATE",
        "ALTER",
        "DROP",
        "PRINT",
        "RAISERROR",
        "RETURN",
        "ELSE",
        "GRANT",
        "DENY",
        "REVOKE",
        "FETCH",
    ]
)
_SOFT = frozenset(
    [
        "TRUNCATE",
        "THROW",
        "OPEN",
        "CLOSE",
        "DEALLOCATE",
        "USE",
        "COMMIT",
        "ROLLBACK",
        "SAVE",
        "BREAK",
        "CONTINUE",
        "GOTO",
        "WAITFOR",
        "DBCC",
        "BULK",
        "ENABLE",
        "DISABLE",
        "RECONFIGURE",
        "CHECKPOINT",
        "REVERT",
        "BACKUP",
        "RESTORE",
        "KILL",
    ]
)
STARTS = _HARD | _SOFT
_INSIDE = frozenset(
    {".", ",", "=", "<", ">", "+", "-", "*", "/", "(", "AS", "AND", "OR", "ON", "BY"}
)
_JOINED = frozenset({"UNION", "ALL", "EXCEPT", "INTERSECT", "FOR", "AS"})
_THINGS = frozenset(
    [
        "TABLE",
        "VIEW",
        "PROC",
        "PROCEDURE",
        "FUNCTION",
        "TRIGGER",
        "INDEX",
        "SCHEMA",
        "SEQUENCE",
        "TYPE",
        "USER",
        "DATABASE",
        "ROLE",
        "LOGIN",
        "SYNONYM",
    ]
)
_PARTS = frozenset({"COLUMN", "CONSTRAINT", "PERIOD"})
_GRANTS = frozenset({"GRANT", "DENY", "REVOKE"})
_SOURCES = frozenset({"SELECT", "EXEC", "EXECUTE", "WITH"})
_AFTER_BEGIN = frozenset({"TRY", "CATCH", "TRAN", "TRANSACTION", "DISTRIBUTED", "ATOMIC"})


class TsqlSplitter:
    """One batch, token by token."""

    def __init__(self, scanned: Scanned, low: int, high: int) -> None:
        self.scanned = scanned
        self.tokens: list[Token] = scanned.tokens
        self.place = low
        self.high = high
        self.pieces: list[Piece] = []
        self.begin = -1
        """Where the statement being read begins; -1 between two."""
        self.verb = ""
        self.seen: set[str] = set()
        self.cases = 0

    def run(self) -> list[Piece]:
        """The pieces of the batch, in order, control flow taken apart."""
        depth = 0
        while self.place < self.high:
            token = self.tokens[self.place]
            word = token.word
            if self.begin < 0 and token.kind == "other" and word not in {";", ":", ")"}:
                self.begin, self.verb, self.seen = self.place, word, set()
            if word == "(":
                depth += 1
            elif word == ")":
                depth = max(0, depth - 1)
            elif depth == 0 and token.kind != "other":
                if token.kind == "end" or word == ";":
                    self._finish()
                    self.place += 1
                    continue
                if self._step(word):
                    continue
            elif word == ";" or token.kind == "end":
                depth = 0
                self._finish()
            self.place += 1
        self._finish()
        return self.pieces

    def _step(self, word: str) -> bool:
        """Handle a word outside brackets; whether the place was moved on."""
        if word_at(self.tokens, self.place + 1) == ":" and self._is_label():
            self._finish()
            self.place += 2
            return True
        if word == "CASE":
            self.cases += 1
        elif word == "END" and self.cases:
            self.cases -= 1
        elif not self.cases and word in STARTS and self._starts(word):
            self._finish()
            return self._open(word)
        elif self.begin < 0:
            self.begin, self.verb = self.place, word
            self.seen = set()
        if self.begin >= 0 and self.place > self.begin:
            self.seen.add(word)
        return False

    def _is_label(self) -> bool:
        """``retry:`` at the beginning of a line."""
        start = self.tokens[self.place].start
        before = self.tokens[self.place - 1].end if self.place else 0
        is_first = self.place == 0 or "\n" in self.scanned.text[before:start]
        return is_first and word_at(self.tokens, self.place + 2) not in {":", "="}

    def _open(self, word: str) -> bool:
        """Begin the statement this word opens; control words are passed over."""
        if word in {"ELSE", "END", "BEGIN"}:
            self.place += 1
            if word != "ELSE" and word_at(self.tokens, self.place) in _AFTER_BEGIN:
                self.place += 1
            return True
        if word in {"CREATE", "ALTER"} and routine_at(self.tokens, self.place, self.high)[0]:
            self._routine()
            return True
        self.begin, self.verb, self.seen = self.place, word, set()
        return False

    def _finish(self) -> None:
        """Close the statement being read."""
        self.cases = 0
        if self.begin < 0 or self.place <= self.begin:
            return
        kind, low = "statement", self.begin
        if self.verb in {"IF", "WHILE"}:
            kind, low = "condition", low + 1
        elif self.verb == "DECLARE":
            kind = "declare"
        self.pieces.append(Piece(kind, self.scanned, low, self.place))
        self.begin, self.verb = -1, ""

    def _starts(self, word: str) -> bool:
        """Whether this word begins a new statement here."""
        if self.begin < 0:
            return True
        before = word_at(self.tokens, self.place - 1)
        after = word_at(self.tokens, self.place + 1)
        if before == "." or after == ".":
            return False
        if word in _SOFT:
            return before not in _INSIDE and self.verb != "ALTER" and before != "SELECT"
        if self.verb in _GRANTS and not self.seen & {"TO", "FROM"}:
            return False
        rule = getattr(self, f"_starts_{word.lower()}", None)
        return True if rule is None else bool(rule(before, after))

    def _is_main(self) -> bool:
        """Whether the verb that a WITH leads up to is still to come."""
        return self.verb == "WITH" and not self.seen & {
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
        }

    def _starts_select(self, before: str, after: str) -> bool:
        del after
        if before in _JOINED or self._is_main():
            return False
        waits = self.verb == "INSERT" or "INSERT" in self.seen
        return not (waits and not self.seen & {"SELECT", "VALUES", "EXEC", "EXECUTE"})

    def _starts_insert(self, before: str, after: str) -> bool:
        del after
        return not (before in {"THEN", "BULK", "FOR", "OF", "AFTER", ","} or self._is_main())

    def _starts_update(self, before: str, after: str) -> bool:
        if after == "(" and self.verb in {"IF", "WHILE"}:
            return False
        return not (before in {"THEN", "ON", "FOR", "OF", "AFTER", ","} or self._is_main())

    _starts_delete = _starts_update

    def _starts_merge(self, before: str, after: str) -> bool:
        del before
        return not (after in {"JOIN", "UNION"} or self._is_main())

    def _starts_with(self, before: str, after: str) -> bool:
        if after == "(" or before == "AS":
            return False
        if after == "XMLNAMESPACES":
            return True
        place = self.place + 2
        if word_at(self.tokens, place) == "(":
            place = closing(self.tokens, place, self.high) + 1
        return (word_at(self.tokens, place), word_at(self.tokens, place + 1)) == ("AS", "(")

    def _starts_set(self, before: str, after: str) -> bool:
        if before in {"UPDATE", "DELETE"} or (self.verb == "ALTER" and after == "("):
            return False
        waits = self.verb == "UPDATE" or "UPDATE" in self.seen
        return not (waits and "SET" not in self.seen)

    def _starts_if(self, before: str, after: str) -> bool:
        return not (after in {"EXISTS", "NOT"} and before in _THINGS | _PARTS)

    def _starts_exec(self, before: str, after: str) -> bool:
        if before in {"WITH", ","} or (self.verb == "CREATE" and after == "AS"):
            return False
        waits = self.verb == "INSERT" or "INSERT" in self.seen
        return not (waits and not self.seen & {"SELECT", "VALUES", "EXEC", "EXECUTE"})

    _starts_execute = _starts_exec

    def _starts_alter(self, before: str, after: str) -> bool:
        return not (before == "OR" or (self.verb == "ALTER" and after in _PARTS))

    def _starts_drop(self, before: str, after: str) -> bool:
        del before
        return not (self.verb == "ALTER" and after not in _THINGS)

    def _starts_fetch(self, before: str, after: str) -> bool:
        del after
        return before not in {"ROWS", "ROW"}

    def _starts_return(self, before: str, after: str) -> bool:
        del after
        return before != "AS" or self.verb != "CREATE"

    def _starts_end(self, before: str, after: str) -> bool:
        del before, after
        return True

    def _routine(self) -> None:
        """A routine takes the rest of its batch, or all up to the next one."""
        low = self.place
        kind, _name = routine_at(self.tokens, low, self.high)
        header = self._head_end(low)
        end = self.high
        for place in range(header, self.high):
            if (
                word_at(self.tokens, place) == "CREATE"
                and routine_at(self.tokens, place, self.high)[0]
            ):
                end = place
                break
        body = TsqlSplitter(self.scanned, header, end).run()
        self.pieces.append(
            Piece("routine", self.scanned, low, end, routine=kind, header=header, body=body)
        )
        self.place, self.begin = end, -1

    def _head_end(self, low: int) -> int:
        """The place after the AS that opens the body."""
        depth = 0
        for place in range(low, self.high):
            word = self.tokens[place].word
            if word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
            elif word == "AS" and depth <= 0:
                after = word_at(self.tokens, place + 1)
                if after in STARTS or after in {"(", "RETURN", "EXTERNAL", ";", "TRUNCATE"}:
                    return place + 1
            elif word == "BEGIN" and depth <= 0:  # functions may leave AS out
                return place
        return self.high
