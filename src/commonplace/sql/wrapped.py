"""Statements that hold another or fill a table from outside: RETURN QUERY, OPEN, PREPARE, COPY."""

from dataclasses import replace

from commonplace.sql.calls import Env
from commonplace.sql.names import spell
from commonplace.sql.parse import Unparsed, guard
from commonplace.sql.pieces import Piece, closing, name_at, word_at
from commonplace.sql.prepare import names_between
from commonplace.sql.shapes import NOWHERE, STAR_OUTPUT, VARIABLES
from commonplace.sql.variables import QUERIES, VariableReader

_ASKING = frozenset({"SELECT", "WITH"})
_NO_VALUE = frozenset({"NEW", "OLD", "NULL", "NEXT"})


class WrappedReader(VariableReader):
    """Reads what such statements hold, as the statements they are."""

    def perform(self, piece: Piece, env: Env) -> None:
        """``PERFORM f(x) FROM t``: a query whose rows nobody wants."""
        rest = Piece("statement", piece.scanned, piece.low + 1, piece.high).text
        self.text(f"SELECT {rest}", env, self.book.at(piece), ("SELECT", "", ""))

    def asked(self, piece: Piece, env: Env) -> None:
        """Queries in brackets inside a statement that does nothing with tables: RAISE, ASSERT."""
        tokens, place = piece.scanned.tokens, piece.low
        while place < piece.high:
            if tokens[place].word == "(" and word_at(tokens, place + 1) in _ASKING:
                close = closing(tokens, place, piece.high)
                guard(tokens, place, close + 1)
                text = piece.scanned.written(place, close + 1)
                self.text(f"SELECT {text} AS x", env, self.book.at(piece), ("SELECT", "", ""))
                place = close
            place += 1

    def give_back(self, piece: Piece, env: Env) -> None:
        """``RETURN QUERY SELECT``, ``RETURN QUERY INSERT … RETURNING``, ``RETURN expression``."""
        tokens, low = piece.scanned.tokens, piece.low + 1
        if low >= piece.high:  # T-SQL's RETURN SELECT … is split before its query
            return
        is_query = word_at(tokens, low) == "QUERY"
        low += is_query
        first = word_at(tokens, low)
        is_asking = word_at(tokens, low + (first == "(")) in _ASKING
        rest = Piece("statement", piece.scanned, low, piece.high)
        if first == "EXECUTE":
            self.execute(rest, env)
        elif is_asking or (is_query and first in QUERIES):
            self.query(rest, env.plain())
        elif is_query and first == "TABLE":
            text = f"SELECT * FROM {spell(*name_at(piece.scanned, low + 1, piece.high)[0])}"  # noqa: S608 - parsed, never run
            self.text(text, env, self.book.at(piece), ("SELECT", "", ""))
        elif first == "NEXT" and low + 1 < piece.high:
            self._next(Piece("value", piece.scanned, low + 1, piece.high), env)
        elif low < piece.high and first not in _NO_VALUE:
            guard(tokens, low, piece.high)
            self.text(f"SELECT {rest.text} AS x", env, self.book.at(piece), ("RETURN", "", ""))

    def _next(self, piece: Piece, env: Env) -> None:
        """``RETURN NEXT r``: a record is a row that is given, a value its only column."""
        names, end = name_at(piece.scanned, piece.low, piece.high)
        if end == piece.high and names and names[0].lower() in env.records:
            block = ("s", NOWHERE, ((names[0], "t", names[0], ()),), (STAR_OUTPUT,), (), ())
            given = ((block,), (("give", "", (), 0),), ())
            self.book.query(env.scope, "SELECT", "", given, self.book.at(piece))
            return
        guard(piece.scanned.tokens, piece.low, piece.high)
        self.text(f"SELECT {piece.text} AS x", env, self.book.at(piece), ("RETURN", "", ""))

    def fetch(self, piece: Piece, env: Env) -> None:
        """``FETCH c INTO a, b``: from a cursor whose query is known."""
        words = piece.words
        if "INTO" not in words:
            return
        mark = words.index("INTO")
        names, _end = name_at(piece.scanned, piece.low + mark - 1, piece.high)
        if not names:
            raise Unparsed("a FETCH from nothing")
        if names[0].lower() not in env.records:  # opened elsewhere: no table of that name
            return
        into = names_between(piece.scanned, piece.low + mark + 1, piece.high)
        block = ("s", NOWHERE, ((names[0], "t", names[0], ()),), (STAR_OUTPUT,), (), ())
        if len(into) == 1 and into[0].lower() in env.records:
            told: tuple[str, str, tuple[str, ...], int] = ("make", into[0], (), 0)
        else:
            told = ("rows", VARIABLES, into, 0)
        self.book.query(env.scope, "SET", told[1], ((block,), (told,), ()), self.book.at(piece))

    def open(self, piece: Piece, env: Env) -> None:
        """``OPEN c FOR SELECT …``, ``OPEN c FOR EXECUTE '…'``."""
        words = piece.words
        if "FOR" not in words:
            return
        start = piece.low + words.index("FOR") + 1
        if word_at(piece.scanned.tokens, start) == "EXECUTE":
            names, _end = name_at(piece.scanned, piece.low + 1, piece.high)
            self.record(names[0] if names else "", piece, env)
            rest = Piece("statement", piece.scanned, start, piece.high)
            self.execute(rest, replace(env, into=tuple(names[:1])))
        elif "SELECT" in words:
            self.cursor(Piece("declare", piece.scanned, piece.low + 1, piece.high), env)

    def prepare_(self, piece: Piece, env: Env) -> None:
        """``PREPARE p AS SELECT …``; MySQL's ``PREPARE p FROM '…'``."""
        words = piece.words
        if "FROM" in words[:3]:
            self.made_text(piece, piece.low + words.index("FROM") + 1, env)
        elif "AS" in words:
            start = piece.low + words.index("AS") + 1
            self.query(Piece("statement", piece.scanned, start, piece.high), env.plain())

    def copy(self, piece: Piece, env: Env) -> None:
        """``COPY t (a, b) FROM …`` fills a table; ``COPY (SELECT …) TO …`` reads."""
        tokens = piece.scanned.tokens
        if word_at(tokens, piece.low + 1) == "(":
            close = closing(tokens, piece.low + 1, piece.high)
            self.query(Piece("statement", piece.scanned, piece.low + 2, close), env.plain())
            return
        names, place = name_at(piece.scanned, piece.low + 1, piece.high)
        if not names:
            return
        columns: tuple[str, ...] = ()
        if word_at(tokens, place) == "(":
            close = closing(tokens, place, piece.high)
            columns = names_between(piece.scanned, place + 1, close)
            place = close + 1
        verb = "INSERT" if word_at(tokens, place) == "FROM" else "SELECT"
        tables = () if verb == "INSERT" else (spell(*names),)
        target = spell(*names) if verb == "INSERT" else ""
        self.book.tell(env.scope, verb, target, self.book.at(piece), (columns, tables, ()))

    def load(self, piece: Piece, env: Env) -> None:
        """``LOAD DATA … INTO TABLE t (a, b)``, ``BULK INSERT t FROM …``: a table is filled."""
        words, scanned = piece.words, piece.scanned
        mark = next((n for n, word in enumerate(words) if word in {"TABLE", "INSERT"}), -1)
        if mark < 0 or words[0] not in {"LOAD", "BULK"}:
            return
        names, place = name_at(scanned, piece.low + mark + 1, piece.high)
        columns: tuple[str, ...] = ()
        while words[0] == "LOAD" and place < piece.high:
            if scanned.tokens[place].word == "(":
                close = closing(scanned.tokens, place, piece.high)
                if word_at(scanned.tokens, place - 1) != "PARTITION":
                    columns = names_between(scanned, place + 1, close)
                    break
                place = close
            place += 1
        columns = tuple(one for one in columns if not one.startswith("@"))
        if names:
            at = self.book.at(piece)
            self.book.tell(env.scope, "INSERT", spell(*names), at, (columns, (), ()))
