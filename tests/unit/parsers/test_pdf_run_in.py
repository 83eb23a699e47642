"""Headings within lines, levels by numbering, and formulas, as journals print them."""

import pytest

from commonplace.domain.document import Document
from commonplace.parsers.pdf_columns import in_order
from commonplace.parsers.pdf_headings import find_headings
from commonplace.parsers.pdf_lines import Line, rejoined
from commonplace.parsers.pdf_outline import Entry
from commonplace.parsers.pdf_run_in import parted
from tests.golden.reading import read
from tests.unit.parsers.paper import Sheet, make_pdf

BODY = ["Plain words fill the lines of this paragraph to its very end", "and then it stops here."]


def line(text: str, y: float, page: int = 0) -> Line:
    return Line(
        text=text, x0=72, x1=72 + 5 * len(text), y=y, size=10, is_bold=False, page=page, row=0
    )


def levels(document: Document) -> list[tuple[str, int]]:
    return [(one.heading, one.level) for one in document.sections if one.level > 1]


@pytest.mark.requirement("PDF-20")
def test_a_heading_of_the_outline_that_runs_into_its_paragraph() -> None:
    sheet = Sheet().lines(72, 700, ["Data and Tools. We took the data from a shop.", *BODY])
    document = read("a.pdf", make_pdf([sheet], outline=[("Data and Tools", 1)]))
    assert [one.heading for one in document.sections] == ["Data and Tools"]
    assert "Data and Tools\n\nWe took the data from a shop. Plain words" in document.text


@pytest.mark.requirement("PDF-20")
def test_a_heading_that_runs_into_its_paragraph_by_its_number() -> None:
    sheet = Sheet().line(72, 750, "Of Things", 18, "bold")
    sheet.line(72, 720, "2 Methods", 12, "bold").lines(72, 700, BODY)
    sheet.lines(72, 660, ["2.1. First Things. We took the data.", *BODY])
    sheet.lines(72, 610, ["2.2. Other Things: They are many.", *BODY])
    document = read("a.pdf", make_pdf([sheet]))
    assert levels(document) == [
        ("2 Methods", 2),
        ("2.1. First Things", 3),
        ("2.2. Other Things", 3),
    ]
    assert "They are many." in document.text


@pytest.mark.requirement("PDF-20")
@pytest.mark.parametrize(
    "text",
    [
        "2.9. Other Things. The number does not come next.",
        "2.1 of these were lost. We counted them.",
        "See Sec. 2.1. Other things are there.",
        "Data and Tools are told below. We took them.",
    ],
)
def test_sentences_that_begin_like_headings_stay_whole(text: str) -> None:
    lines = [line("2 Methods", 700), line("Words are here.", 680), line(text, 650)]
    assert parted(lines, [Entry("Data and Tools", 0, 0)]) == lines


@pytest.mark.requirement("PDF-20")
def test_a_number_in_the_middle_of_a_paragraph_begins_no_heading() -> None:
    lines = [line("2 Methods", 700), line("They are in", 680), line("2.1. Sets. Not a head.", 669)]
    assert parted(lines, []) == lines


@pytest.mark.requirement("PDF-21")
def test_below_roman_numbers_come_letters_and_below_them_numbers_in_italics() -> None:
    sheet = Sheet().line(200, 740, "A Title of Some Size", 18, "bold")
    y = 700.0
    for text, font in (
        ("I. INTRODUCTION", "bold"),
        ("A. Second", "bold"),
        ("1. Third", "italic"),
        ("2. Fourth", "italic"),
        ("B. Fifth", "bold"),
        ("1. Sixth", "italic"),
        ("II. RESULTS", "bold"),
    ):
        sheet.line(200, y, text, 10, font).lines(72, y - 20, BODY)
        y -= 60
    assert levels(read("a.pdf", make_pdf([sheet]))) == [
        ("I. INTRODUCTION", 2),
        ("A. Second", 3),
        ("1. Third", 4),
        ("2. Fourth", 4),
        ("B. Fifth", 3),
        ("1. Sixth", 4),
        ("II. RESULTS", 2),
    ]


@pytest.mark.requirement("PDF-21")
def test_numbered_sentences_that_are_not_in_italics_are_no_headings() -> None:
    sheet = Sheet().line(200, 740, "I. INTRODUCTION", 10, "bold").lines(72, 720, BODY)
    sheet.line(200, 680, "A. Second", 10, "bold").lines(72, 660, BODY)
    sheet.line(72, 620, "1. Take a spoon").lines(72, 600, BODY)
    sheet.line(200, 560, "II. RESULTS", 10, "bold").lines(72, 540, BODY)
    assert "1. Take a spoon" not in dict(levels(read("a.pdf", make_pdf([sheet]))))


@pytest.mark.requirement("PDF-21")
def test_an_outline_that_begins_with_the_title_is_lifted() -> None:
    texts = ["The Whole Guide", "Start", "Words.", "Middle", "Words.", "End", "Words."]
    lines = [line(text, 700 - 20 * at) for at, text in enumerate(texts)]
    whole = [Entry("The Whole Guide", 0, 0), *(Entry(one, 1, 0) for one in ("Start", "Middle"))]
    marks = find_headings(lines, [*whole, Entry("End", 1, 0)])
    assert [marks[at].level for at in sorted(marks)] == [1, 2, 2, 2]
    flat = find_headings(lines, [Entry(one, 0, 0) for one in ("Start", "Middle", "End")])
    assert [flat[at].level for at in sorted(flat)] == [2, 2, 2]


