"""SQL text to facts: every statement as a query, definitions as symbols, the rest as problems."""

import re
from dataclasses import replace

from commonplace.domain.clip import clip
from commonplace.domain.code import At, Facts, Problem, Query
from commonplace.sql.body import BodyReader
from commonplace.sql.book import Book, parameters
from commonplace.sql.calls import Env
from commonplace.sql.change import ChangeShaper
from commonplace.sql.define import Defined, define
from commonplace.sql.dialects import detect
from commonplace.sql.doubt import doubt
from commonplace.sql.names import parts, spell
from commonplace.sql.parse import Unparsed, guard, parse
from commonplace.sql.pieces import Piece, closing, name_at, word_at
from commonplace.sql.routines import Head, read_head
from commonplace.sql.scan import HOLE, scan
from commonplace.sql.shapes import NOWHERE, STAR_OUTPUT
from commonplace.sql.split import split

_DEFINING = frozenset({"CREATE", "ALTER", "DROP", "RENAME"})
_NAMED = frozenset({"Index", "Sequence", "Schema", "Type"})


class Reader:
    """Reads a whole script into a book."""

    def __init__(self, book: Book, dialect: str) -> None:
        self.book = book
        self.dialect = dialect
        self.body = BodyReader(book, dialect, self.again)

    def run(self, text: str, env: Env) -> None:
        """Every statement of a text."""
        scanned = scan(text, self.dialect)
        for what, start in scanned.opened:
            self.book.problem(what, self.book.fixed or self.book.lines.at(start, start + 1))
        for piece in split(scanned, self.dialect):
            self.piece(piece, env)

    def again(self, text: str, env: Env, at: At) -> None:
        """SQL that was made as text: its statements stand where it is run, and are partial."""
        fixed, was = self.book.fixed, self.book.is_partial
        self.book.fixed, self.book.is_partial = at, True
        inner = replace(env, is_body=False, depth=env.depth + 1)
        try:
            self.run(text, inner)
        finally:
            self.book.fixed, self.book.is_partial = fixed, was

    def piece(self, piece: Piece, env: Env) -> None:
        """One piece: a routine, a definition, or a statement."""
        if piece.kind == "routine":
            self._routine(piece, env)
        elif piece.kind == "block":
            inner = Env(env.scope, True)
            for one in piece.body:
                self.piece(one, inner)
        elif piece.kind == "statement" and word_at(piece.scanned.tokens, piece.low) in _DEFINING:
            if "POLICY" in piece.words[:3]:
                self._policy(piece, env)
            defined = define(piece)
            for found in defined:
                self._defined(found, piece, env)
            if why := doubt(piece, defined):
                self.book.problem(f"unparsed statement: {why}", self.book.at(piece))
        else:
            self.body.read(piece, env)

    def _routine(self, piece: Piece, env: Env) -> None:
        head = read_head(piece)
        at = self.book.at(piece)
        if not head.name:
            self.book.problem("unparsed statement: a routine without a name", at)
            return
        scope = env.scope
        if self.book.fixed is None:
            scope = self.book.symbol(
                head.kind, head.name, at, signature=head.signature, doc=doc_before(piece),
                parameters=parameters(head.parameters),
            )  # fmt: skip
        self.book.tell(scope, "CREATE", head.name, at, ((), (), _about(head)))
        inner = Env(scope, True, {name.lower() for name, _kind in head.parameters})
        filled = head.returned_table
        if filled:
            self.book.tell(scope, "DECLARE", filled, at, (head.returned, (), ()))
        for one in piece.body:
            self.piece(one, inner)
        if filled:
            every = ("s", NOWHERE, ((filled, "t", filled, ()),), (STAR_OUTPUT,), (), ())
            self.book.query(scope, "SELECT", "", ((every,), (("give", "", (), 0),), ()), at)

    def _defined(self, found: Defined, piece: Piece, env: Env) -> None:
        """A table, view, index …: a symbol, and what it is made from. Without a name, nothing."""
        if HOLE in found.name:
            return
        at = self.book.at(piece)
        ops = tuple(found.ops)
        if found.is_temporary:
            columns = tuple(op[1] for op in ops if op[0] == "add")
            if columns or not found.query:
                verb = "DECLARE" if found.verb == "CREATE" else found.verb
                self.book.tell(env.scope, verb, found.name, at, (columns, (), ops))
            if found.query:
                self._query(found, piece, env, "DECLARE")
            return
        scope = self._symbols(found, piece, env, at)
        if found.kind in {"Table", "View"}:
            columns = tuple(op[1] for op in ops if op[0] == "add") or found.columns
            told = (("kind", found.kind), *ops)
            self.book.tell(env.scope, found.verb, found.name, at, (columns, (), told))
            if found.query:
                self._query(found, piece, Env(scope), found.verb)
            self._computed(found, piece, scope)
        else:
            about = (("kind", found.kind), ("on", found.on, found.columns))
            self.book.tell(env.scope, found.verb, found.name, at, ((), (), about))

    def _policy(self, piece: Piece, env: Env) -> None:
        """``CREATE POLICY p ON t USING (…) WITH CHECK (…)``: what decides looks at the table."""
        tokens, words = piece.scanned.tokens, piece.words
        if "ON" not in words:
            return
        table = spell(*name_at(piece.scanned, piece.low + words.index("ON") + 1, piece.high)[0])
        for place in range(piece.low, piece.high - 1):
            if tokens[place].word in {"USING", "CHECK"} and tokens[place + 1].word == "(":
                close = closing(tokens, place + 1, piece.high)
                guard(tokens, place + 1, close + 1)
                asked = piece.scanned.written(place + 1, close + 1)
                text = f"SELECT 1 FROM {table} WHERE {asked}"  # noqa: S608 - parsed, never run
                self.body.text(text, env, self.book.at(piece), ("SELECT", "", ""))

    def _symbols(self, found: Defined, piece: Piece, env: Env, at: At) -> int:
        """The symbols of a definition; the number its query stands in."""
        if self.book.fixed is not None or found.verb not in {"CREATE", "ALTER"}:
            return env.scope
        if found.verb == "ALTER":
            if found.kind == "View" and found.query:
                return self.book.symbol("View", found.name, at, signature=signature(piece))
            self.book.columns(found, piece, self.book.numbers.get(("Table", found.name.lower()), 0))
            return env.scope
        if found.kind in _NAMED | {"Table", "View"} and found.name:
            number = self.book.symbol(
                found.kind, found.name, at, signature=signature(piece), doc=doc_before(piece)
            )
            self.book.columns(found, piece, number)
            return number
        return env.scope

    def _query(self, found: Defined, piece: Piece, env: Env, verb: str) -> None:
        """The query of a view or of CREATE TABLE … AS."""
        low, high = found.query or (0, 0)
        inner = Piece("statement", piece.scanned, low, high)
        try:
            guard(piece.scanned.tokens, low, high)
            shaper = ChangeShaper()
            shaper.statement(parse(inner.text, self.dialect))
            shaper.sets.append(("make", found.name, found.columns, shaper.own))
            self.book.query(env.scope, verb, found.name, shaper.shape(), self.book.at(inner))
        except Unparsed as refused:
            self.body.unparsed(inner, env, str(refused))

    def _computed(self, found: Defined, piece: Piece, scope: int) -> None:
        """Columns computed from others of their table."""
        for name, low, high in found.computed:
            inner = Piece("value", piece.scanned, low, high)
            try:
                guard(piece.scanned.tokens, low, high)
                shaper = ChangeShaper()
                table = ".".join(f'"{one}"' for one in parts(found.name))
                dialect = "tsql" if self.dialect == "tsql" else "postgres"
                whole = f"SELECT {inner.text} AS x FROM {table}"  # noqa: S608 - parsed, never run
                shaper.statement(parse(whole, dialect))
                shaper.set_first(found.name, name)
                self.book.query(scope, "CREATE", found.name, shaper.shape(), self.book.at(inner))
            except Unparsed as refused:
                self.book.problem(f"unparsed statement: {refused}", self.book.at(inner))


