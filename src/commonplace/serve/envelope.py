"""The one shape of an error: ``{"error": {"code", "message", "details"}}`` (000 §9.2)."""

import json
from collections.abc import Mapping
from typing import Any

from commonplace.domain.errors import CommonplaceError

# Claude Code cuts an error near 11,000 characters, and escapes may make six of one.
_MESSAGE_CHARS = 1_000
_DETAILS_CHARS = 4_000
_TEXT_CHARS = 300
_MOST_ENTRIES = 20
_DEPTH = 5


def error_envelope(error: CommonplaceError) -> dict[str, Any]:
    """The envelope of an error we raised on purpose, short enough for every client.

    >>> from commonplace.domain.errors import NotFound
    >>> error_envelope(NotFound("no such page; list pages first", page=3))["error"]["details"]
    {'page': 3}
    """
    details = _brief(error.details, _DEPTH)
    is_short = len(minified(details)) <= _DETAILS_CHARS
    return {
        "error": {
            "code": error.code,
            "message": printable(clip(error.message, _MESSAGE_CHARS)),
            "details": details if is_short else {"omitted": "too long"},
        }
    }


def internal_envelope(correlation_id: str) -> dict[str, Any]:
    """The envelope of an error nobody foresaw: nothing of it but where to look."""
    return {
        "error": {
            "code": "INTERNAL_ERROR",
            "message": "something went wrong inside the server; call again, and if it stays, "
            f"look for {correlation_id} in the server's log",
            "details": {"correlation_id": correlation_id},
        }
    }


def minified(value: Any) -> str:  # noqa: ANN401 - JSON
    """JSON without a byte of air.

    >>> minified({"a": [1, "é"]})
    '{"a":[1,"é"]}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def clip(text: str, most_chars: int) -> str:
    """At most so many characters, with a mark where the rest is missing.

    >>> clip("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most_chars else text[: most_chars - 1] + "…"


def printable(text: str) -> str:
    """Text every transport can encode: a lone surrogate becomes a question mark.

    >>> printable("a" + chr(0xD800))
    'a?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _brief(value: Any, depth: int) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return printable(clip(value, _TEXT_CHARS))
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        pairs = list(value.items())[:_MOST_ENTRIES]
        return {printable(clip(str(key), 80)): _brief(inner, depth - 1) for key, inner in pairs}
    if isinstance(value, list | tuple | set | frozenset):
        return [_brief(inner, depth - 1) for inner in list(value)[:_MOST_ENTRIES]]
    return printable(clip(str(value), _TEXT_CHARS))
