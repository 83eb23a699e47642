"""PDF files: reading order, headings, pages, and what is wrong with a file."""

import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.document import Document
from commonplace.domain.errors import ParseError
from commonplace.domain.passage import Located
from commonplace.parsers.pdf_letters import mended
from commonplace.serve.cli.output import place_of
from commonplace.split.prose import split_prose
from commonplace.tokens import token_counter
from commonplace.tools.kb.citing import citation
from tests.golden.reading import card_of, read
from tests.unit.parsers.paper import Sheet, make_pdf
from tests.unit.sources.walking import open_at, walk

TOKENS = token_counter("cl100k_base")

LEFT = [f"the left column goes on with line {number} of its words" for number in range(12)]
RIGHT = [f"the right column goes on with line {number} of its words" for number in range(12)]
LOCK = "/Encrypt << /Filter /Standard /V 1 /R 2 /O <{0}> /U <{0}> /P -4 >> /ID [<00> <00>]"


def paper() -> bytes:
    """Three pages with running heads, numbered headings and cited works."""
    sheets = []
    for number in range(3):
        sheet = Sheet().line(72, 760, "Journal of Small Tests").line(300, 30, str(number + 1))
        if not number:
            sheet.line(150, 700, "On Reading Papers", 18, "bold")
            sheet.line(200, 670, "Ada Example", 12)
            sheet.line(72, 640, "doi:10.1000/Trees.7 and arXiv:2101.00001v2 [cs.CL]")
        sheet.line(72, 600, f"{number + 1} Part {'ABC'[number]}", 12, "bold")
        sheet.lines(72, 580, ["A sentence that fills the whole line of the page and goes", "on."])
        sheets.append(sheet)
    sheets[2].line(72, 500, "References", 12, "bold")
    sheets[2].lines(
        72,
        480,
        ["[1] A. Author. A first work that was", "cited here. 2001.", "[2] B. Other. 2002."],
    )
    return make_pdf(sheets)


def headings(document: Document) -> list[tuple[int, str]]:
    return [(one.level, one.heading) for one in document.sections]


@pytest.mark.requirement("PDF-01")
@pytest.mark.parametrize("by_row", [True, False])
def test_the_left_column_is_read_before_the_right(by_row: bool) -> None:
    sheet = Sheet().line(72, 720, "One line of a heading that spans both of the columns below", 16)
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        if by_row:
            sheet.line(60, 680 - 12 * number, left).line(330, 680 - 12 * number, right)
    if not by_row:
        sheet.lines(330, 680, RIGHT).lines(60, 680, LEFT)
    text = read("two.pdf", make_pdf([sheet])).text
    assert " ".join(text.split()).endswith(" ".join((*LEFT, *RIGHT)))
    assert text.startswith("One line of a heading")


@pytest.mark.requirement("PDF-01")
def test_a_table_on_a_page_of_one_column_keeps_its_rows() -> None:
    sheet = Sheet().lines(72, 700, ["A line of prose that goes over the whole width " * 2] * 3)
    for number in range(6):
        sheet.line(72, 600 - 12 * number, f"name {number}").line(
            300, 600 - 12 * number, f"{number}"
        )
    document = read("t.pdf", make_pdf([sheet]))
    (table,) = [one for one in document.blocks if one.kind == "table"]
    assert table.span.of(document.text).split("\n")[2] == "name 2  2"
    assert len(table.atoms) == 6


@pytest.mark.requirement("PDF-02")
def test_running_heads_and_page_numbers_are_left_out() -> None:
    document = read("p.pdf", paper())
    assert "Journal" not in document.text
    assert not any(one.span.of(document.text) in "123" for one in document.blocks)


@pytest.mark.requirement("PDF-02")
def test_pages_with_nothing_but_numbers_keep_them() -> None:
    sheets = [Sheet().line(300, 30, str(number)) for number in range(3)]
    assert read("n.pdf", make_pdf(sheets)).text.split() == ["0", "1", "2"]


@pytest.mark.requirement("PDF-05")
def test_a_caption_is_no_heading() -> None:
    sheet = Sheet().line(72, 700, "Figure 1: A tree", 10, "bold").lines(72, 600, ["words"] * 4)
    document = read("c.pdf", make_pdf([sheet]))
    assert headings(document) == []
    assert document.text.startswith("Figure 1: A tree\n\n")


