"""Ligatures that fonts name by their letters, such as ``f_i``: pdfium gives bare codes for them."""

import re
import zlib
from collections import Counter
from collections.abc import Iterator

from commonplace.parsers.pdf_letters import LIGATURE_SIGNS

_MOST_BYTES = 16 * 1024 * 1024  # of descriptions; a book of 2,000 pages has two
_MOST_HEAD_BYTES = 1024 * 1024
_CODES, _LETTERS = 256, 32  # codes of a font; from where another of its name has letters there
_PDFIUMS_OWN = frozenset(b"\x02\t\n\r")  # broken words and ends of lines
_OBJECT = re.compile(rb"(\d{1,10})\s+\d{1,5}\s+obj\b")
_PACKED = re.compile(rb"/ObjStm\b")
_STREAM = re.compile(rb"\bstream\r?\n")
_FIRST, _COUNT = re.compile(rb"/First\s+(\d{1,9})"), re.compile(rb"/N\s+(\d{1,7})")
_OF_FONTS = re.compile(rb"/BaseFont|/Differences")
_NAME = re.compile(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([^\s/<>\[\]()]+)")
_ENCODING = re.compile(rb"/Encoding\s+(\d{1,10})\s+\d{1,5}\s+R")
_DIFFERENCES = re.compile(rb"/Differences\s*\[([^\]]*)\]")
_TOKEN = re.compile(rb"(\d{1,3})|/([^\s/\[\]<>()]+)")


def ligatures(content: bytes) -> dict[bytes, dict[int, str]]:
    """By font, signs for its codes; what fonts of one name use differently is left out.

    pdfium tells names without the mark of a subset, so several may have one.
    """
    known = {number: told for number, told in _objects(content) if _OF_FONTS.search(told)}
    named = [(hit[1], told) for told in known.values() if (hit := _NAME.search(told))]
    times = Counter(name for name, _ in named)
    found: dict[bytes, dict[int, str]] = {}
    for name, told in named:
        led = _ENCODING.search(told)
        differences = _DIFFERENCES.search(known.get(int(led[1]), b"") if led else told)
        if differences is None or b"/ToUnicode" in told:
            continue
        codes = found.setdefault(name, {})
        for code, sign in _codes(differences[1]):
            is_clear = codes.get(code, sign) == sign and (code < _LETTERS or times[name] == 1)
            codes[code] = sign if is_clear else ""
    kept = {name: {code: sign for code, sign in one.items() if sign} for name, one in found.items()}
    return {name: codes for name, codes in kept.items() if codes}


def _codes(told: bytes) -> Iterator[tuple[int, str]]:
    """Codes pdfium does not understand, each with its sign; empty for what is no ligature."""
    code = 0
    for number, name in _TOKEN.findall(told):
        if number:
            code = int(number)
            continue
        if code < _CODES and code not in _PDFIUMS_OWN and b"_" in name:
            yield code, LIGATURE_SIGNS.get(name.decode("latin-1").replace("_", ""), "")
        code += 1


def _objects(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Objects by number, without their streams; those that are packed together one by one."""
    spent = 0
    marks = list(_OBJECT.finditer(content))
    for found, following in zip(marks, [*marks[1:], None], strict=False):
        end = following.start() if following else len(content)
        stream = _STREAM.search(content, found.end(), end)
        told = content[found.end() : stream.start() if stream else end]
        yield int(found[1]), told
        if stream and _PACKED.search(told) and spent < _MOST_BYTES:
            held = _unpacked(content[stream.end() : end])
            spent += len(held)
            yield from _held(told, held)


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, _MOST_BYTES)
    except zlib.error:  # packed otherwise, or encrypted
        return b""


def _held(told: bytes, held: bytes) -> Iterator[tuple[int, bytes]]:
    """Objects of a stream: pairs of number and place come first."""
    first, count = _FIRST.search(told), _COUNT.search(told)
    if first is None or count is None:
        return
    start = int(first[1])
    heads = [int(one) for one in held[: min(start, _MOST_HEAD_BYTES)].split() if one.isdigit()]
    heads = heads[: 2 * int(count[1])]
    places = [start + place for place in heads[1::2]]
    ends = [*places[1:], len(held)]
    left = len(held)  # of objects one after the other there is no more
    for number, place, end in zip(heads[::2], places, ends, strict=False):
        left -= max(0, end - place)
        if left < 0:
            return
        yield number, held[place:end]
