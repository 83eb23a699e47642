"""Resource to Document, one file a format."""

import sys
from functools import lru_cache

from commonplace.catalog import collect
from commonplace.domain.errors import ParseError
from commonplace.parsers.base import Parser


@lru_cache(maxsize=1)
def _by_media_type() -> dict[str, Parser]:
    parsers = collect(sys.modules[__name__], Parser)
    return {media_type: parser for parser in parsers.values() for media_type in parser.media_types}


def parser_for(media_type: str) -> Parser:
    """The parser that reads a media type; raises ParseError naming those it can choose from.

    >>> parser_for("text/markdown; charset=utf-8").name
    'markdown'
    """
    known = _by_media_type()
    essence = media_type.partition(";")[0].strip().lower()
    if essence not in known:
        raise ParseError(f"no parser reads {essence!r}; known: {', '.join(sorted(known))}")
    return known[essence]


def reads(media_type: str) -> bool:
    """Whether a parser reads a media type.

    >>> reads("text/html"), reads("video/mp4")
    (True, False)
    """
    return media_type.partition(";")[0].strip().lower() in _by_media_type()
