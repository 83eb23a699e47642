"""Scanned pages: found, recognised in the right language, marked, and told where that fails."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.domain.document import Document, Recognition, Resource
from commonplace.domain.errors import ParseError
from commonplace.parsers import parser_for, recognition
from commonplace.parsers.recognition import can_recognize, choose
from commonplace.split.prose import split_prose
from eval.pdf.scans import as_pdf, draw
from tests.golden.reading import card_of
from tests.unit.parsers.paper import Sheet, make_pdf
from tests.unit.parsers.test_pdf import TOKENS

needs_engine = pytest.mark.skipif(
    not can_recognize(Recognition()),
    reason="scans cannot be recognised here: pip install tesserocr, and tesseract-ocr-eng/-deu",
)
ENGLISH = ["The walrus speaks of many things to the", "oysters, and of cabbages and kings."]
GERMAN = ["Größere Bäume wachsen über die Straße,", "während müde Füchse gähnen."]


def page(lines: list[str], heading: str = "") -> Sheet:
    sheet = Sheet()
    if heading:
        sheet.line(72, 740, heading, 18)
    return sheet.lines(72, 700, lines, 14)


def scan(*sheets: Sheet) -> bytes:
    return as_pdf(draw(make_pdf(list(sheets)), 200), 200)


def read(content: bytes, asked: Recognition | None = None, language: str = "") -> Document:
    resource = Resource(
        uri="file:///s.pdf",
        path="s.pdf",
        content=content,
        media_type="application/pdf",
        modified_at=datetime(2025, 1, 1, tzinfo=UTC),
        language=language,
        recognition=asked or Recognition(),
    )
    return parser_for(resource.media_type).parse(resource)


@needs_engine
@pytest.mark.requirement("OCR-01")
def test_a_scan_is_recognised_with_headings_paragraphs_and_pages() -> None:
    document = read(scan(page(ENGLISH, "1 Introduction"), page(["Second page here."])))
    assert document.text == (
        "1 Introduction\n\nThe walrus speaks of many things to the oysters, and of cabbages and "
        "kings.\n\nSecond page here.\n"
    )
    assert [one.heading for one in document.sections] == ["1 Introduction"]
    passages = split_prose(document, card_of("s.pdf", document), TOKENS, 32)
    (last,) = [one for one in passages if "Second" in one.text]
    assert (last.pages or (0, 0))[1] == 2


@needs_engine
@pytest.mark.requirement("OCR-02")
def test_only_the_pages_without_text_are_recognised_and_all_is_marked() -> None:
    mixed = Sheet().line(72, 700, "Words that are text.")
    pictures = draw(make_pdf([page(ENGLISH)]), 200)
    inside = as_pdf(pictures, 200)
    document = read(inside)
    assert document.attributes["ocr_pages"] == "1"
    assert 0.75 < float(document.attributes["ocr_confidence"]) <= 1
    assert "ocr" in document.tags
    assert any("recognised" in one for one in document.warnings)
    plain = read(make_pdf([mixed]))
    assert "ocr_pages" not in plain.attributes
    assert plain.tags == ()


@needs_engine
@pytest.mark.requirement("OCR-02")
def test_a_stamp_on_a_scanned_page_does_not_make_it_text() -> None:
    whole = scan(page(ENGLISH))
    stamp = b"BT /F1 8 Tf 72 30 Td (Downloaded by a reader) Tj ET"
    drawn = b"q 612.00 0 0 792.00 0 0 cm /X Do Q"
    assert drawn in whole or b"/X Do Q" in whole
    at = whole.index(b"/X Do Q") + len(b"/X Do Q")
    length = whole[: whole.index(b"/X Do Q")].rindex(b"/Length ")
    old = whole[length : whole.index(b" ", length + 8)]
    new = b"/Length %d" % (int(old[8:]) + len(stamp) + 1)
    stamped = whole[:length] + new + whole[length + len(old) : at] + b"\n" + stamp + whole[at:]
    fonts = b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    stamped = stamped.replace(b"/Resources <<", fonts, 1)
    document = read(stamped)
    assert "cabbages and kings" in document.text


@needs_engine
@pytest.mark.requirement("OCR-03")
def test_the_catalogue_decides_the_language_then_what_was_asked_for() -> None:
    asked = Recognition(languages=("en",))
    assert choose(asked, "de-DE") == ("deu",)
    assert choose(asked, "German") == ("deu",)
    assert choose(asked, "Klingon") == ("eng",)
    assert choose(Recognition(), "") == ("eng", "deu")
    german = scan(page(GERMAN))
    told = read(german, asked, language="de")
    assert told.text.split() == " ".join(GERMAN).split()
    assert told.attributes["ocr_languages"] == "deu"
    wrong = read(german, asked)
    assert "Größere" not in wrong.text


@needs_engine
@pytest.mark.requirement("OCR-03")
def test_a_language_that_is_told_and_cannot_be_recognised_is_named() -> None:
    scanned = scan(page(["The walrus and the carpenter were walking close at hand."]))
    told = read(scanned, language="tlh").warnings
    assert told[1].startswith("no language file for tlh: letters of its own may be wrong; install")
    asked = read(scanned, Recognition(languages=("tlh", "en"))).warnings
    assert "no language file for tlh" in asked[1]
    assert len(read(scanned).warnings) == 1


@needs_engine
@pytest.mark.requirement("OCR-03")
def test_a_language_without_its_file_is_named() -> None:
    with pytest.raises(ParseError, match="no language file for tlh"):
        choose(Recognition(languages=("tlh",)), "")


@pytest.mark.requirement("OCR-04")
def test_without_the_engine_scans_are_told_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sheets = [Sheet().line(72, 700, "Words here."), Sheet().picture(), Sheet().line(72, 700, "Z.")]
    nowhere = Recognition(folder=str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(recognition, "find_spec", lambda _name: object())
        assert any("language files" in one for one in read(make_pdf(sheets), nowhere).warnings)
    monkeypatch.setattr(recognition, "find_spec", lambda _name: None)
    document = read(make_pdf(sheets))
    (told,) = document.warnings
    assert told.startswith("scanned pages have no text: 2; ")
    assert "pip install 'commonplace[ocr]'" in told
    assert len(document.pages) == 3
    with pytest.raises(ParseError, match=r"they are scans; .*commonplace\[ocr\]"):
        read(make_pdf([Sheet().picture()]))


@needs_engine
@pytest.mark.requirement("OCR-05")
def test_more_scans_than_are_allowed_are_told() -> None:
    content = scan(page(ENGLISH), page(["Second page here."]))
    document = read(content, replace(Recognition(), most_pages=1))
    assert "Second" not in document.text
    assert any("2; only 1 are recognised; raise ocr_max_pages" in one for one in document.warnings)


@needs_engine
@pytest.mark.requirement("OCR-05")
def test_a_picture_without_words_is_told() -> None:
    sheets = [Sheet().line(72, 700, "Words here."), Sheet().picture()]
    document = read(make_pdf(sheets))
    assert document.warnings == ("pages are pictures without words: 2",)
    assert "ocr_pages" not in document.attributes
