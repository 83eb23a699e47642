"""Which charset bytes are in that declare none: guessed from how the scripts of people look.

Only where the text leaves no doubt. Scripts written in words of their own letters are told by them;
letters with accents, which stand alone among others, are not, and stay with Windows-1252.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

_SAMPLE_CHARS = 20_000
_LEAST_CHARS = 6  # of those beyond ASCII; fewer prove nothing
_MOST_TORN = 0.02
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_HANZI = re.compile("[\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]")
_SMALL_CYRILLIC = re.compile("[а-яё]")
_SMALL_GREEK = re.compile("[α-ωά-ώ]")
_TORN = re.compile("[а-яёα-ωά-ώ][А-ЯЁΑ-Ω]")
"""A capital inside a word: the letters are of another charset."""
_RUN = re.compile("[^\x00-\x7f]+")


class _Charset(NamedTuple):
    codec: str
    name: str
    letters: re.Pattern[str]
    least: float
    """The share of these letters among all beyond ASCII."""
    least_word: int = 2
    """Letters of a word, on average."""


def _gb2312(content: bytes) -> bool:
    """Whether pairs of bytes are of the table's common characters, as most of any Chinese is."""
    leads = re.findall(rb"([\x81-\xfe])[\x40-\xfe]", content[:_SAMPLE_CHARS])
    common = [lead for lead in leads if 0xA1 <= lead[0] <= 0xD7]
    return len(common) >= 0.9 * len(leads)


# In this order: what is Japanese or Korean also looks like Chinese, but not the other way round.
_CHARSETS: tuple[tuple[_Charset, Callable[[bytes], bool] | None], ...] = (
    (_Charset("cp932", "Shift_JIS", _KANA, 0.2), None),
    (_Charset("euc_jp", "EUC-JP", _KANA, 0.2), None),
    (_Charset("cp949", "EUC-KR", _HANGUL, 0.7), None),
    (_Charset("gb18030", "GB18030", _HANZI, 0.9), _gb2312),
    (_Charset("big5", "Big5", _HANZI, 0.9), None),
    (_Charset("koi8-r", "KOI8-R", _SMALL_CYRILLIC, 0.7, 3), None),
    (_Charset("cp1251", "Windows-1251", _SMALL_CYRILLIC, 0.7, 3), None),
    (_Charset("cp1253", "Windows-1253", _SMALL_GREEK, 0.7, 3), None),
)


def recognised(content: bytes) -> tuple[str, str] | None:
    """The text and the name of its charset, where there is no doubt.

    >>> recognised("Это документ на русском языке.".encode("koi8-r"))
    ('Это документ на русском языке.', 'KOI8-R')
    >>> recognised("Die Größe der Straße".encode("latin-1")) is None
    True
    """
    for charset, condition in _CHARSETS:
        try:
            text = content.decode(charset.codec)
        except ValueError:
            continue
        if _is_written(text[:_SAMPLE_CHARS], charset) and (condition is None or condition(content)):
            return text, charset.name
    return None


def _is_written(text: str, charset: _Charset) -> bool:
    """Whether what is beyond ASCII is words of the script."""
    runs = _RUN.findall(text)
    beyond = sum(map(len, runs))
    torn = len(_TORN.findall(text))
    if beyond < max(_LEAST_CHARS, charset.least_word * len(runs)) or torn > _MOST_TORN * beyond:
        return False
    return sum(len(charset.letters.findall(run)) for run in runs) >= charset.least * beyond
