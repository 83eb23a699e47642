"""What published papers do that made ones do not: pages on their side, figures, odd fonts."""

import pytest

from commonplace.domain.document import Document
from commonplace.parsers.pdf_lines import Line, weighed
from tests.golden.reading import read
from tests.unit.parsers.paper import Sheet, make_pdf, write_objects

LEFT = [f"the left column goes on with line {number} of its words" for number in range(10)]
RIGHT = [f"the right column goes on with line {number} of its words" for number in range(10)]


def headings(document: Document) -> list[str]:
    return [one.heading for one in document.sections]


def turned(sheet: Sheet, x: float, y: float, text: str) -> None:
    """Draw a line that runs upwards."""
    sheet.drawn.append(f"BT /F1 10 Tf 0 1 -1 0 {x} {y} Tm ({text}) Tj ET".encode())


def one_page(body: bytes, resources: str, more: dict[int, bytes]) -> bytes:
    page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << {resources} >>"
    plain = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    bold = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>"
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [10 0 R] /Count 1 >>",
        3: plain,
        4: bold,
        5: b"<< >>",
        10: f"{page} /Contents 11 0 R >>".encode(),
        11: b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body),
    }
    return write_objects({**objects, **more})


@pytest.mark.requirement("PDF-17")
def test_a_page_on_its_side_is_read_in_its_own_direction() -> None:
    sheet = Sheet()
    rows = [("Name", "Value"), ("Alpha", "1.5"), ("Beta", "2.5"), ("Gamma", "3.5")]
    turned(sheet, 100, 100, "A table that lies on its side, with a caption above it.")
    for number, row in enumerate(rows):
        for cell, text in enumerate(row):
            turned(sheet, 140 + 12 * number, 100 + 120 * cell, text)
    document = read("side.pdf", make_pdf([sheet]))
    (table,) = [block for block in document.blocks if block.kind == "table"]
    assert table.span.of(document.text).split() == [word for row in rows for word in row]
    assert document.text.startswith("A table that lies on its side")


@pytest.mark.requirement("PDF-17")
def test_a_stamp_in_the_margin_of_an_upright_page_is_left_out() -> None:
    sheet = Sheet().lines(100, 700, [*LEFT, "And that is all."])
    turned(sheet, 30, 200, "Downloaded on Monday")
    text = read("stamp.pdf", make_pdf([sheet])).text
    assert "And that is all." in text
    assert "Downloaded" not in text


@pytest.mark.requirement("PDF-18")
def test_works_in_two_columns_below_text_in_two_columns_come_after_it() -> None:
    works = [f"[{number}] A. Author. A work that has the number {number}." for number in (1, 2)]
    more = [f"[{number}] B. Other. A work that has the number {number}." for number in (3, 4)]
    sheet = Sheet().lines(60, 700, LEFT).lines(60, 560, works)
    sheet.lines(320, 700, RIGHT).lines(320, 560, more)
    text = read("last.pdf", make_pdf([sheet])).text
    assert text.index("left column") < text.index("right column") < text.index("[1]")
    assert [text.index(f"[{number}]") for number in range(1, 5)] == sorted(
        text.index(f"[{number}]") for number in range(1, 5)
    )


@pytest.mark.requirement("PDF-18")
def test_works_that_go_on_at_the_top_of_the_right_column_are_columns_like_others() -> None:
    works = [
        f"[{number}] A. Author. A work that has the number {number}." for number in range(1, 9)
    ]
    sheet = Sheet().lines(60, 700, LEFT[:6]).lines(60, 600, works[:4])
    sheet.lines(320, 700, [*works[4:], *RIGHT[:6]])
    text = read("plain.pdf", make_pdf([sheet])).text
    places = [text.index(f"[{number}]") for number in range(1, 9)]
    assert places == sorted(places)
    assert places[-1] < text.index("right column")


@pytest.mark.requirement("PDF-19")
def test_words_in_a_figure_are_text_and_no_headings() -> None:
    drawn = b"0 0 300 100 re S BT /F2 16 Tf 1 0 0 1 20 60 Tm (Density of walruses) Tj ET"
    form = (
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 300 100] /Resources << /Font << /F2 4 0 R >> "
        b">> /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn)
    )
    body = Sheet().line(72, 740, "1 Results", 14, "bold").lines(72, 720, [*LEFT, "It ends."])
    content = b"\n".join([*body.drawn, b"q 1 0 0 1 72 300 cm /X Do Q"])
    resources = "/Font << /F1 3 0 R /F2 4 0 R >> /XObject << /X 20 0 R >>"
    document = read("figure.pdf", one_page(content, resources, {20: form}))
    assert headings(document) == ["1 Results"]
    assert "Density of walruses" in document.text


@pytest.mark.requirement("PDF-15")
def test_bold_numbered_headings_may_be_smaller_than_the_text() -> None:
    sheet = Sheet().line(100, 720, "I. FIRST THINGS", 9, "bold").lines(72, 700, [*LEFT, "Yes."])
    sheet.line(110, 540, "A. Second things", 9, "bold").lines(72, 520, [*RIGHT, "No."])
    sheet.line(110, 360, "I.1. Third things", 9, "bold").lines(72, 340, [*RIGHT, "No."])
    document = read("small.pdf", make_pdf([sheet]))
    found = ["I. FIRST THINGS", "A. Second things", "I.1. Third things"]
    assert headings(document) == found


