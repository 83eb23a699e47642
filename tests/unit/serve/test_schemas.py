"""Schemas are small, self-contained and true."""

from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from commonplace.serve.schemas import field_names, input_schema, output_schema
from tests.e2e.demo_tools import Echo, EchoArgs


class Inner(BaseModel):
    """What lies within."""

    title: str = Field(default="", title="A title of its own")
    kinds: list[Literal["a", "b"]] = []


class Outer(BaseModel):
    """Every construct our models use."""

    title: str
    inner: Inner = Inner()
    maybe: Inner | None = Field(default=None, description="Or nothing.")
    either: list[str] | str | None = None
    many: dict[str, Inner] = {}


class Loop(BaseModel):
    """Contains itself."""

    inner: "Loop | None" = None


def keys(node: Any) -> set[str]:  # noqa: ANN401 - JSON
    if isinstance(node, list):
        return set().union(*map(keys, node)) if node else set()
    if not isinstance(node, dict):
        return set()
    return set(node).union(*map(keys, node.values()))


@pytest.mark.requirement("SRV-30")
@pytest.mark.parametrize("make", [input_schema, output_schema])
def test_nothing_is_referred_to_and_fields_called_title_stay(make: Any) -> None:  # noqa: ANN401
    schema = make(Outer)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert keys(schema).isdisjoint({"$ref", "$defs"})
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["inner"]["properties"]["title"]["type"] == "string"


@pytest.mark.requirement("SRV-30")
def test_an_optional_argument_is_one_that_is_not_required() -> None:
    schema = input_schema(Outer)
    assert schema["required"] == ["title"]
    assert schema["properties"]["maybe"]["type"] == "object"
    assert schema["properties"]["maybe"]["description"] == "Or nothing."
    assert "null" not in str(schema)


@pytest.mark.requirement("SRV-05")
def test_an_output_schema_takes_the_output_or_the_error_and_nothing_else() -> None:
    validator = jsonschema.Draft202012Validator(output_schema(Echo))
    error = {"code": "NOT_FOUND", "message": "no", "details": {}}
    assert validator.is_valid({"said": "a", "session_id": "1"})
    assert validator.is_valid({"said": "a", "session_id": "1", "next_cursor": None})
    assert validator.is_valid({"error": error})
    assert not validator.is_valid({})
    assert not validator.is_valid({"said": "a"})
    assert not validator.is_valid({"error": {"code": "NOT_FOUND"}})


@pytest.mark.requirement("SRV-30")
@given(st.builds(EchoArgs, text=st.text(min_size=1, max_size=50)))
def test_arguments_a_model_accepts_fit_the_schema_it_was_shown(args: EchoArgs) -> None:
    sent = args.model_dump(mode="json", exclude_none=True)
    jsonschema.validate(sent, input_schema(EchoArgs))


@pytest.mark.requirement("SRV-30")
def test_a_model_that_contains_itself_is_refused_when_the_server_is_built() -> None:
    with pytest.raises(ValueError, match="Loop contains itself"):
        input_schema(Loop)


@pytest.mark.requirement("SRV-03")
def test_fields_are_known_at_any_depth() -> None:
    assert field_names(input_schema(EchoArgs), ("options",)) == ["times"]
    assert field_names(input_schema(EchoArgs), ("text", "nowhere")) == []
