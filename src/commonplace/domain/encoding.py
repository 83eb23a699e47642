"""Bytes to text that can always be stored: byte order marks, declared charsets, cautious guesses.

Newlines stay as they are, so that offsets count the characters of the file.
"""

import codecs
import re
from dataclasses import dataclass

GUESSED = "not UTF-8"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Charsets of the WHATWG encoding standard; Python's other codecs are no charsets of documents.
_CHARSETS = re.compile(
    r"(utf|iso|windows|cp|koi8|mac|euc|shift|gb|big5|latin|us-ascii|ascii|tis|johab|hz)[\w-]*"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text without NUL and lone surrogates, and what had to be guessed or replaced."""

    text: str
    warnings: tuple[str, ...] = ()


def clean(text: str) -> str:
    r"""The text with every character that cannot be stored replaced.

    >>> clean("a\x00b")
    'a�b'
    """
    return _UNSTORABLE.sub(REPLACEMENT, text)


def _declared(content: bytes, charset: str | None) -> str | None:
    name = (charset or "").strip().lower()
    if not _CHARSETS.fullmatch(name) or name in {"utf-7", "utf7"}:
        return None
    # Browsers read these two as cp1252 (WHATWG encoding standard): so do the files that name them.
    name = "cp1252" if name in {"iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii"} else name
    try:
        return content.decode(name)
    except (LookupError, ValueError):
        return None


def _guess(content: bytes) -> Decoded:
    """Text that is not valid UTF-8: damaged UTF-8 when most of it is, else what it looks like."""
    text = content.decode("utf-8", "replace")
    broken = text.count(REPLACEMENT)
    intact = sum(1 for char in text if char > "\x7f") - broken
    if intact >= broken:
        return Decoded(text, (f"invalid UTF-8: {broken} places replaced with U+FFFD",))
    # Nearly all text is UTF-8, and making the patterns of every script costs each process 4 ms.
    from commonplace.domain.charsets import recognised  # noqa: PLC0415

    text, name = recognised(content) or (_western(content), "Windows-1252")
    return Decoded(text, (f"{GUESSED}: read as {name}; save the file as UTF-8 to be sure",))


def _western(content: bytes) -> str:
    """One byte a character: every byte has a meaning in one of the two."""
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def decode(content: bytes, charset: str | None = None) -> Decoded:
    r"""The text of ``content``; ``charset`` is what the document or its server declares.

    >>> decode(b"caf\xc3\xa9").text, decode(b"caf\xe9").text
    ('café', 'café')
    >>> decode("é".encode("utf-16")).text
    'é'
    """
    decoded = _decode(content, charset)
    text = clean(decoded.text)
    if text == decoded.text:
        return decoded
    return Decoded(text, (*decoded.warnings, "NUL characters replaced with U+FFFD"))


def _decode(content: bytes, charset: str | None) -> Decoded:
    for mark, name in _MARKS:
        if content.startswith(mark):
            try:
                return Decoded(content.decode(name))
            except UnicodeDecodeError:
                text = content.decode(name, "replace")
                return Decoded(text, (f"invalid {name}: broken places replaced with U+FFFD",))
    declared = _declared(content, charset)
    if declared is not None:
        return Decoded(declared)
    try:
        return Decoded(content.decode("utf-8"))
    except UnicodeDecodeError:
        return _guess(content)
