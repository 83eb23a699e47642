"""Arguments as they come over the wire, checked before a tool sees them."""

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from commonplace.domain.errors import InvalidArgument
from commonplace.serve.envelope import printable
from commonplace.serve.schemas import field_names, input_schema
from commonplace.tools.base import ToolArgs

_MOST_PROBLEMS = 5  # a model mends a few at a time; the rest shows up at the next call
_GIVEN_CHARS = 60
_TYPE = re.compile(r"[^\w.]")  # names of types have brackets or hyphens, those of fields have not
_COUNTED = re.compile(r" after validation, not \d+")  # what was given is told anyway
_TOLD = {  # where the words of pydantic are for who writes Python
    "string_pattern_mismatch": "not of the form it must have; is it only white space?",
    "model_type": "should be an object",
    "model_attributes_type": "should be an object",
    "dict_type": "should be an object",
}

Path = tuple[str | int, ...]


def read_arguments(model: type[ToolArgs], arguments: Mapping[str, Any]) -> ToolArgs:
    """The validated arguments; raises InvalidArgument naming each field, fault and fix."""
    refuse_broken_text(arguments)
    try:
        return model.model_validate(dict(arguments))
    except ValidationError as exc:
        faults = exc.errors(include_url=False)
        fields = [dotted(_named(fault["loc"])) or "arguments" for fault in faults]
        problems = [_problem(model, fault) for fault in faults[:_MOST_PROBLEMS]]
        message = "; ".join(
            f"{field}: {problem}" for field, problem in zip(fields, problems, strict=False)
        )
        raise InvalidArgument(message, fields=fields) from exc


def refuse_broken_text(arguments: Mapping[str, Any]) -> None:
    """Raise InvalidArgument for NUL or a lone surrogate in any string, keys included.

    Neither can be stored or sent on; a query with one can only be a mistake or an attack.
    """
    waiting: list[tuple[Path, Any]] = [((), dict(arguments))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            _refuse(path, value)
        elif isinstance(value, Mapping):
            for key in value:
                _refuse(path, str(key))
            waiting.extend(((*path, str(key)), inner) for key, inner in value.items())
        elif isinstance(value, list | tuple):
            waiting.extend(((*path, place), inner) for place, inner in enumerate(value))


def _refuse(path: Path, text: str) -> None:
    fault = ""
    if "\0" in text:
        fault = "contains a NUL character"
    elif printable(text) != text:
        fault = "contains a lone surrogate, which is not text"
    if fault:
        field = dotted(path) or "arguments"
        raise InvalidArgument(f"{field}: {fault}; remove it", field=field)


def dotted(path: Path) -> str:
    """A field's place as a caller would write it.

    >>> dotted(("filters", "doc_tag", 0))
    'filters.doc_tag[0]'
    """
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).lstrip(".")


def _named(place: Path) -> Path:
    """A place without what pydantic adds where one of several types would do.

    >>> _named(("filters", "doc_tag", "list[constrained-str]", 0))
    ('filters', 'doc_tag', 0)
    """
    return tuple(part for part in place if isinstance(part, int) or not _TYPE.search(part))


def _problem(model: type[ToolArgs], fault: ErrorDetails) -> str:
    if fault["type"] == "extra_forbidden":
        return _unknown(model, fault["loc"])
    if fault["type"] == "missing":
        return "missing; it is required"
    problem = _TOLD.get(fault["type"]) or fault["msg"].removeprefix("Value error, ")
    problem = _COUNTED.sub("", problem)
    return f"{problem[:1].lower()}{problem[1:]} (given {_brief(fault['input'])})"


def _unknown(model: type[ToolArgs], place: Path) -> str:
    known = field_names(input_schema(model), place[:-1])
    near = difflib.get_close_matches(str(place[-1]), known, n=1, cutoff=0.5)
    meant = f"did you mean {near[0]!r}? " if near else ""
    return f"unknown field; {meant}known: {', '.join(known) or 'none'}"


def _brief(value: Any) -> str:  # noqa: ANN401 - whatever the caller sent
    if isinstance(value, str):
        return f"{value!r}" if len(value) <= _GIVEN_CHARS else f"{len(value)} characters"
    if isinstance(value, bool | float) or value is None:
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_GIVEN_CHARS else "a huge number"
    return f"{type(value).__name__} of {len(value)}" if hasattr(value, "__len__") else "an object"