_VALUES = re.compile(r"%s|%\(\w+\)s|(?<![\w$])\$\{\w+\}|(?<![\w{])#\{\w+\}")
_LITERAL_OR_VALUE = re.compile(rf"'(?:[^']|'')*'|(?:\?\d*|{_VALUES.pattern})(?P<cast>\s*::)?")


def _placeholders(text: str) -> str:
    """Values of Python drivers and of templates as question marks, outside of strings.

    The parser knows no cast of a question mark: there it is a value like any other.

    >>> _placeholders("SELECT '%s' FROM t WHERE a = %s AND b = %(b)s")
    "SELECT '%s' FROM t WHERE a = ? AND b = ?"
    >>> _placeholders("SELECT a FROM t WHERE b = ?::uuid AND c ? 'd'")
    "SELECT a FROM t WHERE b = NULL::uuid AND c ? 'd'"
    >>> _placeholders("UPDATE t SET a = ?1 WHERE b = ?2")
    'UPDATE t SET a = ? WHERE b = ?'
    """
    if not any(sign in text for sign in "%{?"):
        return text
    return _LITERAL_OR_VALUE.sub(_placeholder, text)


def _placeholder(match: re.Match[str]) -> str:
    if match.group().startswith("'"):
        return match.group()
    return f"NULL{match.group('cast')}" if match.group("cast") else "?"


