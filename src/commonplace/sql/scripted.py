"""SQL with the tags of MyBatis in it, as the statements it may become."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from commonplace.sql.scan import HOLE

_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[(?P<raw>.*?)\]\]>|<\?.*?\?>|<!DOCTYPE[^>]*>"
    r"|<(?P<close>/)?(?P<tag>[A-Za-z][\w.:-]*)(?P<given>(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)"
    r"\s*(?P<empty>/)?>",
    re.DOTALL,
)
_GIVEN = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_PARAMETER = re.compile(r"#\{[^}]*\}")
_FILLED = re.compile(r"\$\{[^}]*\}")
CLAUSES = {
    **{"SELECT": ("SELECT", ", "), "SELECT_DISTINCT": ("SELECT DISTINCT", ", ")},
    **{"UPDATE": ("UPDATE", ", "), "DELETE_FROM": ("DELETE FROM", ", "), "SET": ("SET", ", ")},
    **{"INSERT_INTO": ("INSERT INTO", ", "), "FROM": ("FROM", ", "), "JOIN": ("JOIN", " JOIN ")},
    "INNER_JOIN": ("INNER JOIN", " INNER JOIN "),
    "LEFT_OUTER_JOIN": ("LEFT OUTER JOIN", " LEFT OUTER JOIN "),
    "RIGHT_OUTER_JOIN": ("RIGHT OUTER JOIN", " RIGHT OUTER JOIN "),
    **{"VALUES": ("VALUES", ", "), "WHERE": ("WHERE", " AND "), "GROUP_BY": ("GROUP BY", ", ")},
    **{"HAVING": ("HAVING", " AND "), "ORDER_BY": ("ORDER BY", ", ")},
}
"""What the methods of MyBatis's builder begin and how they join what they are given, in order."""
_MOST_VARIANTS = 4
_DEEPEST = 12
_LEFT_OUT = frozenset({"selectKey", "bind"})


class Tag(NamedTuple):
    """A tag with what is inside."""

    name: str
    given: Mapping[str, str]
    inside: "tuple[Tag | str, ...]"
    start: int
    end: int


def tags(text: str) -> tuple["Tag | str", ...]:
    """Tags and the text between them; what is left open ends with the text.

    >>> [one.name if isinstance(one, Tag) else one for one in tags("a <if test='x'>b</if> c")]
    ['a ', 'if', ' c']
    """
    stack: list[tuple[str, dict[str, str], int, list[Tag | str]]] = [("", {}, 0, [])]
    last = 0
    for match in _TOKEN.finditer(text):
        stack[-1][3].append(html.unescape(text[last : match.start()]))
        last = match.end()
        name = match.group("tag")
        if match.group("raw") is not None:
            stack[-1][3].append(match.group("raw"))
        elif name and match.group("close"):
            if any(one[0] == name for one in stack[1:]):
                while _close(stack, match.end()) != name:
                    pass
        elif name:
            found = _GIVEN.findall(match.group("given") or "")
            given = {key: html.unescape(one or other) for key, one, other in found}
            stack.append((name, given, match.start(), []))
            if match.group("empty"):
                _close(stack, match.end())
    stack[-1][3].append(html.unescape(text[last:]))
    while len(stack) > 1:
        _close(stack, len(text))
    return tuple(one for one in stack[0][3] if one)


def _close(stack: list[tuple[str, dict[str, str], int, list[Tag | str]]], end: int) -> str:
    name, given, start, inside = stack.pop()
    stack[-1][3].append(Tag(name, given, tuple(inside), start, end))
    return name


def statements(
    inside: tuple[Tag | str, ...], fragments: Mapping[str, tuple[Tag | str, ...]]
) -> list[str]:
    """The statements tags may become: one for each branch they choose from, a few at most.

    >>> statements(tags("SELECT a FROM t <where><if test='b'>AND b = #{b}</if></where>"), {})
    ['SELECT a FROM t  WHERE b = ?']
    >>> statements(tags("UPDATE t <set><if test='a'>a = #{a},</if></set> WHERE id IN (${ids})"), {})
    ['UPDATE t  SET a = ? WHERE id IN (\ufffc)']
    """
    count = max(_branches(inside, 0), 1)
    found = ("".join(_said(inside, fragments, choice, 0)) for choice in range(count))
    return list(dict.fromkeys(one.strip() for one in found))[:_MOST_VARIANTS]


def _branches(inside: tuple[Tag | str, ...], depth: int) -> int:
    """How many branches the widest choice has."""
    most = 0
    for one in inside if depth < _DEEPEST else ():
        if isinstance(one, Tag):
            own = sum(isinstance(each, Tag) for each in one.inside) if one.name == "choose" else 0
            most = max(most, own, _branches(one.inside, depth + 1))
    return min(most, _MOST_VARIANTS)


def _said(
    inside: tuple[Tag | str, ...],
    fragments: Mapping[str, tuple[Tag | str, ...]],
    choice: int,
    depth: int,
) -> Iterator[str]:
    for one in inside if depth < _DEEPEST else ():
        if isinstance(one, str):
            yield _FILLED.sub(HOLE, _PARAMETER.sub("?", one))
            continue
        if one.name in _LEFT_OUT:
            continue
        held = one.inside
        if one.name == "include":
            held = fragments.get(one.given.get("refid", "").rpartition(".")[2], ())
        elif one.name == "choose":
            options = [each for each in one.inside if isinstance(each, Tag)]
            held = (options[min(choice, len(options) - 1)],) if options else ()
        yield _wrapped(one, "".join(_said(held, fragments, choice, depth + 1)))


def _wrapped(tag: Tag, text: str) -> str:
    """What a tag makes of what is inside it."""
    given, bare = tag.given, text.strip()
    if tag.name == "foreach":
        return f"{given.get('open', '')}{text}{given.get('close', '')}"
    if tag.name == "where":
        return f" WHERE {_without(bare, 'AND |OR ', '')}" if bare else ""
    if tag.name == "set":
        return f" SET {_without(bare, '', ',')}" if bare else ""
    if tag.name == "trim" and bare:
        ends = (given.get("prefixOverrides", ""), given.get("suffixOverrides", ""))
        return f" {given.get('prefix', '')} {_without(bare, *ends)} {given.get('suffix', '')} "
    return text


def _without(text: str, starts: str, ends: str) -> str:
    for one in filter(None, (each.strip() for each in starts.split("|"))):
        found = re.match(rf"{re.escape(one)}(?!\w)", text, re.IGNORECASE)
        text = text[found.end() :].lstrip() if found else text
    for one in filter(None, (each.strip() for each in ends.split("|"))):
        text = text.removesuffix(one).rstrip()
    return text


def assembled(clauses: Mapping[str, list[str]]) -> str:
    """The statement a builder makes of the clauses it is told.

    >>> assembled({"FROM": ["t"], "SELECT": ["a", "b"], "WHERE": ["a = #{a}"]})
    'SELECT a, b FROM t WHERE a = ?'
    >>> assembled({"INSERT_INTO": ["t"], "VALUES": ["a", "#{a}", "b", "#{b}"]})
    'INSERT INTO t (a, b) VALUES (?, ?)'
    """
    said = []
    for name, (word, between) in CLAUSES.items():
        given = [_PARAMETER.sub("?", one) for one in clauses.get(name, ())]
        if name == "VALUES" and given:
            said.append(f"({', '.join(given[::2])}) VALUES ({', '.join(given[1::2])})")
        elif given:
            said.append(f"{word} {between.join(given)}")
    return " ".join(said)
