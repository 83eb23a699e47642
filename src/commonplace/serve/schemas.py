"""JSON schemas small enough to send with every turn, made from the argument and output models.

References are put in place (some hosts resolve none), titles repeat the names and go, and an
optional argument is simply one that is not required: several hosts refuse ``anyOf`` with null.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]

# An error may stand in the place of any output: the TypeScript SDK checks structuredContent
# against outputSchema even when isError is set.
ERROR_SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "details": {"type": "object"},
    },
    "required": ["code", "message", "details"],
}

_SCHEMA_MAPS = ("properties", "patternProperties")
_SCHEMA_LISTS = ("anyOf", "allOf", "oneOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "not")


@lru_cache(maxsize=256)
def input_schema(model: type[BaseModel]) -> Schema:
    """What a model may send: required fields first-class, the rest optional."""
    schema = _compact(model.model_json_schema(), keeps_null=False)
    schema.pop("description", None)  # the tool's own description says it
    return schema


@lru_cache(maxsize=256)
def output_schema(model: type[BaseModel]) -> Schema:
    """What a tool gives back: its output, or the error envelope in its place."""
    schema = _compact(model.model_json_schema(), keeps_null=True)
    schema.pop("description", None)
    required = schema.pop("required", [])
    schema["properties"] = {**schema.get("properties", {}), "error": ERROR_SCHEMA}
    schema["anyOf"] = [{"required": required}, {"required": ["error"]}]
    return schema


def field_names(schema: Schema, path: tuple[str | int, ...]) -> list[str]:
    """The fields known at a place of a compact schema, to suggest the one that was meant.

    >>> field_names({"properties": {"a": {"properties": {"b": {}}}}}, ("a",))
    ['b']
    """
    for part in path:
        inner = schema.get("properties", {}).get(part)
        schema = inner if inner is not None else schema.get("items", {})
        schema = next((s for s in schema.get("anyOf", ()) if "properties" in s), schema)
    return sorted(schema.get("properties", {}))


def _compact(schema: Schema, *, keeps_null: bool) -> Schema:
    definitions = schema.get("$defs", {})

    def walk(node: Any, seen: tuple[str, ...]) -> Any:  # noqa: ANN401 - JSON
        if not isinstance(node, Mapping):
            return node
        if "$ref" in node:
            name = node["$ref"].rpartition("/")[2]
            if name in seen:
                raise ValueError(f"model {name} contains itself; such a schema cannot be inlined")
            beside = {key: value for key, value in node.items() if key != "$ref"}
            return walk({**definitions[name], **beside}, (*seen, name))
        kept = {key: walk_value(key, value, seen) for key, value in node.items() if keep(key)}
        return _without_null(kept, keeps_null=keeps_null)

    def walk_value(key: str, value: Any, seen: tuple[str, ...]) -> Any:  # noqa: ANN401 - JSON
        if key in _SCHEMA_MAPS:
            return {name: walk(inner, seen) for name, inner in value.items()}
        if key in _SCHEMA_LISTS:
            return [walk(inner, seen) for inner in value]
        return walk(value, seen) if key in _SCHEMAS else value

    def keep(key: str) -> bool:
        return key not in ("$defs", "title")

    compact: Schema = walk(schema, ())
    return compact


def _without_null(node: Schema, *, keeps_null: bool) -> Schema:
    """An optional value, said in the shortest way that every host takes.

    >>> node = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
    >>> _without_null(node, keeps_null=False)
    {'type': 'string'}
    >>> _without_null(node, keeps_null=True)
    {'anyOf': [{'type': 'string'}, {'type': 'null'}]}
    """
    options = node.get("anyOf", ())
    if {"type": "null"} not in options:
        return node
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    if "default" in rest and rest["default"] is None:
        del rest["default"]
    if keeps_null:
        return {"anyOf": list(options), **rest}
    others = [option for option in options if option != {"type": "null"}]
    return {**others[0], **rest} if len(others) == 1 else {"anyOf": others, **rest}
