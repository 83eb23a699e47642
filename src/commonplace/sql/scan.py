"""The tokens of SQL text: enough to tell statements apart, and where a string or comment ends.

Rows of VALUES are not tokens: a script that fills tables is megabytes of them, and they say nothing
the first row does not.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

HOLE = "\ufffc"
"""Stands in SQL text for a part that is not known before the program runs."""
_ROWS_KEPT_CHARS = 2000
_MOST_LOST = 100
_BACKSLASH = frozenset({"mysql"})
_COMMON = {
    "space": r"[\s\ufeff]++",
    "line": r"--[^\n]*+",
    "block": r"/\*",
}
_STRING = r"[nN]?'(?:[^']|'')*+'?"
_ESCAPED = r"[nNxXbB_]?'(?:[^'\\]|\\.|'')*+'?|\"(?:[^\"\\]|\\.|\"\")*+\"?"
_TICK = r"`(?:[^`]|``)*+`?"
_DOUBLE = r'"(?:[^"]|"")*+"?'
_BRACKET = r"\[(?:[^\]\n]|\]\]){0,300}+\]"  # names have 128 characters at most
# ``#variable_conflict`` of PL/pgSQL, and scripts whose notes begin so; ``#>`` is an operator.
_HASHED = r"(?m:^)[ \t]*+#(?:[ \t\w.!#][^\n]*+|(?=\r?\n|\Z))"
_PARTS: dict[str, dict[str, str]] = {
    "tsql": {
        "string": _STRING,
        "quoted": f"{_BRACKET}|{_DOUBLE}",
        "word": rf"(?:[^\W\d]|{HOLE}|[@#]+(?=[\w$]))[\w$@#{HOLE}]*+",
    },
    "postgres": {
        "hash": rf"(?m:^)[ \t]*+\\(?!\.)[^\n]*+|{_HASHED}",
        "body": r"\$(?:[^\W\d]\w*+)?\$",
        "string": rf"[eE]'(?:[^'\\]|\\.|'')*+'?|{_STRING}",
        "quoted": f"{_DOUBLE}|{_TICK}",
        "word": rf"(?:[^\W\d]|{HOLE})[\w${HOLE}]*+",
    },
    "mysql": {
        "hash": r"#[^\n]*+",
        "string": _ESCAPED,
        "quoted": _TICK,
        "word": rf"(?:[^\W\d]|{HOLE}|@+(?=[\w$`]))[\w${HOLE}]*+",
    },
    "sqlite": {
        "hash": rf"(?m:^)\.[a-z]\w*+[^\n]*+|{_HASHED}",
        "string": _STRING,
        "quoted": f"{_BRACKET}|{_DOUBLE}|{_TICK}",
        "word": rf"(?:[^\W\d]|{HOLE}|[@#]+(?=[\w$]))[\w${HOLE}]*+",
    },
}
_LAST = {"number": r"\d[\w.]*+", "other": r"(?s:.)"}
_MARKS = re.compile(r"/\*|\*/")
_ROW = (
    r"\((?:[^()'\"]|'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\""
    r"|\((?:[^()']|'(?:[^']|'')*+')*+\))*+\)"
)
_ROW_ESCAPED = (
    r"\((?:[^()'\"\\]|\\.|'(?:[^'\\]|\\.|'')*+'|\"(?:[^\"\\]|\\.)*+\""
    r"|\((?:[^()'\\]|\\.|'(?:[^'\\]|\\.|'')*+')*+\))*+\)"
)
_NAME = r"(?:[\w$#]++|\[[^\]\n]++\]|\"[^\"\n]++\"|`[^`\n]++`)"
_LITERAL = (
    r"\s*+(?:[-+]?[\d.]++(?:[eE][-+]?\d++)?|[nN]?'(?:[^'\\]|'')*+'|(?i:null|true|false|default)"
    r"|0[xX][\da-fA-F]++|(?i:cast)\(\s*+[nN]?'[^'\\]*+'\s*+(?i:as)\s++\w++"
    r"(?:\s*+\([\d, ]*+\))?\s*+\))\s*+"
)
_FILLING = re.compile(
    rf"(?P<head>INSERT\s++(?:INTO\s++)?{_NAME}(?:\.{_NAME})*+\s*+"
    r"(?:\([^()']*+\)\s*+)?VALUES\s*+)"
    rf"\({_LITERAL}(?:,{_LITERAL})*+\)\s*+(?:;|(?=INSERT\b|GO\b|\Z))\s*+",
    re.IGNORECASE,
)
_COPIED = re.compile(r"\n\\\.(?:\r?\n|\Z)")
_DELIMITER = re.compile(r"DELIMITER[ \t]+(\S+)[^\n]*", re.IGNORECASE)
_CONDITIONAL = re.compile(r"/\*[!M]*!\d*(.*?)\*/", re.DOTALL)


class Token(NamedTuple):
    """One token: word, quoted, string, body, number, other, or end (of a statement or batch)."""

    kind: str
    start: int
    end: int
    word: str
    """A word in capitals, another token's single character, empty for the rest."""