@pytest.mark.requirement("PDF-08")
def test_the_command_line_shows_the_page() -> None:
    assert place_of("file:///papers/a.pdf#page=7").plain.endswith("a.pdf p. 7")


@pytest.mark.requirement("PDF-03")
def test_broken_words_are_whole_again_and_compounds_keep_their_hyphen() -> None:
    lines = ["We give the infor-", "mation on state-of-the-", "art and well-known and well-"]
    sheet = Sheet().lines(72, 700, [*lines, "known things of 16-", "bit by Jean-", "Luc."])
    text = read("h.pdf", make_pdf([sheet])).text
    first = "We give the information on state-of-the-art and well-known and"
    assert text == f"{first} well-known things of 16-bit by Jean-Luc.\n"


@pytest.mark.requirement("PDF-04")
def test_a_paragraph_goes_on_over_the_page_and_ends_where_it_ends() -> None:
    first = Sheet().lines(72, 700, ["A paragraph begins here and is", "long.", "Another one goes"])
    second = Sheet().lines(72, 700, ["over to the next page.", "", "A third."], 20)
    document = read("j.pdf", make_pdf([first, second]))
    found = [one.span.of(document.text) for one in document.blocks]
    assert found[1:] == ["Another one goes over to the next page.", "A third."]
    assert document.text[document.pages[1] :].startswith("over to")


@pytest.mark.requirement("PDF-04")
def test_a_note_at_the_foot_of_a_column_does_not_cut_a_sentence() -> None:
    sheet = Sheet().lines(60, 700, [*LEFT, "and its last line ends with a hard-"])
    sheet.line(60, 520, "1 A note about something at the foot.", 7)
    sheet.lines(330, 700, ["coded word, and this goes on in the right column", *RIGHT])
    text = read("f.pdf", make_pdf([sheet])).text
    assert "ends with a hardcoded word" in text
    assert text.startswith("1 A note about something at the foot.\n\nthe left column")
    assert text.rstrip().endswith(RIGHT[-1])


@pytest.mark.requirement("PDF-05")
def test_headings_without_an_outline_come_from_size_weight_and_number() -> None:
    assert headings(read("p.pdf", paper())) == [
        (1, "On Reading Papers"),
        (2, "1 Part A"),
        (2, "2 Part B"),
        (2, "3 Part C"),
        (2, "References"),
    ]


@pytest.mark.requirement("PDF-05")
def test_an_outline_decides_which_lines_are_headings() -> None:
    sheet = Sheet().line(72, 700, "1 Quiet heading").lines(72, 680, ["Some words below it."])
    sheet.line(72, 600, "Loud words", 14, "bold").line(72, 580, "More words below.")
    document = read("o.pdf", make_pdf([sheet], outline=[("Quiet heading", 1)]))
    assert headings(document) == [(2, "1 Quiet heading")]


@pytest.mark.requirement("PDF-06")
@pytest.mark.parametrize(
    ("told", "title"),
    [("Of Trees", "Of Trees"), ("Microsoft Word - x.doc", "Loud line"), ("", "Loud line")],
)
def test_the_title_is_told_or_the_largest_line(told: str, title: str) -> None:
    sheet = Sheet().line(72, 700, "Loud line", 20).lines(72, 650, ["some words"] * 4)
    assert read("x.pdf", make_pdf([sheet], info={"Title": told})).title == title


@pytest.mark.requirement("PDF-06")
def test_doi_and_arxiv_number_are_attributes() -> None:
    found = read("p.pdf", paper()).attributes
    assert (found["doi"], found["arxiv"]) == ("10.1000/trees.7", "2101.00001v2")


@pytest.mark.requirement("PDF-07")
def test_every_cited_work_is_a_block() -> None:
    document = read("p.pdf", paper())
    works = [one.span.of(document.text) for one in document.blocks if one.kind == "list_item"]
    assert works == [
        "[1] A. Author. A first work that was cited here. 2001.",
        "[2] B. Other. 2002.",
    ]


