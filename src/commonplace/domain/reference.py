"""A bibliographic record, whatever format it came in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a bibliography says of one work."""

    citekey: str = ""
    """Empty when the bibliography gives none."""
    title: str = ""
    authors: tuple[str, ...] = ()
    """Given name first, as people say them."""
    year: int | None = None
    doi: str = ""
    """Lower case, without an address before it."""
    tags: tuple[str, ...] = ()
    language: str = ""
    file: str = ""
    """Name of the file the bibliography attaches to it."""
