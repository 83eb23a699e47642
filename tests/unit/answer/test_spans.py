"""Passages become spans a quote may begin and end at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.spans import overlap_spans, quotable, split_spans

texts = st.text(st.sampled_from("ab A.!?…。\n-*|`#1\t\"')中 :=>_")) | st.text()


def _cut(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in split_spans(text)]


@pytest.mark.requirement("EVI-08")
@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        (
            "Dr. Who met Mr. J. Smith at 3.5 p.m. today.",
            ["Dr. Who met Mr. J. Smith at 3.5 p.m. today."],
        ),
        (
            "It is used, e.g. in Rome, i.e. there. Next.",
            ["It is used, e.g. in Rome, i.e. there.", "Next."],
        ),
        ("See https://a.b/c.d?e=f. Then go.", ["See https://a.b/c.d?e=f.", "Then go."]),
        ("Am 3. Mai 1999 kam er. Es regnete.", ["Am 3. Mai 1999 kam er.", "Es regnete."]),
        ("Das ist z.B. gut, bzw. schlecht. Ende.", ["Das ist z.B. gut, bzw. schlecht.", "Ende."]),
        ('He said "Stop." She left.', ['He said "Stop."', "She left."]),
        ("The U.S. Army won. It did.", ["The U.S. Army won.", "It did."]),
        ("wrapped in the\nmiddle. Next.", ["wrapped in the\nmiddle.", "Next."]),
        ("- one\n- two\n  goes on\n- three", ["- one", "- two\n  goes on", "- three"]),
        ("1. first\n2. second", ["1. first", "2. second"]),
        ("1. First. More.\n\n2. Second.", ["1. First.", "More.", "2. Second."]),
        ("all is low. j. smith of the u.s. too.", ["all is low.", "j. smith of the u.s. too."]),
        (
            "== Early life ==\nShe sang.\n= = x = =\n",
            ["== Early life ==", "She sang.", "= = x = ="],
        ),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        ("# Title\ntext here", ["# Title", "text here"]),
        ("Anna: Hello there 🎉\nBen: Hi", ["Anna: Hello there 🎉", "Ben: Hi"]),
        ("今日は。明日は？", ["今日は。", "明日は？"]),
        ("```py\na = 1. \nb = 2\n```", ["```py\na = 1. \nb = 2\n```"]),
        ("```\nnever closed. x", ["```\nnever closed. x"]),
        ("---\ntitle: A. B\ntags: [x]\n---\n# H\nText.", ["# H", "Text."]),
        ("---\nAn hour passed.\n---\nNext.", ["An hour passed.", "Next."]),
        ("Title\n=====\n\nOne. Two.", ["Title", "One.", "Two."]),
        ("Title\n~~~~~\nOne. Two.", ["Title", "One.", "Two."]),
        ("Like this:\n~~~\na. b\n~~~", ["Like this:", "~~~\na. b\n~~~"]),
        ("Two\nlines\n-----\nNext.", ["Two\nlines", "Next."]),
        ("So::\n\n  a = 1. \n\n  b. C\n\nOn.", ["So::", "a = 1. \n\n  b. C", "On."]),
        ("So::\nNot. Code.", ["So::", "Not.", "Code."]),
        (
            ".. code-block:: sh\n\n   run. Now\n\nDone. Go.",
            [".. code-block:: sh\n\n   run. Now", "Done.", "Go."],
        ),
        (".. note::\n\n   One. Two.", [".. note::", "One.", "Two."]),
        (".. method:: a.b(c). D\n\n   One.", [".. method:: a.b(c). D", "One."]),
        (".. _label:\n\n.. A comment. Yes.\n\nOne.", [".. _label:", ".. A comment. Yes.", "One."]),
        (">>> a. B\n1. \n\nOne. Two.", [">>> a. B\n1.", "One.", "Two."]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_spans_are_what_a_reader_would_take(text: str, spans: list[str]) -> None:
    assert _cut(text) == spans


@pytest.mark.requirement("EVI-21")
def test_headings_and_marks_for_the_typesetter_are_not_quoted() -> None:
    text = (
        ".. _top:\n\nTitle\n=====\n\n.. module:: json\n   :synopsis: It.\n\nIt reads. Then writes."
    )
    assert [text[piece.start : piece.end] for piece in quotable(text)] == [
        "It reads.",
        "Then writes.",
    ]
    assert [piece.kind for piece in quotable("Title\n=====")] == ["heading"]
    assert [piece.kind for piece in split_spans("== Life ==\nx == y\n")] == ["heading", "sentence"]


@pytest.mark.requirement("EVI-21")
@pytest.mark.parametrize(
    ("directive", "kind"),
    [
        (".. setting:: MAX_AGE", "mark"),
        (".. setting:: MAX_AGE\n\n   It ends.", "sentence"),
        (".. versionadded:: 3.2", "sentence"),
        (".. function:: open(path)", "sentence"),
        (".. note:: It ends.", "sentence"),
    ],
)
def test_a_directive_that_only_names_its_section_is_a_mark(directive: str, kind: str) -> None:
    assert split_spans(f"{directive}\n\nDefault: 0")[0].kind == kind


@pytest.mark.requirement("EVI-30")
def test_ornaments_are_not_quoted() -> None:
    text = (
        '<p align="center">\n  <img src="logo.svg" alt="Depot">\n</p>\n\n'
        "[![Build](https://a.b/c.svg)](https://a.b) ![Size][size]\n\n"
        "- [Usage](#usage)\n    - [Options](#options)\n1. [Why](#why)\n\n"
        "<b>Depot</b> keeps parcels. See [Usage](#usage).\n\n- [Guide](guide.md)\n"
    )
    assert [text[piece.start : piece.end] for piece in quotable(text)] == [
        "<b>Depot</b> keeps parcels.",
        "See [Usage](#usage).",
        "- [Guide](guide.md)",
    ]
    assert quotable("<br/>\n\n.. autoclass:: Depot\n") == []


@pytest.mark.requirement("EVI-08")
@given(texts)
def test_spans_stand_in_order_and_leave_out_no_word(text: str) -> None:
    for pieces in (split_spans(text), overlap_spans(text)):
        place = 0
        for piece in pieces:
            assert place <= piece.start < piece.end <= len(text)
            assert not any(letter.isalnum() for letter in text[place : piece.start])
            place = piece.end
        assert not any(letter.isalnum() for letter in text[place:])


@pytest.mark.requirement("EVI-12")
@pytest.mark.parametrize(
    "unit",
    [
        *(
            ". ",
            "a.b ",
            "```\n",
            "| |\n",
            "- \n",
            "A. ",
            "\n",
            "a: b\n",
            "*" * 99,
            "[a] ",
            "a. ",
            "= ",
        ),
        *("<!--", "<p ", "![a](", "![a][", "- [a](#", "[]("),
    ],
)
def test_long_hostile_texts_are_cut_in_reasonable_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert len(quotable(text)) <= len(text)  # splits, and looks for ornaments
    assert len(overlap_spans(text)) <= len(text)