def _about(head: Head) -> tuple[tuple[object, ...], ...]:
    """What the passes need of a head: parameters in order, what comes back, a trigger's table."""
    found: list[tuple[object, ...]] = [("kind", head.kind)]
    found.append(("takes", tuple(name for name, _kind in head.parameters)))
    if head.returned and not head.returned_table:
        found.append(("gives", head.returned))
    if head.outs:
        found.append(("outs", head.outs))
    if head.on:
        found.append(("fires", head.on, head.runs))
    if head.rows:
        found.append(("rows", head.rows))
    return tuple(found)


def signature(piece: Piece) -> str:
    """The beginning of a definition on one line."""
    end = min(piece.high, piece.low + 40)
    return clip(" ".join(piece.scanned.written(piece.low, end).split()), 200)


def doc_before(piece: Piece) -> str:
    """The comment right above a definition, without its marks."""
    text, start = piece.scanned.text, piece.span[0]
    end = piece.scanned.tokens[piece.low - 1].end if piece.low else 0
    between = text[max(end, start - 2000) : start].rstrip()
    if between.endswith("*/") and "/*" in between:
        lines = between[between.rindex("/*") + 2 : -2].splitlines()
        return "\n".join(line.strip(" \t*") for line in lines).strip()
    found: list[str] = []
    for line in reversed(between.splitlines()):
        if not line.strip().startswith("--"):
            break
        found.append(line.strip().lstrip("-").strip())
    return "\n".join(reversed(found)).strip()


_TEMPORARY = re.compile(r"\b(?:TABLE|FROM|INTO|JOIN|UPDATE)\s+#\w", re.IGNORECASE)
"""A temporary table of T-SQL; to others the rest of the line is a comment."""
# ``:schema.table`` of psql: the schema is called as the variable that says which it is.
_VARIABLE = re.compile(r"(?:(?<![\w:\]])|(?<=::))(?::[A-Za-z_]\w*|:\"[A-Za-z_]\w*\")\.(?=[\w\"])")
# ``@extschema@.table`` of an extension's script: the schema is the one the extension is put into.
_EXTENSION = re.compile(r"@(extschema)(?::\w+)?@")
# What goose, sql-migrate and dbmate run to take a migration back stands after such a line.
_UNDONE = re.compile(r"^--[ \t]*(?:\+goose Down|\+migrate Down|migrate:down)\b", re.MULTILINE)


def read_script(text: str, path: str, dialect: str = "") -> Facts:
    """All facts of a .sql file."""
    book = Book(text, path)
    undone = _UNDONE.search(text)
    done = text[: undone.start()] if undone else text
    done = _VARIABLE.sub(lambda one: f" {one.group()[1:]}", done)
    done = _EXTENSION.sub(lambda one: one.group(1).center(len(one.group())), done)
    Reader(book, dialect or detect(text, path)).run(done, Env(0))
    return Facts(
        language="sql",
        symbols=tuple(book.symbols),
        queries=tuple(book.queries),
        problems=tuple(book.problems),
    )


def read_queries(text: str, dialect: str, scope: int, at: At) -> tuple[list[Query], list[Problem]]:
    """The statements of SQL found in code, all at one place.

    ``HOLE`` in the text stands for a part that is not known; ``?``, ``%s``, ``:name`` and ``@name``
    are values. Without a dialect it is told by the words. The text of one statement is enough:
    ``FROM t`` alone is no statement.
    """
    book = Book("", at=at)
    book.is_partial = HOLE in text
    if _TEMPORARY.search(text):
        dialect = "tsql"
    Reader(book, dialect or detect(text)).run(_placeholders(text), Env(scope))
    return book.queries, book.problems
