"""What a parser is: the media types it reads and one pure function."""

from collections.abc import Callable
from dataclasses import dataclass

from commonplace.domain.document import Document, Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """A catalog record. ``parse`` raises ParseError and nothing else."""

    name: str
    media_types: tuple[str, ...]
    suffixes: tuple[str, ...]
    """Lower-case file name endings with the dot; what decides a file's media type."""
    parse: Callable[[Resource], Document]
