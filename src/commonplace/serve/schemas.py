"""JSON schemas small enough to send with every turn, made from the argument and output models.

References are put in place (some hosts resolve none), titles repeat the names and go, and an
optional argument is simply one that is not required: several hosts refuse ``anyOf`` with null.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from commonplace.tools.base import BRIEF, UNBOUNDED

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

_ALWAYS_DROPPED = frozenset({"$defs", "title"})
# The server checks lengths, patterns and unknown fields, and says what is wrong; a model that reads
# them in every list learns nothing for its tokens.
_DROPPED_FROM_INPUT = frozenset({"minLength", "maxLength", "minItems", "maxItems", "pattern"})
_TOLD_ELSEWHERE = {
    BRIEF: frozenset({"minimum", "maximum", "default", BRIEF, UNBOUNDED}),
    UNBOUNDED: frozenset({"minimum", "maximum", UNBOUNDED}),
}
_SCHEMA_MAPS = ("properties", "patternProperties")
_SCHEMA_LISTS = ("anyOf", "allOf", "oneOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "not")


@lru_cache(maxsize=256)
def input_schema(model: type[BaseModel]) -> Schema:
    """What a model may send: required fields first-class, the rest optional."""
    schema = _compact(model.model_json_schema(), is_input=True)
    schema.pop("description", None)  # the tool's own description says it
    return schema


@lru_cache(maxsize=256)
def output_schema(model: type[BaseModel]) -> Schema:
    """What a tool gives back: its output, or the error envelope in its place."""
    schema = _compact(model.model_json_schema(), is_input=False)
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


def _compact(schema: Schema, *, is_input: bool) -> Schema:
    definitions = schema.get("$defs", {})
    dropped = _ALWAYS_DROPPED | _DROPPED_FROM_INPUT if is_input else _ALWAYS_DROPPED

    def walk(node: Any, seen: tuple[str, ...]) -> Any:  # noqa: ANN401 - JSON
        if not isinstance(node, Mapping):
            return node
        if "$ref" in node:
            name = node["$ref"].rpartition("/")[2]
            if name in seen:
                raise ValueError(f"model {name} contains itself; such a schema cannot be inlined")
            beside = {key: value for key, value in node.items() if key != "$ref"}
            return walk({**definitions[name], **beside}, (*seen, name))
        kept = {
            key: walk_value(key, value, seen) for key, value in node.items() if key not in dropped
        }
        return _without_null(_briefer(kept)) if is_input else kept

    def walk_value(key: str, value: Any, seen: tuple[str, ...]) -> Any:  # noqa: ANN401 - JSON
        if key in _SCHEMA_MAPS:
            return {name: walk(inner, seen) for name, inner in value.items()}
        if key in _SCHEMA_LISTS:
            return [walk(inner, seen) for inner in value]
        return walk(value, seen) if key in _SCHEMAS else value

    compact: Schema = walk(schema, ())
    return compact


def _briefer(node: Schema) -> Schema:
    """A part of an input schema without what the tool's description or an error tells.

    >>> _briefer({"type": "integer", "minimum": 1, "default": 5, "x-brief": True})
    {'type': 'integer'}
    """
    told = {name for mark, names in _TOLD_ELSEWHERE.items() if mark in node for name in names}
    if node.get("additionalProperties") is False:
        told.add("additionalProperties")
        told.add("description")  # of an object: its fields tell it, the reference says the rest
    return {key: value for key, value in node.items() if key not in told}


def _without_null(node: Schema) -> Schema:
    """An optional argument, said in the shortest way that every host takes.

    >>> _without_null({"anyOf": [{"type": "string"}, {"type": "null"}], "default": None})
    {'type': 'string'}
    >>> _without_null({"type": "array", "default": []})
    {'type': 'array'}
    """
    kept = dict(node)
    default = kept.get("default")
    if default in (None, [], "") or isinstance(default, dict):  # the fields tell theirs
        kept.pop("default", None)
    others = [option for option in kept.get("anyOf", ()) if option != {"type": "null"}]
    if len(others) == len(kept.get("anyOf", ())):
        return kept
    del kept["anyOf"]
    return {**others[0], **kept} if len(others) == 1 else {"anyOf": others, **kept}
