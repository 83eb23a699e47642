"""Arguments for any tool, made from its input schema: valid ones, with values from real replies."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

WORDS = ["install", "token budget", "cursor", "Wie geht das?", "`code`", "NEAR(", '"quoted phrase"']
TEXTS = st.one_of(st.sampled_from(WORDS), st.text(min_size=1, max_size=40))


def arguments(
    schema: Mapping[str, Any], pools: Mapping[str, Sequence[str]]
) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that satisfy the schema; fields named in ``pools`` take their values from there."""
    required = set(schema.get("required", ()))
    fields = {
        name: st.sampled_from(pools[name]) if name in pools else _value(field, pools)
        for name, field in schema.get("properties", {}).items()
    }
    return st.fixed_dictionaries(
        {name: field for name, field in fields.items() if name in required},
        optional={name: field for name, field in fields.items() if name not in required},
    )


def _value(schema: Mapping[str, Any], pools: Mapping[str, Sequence[str]]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([_value(option, pools) for option in schema["anyOf"]])
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        return st.one_of([_value({**schema, "type": option}, pools) for option in kind])
    if kind == "object":
        return arguments(schema, pools)
    if kind == "array":
        return st.lists(
            _value(schema.get("items", {}), pools), min_size=schema.get("minItems", 0), max_size=3
        )
    return _scalar(kind, schema)


def _scalar(kind: str, schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    if kind == "integer":
        return st.integers(schema.get("minimum", 0), schema.get("maximum", 10_000))
    if kind == "number":
        return st.floats(schema.get("minimum", 0), schema.get("maximum", 1e6))
    if kind == "boolean":
        return st.booleans()
    if kind == "null":
        return st.none()
    if schema.get("format") == "date-time":
        return st.datetimes().map(lambda moment: moment.isoformat() + "Z")
    return TEXTS
