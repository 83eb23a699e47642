"""Cursors: opaque, signed, tied to the query and to the generation of the index.

A cursor is an offset and a signature over everything that shaped the list it continues, so the
caller sends the same arguments again. It is fifteen digits, because they are five tokens; lists of
code may go beyond a thousand entries, and then it is one or two digits longer.
"""

import hashlib
import hmac
import json
import re
from typing import Any

from commonplace.domain.errors import InvalidArgument

_CURSOR = re.compile(r"[0-9]{15,17}")  # three digits of offset or, in long lists, up to five
_SIGNATURES = 10**12  # a forged cursor buys nothing but another page of the same list


class Cursors:
    """Makes and checks cursors with a key that stays with the data folder."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def make(self, offset: int, generation: int, **query: Any) -> str:  # noqa: ANN401 - JSON
        """The cursor that continues this query's list at ``offset``."""
        return f"{offset:03}{self._sign(offset, generation, query):012}"

    def read(self, cursor: str | None, generation: int, **query: Any) -> int:  # noqa: ANN401
        """The offset to go on from; 0 without a cursor.

        Raises InvalidArgument for a cursor that is forged, of another query, or from before the
        last change of the index.
        """
        if cursor is None:
            return 0
        if _CURSOR.fullmatch(cursor) is None:
            raise InvalidArgument(
                "cursor is not one of ours; use next_cursor of the last reply, or omit it",
                field="cursor",
            )
        offset, signature = int(cursor[:-12]), int(cursor[-12:])
        if signature != self._sign(offset, generation, query):
            raise InvalidArgument(
                "cursor does not fit: it belongs to other arguments, or the index has changed "
                "since; call again without cursor, with the same arguments as before",
                field="cursor",
            )
        return offset

    def _sign(self, offset: int, generation: int, query: dict[str, Any]) -> int:
        facts = json.dumps([offset, generation, query], sort_keys=True, default=str)
        digest = hmac.digest(self._key, facts.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return int.from_bytes(digest, "big") % _SIGNATURES
