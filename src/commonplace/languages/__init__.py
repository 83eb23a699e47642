"""Code and SQL to facts, one file a language."""

import sys
from functools import lru_cache

from commonplace.catalog import collect
from commonplace.languages.base import Language


@lru_cache(maxsize=1)
def _by_media_type() -> dict[str, Language]:
    languages = collect(sys.modules[__name__], Language)
    return {media_type: one for one in languages.values() for media_type in one.media_types}


def language_for(media_type: str) -> Language | None:
    """The language of a media type; None for what is not code."""
    return _by_media_type().get(media_type.partition(";")[0].strip().lower())