@pytest.mark.requirement("PDF-05")
def test_headings_an_outline_leaves_out_look_like_those_it_names() -> None:
    sheet = Sheet()
    for number, title in enumerate(["1 Walruses", "2 “Oysters”", "Thanks to all"]):
        sheet.line(72, 720 - 200 * number, title, 13, "bold")
        sheet.lines(72, 700 - 200 * number, [*LEFT, "So it is."])
    file = make_pdf([sheet], outline=[("Walruses", 1), ("Oysters", 1)])
    assert headings(read("told.pdf", file)) == ["1 Walruses", "2 “Oysters”", "Thanks to all"]


@pytest.mark.requirement("PDF-05")
def test_a_number_that_ends_a_sentence_is_no_part_of_the_heading_below() -> None:
    sheet = Sheet().line(72, 720, "2 Walruses", 13, "bold").lines(72, 700, [*LEFT, "2."])
    sheet.line(72, 570, "2.1 Oysters", 12, "bold").lines(72, 550, [*RIGHT, "So it is."])
    sheet.line(72, 400, "3. 21st Century", 13, "bold").lines(72, 380, [*RIGHT, "So it is."])
    told = [("2 Walruses", 1), ("2.1 Oysters", 1), ("21st Century", 1)]
    found = headings(read("end.pdf", make_pdf([sheet], outline=told)))
    assert found == ["2 Walruses", "2.1 Oysters", "3. 21st Century"]


@pytest.mark.requirement("PDF-07")
def test_works_without_a_heading_may_skip_a_number() -> None:
    texts = [f"[{number}] A. Author. A work of number {number}. 2001." for number in range(1, 13)]
    sheet = Sheet().lines(72, 720, [*LEFT, "It ends."]).lines(72, 500, texts[:5] + texts[6:])
    document = read("skip.pdf", make_pdf([sheet]))
    works = [one.span.of(document.text) for one in document.blocks if one.kind == "list_item"]
    assert works == texts[:5] + texts[6:]


@pytest.mark.requirement("PDF-05")
def test_a_heading_is_as_large_as_its_letters_not_as_the_space_between_them() -> None:
    # The space is not drawn, so pdfium makes one up, right in the middle.
    sheet = Sheet().line(72, 720, "Walrus", 16, "bold").line(140, 720, "Oyster", 16, "bold")
    sheet.lines(72, 690, [*LEFT, "So it is."])
    sheet.line(72, 520, "Carpet", 16, "bold").line(140, 520, "Walkers", 16, "bold")
    sheet.lines(72, 490, [*LEFT, "So it is."])
    assert headings(read("space.pdf", make_pdf([sheet]))) == ["Walrus Oyster", "Carpet Walkers"]


@pytest.mark.requirement("PDF-06")
def test_a_title_of_two_lines_and_two_fonts_is_one() -> None:
    sheet = Sheet().line(72, 740, "zoo: A Class for Indexed Totally", 18)
    sheet.line(120, 718, "Ordered Observations", 18, "bold").line(150, 690, "Ada Example", 12)
    sheet.line(72, 660, "1 Introduction", 12, "bold").lines(72, 640, [*LEFT, "So it is."])
    title = "zoo: A Class for Indexed Totally Ordered Observations"
    document = read("zoo.pdf", make_pdf([sheet]))
    assert headings(document) == [title, "1 Introduction"]
    assert document.title == title


def line(text: str, is_bold: bool, is_named: bool) -> Line:
    return Line(text, 72, 300, 700, 10, is_bold=is_bold, page=0, row=0, is_named_bold=is_named)


@pytest.mark.requirement("PDF-05")
def test_where_all_would_be_bold_by_weight_names_decide() -> None:
    page = [line("body " * 20, is_bold=True, is_named=False), line("Heading", True, is_named=True)]
    assert [one.is_bold for one in weighed([page])[0]] == [False, True]
    fair = [line("body " * 20, is_bold=False, is_named=False), line("Head", True, is_named=False)]
    assert [one.is_bold for one in weighed([fair])[0]] == [False, True]


@pytest.mark.requirement("PDF-03")
def test_the_sharp_s_of_fonts_made_of_dots_is_one() -> None:
    drawn = b"500 0 0 0 500 700 d1 0 0 500 700 re f"
    glyph = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn)
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [.001 0 0 .001 0 0] "
        b"/FirstChar 97 /LastChar 255 /Widths [" + b"600 " * 159 + b"] /CharProcs << /a97 21 0 R "
        b"/a255 21 0 R >> /Encoding << /Type /Encoding /Differences [97 /a97 255 /a255] >> >>"
    )
    body = b"BT /F3 10 Tf 1 0 0 1 72 700 Tm (a\377a) Tj ET "
    body += b"BT /F1 10 Tf 1 0 0 1 72 680 Tm (Ha\377) Tj ET"
    file = one_page(body, "/Font << /F1 3 0 R /F3 20 0 R >>", {20: font, 21: glyph})
    text = read("dots.pdf", file).text
    assert "aßa" in text
    assert "Haÿ" in text


@pytest.mark.requirement("PDF-02")
def test_the_number_of_a_page_with_one_line_is_left_out() -> None:
    sheets = [Sheet().lines(72, 700, ["Some words.", "More."]), Sheet().line(72, 700, "The end.")]
    for number, sheet in enumerate(sheets, 1):
        sheet.line(300, 30, str(number))
    text = " ".join(read("few.pdf", make_pdf(sheets)).text.split())
    assert text == "Some words. More. The end."