@pytest.mark.requirement("PDF-08")
def test_passages_know_their_pages_and_citations_lead_there() -> None:
    document = read("p.pdf", paper())
    card = card_of("p.pdf", document)
    passages = split_prose(document, card, TOKENS, 20)
    assert "".join(one.text for one in passages) == document.text
    (second,) = [one for one in passages if "2 Part B" in one.text]
    assert second.pages == (2, 2)
    assert citation(Located(card, second), second.span)["source_uri"] == f"{card.uri}#page=2"
    whole = split_prose(document, card, lambda _text: 1, 1000)
    assert (whole[0].pages or (0, 0))[0] == 1
    assert (whole[-1].pages or (0, 0))[1] == 3


@pytest.mark.requirement("PDF-08")
def test_what_has_no_pages_is_cited_by_its_address_alone() -> None:
    document = read("a.md", "# A\n\ntext")
    card = card_of("a.md", document)
    (passage,) = split_prose(document, card, TOKENS, 400)
    assert passage.pages is None
    assert citation(Located(card, passage), passage.span)["source_uri"] == card.uri


@pytest.mark.requirement("PDF-09")
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (make_pdf([Sheet().line(72, 700, "x")], trailer=LOCK.format("ab" * 32)), "password"),
        (b"", "it is empty"),
        (b"%PDF-1.7\n" + b"\0" * 500, "damaged"),
        (paper()[:900], "damaged"),
        (make_pdf([Sheet()]), "no page has text"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_with_the_fix(content: bytes, told: str) -> None:
    with pytest.raises(ParseError, match=told):
        read("bad.pdf", content)


@pytest.mark.requirement("PDF-09")
@pytest.mark.parametrize("times", [1, 2])
def test_what_unpacks_to_too_much_is_not_unpacked(times: int) -> None:
    packed = b" " * 70_000_000
    for _ in range(times):
        packed = zlib.compress(packed, 9)
    filters = b"[ " + b"/FlateDecode " * times + b"]"
    stream = b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (len(packed), filters, packed)
    with pytest.raises(ParseError, match=r"packs to more|packed twice"):
        read("bomb.pdf", make_pdf([Sheet().line(72, 700, "x")]) + b"90 0 obj\n" + stream)


@pytest.mark.requirement("PDF-09")
@pytest.mark.parametrize("tail", [b"", b"\n", b"\r\n", b"junk"])
def test_a_large_drawing_is_looked_at_once_whatever_follows_its_stream(tail: bytes) -> None:
    packed = zlib.compress(random.Random(7).randbytes(1_200_000), 1) + tail
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (
        len(packed),
        packed,
    )
    file = make_pdf([Sheet().line(72, 700, "A drawing of many strokes.")])
    assert "many strokes" in read("drawn.pdf", file + b"90 0 obj\n" + stream).text


@pytest.mark.requirement("PDF-10")
@settings(max_examples=60)
@given(cut=st.integers(0, 3000), noise=st.binary(max_size=30), keep=st.booleans())
def test_any_bytes_give_a_document_or_a_parse_error(cut: int, noise: bytes, keep: bool) -> None:
    whole = paper()
    content = whole[:cut] + noise + (whole[cut + len(noise) :] if keep else b"")
    try:
        document = read("fuzz.pdf", content)
    except ParseError:
        return
    ends = [one.span.end for one in document.blocks]
    ends += [one.span.end for one in document.sections]
    assert max([*ends, *document.pages], default=0) <= len(document.text)
    assert list(document.pages) == sorted(document.pages)
    assert all(one.span.of(document.text).strip() for one in document.blocks)


@pytest.mark.requirement("PDF-10")
@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.floats(-50, 700),
            st.floats(-50, 900),
            st.text(alphabet="aZ .-[1]•\x00", max_size=20),
            st.sampled_from([0.1, 8, 10, 30]),
        ),
        max_size=30,
    )
)
def test_lines_anywhere_on_a_page_make_a_sound_document(
    drawn: list[tuple[float, float, str, float]],
) -> None:
    sheet = Sheet().line(72, 700, "Some words.")
    for x, y, text, size in drawn:
        sheet.line(round(x, 2), round(y, 2), text, size)
    document = read("any.pdf", make_pdf([sheet, sheet]))
    at = 0
    for block in document.blocks:
        assert block.span.start >= at
        assert block.span.of(document.text).strip()
        at = block.span.end


