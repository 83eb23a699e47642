"""Text as the lexical index sees it: the same pure functions for what is stored and what is asked.

Words are cut and stemmed by SQLite's ``porter unicode61``, called as a function. What it cannot
do happens here: identifiers are split at case and underscore, Chinese, Japanese and Korean runs
become characters and character pairs, compatibility forms are normalised.
"""

import re
import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import cast

from commonplace.domain.query import Query

COLUMNS = {"title": 3.0, "headings": 2.0, "body": 1.0, "identifiers": 0.5}
"""Where a word can stand and what it counts there: title > headings > body (DESIGN §5)."""

HALVES_MOST = 255
"""Counts are kept in halves, in one byte: a word cannot count for more than 127.5."""

_TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2")
# ``2`` also strips marks of composed letters (SQLite manual, FTS5)
_WORDS_MOST = 256  # a pasted page as a query must not cost a thousand lookups
_JOINED_PARTS_MOST = 5  # paths and addresses are longer; nobody types them as one word
_WORD_CHARS_MOST = 200  # longer "words" are base64 and the like: no identifiers

_CJK = re.compile(
    "[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
# Starts only where a word starts and never goes back: a megabyte of any text stays linear.
_STRUCTURED = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9][a-z0-9]*+(?:[A-Z]|[_.\-:/][A-Za-z0-9])[A-Za-z0-9_.\-:/]*+"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


Columns = tuple[tuple[str, ...], ...]
"""The tokens of one passage, column by column."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The words of a passage: what each counts, in halves, and how many there are in all."""

    halves: Mapping[str, int]
    length: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a query asks of a passage: any of the words, by their weight, and all the phrases."""

    words: Mapping[str, float]
    phrases: tuple[tuple[str, ...], ...] = ()


class _Local(threading.local):
    """A tokeniser for each thread: it lives on a connection, and those are not shared."""

    def __init__(self) -> None:
        import apsw  # noqa: PLC0415 - engines are listed without it

        name, *arguments = _TOKENIZER
        cut = apsw.Connection(":memory:").fts5_tokenizer(name, arguments)
        self.cut = partial(
            cut,
            flags=apsw.FTS5_TOKENIZE_DOCUMENT,
            locale=None,
            include_offsets=False,
            include_colocated=False,
        )


@cache
def _local() -> _Local:
    return _Local()


def tokens(text: str) -> tuple[str, ...]:
    """The stemmed tokens of a text that ``spread`` has made ready.

    >>> tokens("Running Wölfe, max_size")
    ('run', 'wolf', 'max', 'size')
    """
    return tuple(cast("Iterable[str]", _local().cut(utf8=text.encode())))


def is_storable(text: str) -> bool:
    """Whether text can be kept as it is: NUL and lone surrogates cannot.

    >>> is_storable("naïve"), is_storable("a" + chr(0)), is_storable(chr(0xD800))
    (True, False, False)
    """
    if text.isascii():
        return "\x00" not in text
    return _UNSTORABLE.search(text) is None


def clean(text: str) -> str:
    """Text without what cannot be stored; each such character becomes U+FFFD.

    >>> clean("a" + chr(0) + "b")
    'a\ufffdb'
    """
    return text if text.isascii() and "\x00" not in text else _UNSTORABLE.sub("\ufffd", text)


def _pairs(run: str) -> str:
    return " ".join((*run, *(run[at : at + 2] for at in range(len(run) - 1))))


def spread(text: str) -> str:
    """Text ready for the tokeniser: normalised, CJK runs as characters and overlapping pairs.

    >>> spread("in 東京都 now"), spread("plain")
    ('in  東 京 都 東京 京都  now', 'plain')
    """
    if text.isascii():
        return text
    normal = unicodedata.normalize("NFKC", clean(text))
    return _CJK.sub(lambda run: f" {_pairs(run[0])} ", normal)


def parts(word: str) -> tuple[str, ...]:
    """The lower-case parts of an identifier, split at case, digits and punctuation.

    >>> parts("maxPoolSize"), parts("HTTPClient2"), parts("--dry-run"), parts("max_pool_size")
    (('max', 'pool', 'size'), ('http', 'client', '2'), ('dry', 'run'), ('max', 'pool', 'size'))
    """
    return tuple(spaced(word).split())


def spaced(word: str) -> str:
    """The same parts, with a space between them.

    >>> spaced("maxPoolSize")
    'max pool size'
    """
    return " ".join(_PART.findall(word)).lower()


def identifiers(text: str) -> str:
    """The structured words of a text, each as its parts and as one word, for their own column.

    >>> identifiers("Set maxPoolSize or max_pool_size in http.client; read the rest.")
    'max pool size maxpoolsize max pool size maxpoolsize http client httpclient'
    """
    found: list[str] = []
    for match in _STRUCTURED.finditer(text):
        word = match[0]
        pieces = parts(word) if len(word) <= _WORD_CHARS_MOST else ()
        if len(pieces) > 1:
            found += pieces
        if 1 < len(pieces) <= _JOINED_PARTS_MOST:
            found.append("".join(pieces))
    return " ".join(found)


def columns(title: str, headings: Sequence[str], text: str) -> Columns:
    """The tokens of a passage, in the order of ``COLUMNS``.

    >>> columns("Pools", ("Size",), "Set max_size.")
    (('pool',), ('size',), ('set', 'max', 'size'), ('max', 'size', 'maxsiz'))
    """
    joined = " ".join(headings)
    code = identifiers(f"{joined} {text}")
    return tuple(tokens(column) for column in (spread(title), spread(joined), spread(text), code))


def count(found: Columns) -> Counted:
    """What each word of a passage counts for.

    >>> count((("pool",), (), ("pool", "set"), ())).halves
    {'pool': 8, 'set': 2}
    """
    halves: dict[str, int] = {}
    for column, weight in zip(found, COLUMNS.values(), strict=True):
        worth = int(2 * weight)
        for word in column:
            halves[word] = halves.get(word, 0) + worth
    for word, held in halves.items():
        if held > HALVES_MOST:
            halves[word] = HALVES_MOST
    return Counted(halves, sum(map(len, found)))


def _cut(words: Iterable[str]) -> tuple[str, ...]:
    """The tokens a query's words come to: of CJK runs the pairs, of a lone character itself."""
    found: list[str] = []
    for word in words:
        pieces = spread(clean(word)).split()
        paired = [piece for piece in pieces if len(piece) > 1 or not _CJK.match(piece)]
        found += tokens(" ".join(paired or pieces))
    return tuple(found)


