"""Cursors: opaque, signed, tied to the query and to the generation of the index.

A cursor is an offset and a signature over everything that shaped the list it continues, so the
caller sends the same arguments again. It is eleven characters long because it is paid in tokens.
"""

import base64
import hashlib
import hmac
import json
from typing import Any

from commonplace.domain.errors import InvalidArgument

_SIGNATURE_BYTES = 6  # 48 bits: a forged cursor buys nothing but another page of the same list
_OFFSET_BYTES = 2  # lists are capped far below 65,536 entries


class Cursors:
    """Makes and checks cursors with a key that stays with the data folder."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def make(self, offset: int, generation: int, **query: Any) -> str:  # noqa: ANN401 - JSON
        """The cursor that continues this query's list at ``offset``."""
        place = offset.to_bytes(_OFFSET_BYTES, "big")
        return _text(place + self._sign(place, generation, query))

    def read(self, cursor: str | None, generation: int, **query: Any) -> int:  # noqa: ANN401
        """The offset to go on from; 0 without a cursor.

        Raises InvalidArgument for a cursor that is forged, of another query, or from before the
        last change of the index.
        """
        if cursor is None:
            return 0
        content = _content(cursor)
        place, signature = content[:_OFFSET_BYTES], content[_OFFSET_BYTES:]
        if not hmac.compare_digest(signature, self._sign(place, generation, query)):
            raise InvalidArgument(
                "cursor does not fit: it belongs to other arguments, or the index has changed "
                "since; call again without cursor, with the same arguments as before",
                field="cursor",
            )
        return int.from_bytes(place, "big")

    def _sign(self, place: bytes, generation: int, query: dict[str, Any]) -> bytes:
        facts = json.dumps([generation, query], sort_keys=True, default=str)
        message = place + facts.encode("utf-8", "surrogatepass")
        return hmac.new(self._key, message, hashlib.sha256).digest()[:_SIGNATURE_BYTES]


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode("ascii").rstrip("=")


def _content(cursor: str) -> bytes:
    try:
        content = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except ValueError as exc:
        raise InvalidArgument(
            "cursor is not one of ours; use next_cursor of the last reply, or omit it",
            field="cursor",
        ) from exc
    return content
