"""Pages as a scanner would give them: drawn as dots, spoiled, and put into a PDF without text."""

import zlib
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Dots = NDArray[np.uint8]
"""A page in grey, rows from the top."""

_POINTS = 72
_PAPER = 255


def draw(content: bytes, dpi: int = 300) -> list[Dots]:
    """The pages of a PDF file as dots."""
    import pypdfium2 as pdfium  # noqa: PLC0415 - heavy, and only drawing needs it

    pdf = pdfium.PdfDocument(content)
    pages = []
    for page in pdf:
        bitmap = page.render(scale=dpi / _POINTS, grayscale=True)
        rows = np.frombuffer(bitmap.buffer, np.uint8).reshape(bitmap.height, bitmap.stride)
        pages.append(rows[:, : bitmap.width].copy())
    pdf.close()
    return pages


def noise(page: Dots, seed: int = 1) -> Dots:
    """Grain, and one dot in a hundred black or white."""
    chance = np.random.default_rng(seed)
    grainy = page + chance.normal(0, 30, page.shape)
    grainy[chance.random(page.shape) < 0.005] = 0
    grainy[chance.random(page.shape) < 0.005] = _PAPER
    return np.clip(grainy, 0, _PAPER).astype(np.uint8)


def turn(page: Dots, degrees: float = 1.0) -> Dots:
    """Laid askew on the glass; between dots values are mixed."""
    height, width = page.shape
    angle = np.deg2rad(degrees)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y -= height / 2
    x -= width / 2
    from_x = np.cos(angle) * x + np.sin(angle) * y + width / 2
    from_y = -np.sin(angle) * x + np.cos(angle) * y + height / 2
    left = np.clip(np.floor(from_x).astype(np.int32), 0, width - 2)
    top = np.clip(np.floor(from_y).astype(np.int32), 0, height - 2)
    right_share = np.clip(from_x - left, 0, 1)
    low_share = np.clip(from_y - top, 0, 1)
    upper = page[top, left] * (1 - right_share) + page[top, left + 1] * right_share
    lower = page[top + 1, left] * (1 - right_share) + page[top + 1, left + 1] * right_share
    turned = upper * (1 - low_share) + lower * low_share
    outside = (from_x < 0) | (from_y < 0) | (from_x > width - 1) | (from_y > height - 1)
    turned[outside] = _PAPER
    return np.asarray(np.clip(turned, 0, _PAPER), np.uint8)


def blur(page: Dots, times: int = 3) -> Dots:
    """Out of focus: every dot the mean of its nine neighbours, several times."""
    soft = page.astype(np.float32)
    for _ in range(times):
        framed = np.pad(soft, 1, mode="edge")
        rows = framed[:-2] + framed[1:-1] + framed[2:]
        soft = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9
    return soft.astype(np.uint8)


def all_at_once(page: Dots) -> Dots:
    """Askew, out of focus and grainy."""
    return noise(blur(turn(page), 2))


SPOILED: Mapping[str, tuple[int, Callable[[Dots], Dots]]] = {
    "clean, 300 dpi": (300, lambda page: page),
    "turned by 1°": (300, turn),
    "blurred": (300, blur),
    "noisy": (300, noise),
    "150 dpi": (150, lambda page: page),
    "100 dpi": (100, lambda page: page),
    "turned, blurred, noisy": (300, all_at_once),
}
"""How pages are spoiled: dots to the inch, and what is done to them."""


def as_pdf(pages: Sequence[Dots], dpi: int = 300) -> bytes:
    """A PDF file with a picture a page and no text."""
    kids = [f"{10 + 3 * number} 0 R" for number in range(len(pages))]
    objects: dict[int, bytes] = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode(),
    }
    for number, dots in enumerate(pages):
        height, width = dots.shape
        wide, high = width * _POINTS / dpi, height * _POINTS / dpi
        first = 10 + 3 * number
        drawn = f"q {wide:.2f} 0 0 {high:.2f} 0 0 cm /X Do Q".encode()
        objects[first] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide:.2f} {high:.2f}] "
            f"/Resources << /XObject << /X {first + 2} 0 R >> >> /Contents {first + 1} 0 R >>"
        ).encode()
        objects[first + 1] = _stream("", drawn)
        told = (
            f"/Type /XObject /Subtype /Image /Width {width} /Height {height} "
            "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode"
        )
        objects[first + 2] = _stream(told, zlib.compress(dots.tobytes(), 1))
    return _file(objects)


def _stream(told: str, body: bytes) -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(body), told.encode(), body)


def _file(objects: Mapping[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.5\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    size = max(objects) + 1
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    return bytes(out)
