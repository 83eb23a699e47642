"""Arguments are checked before a tool sees them, and the answer says how to mend them."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.errors import InvalidArgument
from commonplace.serve.arguments import read_arguments
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
