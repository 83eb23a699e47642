"""A script into statements, routines with their bodies: what the parser is given one by one."""

from commonplace.sql.blocks import BlockSplitter
from commonplace.sql.pieces import Piece, closing, routine_at, word_at
from commonplace.sql.scan import Scanned, Token, scan
from commonplace.sql.tsql import TsqlSplitter

_BODY_STARTS = frozenset(
    [
        "BEGIN",
        "SELECT",
        "INSERT",
        "UPDATE",
        "DELETE",
        "SET",
        "CALL",
        "RETURN",
        "IF",
        "WITH",
        "REPLACE",
        "WHILE",
        "CASE",
    ]
)
_KEPT_END = frozenset({"IF", "LOOP", "WHILE", "REPEAT", "FOR"})
_LANGUAGES = frozenset({"PLPGSQL", "SQL", ""})


def split(scanned: Scanned, dialect: str) -> list[Piece]:
    """The pieces of a script in order."""
    if dialect == "tsql":
        return _batches(scanned)
    pieces: list[Piece] = []
    low = 0
    tokens = scanned.tokens
    while low < len(tokens):
        if tokens[low].kind == "end":
            low += 1
            continue
        high = _statement_end(tokens, low, dialect)
        pieces.append(_piece(scanned, low, high, dialect))
        low = high + 1
    return pieces


def _batches(scanned: Scanned) -> list[Piece]:
    pieces: list[Piece] = []
    low = 0
    tokens = scanned.tokens
    for place in [
        *(i for i, one in enumerate(tokens) if one.word == "GO" and one.kind == "end"),
        len(tokens),
    ]:
        pieces += TsqlSplitter(scanned, low, place).run()
        low = place + 1
    return pieces


def _statement_end(tokens: list[Token], low: int, dialect: str) -> int:
    """The place of the token that ends the statement; a routine's body may hold semicolons."""
    kind, after = routine_at(tokens, low, len(tokens))
    counts = dialect != "tsql" and bool(kind)
    is_rule = word_at(tokens, after - 1) == "RULE"
    depth = 0
    for place in range(low, len(tokens)):
        token = tokens[place]
        if is_rule and token.kind == "other":
            depth += (token.word == "(") - (token.word == ")")
        if token.kind == "end" and (depth <= 0 or token.end - token.start != 1):
            return place
        if counts and token.kind == "word":
            if token.word == "BEGIN" or (token.word == "CASE" and tokens[place - 1].word != "END"):
                depth += 1
            elif token.word == "END" and word_at(tokens, place + 1) not in _KEPT_END:
                depth -= 1
    return len(tokens)


def _piece(scanned: Scanned, low: int, high: int, dialect: str) -> Piece:
    tokens = scanned.tokens
    kind, name = routine_at(tokens, low, high)
    if kind and tokens[low].word == "CREATE":
        return _routine(scanned, low, high, (kind, name, dialect))
    if tokens[low].word == "DO" and dialect == "postgres":
        body = _pg_body(scanned, low, high)
        return Piece("block", scanned, low, high, header=high, body=body)
    return Piece("statement", scanned, low, high)


def _routine(scanned: Scanned, low: int, high: int, told: tuple[str, int, str]) -> Piece:
    kind, name, dialect = told
    if dialect == "postgres" and _quoted_at(scanned.tokens, low, high) >= 0:
        body = _pg_body(scanned, low, high)
        return Piece("routine", scanned, low, high, routine=kind, header=high, body=body)
    header = _head_end(scanned.tokens, name, high, kind)
    start, end = header, high
    if word_at(scanned.tokens, name - 1) == "RULE":
        start, end = _rule_body(scanned.tokens, name, high)
        header = start
    body = BlockSplitter(scanned, start, end, is_pg=False).run()
    return Piece("routine", scanned, low, high, routine=kind, header=header, body=body)


def _pg_body(scanned: Scanned, low: int, high: int) -> list[Piece]:
    """The statements in the dollar quotes, at their places in the whole text."""
    words = [one.word for one in scanned.tokens[low:high]]
    language = ""
    if "LANGUAGE" in words[:-1]:
        language = scanned.raw(low + words.index("LANGUAGE") + 1).strip("'").upper()
    place = _quoted_at(scanned.tokens, low, high)
    is_told = language or (place >= 0 and scanned.tokens[place].kind == "body")
    if language not in _LANGUAGES or place < 0 or not is_told:
        return []
    return _quoted_body(scanned.text, scanned.tokens[place])


def _quoted_at(tokens: list[Token], low: int, high: int) -> int:
    """Where the body stands: in dollar quotes, or ``AS 'SELECT …'``; -1 when there is none."""
    quoted = (here for here in range(low, high) if tokens[here].kind == "body")
    told = (
        here
        for here in range(low + 1, high)
        if tokens[here].kind == "string" and tokens[here - 1].word == "AS"
    )
    return next(quoted, next(told, -1))


def _quoted_body(text: str, token: Token) -> list[Piece]:
    mark = text.index("$", token.start + 1) + 1 - token.start if token.kind == "body" else 1
    start, end = token.start + mark, token.end - mark
    if token.kind == "string":
        text = text[:start] + _once_quoted(text[start:end]) + text[end:]
    inner = scan(text[start:end], "postgres")
    moved = [one._replace(start=one.start + start, end=one.end + start) for one in inner.tokens]
    whole = Scanned(text, moved, inner.filled, inner.opened)
    return BlockSplitter(whole, 0, len(moved), is_pg=True).run()


def _once_quoted(text: str) -> str:
    """Text from between quotes, each pair of them inside as one; places stay.

    >>> _once_quoted("SELECT ''a'' FROM t")
    "SELECT  'a'  FROM t"
    """
    pieces = text.split("''")
    marks = (" '", "' ")
    return pieces[0] + "".join(marks[n % 2] + one for n, one in enumerate(pieces[1:]))


def _head_end(tokens: list[Token], name: int, high: int, kind: str) -> int:
    """Where the body of a routine of MySQL or SQLite begins."""
    place = name + 1  # a routine may be called delete
    if kind == "Trigger":
        while place < high and tokens[place].word != "ON":
            place += 1
    depth = 0
    while place < high:
        word = tokens[place].word
        if word == "(":
            place = closing(tokens, place, high)
        elif word == "CASE":
            depth += 1
        elif word == "END":
            depth -= 1
        elif word in _BODY_STARTS and depth <= 0 and not _is_clause(tokens, place):
            return place
        place += 1
    return high


def _rule_body(tokens: list[Token], low: int, high: int) -> tuple[int, int]:
    """What a rule of PostgreSQL does: one statement, or several in brackets."""
    start = next((here for here in range(low, high) if tokens[here].word == "DO"), high) + 1
    start += word_at(tokens, start) in {"ALSO", "INSTEAD"}
    if word_at(tokens, start) == "(" and word_at(tokens, start + 1) != "SELECT":
        return start + 1, closing(tokens, start, high)
    return min(start, high), high


def _is_clause(tokens: list[Token], place: int) -> bool:
    """``RETURNS NULL ON …``, ``CHARACTER SET utf8``, ``EXECUTE FUNCTION``: words of the head."""
    before = word_at(tokens, place - 1)
    return before in {"CHARACTER", "OR", "."} or word_at(tokens, place + 1) == "."