@pytest.mark.requirement("PDF-11")
async def test_folders_list_and_read_pdf_files(tmp_path: Path) -> None:
    content = make_pdf([Sheet().line(72, 700, "a").picture()]) + b"\0"
    (tmp_path / "Paper.PDF").write_bytes(content)
    (tmp_path / "large.pdf").write_bytes(content * 10)
    listings, skips = await walk(tmp_path, max_file_bytes=2048)
    assert [(one.path, one.media_type) for one in listings] == [("Paper.PDF", "application/pdf")]
    assert (await open_at(tmp_path).read(listings[0])).content == content
    assert [one.path for one in skips] == ["large.pdf"]


def blocks(document: Document, kind: str) -> list[str]:
    return [one.span.of(document.text) for one in document.blocks if one.kind == kind]


@pytest.mark.requirement("PDF-15")
def test_a_numbered_line_is_a_heading_when_its_number_comes_next() -> None:
    sheet = Sheet().line(72, 740, "2 Data", 14, "bold")
    sheet.lines(72, 700, ["Some words of the section stand here and", "end."])
    sheet.line(72, 660, "2.1 Choice of Parameters").lines(72, 645, ["We take many.", "And more."])
    sheet.line(72, 600, "2.7 is the mean of all that")
    sheet.lines(72, 588, ["was measured there."])
    sheet.line(72, 560, "2.2 What Was Left Out").lines(72, 545, ["Nothing was.", "Really."])
    document = read("n.pdf", make_pdf([sheet]))
    assert [one for one in headings(document) if one[0] > 2] == [
        (3, "2.1 Choice of Parameters"),
        (3, "2.2 What Was Left Out"),
    ]


@pytest.mark.requirement("PDF-16")
def test_captions_and_tables_stay_whole_where_they_cut_a_paragraph() -> None:
    sheet = Sheet().lines(60, 700, [*LEFT, "and its last line goes over to"])
    sheet.line(330, 700, "Table 1: A caption of two lines that tells", 8)
    sheet.line(330, 690, "what the table below it shows.", 8)
    for row in range(4):
        sheet.line(330, 670 - 10 * row, f"System {row}", 8).line(480, 670 - 10 * row, f"0.{row}", 8)
    sheet.lines(330, 610, ["the other column, past the table.", *RIGHT])
    document = read("t.pdf", make_pdf([sheet]))
    (table,) = blocks(document, "table")
    assert table == "System 0  0.0\nSystem 1  0.1\nSystem 2  0.2\nSystem 3  0.3"
    found = blocks(document, "paragraph")
    assert "Table 1: A caption of two lines that tells what the table below it shows." in found
    assert any("goes over to the other column, past the table." in one for one in found)
    passages = split_prose(document, card_of("t.pdf", document), TOKENS, 60)
    assert any(table in one.text for one in passages)


@pytest.mark.requirement("PDF-07")
def test_cited_works_without_a_heading_are_blocks_and_a_note_below_is_none_of_them() -> None:
    works = ["[1] A. Author. One work. 2001.", "[2] B. Other. Two works. 2002.", "[3] C. Third."]
    sheet = Sheet().lines(72, 700, ["The last words of the paper."]).lines(72, 600, works)
    sheet.line(72, 400, "1 A note far below the works.")
    document = read("w.pdf", make_pdf([sheet]))
    assert blocks(document, "list_item")[:3] == works


@pytest.mark.requirement("PDF-02")
def test_the_section_in_a_running_head_goes_with_it() -> None:
    sheets = []
    for number, name in enumerate(["Introduction", "Methods", "References"]):
        sheet = Sheet().line(72, 760, "Journal of Small Tests").line(400, 760, name.upper())
        sheets.append(sheet.lines(72, 700 - number * 30, [*LEFT[number * 4 :], "And on."]))
    document = read("r.pdf", make_pdf(sheets))
    assert headings(document) == []
    assert "METHODS" not in document.text


@pytest.mark.requirement("PDF-02")
def test_a_year_at_the_end_of_a_page_is_no_page_number() -> None:
    sheets = [Sheet().lines(72, 700, ["Words here."]).line(300, 30, str(at)) for at in (1, 2)]
    sheets[1].line(72, 600, "1998.")
    assert "1998." in read("y.pdf", make_pdf(sheets)).text


@pytest.mark.requirement("PDF-03")
def test_ligatures_of_old_tex_fonts_are_letters() -> None:
    assert mended("de\x1cnition of o\x1bers") == "definition of offers"
