"""Letters of a PDF: accents drawn by themselves, codes of old fonts, letters for private use."""

import re
import unicodedata
import zlib
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.parsers.pdf_facts import good_title
from commonplace.parsers.pdf_fonts import ligatures
from commonplace.parsers.pdf_letters import mended, with_accents, with_ligatures
from tests.golden.reading import read
from tests.unit.parsers.paper import Sheet, make_pdf

WIDTHS = {"M": 8.33, "f": 2.78, "u": 5.56, "a": 5.56, "n": 5.56, "e": 5.56, "t": 2.78, "r": 3.33}
"""Of Helvetica in ten points."""
MARK = 3.33


def width(text: str) -> float:
    return sum(WIDTHS[char] for char in text)


def drawn(word: str, mark: str, at: int, is_last: bool) -> str:
    """The words of a page with an accent over a letter, drawn before it or last."""
    x, letter = 72 + width(word[:at]), WIDTHS[word[at]]
    over = (x + (letter - MARK) / 2, 700, mark)
    sheet = Sheet().line(72, 700, word[:at]) if at else Sheet()
    sheet = sheet if is_last else sheet.line(*over)
    sheet.line(x, 700, word[at:]).line(72 + width(word) + 4, 700, "goes on here")
    sheet = sheet.line(*over) if is_last else sheet
    whole = make_pdf([sheet.line(72, 680, "The next line is not touched.")])
    return " ".join(read("a.pdf", whole).text.split())


@pytest.mark.requirement("PDF-23")
@pytest.mark.parametrize("is_last", [False, True])
@pytest.mark.parametrize(
    ("word", "mark", "at", "meant"),
    [
        ("fur", "¨", 1, "für"),
        ("Munten", "´", 1, "Múnten"),
        ("tuen", "`", 2, "tuèn"),
        ("ante", "ˆ", 0, "ânte"),
        ("ana", "˜", 1, "aña"),
        ("ufe", "´", 0, "úfe"),
    ],
)
def test_an_accent_over_a_letter_is_a_part_of_it(
    word: str, mark: str, at: int, meant: str, is_last: bool
) -> None:
    text = drawn(word, mark, at, is_last)
    assert text == f"{meant} goes on here The next line is not touched."


@pytest.mark.requirement("PDF-23")
def test_an_accent_over_nothing_stays_as_it_is() -> None:
    written = "It´s `quoted` and x ˆ y, see ˜me."
    assert written in read("a.pdf", make_pdf([Sheet().line(72, 700, written)])).text


@dataclass(frozen=True)
class Anywhere:
    """Characters that stand where a test puts them."""

    places: list[float]

    def sides(self, at: int) -> tuple[float, float]:
        return self.places[at], self.places[at] + 5

    def size(self, at: int) -> float:
        return 10.0 + at * 0

    def baseline(self, at: int) -> float:
        return 700.0 + at * 0

    def font(self, at: int) -> bytes:
        return b"ABCDEF+Cut" if self.places[at] else b"Plain"


@pytest.mark.requirement("PDF-23")
@given(st.lists(st.tuples(st.sampled_from("aeu n¨´`˜¸ı\r\nTß"), st.floats(0, 60))))
def test_wherever_accents_stand_nothing_else_changes(drawn: list[tuple[str, float]]) -> None:
    text = "".join(char for char, _ in drawn)
    made = with_accents(Anywhere([at for _, at in drawn]), text)
    assert len(made) == len(text)
    for before, after in zip(text, made, strict=True):
        bare = unicodedata.normalize("NFD", after)[0]
        assert after in (before, "\0", " ") or bare in (before, "i"), (text, made)
        assert before in " \xa0¨´`˜¸" or after not in "\0 ", (text, made)


NAMED = b"""%%PDF-1.5
1 0 obj <</Type/Font/BaseFont/ABCDEF+Cut/Encoding 2 0 R>> endobj
2 0 obj <</Type/Encoding/Differences[2/f_i 27/f_i/f_f_i/ff 85/T_h/q_x]>> endobj
3 0 obj <</Type/Font/BaseFont/Told/Encoding 2 0 R/ToUnicode 4 0 R>> endobj
5 0 obj <</Type/Font/BaseFont/Twice/Encoding<</Differences[27/f_f]>>>> endobj
6 0 obj <</Type/Font/BaseFont/Twice/Encoding<</Differences[27/f_j]>>>> endobj
"""


def packed(content: bytes) -> bytes:
    """The same objects in one stream, as PDF 1.5 has them."""
    told = re.findall(rb"(\d+) 0 obj (.*?) endobj", content)
    places, body = [], b""
    for number, text in told:
        places.append(number + b" %d" % len(body))
        body += text + b"\n"
    head = b" ".join(places) + b"\n"
    stream = zlib.compress(head + body)
    first = b"9 0 obj <</Type/ObjStm/N %d/First %d/Filter/FlateDecode>>stream\n"
    return first % (len(told), len(head)) + stream + b"\nendstream endobj"


@pytest.mark.requirement("PDF-03")
@pytest.mark.parametrize("content", [NAMED, packed(NAMED)], ids=["plain", "packed"])
def test_ligatures_named_by_their_letters_are_those_letters(content: bytes) -> None:
    fonts = ligatures(content)
    assert set(fonts) == {b"Cut"}, "with a table of its own pdfium knows them; two differ"
    text = "de\x1bne a\x1cne Ue V"
    cut = with_ligatures(Anywhere([1.0] * len(text)), text, fonts)
    assert mended(cut) == "define affine The V"
    twin = content.replace(b"/Told/", b"/Cut /") if content is NAMED else content
    assert (85 in ligatures(twin)[b"Cut"]) == (content is not NAMED), "the other may have U there"
    plain = with_ligatures(Anywhere([0.0] * len(text)), text, fonts)
    assert plain == text


@pytest.mark.requirement("PDF-10")
@given(st.binary(max_size=400), st.integers(0, 400))
def test_any_bytes_name_ligatures_or_none(noise: bytes, cut: int) -> None:
    for content in (NAMED[:cut] + noise, packed(NAMED)[:cut] + noise + packed(NAMED)[cut:]):
        for codes in ligatures(content).values():
            assert all(0 <= code < 256 and len(sign) == 1 for code, sign in codes.items())


@pytest.mark.requirement("PDF-03")
def test_codes_of_old_fonts_and_private_letters_are_what_they_show() -> None:
    assert mended("\x88 de\x1cnition \x84") == "• definition †"
    assert mended("\uf731\uf739\uf738\uf735 Z\uf765\uf769\uf76c") == "1985 Zeil"
    assert mended("\uf8eba\uf8f6") == "⎛a⎞"
    assert mended("a\x80\x9f\x7fb") == "ab"


@pytest.mark.requirement("PDF-06")
@pytest.mark.parametrize("told", ["undefined", "No Title Given", "null", "None"])
def test_what_programs_write_without_a_title_is_none(told: str) -> None:
    assert good_title(told, "a.pdf") == ""
    assert good_title(f"{told} of it", "a.pdf") == f"{told} of it"