def wanted(query: Query) -> Wanted:
    """The tokens of an analysed query. A word of a phrase is a word too.

    >>> wanted(Query(text="", terms=("pool", "sizes"), identifiers=("maxPool",))).words
    {'pool': 1.0, 'size': 1.0, 'maxpool': 1.0}
    >>> wanted(Query(text="", phrases=(("東京都",),))).phrases
    (('東京', '京都'),)
    """
    weights: dict[str, float] = {}
    for term in query.terms:
        for token in _cut((term,)):
            weights[token] = max(weights.get(token, 0.0), query.weights.get(term, 1.0))
    for identifier in query.identifiers:
        pieces = parts(clean(identifier))
        is_joined = len(pieces) <= _JOINED_PARTS_MOST
        for token in _cut(("".join(pieces),) if is_joined else pieces):
            weights.setdefault(token, 1.0)
    phrases = dict.fromkeys(phrase for phrase in map(_cut, query.phrases) if phrase)
    for phrase in phrases:
        for token in phrase:
            weights.setdefault(token, 1.0)
    return Wanted(dict(list(weights.items())[:_WORDS_MOST]), tuple(phrases)[:_WORDS_MOST])


def holds(found: Columns, phrases: Iterable[tuple[str, ...]]) -> bool:
    """Whether each phrase stands in some column, its words one after the other.

    >>> holds((("a", "b", "c"), ("d",)), [("b", "c"), ("d",)]), holds((("a", "b"),), [("b", "a")])
    (True, False)
    """
    lines = [f" {' '.join(column)} " for column in found]
    return all(any(f" {' '.join(phrase)} " in line for line in lines) for phrase in phrases)
