"""PDF files that attack who reads them, and files that are merely broken; all made here."""

import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache

from tests.unit.parsers.paper import Sheet, make_pdf, write_objects

_CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
_PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>"
_LOCK = "/Encrypt << /Filter /Standard /V 1 /R 2 /O <{0}> /U <{0}> /P -4 >> /ID [<00> <00>]"
_MEGA = 1_000_000

Make = Callable[[], bytes]


def good(words: str = "Some words of a sound file.") -> bytes:
    """A file nothing is wrong with."""
    return make_pdf([Sheet().line(72, 700, words)])


def _stream(told: bytes, body: bytes) -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(body), told, body)


def _one_page(contents: bytes, **more: bytes) -> bytes:
    objects = {
        1: more.get("catalog", _CATALOG),
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: more.get("page", _PAGE),
        4: contents,
        5: b"<< >>",
    }
    objects |= {int(key[1:]): body for key, body in more.items() if key[0] == "o"}
    return write_objects(objects)


def _tail(start: int, told: str = "") -> bytes:
    return f"trailer\n<< /Size 9 /Root 1 0 R {told} >>\nstartxref\n{start}\n%%EOF\n".encode()


def xref_loop() -> bytes:
    """Two tables of places, each said to come before the other."""
    body = bytearray(b"%PDF-1.5\n1 0 obj\n" + _CATALOG + b"\nendobj\n")
    body += b"2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n"
    first = len(body)
    table = b"xref\n0 1\n0000000000 65535 f \n"
    second = first + len(table) + len(_tail(first, f"/Prev {first:08d}"))
    body += table + _tail(first, f"/Prev {second:08d}")
    return bytes(body + table + _tail(second, f"/Prev {first:08d}"))


def object_loop() -> bytes:
    """Pages that are their own parents, contents that are their own references."""
    objects = {
        1: _CATALOG,
        2: b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 9 /Parent 3 0 R >>",
        3: b"<< /Type /Pages /Kids [2 0 R] /Count 9 /Parent 2 0 R >>",
        4: b"4 0 R",
        5: b"<< >>",
    }
    return write_objects(objects)


def deep_pages(depth: int = 10_000) -> bytes:
    """A tree of pages with one child at every level."""
    objects = {1: _CATALOG, 5: b"<< >>"}
    numbers = [2, *range(10, 10 + depth)]
    for own, child in zip(numbers, [*numbers[1:], 3], strict=True):
        objects[own] = b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % child
    objects[3] = b"<< /Type /Page /MediaBox [0 0 9 9] >>"
    return write_objects(objects)


