"""How well a symbol fits what someone calls it: the same rule for every engine.

Levels, not sums: a whole name is always before a part of one, so that who knows the name finds it
first however many others share its words.
"""

import re
import string
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from commonplace.domain.course import Naming
from commonplace.domain.graph import Node
from commonplace.engines.analysis import clean, parts, spaced, spread, tokens

WHOLE_FQN, WHOLE_NAME, FQN_END, NAME_START = 1.0, 0.95, 0.9, 0.8
NAME_WORDS, ALL_WORDS, SOME_WORDS = 0.7, 0.5, 0.2
MOST_COUNTED = 200
"""Symbols that fit are counted no further: who has that many must say more."""
MOST_WORDS = 8
_LENGTH_COST = 0.0005
_LENGTH_MOST = 150
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_WORD = re.compile(r"\w+")
_SEPARATORS = re.compile(r"::|->|[#/\\:]")
_new = tuple.__new__  # half the time of what it stands for, once a symbol


class Said(NamedTuple):
    """The texts a symbol is found by, made ready for the tokeniser."""

    name: str
    path: str
    doc: str


def lower(text: str) -> str:
    """Small letters, as SQLite's own ``lower`` makes them.

    >>> lower("ÄB")
    'Äb'
    """
    return text.lower() if text.isascii() else text.translate(_LOWER)


def plain(text: str) -> str:
    """A name as asked, in the form names are compared in: small, dots between its parts.

    >>> plain(" Repo::Orders#save() "), plain("dbo.[Customers]"), plain("/orders/{}")
    ('repo.orders.save', 'dbo.customers', 'orders.{}')
    """
    bare = clean(text).strip().removesuffix("()").replace("[", "").replace("]", "")
    return lower(_SEPARATORS.sub(".", bare.strip("`\"'. "))).strip(".")


def as_written(text: str) -> str:
    """A name as asked, in small letters: names of files and routes keep their dots and slashes."""
    return lower(clean(text).strip())


def is_symbol(node: Node) -> bool:
    """Whether a node is found by name."""
    return isinstance(node.properties.get("fqn"), str)


def dotted(fqn: str) -> str:
    """A full name as it is compared.

    >>> dotted("src/app/user.UserService")
    'src.app.user.userservice'
    """
    return lower(_SEPARATORS.sub(".", fqn))


def said(node: Node) -> Said:
    """What a symbol is found by."""
    found = node.properties
    name, fqn, doc = node.name, str(found["fqn"]), found.get("doc")
    own = _pieces(name)
    # Most full names end in the name, and what stands above it is that of many.
    above = fqn.removesuffix(name)
    pieces = f"{_pieces(above)} {own}" if above[-1:] == "." else _pieces(fqn)
    ready = _ready(str(doc)) if doc else ""
    return _new(Said, (f"{own} {_ready(name)}", f"{pieces} {_ready(fqn)}", ready))


def _split(name: str) -> str:
    """A name as its parts and as one word."""
    return f"{_pieces(name)} {_ready(name)}"


def _ready(text: str) -> str:
    return text if text.isascii() and "\x00" not in text else spread(clean(text))


@lru_cache(maxsize=4096)
def _pieces(name: str) -> str:
    """The parts of a name; many symbols share the names above them, and many their own."""
    return spaced(name)


def words(naming: Naming) -> dict[str, str]:
    """The words asked for: each token once, with a word that the tokeniser makes it of.

    >>> words(Naming(text="getOrders for orders"))
    {'get': 'get', 'order': 'orders', 'for': 'for'}
    """
    text = naming.text
    pieces = parts(text) if text.isascii() else _WORD.findall(spread(clean(text)))
    found: dict[str, str] = {}
    for piece in pieces:
        cut = tokens(piece)
        found |= {token: piece if len(cut) == 1 else token for token in cut}
    return dict(list(found.items())[:MOST_WORDS])


def fit(naming: Naming, name: str, fqn: str) -> float:
    """The level at which a name fits as a name; 0 when it does not.

    >>> fit(Naming(text="Orders.save"), "save", "shop.orders.save")
    0.9
    """
    return fitting(naming)(name, fqn)


@lru_cache(maxsize=64)
def fitting(naming: Naming) -> Callable[[str, str], float]:
    """The level at which names and full names fit this one; made once for many of them."""
    asked, written = plain(naming.text), as_written(naming.text)
    by_fqn, by_name = naming.mode in ("any", "fqn"), naming.mode in ("any", "name")
    last, ending = asked.rpartition(".")[2], f".{asked}"

    def fits(name: str, fqn: str) -> float:
        if not asked:
            return 0.0
        own = lower(name)
        # Full names are taken apart only where they can end so.
        full = dotted(fqn) if by_fqn and lower(fqn).endswith(last) else ""
        if full == asked:
            return WHOLE_FQN
        if by_name and own in (asked, written):
            return WHOLE_NAME
        if full.endswith(ending):
            return FQN_END
        return NAME_START if by_name and own.startswith((asked, written)) else 0.0

    return fits


def worded(count: int, in_name: int, anywhere: int) -> float:
    """The level at which words fit: how many were asked, stand in the name, stand anywhere.

    >>> worded(2, 2, 2), worded(2, 1, 2), worded(2, 1, 1), worded(2, 0, 1), worded(2, 0, 0)
    (0.7, 0.6, 0.2, 0.1, 0.0)
    """
    if not count:
        return 0.0
    if in_name == count:
        return NAME_WORDS
    if anywhere == count:
        return ALL_WORDS + (NAME_WORDS - ALL_WORDS) * in_name / count
    return SOME_WORDS * (in_name + anywhere) / count


def in_name(asked: Collection[str], name: str) -> int:
    """How many of the words stand in a name.

    >>> in_name(["save", "order"], "saveUser")
    1
    """
    held = frozenset(tokens(_split(name)))
    return sum(word in held for word in asked)


def telling(scores: Iterable[float]) -> float:
    """What a score must be above to count: some of the words, only where nothing fits better.

    >>> telling([0.94, 0.1]), telling([0.1, 0.2])
    (0.4, 0.0)
    """
    most = 2 * SOME_WORDS
    return most if any(score > most for score in scores) else 0.0


def judged(level: float, fqn: str) -> float:
    """The score of a level: of two alike, the shorter full name is likelier meant."""
    return round(level - _LENGTH_COST * min(len(fqn), _LENGTH_MOST), 9)


def score(naming: Naming, node: Node) -> float:
    """The score of one symbol, looked at by itself; 0 when it does not fit."""
    properties = node.properties
    if naming.kinds and node.kind not in naming.kinds:
        return 0.0
    if naming.languages and properties.get("language") not in naming.languages:
        return 0.0
    fqn = str(properties["fqn"])
    level = fit(naming, node.name, fqn)
    if naming.mode in ("any", "words"):
        level = max(level, _by_words(words(naming), said(node)))
    return judged(level, fqn) if level else 0.0


def _by_words(asked: Collection[str], text: Said) -> float:
    name, *others = (frozenset(tokens(column)) for column in text)
    everywhere = name.union(*others)
    in_name = sum(word in name for word in asked)
    return worded(len(asked), in_name, sum(word in everywhere for word in asked))
