"""What is too long for a quote is cut where a reader would stop."""

import pytest

from commonplace.answer.spans import Piece, split_spans
from commonplace.answer.windows import fitting


def _cut(text: str, piece: Piece, most: int) -> list[str]:
    found = fitting(text, piece, lambda part: len(part.split()), most)
    return [text[part.start : part.end] for part in found]


@pytest.mark.requirement("EVI-31")
def test_a_long_row_is_cut_at_ends_of_sentences_before_clauses() -> None:
    row = "| Note | There is a difference, and it is big. In other words, both differ. See below. |"
    (piece,) = split_spans(row)
    assert _cut(row, piece, 12) == [
        "| Note | There is a difference, and it is big.",
        "In other words, both differ. See below. |",
    ]
    assert _cut(row, piece, 8) == [
        "| Note | There is a difference,",
        "and it is big.",
        "In other words, both differ. See below. |",
    ]


@pytest.mark.requirement("EVI-31")
def test_code_is_cut_at_lines_whatever_stands_in_it() -> None:
    text = "```\nprint(a. b)\nprint(c. d)\n```"
    (piece,) = split_spans(text)
    assert _cut(text, piece, 3) == ["```\nprint(a. b)", "print(c. d)\n```"]
