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
    **{"OE": "Œ", "aa": "å", "AA": "Å", "i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ"},
    **{"TH": "Þ", "dj": "đ", "DJ": "Đ", "SS": "ẞ"},
}
_SIGNS = {
    **{"textendash": "–", "textemdash": "—", "ldots": "…", "dots": "…", "textellipsis": "…"},
    **{"textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“"},
    **{"textquotedblright": "”", "textquotesingle": "'", "textregistered": "®"},
    **{"texttrademark": "™", "textcopyright": "©", "textdegree": "°", "textmu": "µ"},
    **{"textasciitilde": "~", "times": "×", "pm": "±", "infty": "∞", "leq": "≤", "geq": "≥"},
    **{"textbackslash": "\\", "guillemotleft": "«", "guillemotright": "»", "S": "§"},
    **{name: name for name in ("TeX", "LaTeX", "BibTeX")},
}
_GREEK = {
    name: unicodedata.lookup(f"GREEK SMALL LETTER {name.upper()}")
    for name in (
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
        *("mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    )
}
_GREEK |= {name.title(): sign.upper() for name, sign in _GREEK.items()} | {"lambda": "λ"}
_GREEK |= {"Lambda": "Λ", "varepsilon": "ε", "varphi": "φ", "vartheta": "θ"}
_NAMED = _LETTERS | _SIGNS | _GREEK
_ACCENT = re.compile(r"\\(?:([`'^~\"=.])\s*|([uvHckrdb])(?:\s+|(?=\{)))\{?\\?([A-Za-z])\}?")
_LETTER = re.compile(rf"\\({'|'.join(sorted(_NAMED, key=len, reverse=True))})(?![A-Za-z])\s?")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s?")
_BLANK = re.compile(r"\\[\s,;:!>]|(?<!\\)~")
_NOTHING = re.compile(r"\\[-/@()\[\]]")  # where a word may break, and the ends of a formula
_FORMULA = re.compile(r"(?<!\\)\$([^$]*)(?<!\\)\$")
_RAISED = re.compile(r"[\^_]")
_MARKS = {"---": "—", "--": "–", "``": "“", "''": "”"}


def _accented(found: re.Match[str]) -> str:
    mark = _COMBINING[found.group(1) or found.group(2)]
    return unicodedata.normalize("NFC", found.group(3) + mark)


def plain(text: str) -> str:
    r"""Accents as letters, commands and braces gone, one space between words.

    >>> plain(r"{\"U}ber {Erd{\H{o}}s} \& \emph{graphs} -- a {\ss}")
    'Über Erdős & graphs – a ß'
    >>> plain(r"The $\beta$-decay of $^{3}$H: ``na{\"\i}ve''~\LaTeX")
    'The β-decay of 3H: “naïve” LaTeX'
    """
    text = _BLANK.sub(" ", text)
    text = _FORMULA.sub(lambda found: f"{{{_RAISED.sub('', found[1])}}}", text)
    text = _ACCENT.sub(_accented, text)
    text = _LETTER.sub(lambda found: _NAMED[found[1]], text)
    text = _NOTHING.sub("", _COMMAND.sub("", text))
    text = re.sub(r"\\([&%$#_{}])", r"\1", re.sub(r"(?<!\\)[{}]", "", text))
    for mark, sign in _MARKS.items():
        text = text.replace(mark, sign)
    return " ".join(text.split())