@pytest.mark.requirement("PDF-21")
def test_a_heading_in_capitals_goes_on_in_the_next_line() -> None:
    sheet = Sheet().line(150, 740, "I. A HEADING THAT IS LONG").line(150, 728, "AND GOES ON")
    sheet.lines(72, 700, BODY).line(150, 660, "II. ANOTHER ONE").lines(72, 640, BODY)
    assert [text for text, _ in levels(read("a.pdf", make_pdf([sheet])))] == [
        "I. A HEADING THAT IS LONG AND GOES ON",
        "II. ANOTHER ONE",
    ]


@pytest.mark.requirement("PDF-22")
def test_an_exponent_stays_in_its_line() -> None:
    width = 300.0
    raised = Line(
        text="2", x0=width + 0.5, x1=width + 4, y=704, size=7, is_bold=False, page=0, row=1
    )
    first = Line(text="it is r", x0=72, x1=width, y=700, size=10, is_bold=False, page=0, row=0)
    after = Line(
        text="and more", x0=width + 7, x1=500, y=700, size=10, is_bold=False, page=0, row=2
    )
    far = Line(text="(14)", x0=540, x1=560, y=700, size=10, is_bold=False, page=0, row=2)
    below = Line(text="new line", x0=72, x1=200, y=688, size=10, is_bold=False, page=0, row=3)
    joined = rejoined([first, raised, after, far, below])
    assert [one.text for one in joined] == ["it is r2 and more", "(14)", "new line"]
    assert joined[0].row == joined[1].row != joined[2].row
    assert (joined[0].y, joined[0].size) == (700, 10)


@pytest.mark.requirement("PDF-22")
def test_the_number_of_a_note_stays_the_mark_of_a_note() -> None:
    mark = Line(text="3", x0=72, x1=75, y=103, size=6, is_bold=False, page=0, row=0)
    note = Line(text="A note.", x0=76, x1=120, y=100, size=9, is_bold=False, page=0, row=1)
    (joined,) = rejoined([mark, note])
    assert (joined.text, joined.is_noted) == ("3A note.", True)


@pytest.mark.requirement("PDF-22")
def test_the_pieces_of_a_formula_are_one_block() -> None:
    sheet = Sheet().lines(72, 748, [*BODY, *BODY, "The whole of it is told by this formula, with"])
    for x, y, text in ((250, 672, "u"), (250, 658, "v"), (290, 665, "="), (330, 672, "a")):
        sheet.line(x, y, text)
    sheet.line(330, 658, "b").lines(72, 630, ["where nothing more is said about what it means."])
    document = read("a.pdf", make_pdf([sheet]))
    blocks = [block.span.of(document.text) for block in document.blocks]
    assert "u v = a b" in blocks


@pytest.mark.requirement("PDF-02")
def test_numbers_of_formulas_at_the_edge_of_pages_are_no_page_numbers() -> None:
    sheets = []
    for number, name in enumerate("abc", 1):
        sheet = Sheet().lines(72, 700, [f"Page {name} tells things.", *BODY, *BODY])
        sheets.append(sheet.line(250, 90, f"{name} = xyz").line(480, 90, f"({number})"))
    text = read("a.pdf", make_pdf(sheets)).text
    assert [f"{name} = xyz" in text for name in "abc"] == [True] * 3


def part(text: str, x0: float, x1: float, row: int) -> Line:
    y = 700 - 12 * row
    return Line(text=text, x0=x0, x1=x1, y=y, size=10, is_bold=False, page=0, row=row)


@pytest.mark.requirement("PDF-04")
def test_wide_gaps_of_justified_lines_are_single_spaces() -> None:
    full = [part("a line as wide as the text", 72, 300, row) for row in (0, 2)]
    wide = [part("words stand", 72, 130, 1), part("far apart.", 146, 200, 1)]
    found = in_order([full[0], *wide, part("In this", 215, 300, 1), full[1]])
    assert [(one.text, one.cells) for one in found][1] == ("words stand far apart. In this", 1)


@pytest.mark.requirement("PDF-16")
@pytest.mark.parametrize(
    "cells", [("Alpha", "Beta", "12"), ("Alpha", "+"), ("one", "two", "three", "four")]
)
def test_rows_of_a_table_between_lines_of_text_keep_their_cells(cells: tuple[str, ...]) -> None:
    full = [part("a line as wide as the text", 72, 300, row) for row in (0, 2)]
    width = 228 / len(cells)
    row = [part(text, 72 + width * at, 55 + width * (at + 1), 1) for at, text in enumerate(cells)]
    row[-1] = part(cells[-1], row[-1].x0, 300, 1)
    found = in_order([full[0], *row, full[1]])
    assert (found[1].text, found[1].cells) == ("  ".join(cells), len(cells))
