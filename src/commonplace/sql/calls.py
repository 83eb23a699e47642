"""EXEC, EXECUTE and CALL: a routine with its arguments, or text that is SQL itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from commonplace.domain.code import At
from commonplace.sql.book import Book
from commonplace.sql.change import ChangeShaper
from commonplace.sql.dynamic import folded, is_text, unquoted
from commonplace.sql.names import parts, spell
from commonplace.sql.parse import Unparsed, parse
from commonplace.sql.pieces import Piece, closing, name_at, split_commas, word_at
from commonplace.sql.prepare import names_between
from commonplace.sql.shapes import NOWHERE, STAR_OUTPUT

_PROCEDURE_OF_TEXT = "sp_executesql"
_MOST_DEPTH = 3


@dataclass(slots=True)
class Env:
    """What the routine around a statement declares."""

    scope: int
    is_body: bool = False
    variables: set[str] = field(default_factory=set)
    records: set[str] = field(default_factory=set)
    strings: dict[str, str] = field(default_factory=dict)
    """Variables whose text is known, holes included."""
    depth: int = 0
    """How many times text was made by text."""
    into: tuple[str, ...] = ()
    """What the rows of the statement go to: a record, or variables."""

    def plain(self) -> "Env":
        """The same outside of a body: INTO makes a table."""
        return replace(self, is_body=False, into=())


class CallReader:
    """Reads calls into a book."""

    def __init__(self, book: Book, dialect: str, again: Callable[[str, Env, At], None]) -> None:
        self.book = book
        self.dialect = dialect
        self.again = again
        """Reads SQL that is made as text."""
        self.alike: dict[tuple[int, str], list[int]] = {}
        """Statements by their outline: the place of the first in the book, and how many."""
        book.dialect = dialect

    def execute(self, piece: Piece, env: Env) -> None:
        """EXEC, EXECUTE or CALL; what the text of it says is read as a statement of its own."""
        tokens, place = piece.scanned.tokens, piece.low + 1
        if self.dialect == "postgres" and word_at(tokens, piece.low) == "EXECUTE":
            if env.is_body:  # elsewhere it runs what was prepared, which was read there
                self.made_text(piece, place, env)
            return
        if word_at(tokens, place) == "(":
            close = closing(tokens, place, piece.high)
            self.made_text(Piece("text", piece.scanned, place + 1, close), place + 1, env)
            return
        if word_at(tokens, place) == "AS" or (
            self.dialect == "mysql" and word_at(tokens, piece.low) == "EXECUTE"
        ):
            return
        if word_at(tokens, place).startswith("@") and word_at(tokens, place + 1) == "=":
            place += 2
        names, place = name_at(piece.scanned, place, piece.high)
        if not names:
            raise Unparsed("a call without a name")
        last = names[-1].lower()
        if last == _PROCEDURE_OF_TEXT:
            low, high = split_commas(piece, place)[0] if place < piece.high else (place, place)
            self.made_text(Piece("text", piece.scanned, low, high), low, env)
        elif last == "sp_rename":
            self._rename(piece, place, env)
        elif not names[-1].startswith("@"):
            self.call(piece, (spell(*names), place), env)

    def made_text(self, piece: Piece, low: int, env: Env) -> None:
        """SQL as text: read with its holes, as partial."""
        high = depth = 0
        for place in range(low, piece.high):
            word = piece.scanned.tokens[place].word
            depth += (word == "(") - (word == ")")
            if depth == 0 and word in {"INTO", "USING"}:
                high = high or place
                if word == "INTO":
                    start = place + 1 + (word_at(piece.scanned.tokens, place + 1) == "STRICT")
                    end = _until(piece, start, "USING")
                    env = replace(env, into=names_between(piece.scanned, start, end))
        high = high or piece.high
        made = folded(piece.scanned, low, high, env.strings)
        has_known = is_text(piece.scanned, low, high) or made.strip("\ufffc \n\t")
        at = self.book.at(piece)
        if has_known and env.depth < _MOST_DEPTH:
            self.again(made, env, at)
        else:
            self.book.problem("dynamic SQL whose text is not known", at)

    def _rename(self, piece: Piece, place: int, env: Env) -> None:
        """``sp_rename 'dbo.T.old', 'new', 'COLUMN'``."""
        given = [
            unquoted(piece.scanned.raw(high - 1))
            for low, high in split_commas(piece, place)
            if piece.scanned.tokens[high - 1].kind == "string"
        ]
        if len(given) < 2:
            return
        old, new, what = parts(given[0]), given[1], given[2].upper() if len(given) > 2 else "OBJECT"
        at = self.book.at(piece)
        renamed = (("kind", "Table"), ("rename", old[-1], new))
        moved = (("kind", "Table"), ("table", spell(*old[:-1], new)))
        if what == "COLUMN" and len(old) > 1:
            self.book.tell(env.scope, "ALTER", spell(*old[:-1]), at, ((), (), renamed))
        elif what == "OBJECT":
            self.book.tell(env.scope, "ALTER", spell(*old), at, ((), (), moved))

    def call(self, piece: Piece, called: tuple[str, int], env: Env, target: str = "") -> None:
        """A call of a routine, its arguments, and the table its rows go to."""
        name, place = called
        high = piece.high
        if word_at(piece.scanned.tokens, place) == "(":
            high = closing(piece.scanned.tokens, place, piece.high)
            place += 1
        shaper = ChangeShaper(frozenset(env.variables))
        arguments = self._arguments(piece, place, high)
        text = ", ".join(f"{one} AS x" for _name, one in arguments)
        if text:
            try:
                shaper.statement(parse(f"SELECT {text}", self.dialect))
            except Unparsed:
                arguments = []
        self._bound(shaper, name, arguments)
        blocks, sets, calls = shaper.shape()
        outs = self._outs(piece, (place, high), env)
        told = (*((("into", target),) if target else ()), *((("outs", outs),) if outs else ()))
        shape = (blocks, sets, (*calls, name), told)
        self.book.query(env.scope, "CALL", name, shape, self.book.at(piece))

    def _outs(self, piece: Piece, within: tuple[int, int], env: Env) -> tuple[tuple[str, str], ...]:
        """Parameters by name or place, and the variables given for them that may come back set."""
        found: list[tuple[str, str]] = []
        for named, text in self._arguments(piece, *within, is_out=self.dialect == "tsql"):
            if text.startswith("@") or text.lower() in env.variables:
                found.append((named, text))
        return tuple(found)

    def _bound(self, shaper: ChangeShaper, name: str, arguments: Sequence[tuple[str, str]]) -> None:
        """What each parameter is given, as sets of the columns of ``name()``."""
        own = shaper.blocks[shaper.own] if arguments and shaper.blocks else None
        outputs = own[3] if own is not None and own[0] == "s" else ()
        for (parameter, _text), (_name, refs, how) in zip(arguments, outputs, strict=False):
            if refs:
                shaper.sets.append(("set", f"{name}()", parameter, refs, how, shaper.own))

    def _arguments(
        self, piece: Piece, low: int, high: int, is_out: bool = False
    ) -> list[tuple[str, str]]:
        """Parameter (by name, or ``#`` and its place) and expression of each argument.

        With ``is_out`` only of those that are said to come back.
        """
        found: list[tuple[str, str]] = []
        scanned = piece.scanned
        for place, (start, end) in enumerate(split_commas(Piece("list", scanned, low, high), low)):
            named = f"#{place}"
            if (
                word_at(scanned.tokens, start).startswith("@")
                and word_at(scanned.tokens, start + 1) == "="
            ):
                named, start = scanned.raw(start), start + 2
            last = end
            while end > start and word_at(scanned.tokens, end - 1) in {"OUT", "OUTPUT", "READONLY"}:
                end -= 1
            if is_out and end == last:
                continue
            text = scanned.written(start, end)
            if text and text.upper() != "DEFAULT":
                found.append((named, text))
        return found

    def insert_execute(self, piece: Piece, place: int, env: Env) -> None:
        """``INSERT INTO t (a) EXEC p``: the rows p gives."""
        tokens = piece.scanned.tokens
        start = piece.low + 1 + (word_at(tokens, piece.low + 1) == "INTO")
        target, after = name_at(piece.scanned, start, place)
        columns = piece.scanned.written(after, place)
        names, after = name_at(piece.scanned, place + 1, piece.high)
        if not names or names[-1].startswith("@") or names[-1].lower() == _PROCEDURE_OF_TEXT:
            self.book.tell(env.scope, "INSERT", spell(*target), self.book.at(piece), ((), (), ()))
            self.execute(Piece("statement", piece.scanned, place, piece.high), env)
            return
        listed = tuple(one.strip(" ()[]") for one in columns.split(",")) if columns else ()
        what = spell(*names)
        source = ("s", NOWHERE, ((what, "f", (what, ()), ()),), (STAR_OUTPUT,), (), ())
        shape = ((source,), (("rows", spell(*target), listed, 0),), (what,))
        self.book.query(env.scope, "INSERT", spell(*target), shape, self.book.at(piece))
        self.call(piece, (what, after), env, spell(*target))


def _until(piece: Piece, place: int, word: str) -> int:
    """Where a word comes next; the end of the piece when it does not."""
    tokens = piece.scanned.tokens
    return next(
        (here for here in range(place, piece.high) if tokens[here].word == word), piece.high
    )
