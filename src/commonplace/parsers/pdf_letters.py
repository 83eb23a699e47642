"""What the characters of a PDF mean: codes of old fonts, ligatures, accents drawn by themselves."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Protocol

from commonplace.parsers.drafting import one_line

# Fonts of old TeX say no more than their own codes: those of Cork (T1), then of OT1, then of TS1.
_CORK = {"\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl"}
_CORK |= {"\x10": "“", "\x11": "”", "\x12": "„", "\x15": "–", "\x16": "—"}
_CORK |= {"\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl"}
_CORK |= {"\x84": "†", "\x85": "‡", "\x86": "‖", "\x87": "‰", "\x88": "•"}
_LIGATURES = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"}
_LIGATURES |= {"\ufb05": "st", "\ufb06": "st"}
LIGATURE_SIGNS = {letters: sign for sign, letters in _LIGATURES.items() if letters != "st"}
LIGATURE_SIGNS |= {
    letters: chr(0xE100 + number)
    for number, letters in enumerate(
        ("Th", "tt", "ft", "fft", "tf", "fj", "ffj", "fb", "ffb", "fh", "ffh", "fk", "ffk", "st",
         "ct", "ch", "ck", "Qu", "ti", "tti", "gy", "gg", "fy", "fr", "fs", "fp", "ry")
    )
}  # fmt: skip
"""One character for each ligature: Unicode's own, or one of ours for private use."""
# Adobe's letters for private use: old-style digits, small capitals, pieces of large brackets.
_PRIVATE = {chr(0xF730 + digit): str(digit) for digit in range(10)}
_PRIVATE |= {chr(0xF761 + place): chr(ord("a") + place) for place in range(26)}
_PRIVATE |= dict(zip(map(chr, range(0xF8EB, 0xF8F5)), "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪", strict=True))
_PRIVATE |= dict(zip(map(chr, range(0xF8F6, 0xF8FF)), "⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True))
_PRIVATE |= {sign: letters for letters, sign in LIGATURE_SIGNS.items()}
_NO_CHARACTERS = [chr(code) for code in (*range(32), *range(0x7F, 0xA0)) if code != ord("\t")]
_DROPPED = dict.fromkeys([*_NO_CHARACTERS, "\xad", "\ufffe", "\uffff"], "")
_MENDED = str.maketrans({**_DROPPED, **_LIGATURES, **_CORK, **_PRIVATE})
CORK_LIGATURE = re.compile("[\x1b-\x1f]")

_MARKS = {
    **{"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c"},
    **{"˘": "\u0306", "˝": "\u030b", "˙": "\u0307", "¸": "\u0327", "˚": "\u030a", "¯": "\u0304"},
    "˛": "\u0328",
}
_MARK = re.compile(f"[{''.join(_MARKS)}]")
_DOTLESS = {"ı": "i", "ȷ": "j"}
_NOTHING = "\0"  # in place of what is gone: places of characters stay those of the page
_ASIDE = 0.2  # ems an accent may stand beside the middle of its letter
_FAR = 400  # characters between an accent and its letter, in the order they are drawn
_LEVEL = 0.5  # ems between baselines of a letter and its accent; a line above is a whole one away
_THIN = 0.12  # ems: less than any space between words


class Places(Protocol):
    """Where the characters of a page stand."""

    def sides(self, at: int) -> tuple[float, float]:
        """Left and right edge."""
        ...

    def size(self, at: int) -> float:
        """Of the font."""
        ...

    def baseline(self, at: int) -> float:
        """Height of the line it stands on."""
        ...

    def font(self, at: int) -> bytes:
        """The name of its font."""
        ...


Fonts = Mapping[bytes, Mapping[int, str]]
"""Signs for codes, by the name of their font."""


def mended(text: str) -> str:
    r"""The text with ligatures as letters, without what is no character.

    >>> mended("\ufb01nd\uffff \uf731\uf739"), mended("\x88 one")
    ('find 19', '• one')
    """
    text = text.translate(_MENDED)
    if not text.isascii():
        halves = text.encode("utf-16-le", "surrogatepass")
        text = halves.decode("utf-16-le", "ignore")
    return one_line(text)


def with_ligatures(places: Places, text: str, fonts: Fonts) -> str:
    """The text with signs where fonts have named the ligatures of their codes; places stay."""
    codes = {chr(code) for one in fonts.values() for code in one}
    if codes.isdisjoint(text):
        return text
    chars = list(text)
    for at, char in enumerate(text):
        if char in codes:
            named = fonts.get(places.font(at).rpartition(b"+")[2], {})
            chars[at] = named.get(ord(char), char)
    return "".join(chars)


def with_accents(places: Places, text: str) -> str:
    """The text of a page with letters and the accents drawn over them as one character.

    TeX draws them so in its oldest encoding; then pdfium gives the accent before its letter, with
    spaces around it, or at the end of the line. As long as before: places stay.
    """
    if not _MARK.search(text):
        return text
    chars = list(text)
    for found in _MARK.finditer(text):
        at = found.start()
        letter = _letter_of(places, chars, at)
        if letter is None:
            continue
        bare = _DOTLESS.get(chars[letter], chars[letter])
        made = unicodedata.normalize("NFC", bare + _MARKS[found.group()])
        if len(made) == 1:
            chars[letter] = made
            _close(places, chars, at, letter)
    return "".join(chars)


def _letter_of(places: Places, chars: list[str], at: int) -> int | None:
    """The letter of the line that stands under an accent, if one does."""
    left, right = places.sides(at)
    middle, most = (left + right) / 2, _ASIDE * max(places.size(at), 1.0)
    for near in (at + 1, at - 1):
        is_letter = 0 <= near < len(chars) and _is_letter(chars[near])
        if is_letter and _off(places, near, middle) <= most:
            return near
    own = _line(chars, at)
    before, after = _line(chars, own.start - 3), _line(chars, own.stop + 2)
    for line in (own, before, after):
        letters = [one for one in line if _is_letter(chars[one])]
        off, best = min(((_off(places, one, middle), one) for one in letters), default=(most, at))
        is_level = abs(places.baseline(best) - places.baseline(at)) < _LEVEL * places.size(at)
        if off < most and is_level:
            return best
    return None


def _is_letter(char: str) -> bool:
    return char.isalpha() and char not in _MARKS  # some of which Unicode calls letters


def _line(chars: list[str], at: int) -> range:
    """The characters around a place up to the ends of its line, as pdfium ends lines."""
    if not 0 <= at < len(chars):
        return range(0)
    first, last = at, at
    while first > 0 and at - first < _FAR and chars[first - 1] not in "\r\n":
        first -= 1
    while last + 1 < len(chars) and last - at < _FAR and chars[last + 1] not in "\r\n":
        last += 1
    return range(first, last + 1)


def _off(places: Places, at: int, middle: float) -> float:
    left, right = places.sides(at)
    return abs((left + right) / 2 - middle)


def _close(places: Places, chars: list[str], at: int, letter: int) -> None:
    """Take an accent out, and the spaces pdfium made around it where its word has none."""
    chars[at] = _NOTHING
    before = at - 1
    while before >= 0 and chars[before] in " \xa0":
        before -= 1
    after = at + 1
    while after < len(chars) and chars[after] in " \xa0":
        after += 1
    if after >= len(chars) or chars[after] in "\r\n":
        chars[before + 1 : after] = [" "] * (after - before - 1)  # at the end of its line
    elif before >= 0 and after == letter and after - before > 2:
        gap = places.sides(after)[0] - places.sides(before)[1]
        if gap < _THIN * max(places.size(after), 1.0):
            chars[before + 1 : after] = [_NOTHING] * (after - before - 1)
