"""A page as it was fetched, and what tells whether it has changed."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was fetched before, to ask whether it has changed."""

    etag: str = ""
    last_modified: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """The conditions of a request."""
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A page as it came; ``is_unchanged`` means that what was known is still so, and no content."""

    asked: str
    url: str
    """Where it came from at last, without fragment."""
    hops: tuple[str, ...] = ()
    content: bytes = b""
    content_type: str = ""
    known: Known
    fetched_at: datetime
    modified_at: datetime | None = None
    fresh_until: datetime
    is_unchanged: bool = False
    warnings: tuple[str, ...] = ()
    """What of the page could not be had."""
