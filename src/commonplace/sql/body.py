"""Statements read one by one, with what the routine around them declares."""

import re
from collections.abc import Callable

from commonplace.domain.code import At
from commonplace.sql.calls import Env
from commonplace.sql.change import ChangeShaper
from commonplace.sql.names import spell
from commonplace.sql.parse import Unparsed, guard, parse
from commonplace.sql.pieces import Piece, is_name, name_at, split_commas, word_at
from commonplace.sql.prepare import COMPOSED, Prepared, prepare
from commonplace.sql.scan import HOLE
from commonplace.sql.shapes import STAR_OUTPUT, VARIABLES
from commonplace.sql.variables import QUERIES
from commonplace.sql.wrapped import WrappedReader

_SILENT = frozenset(
    {
        *("PRINT", "USE", "GRANT", "DENY", "REVOKE", "COMMIT", "ROLLBACK", "SAVE", "BREAK"),
        *("CONTINUE", "GOTO", "WAITFOR", "DBCC", "RAISERROR", "THROW", "CLOSE", "DEALLOCATE"),
        *("ENABLE", "DISABLE", "NULL", "EXIT", "GET", "LEAVE", "ITERATE", "SIGNAL"),
        *("RESIGNAL", "BEGIN", "END", "START", "PRAGMA", "ANALYZE", "VACUUM", "EXPLAIN", "LOCK"),
        *("UNLOCK", "COMMENT", "REINDEX", "CLUSTER", "REFRESH", "NOTIFY", "LISTEN", "DISCARD"),
        *("RESET", "SHOW", "DESCRIBE", "BACKUP", "RESTORE", "KILL", "RECONFIGURE", "REVERT"),
        *("CHECKPOINT", "ATTACH", "DETACH", "SAVEPOINT", "RELEASE", "FLUSH"),
        *("OPTIMIZE", "REPAIR", "ABORT", "SECURITY", "REASSIGN", "IMPORT", "HANDLER"),
        *("RECEIVE", "GO", "TABLE", "NOTHING"),
    }
)
"""What neither reads nor writes tables, or only in ways that say nothing about columns."""
_MENTIONS = frozenset({"FROM", "JOIN", "INTO", "UPDATE", "TABLE", "USING", "MERGE"})
_NO_NAMES = _MENTIONS | {
    "SKIP",
    "NOWAIT",
    "OF",
    "SELECT",
    "SET",
    "ONLY",
    "LATERAL",
    "WHERE",
    "ON",
    "ORDER",
    "GROUP",
    "AS",
}
_MOST_MENTIONS = 20
_MOST_ALIKE = 20  # as many places as an edge tells
_UPDATED = re.compile(r"\bUPDATE\s*\(", re.IGNORECASE)


