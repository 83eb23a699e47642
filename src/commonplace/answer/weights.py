"""What a question looks for: its words with their weights, and the kind of answer it expects.

Both are general and deterministic. A word weighs by how rare it is among the candidates (IDF);
a question that asks who, when or how many prefers spans with a name, a date or a number.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from commonplace.engines.bm25 import rarity as telling
from commonplace.retrieve.analyse import analyse
from commonplace.retrieve.words import ENGLISH_STOP_WORDS, small_words, stem, words

_NUMBER_ASKED = re.compile(
    r"\b(?:how (?:many|much|long|old|far|tall|large|big|high|deep|wide|heavy|often|fast)"
    r"|what (?:percentage|percent|number|amount|size|rate|share|age)"
    r"|wie ?(?:viele?|lange|alt|weit|hoch|groß|oft|tief|breit|schwer|schnell))\b",
    re.IGNORECASE,
)
_TIME_ASKED = re.compile(
    r"\b(?:when|what (?:year|date|day|month|time|century|decade)|which (?:year|century|decade)"
    r"|since when|until when|wann|seit wann|bis wann"
    r"|(?:in )?welche[mns]? (?:jahr|datum|tag|monat))\b",
    re.IGNORECASE,
)
_PERSON_ASKED = re.compile(r"\b(?:who|whom|whose|wer|wen|wem|wessen)\b", re.IGNORECASE)

_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty"
    r"|fifty|hundred|thousand|million|billion|dozen|half|third|quarter|once|twice"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|vierzig|fünfzig"
    r"|hundert|tausend|millionen|milliarden|hälfte|drittel|viertel)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b\d{3,4}s?\b|\b\d{1,2}[.:/]\d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)\b"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
    r"|century|Jahrhundert|today|yesterday|tomorrow|tonight|morning|evening|heute|gestern|morgen)\b"
)
_NAME = re.compile(r"(?<=[\w,;] )[^\W\d_a-zß-öø-ÿ][\w’'-]+")

_KINDS = ((_NUMBER_ASKED, _NUMBER), (_TIME_ASKED, _TIME), (_PERSON_ASKED, _NAME))


@dataclass(frozen=True, slots=True)
class Wish:
    """The kind of answer a question expects, if it says so."""

    shape: re.Pattern[str] | None

    def met_by(self, text: str) -> float:
        """1 when the text has such a thing, 0 when not, one half when nothing is expected."""
        if self.shape is None:
            return 0.5
        return 1.0 if self.shape.search(text) else 0.0


@lru_cache(maxsize=64)  # every hit of a page asks with the same question
def wish(question: str) -> Wish:
    """What kind of answer the question expects.

    >>> wish("When was it built?").met_by("It was built in 1871.")
    1.0
    >>> wish("How many seats?").met_by("It has seats.")
    0.0
    """
    for asked, shape in _KINDS:
        if asked.search(question):
            return Wish(shape)
    return Wish(None)


def stems(text: str) -> frozenset[str]:
    """The different stems of a text.

    >>> sorted(stems("Cats like a cat."))
    ['a', 'cat', 'lik']
    """
    return frozenset(map(stem, words(text)))


@lru_cache(maxsize=64)
def question_stems(question: str) -> tuple[str, ...]:
    """Stems of the words that carry a question's meaning, each once.

    >>> question_stems("Where are cats fed?")
    ('cat', 'fed')
    """
    return tuple(dict.fromkeys(stem(term) for term in analyse(question).terms))


def rarity(wanted: Sequence[str], spans: Sequence[frozenset[str]]) -> dict[str, float]:
    """The weight of each wanted stem: its IDF over the spans, as a share of all weights.

    >>> rarity(("a", "b"), [frozenset("a"), frozenset("ab")])["b"] > 0.5
    True
    """
    asked = frozenset(wanted)
    found = dict.fromkeys(wanted, 0)
    for span in spans:
        for word in asked & span:
            found[word] += 1
    weights = {word: telling(len(spans), times) for word, times in found.items()}
    everything = sum(weights.values()) or 1.0
    return {word: weight / everything for word, weight in weights.items()}


_KEYWORDS = 5
"""So many words without any of a language's small ones are still a list of keywords."""


def _language(found: list[str]) -> str:
    """What most small words are of; nothing without any, ``either`` where they do not tell."""
    german, english = small_words(found)
    if german != english:
        return "German" if german > english else "English"
    return "either" if ENGLISH_STOP_WORDS & set(found) else ""


def shares_language(question: str, text: str) -> bool:
    """Whether the words of a question can be expected in a text.

    >>> shares_language("Wie hoch ist der Turm?", "The tower is high, and it is old.")
    False
    >>> shares_language("Was hat die Turmhöhe?", "The tower is high, and it is old.")
    False
    >>> shares_language("tower height", "The tower is high, and it is old.")
    True
    """
    asked = words(question)
    language = _language(asked)
    if not language:
        return len(asked) <= _KEYWORDS
    return language == _language(words(text))


def languages_differ(question: str, text: str) -> bool:
    """Whether each is plainly of a language, and they are not of one.

    >>> languages_differ("Wie hoch ist der Turm?", "The tower is high, and it is old.")
    True
    >>> languages_differ("TypeError: unsupported operand", "The tower is high, and it is old.")
    False
    """
    return {_language(words(question)), _language(words(text))} == {"German", "English"}


CONTEXT_SHARE = 0.5
"""A heading tells what its text is about, and the quote itself need not repeat it."""


class Ruler:
    """Measures how much of a question a stretch of text says; texts are bit masks of its words.

    >>> ruler = Ruler({"a": 0.5, "b": 0.25, "c": 0.25})
    >>> ruler.coverage(ruler.mask(frozenset("a")), context=ruler.mask(frozenset("ab")))
    0.625
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = list(weights.values())
        self._words = frozenset(weights)
        self._bits = {word: 1 << place for place, word in enumerate(weights)}
        self._known: dict[int, float] = {}

    def mask(self, span: frozenset[str]) -> int:
        """Which of the wanted words a span has."""
        mask = 0
        for word in self._words & span:
            mask |= self._bits[word]
        return mask

    def coverage(self, mask: int, context: int = 0) -> float:
        """The weight of the words had; those only its title or headings have count half."""
        own, lent = self._weight(mask), context & ~mask
        return own + CONTEXT_SHARE * self._weight(lent) if lent else own

    def _weight(self, mask: int) -> float:
        known = self._known.get(mask)
        if known is None:
            known = sum(weight for place, weight in enumerate(self._weights) if mask >> place & 1)
            self._known[mask] = known
        return known