@dataclass(slots=True)
class Scanned:
    """The tokens of a text and the parts of it that were passed over."""

    text: str
    tokens: list[Token] = field(default_factory=list)
    filled: int = 0
    """Statements passed over that only fill a table in a way already seen."""
    opened: list[tuple[str, int]] = field(default_factory=list)
    """Strings and comments without an end: what, and where they begin."""

    def written(self, low: int, high: int) -> str:
        """The tokens from low to high as text, without comments and what was passed over."""
        pieces: list[str] = []
        end = -1
        for token in self.tokens[low:high]:
            if token.start != end:
                pieces.append(" ")
            pieces.append(self.text[token.start : token.end])
            end = token.end
        return "".join(pieces).strip()

    def raw(self, place: int) -> str:
        """One token as written."""
        token = self.tokens[place]
        return self.text[token.start : token.end]


@lru_cache(maxsize=32)
def _pattern(dialect: str, delimiter: str) -> re.Pattern[str]:
    """One expression for all tokens of a dialect; a delimiter other than ``;`` comes first."""
    parts = {**_COMMON, **_PARTS[dialect], **_LAST}
    if delimiter != ";":
        parts = {"delimiter": re.escape(delimiter), **parts}
        parts["word"] = parts["word"].replace("$", "")  # END$$ ends there
    return re.compile("|".join(f"(?P<{name}>{one})" for name, one in parts.items()))


def plain_conditionals(text: str) -> str:
    """MySQL's ``/*!50003 CREATE */`` is code: the marks become spaces, places stay.

    >>> plain_conditionals("/*!40000 DROP */ x")
    '         DROP    x'
    """
    return _CONDITIONAL.sub(
        lambda match: (
            " " * (match.start(1) - match.start())
            + match.group(1)
            + " " * (match.end() - match.end(1))
        ),
        text,
    )