class BodyReader(WrappedReader):
    """Reads statements into a book."""

    def read(self, piece: Piece, env: Env) -> None:
        """One piece that is no definition."""
        word = word_at(piece.scanned.tokens, piece.low)
        try:
            if piece.kind == "condition":
                self._condition(piece, env)
            elif piece.kind == "loop":
                self.loop(piece, env)
            elif piece.kind == "declare" or word == "DECLARE":
                self.declare(piece, env)
            else:
                self._statement(word, piece, env)
        except Unparsed as refused:
            self.unparsed(piece, env, str(refused))

    def unparsed(self, piece: Piece, env: Env, why: str) -> None:
        """Record a statement as not understood; tables it seems to name are mentions only."""
        at = self.book.at(piece)
        self.book.problem(f"unparsed statement: {why}", at)
        tokens = piece.scanned.tokens
        found: dict[str, None] = {}
        for place in range(piece.low, piece.high - 1):
            if tokens[place].word in _MENTIONS and is_name(tokens[place + 1]):
                names, _end = name_at(piece.scanned, place + 1, piece.high)
                if names[-1].upper() not in _NO_NAMES:
                    found[spell(*names)] = None
        word = word_at(tokens, piece.low)
        tables = list(found)[:_MOST_MENTIONS]
        if tables:
            self.book.tell(env.scope, word or "UNPARSED", "", at, ((), tables, ()))

    def _statement(self, word: str, piece: Piece, env: Env) -> None:
        handlers: dict[str, Callable[[Piece, Env], None]] = {
            "SET": self.set_, "EXEC": self.execute, "EXECUTE": self.execute, "CALL": self.execute,
            "PERFORM": self.perform, "RETURN": self.give_back, "FETCH": self.fetch,
            "OPEN": self.open, "TRUNCATE": self._truncate, "COPY": self.copy,
            "PREPARE": self.prepare_, "LOAD": self.load, "BULK": self.load,
            "RAISE": self.asked, "ASSERT": self.asked, "DO": self.asked,
        }  # fmt: skip
        if word in QUERIES:
            self.query(piece, env)
        elif word in handlers:
            handlers[word](piece, env)
        elif self.is_assignment(piece):
            self.assign(piece, env)
        elif word not in _SILENT:
            told = repr(word.lower() or "a sign") if HOLE not in word else "what is not known"
            raise Unparsed(f"a statement that begins with {told}"[:60])

    def query(self, piece: Piece, env: Env, named: tuple[str, str] = ("", "")) -> None:
        """A statement for the parser; ``named`` keeps its rows: (verb, name of the local table)."""
        is_plain = not env.is_body and not named[1] and not env.into
        if is_plain and self._again_alike(piece, env):
            return
        guard(piece.scanned.tokens, piece.low, piece.high)
        ready = prepare(piece, self.dialect, env.is_body)
        if ready.executes >= 0:
            self.insert_execute(piece, ready.executes, env)
            return
        if ready.composed is not None:
            self.query(Piece("statement", piece.scanned, *ready.composed), env, ("", COMPOSED))
        shaper = ChangeShaper(frozenset(env.variables))
        target = shaper.statement(parse(ready.text, self.dialect))
        given = self._returned(shaper, ready, target) if ready.returned else shaper.own
        verb = _main_verb(piece)
        if ready.variables or env.into:
            self._into(shaper, ready.variables or list(env.into), (piece, env))
        if named[1]:
            shaper.sets.append(("make", named[1], (), given))
            verb, target = named if named[0] else (verb, target)
        elif shaper.is_temporary:
            verb = "DECLARE"
        if not shaper.sets and verb == "SELECT":
            shaper.sets.append(("give", "", (), shaper.own))
        self.book.query(env.scope, verb, target, shaper.shape(), self.book.at(piece))
        if is_plain:
            self.alike[(env.scope, _outline(piece))] = [len(self.book.queries) - 1, 1]

    def _again_alike(self, piece: Piece, env: Env) -> bool:
        """A statement that differs from an earlier one in its literals only says the same."""
        known = self.alike.get((env.scope, _outline(piece)))
        if known is None:
            return False
        known[1] += 1
        if known[1] <= _MOST_ALIKE:
            same = self.book.queries[known[0]]
            self.book.queries.append(same._replace(at=self.book.at(piece)))
        return True

    def _returned(self, shaper: ChangeShaper, ready: Prepared, target: str) -> int:
        """The block of what OUTPUT gives."""
        tree = parse(f"SELECT {ready.returned}", self.dialect)
        block = shaper.reserve()
        rows = tuple((name, "t", target, ()) for name in ("inserted", "deleted"))
        shaper.blocks[block] = ("s", shaper.own, rows, (), (), ())
        outputs = tuple(shaper.output(one, block, {}) for one in tree.expressions)
        shaper.blocks[block] = ("s", shaper.own, rows, outputs, (), ())
        if ready.into:
            shaper.sets.append(("rows", ready.into, ready.columns, block))
        return block

    def _into(self, shaper: ChangeShaper, names: list[str], told: tuple[Piece, Env]) -> None:
        """SELECT … INTO variables: one by one, or all into a record."""
        piece, env = told
        block = shaper.blocks[shaper.own]
        given = block[3] if block is not None and block[0] == "s" else ()
        if len(names) == 1 and (len(given) > 1 or given[:1] == (STAR_OUTPUT,)):
            self.record(names[0], piece, env)  # of a type that is a table
        if len(names) == 1 and names[0].lower() in env.records:
            shaper.sets.append(("make", names[0], (), shaper.own))
        else:
            shaper.sets.append(("rows", VARIABLES, tuple(names), shaper.own))

    def text(self, text: str, env: Env, at: At, named: tuple[str, str, str]) -> None:
        """An expression or condition as a query: (verb, target, column it sets)."""
        verb, target, column = named
        shaper = ChangeShaper(frozenset(env.variables))
        tree = parse(text, self.dialect)
        shaper.statement(tree)
        if column:
            shaper.set_first(target, column)
        elif verb == "RETURN":
            shaper.sets.append(("back", "", (), shaper.own))
        shape = shaper.shape()
        if (
            any(block[0] == "u" or block[2] or (block[3] and block[3][0][1]) for block in shape[0])
            or shape[2]
        ):
            self.book.query(env.scope, verb, target, shape, at)

    def _condition(self, piece: Piece, env: Env) -> None:
        words = piece.words
        if "SELECT" not in words:
            return
        guard(piece.scanned.tokens, piece.low, piece.high)
        text = _UPDATED.sub("UPDATED(", piece.text)  # T-SQL asks whether a column was set
        if words[0] == "CASE" and "END" not in words:
            text += " THEN 1 END"
        self.text(f"SELECT 1 WHERE {text}", env, self.book.at(piece), ("SELECT", "", ""))

    def _truncate(self, piece: Piece, env: Env) -> None:
        place = piece.low + 1
        while word_at(piece.scanned.tokens, place) in {"TABLE", "ONLY"}:
            place += 1
        for low, high in split_commas(piece, place):
            names, _end = name_at(piece.scanned, low, high)
            if names:
                self.book.tell(
                    env.scope, "TRUNCATE", spell(*names), self.book.at(piece), ((), (), ())
                )


def _outline(piece: Piece) -> str:
    """A statement without its literals."""
    scanned = piece.scanned
    tokens = scanned.tokens[piece.low : piece.high]
    return " ".join(
        "?" if one.kind in {"string", "number"} else one.word or scanned.text[one.start : one.end]
        for one in tokens
    )


def _main_verb(piece: Piece) -> str:
    """The verb of a statement, behind its WITH."""
    depth = 0
    for token in piece.scanned.tokens[piece.low : piece.high]:
        depth += (token.word == "(") - (token.word == ")")
        if depth == 0 and token.word in {
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
            "REPLACE",
        }:
            return "INSERT" if token.word == "REPLACE" else token.word
    return "SELECT"
