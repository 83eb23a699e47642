"""Words as the index sees them, for any text."""

import apsw
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.query import Query
from commonplace.engines.analysis import clean, expression, identifiers, is_storable, spread, wanted


@given(st.text())
def test_cleaned_text_can_be_stored_and_is_as_long(text: str) -> None:
    assert is_storable(clean(text))
    assert len(clean(text)) == len(text)
    clean(text).encode()


@given(st.text())
def test_any_text_can_be_spread_and_searched_for_identifiers(text: str) -> None:
    spread(text).encode()
    identifiers(text).encode("utf-8", "surrogatepass")


@given(
    st.lists(st.text(max_size=20), max_size=5),
    st.lists(st.lists(st.text(max_size=9), max_size=3), max_size=3),
    st.lists(st.text(max_size=20), max_size=3),
)
def test_no_text_is_query_syntax(
    terms: list[str], phrases: list[list[str]], code: list[str]
) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(body, tokenize='porter')")
    query = Query(
        text="",
        terms=tuple(terms),
        phrases=tuple(map(tuple, phrases)),
        identifiers=tuple(code),
    )
    want = wanted(query)
    if not want.is_empty:
        connection.execute(
            "SELECT * FROM words WHERE words MATCH ?", (expression(want),)
        ).fetchall()


def test_a_megabyte_of_digits_takes_no_time() -> None:
    assert identifiers("0123456789abcdef" * 65_536) == ""
    assert identifiers("a" + "." * 1_000_000) == ""
    assert identifiers("aB" * 500_000) == ""


def test_a_page_as_a_query_stays_bounded() -> None:
    query = Query(text="", terms=tuple(f"word{at}" for at in range(10_000)))
    assert len(wanted(query).optional) == 256
