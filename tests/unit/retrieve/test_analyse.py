"""Questions become queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.retrieve.analyse import MAX_PARTS, MAX_PHRASES, MAX_TERMS, analyse

hostile = st.text(st.characters(codec=None, exclude_categories=())) | st.sampled_from(
    [
        "",
        " ",
        "\x00",
        "\ud800",
        '"' * 999,
        "?" * 999,
        "and " * 999,
        "a_" * 999,
        "东" * 9999,
        "（" * 99,
    ]
)


@pytest.mark.requirement("RET-01")
@given(hostile)
def test_any_text_gives_a_query_an_engine_can_read(text: str) -> None:
    query = analyse(text)
    assert len(query.terms) <= MAX_TERMS
    assert len(query.parts) <= MAX_PARTS
    assert len(query.phrases) <= MAX_PHRASES
    assert len(set(query.terms)) == len(query.terms)
    for term in query.terms:
        term.encode("utf-8")
        assert term == term.lower()
        assert "\x00" not in term
    assert analyse(text) == query


@pytest.mark.requirement("RET-01")
@pytest.mark.parametrize(
    "unit", ['"', "a?", "vs ", "compare a and ", "Aa", "_a", "a.b/", "--a", "’s "]
)
def test_a_megabyte_of_anything_is_analysed(unit: str) -> None:
    assert analyse(unit * (1_000_000 // len(unit))).text


@pytest.mark.requirement("RET-02")
@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("What is the capital of France?", ("capital", "france")),
        ("Wer ist der Autor?", ("autor",)),
        ("how did he die", ("die",)),
        ("to be or not to be", ("to", "be", "or", "not")),
        ("The Who", ("the", "who")),
    ],
)
def test_stop_words_are_left_out_unless_nothing_else_is_there(
    text: str, terms: tuple[str, ...]
) -> None:
    assert analyse(text).terms == terms


@pytest.mark.requirement("RET-03")
@pytest.mark.parametrize(
    ("text", "identifier", "parts"),
    [
        ("set max_pool_size", "max_pool_size", {"max", "pool", "size"}),
        ("use HttpClient", "HttpClient", {"http", "client", "httpclient"}),
        ("the --dry-run flag", "--dry-run", {"dry", "run"}),
        ("call os.path.join", "os.path.join", {"os", "path", "join"}),
        ("what does parse() do", "parse", {"parse"}),
    ],
)
def test_identifiers_are_kept_and_split(text: str, identifier: str, parts: set[str]) -> None:
    query = analyse(text)
    assert identifier in query.identifiers
    assert parts <= set(query.terms)


@pytest.mark.requirement("RET-04")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What is a lease? Who renews it?", ("What is a lease?", "Who renews it?")),
        ("SQLite vs DuckDB", ("SQLite", "DuckDB")),
        ("compare leases with locks", ("leases", "locks")),
        ("What is the difference between WAL and rollback?", ("WAL", "rollback")),
        ("how do I install it and where is the log", ("how do I install it", "where is the log")),
        ("salt and pepper", ()),
        ("one question?", ()),
    ],
)
def test_compound_questions_have_parts(text: str, parts: tuple[str, ...]) -> None:
    assert analyse(text).parts == parts


def test_phrases_are_what_stands_between_double_quotation_marks() -> None:
    query = analyse('the "query planner", “exactly this” and "one"')
    assert query.phrases == (("query", "planner"), ("exactly", "this"))
