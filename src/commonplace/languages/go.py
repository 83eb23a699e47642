"""Go."""

from commonplace.domain import media
from commonplace.domain.code import Facts
from commonplace.languages.base import Language


def extract(text: str, path: str) -> Facts:
    """Facts of one file."""
    from commonplace.languages.golang.extract import (  # noqa: PLC0415 - loads a grammar
        extract as read,
    )

    return read(text, path)


GO = Language(name="go", media_types=(media.GO,), suffixes=(".go",), extract=extract)
