"""A JSON schema in words: types, bounds, and its fields by dotted name."""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def _resolve(schema: Schema, root: Schema) -> Schema:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    found: Schema = root["$defs"][reference.rpartition("/")[2]]
    return {**found, **{key: schema[key] for key in schema if key != "$ref"}}


def _variants(schema: Schema, root: Schema) -> list[Schema]:
    schema = _resolve(schema, root)
    options = schema.get("anyOf") or schema.get("oneOf")
    if not options:
        return [schema]
    return [variant for option in options for variant in _variants(option, root)]


def type_name(schema: Schema, root: Schema) -> str:
    """What a value may be, in words: ``string``, ``list of string``, ``"a" or "b"``.

    >>> type_name({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {})
    'integer or null'
    """
    return " or ".join(dict.fromkeys(_one_type(v, root) for v in _variants(schema, root)))


def _one_type(schema: Schema, root: Schema) -> str:
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{choice}`" for choice in schema["enum"])
    if schema.get("type") == "array":
        entries = schema.get("items")
        return f"list of {type_name(entries, root)}" if entries else "list"
    if schema.get("format") == "date-time":
        return "ISO 8601 time"
    return str(schema.get("type", "any"))


_BOUNDS = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " entries"),
)


def limits(schema: Schema, root: Schema) -> str:
    """The bounds of a value.

    >>> limits({"type": "integer", "minimum": 1, "maximum": 50}, {}), limits({"minItems": 2}, {})
    ('1–50', '≥ 2 entries')
    """
    found = [
        text
        for variant in _variants(schema, root)
        for low, high, unit in _BOUNDS
        if (text := _range(variant.get(low), variant.get(high), unit))
    ]
    found += [
        f"> {variant['exclusiveMinimum']}"
        for variant in _variants(schema, root)
        if "exclusiveMinimum" in variant
    ]
    return ", ".join(dict.fromkeys(found))


def _range(low: float | None, high: float | None, unit: str) -> str:
    if low is not None and high is not None:
        return f"{low:,}–{high:,}{unit}"
    if high is not None:
        return f"≤ {high:,}{unit}"
    return f"≥ {low:,}{unit}" if low is not None else ""


def fields(schema: Schema, root: Schema, prefix: str = "") -> Iterator[tuple[str, Schema, bool]]:
    """Every field of an object with its dotted name, nested objects opened: name, schema, must."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        yield f"{prefix}{name}", _resolve(field, root), name in required
        for variant in _variants(field, root):
            inner = variant
            mark = "."
            if variant.get("type") == "array" and variant.get("items"):
                inner, mark = _resolve(variant["items"], root), "[]."
            if inner.get("properties"):
                yield from fields(inner, root, f"{prefix}{name}{mark}")