class _Scanner:
    """Reads a text once, from left to right."""

    def __init__(self, text: str, dialect: str) -> None:
        self.dialect = dialect
        self.scanned = Scanned(text)
        self.delimiter = ";"
        self.heads: set[str] = set()
        self.lost = 0
        """Dollar quotes that nothing closes: each is looked for in all the text."""
        self.nests = dialect in {"tsql", "postgres"}
        row = _ROW_ESCAPED if dialect in _BACKSLASH else _ROW
        self.first = re.compile(rf"\s*+{row}")
        self.rows = re.compile(rf"(?:\s*+,\s*+{row})*+")

    def run(self) -> Scanned:
        text, size, place = self.scanned.text, len(self.scanned.text), 0
        add = self.scanned.tokens.append
        pattern = _pattern(self.dialect, self.delimiter)
        while place < size:
            match = pattern.match(text, place)
            if match is None:  # pragma: no cover - the last alternative takes anything
                break
            kind, end = match.lastgroup or "other", match.end()
            if kind == "word":
                token = Token(kind, place, end, match.group().upper())
                before = self.delimiter
                end = self._word(token)
                if self.delimiter != before:
                    pattern = _pattern(self.dialect, self.delimiter)
            elif kind in {"block", "body"}:
                end = self._comment(place) if kind == "block" else self._body(place, end)
            elif kind == "other":
                char = match.group()
                is_end = char == ";" and self.delimiter == ";"
                add(Token("end" if is_end else kind, place, end, char))
            elif kind == "delimiter":
                add(Token("end", place, end, ";"))
            elif kind not in {"space", "line", "hash"}:
                self._quoted(kind, place, end)
            place = end
        return self.scanned

    def _quoted(self, kind: str, start: int, end: int) -> None:
        last = self.scanned.text[end - 1]
        if kind in {"string", "quoted"} and (last not in "'\"`]" or end - start < 2):
            self.scanned.opened.append((f"{kind} without an end", start))
        self.scanned.tokens.append(Token(kind, start, end, ""))

    def _body(self, start: int, opened: int) -> int:
        """Where text in dollar quotes ends; a tag that never comes again is none."""
        text = self.scanned.text
        tag = text[start:opened]
        end = text.find(tag, opened) if self.lost < _MOST_LOST else -1
        if end < 0:
            self.lost += 1
            self.scanned.tokens.append(Token("other", start, start + 1, "$"))
            return start + 1
        self.scanned.tokens.append(Token("body", start, end + len(tag), ""))
        return end + len(tag)

    def _comment(self, start: int) -> int:
        """Where the comment ends; in T-SQL and PostgreSQL comments nest."""
        text = self.scanned.text
        if not self.nests:
            end = text.find("*/", start + 2)
            if end >= 0:
                return end + 2
        else:
            depth = 0
            for match in _MARKS.finditer(text, start):
                depth += 1 if match.group() == "/*" else -1
                if depth == 0:
                    return match.end()
        self.scanned.opened.append(("comment without an end", start))
        return len(text)

    def _word(self, token: Token) -> int:
        """Add a word, unless it begins something that is passed over; where to go on."""
        if token.word == "GO" and self.dialect == "tsql":
            return self._go(token)
        if token.word == "INSERT":
            end = self._filling(token.start)
            if end:
                return end
        if token.word == "DELIMITER" and self.dialect == "mysql":
            match = _DELIMITER.match(self.scanned.text, token.start)
            if match:
                self.delimiter = match.group(1)
                self.scanned.tokens.append(Token("end", token.start, match.end(), ";"))
                return match.end()
        self.scanned.tokens.append(token)
        if token.word == "VALUES":
            return self._rows(token.end)
        if token.word == "STDIN":
            return self._copied(token.end)
        return token.end

    def _go(self, token: Token) -> int:
        """GO alone on its line, with a count at most, ends a batch."""
        text = self.scanned.text
        begin = text.rfind("\n", 0, token.start) + 1
        end = text.find("\n", token.end)
        end = len(text) if end < 0 else end
        after = text[token.end : end].split("--")[0].strip(" \t\r;")
        alone = not text[begin : token.start].strip() and (not after or after.isdigit())
        self.scanned.tokens.append(token._replace(kind="end") if alone else token)
        return end if alone else token.end

    def _filling(self, start: int) -> int:
        """The end of an INSERT of literals whose beginning was seen before; 0 for any other."""
        match = _FILLING.match(self.scanned.text, start)
        if match is None:
            return 0
        head = match.group("head")
        if head in self.heads:
            self.scanned.filled += 1
            return match.end()
        self.heads.add(head)
        return 0

    def _rows(self, start: int) -> int:
        """Where to go on after VALUES: rows after the first are passed over when there are many."""
        text = self.scanned.text
        first = self.first.match(text, start)
        if first is None:
            return start
        rest = self.rows.match(text, first.end())
        if rest is None or rest.end() - first.end() < _ROWS_KEPT_CHARS:
            return start
        for inner in scan(text[start : first.end()], self.dialect).tokens:
            moved = inner._replace(start=inner.start + start, end=inner.end + start)
            self.scanned.tokens.append(moved)
        return rest.end()

    def _copied(self, start: int) -> int:
        """The rows after ``COPY … FROM stdin;`` are no SQL."""
        if not any(one.word == "COPY" for one in self.scanned.tokens[-400:]):
            return start
        end = _COPIED.search(self.scanned.text, start)
        self.scanned.tokens.append(Token("end", start, start, ";"))
        return end.end() if end else start


def scan(text: str, dialect: str) -> Scanned:
    """The tokens of a text.

    >>> [one.word or one.kind for one in scan("SELECT 'a;b' FROM t -- c;", "tsql").tokens]
    ['SELECT', 'string', 'FROM', 'T']
    """
    if dialect == "mysql" and "/*!" in text:
        text = plain_conditionals(text)
    return _Scanner(text, dialect).run()
