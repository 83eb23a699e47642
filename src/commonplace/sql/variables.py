"""Variables, cursors, records and table variables of a routine, and what they are set to."""

from abc import ABC, abstractmethod
from dataclasses import replace

from commonplace.domain.code import At
from commonplace.sql.calls import CallReader, Env
from commonplace.sql.dynamic import folded, is_text
from commonplace.sql.parse import Unparsed, guard
from commonplace.sql.pieces import Piece, closing, is_name, name_at, split_commas, word_at
from commonplace.sql.shapes import VARIABLES

QUERIES = frozenset(
    {"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "VALUES", "("}
)


_CHANGES = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE"})


class VariableReader(CallReader, ABC):
    """Reads declarations and assignments into a book."""

    @abstractmethod
    def query(self, piece: Piece, env: Env, named: tuple[str, str] = ("", "")) -> None:
        """A statement for the parser."""

    @abstractmethod
    def text(self, text: str, env: Env, at: At, named: tuple[str, str, str]) -> None:
        """An expression or condition as a query."""

    def loop(self, piece: Piece, env: Env) -> None:
        """``FOR r IN SELECT …``: r is a row of it."""
        words = piece.words
        names, _end = name_at(piece.scanned, piece.low, piece.high)
        if "IN" not in words or not names:
            return
        start = words.index("IN") + 1
        rest = Piece("statement", piece.scanned, piece.low + start, piece.high)
        first = word_at(piece.scanned.tokens, rest.low)
        if first in _CHANGES:
            self.record(names[0], piece, env)
            self.query(rest, replace(env, into=(names[0],)))
        elif first in QUERIES and "SELECT" in words:
            env.records.add(names[0].lower())
            self.query(rest, env, ("DECLARE", names[0]))
        elif first == "EXECUTE":
            self.record(names[0], piece, env)
            self.execute(rest, replace(env, into=(names[0],)))
        elif first == "ARRAY":
            env.variables.add(names[0].lower())
            several = Piece("value", rest.scanned, rest.low + 1, rest.high)
            self._value(names[0], several, (env, piece))
        else:
            env.variables.add(names[0].lower())

    def declare(self, piece: Piece, env: Env) -> None:
        """DECLARE: cursors, variables."""
        tokens, low = piece.scanned.tokens, piece.low
        if word_at(tokens, low) == "DECLARE":
            low += 1
        words = [one.word for one in tokens[low : piece.high]]
        if "CURSOR" in words[:4]:
            self.cursor(Piece("declare", piece.scanned, low, piece.high), env)
            return
        for start, end in (
            split_commas(piece, low) if self.dialect == "tsql" else [(low, piece.high)]
        ):
            self._variable(Piece("declare", piece.scanned, start, end), env)

    def record(self, name: str, piece: Piece, env: Env) -> None:
        """A record or cursor is known from here on, whatever fills it: no table of the project."""
        env.records.add(name.lower())
        env.variables.discard(name.lower())
        self.book.tell(env.scope, "DECLARE", name, self.book.at(piece), ((), (), ()))

    def cursor(self, piece: Piece, env: Env) -> None:
        """A cursor is a record of the rows its query gives."""
        words = piece.words
        names, _end = name_at(piece.scanned, piece.low, piece.high)
        if not names:
            raise Unparsed("a cursor without a name")
        env.records.add(names[0].lower())
        mark = next((i for i, word in enumerate(words) if word in {"FOR", "IS"}), -1)
        if mark >= 0 and word_at(piece.scanned.tokens, piece.low + mark + 1) in QUERIES:
            rest = Piece("statement", piece.scanned, piece.low + mark + 1, piece.high)
            inner = env.plain()
            self.query(rest, inner, ("DECLARE", names[0]))

    def _variable(self, piece: Piece, env: Env) -> None:
        """A variable with its value, or a table variable with its columns."""
        tokens = piece.scanned.tokens
        names, place = name_at(piece.scanned, piece.low, piece.high)
        if not names:
            return
        words = piece.words
        if "TABLE" in words[:3] and self.dialect == "tsql":
            opened = piece.low + words.index("TABLE") + 1
            self.local_table(names[0], Piece("list", piece.scanned, opened, piece.high), env)
            return
        while self.dialect == "mysql" and word_at(tokens, place) == ",":
            env.variables.add(names[0].lower())
            names, place = name_at(piece.scanned, place + 1, piece.high)
        env.variables.add(names[0].lower())
        if {"RECORD", "ROWTYPE"} & set(words):
            self.record(names[0], piece, env)
            return
        mark = next((i for i, word in enumerate(words) if word in {"=", "DEFAULT"}), -1)
        if mark >= 0:
            self._value(
                names[0],
                Piece("value", piece.scanned, piece.low + mark + 1, piece.high),
                (env, piece),
            )

    def local_table(self, name: str, piece: Piece, env: Env) -> None:
        """A table variable."""
        from_ = piece.low
        if word_at(piece.scanned.tokens, from_) == "(":
            close = closing(piece.scanned.tokens, from_, piece.high)
            columns = tuple(
                name_at(piece.scanned, low, high)[0][-1]
                for low, high in split_commas(Piece("list", piece.scanned, from_, close), from_ + 1)
                if is_name(piece.scanned.tokens[low])
                and piece.scanned.tokens[low].word
                not in {"PRIMARY", "UNIQUE", "CHECK", "INDEX", "CONSTRAINT"}
            )
            self.book.tell(env.scope, "DECLARE", name, self.book.at(piece), (columns, (), ()))

    def _value(self, name: str, value: Piece, told: tuple[Env, Piece]) -> None:
        """A variable is set: to text that may be SQL, or from columns."""
        env, whole = told
        if is_text(value.scanned, value.low, value.high):
            made = folded(value.scanned, value.low, value.high, env.strings)
            env.strings[name.lower()] = made
        if value.high > value.low:
            guard(value.scanned.tokens, value.low, value.high)
            self.text(_asked(value), env, self.book.at(whole), ("SET", VARIABLES, name))

    def set_(self, piece: Piece, env: Env) -> None:
        """``SET @a = …``, MySQL's ``SET a = …, b = …``; a session's options are passed over."""
        tokens = piece.scanned.tokens
        if word_at(tokens, piece.low + 3) == "CURSOR":  # SET @c = CURSOR FOR SELECT …
            self.cursor(Piece("declare", piece.scanned, piece.low + 1, piece.high), env)
            return
        for low, high in split_commas(piece, piece.low + 1):
            names, place = name_at(piece.scanned, low, high)
            if not names:
                continue
            is_added = word_at(tokens, place) in {"+", "-"}
            place += is_added
            if word_at(tokens, place) == ":":
                place += 1
            if word_at(tokens, place) != "=" or not (env.is_body or names[0].startswith("@")):
                continue
            value = Piece("value", piece.scanned, place + 1, high)
            if is_added and is_text(value.scanned, value.low, value.high):
                before = env.strings.get(names[0].lower(), "")
                env.strings[names[0].lower()] = before + folded(
                    value.scanned, value.low, high, env.strings
                )
            elif len(names) > 1 and names[0].lower() in {"new", "old"}:
                text = _asked(value)
                self.text(text, env, self.book.at(piece), ("SET", names[0], names[-1]))
            else:
                self._value(names[-1], value, (env, piece))

    def is_assignment(self, piece: Piece) -> bool:
        """Whether a statement without a verb sets something."""
        tokens = piece.scanned.tokens
        _names, place = name_at(piece.scanned, piece.low, piece.high)
        after = word_at(tokens, place)
        return place > piece.low and (
            after in {"=", "["} or (after == ":" and word_at(tokens, place + 1) == "=")
        )

    def assign(self, piece: Piece, env: Env) -> None:
        """``a := …``, ``new.a = …``."""
        names, place = name_at(piece.scanned, piece.low, piece.high)
        place += 2 if word_at(piece.scanned.tokens, place) == ":" else 1
        value = Piece("value", piece.scanned, place, piece.high)
        if len(names) > 1:
            text = _asked(value)
            self.text(text, env, self.book.at(piece), ("SET", names[0], names[-1]))
        else:
            self._value(names[0], value, (env, piece))


def _asked(value: Piece) -> str:
    """A value as a query; PL/pgSQL takes ``a FROM t WHERE …`` for one."""
    depth, tokens = 0, value.scanned.tokens
    for place in range(value.low, value.high):
        word = tokens[place].word
        depth += (word == "(") - (word == ")")
        if word == "FROM" and depth == 0 and word_at(tokens, place - 1) != "DISTINCT":
            before = value.scanned.written(value.low, place)
            return f"SELECT {before} AS x {value.scanned.written(place, value.high)}"
    return f"SELECT {value.text} AS x"
