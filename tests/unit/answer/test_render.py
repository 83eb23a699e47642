"""Text forms: document text is quotation and cannot pass for ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.answer.render import one_line, quotation


@pytest.mark.requirement("REN-01")
@given(st.text())
def test_every_line_of_a_quotation_is_marked_as_quoted(text: str) -> None:
    assert all(line.startswith(">") for line in quotation(text).splitlines())


@pytest.mark.requirement("REN-02")
@pytest.mark.parametrize("character", ["\x1b", "\x00", "\x9b", "\u202e", "\u2066", "\x7f"])
def test_control_and_bidirectional_characters_do_not_survive(character: str) -> None:
    assert character not in quotation(f"a{character}b")
    assert character not in one_line(f"a{character}b")