def deep_arrays(depth: int = _MEGA // 2) -> bytes:
    """Brackets in brackets, more than any stack holds."""
    return _one_page(_stream(b"", b"[" * depth + b"]" * depth + b" TJ"))


def many_objects() -> bytes:
    """A trailer that promises 10^9 objects, and a table of places that says it holds them."""
    body = good()
    at = body.index(b"xref")
    return (
        body[:at]
        + b"xref\n0 1000000000\n"
        + body[at + 5 :].replace(b"/Size 12", b"/Size 1000000000")
    )


def many_pages_told() -> bytes:
    """Two pages that are said to be 10^9."""
    return make_pdf([Sheet().line(72, 700, "One."), Sheet().line(72, 700, "Two.")]).replace(
        b"/Count 2", b"/Count 1000000000"
    )


def object_stream() -> bytes:
    """A stream of objects that says it holds 10^9."""
    packed = zlib.compress(b"7 0 " * 1000)
    told = b"/Type /ObjStm /N 1000000000 /First 4000 /Filter /FlateDecode"
    return _one_page(_stream(b"", b"q Q"), o7=_stream(told, packed))


@lru_cache(maxsize=1)
def _packed() -> bytes:
    """80 MB in 80 kB."""
    return zlib.compress(b"q " * (40 * _MEGA), 1)


def bomb(times: int = 1) -> bytes:
    """Contents that unpack to 80 MB, once or twice packed."""
    packed = _packed()
    for _ in range(times - 1):
        packed = zlib.compress(packed, 9)
    told = b"/Filter [" + b"/FlateDecode " * times + b"]"
    return _one_page(_stream(told, packed))


def hidden_bomb() -> bytes:
    """A bomb whose filter is told in an object of its own, where a quick look finds nothing."""
    return _one_page(_stream(b"/Filter 8 0 R", _packed()), o8=b"/FlateDecode")


def run_length_bomb() -> bytes:
    """Packed with a filter that is not deflate, a thousand times over."""
    told = b"/Filter [/FlateDecode /RunLengthDecode /RunLengthDecode]"
    return _one_page(_stream(told, zlib.compress(b"\x81\x81" * (5 * _MEGA), 6)))


def contents_bomb(times: int = 60) -> bytes:
    """A stream that unpacks to 40 MB, drawn sixty times over on one page."""
    page = _PAGE.replace(b"4 0 R", b"[" + b"4 0 R " * times + b"]")
    return _one_page(
        _stream(b"/Filter /FlateDecode", zlib.compress(b"q Q " * (10 * _MEGA), 6)), page=page
    )


def form_bomb(depth: int = 24) -> bytes:
    """Forms that draw the next one twice: 2^24 drawings of one word from three kilobytes."""
    more = {}
    for level in range(depth):
        number, child = 10 + level, 11 + level
        told = (
            b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
            b"/Resources << /XObject << /X %d 0 R >> >>" % child
        )
        more[f"o{number}"] = _stream(told, b"/X Do /X Do")
    told = (
        b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F 9 0 R >> >>"
    )
    more[f"o{10 + depth}"] = _stream(told, b"BT /F 9 Tf 72 700 Td (Laugh) Tj ET")
    more["o9"] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    page = _PAGE[:-3] + b" /Resources << /XObject << /X 10 0 R >> >> >>"
    return _one_page(_stream(b"", b"/X Do"), page=page, **more)


def large_picture() -> bytes:
    """A page with a picture said to be a hundred thousand pixels square, of one byte."""
    told = (
        b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB "
        b"/BitsPerComponent 8"
    )
    page = _PAGE[:-3] + b" /Resources << /XObject << /X 9 0 R >> >> >>"
    return _one_page(
        _stream(b"", b"612 0 0 792 0 0 cm /X Do"), page=page, o9=_stream(told, b"\x80")
    )


def huge_page() -> bytes:
    """A page of a million inches, with a picture over it."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72000000 72000000] /Contents 4 0 R >>"
    drawn = b"q 72000000 0 0 72000000 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"
    return _one_page(_stream(b"", drawn), page=page)


def script() -> bytes:
    """JavaScript that runs for ever when a viewer opens it, and starts programs."""
    catalog = _CATALOG[:-3] + b" /OpenAction 8 0 R /AA << /WC 9 0 R >> >>"
    return _one_page(
        _stream(b"", b"BT ET"),
        catalog=catalog,
        o8=b"<< /S /JavaScript /JS (while (true) { app.alert(1); }) >>",
        o9=b"<< /S /Launch /F (/bin/sh) >>",
    )


def outline_loop() -> bytes:
    """An outline whose last entry is followed by its first."""
    body = make_pdf([Sheet().line(72, 700, "One.")], outline=[("A", 1), ("B", 1)])
    return body.replace(b"(B) /Parent 6 0 R", b"(B) /Next 12 0 R")


def many_pages(count: int = 2000) -> bytes:
    """A long book."""
    return make_pdf(
        [
            Sheet().lines(72, 700, [f"Page {number} of the long book has words."] * 3)
            for number in range(count)
        ]
    )


def _header(head: bytes) -> Make:
    return lambda: head + good()[9:]


REFUSED: Mapping[str, tuple[Make, str]] = {
    "no-header": (_header(b""), "damaged"),
    "wrong-header": (_header(b"%!PS-Adobe-3.0\n"), "damaged"),
    "empty": (lambda: b"", "it is empty"),
    "zeros": (lambda: b"%PDF-1.7\n" + b"\0" * 5000, "damaged"),
    "truncated": (lambda: good()[:300], "damaged"),
    "xref-loop": (xref_loop, "damaged"),
    "object-loop": (object_loop, "no page has text"),
    "deep-pages": (deep_pages, "no page has text"),
    "deep-arrays": (deep_arrays, "no page has text"),
    "object-stream": (object_stream, "no page has text"),
    "no-pages": (lambda: make_pdf([]), "damaged"),
    "blank": (lambda: make_pdf([Sheet()]), "no page has text"),
    "encrypted": (
        lambda: make_pdf([Sheet().line(72, 700, "x")], trailer=_LOCK.format("ab" * 32)),
        "password",
    ),
    "bomb": (bomb, "unpacks to more"),
    "double-bomb": (lambda: bomb(2), "packed twice"),
    "hidden-bomb": (hidden_bomb, "unpacks to more"),
    "run-length-bomb": (run_length_bomb, "no page has text"),
    "large-picture": (large_picture, ""),
    "huge-page": (huge_page, ""),
    "script": (script, "no page has text"),
}
"""Files no words can be had from: how to make each, and what must be told of it."""

READ: Mapping[str, Make] = {
    "many-objects": many_objects,
    "many-pages-told": many_pages_told,
    "outline-loop": outline_loop,
}
"""Files that lie and are read all the same."""
