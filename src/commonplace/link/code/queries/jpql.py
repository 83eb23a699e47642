"""JPQL and HQL as SQL: entities become their tables, fields their columns."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from commonplace.link.code.names.look import Look
from commonplace.link.code.orm.base import Mapped
from commonplace.link.code.program import Place

_TOKEN = re.compile(r"'(?:[^']|'')*'|[:?]\w*|[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*|\s+|.", re.DOTALL)
_DECLARING = frozenset({"FROM", "JOIN", "UPDATE", "INTO"})
_NO_ALIAS = frozenset(
    {"WHERE", "SET", "JOIN", "LEFT", "RIGHT", "INNER", "OUTER", "FULL", "ON", "WITH", "GROUP"}
    | {"ORDER", "HAVING", "UNION", "FETCH", "VALUES", "SELECT", "CROSS", "LIMIT"}
)


class Entities:
    """Mapped classes by their simple names."""

    def __init__(self, look: Look, mapped: Mapping[Place, Mapped]) -> None:
        self.look = look
        self.named = {look.symbol(place).name: one for place, one in mapped.items()}
        self.places = mapped

    def across(self, one: Mapped, field: str) -> Mapped | None:
        """The entity a field leads to."""
        member = self.look.member(one.subject, field)
        declared = self.look.symbol(member).type if member is not None else None
        if member is None or declared is None:
            return None
        if declared[0] == "generic" and declared[2]:
            declared = declared[2][-1]
        unit = self.look.program.units[member.document_id]
        found = self.look.class_of(unit, 0, declared)
        return self.places.get(found) if found is not None else None


class _Word(NamedTuple):
    place: int
    text: str

    @property
    def parts(self) -> list[str]:
        return [one.strip() for one in self.text.split(".")]


def to_sql(text: str, entities: Entities) -> str:
    """The statement with tables and columns; unchanged names where nothing is known of them."""
    tokens = _TOKEN.findall(re.sub(r"\bNEW\s+[\w.]+\s*(?=\()", "", text, flags=re.IGNORECASE))
    if tokens and "".join(tokens).lstrip()[:4].upper() == "FROM":
        tokens = [*_TOKEN.findall("SELECT * "), *tokens]
    tokens = ["?" if one[:1] == "?" else one for one in tokens]
    aliases = _declare(tokens, entities)
    clause = ""
    for word in _words(tokens):
        upper = word.text.upper()
        if upper in _NO_ALIAS or upper in _DECLARING:
            clause = upper
        elif word.text in aliases:
            tokens[word.place] = _alias(tokens, word, clause)
        elif word.parts[0] in aliases and len(word.parts) > 1:
            tokens[word.place] = _path(aliases[word.parts[0]], word.parts, entities)
        elif len(aliases) == 1 and "" in aliases and word.text in aliases[""].columns:
            tokens[word.place] = aliases[""].columns[word.text][0].name
    return "".join(tokens)


def _words(tokens: list[str]) -> Iterator[_Word]:
    for place, token in enumerate(tokens):
        if token and (token[0].isalpha() or token[0] == "_"):
            yield _Word(place, token)


def _declare(tokens: list[str], entities: Entities) -> dict[str, Mapped]:
    """Puts tables where entities are declared; the entity of each alias."""
    aliases: dict[str, Mapped] = {}
    words = list(_words(tokens))
    for place, word in enumerate(words):
        if word.text.upper() == "FETCH":
            tokens[word.place] = ""
            continue
        before = [one for one in words[max(0, place - 2) : place] if one.text.upper() != "FETCH"]
        follows = before[-1].text.upper() if before else ""
        listed = "," in "".join(tokens[words[place - 1].place : word.place]) if place else False
        if follows not in _DECLARING and not (listed and word.text in entities.named):
            continue
        one, join = _declared(word, aliases, entities)
        if one is None:
            continue
        alias = _alias_after(words, place)
        aliases[alias] = one
        tokens[word.place] = one.table
        if join:
            last = (
                words[place + 1].place if alias and words[place + 1].text == alias else word.place
            )
            tokens[last] += join
    return aliases


def _declared(
    word: _Word, aliases: Mapping[str, Mapped], entities: Entities
) -> tuple[Mapped | None, str]:
    """The entity after FROM or JOIN, and for a path the condition that stands for it."""
    known = entities.named.get(word.parts[-1]) if len(word.parts) == 1 else None
    if known is not None or len(word.parts) != 2 or word.parts[0] not in aliases:
        return known, ""
    outer = aliases[word.parts[0]]
    across = entities.across(outer, word.parts[1])
    kept = outer.columns.get(word.parts[1])
    condition = f" ON {word.parts[0]}.{kept[0].name} IS NOT NULL" if kept else " ON 1 = 1"
    return across, condition


def _alias_after(words: list[_Word], place: int) -> str:
    for following in words[place + 1 : place + 3]:
        upper = following.text.upper()
        if upper == "AS":
            continue
        return "" if upper in _NO_ALIAS or "." in following.text else following.text
    return ""


def _alias(tokens: list[str], word: _Word, clause: str) -> str:
    """An alias by itself: the row where it is declared or selected, its key elsewhere."""
    before = "".join(tokens[: word.place]).rstrip()
    if clause in ("WHERE", "ON", "SET", "HAVING", "ORDER", "GROUP", "WITH"):
        return word.text if before.endswith(")") else f"{word.text}.id"
    if clause == "SELECT":
        return "*" if before.endswith("(") else f"{word.text}.*"
    return word.text


def _path(one: Mapped, parts: list[str], entities: Entities) -> str:
    """``l.due`` is a column; ``l.member.lastName`` is one of the row its first field leads to."""
    kept = one.columns.get(".".join(parts[1:]))
    if kept is not None:  # also of an object the entity holds: p.home.city
        return f"{parts[0]}.{kept[0].name}"
    column = one.columns.get(parts[1])
    own = f"{parts[0]}.{column[0].name if column else parts[1]}"
    across = entities.across(one, parts[1]) if len(parts) > 2 else None
    if across is None:
        return own
    inner = _path(across, ["x", *parts[2:]], entities)
    return f"(SELECT {inner} FROM {across.table} x WHERE {own} IS NOT NULL)"  # noqa: S608 - read, never run
