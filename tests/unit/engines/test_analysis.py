"""Words as the index sees them, for any text."""

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.query import Query
from commonplace.engines.analysis import (
    clean,
    columns,
    count,
    holds,
    identifiers,
    is_storable,
    spread,
    tokens,
    wanted,
)


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
def test_any_query_comes_to_words_and_phrases(
    terms: list[str], phrases: list[list[str]], code: list[str]
) -> None:
    query = Query(
        text="",
        terms=tuple(terms),
        phrases=tuple(map(tuple, phrases)),
        identifiers=tuple(code),
    )
    want = wanted(query)
    assert all(word and weight == 1 for word, weight in want.words.items())
    assert all(set(phrase) <= want.words.keys() for phrase in want.phrases)


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=3), st.text(max_size=400))
def test_words_are_counted_where_they_stand(title: str, headings: list[str], text: str) -> None:
    found = columns(clean(title), [clean(heading) for heading in headings], clean(text))
    counted = count(found)
    assert counted.length == sum(map(len, found))
    assert counted.halves.keys() == {word for column in found for word in column}
    for column in found:
        assert holds(found, [column[:3]]) or not column


def test_a_word_counts_for_no_more_than_a_byte_can_hold() -> None:
    assert count(columns("", (), "pool " * 1000)).halves == {"pool": 255}


def test_each_thread_cuts_words_on_its_own() -> None:
    texts = [f"running wolves {number}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tokens, texts)) == [tokens(text) for text in texts]


def test_a_megabyte_of_digits_takes_no_time() -> None:
    assert identifiers("0123456789abcdef" * 65_536) == ""
    assert identifiers("a" + "." * 1_000_000) == ""
    assert identifiers("aB" * 500_000) == ""


def test_a_page_as_a_query_stays_bounded() -> None:
    query = Query(text="", terms=tuple(f"word{at}" for at in range(10_000)))
    assert len(wanted(query).words) == 256
