"""Previews show why a passage was found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.preview import preview
from commonplace.answer.spans import split_spans
from commonplace.retrieve.analyse import analyse
from commonplace.retrieve.words import stem
from tests.unit.retrieve.shelf import locate

TEXT = (
    "# Pumps\n\nMany things are said here. The pump freezes at minus four degrees. "
    "It then needs a day of rest. Other things follow, which are of no interest at all."
)


@pytest.mark.requirement("EVI-01")
@pytest.mark.requirement("EVI-09")
@given(st.text(max_size=300), st.text(max_size=40), st.integers(1, 300))
def test_a_preview_is_verbatim_and_within_its_characters(
    text: str, question: str, max_chars: int
) -> None:
    first, second = locate("Guide", "before ", text)
    shown = preview(question, second, max_chars)
    assert len(shown.text) <= max_chars
    assert shown.span.of(first.passage.text + text) == shown.text
    assert shown == preview(question, second, max_chars)


@pytest.mark.requirement("EVI-09")
@pytest.mark.parametrize("max_chars", [60, 80, 120, 280])
def test_a_preview_holds_the_best_sentence_whole(max_chars: int) -> None:
    shown = preview(analyse("when does the pump freeze"), locate("Pumps", TEXT)[0], max_chars)
    assert "The pump freezes at minus four degrees." in shown.text
    ends = {piece.end for piece in split_spans(TEXT)}
    assert shown.span.end in ends


@pytest.mark.requirement("EVI-09")
def test_a_sentence_that_is_too_long_is_clipped_after_a_clause() -> None:
    sentence = TEXT.partition("rest. ")[2]
    assert preview("follow", locate("Pumps", sentence)[0], 40).text == "Other things follow,"
    assert (
        preview("interest", locate("Pumps", sentence)[0], 30).text == "which are of no interest at"
    )


def test_a_passage_of_a_heading_alone_shows_the_heading() -> None:
    assert preview("x", locate("Pumps", "# Pumps\n")[0], 50).text == "# Pumps"


@pytest.mark.requirement("EVI-09")
@given(st.text(st.sampled_from("abdeginrsty1"), min_size=1, max_size=8))
def test_a_stem_begins_as_its_word_so_words_that_begin_otherwise_need_none(word: str) -> None:
    assert stem(word)[0] == word[0]
