"""LaTeX in fields of bibliographies, as plain text."""

import re
import unicodedata

_COMBINING = {
    **{"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304"},
    **{".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328"},
    **{"r": "\u030a", "d": "\u0323", "b": "\u0331"},
}
_LETTERS = {
    **{"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ"},
    **{"OE": "Œ", "aa": "å", "AA": "Å", "i": "i", "j": "j", "textendash": "–", "textemdash": "—"},
}
_ACCENT = re.compile(r"\\(?:([`'^~\"=.])\s*|([uvHckrdb])(?:\s+|(?=\{)))\{?\\?([A-Za-z])\}?")
_LETTER = re.compile(r"\\(textendash|textemdash|ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?![A-Za-z])\s?")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s?")


def _accented(found: re.Match[str]) -> str:
    mark = _COMBINING[found.group(1) or found.group(2)]
    return unicodedata.normalize("NFC", found.group(3) + mark)


def plain(text: str) -> str:
    r"""Accents as letters, commands and braces gone, one space between words.

    >>> plain(r"{\"U}ber {Erd{\H{o}}s} \& \emph{graphs} -- a {\ss}")
    'Über Erdős & graphs – a ß'
    """
    text = _ACCENT.sub(_accented, text)
    text = _LETTER.sub(lambda found: _LETTERS[found.group(1)], text)
    text = re.sub(r"\\([&%$#_{}])", r"\1", _COMMAND.sub("", text))
    text = re.sub(r"[{}]", "", text).replace("---", "—").replace("--", "–")
    return " ".join(text.replace("~", " ").split())
