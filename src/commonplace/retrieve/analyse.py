"""A question becomes a Query: terms, phrases, identifiers and sub-questions.

Plain functions of the text alone: the same text always gives the same query, and no text can
make one fail or take long.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from commonplace.domain.query import Query
from commonplace.retrieve.words import stem, stop_words, words

MAX_CHARS = 16_000
"""What follows is ignored: no question needs more, and a hostile one must not take long."""
MAX_TERMS = 160
"""A pasted abstract has about 120 different words; each term costs the engine a lookup."""
MAX_PHRASES = 8
REPEATED = 0.75
"""The power of how often a question says a word that this word counts by: of .5, .6, .75 and 1 the
first costs cisi .013, the last toolsel-seal-in .008 (docs/evaluation.md)."""
MAX_PARTS = 5
"""More sentences than these are a pasted text, not a list of questions."""

_UNREADABLE = re.compile(r"[\x00\ud800-\udfff]")
_PHRASE = re.compile(r"[\"“”„«»]([^\"“”„«»]{2,300})[\"“”„«»]")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b", re.IGNORECASE)
_IDENTIFIER = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*[\w]"  # a flag: --dry-run
    r"|\b\w+(?:_\w+)+\b|\b_+\w+"  # snake_case, _private
    r"|\b[A-Za-z_]\w*(?:(?:\.|::|->|/)[A-Za-z_]\w*)+"  # os.path.join, std::vector, a/b
    r"|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"  # camelCase, PascalCase
    r"|\b[A-Za-z_]\w*(?=\(\))"  # main()
)
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# Runs of Han, kana and Hangul have no spaces between words; engines match them by pairs.
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")

_ASKING = (
    r"what|who|whom|whose|where|when|why|which|how|is|are|was|were|does|do|did|can|could|should"
    r"|was|wer|wo|wann|warum|welche[rsnm]?|wie|ist|sind|kann|können"
)
_JOINT = re.compile(
    rf"(?:,\s*|;\s*|\s)(?:and|und)\s+(?=(?:{_ASKING})\b)|\s+(?:vs\.?|versus)\s+|;\s+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_LEAST_TERMS = 2
_COMPARISON = re.compile(
    r"\b(?:compare|comparison of|differences? between|vergleiche|unterschied(?:e)? zwischen)\s+"
    r"(?P<first>.{2,120}?)\s+(?:and|with|to|und|mit)\s+(?P<second>.{2,120})",
    re.IGNORECASE,
)


def clean(text: str) -> str:
    r"""Text without what no engine can read: NUL, lone surrogates, compatibility forms.

    >>> clean("a\x00b\ud800 ﬁle")
    'a b  file'
    """
    readable = _UNREADABLE.sub(" ", text[:MAX_CHARS])
    return unicodedata.normalize("NFKC", readable)


def pairs(run: str) -> list[str]:
    """A run of characters without spaces as overlapping pairs.

    >>> pairs("東京都")
    ['東京', '京都']
    """
    if len(run) < 2:
        return [run]
    return [run[place : place + 2] for place in range(len(run) - 1)]


def identifiers(text: str) -> tuple[str, ...]:
    """Words of a text that look like code, each once, as written.

    >>> identifiers("Does HttpClient.get() honour max_pool_size or --dry-run?")
    ('HttpClient.get', 'max_pool_size', '--dry-run')
    """
    return tuple(dict.fromkeys(match.group() for match in _IDENTIFIER.finditer(text)))


def pieces(identifier: str) -> list[str]:
    """The words an identifier is made of.

    >>> pieces("HttpClient.get")
    ['http', 'client', 'get']
    """
    return [piece.lower() for piece in _HUMP.findall(identifier)]


@lru_cache(maxsize=64)  # the weights and the parts of a question ask for them again
def terms(text: str) -> tuple[str, ...]:
    """Words worth matching, each once; all of them when every word is a stop word.

    >>> terms("How do I set the HttpClient's timeout?")
    ('set', 'httpclient', 'timeout', 'http', 'client')
    >>> terms("to be or not to be")
    ('to', 'be', 'or', 'not')
    """
    return tuple(dict.fromkeys(_found(text)))[:MAX_TERMS]


def _found(text: str) -> list[str]:
    """The words worth matching as often as they occur, then the pieces of identifiers."""
    plain = _POSSESSIVE.sub("", text)
    spaced = _CJK.sub(lambda run: f" {' '.join(pairs(run.group()))} ", plain)
    found = words(spaced)
    for identifier in identifiers(plain):
        found.extend(pieces(identifier))
    ignored = stop_words(found)
    return [word for word in found if word not in ignored] or found


def weights(text: str) -> dict[str, float]:
    """What a word counts for that a question names more than once, in whatever form.

    Long questions repeat what they are about; engines match stems, so stems are counted.

    >>> weights("a retrieval system among sixteen systems")
    {'system': 1.681792830507429, 'systems': 1.681792830507429}
    """
    spoken = Counter(map(stem, words(_POSSESSIVE.sub("", text))))
    often = {term: spoken[stem(term)] for term in terms(text)}
    return {term: count**REPEATED for term, count in often.items() if count > 1}


def phrases(text: str) -> tuple[tuple[str, ...], ...]:
    """Word sequences between double quotation marks, of two words or more.

    >>> phrases('the "query planner" and "it"')
    (('query', 'planner'),)
    """
    quoted = (tuple(words(match.group(1))) for match in _PHRASE.finditer(text))
    return tuple(dict.fromkeys(phrase for phrase in quoted if len(phrase) > 1))[:MAX_PHRASES]


def parts(text: str) -> tuple[str, ...]:
    """The questions a compound question is made of; empty when it is one, or too many.

    >>> parts("What is WAL? How large can it grow?")
    ('What is WAL?', 'How large can it grow?')
    >>> parts("compare WAL mode with rollback journals")
    ('WAL mode', 'rollback journals')
    >>> parts("salt and pepper")
    ()
    """
    compared = _COMPARISON.search(text)
    found = _sentences(text)
    if compared and len(found) < 2:
        found = [compared["first"], compared["second"].rstrip(" ?.!")]
    elif len(found) < 2:
        found = [part.strip() for part in _JOINT.split(text)]
    worth = [part for part in found if len(part) > 2]
    distinct = tuple(dict.fromkeys(worth))
    return distinct if 1 < len(distinct) <= MAX_PARTS else ()


def _sentences(text: str) -> list[str]:
    """Sentences with something to look for; what has too little belongs to the one before."""
    found: list[str] = []
    for sentence in _SENTENCE.split(text.strip()):
        is_short = not sentence.endswith("?") and len(terms(sentence)) < _LEAST_TERMS
        if found and is_short:
            found[-1] = f"{found[-1]} {sentence}"
        elif sentence:
            found.append(sentence)
    return found


@lru_cache(maxsize=64)  # the read path and every quote of a reply ask with the same question
def analyse(text: str) -> Query:
    """Everything the read path wants to know about a question.

    >>> analyse("Where is `max_pool_size` set?").identifiers
    ('max_pool_size',)
    """
    readable = clean(text)
    return Query(
        text=" ".join(readable.split()),
        terms=terms(readable),
        weights=weights(readable),
        phrases=phrases(readable),
        identifiers=identifiers(readable),
        parts=parts(readable),
    )
