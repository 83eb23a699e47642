"""Words as the read path sees them: tokens, stop words, stems.

Two small lists of stop words and one light stemmer are enough here: engines stem on their own,
and what these functions decide is only which words of a question carry its meaning and whether
a sentence has them.
"""

import re
import unicodedata
from functools import lru_cache

WORD = re.compile(r"[^\W_]+")
# What each character becomes where all are ASCII: a third of the time of the pattern.
_SPACED = "".join(mark.lower() if mark.isalnum() else " " for mark in map(chr, range(128)))

_ENGLISH = """
a about above after again against all also am an and any are aren as at be because been before
being below between both but by can could couldn d did didn do does doesn doing don down during
each either else ever few for from further get give given had hadn has hasn have haven having he
her here hers herself him himself his how however i if in into is isn it its itself just let ll m
may me might mine more most much must my myself no nor not now of off on once only onto or other
ought our ours ourselves out over own per please re s same shall she should shouldn so some such
t tell than that the their theirs them themselves then there these they this those through thus
to too under until up upon us use used using ve very via was wasn we were weren what when where
whether which while who whom whose why will with within without won would wouldn you your yours
yourself
"""
_GERMAN = """
aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes
auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den denn der des
dessen deren dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem
einen einer eines er es etwas euch euer eure für gegen gewesen gibt hab habe haben hat hatte hatten
hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in ist ja jede jedem jeden
jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner können könnte
machen man manche mein meine mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein
seine seinem seinen seiner seit sich sie sind so solche soll sollte sondern sonst über um und uns
unser unsere unter viel vom von vor wann war waren warum was weil welche welchem welchen welcher
welches wem wen wenn wer werde werden wessen wie wieder will wir wird wirst wo wollen wollte wurde
wurden während würde würden zu zum zur zwar zwischen
"""
ENGLISH_STOP_WORDS = frozenset(_ENGLISH.split())
GERMAN_STOP_WORDS = frozenset(_GERMAN.split())

# German words that are ordinary English ones too: in an English question they carry meaning.
_BOTH = "also am an dies hat her hin in man so war was will die den"
_SHARED = frozenset(_BOTH.split())

_VOWELS = frozenset("aeiouyäöü")


def words(text: str) -> list[str]:
    """The lower-case words of a text, in order; an underscore divides words.

    >>> words("Set max_pool_size to 3.5 (Größe)!")
    ['set', 'max', 'pool', 'size', 'to', '3', '5', 'größe']
    """
    if text.isascii():
        return text.translate(_SPACED).split()
    return WORD.findall(text.lower())


def is_german(found: list[str]) -> bool:
    """Whether words of a question are rather German than English.

    >>> is_german(words("Welcher Sturm war das?")), is_german(words("What was the storm?"))
    (True, False)
    """
    german, english = small_words(found)
    return german > english


def small_words(found: list[str]) -> tuple[int, int]:
    """How many small words are German only, and how many English only.

    >>> small_words(words("Was war in The Mask of Anarchy der Anlass?"))
    (1, 2)
    """
    german = sum(word in GERMAN_STOP_WORDS and word not in _SHARED for word in found)
    english = sum(word in ENGLISH_STOP_WORDS and word not in GERMAN_STOP_WORDS for word in found)
    return german, english


def stop_words(found: list[str]) -> frozenset[str]:
    """The stop words of the language these words seem to be in.

    >>> "die" in stop_words(["how", "did", "he", "die"])
    False
    """
    if is_german(found):
        return GERMAN_STOP_WORDS
    return ENGLISH_STOP_WORDS


def _cut(word: str, endings: tuple[str, ...], least: int) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light stem: endings of number, tense and case are cut, accents folded.

    >>> [stem(word) for word in ("policies", "policy", "running", "runs", "configured", "size")]
    ['polici', 'polici', 'run', 'run', 'configur', 'siz']
    >>> stem("Häusern".lower()) == stem("häuser")
    True
    """
    if not word.isascii():
        folded = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
        word = "".join(letter for letter in folded if not unicodedata.combining(letter))
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    shorter = word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        shorter = word[:-1]
    if shorter.endswith("ie"):
        shorter = shorter[:-2] + "y"
    cut = _cut(shorter, ("ingly", "edly", "ing", "ed", "ern", "en", "er", "ly"), 3)
    if cut is not shorter and len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "lsz":
        cut = cut[:-1]  # running -> runn -> run
    if cut is not shorter and not _VOWELS & set(cut):
        cut = shorter  # string is not str + ing
    cut = _cut(cut, ("e",), 3)
    return cut[:-1] + "i" if cut.endswith("y") and len(cut) > 3 else cut
