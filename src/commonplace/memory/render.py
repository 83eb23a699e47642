"""Content as text people and models can read, search and quote."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from commonplace.domain.context import Context

_TITLES = ("title", "name", "subject", "summary", "question", "decision", "goal")
_MOST_TITLE_CHARS = 120
_INDENT = "  "
_OPAQUE = re.compile(r"(?:[a-z]|ctx_)\d{18}")
"""Ids of ours: of no use to a reader, unlike the names of things elsewhere."""


def title_of(context: Context) -> str:
    """What the content calls itself, else how it begins, else its type and id."""
    for name in _TITLES:
        value = context.content.get(name)
        if isinstance(value, str) and value.strip():
            return _clipped(value)
    beginning = next((text for text in _texts(context.content) if text.strip()), "")
    return _clipped(beginning) or f"{context.type} {context.id}"


def byline(context: Context) -> str:
    """Whose it is and of when: the heading every quote of it is cited under."""
    moment = context.created_at.astimezone(UTC)
    return f"{context.type} by {one_line(context.agent)}, {moment:%Y-%m-%d %H:%M} UTC"


def text_of(context: Context) -> str:
    """The document of a context: title, what it says, its metadata, what it relates to."""
    title, content = title_of(context), context.content
    # What is said under the title again can be quoted, as long as something is.
    named = next((name for name in _TITLES if content.get(name) == title), None)
    body = {name: value for name, value in content.items() if name != named} or content
    alone = next(iter(body.values())) if len(body) == 1 else None
    said = alone if isinstance(alone, str) else "\n".join(_outline(body, 0))
    parts = [f"# {title}", said.strip("\n")]
    parts.append("\n".join(_outline(context.metadata, 0)))
    plain = [one for one in context.relationships if _OPAQUE.fullmatch(one.target) is None]
    parts.append("\n".join(f"{one.type}: {one_line(one.target)}" for one in plain))
    return "\n\n".join(part for part in parts if part) + "\n"


def one_line(text: str) -> str:
    """Text with its white space folded."""
    return " ".join(text.split())


def _clipped(text: str) -> str:
    line = one_line(text.strip().splitlines()[0]).lstrip("#> ").strip() if text.strip() else ""
    if len(line) <= _MOST_TITLE_CHARS:
        return line
    return line[: _MOST_TITLE_CHARS - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _outline(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """A line for each scalar; what holds more is indented under its name."""
    margin = _INDENT * depth
    for name, inner in value.items():
        if isinstance(inner, Mapping) and inner:
            yield f"{margin}{name}:"
            yield from _outline(inner, depth + 1)
        elif isinstance(inner, list) and inner:
            yield f"{margin}{name}:"
            yield from _entries(inner, depth)
        elif isinstance(inner, str) and "\n" in inner.strip():
            if depth:
                yield f"{margin}{name}:"
                yield from (f"{margin}{_INDENT}{line}".rstrip() for line in inner.splitlines())
            else:  # a longer text of its own keeps its lines as they are
                yield f"\n## {one_line(name)}\n\n{inner.strip()}\n"
        else:
            yield f"{margin}{name}: {_scalar(inner)}"


def _entries(values: list[Any], depth: int) -> Iterator[str]:
    margin = _INDENT * depth
    for inner in values:
        if isinstance(inner, Mapping) and inner:
            first, *rest = _outline(inner, depth + 1)
            yield f"{margin}- {first.strip()}"
            yield from rest
        elif isinstance(inner, list) and inner:
            yield f"{margin}-"
            yield from _entries(inner, depth + 1)
        else:
            yield f"{margin}- {one_line(_scalar(inner))}"


def _scalar(value: Any) -> str:  # noqa: ANN401 - JSON
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
