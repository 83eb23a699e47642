"""Values filled into SQL as placeholders, so that only what changes its meaning stays a hole."""

import re

from commonplace.sql.scan import HOLE

_QUOTED = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", re.DOTALL)
"""Literals, and comments, in which an apostrophe opens none."""
_COMPARED = re.compile(
    r"(?P<before>(?:[=<>]|\b(?:LIKE|IN|BETWEEN|LIMIT|OFFSET|TOP|FIRST|NEXT)\b)\s*\(?\s*)"
    rf"{HOLE}(?=\s*(?:[,);]|$|\b(?:AND|OR|ORDER|GROUP|LIMIT|OFFSET|THEN|FOR|END|HAVING|WHERE"
    r"|RETURNING|ROWS|UNION|ESCAPE)\b))",
    re.IGNORECASE,
)
_TYPED = re.compile(rf"{HOLE}(?=\s*::)")
_ROWS = re.compile(r"\bVALUES\s*\((?:[^()]|\([^()]*\))*\)", re.IGNORECASE)
_ELSEWHERE = re.compile(
    rf"^\s*INSERT\s+INTO\s+[\w.\[\]\"`]*{HOLE}[\w.\[\]\"`{HOLE}]*\s*(?:\([^()]*\)\s*)?(?=SELECT\b)",
    re.IGNORECASE,
)
_COLUMNS = re.compile(rf"(\bINSERT\s+INTO\s+[\w.\[\]\"`]+\s*)\([^()]*{HOLE}[^()]*\)", re.IGNORECASE)
_UNLISTED = re.compile(
    rf"(\bINSERT\s+INTO\s+[\w.\[\]\"`]+\s*)\([^()]*{HOLE}[^()]*\)\s*VALUES\s*\((?:[^()]|\([^()]*\))*\)",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"(?P<before>\bINSERT\s+INTO\s+[\w.\[\]\"`]+\s*\((?P<columns>[^()]*)\)\s*VALUES\s+)"
    rf"(?:%s|\?|:\w+|\$1|{HOLE})(?=\s|;|$)",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\bSET\s+\?(?!\?)", re.IGNORECASE)
_INNER = re.compile(rf"(\b(?:FROM|JOIN)\s+)\(\s*{HOLE}\s*\)", re.IGNORECASE)
_NUMBERED = re.compile(r"\{\d+\}")
_ESCAPE = re.compile(r"^\s*\{\s*(?:\?\s*=\s*)?call\s+(.*?)\s*\}\s*$", re.IGNORECASE | re.DOTALL)


def valued(text: str) -> str:
    """A statement in which holes that can only be values are placeholders.

    >>> valued(f"UPDATE t SET a = {HOLE} WHERE b LIKE '%{HOLE}'")
    "UPDATE t SET a = ? WHERE b LIKE ''"
    >>> HOLE in valued(f"SELECT {HOLE} FROM t"), valued("{? = call f(?)}")
    (True, 'CALL f(?)')
    >>> valued(f"SELECT 'a' FROM {HOLE} WHERE b = 'c'").count("'")
    4
    """
    text = _ESCAPE.sub(lambda one: f"CALL {one.group(1)}", text)
    text = _ROW.sub(_for_each, _NUMBERED.sub("?", text))
    if HOLE not in text:
        return text
    text = _QUOTED.sub(_without_hole, text)
    text = _TYPED.sub("NULL", text)  # the parser knows no cast of a placeholder
    text = _ROWS.sub(lambda one: one.group().replace(HOLE, "?"), text)
    return _COMPARED.sub(lambda one: f"{one.group('before')}?", text)


def with_keys(text: str, keys: tuple[str, ...]) -> str:
    """A statement whose one placeholder stands for an object, with what the object sets.

    >>> with_keys("INSERT INTO t SET ?", ("a", "b"))
    'INSERT INTO t SET a = ?, b = ?'
    """
    return _OBJECT.sub(f"SET {', '.join(f'{one} = ?' for one in keys)}", text) if keys else text


def _for_each(match: re.Match[str]) -> str:
    """One placeholder for a whole row as one for each of its columns."""
    return f"{match.group('before')}({', '.join('?' for _ in match.group('columns').split(','))})"


def _without_hole(match: re.Match[str]) -> str:
    quoted = match.group()
    return "''" if HOLE in quoted and quoted[0] == "'" else quoted


def readable(text: str) -> str:
    """A statement with holes without the parts of which nothing else is known.

    >>> readable(f"INSERT INTO {HOLE} (a) SELECT a FROM t")
    'SELECT a FROM t'
    >>> readable(f"INSERT INTO t ({HOLE}) VALUES (1)")
    'INSERT INTO t DEFAULT VALUES'
    """
    if HOLE not in text:
        return text
    text = _INNER.sub(rf"\1{HOLE}", text)
    text = _UNLISTED.sub(r"\1DEFAULT VALUES", text)
    return _COLUMNS.sub(r"\1", _ELSEWHERE.sub("", text))
