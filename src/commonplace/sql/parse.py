"""One statement to a tree, or a reason why not: never an exception, never a word on stderr."""

import logging
import re
import threading

from sqlglot import exp, parse_one
from sqlglot.errors import ErrorLevel, SqlglotError

from commonplace.sql.scan import HOLE, Token

MOST_TOKENS = 40_000
MOST_DEPTH = 100
"""The compiled parser recurses on the C stack: thousands of brackets would end the process."""
_MOST_SUBSCRIPTS = 200  # each costs the parser a copy of those before it
_MOST_RETRY_CHARS = 20_000
_LOCK = threading.Lock()
_MISSING = re.compile(r"Required keyword: '\w+' missing for <class '(?:\w+\.)*(\w+)'>")
_TOKEN = re.compile(r"<Token token_type: (?:TokenType\.)?(\w+), text: (.*?), line: .*", re.DOTALL)
_MOST_REASON_CHARS = 120
Tree = exp.Expr


class Unparsed(Exception):
    """The statement cannot be read; its text says why."""


def guard(tokens: list[Token], low: int, high: int) -> None:
    """Raise for a statement the parser must not be given."""
    if high - low > MOST_TOKENS:
        raise Unparsed(f"a statement of {high - low} tokens")
    depth = cases = subscripts = run = 0
    for token in tokens[low:high]:
        word = token.word
        if word == "(":
            depth += 1
        elif word == ")":
            depth -= 1
        elif word == "CASE":
            cases += 1
        elif word == "END":
            cases = max(0, cases - 1)
        elif word == "[":
            subscripts += 1
        run = run + 1 if word in {"NOT", "-", "+", "~"} else 0
        if max(depth, cases, run) > MOST_DEPTH or subscripts > _MOST_SUBSCRIPTS:
            raise Unparsed("nested too deeply")


def parse(text: str, dialect: str) -> Tree:
    """The tree of one statement; another dialect is tried where this one does not fit.

    A hole reads as a name; where that makes no sense, as nothing.
    """
    try:
        return _parse(text, dialect)
    except Unparsed as refused:
        if HOLE in text:
            return parse(text.replace(HOLE, " "), dialect)
        if len(text) > _MOST_RETRY_CHARS:
            raise
        for other in ("", "postgres", "tsql", "mysql"):
            if other != dialect:
                try:
                    return _parse(text, other)
                except Unparsed:
                    continue
        raise refused from None


def _parse(text: str, dialect: str) -> Tree:
    log = logging.getLogger("sqlglot")
    with _LOCK:  # what it does not support it logs; we count it instead
        was, log.disabled = log.disabled, True
        try:
            tree = parse_one(text, read=dialect, error_level=ErrorLevel.IMMEDIATE)
        except SqlglotError as error:
            raise Unparsed(_reason(error)) from None
        except RecursionError:
            raise Unparsed("nested too deeply") from None
        except (ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
            raise Unparsed(f"the parser failed: {type(error).__name__}") from None
        finally:
            log.disabled = was
    if isinstance(tree, exp.Command) or tree is None:
        raise Unparsed("not understood")
    return tree


def _reason(error: SqlglotError) -> str:
    told = getattr(error, "errors", None) or [{}]
    described = str(told[0].get("description") or "not understood")
    return _spoken(_MISSING.sub(r"something is missing in \1", described))


def _spoken(described: str) -> str:
    """What the parser describes in words, short: it shows tokens as Python does.

    >>> _spoken("Expected table name but got <Token token_type: TokenType.COMMA, text: ,, line: 1>")
    "Expected table name but got ','"
    """
    told = _TOKEN.sub(lambda one: "the end" if one[1] == "SENTINEL" else f"{one[2]!r}", described)
    if len(told) <= _MOST_REASON_CHARS:
        return told
    return told[:_MOST_REASON_CHARS].rpartition(" ")[0] + " …"
