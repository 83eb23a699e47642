"""Arguments are checked before a tool sees them, and the answer says how to mend them."""

import contextlib
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import InvalidArgument
from commonplace.serve.arguments import read_arguments
from commonplace.tools.kb.search import SearchArgs
from tests.e2e.demo_tools import EchoArgs

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def fault(arguments: dict[str, Any]) -> InvalidArgument:
    with pytest.raises(InvalidArgument) as refused:
        read_arguments(EchoArgs, arguments)
    return refused.value


@pytest.mark.requirement("SRV-03")
def test_an_unknown_field_is_named_with_the_nearest_known_one() -> None:
    message = fault({"text": "a", "optoins": {}}).message
    assert "optoins" in message
    assert "did you mean 'options'?" in message
    message = fault({"text": "a", "options": {"tmes": 2}}).message
    assert "options.tmes: unknown field; did you mean 'times'? known: times" in message


@pytest.mark.requirement("SRV-03")
def test_every_faulty_field_is_named_with_what_was_given() -> None:
    error = fault({"options": {"times": 10**30}})
    assert error.details["fields"] == ["text", "options.times"]
    assert "text: missing" in error.message
    assert "less than or equal to 5 (given 1000000000000000000000000000000)" in error.message


@pytest.mark.requirement("SRV-03")
def test_a_huge_value_is_described_not_repeated() -> None:
    message = fault({"text": "x" * 1_000_000}).message
    assert "at most 10000 characters (given 1000000 characters)" in message
    assert len(fault({"text": 10**5000}).message) < 500


@pytest.mark.requirement("SRV-03")
def test_faults_are_told_in_words_of_json() -> None:
    def told(**arguments: object) -> str:
        with pytest.raises(InvalidArgument) as refused:
            read_arguments(SearchArgs, {"query": "a", **arguments})
        return refused.value.message

    assert told(query=None) == "query: input should be a valid string (given null)"
    assert "white space" in told(query="  ")
    assert told(scope={"doc_tags": ["a"] * 51}) == (
        "scope.doc_tags: list should have at most 50 items (given list of 51)"
    )
    assert told(options="auto") == "options: should be an object (given 'auto')"
    assert "filters.doc_tag: " in told(filters={"doc_tag": ""})
    assert "constrained" not in told(filters={"doc_tag": [""]})
    assert "filters.doc_tag[0]: " in told(filters={"doc_tag": [""]})


@pytest.mark.requirement("KBS-08")
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2026-01-31", "2026-01-31T00:00:00"),
        ("20260131", "2026-01-31T00:00:00"),
        (" 2026-01-31T12:00Z ", "2026-01-31T12:00:00+00:00"),
        ("2026-01-31T12:00:00.5+05:30", "2026-01-31T12:00:00.500000+05:30"),
        ("2026-W05-6", "2026-01-31T00:00:00"),
    ],
)
def test_a_moment_is_read_as_iso_8601_writes_it(given: str, meant: str) -> None:
    args = read_arguments(SearchArgs, {"query": "a", "filters": {"updated_after": given}})
    assert isinstance(args, SearchArgs)
    assert args.filters is not None
    assert args.filters.updated_after == datetime.fromisoformat(meant)


@pytest.mark.requirement("KBS-08")
@pytest.mark.parametrize("given", ["", "2026", "-1", "1e9", "yesterday", "2026-13-01", 2026, True])
def test_what_is_no_moment_is_refused_with_one_that_is(given: object) -> None:
    with pytest.raises(InvalidArgument, match="2026-01-31T12:00:00Z") as refused:
        read_arguments(SearchArgs, {"query": "a", "filters": {"updated_after": given}})
    assert refused.value.details == {"fields": ["filters.updated_after"]}


@pytest.mark.requirement("SRV-04")
@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"text": "a\0b"}, "text"),
        ({"text": "a\ud800"}, "text"),
        ({"text": "a", "options": {"a": ["b", "\udfff"]}}, "options.a[1]"),
        ({"text": "a", "op\0": 1}, "arguments"),
    ],
)
def test_text_that_is_none_is_refused_with_its_place(arguments: Any, field: str) -> None:  # noqa: ANN401
    assert fault(arguments).details == {"field": field}


@pytest.mark.requirement("SRV-03")
@given(st.dictionaries(st.sampled_from(["text", "options", "session_id", "x"]), JSON))
def test_any_json_is_either_read_or_refused(arguments: dict[str, Any]) -> None:
    with contextlib.suppress(InvalidArgument):
        assert isinstance(read_arguments(EchoArgs, arguments), EchoArgs)
