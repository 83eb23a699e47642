"""Makes small PDF files for tests: text at places, an outline, metadata."""

from dataclasses import dataclass, field

_FONTS = {"plain": 1, "bold": 2, "italic": 3}


@dataclass(slots=True)
class Sheet:
    """One page, 612 by 792 points: lines of text in the order they are drawn."""

    drawn: list[bytes] = field(default_factory=list)

    def line(self, x: float, y: float, text: str, size: float = 10, font: str = "plain") -> "Sheet":
        """Draw one line with its baseline at ``y``."""
        shown = text.encode("cp1252").replace(b"\\", rb"\\").replace(b"(", rb"\(")
        shown = shown.replace(b")", rb"\)")
        place = f"BT /F{_FONTS[font]} {size} Tf 1 0 0 1 {x} {y} Tm (".encode()
        self.drawn.append(place + shown + b") Tj ET")
        return self

    def picture(self) -> "Sheet":
        """Draw a picture of one pixel over the page."""
        self.drawn.append(b"q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q")
        return self

    def lines(self, x: float, y: float, texts: list[str], leading: float = 12) -> "Sheet":
        """Draw lines below each other."""
        for number, text in enumerate(texts):
            self.line(x, y - number * leading, text)
        return self


def make_pdf(
    sheets: list[Sheet],
    info: dict[str, str] | None = None,
    outline: list[tuple[str, int]] | None = None,
    trailer: str = "",
) -> bytes:
    """The file; an outline is titles with page numbers from 1, all of one level."""
    pages = [f"{10 + 2 * number} 0 R" for number in range(len(sheets))]
    entries = outline or []
    first_entry = 10 + 2 * len(sheets)
    objects: dict[int, bytes] = {
        1: b"<< /Type /Catalog /Pages 2 0 R" + (b" /Outlines 6 0 R >>" if entries else b" >>"),
        2: f"<< /Type /Pages /Kids [{' '.join(pages)}] /Count {len(pages)} >>".encode(),
        3: _font("Helvetica"),
        4: _font("Helvetica-Bold"),
        7: _font("Helvetica-Oblique"),
        5: "<< {} >>".format(
            " ".join(f"/{name} ({value})" for name, value in (info or {}).items())
        ).encode(),
    }
    for number, sheet in enumerate(sheets):
        objects[10 + 2 * number] = (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font "
            f"<< /F1 3 0 R /F2 4 0 R /F3 7 0 R >> >> /Contents {11 + 2 * number} 0 R >>"
        ).encode()
        body = b"\n".join(sheet.drawn)
        objects[11 + 2 * number] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body)
    if entries:
        objects |= _outline(entries, pages, first_entry)
    return write_objects(objects, trailer)


def _font(name: str) -> bytes:
    return (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()
    )


def _outline(entries: list[tuple[str, int]], pages: list[str], first: int) -> dict[int, bytes]:
    last = first + len(entries) - 1
    count = len(entries)
    made = {6: f"<< /First {first} 0 R /Last {last} 0 R /Count {count} >>".encode()}
    for number, (title, page) in enumerate(entries):
        following = f" /Next {first + number + 1} 0 R" if number + 1 < count else ""
        made[first + number] = (
            f"<< /Title ({title}) /Parent 6 0 R{following} /Dest [{pages[page - 1]} /Fit] >>"
        ).encode()
    return made


def write_objects(objects: dict[int, bytes], trailer: str = "") -> bytes:
    """The file of these numbered objects; 1 is its catalog."""
    out = bytearray(b"%PDF-1.5\n")
    places: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    size = max(objects) + 1
    tail = f"trailer\n<< /Size {size} /Root 1 0 R /Info 5 0 R {trailer} >>\nstartxref\n{start}\n"
    return bytes(out) + tail.encode() + b"%%EOF\n"
