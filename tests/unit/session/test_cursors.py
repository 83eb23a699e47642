"""Cursors: opaque, signed, tied to query and generation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import InvalidArgument
from commonplace.session.cursors import Cursors

cursors = Cursors(b"k" * 32)


@pytest.mark.requirement("CUR-01")
@given(offset=st.integers(0, 99_999), generation=st.integers(0, 1 << 40), query=st.text())
def test_a_cursor_gives_back_its_offset(offset: int, generation: int, query: str) -> None:
    made = cursors.make(offset, generation, query=query)
    assert cursors.read(made, generation, query=query) == offset


@pytest.mark.requirement("CUR-02")
@given(offset=st.integers(0, 100), other=st.text())
def test_a_cursor_of_another_query_or_generation_is_refused(offset: int, other: str) -> None:
    made = cursors.make(offset, 7, query="mine")
    with pytest.raises(InvalidArgument, match="without cursor"):
        cursors.read(made, 8, query="mine")
    with pytest.raises(InvalidArgument, match="without cursor"):
        cursors.read(made, 7, query="mine" + other + "!")


@pytest.mark.requirement("CUR-03")
@given(st.text())
def test_a_forged_cursor_is_refused_with_a_typed_error(forged: str) -> None:
    with pytest.raises(InvalidArgument):
        cursors.read(forged, 1, query="q")


@pytest.mark.requirement("CUR-04")
def test_another_servers_cursor_is_refused() -> None:
    made = Cursors(b"x" * 32).make(3, 1, query="q")
    with pytest.raises(InvalidArgument):
        cursors.read(made, 1, query="q")
