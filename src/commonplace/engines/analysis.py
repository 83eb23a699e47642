"""Text as the lexical index sees it: the same pure functions for what is stored and what is asked.

Engines tokenise with FTS5's ``porter unicode61``. What that tokeniser cannot do happens here:
identifiers are split at case and underscore, Chinese, Japanese and Korean runs become character
pairs, compatibility forms are normalised. A query becomes token sequences, each quoted, so no
text of a user ever reaches the query syntax.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from commonplace.domain.query import Query

TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2")
"""How FTS5 cuts and stems; ``2`` also strips marks of composed letters (SQLite manual)."""

COLUMNS = {"title": 3.0, "headings": 2.0, "body": 1.0, "identifiers": 0.5}
"""The lexical columns and their weights in BM25: title > headings > body (DESIGN §5)."""

_SEQUENCES_MOST = 256  # a pasted page as a query must not make a query of a thousand branches
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


@dataclass(frozen=True, slots=True)
class Sequence:
    """Words that must follow each other; the last may be the start of a longer one."""

    words: tuple[str, ...]
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a query asks of a passage: all of ``required``, any of ``optional``."""

    required: tuple[Sequence, ...] = ()
    optional: tuple[Sequence, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing can match."""
        return not self.required and not self.optional


def is_storable(text: str) -> bool:
    """Whether text can be kept as it is: NUL and lone surrogates cannot.

    >>> is_storable("naïve"), is_storable("a" + chr(0)), is_storable(chr(0xD800))
    (True, False, False)
    """
    return _UNSTORABLE.search(text) is None


def clean(text: str) -> str:
    """Text without what cannot be stored; each such character becomes U+FFFD.

    >>> clean("a" + chr(0) + "b")
    'a\ufffdb'
    """
    return text if text.isascii() and "\x00" not in text else _UNSTORABLE.sub("\ufffd", text)


def _pairs(run: str) -> str:
    # The last character stands alone too, so that every character starts some token and a
    # one-character query finds it as a prefix.
    return " ".join(run[at : at + 2] for at in range(len(run)))


def spread(text: str) -> str:
    """Text ready for the tokeniser: normalised, with CJK runs as overlapping character pairs.

    >>> spread("in 東京都 now"), spread("plain")
    ('in  東京 京都 都  now', 'plain')
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
    return tuple(part.lower() for part in _PART.findall(word))


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


def _sequence(words: Iterable[str]) -> Sequence | None:
    tokens: list[str] = []
    for word in words:
        pieces = [piece for piece in spread(clean(word)).split() if any(map(str.isalnum, piece))]
        if len(pieces) > 1 and len(pieces[-1]) == 1 and _CJK.match(pieces[-1]):
            pieces.pop()  # the lone last character: the stored run may go on
        tokens += pieces
    if not tokens:
        return None
    is_prefix = len(tokens) == 1 and len(tokens[0]) == 1 and bool(_CJK.match(tokens[0]))
    return Sequence(tuple(tokens), is_prefix)


def wanted(query: Query) -> Wanted:
    """The token sequences of an analysed query, each once.

    >>> wanted(Query(text="", terms=("pool", "size"), identifiers=("maxPool",))).optional
    (Sequence(words=('pool',), is_prefix=False), Sequence(words=('size',), is_prefix=False), \
Sequence(words=('max', 'pool'), is_prefix=False), Sequence(words=('maxpool',), is_prefix=False))
    >>> wanted(Query(text="", phrases=(("東京都",),))).required
    (Sequence(words=('東京', '京都'), is_prefix=False),)
    """
    optional = [_sequence((term,)) for term in query.terms]
    for identifier in query.identifiers:
        pieces = parts(clean(identifier))
        optional += [_sequence(pieces), _sequence(("".join(pieces),))]
    required = [_sequence(phrase) for phrase in query.phrases]
    return Wanted(_distinct(required), _distinct(optional))


def _distinct(sequences: Iterable[Sequence | None]) -> tuple[Sequence, ...]:
    return tuple(dict.fromkeys(s for s in sequences if s is not None))[:_SEQUENCES_MOST]


def scored(want: Wanted) -> tuple[Sequence, ...]:
    """Every sequence that adds to a passage's score, in the order of the match expression.

    >>> [s.words for s in scored(Wanted((Sequence(("a",)),), (Sequence(("b",)),)))]
    [('a',), ('a',), ('b',)]
    """
    if not want.required or not want.optional:
        return want.required + want.optional
    # A passage with every phrase but no further word matches too: the first phrase is repeated
    # among the alternatives.
    return (*want.required, want.required[0], *want.optional)


def _quoted(sequence: Sequence) -> str:
    words = " ".join(sequence.words).replace('"', '""')
    return f'"{words}"' + ("*" if sequence.is_prefix else "")


def expression(want: Wanted) -> str:
    """The FTS5 match expression: every word quoted, so none is syntax.

    >>> expression(Wanted((Sequence(("a", "b")),), (Sequence(("NEAR",)),)))
    '"a b" AND ("a b" OR "NEAR")'
    """
    required = [_quoted(s) for s in want.required]
    optional = [_quoted(s) for s in want.optional]
    if not required:
        return " OR ".join(optional)
    if optional:
        required.append(f"({' OR '.join([required[0], *optional])})")
    return " AND ".join(required)
